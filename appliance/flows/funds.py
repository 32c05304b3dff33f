"""Games of funds: each seat builds a heap before it, in the first stage; then they are played as a pile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from appliance.flows.flow import Do, Meaning, TakenBack, laid_card, lying
from appliance.flows.pile import CENTER_AREA, OWN, STOCK_AREA, PileFlow
from engine.actions import CENTER, Action, Fact
from engine.cards import Card
from engine.view import View
from vision.geometry import Area, rectangle_area
from vision.types import TableEvent

_BUILDING = ("deal", "funds", "penalty")


class FundsFlow(PileFlow):
    """A card new on the table was drawn from the stock, and lies where it was put; one that slid from one
    fund to another was moved there."""

    areas: ClassVar[tuple[Area, ...]] = (rectangle_area(CENTER_AREA, 0, 0, 120, 130), STOCK_AREA)

    _taken_first: ClassVar[int] = 0

    def places(self, view: View) -> tuple[str, ...]:
        if view.stage not in _BUILDING:
            return super().places(view)
        return (CENTER_AREA, *(f"{OWN}{seat}" for seat in range(1, len(view.players) + 1)))

    def meaning(
        self, event: TableEvent, coming: Sequence[TableEvent], view: View, bound: float
    ) -> Sequence[Meaning]:
        if view.stage not in _BUILDING:
            return super().meaning(event, coming, view, bound)
        if event.event == "removed":
            if isinstance(event.card, Card) and event.card in self._refused:
                self._refused.discard(event.card)
                return (TakenBack(event.card),)
            return ()
        if event.event == "moved" and isinstance(event.card, Card):
            return self._moved(event.card, event, view)
        card = laid_card(event, view, bound)
        if not isinstance(card, Card):
            return (card,) if card is not None and event.area != STOCK_AREA.name else ()
        if card in lying(view, "drawn"):
            return self._put(card, event.area, view, None)
        if card in lying(view, "fund", "center"):
            return ()
        if view.stage == "deal":
            return self._turned_up(card, event, view)
        if view.turn is None:
            return ()
        drawn = Do(Action(view.turn, "draw", (card,)))
        return (drawn, *self._put(card, event.area, view, card))

    def _turned_up(self, card: Card, event: TableEvent, view: View) -> Sequence[Meaning]:
        if event.area == CENTER_AREA and view.expectation("center") is not None:
            return (Do(Fact("center", None, (card,))),)
        seat = _seat_of(event.area)
        if seat is None or view.expectation("fund", seat) is None:
            return ()
        return (Do(Fact("fund", seat, (card,))),)

    def _moved(self, card: Card, event: TableEvent, view: View) -> Sequence[Meaning]:
        if view.turn is None or view.stage == "deal":
            return ()
        penalty = view.expectation("penalty")
        if penalty is not None and card in penalty.cards:
            return (Do(Action(penalty.seat, "penalty", (card,))),)
        own = [zone.cards for zone in view.zones if zone.kind == "fund" and zone.seat == view.turn]
        top = own[0][-1].card if own and own[0] else None
        if card == top and _target(event.area) != view.turn:
            return self._put(card, event.area, view, None)
        return self._put(card, event.area, view, None) if card in lying(view, "drawn") else ()

    def _put(self, card: Card, area: str | None, view: View, drawn: Card | None) -> Sequence[Meaning]:
        target = _target(area)
        if target is None or view.turn is None:
            return ()
        return (Do(Action(view.turn, "put", target=target), if_drawn=drawn),)


def _seat_of(area: str | None) -> int | None:
    if area is not None and area.startswith(OWN) and area[len(OWN) :].isdigit():
        return int(area[len(OWN) :])
    return None


def _target(area: str | None) -> int | None:
    return CENTER if area == CENTER_AREA else _seat_of(area)
