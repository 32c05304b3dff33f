"""The simulated table: hands that lay cards and sweep them away, filmed by a virtual overhead camera.

It is a source of frames like any camera. What happens on it is performed by `perform`, frame by frame
over simulated time; between happenings it is filmed at rest.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import Card
from vision.scene import Arm, LaidCard, Scene
from vision.types import Frame

# From the middle of the table to where a seat lays its card of a trick: near enough for the cards of
# neighbours to overlap now and then, in about every fifth trick.
_TRICK_MM = 84.0
_SCATTER_MM = 9.0
_CROOKED = 7.0  # degrees


@dataclass(frozen=True)
class Lay:
    """A seat lays a card before itself, face up, crooked as people do."""

    seat: int
    card: Card


@dataclass(frozen=True)
class TakeBack:
    """A seat takes back a card that it has laid."""

    seat: int
    card: Card


@dataclass(frozen=True)
class Sweep:
    """A seat sweeps all cards off the table."""

    seat: int


@dataclass(frozen=True)
class Wait:
    """Nothing happens for some seconds."""

    seconds: float


Happening: TypeAlias = Lay | TakeBack | Sweep | Wait


@dataclass(frozen=True)
class _Moment:
    """What one frame films."""

    cards: tuple[LaidCard, ...]
    arms: tuple[Arm, ...] = ()


class SimulatedTable:
    """A table of `seats`, filmed at `rate` frames a second.

    `pace`: called with the seconds between two frames; waits that long where somebody watches.
    """

    def __init__(
        self,
        scene: Scene,
        seats: int,
        rng: random.Random,
        *,
        rate: float = 10.0,
        pace: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._scene = scene
        self._seats = seats
        self._random = rng
        self._period = 1 / rate
        self._pace = pace
        self._cards: tuple[LaidCard, ...] = ()
        self._coming: deque[_Moment] = deque()
        self._number = 0

    @property
    def stills(self) -> bool:
        """Its frames are a film, not settled moments."""
        return False

    @property
    def busy(self) -> bool:
        """Whether something is still being performed."""
        return bool(self._coming)

    def perform(self, happening: Happening) -> None:
        """Lets something happen, after what is happening already."""
        if isinstance(happening, Wait):
            rest = self._coming[-1].cards if self._coming else self._cards
            frames = max(1, round(happening.seconds / self._period))
            self._coming.extend(_Moment(rest) for _ in range(frames))
            return
        moments = {Lay: self._lay, TakeBack: self._take_back, Sweep: self._sweep}[type(happening)]
        self._coming.extend(moments(happening))  # type: ignore[operator]

    def lies(self, seat: int, card: Card) -> None:
        """A card lies before a seat from the start (of a match that is resumed)."""
        self._cards = self._lay(Lay(seat, card))[-1].cards

    def read(self) -> Frame:
        """The next frame; the table at rest when nothing happens."""
        self._pace(self._period)
        moment = self._coming.popleft() if self._coming else _Moment(self._cards)
        self._cards = moment.cards
        image = self._scene.render(moment.cards, moment.arms, number=self._number)
        frame = Frame(self._number * self._period, image, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Nothing is held."""

    def __iter__(self) -> Iterator[Frame]:
        while True:
            yield self.read()

    # Choreography

    def _lay(self, happening: Lay) -> list[_Moment]:
        cards = self._after()
        jitter = self._random.gauss
        x, y = self._towards(happening.seat, _TRICK_MM)
        upside_down = 180 if self._random.random() < 0.5 else 0
        laid = LaidCard(
            happening.card,
            x + jitter(0, _SCATTER_MM),
            y + jitter(0, _SCATTER_MM),
            self._angle(happening.seat) + jitter(0, _CROOKED) + upside_down,
        )
        tip = (laid.x, laid.y)
        lifted = [
            replace(laid, x=laid.x + dx, y=laid.y + dy) for dx, dy in self._path(happening.seat, (170, 80))
        ]
        moments = [_Moment(cards, (self._arm(happening.seat, (card.x, card.y), (card,)),)) for card in lifted]
        moments.append(_Moment((*cards, laid), (self._arm(happening.seat, tip),)))
        return moments + self._leaving(happening.seat, tip, (*cards, laid))

    def _take_back(self, happening: TakeBack) -> list[_Moment]:
        cards = self._after()
        taken = next((card for card in reversed(cards) if card.face == happening.card), None)
        if taken is None:
            return []
        rest = tuple(card for card in cards if card is not taken)
        tip = (taken.x, taken.y)
        moments = self._coming_in(happening.seat, tip, cards)
        moments.append(_Moment(cards, (self._arm(happening.seat, tip),)))
        for dx, dy in self._path(happening.seat, (80, 190)):
            held = replace(taken, x=taken.x + dx, y=taken.y + dy)
            moments.append(_Moment(rest, (self._arm(happening.seat, (held.x, held.y), (held,)),)))
        return [*moments, _Moment(rest)]

    def _sweep(self, happening: Sweep) -> list[_Moment]:
        cards = self._after()
        if not cards:
            return []
        tip = self._towards(happening.seat, 20)
        moments = self._coming_in(happening.seat, tip, cards)
        moments.append(_Moment(cards, (self._arm(happening.seat, tip),)))
        for dx, dy in self._path(happening.seat, (60, 180)):
            at = (tip[0] + dx, tip[1] + dy)
            held = tuple(
                replace(card, x=at[0] + 0.15 * card.x, y=at[1] + 0.15 * card.y, up=card.up) for card in cards
            )
            moments.append(_Moment((), (self._arm(happening.seat, at, held),)))
        return [*moments, _Moment(())]

    def _after(self) -> tuple[LaidCard, ...]:
        """The cards on the table when all that is coming has happened."""
        return self._coming[-1].cards if self._coming else self._cards

    def _coming_in(self, seat: int, tip: tuple[float, float], cards: tuple[LaidCard, ...]) -> list[_Moment]:
        spots = [(tip[0] + dx, tip[1] + dy) for dx, dy in self._path(seat, (150,))]
        return [_Moment(cards, (self._arm(seat, spot),)) for spot in spots]

    def _leaving(self, seat: int, tip: tuple[float, float], cards: tuple[LaidCard, ...]) -> list[_Moment]:
        spots = [(tip[0] + dx, tip[1] + dy) for dx, dy in self._path(seat, (150,))]
        return [*(_Moment(cards, (self._arm(seat, spot),)) for spot in spots), _Moment(cards)]

    def _arm(self, seat: int, tip: tuple[float, float], held: tuple[LaidCard, ...] = ()) -> Arm:
        return Arm(tip[0], tip[1], self._angle(seat), person=seat, held=held)

    def _angle(self, seat: int) -> float:
        """Which way a seat looks, degrees clockwise; seat 1 sits at the bottom of the picture."""
        return 360.0 * (seat - 1) / self._seats

    def _towards(self, seat: int, far: float) -> tuple[float, float]:
        """The point this far from the middle of the table towards a seat, mm."""
        angle = math.radians(self._angle(seat))
        return -math.sin(angle) * far, math.cos(angle) * far

    def _path(self, seat: int, distances: tuple[float, ...]) -> list[tuple[float, float]]:
        return [self._towards(seat, distance) for distance in distances]


def real_time(clock: Callable[[], float] = time.monotonic) -> Callable[[float], None]:
    """A pace that keeps to the clock, without making up for what was late."""
    due = clock()

    def pace(seconds: float) -> None:
        nonlocal due
        due = max(due + seconds, clock() - seconds)
        time.sleep(max(0.0, due - clock()))

    return pace
