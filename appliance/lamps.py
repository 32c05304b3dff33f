"""What the lamps and the buzzer say of a match: whose turn it is, a wrong move, the winner, a dispute.

| | a pod's lamp | the console's lamp | tone |
| --- | --- | --- | --- |
| whose turn it is | steady white | `turn` of the seat | |
| who made a wrong move | red, blinking | `wrong` | low |
| who has won the deal or match | green, swelling | `winner` | high |
| a dispute | every lamp amber, blinking | `dispute` | middle |

The last line that holds for a lamp wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.inputs import pin_troubles
from appliance.language import Language
from appliance.podlink import Lamp
from appliance.screen.model import Shown, Tone
from firmware import wire

DARK = Lamp()
TURN = Lamp(90, 90, 70)
WRONG = Lamp(255, 0, 0, wire.BLINK)
WINNER = Lamp(0, 200, 40, wire.PULSE)
DISPUTE = Lamp(255, 120, 0, wire.BLINK)
TONE_S = 0.4


@dataclass(frozen=True)
class Signals:
    """What there is to say with lamps; seats from 1."""

    turn: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()
    dispute: bool = False


def signals(shown: Shown, dispute: bool = False) -> Signals:
    """What the lamps say of what the screen shows."""
    banner, view = shown.banner, shown.view
    turn = frozenset() if view.turn is None or view.winner is not None else frozenset((view.turn,))
    wrong: frozenset[int] = frozenset()
    winners = frozenset(view.winner or ())
    if banner is not None and banner.tone in (Tone.WRONG, Tone.PROVED):
        wrong = frozenset(banner.seats)
    elif banner is not None and banner.tone is Tone.GOOD and not winners:
        winners = frozenset(banner.seats)
    return Signals(turn, wrong, winners, dispute)


def pod_lamps(said: Signals, pods: int = wire.PODS) -> tuple[Lamp, ...]:
    """The lamp of each pod."""
    lamps = []
    for seat in range(1, pods + 1):
        lamp = DARK
        if said.dispute:
            lamp = DISPUTE
        elif seat in said.winners:
            lamp = WINNER
        elif seat in said.wrong:
            lamp = WRONG
        elif seat in said.turn:
            lamp = TURN
        lamps.append(lamp)
    return tuple(lamps)


class Buzzer:
    """Which tone sounds: a short one whenever something new is to be said."""

    def __init__(self) -> None:
        self._said = Signals()
        self._tone = wire.QUIET
        self._until = float("-inf")

    def tone(self, said: Signals, now: float) -> int:
        """The tone at `now` (seconds)."""
        before, self._said = self._said, said
        begun = wire.QUIET
        if said.dispute and not before.dispute:
            begun = wire.TONE_DISPUTE
        elif said.wrong - before.wrong:
            begun = wire.TONE_WRONG
        elif said.winners - before.winners:
            begun = wire.TONE_WINNER
        if begun:
            self._tone, self._until = begun, now + TONE_S
        return self._tone if now < self._until else wire.QUIET


class ConsoleLamps:
    """Lamps and a buzzer on pins of the Pi; a pin number of 0: there is none.

    `pins`: `wrong`, `winner`, `dispute` and `buzzer` → GPIO number; `turn`: a number for each seat.
    """

    def __init__(self, pins: Mapping[str, int], turn: Sequence[int], factory: Any = None) -> None:
        self._lamps: dict[str, Any] = {}
        self._failed: list[tuple[str, int, Exception]] = []
        self._buzzer: Any = None
        self._tone = wire.QUIET
        wanted = {**pins, **{f"turn {seat}": pin for seat, pin in enumerate(turn, 1)}}
        for name, pin in wanted.items():
            if pin:
                self._open(name, pin, factory)

    def _open(self, name: str, pin: int, factory: Any) -> None:
        from gpiozero import LED, PWMOutputDevice

        try:
            if name == "buzzer":
                self._buzzer = PWMOutputDevice(pin, pin_factory=factory)
            else:
                self._lamps[name] = LED(pin, pin_factory=factory)
        except Exception as error:  # gpiozero's, lgpio's and the system's have no base in common
            self._failed.append((name, pin, error))

    def show(self, said: Signals, tone: int) -> None:
        """Puts lamps and buzzer as they should be."""
        on = {"wrong": bool(said.wrong), "winner": bool(said.winners), "dispute": said.dispute}
        on |= {f"turn {seat}": True for seat in said.turn}
        for name, lamp in self._lamps.items():
            lamp.value = on.get(name, False)
        if self._buzzer is not None and tone != self._tone:
            self._tone = tone
            if tone:
                self._buzzer.frequency = wire.TONES_HZ[tone]
            self._buzzer.value = 0.5 if tone else 0

    def troubles(self, say: Language) -> tuple[str, ...]:
        """The pins that cannot be used."""
        return pin_troubles(self._failed, say)

    def close(self) -> None:
        """Dark and silent, and lets go of the pins."""
        for device in (*self._lamps.values(), self._buzzer):
            if device is not None:
                device.off()
                device.close()


class RingLight:
    """The light over the table: the level that was set, and more of it when the camera finds it too dark."""

    STEP = 0.15
    EVERY_S = 1.0  # the camera needs a moment to see what a step has done

    def __init__(self, level: float) -> None:
        self.level = level
        self._dark = False
        self._next = float("-inf")

    def camera(self, event: str) -> None:
        """An event of the table watcher: `too_dark` and `light_back` count."""
        if event in ("too_dark", "light_back"):
            self._dark = event == "too_dark"

    def byte(self, now: float) -> int:
        """The level at `now` as the wire has it. What was raised stays raised: else it would swing."""
        if self._dark and now >= self._next and self.level < 1:
            self._next = now + self.EVERY_S
            self.level = min(1.0, self.level + self.STEP)
        return round(255 * self.level)
