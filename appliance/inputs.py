"""Presses, wherever they come from: the console's buttons on the Pi's GPIO, the keyboard, the seat pods.

A `Press` of the console or the keyboard has up, down, ok, back or dispute as its button; one of a pod
has `take` or `call` and the seat. Contacts are debounced by the firmware's own `Debounce`, from the
edges that the pins report, so presses are found however seldom `presses` is called.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from appliance.language import Language
from appliance.podlink import PodEvent
from engine.actions import Action
from engine.games import GAMES
from engine.view import View
from firmware import wire
from firmware.debounce import STUCK_MS, Debounce

REPEATING = ("up", "down")
REPEAT_AFTER_MS = 500
REPEAT_EVERY_MS = 150
POD_NAMES = {wire.TAKE: "take", wire.CALL: "call"}
STALE_S = 60.0  # a pod's press that is older when it arrives was meant for something long past

Where: TypeAlias = Literal["console", "keyboard", "pod"]


@dataclass(frozen=True)
class Press:
    """A button was pressed. `seat`: whose pod it was."""

    button: str
    where: Where
    seat: int | None = None


class Input(Protocol):
    """Something with buttons."""

    def presses(self, now: float) -> tuple[Press, ...]:
        """The presses since the last call. `now`: seconds of a clock that never runs back."""

    def troubles(self, say: Language) -> tuple[str, ...]:
        """What is wrong with it, a line each."""

    def close(self) -> None:
        """Lets go of it."""


def pod_presses(events: Sequence[PodEvent], seats: int) -> tuple[Press, ...]:
    """What the pods' events mean: pod 0 lies before seat 1. Old presses and empty seats mean nothing."""
    return tuple(
        Press(POD_NAMES[event.button], "pod", event.pod + 1)
        for event in events
        if event.down and event.age <= STALE_S and event.pod < seats and event.button in POD_NAMES
    )


def seat_action(view: View, press: Press) -> Action | None:
    """What a pod's press does in the game as it stands; None if the seat has nothing to do with it.

    `take`: takes the cards, draws or passes, whichever the rules allow the seat now. `call`: calls, which
    the referee judges, in games that have calls.
    """
    if press.seat is None or not view.expects:
        return None
    if press.button == "call":
        return Action(press.seat, "call") if "call" in GAMES[view.game].lines else None
    for verb in ("take", "draw", "pass"):
        if verb in GAMES[view.game].lines and view.expectation(verb, press.seat) is not None:
            return Action(press.seat, verb)
    return None


class PodButtons:
    """Which buttons of the pods are down, and for how long: one that nobody lets go is stuck."""

    def __init__(self) -> None:
        self._boot: int | None = None
        self._down: dict[tuple[int, int], float] = {}
        self._now = 0.0

    def take(self, events: Sequence[PodEvent], boot: int | None, now: float) -> None:
        """The events since the last call. A board that has started anew (`boot`) says anew what is down."""
        self._now = now
        if boot != self._boot:
            self._boot = boot
            self._down.clear()
        for event in events:
            if event.down:
                self._down[event.pod, event.button] = now - event.age
            else:
                self._down.pop((event.pod, event.button), None)

    def troubles(self, say: Language) -> tuple[str, ...]:
        """The stuck ones, a line each."""
        return tuple(
            say("The button of pod {pod} ({name}) is stuck").format(pod=pod + 1, name=POD_NAMES[button])
            for (pod, button), since in sorted(self._down.items())
            if button in POD_NAMES and self._now - since >= STUCK_MS / 1000
        )


class _Button:
    """One button of the console: edges in, presses out; up and down repeat while they are held."""

    def __init__(self, name: str, pin: int, device: Any, clock: Callable[[], float]) -> None:
        self.name = name
        self.pin = pin
        self.device = device
        self.debounce = Debounce()
        self.stuck_at_start = bool(device.value)
        self._raw = self.stuck_at_start
        self._edges: deque[tuple[int, bool]] = deque(maxlen=1000)
        self._repeat_at = 0
        device.when_activated = lambda: self._edges.append((round(clock() * 1000), True))
        device.when_deactivated = lambda: self._edges.append((round(clock() * 1000), False))

    @property
    def stuck(self) -> bool:
        return self.stuck_at_start or self.debounce.stuck

    def presses(self, now: float) -> int:
        """How many presses there were until now."""
        ms = round(now * 1000)
        count = 0
        while self._edges:
            at, raw = self._edges.popleft()
            at = min(at, ms)
            count += self._sample(at, self._raw)  # how long it had been so, first
            self._raw = raw
            count += self._sample(at, raw)
        self._raw = bool(self.device.value)  # also when an edge was missed
        count += self._sample(ms, self._raw)
        if self.debounce.down and not self.stuck and self.name in REPEATING and ms >= self._repeat_at:
            self._repeat_at = ms + REPEAT_EVERY_MS
            count += 1
        return count

    def _sample(self, ms: int, raw: bool) -> int:
        if not self.debounce.sample(ms, raw):
            return 0
        if not self.debounce.down:
            self.stuck_at_start = False
            return 0
        self._repeat_at = ms + REPEAT_AFTER_MS
        return 0 if self.stuck_at_start else 1


def pin_troubles(failed: Sequence[tuple[str, int, Exception]], say: Language) -> tuple[str, ...]:
    """The pins that could not be opened (name, number, why): one line for each reason."""
    reasons: dict[str, list[str]] = {}
    for name, pin, error in failed:
        reasons.setdefault(_reason(error, say), []).append(f"{pin} ({name})")
    return tuple(
        say("GPIO {pins} cannot be used: {reason}").format(pins=", ".join(pins), reason=reason)
        for reason, pins in reasons.items()
    )


def _reason(error: Exception, say: Language) -> str:
    """Why a pin could not be opened, in people's words where the libraries' own say little."""
    from gpiozero.exc import GPIOPinInUse, PinInvalidPin

    if isinstance(error, GPIOPinInUse) or "busy" in str(error).lower():  # lgpio's, of another program's pin
        return say("in use by something else")
    if isinstance(error, PinInvalidPin):
        return say("no such pin here")
    return str(error)


class ConsoleButtons:
    """The console's buttons, to ground, on pins of the Pi. `pins`: name → GPIO number, 0 for none.

    What cannot be opened is a trouble of its own; the other buttons work all the same. `factory`: gpiozero's
    pin factory, its default without one.
    """

    def __init__(self, pins: Mapping[str, int], clock: Callable[[], float], factory: Any = None) -> None:
        from gpiozero import DigitalInputDevice

        self._buttons: list[_Button] = []
        self._failed: list[tuple[str, int, Exception]] = []
        for name, pin in pins.items():
            if not pin:
                continue
            try:
                device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
            except Exception as error:  # gpiozero's, lgpio's and the system's have no base in common
                self._failed.append((name, pin, error))
                continue
            self._buttons.append(_Button(name, pin, device, clock))

    def presses(self, now: float) -> tuple[Press, ...]:
        return tuple(
            Press(button.name, "console") for button in self._buttons for _ in range(button.presses(now))
        )

    def troubles(self, say: Language) -> tuple[str, ...]:
        stuck = [
            say("The button on GPIO {pin} ({name}) is stuck").format(pin=button.pin, name=button.name)
            for button in self._buttons
            if button.stuck
        ]
        return (*pin_troubles(self._failed, say), *stuck)

    def close(self) -> None:
        for button in self._buttons:
            button.device.close()
