"""Games of tricks: each seat lays one card before it, whoever takes the trick sweeps it away."""

from __future__ import annotations

from appliance.flows.flow import Do, Meaning, TakenBack, WhichCard
from engine.actions import Action, play
from engine.cards import Card
from engine.view import View
from vision.types import TableEvent

_BETWEEN_DEALS = ("no deal", "decided", "void", "broken off")


class TrickFlow:
    """A card placed is played by the seat whose hand brought it; a trick swept away means nothing."""

    def __init__(self) -> None:
        self._refused: set[Card] = set()

    def meaning(self, event: TableEvent, view: View, bound: float) -> Meaning | None:
        if event.event == "removed":
            if isinstance(event.card, Card) and event.card in self._refused:
                self._refused.discard(event.card)
                return TakenBack(event.card)
            return None
        if event.event not in ("placed", "revealed") or view.stage in _BETWEEN_DEALS:
            return None
        if event.reading is not None and event.reading.side == "down" and event.event == "placed":
            return None  # a card face down is not played before it is turned up
        seat = event.seat or view.turn
        if seat is None:
            return None
        lying = {laid.card for zone in view.zones if zone.kind == "trick" for laid in zone.cards}
        if event.card in lying:
            return None  # it was played already: the table has been looked at anew
        if not isinstance(event.card, Card) or event.confidence < bound:
            return WhichCard(seat, _likely(event))
        return Do(play(seat, event.card))

    def answered(self, question: WhichCard, card: Card) -> Action:
        return play(question.seat, card)

    def refused(self, action: Action) -> None:
        self._refused.update(action.cards)


def _likely(event: TableEvent) -> tuple[Card, ...]:
    scores = event.reading.scores if event.reading is not None else ()
    cards = [face for face, _ in scores if isinstance(face, Card)]
    if isinstance(event.card, Card):
        cards.insert(0, event.card)
    return tuple(dict.fromkeys(cards))
