"""What Durnius and Savi koziriai share before the first lead: trump suits for the match, then an exchange.

Each seat parts with the nines or sixes of the others (`owed`); the exchange closes at the first play or take,
and then each seat's whole exchange is judged as one (G-9). See `beating` for the play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.actions import Action
from engine.cards import Suit
from engine.conditions import Holds, MayStillHold
from engine.deal import Duty, Objection
from engine.games.beating import TURN, BeatingDeal
from engine.places import OpenTable, Table, cards_of
from engine.view import Expectation


@dataclass
class ExchangeDeal(BeatingDeal):
    """A deal of such a game. `open`: the exchange is not over."""

    trumps_rule: ClassVar[str]
    exchange_rule: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.open = True
        if self.setup.carried is not None:
            self.trumps = self.setup.carried

    @property
    def trumps_named(self) -> bool:
        """Whether every seat has its trump suit."""
        return all(suit is not None for suit in self.trumps)

    def naming(self) -> int:
        """The seat to name its trumps, in turn from Pirmasis; only while one has none."""
        seats = self.setup.seats
        order = ((self.setup.first + n - 1) % seats + 1 for n in range(seats))
        return next(seat for seat in order if self.trumps[seat - 1] is None)

    def carry(self) -> Any:
        """The trumps named so far: they stay fixed also if the deal was broken off (DU-2)."""
        return self.trumps

    def owed(self, seat: int) -> int:
        """The cards a seat has to part with, as a mask; those already seen elsewhere included."""
        raise NotImplementedError

    def trump_objections(self, seat: int, suit: Suit) -> Sequence[Objection]:
        """What speaks against naming a suit."""
        raise NotImplementedError

    def exchange_objections(self, action: Action) -> Sequence[Objection]:
        """What speaks against a `throw` or a `give`."""
        raise NotImplementedError

    def may_still_hold(self, action: Action) -> Objection:
        """That the seat may hold other cards it owes than those of this line."""
        left = self.owed(action.seat) & ~sum(1 << card for card in action.cards)
        return Objection(self.exchange_rule, MayStillHold(Holds(action.seat, left)))

    def objections(self, action: Action) -> Sequence[Objection]:
        seat, verb = action.seat, action.verb
        if verb == "call" or not self.open:
            return super().objections(action)
        if verb == "trump":
            return self.trump_objections(seat, action.suits[0])
        if not self.trumps_named:
            waiting = self.turn or self.setup.first
            return TURN if verb in ("play", "take") and seat != waiting else (Objection(self.trumps_rule),)
        if verb in ("throw", "give"):
            return self.exchange_objections(action)
        return super().objections(action)

    def duties(self, action: Action, table: Table) -> Sequence[Duty]:
        if not self.open or action.verb not in ("play", "take"):
            return ()
        return tuple(
            Duty(seat, (Objection(self.exchange_rule, Holds(seat, self.owed(seat))),))
            for seat in range(1, self.setup.seats + 1)
        )

    def legal(self, seat: int, table: OpenTable) -> list[Action]:
        if not self.open:
            return self.legal_plays(seat, table) if seat == self.turn else []
        # Where every card is known, people wait until nobody owes anything before they lead.
        if self.open and self.trumps_named and not table.hands.get(seat, 0) & self.owed(seat):
            seats = range(1, self.setup.seats + 1)
            if any(table.hands.get(other, 0) & self.owed(other) for other in seats):
                return []
        return super().legal(seat, table)

    def exchanges(self, verb: str, blind: bool = False) -> tuple[Expectation, ...]:
        """What each seat may part with, whether it holds it or not."""
        return tuple(
            Expectation(seat, verb, "table", cards=cards_of(self.owed(seat)), blind=blind)
            for seat in range(1, self.setup.seats + 1)
        )

    @property
    def stage(self) -> str:
        return "trumps" if not self.trumps_named else "exchange" if self.open else "play"
