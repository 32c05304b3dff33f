"""How a game is played on the table: what a card event means as lines of the record.

A flow knows where cards lie in its game and nothing of the rules: what it makes of an event is judged by
the referee. One class for each way of laying cards; `FLOWS` says which games use which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

from engine.actions import Action, Fact
from engine.cards import Card
from engine.view import View
from vision.geometry import Area
from vision.types import TableEvent

BETWEEN_DEALS = ("no deal", "anew", "decided", "void", "broken off")
"""Stages in which cards on the table mean nothing."""


@dataclass(frozen=True)
class Do:
    """The event is this action or fact. `if_drawn`: only if, by then, the card is one that was drawn."""

    content: Action | Fact
    if_drawn: Card | None = None


@dataclass(frozen=True, eq=False)
class WhichCard:
    """A card was laid that was not read surely enough. `likely`: the likeliest first."""

    seat: int
    likely: tuple[Card, ...]
    event: TableEvent


@dataclass(frozen=True)
class Called:
    """A trump of the seat's own was laid: was "Koziris!" called? The one action or the other."""

    called: Action
    uncalled: Action


@dataclass(frozen=True)
class TakenBack:
    """A card that had been refused was taken off the table."""

    card: Card


Meaning: TypeAlias = Do | WhichCard | Called | TakenBack


class Flow(Protocol):
    """What the session asks of a flow. `areas`: the places on the table besides the seats' own; `pairs`:
    whether two cards can be laid as one."""

    areas: ClassVar[tuple[Area, ...]]
    pairs: bool

    def places(self, view: View) -> tuple[str, ...]:
        """The areas where a card can be laid as things stand, the usual one first; none: the seat's own."""

    def meaning(
        self, event: TableEvent, coming: Sequence[TableEvent], view: View, bound: float
    ) -> Sequence[Meaning]:
        """What a card event means as things stand. `coming`: the later events of the same look at the
        table; `bound`: the least confidence."""

    def refused(self, action: Action) -> None:
        """The referee has refused the action: its card should go back."""


def laid_card(event: TableEvent, view: View, bound: float) -> Card | WhichCard | None:
    """The card that an event laid face up; a question if it is not sure; None if the event laid none.

    A card that only slid may have been in a hand meanwhile, under others that were taken up: whoever asks
    knows whether the referee has it lying already.
    """
    if event.event not in ("placed", "revealed", "moved"):
        return None
    if event.reading is not None and event.reading.side == "down" and event.event == "placed":
        return None  # a card face down is not laid before it is turned up
    if isinstance(event.card, Card) and event.confidence >= bound:
        return event.card
    seat = event.seat or view.turn or (view.expects[0].seat if view.expects else None)
    return None if seat is None else WhichCard(seat, likely(event), event)


def likely(event: TableEvent) -> tuple[Card, ...]:
    """The cards that an event may be of, the likeliest first."""
    scores = event.reading.scores if event.reading is not None else ()
    cards = [face for face, _ in scores if isinstance(face, Card)]
    if isinstance(event.card, Card):
        cards.insert(0, event.card)
    return tuple(dict.fromkeys(cards))


def lying(view: View, *kinds: str) -> set[Card]:
    """The cards that the referee knows to lie in zones of these kinds."""
    return {laid.card for zone in view.zones if zone.kind in kinds for laid in zone.cards}
