"""Where simulated people put cards on their table, in millimetres; people are not exact (`crooked`)."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

# How far from the middle of the table a seat's own things lie: the picture is wider than it is high.
_ACROSS, _ALONG = 250.0, 160.0
# Where a seat lays its card of a trick: near enough for the cards of neighbours to overlap now and then.
_TRICK = 84.0
_GRID_X, _GRID_Y = 74.0, 100.0


@dataclass(frozen=True)
class Spot:
    """A place for a card: its middle in mm, its angle in degrees clockwise; face up or not."""

    x: float
    y: float
    angle: float = 0.0
    up: bool = True


class Layout:
    """The places of a table of `seats`. Seat 1 sits at the bottom of the picture."""

    def __init__(self, seats: int, rng: random.Random) -> None:
        self._seats = seats
        self._random = rng

    def angle(self, seat: int) -> float:
        """Which way a seat looks, degrees clockwise."""
        return 360.0 * (seat - 1) / self._seats

    def towards(self, seat: int, far: float) -> tuple[float, float]:
        """The point this far from the middle towards a seat."""
        angle = math.radians(self.angle(seat))
        return -math.sin(angle) * far, math.cos(angle) * far

    def trick(self, seat: int, at: int = 0) -> Spot:
        """Before a seat, where the cards of a trick lie; `at` 1: the second card of a pair."""
        spot = self._before(seat, *self.towards(seat, _TRICK), aside=42.0 * at)
        return self.crooked(spot, 9.0 if not at else 3.0, 7.0)

    def pile(self, seat: int) -> Spot:
        """On the heap in the middle."""
        return self.crooked(Spot(0.0, 0.0, self.angle(seat)), 13.0, 16.0)

    def fund(self, seat: int) -> Spot:
        """On the heap before a seat."""
        return self.crooked(self._own(seat), 2.5, 2.5)

    def center(self) -> Spot:
        """On the heap that belongs to nobody."""
        return self.crooked(Spot(0.0, 0.0), 2.5, 2.5)

    def stock(self) -> Spot:
        """The closed stock."""
        return self.crooked(Spot(125.0, 0.0, 90.0, up=False), 1.0, 1.0)

    def beside(self, seat: int, up: bool = True) -> Spot:
        """Beside what a seat has before it: nines given up, a closed card, cards laid away."""
        own = self._own(seat)
        return self.crooked(self._before(seat, own.x, own.y, aside=80.0, up=up), 4.0, 4.0)

    def grid(self, at: int, columns: int, rows: int) -> Spot:
        """One of many places side by side in the middle."""
        x = (at % columns - (columns - 1) / 2) * _GRID_X
        y = (at // columns - (rows - 1) / 2) * _GRID_Y
        return self.crooked(Spot(x, y), 1.5, 2.0)

    def _own(self, seat: int) -> Spot:
        angle = math.radians(self.angle(seat))
        return Spot(-math.sin(angle) * _ACROSS, math.cos(angle) * _ALONG, self.angle(seat))

    def _before(self, seat: int, x: float, y: float, *, aside: float, up: bool = True) -> Spot:
        angle = math.radians(self.angle(seat))
        return Spot(x + math.cos(angle) * aside, y + math.sin(angle) * aside, self.angle(seat), up)

    def crooked(self, spot: Spot, scatter: float, degrees: float) -> Spot:
        """About there, and turned either way."""
        jitter = self._random.gauss
        half_turn = 180 if self._random.random() < 0.5 else 0
        return replace(
            spot,
            x=spot.x + jitter(0, scatter),
            y=spot.y + jitter(0, scatter),
            angle=spot.angle + jitter(0, degrees) + half_turn,
        )
