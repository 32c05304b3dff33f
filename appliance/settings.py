"""What people set on the console, kept in a file: language, indices, look, volume, names, the last game."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from appliance.failure import Failure, write_file
from appliance.names import shown_name

INDICES = ("TKDV", "AKQJ")
LOOKS = ("dark", "light")
ROTATIONS = (0, 90, 180, 270)
SUITS = ("two", "four")
LOUDEST = 10
SOUNDS = ("accepted", "turn", "illegal", "proof", "won", "bark")
LONGEST_NAME = 24
MOST_NAMES = 40
_LANGUAGES = ("lt", "en")
_CHOICES: Mapping[str, tuple[object, ...]] = {
    "language": _LANGUAGES, "indices": INDICES, "look": LOOKS, "rotation": ROTATIONS, "suits": SUITS,
    "volume": tuple(range(LOUDEST + 1)),
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """The settings, each with its default.

    `volume`: of everything; `volumes`: of each kind of sound within it, the loudest where it is not named.
    `indices`: on the cards that are drawn. `suits`: in two colours or in four. `rotation`: of the screen, in
    degrees clockwise. `names`: of people who have played, the latest first. `game`, `options`: what was
    played last. `deck`: the name of the taught deck that cards are read by; empty: the configuration's.
    `spoken`: words are heard where there are recordings of them.
    """

    language: Literal["lt", "en"] = "lt"
    indices: Literal["TKDV", "AKQJ"] = "TKDV"
    look: Literal["dark", "light"] = "dark"
    suits: Literal["two", "four"] = "two"
    volume: int = 7
    volumes: Mapping[str, int] = field(default_factory=lambda: {"accepted": 5, "turn": 5})
    rotation: int = 0
    names: tuple[str, ...] = ()
    game: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    deck: str = ""
    spoken: bool = True

    def played(self, names: tuple[str, ...], game: str, options: Mapping[str, str]) -> Settings:
        """These settings after a match of these people was begun."""
        known = tuple(dict.fromkeys((*names, *self.names)))[:MOST_NAMES]
        return replace(self, names=known, game=game, options=dict(options))


def load_settings(path: Path) -> Settings:
    """The settings of a file, the defaults if there is none. Failure names file and key."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Failure(f"{path}: not JSON: {error}") from None
    if not isinstance(values, dict):
        raise Failure(f"{path}: not a table of settings")
    return checked_settings(values, str(path))


def checked_settings(values: dict[str, Any], origin: str) -> Settings:
    """Settings from the keys of a file; Failure for a key or value that is not known."""
    known = [field.name for field in fields(Settings)]
    for key, value in values.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.4)
            hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known)}"
            raise Failure(f"{origin}: unknown key {key!r}; {hint}")
        if key in _CHOICES and (isinstance(value, bool) or value not in _CHOICES[key]):
            choices = ", ".join(map(str, _CHOICES[key]))
            raise Failure(f"{origin}: {key} = {value!r}: it is one of {choices}")
    _check_volumes(values.get("volumes", {}), origin)
    names, options = values.get("names", []), values.get("options", {})
    if not isinstance(names, list) or not all(
        isinstance(n, str) and 0 < len(n) <= LONGEST_NAME for n in names
    ):
        raise Failure(f"{origin}: names is a list of names of at most {LONGEST_NAME} letters")
    if not isinstance(values.get("spoken", True), bool):
        raise Failure(f"{origin}: spoken is true or false")
    for key in ("game", "deck"):
        if not isinstance(values.get(key, ""), str):
            raise Failure(f"{origin}: {key} is a text")
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise Failure(f"{origin}: options is a table of texts")
    known_names = tuple(dict.fromkeys(map(shown_name, names)))
    return replace(Settings(), **{**values, "names": known_names, "options": options})


def _check_volumes(volumes: Any, origin: str) -> None:
    wrong = not isinstance(volumes, dict) or any(
        kind not in SOUNDS or type(loud) is not int or not 0 <= loud <= LOUDEST
        for kind, loud in volumes.items()
    )
    if wrong:
        raise Failure(f"{origin}: volumes is a table of {', '.join(SOUNDS)} with numbers from 0 to {LOUDEST}")


def save_settings(path: Path, settings: Settings) -> None:
    """Writes the file, whole or not at all; Failure if it cannot be written."""
    text = json.dumps(asdict(settings), ensure_ascii=False, indent=2) + "\n"
    beside = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    write_file(beside, text)
    try:
        beside.replace(path)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
