"""How a game is played on the table: what a card event means as a line of the record.

A flow knows where cards lie in its game and nothing of the rules: what it makes of an event is judged by
the referee. One class for each way of laying cards; `FLOWS` says which games use which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from engine.actions import Action
from engine.cards import Card
from engine.view import View
from vision.types import TableEvent


@dataclass(frozen=True)
class Do:
    """The event is this action."""

    action: Action


@dataclass(frozen=True)
class WhichCard:
    """A card was laid that was not read surely enough. `likely`: the likeliest first."""

    seat: int
    likely: tuple[Card, ...]


@dataclass(frozen=True)
class TakenBack:
    """A card that had been refused was taken off the table."""

    card: Card


Meaning: TypeAlias = Do | WhichCard | TakenBack


class Flow(Protocol):
    """What the session asks of a flow."""

    def meaning(self, event: TableEvent, view: View, bound: float) -> Meaning | None:
        """What a card event means as things stand; None if nothing. `bound`: the least confidence."""

    def answered(self, question: WhichCard, card: Card) -> Action:
        """The action, now that the people have said which card it was."""

    def refused(self, action: Action) -> None:
        """The referee has refused the action: its card should go back."""
