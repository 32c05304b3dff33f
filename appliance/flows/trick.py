"""Games of tricks: each seat lays a card or a pair before it, whoever takes the trick sweeps it away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from appliance.flows.flow import BETWEEN_DEALS, Called, Do, Meaning, TakenBack, laid_card, lying
from engine.actions import Action, parse_action, play
from engine.cards import Card, NotationError
from engine.view import View
from vision.geometry import Area
from vision.types import TableEvent

_LIKELY = 0.6  # from this confidence on a card that landed beside another is the rest of a pair


class TrickFlow:
    """A card placed is played by the seat whose hand brought it; a trick swept away means nothing.

    Two cards that land together and are a pair are played as one, where cards may be laid in pairs
    (`pairs`). What is laid open after the tricks (`laid`) is gathered until it is complete.
    """

    areas: ClassVar[tuple[Area, ...]] = ()

    def __init__(self, pairs: bool = False) -> None:
        self.pairs = pairs
        self._refused: set[Card] = set()
        self._shown: dict[int, list[Card]] = {}

    def places(self, view: View) -> tuple[str, ...]:
        return ()

    def meaning(
        self, event: TableEvent, coming: Sequence[TableEvent], view: View, bound: float
    ) -> Sequence[Meaning]:
        if event.event == "removed":
            if isinstance(event.card, Card) and event.card in self._refused:
                self._refused.discard(event.card)
                return (TakenBack(event.card),)
            return ()
        if view.stage in BETWEEN_DEALS and view.stage != "decided":
            self._shown.clear()
        card = laid_card(event, view, bound)
        if card is None or view.stage in BETWEEN_DEALS:
            return ()
        showing = view.expectation("laid", event.seat) if event.seat is not None else None
        if not isinstance(card, Card):
            return (card,)
        if showing is not None:
            if event.event == "moved" or card in lying(view, "last trick"):
                return ()
            shown = self._shown.setdefault(showing.seat, [])
            if card.joker or card not in shown:
                shown.append(card)
            if len(shown) < showing.several:
                return ()
            return (Do(Action(showing.seat, "laid", tuple(sorted(self._shown.pop(showing.seat))))),)
        seat = event.seat or view.turn
        if seat is None or _lies(card, seat, view):
            return ()  # it was played already: the table has been looked at anew
        action = play(seat, card)
        if self.pairs:
            for other in coming:
                pair = _pair(seat, card, other)
                if pair is not None:
                    action = pair
        trumps = [named.suits for named in view.named if named.name == "trump" and named.seat == seat]
        if self.pairs and not card.joker and trumps and card.suit in trumps[0]:
            called = Action(seat, "play", action.cards, called=True)
            return (Called(called, action),)
        return (Do(action),)

    def refused(self, action: Action) -> None:
        self._refused.update(action.cards)


def _lies(card: Card, seat: int, view: View) -> bool:
    """Whether the referee has this card lying there; of jokers that are alike, whether this seat laid one."""
    if card.joker:
        laid = {(each.card, each.seat) for zone in view.zones if zone.kind == "trick" for each in zone.cards}
        return (card, seat) in laid
    return card in lying(view, "trick", "last trick")


def _pair(seat: int, card: Card, other: TableEvent) -> Action | None:
    """The pair that this card makes with another that landed with it, if it makes one."""
    if other.event != "placed" or other.seat != seat or other.confidence < _LIKELY:
        return None
    try:
        return parse_action(seat, ("play", f"{card}+{other.card}"))
    except NotationError:
        return None
