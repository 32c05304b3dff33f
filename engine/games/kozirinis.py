"""Kozirinis (KO): 2 players, 32, 28 or 24 cards, both hands known to all. See `beating` for the play.

Of its own: KO-1 (naming suits), KO-2 (the spread, like for like), KO-4 (the first without cards wins).
Options: `pack` = 32 | 28 | 24 (KO-5), `next_dealer` = loser | other (KO-4), `violation` (G-4; no verdict
here is ever conditional).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import Action, Fact
from engine.cards import PACK_24, PACK_28, PACK_32, Card, Suit, cards_in
from engine.deal import Objection, Outcome, Setup, Sight
from engine.game import EVERY_GAME, RULES_OF_EVERY_GAME, VIOLATION, Game, Option
from engine.games.beating import TURN, BeatingDeal
from engine.places import STOCK, OpenTable, Table
from engine.view import Expectation
from engine.worlds import Worlds

_PACKS = {"32": PACK_32, "28": PACK_28, "24": PACK_24}


@dataclass
class KozirinisDeal(BeatingDeal):
    """One deal. `suits`: each seat's two suits, trumps first. `anew`: the dealer kept no card (KO-2)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.turn = self.setup.dealer
        self.suits: tuple[tuple[Suit, Suit] | None, ...] = (None, None)
        self.held = (0, 0)
        self.spread = False
        self.anew = False

    def places(self) -> dict[int, int]:
        return {STOCK: len(self.setup.pack), 1: 0, 2: 0}

    def hand_size(self, seat: int) -> int:
        return 0

    @property
    def _named(self) -> bool:
        return None not in self.suits

    def is_out(self, seat: int) -> bool:
        return False  # the deal is over as soon as somebody is

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        if action.verb == "play" and not self.spread:
            return () if action.cards[0] in self.setup.pack else (Sight(action.seat, action.cards),)
        return super().sees(action, worlds)

    def objections(self, action: Action) -> Sequence[Objection]:
        seat = action.seat
        if action.verb == "trump":
            return self._trump_objections(seat, action.suits)
        if self.spread:
            return super().objections(action)
        waiting = self.turn if not self._named else self.setup.first
        if seat != waiting or action.verb != "play":
            return TURN
        return (Objection("KO-2" if self._named else "KO-1"),)

    def _trump_objections(self, seat: int, suits: tuple[Suit, ...]) -> Sequence[Objection]:
        if self._named or seat != self.turn:
            return TURN
        dealer = seat == self.setup.dealer
        if len(suits) != (2 if dealer else 1) or len(set(suits)) != len(suits):
            return (Objection("KO-1"),)
        taken = self.suits[self.setup.dealer - 1]
        return (Objection("KO-1"),) if not dealer and taken is not None and suits[0] in taken else ()

    def fact_sees(self, fact: Fact) -> Sequence[Sight]:
        if not self._named or self.spread:
            return ()
        return super().fact_sees(fact)

    def fact_objections(self, fact: Fact) -> Sequence[Objection]:
        half = len(self.setup.pack) // 2
        if len(fact.cards) != half or len(set(fact.cards)) != half or set(fact.cards) - set(self.setup.pack):
            return (Objection("G-5"),)
        if self.spread:
            return TURN
        return () if self._named else (Objection("KO-1"),)

    def apply_fact(self, fact: Fact, table: Table) -> None:
        """KO-2: the dealer keeps what is of its suits, the opponent takes like for like."""
        dealer, other = self.setup.dealer, self.setup.first
        own, others = self.suits[dealer - 1], self.suits[other - 1]
        assert own is not None
        assert others is not None
        for card in fact.cards:
            table.leave(STOCK, card)
        kept = [card for card in fact.cards if card.suit in own]
        if not kept:
            self.anew = True  # a new deal line follows
            return
        like = [Card.of(others[own.index(card.suit)], card.rank) for card in kept]
        for card in like:
            if card not in fact.cards:
                table.leave(STOCK, card)
        table.take_up(dealer, kept)
        table.take_up(other, like)
        self.held = (len(kept), len(kept))
        self.spread = True
        self.turn = other

    def apply(self, action: Action, table: Table) -> None:
        if action.verb != "trump":
            super().apply(action, table)
            return
        at = action.seat - 1
        if len(action.suits) == 2:
            pair = (action.suits[0], action.suits[1])
        else:
            taken = self.suits[self.setup.dealer - 1]
            assert taken is not None
            plain = next(suit for suit in Suit if suit not in taken and suit != action.suits[0])
            pair = (action.suits[0], plain)
        self.suits = (*self.suits[:at], pair, *self.suits[at + 1 :])
        self.trumps = (*self.trumps[:at], pair[0], *self.trumps[at + 1 :])
        self.turn = None if self._named else self.setup.first

    def laid_last(self, seat: int, table: Table) -> bool:
        """KO-4, KO-5."""
        self.decide(self.lost(3 - seat))
        return True

    def lost(self, seat: int) -> Outcome:
        return Outcome((int(seat == 1), int(seat == 2)), (3 - seat,), seat)

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        if self.spread:
            yield from super().candidates(seat, table)
        elif not self._named and seat == self.setup.dealer:
            yield from (Action(seat, "trump", suits=(a, b)) for a in Suit for b in Suit if a != b)
        elif not self._named:
            yield from (Action(seat, "trump", suits=(suit,)) for suit in Suit)

    def turned_up(self, table: OpenTable) -> Iterable[Fact]:
        """Half the pack is turned up once both have named their suits."""
        if self._named and not self.spread and not self.anew:
            mask = sum(1 << token for token in table.stock[: len(self.setup.pack) // 2])
            yield Fact("spread", None, tuple(cards_in(mask)))

    @property
    def stage(self) -> str:
        return "anew" if self.anew else "play" if self.spread else "spread" if self._named else "trumps"

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        if self.spread:
            return super().expects(table)
        if self.turn is None:
            if not self._named or self.anew:
                return ()
            half = len(self.setup.pack) // 2
            return (Expectation(self.setup.dealer, "spread", "table", several=half, must=True),)
        taken = self.suits[self.setup.dealer - 1] or ()
        free = tuple(suit for suit in Suit if suit not in taken)
        several = 2 if self.turn == self.setup.dealer else 1
        return (Expectation(self.turn, "trump", "button", suits=free, several=several, must=True),)


def next_dealer(setup: Setup, outcome: Outcome) -> int:
    """KO-4."""
    if setup.options["next_dealer"] == "other" or outcome.loser is None:
        return setup.first
    return outcome.loser


KOZIRINIS = Game(
    id="kozirinis",
    name="Kozirinis",
    players=(2,),
    options={
        "pack": Option(("32", "28", "24")),
        "next_dealer": Option(("loser", "other")),
        "violation": VIOLATION,
    },
    lines=EVERY_GAME | {"spread", "trump", "trump two", "play", "take"},
    rules=(*(f"KO-{n}" for n in range(1, 6)), *(f"DU-{n}" for n in range(5, 10)), *RULES_OF_EVERY_GAME),
    pack=lambda options: _PACKS[options["pack"]],
    deal=KozirinisDeal,
    names_loser=True,
    next_dealer=next_dealer,
)
