"""Vėpla (VP): 2–6 players, 36 cards; funds from the stock, then shed the hand. See `funds` for the play.

Of its own: VP-5 (an oversight stands and is punished), VP-6 (the last card names trumps), VP-7 (its
drawer leads), VP-8 (beating), VP-11 (the one left with cards has lost). Rulings of our own: in VP-5,
VP-5a, VP-10, VP-11, VP-12. Option: `violation` (G-4; no verdict here is ever conditional).
"""

from __future__ import annotations

from engine.cards import PACK_36, Card, Suit
from engine.deal import Objection, Outcome
from engine.game import RULES_OF_EVERY_GAME, VIOLATION, Game, loser_deals
from engine.games.funds import FundsDeal

_OVERSIGHT = (Objection("VP-5", stands=True),)


class VeplaDeal(FundsDeal):
    """One deal of Vėpla."""

    def top_overlooked(self) -> tuple[Objection, ...]:
        return _OVERSIGHT

    def drawn_overlooked(self) -> tuple[Objection, ...]:
        return _OVERSIGHT

    def trump_of(self, last: Card) -> Suit:
        return last.suit

    def leader_after(self, drawer: int) -> int:
        return drawer

    def beat_objection(self, seat: int, card: Card, top: Card) -> str | None:
        """VP-8."""
        if card.suit == top.suit:
            return None if card > top else "VP-8"
        return None if card.suit == self.trump else "VP-8"

    def lost(self, seat: int) -> Outcome:
        return Outcome(tuple(int(s == seat) for s in range(1, self.setup.seats + 1)), loser=seat)


VEPLA = Game(
    id="vepla",
    name="Vėpla",
    players=(2, 3, 4, 5, 6),
    options={"violation": VIOLATION},
    lines=frozenset({"fund", "draw card", "put", "penalty", "play", "take", "show", "expose"}),
    rules=(
        *(f"VP-{n}" for n in range(1, 6)),
        "VP-5a",
        *(f"VP-{n}" for n in range(6, 13)),
        *RULES_OF_EVERY_GAME,
    ),
    pack=lambda options: PACK_36,
    deal=VeplaDeal,
    names_loser=True,
    next_dealer=loser_deals,
)
