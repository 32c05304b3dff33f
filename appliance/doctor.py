"""What works and what does not on this machine: measures in, one finding a check out.

The measures come from `appliance.probes`; here they are judged, so that no test needs the hardware.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from appliance.starts import BEFORE_SAFE

State: TypeAlias = Literal["ok", "note", "failed"]
Speaker: TypeAlias = Callable[[str], str]

LEAST_RATE = 8.0  # frames a second
LEAST_SHARPNESS = 15.0  # variance of the Laplacian, grey levels squared
DARK, BRIGHT, GLARE = 45.0, 215.0, 0.04  # mean grey level; part of the picture that is burnt out
LEAST_CARD_PX = 55.0
LOW_DISK, FULL_DISK = 500 * 1024**2, 50 * 1024**2
HOT, TOO_HOT = 70.0, 80.0  # °C; a Pi slows down from 80 on
SLOW_MODEL_S = 2.0
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_ONCE, THROTTLED_NOW = 0x1, 0x10000, 0x4


@dataclass(frozen=True)
class CameraLook:
    """What the camera gave. `error`: why it gave nothing. `card_px`: a card's height by the mat's markers,
    None if the mat was not found. `glare`: the part of the picture that is burnt out."""

    error: str | None = None
    size: tuple[int, int] = (0, 0)
    rate: float = 0.0
    sharpness: float = 0.0
    brightness: float = 0.0
    glare: float = 0.0
    card_px: float | None = None
    mat: str = ""


@dataclass(frozen=True)
class Measures:
    """Everything that was looked at. None: this machine cannot tell, or there is none of it.

    `model`: seconds to read a picture, or what is wrong. `gpio`: what is wrong. `journal`: matches in it,
    or what is wrong. `throttled`: the bits of `vcgencmd get_throttled`. `service`: of systemd, and how
    often it was restarted.
    """

    camera: CameraLook
    model: float | str
    gpio: str | None
    pods: str | None
    display: str | None
    sound: tuple[str, ...]
    disk_free: int | None
    disk_writable: bool
    temperature: float | None
    throttled: int | None
    journal: int | str
    service: tuple[str, int] | None
    config: str | None = None
    failed_starts: int = 0


@dataclass(frozen=True)
class Finding:
    """What a check found: in words, and what to do if it is not well."""

    check: str
    state: State
    found: str
    todo: str = ""


def examine(seen: Measures, say: Speaker) -> tuple[Finding, ...]:
    """The findings, in the order in which a newcomer should put them right."""
    return tuple(_findings(seen, say))


def _findings(seen: Measures, say: Speaker) -> Iterator[Finding]:
    yield _config(seen, say)
    yield from _camera(seen.camera, say)
    yield _model(seen.model, say)
    yield _gpio(seen.gpio, say)
    yield _pods(seen.pods, say)
    yield _display(seen.display, say)
    yield _sound(seen.sound, say)
    yield _disk(seen, say)
    yield _heat(seen.temperature, say)
    yield _power(seen.throttled, say)
    yield _journal(seen.journal, say)
    yield _service(seen, say)


def _config(seen: Measures, say: Speaker) -> Finding:
    if seen.config is not None:
        todo = say("Correct the line, then: kortstalis config check")
        return Finding("config", "failed", seen.config, todo)
    return Finding("config", "ok", say("the configuration is right"))


def _camera(look: CameraLook, say: Speaker) -> Iterator[Finding]:
    if look.error is not None:
        todo = say("Plug the camera in; see which it is: ls /dev/v4l/by-id; set camera in the configuration.")
        yield Finding("camera", "failed", _camera_error(look.error, say), todo)
        return
    rate = say("{width}×{height}, {rate} frames/s").format(
        width=look.size[0], height=look.size[1], rate=f"{look.rate:.1f}"
    )
    if look.rate < LEAST_RATE:
        todo = say("Too slow: use a USB 3 port without a hub, more light, no other program on the camera.")
        yield Finding("camera", "failed", rate, todo)
    else:
        yield Finding("camera", "ok", rate)
    sharp = say("sharpness {value}").format(value=f"{look.sharpness:.0f}")
    if look.sharpness < LEAST_SHARPNESS:
        todo = say("Blurred: clean the lens, set its focus on the table, tighten the arm.")
        yield Finding("sharpness", "failed", sharp, todo)
    else:
        yield Finding("sharpness", "ok", sharp)
    light = say("brightness {value} of 255, {glare} % burnt out").format(
        value=f"{look.brightness:.0f}", glare=f"{look.glare * 100:.0f}"
    )
    if look.brightness < DARK:
        yield Finding("light", "failed", light, say("Too dark: add a lamp."))
    elif look.brightness > BRIGHT or look.glare > GLARE:
        todo = say("Glare: move the lamps to the sides, soften them, keep the sun off the table.")
        yield Finding("light", "failed", light, todo)
    else:
        yield Finding("light", "ok", light)
    if look.card_px is None:
        todo = say("Print the mat (kortstalis calibrate --mat mat.pdf); lay it in the middle of the table.")
        yield Finding("calibration", "note", look.mat or say("no mat in the picture"), todo)
        return
    card = say("a card is {value} pixels high").format(value=f"{look.card_px:.0f}")
    if look.card_px < LEAST_CARD_PX:
        todo = say("Too small, 55 are needed: hang the camera lower, or take a narrower lens.")
        yield Finding("calibration", "failed", card, todo)
    else:
        yield Finding("calibration", "ok", card)


def _camera_error(error: str, say: Speaker) -> str:
    """What is wrong with the camera (`camera NAME: WHY`), in the language spoken, as far as it is known."""
    name, _, why = error.removeprefix("camera ").partition(": ")
    words = {
        "cannot be opened (is it plugged in, is it in use?)": say("{name} cannot be opened"),
        "gives no pictures any more": say("{name} gives no pictures"),
        "gives no pictures": say("{name} gives no pictures"),
    }
    return words[why].format(name=name) if why in words else error


def _model(model: float | str, say: Speaker) -> Finding:
    if isinstance(model, str):
        return Finding("model", "failed", model, say("Install the program again."))
    found = say("a picture is read in {seconds} s").format(seconds=f"{model:.2f}")
    if model > SLOW_MODEL_S:
        return Finding("model", "note", found, say("Slow: stop other programs, cool the computer."))
    return Finding("model", "ok", found)


def _gpio(gpio: str | None, say: Speaker) -> Finding:
    if gpio is None:
        return Finding("gpio", "ok", say("the pins of the console buttons can be used"))
    todo = say("Without console buttons the keyboard does: arrows, Enter, Backspace.")
    return Finding("gpio", "note", gpio, todo)


def _pods(pods: str | None, say: Speaker) -> Finding:
    if pods is not None:
        return Finding("pods", "ok", pods)
    todo = say("Plug in the cable of the seat pods; the table works without them too.")
    return Finding("pods", "note", say("no seat pods are connected"), todo)


def _display(display: str | None, say: Speaker) -> Finding:
    if display is not None:
        return Finding("display", "ok", display)
    return Finding("display", "failed", say("no display"), say("Plug in the screen and switch it on."))


def _sound(sound: tuple[str, ...], say: Speaker) -> Finding:
    if sound:
        return Finding("sound", "ok", ", ".join(sound))
    todo = say("The table is silent; plug in a speaker if you want to hear it.")
    return Finding("sound", "note", say("no sound device"), todo)


def _disk(seen: Measures, say: Speaker) -> Finding:
    if not seen.disk_writable or seen.disk_free is None:
        todo = say("Matches cannot be kept: change the card, or mount its data partition for writing.")
        return Finding("disk", "failed", say("the disk cannot be written"), todo)
    free = say("{value} MB free").format(value=seen.disk_free // 1024**2)
    todo = say("Delete what is not needed; matches are small, logs and films are not.")
    if seen.disk_free < FULL_DISK:
        return Finding("disk", "failed", free, todo)
    return Finding("disk", "note", free, todo) if seen.disk_free < LOW_DISK else Finding("disk", "ok", free)


def _heat(temperature: float | None, say: Speaker) -> Finding:
    if temperature is None:
        return Finding("temperature", "note", say("this machine does not tell its temperature"))
    found = f"{temperature:.0f} °C"
    todo = say("Too warm: give it air or a fan.")
    if temperature >= TOO_HOT:
        return Finding("temperature", "failed", found, todo)
    return Finding("temperature", "note" if temperature >= HOT else "ok", found, todo * (temperature >= HOT))


def _power(throttled: int | None, say: Speaker) -> Finding:
    todo = say("Use the power supply made for the Pi (5 V 3 A, for a Pi 5 5 V 5 A) and a short cable.")
    if throttled is None:
        return Finding("power", "note", say("this machine does not tell of under-voltage"))
    if throttled & UNDER_VOLTAGE_NOW:
        return Finding("power", "failed", say("the voltage is too low"), todo)
    if throttled & UNDER_VOLTAGE_ONCE:
        return Finding("power", "note", say("the voltage was too low since the start"), todo)
    if throttled & THROTTLED_NOW:
        return Finding("power", "note", say("slowed down"), say("Too warm: give it air or a fan."))
    return Finding("power", "ok", say("the voltage is right"))


def _journal(journal: int | str, say: Speaker) -> Finding:
    if isinstance(journal, str):
        todo = say("At its next start the table keeps the damaged file aside and rescues the matches in it.")
        return Finding("journal", "failed", journal, todo)
    return Finding("journal", "ok", say("matches in the journal: {count}").format(count=journal))


def _service(seen: Measures, say: Speaker) -> Finding:
    log = say("See why: journalctl -u kortstalis -n 50")
    if seen.service is None:
        todo = say("To have it start with the machine: sudo systemd/install")
        return Finding("service", "note", say("the service is not installed"), todo)
    state, restarts = seen.service
    found = say("{state}, restarted {count} times").format(state=state, count=restarts)
    if seen.failed_starts > BEFORE_SAFE:  # the present start is counted until it has proved good
        return Finding("service", "failed", say("started safely, with the defaults"), log)
    if state != "active":
        return Finding("service", "failed", found, log)
    return Finding("service", "note" if restarts else "ok", found, log if restarts else "")
