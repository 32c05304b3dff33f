"""Whether a seat might have laid a pair (IM-10a), asked of the hidden hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import NamedTuple

from engine.cards import Card, Rank, Suit, mask_of
from engine.conditions import ALWAYS, NEVER, Alternative, Question, Remembered
from engine.games.pairs import JACKS, KINGS, PAIRS, QUEENS, suits_with_pair
from engine.layouts import Restriction
from engine.places import OpenTable, bits
from engine.worlds import Worlds


class HasPair(NamedTuple):
    """A seat might still hold a pair to play. Certain unless it is seen that it has none (IM-10a)."""

    place: int

    @property
    def needs(self) -> str | None:
        return "no pair is left in the hand"

    def met(self, table: OpenTable) -> bool:
        return suits_with_pair(table.hands.get(self.place, 0)) > 0

    def ask(self, worlds: Worlds) -> Question:
        there = worlds.hidden | worlds.known.get(self.place, 0)
        paths = worlds.at(self.place)
        could = any(pair & there == pair and worlds.possible(((pair, paths),)) for _, pair in PAIRS)
        return ALWAYS if could else NEVER

    def unplaced(self, worlds: Worlds) -> int:
        return 0


class BreaksPair(NamedTuple):
    """Playing this figure singly leaves no choice of `kept` pairs that agrees with the plays (IM-10a)."""

    place: int
    card: Card
    kept: int
    plays: tuple[tuple[Card, ...], ...]

    @property
    def needs(self) -> str | None:
        return f"{self.card} is not of a pair that was kept"

    def met(self, table: OpenTable) -> bool:
        played = mask_of(card for cards in self.plays for card in cards)
        singles = self.singles
        cards = table.hands.get(self.place, 0) | 1 << self.card | played
        before = suits_with_pair(cards & ~singles)
        after = suits_with_pair(cards & ~singles & ~(1 << self.card))
        return before >= self.kept > after

    @property
    def singles(self) -> int:
        """Figures already played singly."""
        return mask_of(cards[0] for cards in self.plays if len(cards) == 1 and not cards[0].joker)

    def ask(self, worlds: Worlds) -> Question:
        done = {cards[0].suit for cards in self.plays if len(cards) == 2}
        if self.card.suit in done:
            return NEVER
        others = tuple(suit for suit in Suit if suit != self.card.suit and suit not in done)
        wanted = self.kept - len(done) - 1
        return Break(worlds.at(self.place), self.card, self.singles, others, wanted, Remembered())

    def unplaced(self, worlds: Worlds) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Break:
    """The suit of `card` had a pair and has none without it; of the `others` exactly `wanted` have one.

    `path`: the cards kept. `singles`: cards that were played singly before.
    """

    path: int
    card: Card
    singles: int
    others: tuple[Suit, ...]
    wanted: int
    remembered: Remembered = field(compare=False)

    def yes(self, worlds: Worlds) -> Iterator[Alternative]:
        for alternative in _first(self.remembered.yes, self._yes()):
            self.remembered.yes = alternative
            yield alternative

    def no(self, worlds: Worlds) -> Iterator[Alternative]:
        for alternative in _first(self.remembered.no, self._no()):
            self.remembered.no = alternative
            yield alternative

    def _on(self, tokens: int) -> Restriction:
        return tokens, self.path

    def _off(self, tokens: int) -> Restriction:
        return tokens, ~self.path

    def _partners(self) -> int:
        """What the played D could have made a pair with; for K and V: the other of the two, if not played."""
        suit = self.card.suit
        return (KINGS[suit] | JACKS[suit]) & ~(1 << self.card) & ~self.singles

    def _broken(self) -> list[Alternative]:
        """The suit of the card had a pair before the play and has none after."""
        if self.card.rank == Rank.QUEEN:
            return [(self._on(bit),) for bit in bits(self._partners())]
        queen = QUEENS[self.card.suit]
        if queen & self.singles:
            return []
        partners = self._partners()
        return [(self._on(queen), self._off(partners)) if partners else (self._on(queen),)]

    def _whole(self) -> list[Alternative]:
        """The opposite."""
        partners = self._partners()
        if self.card.rank == Rank.QUEEN:
            return [(self._off(partners),)] if partners else [()]
        queen = QUEENS[self.card.suit]
        if queen & self.singles:
            return [()]
        return [(self._off(queen),), *((self._on(bit),) for bit in bits(partners))]

    def _has(self, suit: Suit) -> list[Alternative]:
        queen = QUEENS[suit] & ~self.singles
        if not queen:
            return []
        return [(self._on(queen | bit),) for bit in bits((KINGS[suit] | JACKS[suit]) & ~self.singles)]

    def _lacks(self, suit: Suit) -> list[Alternative]:
        partners = (KINGS[suit] | JACKS[suit]) & ~self.singles
        if QUEENS[suit] & self.singles or not partners:
            return [()]
        return [(self._off(QUEENS[suit]),), (self._off(partners),)]

    def _number(self, number: int) -> Iterator[Alternative]:
        """Exactly this many of the other suits have a pair."""
        for chosen in combinations(self.others, number):
            choices = [self._has(suit) if suit in chosen else self._lacks(suit) for suit in self.others]
            for parts in product(*choices):
                yield tuple(restriction for part in parts for restriction in part)

    def _yes(self) -> Iterator[Alternative]:
        for here in self._broken():
            for rest in self._number(self.wanted):
                yield here + rest

    def _no(self) -> Iterator[Alternative]:
        yield from self._whole()
        for number in range(len(self.others) + 1):
            if number != self.wanted:
                yield from self._number(number)


def _first(remembered: Alternative | None, others: Iterator[Alternative]) -> Iterator[Alternative]:
    if remembered is not None:
        yield remembered
    yield from others
