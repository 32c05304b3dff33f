"""Šuo (SU): 2–6 players, 24 cards; as Vėpla, with a central fund besides. See `funds` for the play.

Of its own: SU-1 (the central fund comes first), SU-2 (an oversight is refused, not punished), SU-3 to
SU-5 (trumps, the lead, beating), SU-6 and SU-7 (barks and score). Options: `trump` = hearts | last
(SU-3), `lead` = next | last (SU-4), `score` = penalty | losses, `target` = 30 | 50 (SU-7), `violation` (G-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from engine.actions import Fact
from engine.cards import PACK_24, Card, Suit, cards_in
from engine.deal import Objection, Outcome, Setup
from engine.game import RULES_OF_EVERY_GAME, VIOLATION, Game, Option, loser_deals, seats_with, totals
from engine.games.funds import FundsDeal
from engine.places import OpenTable, Table
from engine.view import Expectation


class SuoDeal(FundsDeal):
    """One deal of Šuo."""

    def missing_fact(self) -> str | None:
        return super().missing_fact() or (None if self.center or self.second_stage else "SU-1")

    def missing(self) -> tuple[Expectation, ...]:
        center = () if self.center else (Expectation(self.setup.dealer, "center", "table", must=True),)
        return (*super().missing(), *center)

    def first_target(self, card: Card) -> str | None:
        return "SU-1" if self.fits(card, self.center) else None

    def fact_objections(self, fact: Fact) -> Sequence[Objection]:
        return () if fact.kind == "center" and not self.center else super().fact_objections(fact)

    def opening(self, table: OpenTable) -> Iterable[Fact]:
        yield from super().opening(table)
        token = next(islice(table.stock, self.setup.seats, None))
        yield Fact("center", None, (next(cards_in(1 << token)),))

    def top_overlooked(self) -> tuple[Objection, ...]:
        return (Objection("VP-2"),)

    def drawn_overlooked(self) -> tuple[Objection, ...]:
        return (Objection("VP-3"),)

    def trump_of(self, last: Card) -> Suit:
        return Suit.HEARTS if self.setup.options["trump"] == "hearts" else last.suit

    def leader_after(self, drawer: int) -> int:
        return drawer if self.setup.options["lead"] == "last" else drawer % self.setup.seats + 1

    def beat_objection(self, seat: int, card: Card, top: Card) -> str | None:
        """SU-5."""
        if card.suit == top.suit:
            return None if card > top else "SU-5"
        if card.suit != self.trump or top.suit == Suit.CLUBS:
            return "SU-5"
        higher = any(own.suit == top.suit and own > top for own in cards_in(self.hands[seat - 1]))
        return "SU-5" if higher else None

    def cards_left(self) -> tuple[int, ...]:
        return tuple(self.held(seat) for seat in range(1, self.setup.seats + 1))

    def lost(self, seat: int) -> Outcome:
        points = 1 if self.setup.options["score"] == "losses" else self.held(seat)
        seats = range(1, self.setup.seats + 1)
        return Outcome(
            tuple(points if s == seat else 0 for s in seats), loser=seat, cards_left=self.cards_left()
        )

    def award(self, offender: int, table: Table) -> Outcome:
        """As many points as cards held, at least one (G-4)."""
        lost = self.lost(offender)
        points = tuple(max(1, n) if s == offender else n for s, n in enumerate(lost.points, 1))
        return Outcome(points, loser=offender, cards_left=lost.cards_left)


def match_winner(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """SU-7: once somebody has reached the target the lowest total wins, ties share."""
    if setup.options["score"] == "losses" or not outcomes:
        return None
    reached = totals(outcomes)
    if max(reached) < int(setup.options["target"]):
        return None
    return seats_with(min(reached), reached)


SUO = Game(
    id="suo",
    name="Šuo",
    players=(2, 3, 4, 5, 6),
    options={
        "trump": Option(("hearts", "last")),
        "lead": Option(("next", "last")),
        "score": Option(("penalty", "losses")),
        "target": Option(("30", "50")),
        "violation": VIOLATION,
    },
    lines=frozenset({"fund", "center", "draw card", "put", "put center", "play", "take", "show", "expose"}),
    rules=(*(f"SU-{n}" for n in range(1, 8)), *(f"VP-{n}" for n in range(2, 5)), "VP-5a",
           *(f"VP-{n}" for n in range(9, 13)), *RULES_OF_EVERY_GAME),
    pack=lambda options: PACK_24,
    deal=SuoDeal,
    names_loser=True,
    counts_left=True,
    next_dealer=loser_deals,
    match_winner=match_winner,
)  # fmt: skip
