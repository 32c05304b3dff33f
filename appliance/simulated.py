"""The simulated table: hands that lay cards and sweep them away, filmed by a virtual overhead camera.

It is a source of frames like any camera. What happens on it is performed by `perform`, frame by frame
over simulated time; between happenings it is filmed at rest.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from appliance.layout import Layout, Spot
from engine.cards import Card
from vision.scene import Arm, LaidCard, Scene
from vision.types import Frame


@dataclass(frozen=True)
class Lay:
    """A seat lays cards, all at once."""

    seat: int
    cards: tuple[tuple[Card, Spot], ...]


@dataclass(frozen=True)
class Pick:
    """A seat takes cards off the table, all at once; face down if `up` is false."""

    seat: int
    cards: tuple[Card, ...]
    up: bool = True


@dataclass(frozen=True)
class Shift:
    """A seat lifts a card and puts it elsewhere; `under`: below all that lies there."""

    seat: int
    card: Card
    spot: Spot
    under: bool = False


@dataclass(frozen=True)
class Turn:
    """A seat turns up a card that lies face down, where it lies."""

    seat: int
    card: Card


@dataclass(frozen=True)
class Wait:
    """Nothing happens for some seconds."""

    seconds: float


Happening: TypeAlias = Lay | Pick | Shift | Turn | Wait


@dataclass(frozen=True)
class _Moment:
    """What one frame films."""

    cards: tuple[LaidCard, ...]
    arms: tuple[Arm, ...] = ()


class SimulatedTable:
    """A table laid out as `layout` says, filmed at `rate` frames a second.

    `pace`: called with the seconds between two frames; waits that long where somebody watches.
    """

    def __init__(
        self,
        scene: Scene,
        layout: Layout,
        *,
        rate: float = 10.0,
        pace: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._scene = scene
        self._layout = layout
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
        moments = {Lay: self._lay, Pick: self._pick, Shift: self._shift, Turn: self._turn}[type(happening)]
        self._coming.extend(moments(happening))  # type: ignore[operator]

    def meanwhile(self, lay: Lay, frames: int) -> None:
        """Lays cards while the last `frames` of what is coming still happen."""
        rest, known = self.lying(), len(self._coming)
        self.perform(lay)
        new = [self._coming.pop() for _ in range(len(self._coming) - known)][::-1]
        start = max(0, known - frames)
        for at, moment in enumerate(new, start):
            if at < known:
                old = self._coming[at]
                laid = tuple(card for card in moment.cards if not any(card is each for each in rest))
                self._coming[at] = replace(old, cards=(*old.cards, *laid), arms=(*old.arms, *moment.arms))
            else:
                self._coming.append(moment)

    def lies(self, card: Card, spot: Spot) -> None:
        """A card lies there from the start (of a match that is resumed)."""
        self._cards = (*self._cards, _at(card, spot))

    def lying(self) -> tuple[LaidCard, ...]:
        """The cards on the table when all that is coming has happened, the undermost first."""
        return self._coming[-1].cards if self._coming else self._cards

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
        cards = self.lying()
        laid = tuple(_at(card, spot) for card, spot in happening.cards)
        return self._bring(happening.seat, cards, laid)

    def _bring(
        self, seat: int, cards: tuple[LaidCard, ...], laid: tuple[LaidCard, ...], far: float = 170
    ) -> list[_Moment]:
        tip = (laid[-1].x, laid[-1].y)
        moments = []
        for dx, dy in self._path(seat, (far, 80)):
            held = tuple(replace(card, x=card.x + dx, y=card.y + dy) for card in laid)
            moments.append(_Moment(cards, (self._arm(seat, (held[-1].x, held[-1].y), held),)))
        moments.append(_Moment((*cards, *laid), (self._arm(seat, tip),)))
        return moments + self._leaving(seat, tip, (*cards, *laid))

    def _pick(self, happening: Pick) -> list[_Moment]:
        cards = self.lying()
        taken = _found(cards, happening.cards, happening.up)
        if not taken:
            return []
        rest = tuple(card for card in cards if not any(card is each for each in taken))
        tip = (sum(card.x for card in taken) / len(taken), sum(card.y for card in taken) / len(taken))
        moments = self._coming_in(happening.seat, tip, cards)
        moments.append(_Moment(cards, (self._arm(happening.seat, tip),)))
        for dx, dy in self._path(happening.seat, (70, 185)):
            at = (tip[0] + dx, tip[1] + dy)
            held = tuple(
                replace(card, x=at[0] + 0.15 * (card.x - tip[0]), y=at[1] + 0.15 * (card.y - tip[1]))
                for card in taken
            )
            moments.append(_Moment(rest, (self._arm(happening.seat, at, held),)))
        return [*moments, _Moment(rest)]

    def _shift(self, happening: Shift) -> list[_Moment]:
        cards = self.lying()
        moved = _found(cards, (happening.card,), True)
        if not moved:
            return []
        rest = tuple(card for card in cards if card is not moved[0])
        tip = (moved[0].x, moved[0].y)
        moments = self._coming_in(happening.seat, tip, cards)
        moments.append(_Moment(cards, (self._arm(happening.seat, tip),)))
        moments += self._bring(happening.seat, rest, (_at(happening.card, happening.spot),), 60)
        if happening.under:
            end = moments[-1].cards
            moments.append(_Moment((end[-1], *end[:-1])))
        return moments

    def _turn(self, happening: Turn) -> list[_Moment]:
        cards = self.lying()
        turned = _found(cards, (happening.card,), False)
        if not turned:
            return []
        open_cards = tuple(replace(card, up=True) if card is turned[0] else card for card in cards)
        tip = (turned[0].x, turned[0].y)
        moments = self._coming_in(happening.seat, tip, cards)
        moments += [_Moment(which, (self._arm(happening.seat, tip),)) for which in (cards, open_cards)]
        return moments + self._leaving(happening.seat, tip, open_cards)

    def _coming_in(self, seat: int, tip: tuple[float, float], cards: tuple[LaidCard, ...]) -> list[_Moment]:
        spots = [(tip[0] + dx, tip[1] + dy) for dx, dy in self._path(seat, (150,))]
        return [_Moment(cards, (self._arm(seat, spot),)) for spot in spots]

    def _leaving(self, seat: int, tip: tuple[float, float], cards: tuple[LaidCard, ...]) -> list[_Moment]:
        spots = [(tip[0] + dx, tip[1] + dy) for dx, dy in self._path(seat, (150,))]
        return [*(_Moment(cards, (self._arm(seat, spot),)) for spot in spots), _Moment(cards)]

    def _arm(self, seat: int, tip: tuple[float, float], held: tuple[LaidCard, ...] = ()) -> Arm:
        return Arm(tip[0], tip[1], self._layout.angle(seat), person=seat, held=held)

    def _path(self, seat: int, distances: tuple[float, ...]) -> list[tuple[float, float]]:
        return [self._layout.towards(seat, distance) for distance in distances]


def _at(card: Card, spot: Spot) -> LaidCard:
    return LaidCard(card, spot.x, spot.y, spot.angle, spot.up)


def _found(cards: tuple[LaidCard, ...], wanted: tuple[Card, ...], up: bool) -> list[LaidCard]:
    """These cards on the table, the topmost of those alike, in the order in which they lie."""
    left, found = list(wanted), []
    for card in reversed(cards):
        if card.face in left and card.up == up:
            left.remove(card.face)
            found.append(card)
    return found[::-1]


def real_time(clock: Callable[[], float] = time.monotonic) -> Callable[[float], None]:
    """A pace that keeps to the clock, without making up for what was late."""
    due = clock()

    def pace(seconds: float) -> None:
        nonlocal due
        due = max(due + seconds, clock() - seconds)
        time.sleep(max(0.0, due - clock()))

    return pace
