"""Azijietiškasis durnius (AZ): 2–4 players, 24 cards; as Durnius, but clubs are everybody's trumps.

Of its own: AZ-2 (clubs), AZ-4 (spades), AZ-5 (the first without cards wins), AZ-6 (score), AZ-7 (length).
Options: `deals` = open | a number, `target` = open | a number (AZ-7), `violation` without award (G-4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import PACK_24, Card, Suit
from engine.deal import Outcome, Setup
from engine.game import (
    EVERY_GAME,
    RULES_OF_EVERY_GAME,
    VIOLATION_WITHOUT_AWARD,
    Game,
    Option,
    seats_with,
    totals,
)
from engine.games.beating import BeatingDeal
from engine.places import Table


@dataclass
class AzijietiskasDeal(BeatingDeal):
    """One deal."""

    parankinis = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.trumps = (Suit.CLUBS,) * self.setup.seats

    def beat_rule(self, seat: int, card: Card, top: Card) -> str | None:
        if top.suit == Suit.SPADES:
            return None if card.suit == Suit.SPADES and card > top else "AZ-4"
        return super().beat_rule(seat, card, top)

    def laid_last(self, seat: int, table: Table) -> bool:
        """AZ-5, AZ-6."""
        rest = sum(self.held)
        points = tuple(rest if s == seat else -count for s, count in enumerate(self.held, 1))
        self.decide(Outcome(points, (seat,)))
        return True


def winner_deals(setup: Setup, outcome: Outcome) -> int:
    """AZ-1."""
    return outcome.winner[0] if outcome.winner else setup.dealer


def match_winner(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """AZ-7: after so many deals, or once a total is reached, the highest total wins; equal ones share."""
    if not outcomes:
        return None
    reached = totals(outcomes)
    deals, target = setup.options["deals"], setup.options["target"]
    if (deals == "open" or len(outcomes) < int(deals)) and (target == "open" or max(reached) < int(target)):
        return None
    return seats_with(max(reached), reached)


AZIJIETISKAS = Game(
    id="azijietiskas",
    name="Azijietiškasis durnius",
    players=(2, 3, 4),
    options={
        "deals": Option(("open",), number=True),
        "target": Option(("open",), number=True),
        "violation": VIOLATION_WITHOUT_AWARD,
    },
    lines=EVERY_GAME | {"hand", "play", "take"},
    rules=(
        *(f"AZ-{n}" for n in range(1, 8)), "DU-5", "DU-6", "DU-8", "DU-9", *RULES_OF_EVERY_GAME,
    ),
    pack=lambda options: PACK_24,
    deal=AzijietiskasDeal,
    next_dealer=winner_deals,
    match_winner=match_winner,
)  # fmt: skip
