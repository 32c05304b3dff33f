"""Vežimas su uždaru (VU): 2–4 players, 24 cards; trumps lie closed until turned up. See `beating`.

Of its own: VU-1 (the closed card), VU-2 to VU-5 (without trumps one takes only the top card), VU-4 (turning
it up). Rulings of our own: in VU-4 and VU-8. Option: `violation` (G-4). Hidden: the hands and the closed
cards; a card that could be either counts as from the hand (VU-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.cards import PACK_24
from engine.conditions import Holds
from engine.deal import Objection, Sight
from engine.game import EVERY_GAME, RULES_OF_EVERY_GAME, VIOLATION, Game, loser_deals
from engine.games.beating import BEAT, TURN, BeatingDeal
from engine.places import OpenTable, Table, cards_of, closed
from engine.view import Expectation
from engine.worlds import Worlds


@dataclass
class VezimasDeal(BeatingDeal):
    """One deal. `held` counts a closed card; `trumps` are those turned up."""

    parankinis = False

    def places(self) -> dict[int, int]:
        seats = range(1, self.setup.seats + 1)
        each = len(self.setup.pack) // self.setup.seats
        return {seat: each - 1 for seat in seats} | {closed(seat): 1 for seat in seats}

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        seat = action.seat
        if action.verb == "play" and self.trumps[seat - 1] is None:
            in_hand = Sight(seat, action.cards)
            return (in_hand if worlds.can_see((in_hand,)) else Sight(closed(seat), action.cards),)
        return super().sees(action, worlds)

    def objections(self, action: Action) -> Sequence[Objection]:
        seat = action.seat
        if action.verb == "closed":
            return () if seat == self.turn else TURN
        objections = super().objections(action)
        if action.verb == "play" and seat == self.turn and self.trumps[seat - 1] is None:
            lies_closed = Objection("VU-4", Holds(closed(seat), 1 << action.cards[0]))
            return (*objections, lies_closed)
        return objections

    def apply(self, action: Action, table: Table) -> None:
        if action.verb != "closed":
            super().apply(action, table)
            return
        at, card = action.seat - 1, action.cards[0]
        table.leave(closed(action.seat), card)
        table.take_up(action.seat, (card,))
        self.trumps = (*self.trumps[:at], card.suit, *self.trumps[at + 1 :])

    def taken(self, seat: int) -> int:
        return 1 if self.trumps[seat - 1] is None else len(self.pile)  # VU-3, VU-5

    def after_take(self, seat: int) -> None:
        super().after_take(seat)
        if self.pile:
            self.phase = BEAT  # VU-3: the card under it

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        yield from super().candidates(seat, table)
        lies = cards_of(table.hands.get(closed(seat), 0))
        if lies:
            yield Action(seat, "closed", lies)

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        expected = super().expects(table)
        if self.turn is not None and self.trumps[self.turn - 1] is None:
            return (*expected, Expectation(self.turn, "closed", "table"))
        return expected


VEZIMAS = Game(
    id="vezimas",
    name="Vežimas su uždaru",
    players=(2, 3, 4),
    options={"violation": VIOLATION},
    lines=EVERY_GAME | {"hand", "closed", "play", "take", "call"},
    rules=(
        *(f"VU-{n}" for n in range(1, 9)), "DU-5", "DU-6", "DU-8", "DU-10", "DU-11", "DU-12",
        *RULES_OF_EVERY_GAME,
    ),
    pack=lambda options: PACK_24,
    deal=VezimasDeal,
    names_loser=True,
    next_dealer=loser_deals,
)  # fmt: skip
