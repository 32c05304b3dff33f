"""Games of one heap in the middle: each card goes on top of it, and who takes it sweeps it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from appliance.flows.flow import BETWEEN_DEALS, Do, Meaning, TakenBack, laid_card, lying
from engine.actions import Action, Fact, play
from engine.cards import Card
from engine.view import Expectation, View
from vision.geometry import Area, rectangle_area
from vision.types import TableEvent

CENTER_AREA = "center"
OWN = "seat"
"""The place of a seat is called this and its number."""
STOCK_AREA = rectangle_area("stock", 125, 0, 80, 80)


class PileFlow:
    """A card placed is played on the heap, unless the table waits for something else to be laid: a card
    turned up by the deal, half the pack spread out, a nine or six given away, a closed card.

    A card gone from the heap is a take, where one may be taken; the rest of what was taken follows.
    """

    areas: ClassVar[tuple[Area, ...]] = (rectangle_area(CENTER_AREA, 0, 0, 170, 200), STOCK_AREA)

    pairs: bool = False

    _taken_first: ClassVar[int] = -1
    """Which card of the heap is gone with every take: the topmost."""

    def __init__(self) -> None:
        self._refused: set[Card] = set()
        self._spread: list[Card] = []

    def places(self, view: View) -> tuple[str, ...]:
        closed = [each.seat for each in view.expects if each.verb == "closed"]
        return (CENTER_AREA, *(f"{OWN}{seat}" for seat in closed))

    def meaning(
        self, event: TableEvent, coming: Sequence[TableEvent], view: View, bound: float
    ) -> Sequence[Meaning]:
        if event.event == "removed":
            return self._gone(event, view)
        if view.stage in BETWEEN_DEALS:
            return ()
        card = laid_card(event, view, bound)
        if not isinstance(card, Card):
            # Off the heap an unreadable card is a closed card or the stock, its back not known for one.
            return (card,) if card is not None and (card.likely or event.area == CENTER_AREA) else ()
        if card in lying(view, "pile", "center"):
            return ()  # it was laid already: the table has been looked at anew
        return self._laid(card, event, view)

    def _gone(self, event: TableEvent, view: View) -> Sequence[Meaning]:
        if not isinstance(event.card, Card):
            return ()
        if event.card in self._refused:
            self._refused.discard(event.card)
            return (TakenBack(event.card),)
        take = view.expectation("take")
        pile = [laid.card for zone in view.zones if zone.kind == "pile" for laid in zone.cards]
        if take is None or not pile or event.card != pile[self._taken_first]:
            return ()
        return (Do(Action(take.seat, "take")),)

    def _laid(self, card: Card, event: TableEvent, view: View) -> Sequence[Meaning]:
        awaited = view.expects[0] if view.expects and view.expects[0].must else None
        if awaited is not None and awaited.verb == "spread":
            return self._spread_out(card, awaited)
        if awaited is not None and awaited.verb == "start":
            return (Do(Fact("start", None, (card,))),)
        exchange = _taking(view, ("throw", "give"), card, event.seat)
        if exchange is not None:
            return (Do(Action(exchange.seat, exchange.verb, (card,), blind=exchange.blind)),)
        seat = event.seat or view.turn
        if seat is None:
            return ()
        if event.area != CENTER_AREA and view.expectation("closed", seat) is not None:
            return (Do(Action(seat, "closed", (card,))),)
        return (Do(play(seat, card)),)

    def _spread_out(self, card: Card, awaited: Expectation) -> Sequence[Meaning]:
        if card not in self._spread:
            self._spread.append(card)
        if len(self._spread) < awaited.several:
            return ()
        cards, self._spread = tuple(sorted(self._spread)), []
        return (Do(Fact("spread", None, cards)),)

    def refused(self, action: Action) -> None:
        self._refused.update(action.cards)


def _taking(view: View, verbs: Sequence[str], card: Card, seat: int | None) -> Expectation | None:
    """The expectation of one of these verbs that this card can be of, this seat's if there is one."""
    found = [each for each in view.expects if each.verb in verbs and card in each.cards]
    return next((each for each in found if each.seat == seat), found[0] if found else None)
