"""People at the simulated table who lay a card before the one laid last has been seen: two drop at once."""

from __future__ import annotations

import random

from appliance.layout import Spot
from appliance.people import People
from appliance.simulated import Lay
from engine.actions import Action
from engine.cards import Card
from engine.view import View

Places = tuple[tuple[Card, Spot], ...]
_OVERLAP = 2  # frames of laying a card in which the next one is laid too


class HastyPeople(People):
    """People of whom one may lay a card for which nobody waits. `rng`: decides what happens to them."""

    rng = random.Random(0)
    _from: int | None = None  # lines of the record when such a card was laid
    _hasty: Action | None = None  # the last one laid so

    @property
    def holding(self) -> bool:
        """Whether a card was laid for which nobody has waited yet."""
        return self._from is not None

    def may_overlap(self, action: Action, before: View, after: View) -> bool:
        """Whether a card of the same trick or heap can follow, laid at once with this one."""
        return (
            action.verb == "play" and not self.holding and len(action.cards) == 1
            and after.tricks == before.tricks and after.stage == before.stage and before.stage != "exchange"
        )  # fmt: skip

    def lay_in_haste(self, action: Action, before: View) -> None:
        """Lays a card and does not wait until it is seen."""
        self._from, self._hasty = self._lines(), action
        trick = any(zone.kind == "trick" for zone in before.zones)
        spot = self._layout.trick(action.seat) if trick else self._layout.pile(action.seat)
        self._table.perform(Lay(action.seat, ((action.card, spot),)))

    def let_go(self) -> None:
        """Waits for what was laid in haste."""
        if self.holding:
            self.quiet()
            self._answer(None)
            self._from = None

    def act(self, action: Action, before: View, after: View) -> bool:
        if action.verb != "play":
            self.let_go()
        return super().act(action, before, after)

    def tidy(self, after: View, seat: int) -> None:
        if not self.holding:
            super().tidy(after, seat)

    def gather(self, seat: int) -> None:
        self.let_go()
        super().gather(seat)

    def _say_which(self, action: Action | None) -> bool:
        return super()._say_which(action) or super()._say_which(self._hasty)

    def _lay_until(self, lines: int, seat: int, places: Places, action: Action | None) -> bool:
        if self._from is not None:
            lines += self._from + 1 - self._lines()
        return super()._lay_until(lines, seat, places, action)

    def _put_down(self, seat: int, places: Places, action: Action | None, again: int) -> None:
        if self.holding:
            self._from = None
            self._table.meanwhile(Lay(seat, places), _OVERLAP)
        else:
            super()._put_down(seat, places, action, again)
