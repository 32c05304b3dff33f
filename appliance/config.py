"""The configuration: a TOML file. A key that is not known is an error that names the nearest known one."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from appliance.failure import Failure

SIZES = {"800x480": (800, 480), "1024x600": (1024, 600), "1280x720": (1280, 720), "1920x1080": (1920, 1080)}


@dataclass(frozen=True)
class Config:
    """The settings, each with its default.

    `camera`: a device or a film. `screen`: its size. `language`: lt or en. `letters`: TKDV or AKQJ on
    drawn cards. `game`, `players`: what is played at start. `bound`: the least confidence with which a
    card is taken without asking. `deck`: the file of a taught deck, none if empty.
    """

    camera: str = "/dev/video0"
    screen: str = "1280x720"
    language: str = "lt"
    letters: str = "TKDV"
    game: str = "dezertyras"
    players: tuple[str, ...] = ("Rasa", "Jonas", "Ona", "Petras")
    bound: float = 0.95
    deck: str = ""


_CHOICES = {"screen": tuple(SIZES), "language": ("lt", "en"), "letters": ("TKDV", "AKQJ")}


def load(path: Path | None) -> Config:
    """The configuration of a file, the defaults without one. Failure names file, key and what to do."""
    if path is None:
        return Config()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Failure(f"{path}: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path}: not TOML: {error}") from None
    return checked(values, str(path))


def checked(values: dict[str, Any], origin: str) -> Config:
    """A configuration from the keys of a file; Failure for a key or value that is not known."""
    known = {field.name: type(field.default) for field in fields(Config)}
    for key, value in values.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.4)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there is {', '.join(known)}"
            raise Failure(f"{origin}: unknown key {key!r}{hint}")
        if key in _CHOICES and value not in _CHOICES[key]:
            raise Failure(f"{origin}: {key} = {value!r}: it is one of {', '.join(_CHOICES[key])}")
        if known[key] is tuple:
            if not isinstance(value, list) or not value or not all(isinstance(v, str) and v for v in value):
                raise Failure(f"{origin}: {key} is a list of names")
        elif known[key] is float:
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
                raise Failure(f"{origin}: {key} is a number above 0 and at most 1")
        elif not isinstance(value, str):
            raise Failure(f"{origin}: {key} is a text")
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    return replace(Config(), **given)
