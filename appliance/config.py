"""The configuration: a TOML file. A key that is not known is an error that names the nearest known one."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from appliance.failure import Failure

SIZES = {"800x480": (800, 480), "1024x600": (1024, 600), "1280x720": (1280, 720), "1920x1080": (1920, 1080)}


@dataclass(frozen=True)
class Pins:
    """The Pi's GPIO numbers (BCM); 0: not connected. `turn`: a lamp for each seat, from seat 1."""

    up: int = 5
    down: int = 6
    ok: int = 13
    back: int = 19
    dispute: int = 26
    lamp_wrong: int = 16
    lamp_winner: int = 20
    lamp_dispute: int = 21
    buzzer: int = 12
    turn: tuple[int, ...] = (22, 23, 24, 25)

    def buttons(self) -> dict[str, int]:
        """Button → pin."""
        return {name: getattr(self, name) for name in ("up", "down", "ok", "back", "dispute")}

    def lamps(self) -> dict[str, int]:
        """Lamp or buzzer → pin."""
        lamps = {name: getattr(self, f"lamp_{name}") for name in ("wrong", "winner", "dispute")}
        return {**lamps, "buzzer": self.buzzer}


@dataclass(frozen=True)
class Config:
    """The settings, each with its default.

    `camera`: a device or a film. `screen`: its size. `language`: lt or en. `letters`: TKDV or AKQJ on
    drawn cards. `game`, `players`: what is played at start. `bound`: the least confidence with which a
    card is taken without asking. `deck`: the file of a taught deck, none if empty. `pods`: auto, off or
    the device of the seat pods. `gpio`: whether the console's buttons and lamps are on the Pi's pins:
    auto, on or off. `light`: the ring light, 0 to 1. `pins`: a table with the pins that are not the
    usual ones.
    """

    camera: str = "/dev/video0"
    screen: str = "1280x720"
    language: str = "lt"
    letters: str = "TKDV"
    game: str = "dezertyras"
    players: tuple[str, ...] = ("Rasa", "Jonas", "Ona", "Petras")
    bound: float = 0.95
    deck: str = ""
    pods: str = "auto"
    gpio: str = "auto"
    light: float = 0.5
    pins: Pins = field(default_factory=Pins)


_CHOICES = {"screen": tuple(SIZES), "language": ("lt", "en"), "letters": ("TKDV", "AKQJ")}
_CHOICES["gpio"] = ("auto", "on", "off")


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
    known = {setting.name: type(setting.default) for setting in fields(Config)}
    for key, value in values.items():
        _check_known(key, known, origin)
        if key == "pins":
            continue
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
    if "pins" in given:
        given["pins"] = _pins(given["pins"], origin)
    return replace(Config(), **given)


def _check_known(key: str, known: dict[str, Any], origin: str) -> None:
    if key not in known:
        near = difflib.get_close_matches(key, known, 1, 0.4)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there is {', '.join(known)}"
        raise Failure(f"{origin}: unknown key {key!r}{hint}")


def _pins(values: Any, origin: str) -> Pins:
    """The table of pins; Failure for a key that is not known, no pin of a Pi, or one that is used twice."""
    if not isinstance(values, dict):
        raise Failure(f"{origin}: pins is a table")
    given: dict[str, Any] = {}
    for key, value in values.items():
        _check_known(key, {setting.name: None for setting in fields(Pins)}, f"{origin}: pins")
        numbers = value if key == "turn" and isinstance(value, list) else [value]
        if (key == "turn") != isinstance(value, list) or not all(
            type(number) is int and 0 <= number <= 27 for number in numbers
        ):
            kind = "a list of GPIO numbers" if key == "turn" else "a GPIO number"
            raise Failure(f"{origin}: pins: {key} is {kind} from 0 (none) to 27")
        given[key] = tuple(numbers) if key == "turn" else value
    pins = Pins(**given)
    used: dict[int, str] = {}
    lamps = {f"turn of seat {seat}": pin for seat, pin in enumerate(pins.turn, 1)}
    for name, pin in {**pins.buttons(), **pins.lamps(), **lamps}.items():
        if pin and pin in used:
            raise Failure(f"{origin}: pins: {used[pin]} and {name} are both on GPIO {pin}")
        used[pin] = name
    return pins
