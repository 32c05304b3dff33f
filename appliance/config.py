"""The configuration: a TOML file. A key that is not known is an error that names the nearest known one.

Each key is defined once, in `Config`: its default, its explanation and what its values may be. The
commented default file is made from that.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from appliance.failure import Failure
from firmware.wire import PODS

SIZES = {"800x480": (800, 480), "1024x600": (1024, 600), "1280x720": (1280, 720), "1920x1080": (1920, 1080)}
HEADER_PINS = range(28)  # the GPIO numbers of the 40-pin header; 0: not connected

TAKEN_PINS = {  # of these, what they are taken by; hardware/README.md says so too
    2: "has a fixed resistor", 3: "has a fixed resistor", 14: "is of the serial console",
    15: "is of the serial console",
}  # fmt: skip


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


def _key(default: Any, text: str, *choices: str) -> Any:
    return field(default=default, metadata={"text": text, "choices": choices})


@dataclass(frozen=True)
class Pins:
    """The Pi's GPIO numbers (BCM); 0: not connected. `turn`: a lamp for each seat, from seat 1."""

    up: int = _key(5, _("The GPIO number of the console button up (its other side to ground)."))
    down: int = _key(6, _("The GPIO number of the console button down."))
    ok: int = _key(13, _("The GPIO number of the console button OK."))
    back: int = _key(19, _("The GPIO number of the console button back."))
    dispute: int = _key(26, _("The GPIO number of the console button dispute."))
    lamp_wrong: int = _key(16, _("The GPIO number of the lamp for an illegal action."))
    lamp_winner: int = _key(20, _("The GPIO number of the lamp for a winner."))
    lamp_dispute: int = _key(21, _("The GPIO number of the lamp for a dispute."))
    buzzer: int = _key(12, _("The GPIO number of the buzzer."))
    turn: tuple[int, ...] = _key((22, 23, 24, 25), _("The GPIO numbers of the lamps before the seats."))

    def buttons(self) -> dict[str, int]:
        """Button → pin."""
        return {name: getattr(self, name) for name in ("up", "down", "ok", "back", "dispute")}

    def lamps(self) -> dict[str, int]:
        """Lamp or buzzer → pin."""
        lamps = {name: getattr(self, f"lamp_{name}") for name in ("wrong", "winner", "dispute")}
        return {**lamps, "buzzer": self.buzzer}

    def turns(self) -> dict[str, int]:
        """Lamp before a seat → pin."""
        return {f"turn of seat {seat}": pin for seat, pin in enumerate(self.turn, 1)}


@dataclass(frozen=True)
class Config:
    """The settings, each with its default, what it means and, where they are few, its values."""

    camera: str = _key(
        "/dev/video0",
        _("The camera: a device (/dev/v4l/by-id/... survives replugging), csi for the ribbon, or a film."),
    )
    screen: str = _key("1280x720", _("The size of the screen in pixels."), *SIZES)
    language: str = _key("lt", _("The language of the screen."), "lt", "en")
    letters: str = _key("TKDV", _("The letters on drawn cards."), "TKDV", "AKQJ")
    game: str = _key("dezertyras", _("The game played at the start (kortstalis games names them)."))
    players: tuple[str, ...] = _key(
        ("Rasa", "Jonas", "Ona", "Petras"), _("The players, clockwise from the near side of the picture.")
    )
    bound: float = _key(
        0.95, _("How sure a card's reading must be to count without asking: above 0, at most 1.")
    )
    deck: str = _key("", _("The file of a taught deck (kortstalis enroll); empty: the built-in reader."))
    geometry: str = _key(
        "",
        _("The file of the table's geometry (kortstalis calibrate --output); empty: the mat is looked for."),
    )
    pods: str = _key("auto", _("The seat pods: auto looks for them, off does without, or their device."))
    gpio: str = _key(
        "auto",
        _("Buttons and lamps on the Pi's pins: auto uses them where there are any."),
        "auto",
        "on",
        "off",
    )
    light: float = _key(
        0.5, _("The ring light: above 0, at most 1; raised when the camera finds it too dark.")
    )
    pins: Pins = field(
        default_factory=Pins,
        metadata={"text": _("The Pi's GPIO numbers (BCM); 0 where nothing is connected."), "choices": ()},
    )


@dataclass(frozen=True)
class Problem:
    """Something wrong in a configuration. `line`: of the file, 0 if it is not known."""

    line: int
    text: str

    def at(self, origin: str) -> str:
        """The problem with where it is."""
        return f"{origin}:{self.line}: {self.text}" if self.line else f"{origin}: {self.text}"


def read(path: Path) -> tuple[Config, tuple[Problem, ...]]:
    """The configuration of a file, and all that is wrong with it; Failure if it cannot be read at all."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Failure(f"{path}: not UTF-8 text") from None
    return parse(text)


def parse(text: str) -> tuple[Config, tuple[Problem, ...]]:
    """The configuration of a text, and all that is wrong with it; keys with problems keep their defaults."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = re.search(r"\(at line (\d+)", message)
        return Config(), (Problem(int(found[1]) if found else 0, f"not TOML: {message}"),)
    good, problems = _checked(Config(), values, text)
    config: Config = replace(Config(), **good)
    problems += _pin_problems(text, config.pins)
    return config, tuple(problems)


def _checked(
    defaults: Config | Pins, values: dict[str, Any], text: str, table: str = ""
) -> tuple[dict[str, Any], list[Problem]]:
    """The values of a table that may be, and what is wrong with the others."""
    known = {each.name: each for each in fields(defaults)}
    called = f"{table}: " if table else ""
    problems: list[Problem] = []
    good: dict[str, Any] = {}
    for key, value in values.items():
        if key == "pins" and not table and isinstance(value, dict):
            pins, wrong_pins = _checked(Pins(), value, text, key)
            good[key] = replace(Pins(), **pins)
            problems += wrong_pins
            continue
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.4)
            hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known)}"
            wrong = f"unknown key {key!r}; {hint}"
        else:
            wrong = _wrong(getattr(defaults, key), known[key].metadata["choices"], key, value)
        if wrong:
            problems.append(Problem(_line_of(text, key, table), called + wrong))
        else:
            good[key] = tuple(value) if isinstance(value, list) else value
    return good, problems


def _wrong(default: Any, choices: tuple[str, ...], key: str, value: Any) -> str:
    """What is wrong with a value; nothing if it may be."""
    if choices and value not in choices:
        return f"{key} = {value!r}: it is one of {', '.join(choices)}"
    if isinstance(default, Pins):
        return f"{key} is a table"
    if isinstance(default, tuple):
        return _wrong_list(default, key, value)
    if isinstance(default, float):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            return f"{key} is a number above 0 and at most 1{_percent(value)}"
    elif isinstance(default, int):
        if not _is_pin(value):
            return f"{key} is a GPIO number from 0 (none) to {HEADER_PINS[-1]}"
    elif not isinstance(value, str) or (default and not value):
        return f"{key} is a text"
    return ""


def _percent(value: Any) -> str:
    """What to write instead, where a number is meant as percent."""
    meant = type(value) in (int, float) and 2 <= value <= 100
    return f": {value / 100:g} for {value:g} %" if meant else ""


def _wrong_list(default: tuple[Any, ...], key: str, value: Any) -> str:
    if isinstance(default[0], int):
        if not isinstance(value, list) or not all(map(_is_pin, value)):
            return f"{key} is a list of GPIO numbers from 0 (none) to {HEADER_PINS[-1]}"
        if len(value) > PODS:
            return f"{key} has {len(value)} pins, there are {PODS} seats at most"
    elif not isinstance(value, list) or not value or not all(isinstance(v, str) and v for v in value):
        return f"{key} is a list of names"
    return ""


def _is_pin(value: Any) -> bool:
    return type(value) is int and value in HEADER_PINS


def _pin_problems(text: str, pins: Pins) -> list[Problem]:
    """Two things cannot share a pin, and some pins are taken already."""
    problems = []
    used: dict[int, tuple[str, str]] = {}  # pin → what is on it, the key that says so
    named = [(name, name, pin) for name, pin in pins.buttons().items()]
    named += [(name, name if name == "buzzer" else f"lamp_{name}", pin) for name, pin in pins.lamps().items()]
    named += [(name, "turn", pin) for name, pin in pins.turns().items()]
    for name, key, pin in named:
        what = name if key == "turn" else key
        if pin in TAKEN_PINS:
            wrong = f"pins: {what} is GPIO {pin}, which {TAKEN_PINS[pin]}: take another"
            problems.append(Problem(_line_of(text, key, "pins"), wrong))
        if pin and pin in used:
            other, other_key = used[pin]
            line = max(_line_of(text, key, "pins"), _line_of(text, other_key, "pins"))
            problems.append(Problem(line, f"pins: {other} and {what} are both GPIO {pin}"))
        used[pin] = what, key
    return problems


def _line_of(text: str, key: str, table: str = "") -> int:
    """The line on which a key stands, of a table if that is named; 0 if it does not."""
    pattern = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    inside = not table
    for number, line in enumerate(text.splitlines(), 1):
        if table and re.match(r"\s*\[", line):
            inside = re.match(rf"\s*\[\s*{re.escape(table)}\s*\]", line) is not None
        elif inside and pattern.match(line):
            return number
    return _line_of(text, table) if table else 0


def load(path: Path | None) -> Config:
    """The configuration of a file, the defaults without one. Failure names file, line, key and what to do."""
    if path is None:
        return Config()
    config, problems = read(path)
    if problems:
        raise Failure(problems[0].at(str(path)))
    return config


def load_or_last_good(path: Path | None, kept_in: Path) -> tuple[Config, str | None]:
    """As `load`; if the file is wrong, the copy kept when it was last right, and what is wrong with it.

    A file that is right is copied into the folder `kept_in`. Failure if it is wrong and never was right.
    """
    if path is None:
        return Config(), None
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    copy = kept_in / f"good-{name}.toml"
    try:
        config = load(path)
    except Failure as failure:
        try:
            kept = load(copy)
        except Failure:
            raise failure from None
        return kept, str(failure)
    text = as_toml(config)
    try:
        if not copy.is_file() or copy.read_text(encoding="utf-8") != text:
            kept_in.mkdir(parents=True, exist_ok=True)
            fresh = copy.with_suffix(".new")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(copy)
    except OSError:
        pass  # a disk that cannot be written has its own message
    return config, None


def as_toml(config: Config, say: Callable[[str], str] = str) -> str:
    """A configuration as a commented file: every key with what it means and its value."""
    out = [f"# {say('The configuration of Kortstalis. Keys that are left out have these values.')}", ""]
    for each in fields(Config):
        out += _commented(each.metadata, say)
        value = getattr(config, each.name)
        if not isinstance(value, Pins):
            out += [f"{each.name} = {_toml(value)}", ""]
            continue
        out += [f"[{each.name}]", ""]
        for pin in fields(value):
            out += [*_commented(pin.metadata, say), f"{pin.name} = {_toml(getattr(value, pin.name))}", ""]
    return "\n".join(out)


def _commented(metadata: Mapping[str, Any], say: Callable[[str], str]) -> list[str]:
    out = [f"# {say(metadata['text'])}"]
    if metadata["choices"]:
        out.append(f"# {say('One of: {choices}.').format(choices=', '.join(metadata['choices']))}")
    return out


def _toml(value: Any) -> str:
    """A value as TOML: its strings are JSON's (but for DEL, which TOML wants escaped)."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
