"""What Imperatorius demands of cards laid away (IM-3) and of pairs kept (IM-10a), with and without worlds.

All of it is about sixteen cards, the *honours*: aces and figures. In a suit there is at most one pair at a
time, for K+D and D+V share the D; so "p disjoint pairs" are p suits that have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from engine.cards import Card, Rank, Suit
from engine.conditions import ALWAYS, Question
from engine.places import OpenTable, away, bits
from engine.worlds import Restriction, Worlds


def _of(rank: Rank) -> tuple[int, ...]:
    return tuple(1 << Card.of(suit, rank) for suit in Suit)


ACES, KINGS, QUEENS, JACKS = _of(Rank.ACE), _of(Rank.KING), _of(Rank.QUEEN), _of(Rank.JACK)
ALL_ACES = sum(ACES)
FIGURES_OF = tuple(KINGS[suit] | QUEENS[suit] | JACKS[suit] for suit in Suit)
FIGURES = sum(FIGURES_OF)
HONOURS = ALL_ACES | FIGURES
PAIRS = tuple((suit, high | low) for suit in Suit for high, low in
              ((KINGS[suit], QUEENS[suit]), (QUEENS[suit], JACKS[suit])))  # fmt: skip

# Without worlds


def suits_with_pair(cards: int) -> int:
    """How many suits have a pair among these cards."""
    return sum(bool(cards & QUEENS[suit] and cards & (KINGS[suit] | JACKS[suit])) for suit in Suit)


def pair_in(cards: int) -> list[tuple[Card, Card]]:
    """The pairs that could be laid from these cards, the higher card first."""
    found = []
    for _, pair in PAIRS:
        if cards & pair == pair:
            low, high = (bit.bit_length() - 1 for bit in bits(pair))
            found.append((Card.of(Suit(high // 13), Rank(high % 13 + 2)),
                          Card.of(Suit(low // 13), Rank(low % 13 + 2))))  # fmt: skip
    return found


def offending(laid: int, trump: Suit) -> int:
    """How many cards laid away would have to come back (IM-3): aces, own figures, others beyond two."""
    own = FIGURES_OF[trump]
    plain = (laid & FIGURES & ~own).bit_count()
    return (laid & (ALL_ACES | own)).bit_count() + max(0, plain - 2)


@lru_cache(maxsize=4096)
def fewest_offending(honours: int, trump: Suit, pairs: int | None = None) -> int | None:
    """The fewest offending cards any choice allows that keeps this many pairs (None: any number).

    Of 14 cards with these honours; None if there are not as many pairs.
    """
    if pairs is None:
        found = [fewest_offending(honours, trump, number) for number in range(5)]
        return min(number for number in found if number is not None)
    own = FIGURES_OF[trump]
    suits = [suit for suit in Suit if suits_with_pair(honours & FIGURES_OF[suit])]
    best = None
    for chosen in combinations(suits, pairs):
        with_trump = trump in chosen
        plain_left = (honours & FIGURES & ~own).bit_count() - 2 * (pairs - with_trump)
        needed = (honours & (ALL_ACES | own)).bit_count() - 2 * with_trump + max(0, plain_left - 2)
        over = max(0, needed - (7 - pairs))
        best = over if best is None else min(best, over)
    return best


def wrong(kept: int, laid: int, trump: Suit, pairs: int) -> bool:
    """Whether laying these away and keeping those, with so many pairs, breaks IM-3."""
    if suits_with_pair(kept) < pairs:
        return True
    over = offending(laid, trump)
    if not over:
        return False
    fewest = fewest_offending((kept | laid) & HONOURS, trump)
    assert fewest is not None
    return over > fewest


def lawful_counts(hand: int, trump: Suit) -> dict[int, int]:
    """For each count from 3 to 7 a sensible choice of cards to lay away from 14, lawful if one is."""
    return {count: _choice(hand, trump, 7 - count) for count in range(3, 8)}


def _choice(hand: int, trump: Suit, pairs: int) -> int:
    best: tuple[int, int] | None = None
    suits = [suit for suit in Suit if suits_with_pair(hand & FIGURES_OF[suit])]
    for chosen in combinations(suits, min(pairs, len(suits))):
        keep = 0
        for suit in chosen:
            other = KINGS[suit] if hand & KINGS[suit] else JACKS[suit]
            keep |= QUEENS[suit] | other
        free = sorted(bits(hand & ~keep), key=lambda bit: _worth(bit, trump))
        laid = sum(free[: 7 - pairs])
        if best is None or offending(laid, trump) < best[0]:
            best = offending(laid, trump), laid
    assert best is not None
    return best[1]


def _worth(bit: int, trump: Suit) -> tuple[int, int]:
    """How little one wants to lay a card away: first low plain cards; last what may not be laid away."""
    number = bit.bit_length() - 1
    if number >= 52:
        return 2, number
    suit, rank = divmod(number, 13)
    if bit & (ALL_ACES | FIGURES_OF[trump]):
        return 4, rank
    if bit & FIGURES:
        return 3, rank
    return (1 if suit == trump else 0), rank


# With worlds

Alternative = tuple[Restriction, ...]


@dataclass(frozen=True, slots=True)
class _Never:
    def yes(self, worlds: Worlds) -> Iterable[Alternative]:
        return ()

    def no(self, worlds: Worlds) -> Iterable[Alternative]:
        return ((),)


NEVER = _Never()


@dataclass(slots=True)
class _Remembered:
    """The alternatives that were possible last: tried first the next time. No part of what is asked."""

    yes: Alternative | None = None
    no: Alternative | None = None


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
        played = _mask(card for cards in self.plays for card in cards)
        singles = self.singles
        cards = table.hands.get(self.place, 0) | 1 << self.card | played
        before = suits_with_pair(cards & ~singles)
        after = suits_with_pair(cards & ~singles & ~(1 << self.card))
        return before >= self.kept > after

    @property
    def singles(self) -> int:
        """Figures already played singly."""
        return _mask(cards[0] for cards in self.plays if len(cards) == 1 and not cards[0].joker)

    def ask(self, worlds: Worlds) -> Question:
        done = {cards[0].suit for cards in self.plays if len(cards) == 2}
        if self.card.suit in done:
            return NEVER
        others = tuple(suit for suit in Suit if suit != self.card.suit and suit not in done)
        wanted = self.kept - len(done) - 1
        return Break(worlds.at(self.place), self.card, self.singles, others, wanted, _Remembered())

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
    remembered: _Remembered = field(compare=False)

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


class WrongLayAway(NamedTuple):
    """A seat lays away `number` of its 14 cards against IM-3, or keeps fewer pairs than it says."""

    place: int
    trump: Suit
    number: int

    @property
    def needs(self) -> str | None:
        pairs = 7 - self.number
        kept = f"; {pairs} {'pair' if pairs == 1 else 'pairs'} kept" if pairs else ""
        return f"no ace, no figure of {self.trump} and at most two figures laid away{kept}"

    def met(self, table: OpenTable) -> bool:
        hand = table.hands.get(self.place, 0)
        laid = lawful_counts(hand, self.trump)[self.number]
        return wrong(hand & ~laid, laid, self.trump, 7 - self.number)

    def ask(self, worlds: Worlds) -> Question:
        after = worlds.copy()
        after.move(self.place, away(self.place), self.number)
        kept, laid = after.at(self.place), after.at(away(self.place))
        question = LayAway(kept, laid, self.trump, 7 - self.number, _Remembered())
        if not any(True for _ in question.no(after)):
            return ALWAYS
        if not any(True for _ in question.yes(after)):
            return NEVER
        return question

    def unplaced(self, worlds: Worlds) -> int:
        return 0


_LAID, _KEPT, _ELSEWHERE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class LayAway:
    """Whether the laying away was wrong: `kept` and `laid` are the paths the hand forked into.

    Asked of worlds in which it has not forked yet both are possible; `WrongLayAway.ask` has seen to that.
    """

    kept: int
    laid: int
    trump: Suit
    pairs: int
    remembered: _Remembered = field(compare=False)

    def yes(self, worlds: Worlds) -> Iterator[Alternative]:
        if not self._forked(worlds):
            yield ()
            return
        for alternative in self._again(worlds, self.remembered.yes, True):
            self.remembered.yes = alternative
            yield alternative

    def no(self, worlds: Worlds) -> Iterator[Alternative]:
        if not self._forked(worlds):
            yield ()
            return
        for alternative in self._again(worlds, self.remembered.no, False):
            self.remembered.no = alternative
            yield alternative

    def _forked(self, worlds: Worlds) -> bool:
        return worlds.exists(self.laid)

    def _again(self, worlds: Worlds, remembered: Alternative | None, is_wrong: bool) -> Iterator[Alternative]:
        if remembered is not None:
            yield remembered
        yield from _Search(self, worlds, is_wrong).found()


class _Search:
    """Looks for a world in which the laying away was wrong (or right): where is each honour?

    Depth first over the honours whose place is open, cut off as soon as no way on can be (a flow, by
    `Worlds.possible`) or can have the answer wanted. Of honours alike only ordered choices are tried.
    """

    def __init__(self, question: LayAway, worlds: Worlds, is_wrong: bool) -> None:
        self._question, self._worlds, self._wrong = question, worlds, is_wrong
        self._paths = (question.laid, question.kept, ~(question.laid | question.kept))
        self._alike: list[int | None] = []
        # What each honour may have been by itself is enough for the common cases.
        self._set_out(worlds.by_themselves(HONOURS, self._paths))

    def _set_out(self, could: list[int]) -> None:
        """Sorts the honours into those whose place is certain and those still open."""
        self._could = could
        self._order = []
        at = [0, 0, 0]
        for bit in self._sorted():
            ways = [where for where in range(3) if could[where] & bit]
            if len(ways) == 1:
                at[ways[0]] |= bit
            else:
                self._order.append(bit)
        self._start = at
        # First what may not have been in the hand at all: then how many offences are forced is settled.
        self._order.sort(key=lambda bit: not could[_ELSEWHERE] & bit)

    def _sorted(self) -> list[int]:
        suits = [QUEENS[suit] for suit in Suit]
        figures = [bit for queen in suits for bit in (queen, queen << 1, queen >> 1)]
        return [*ACES, *figures]

    def _twin(self, number: int) -> int | None:
        """An earlier honour like this one: another ace, or K and V of a suit, with the same ways."""
        bit = self._order[number]
        for earlier in range(number - 1, -1, -1):
            other = self._order[earlier]
            aces = bit & ALL_ACES and other & ALL_ACES
            figures = any(bit | other == KINGS[suit] | JACKS[suit] for suit in Suit)
            if (aces or figures) and self._worlds.ways(bit) == self._worlds.ways(other):
                return earlier
        return None

    def found(self) -> Iterator[Alternative]:
        yield from self._plainly_wrong() if self._wrong else self._plainly_right()
        self._set_out([self._worlds.could_be(HONOURS, paths) for paths in self._paths])
        self._alike = [self._twin(number) for number in range(len(self._order))]
        yield from self._descend(0, tuple(self._start), [])

    def _plainly_wrong(self) -> Iterator[Alternative]:
        """One card that offends is laid away, and at most nine honours were held: the common case."""
        left = sum(self._order)
        fixed = self._start[_LAID] | self._start[_KEPT]
        stay = left & ~self._could[_ELSEWHERE]
        bad = ALL_ACES | FIGURES_OF[self._question.trump]
        enough = offending(self._start[_LAID], self._question.trump) > 0
        for bit in [0] if enough else bits(left & bad & self._could[_LAID]):
            if (fixed | stay | bit).bit_count() <= 9:
                away_from_here = 0
                for other in bits(left & self._could[_ELSEWHERE] & ~bit):
                    if (fixed | left & ~away_from_here).bit_count() > 9:
                        away_from_here |= other
                at = (self._start[_LAID] | bit, self._start[_KEPT], self._start[_ELSEWHERE] | away_from_here)
                restrictions = self._restrictions(at)
                if self._worlds.possible(restrictions):
                    yield restrictions

    def _plainly_right(self) -> Iterator[Alternative]:
        """The pairs are kept and no honour more is laid away: the common case."""
        question, laid, kept = self._question, self._start[_LAID], self._start[_KEPT]
        if offending(laid, question.trump):
            return
        left = sum(self._order)
        could = kept | left & self._could[_KEPT]
        sure = {suit for suit, pair in PAIRS if kept & pair == pair}
        choices = [[pair for of, pair in PAIRS if of == suit and could & pair == pair]
                   for suit in Suit if suit not in sure]  # fmt: skip
        wanted = max(0, question.pairs - len(sure))
        for chosen in combinations([choice for choice in choices if choice], wanted):
            for pairs in product(*chosen):
                keep = left & sum(pairs)
                restrictions = tuple(
                    (mask, paths)
                    for mask, paths in (
                        (laid, question.laid), (kept | keep, question.kept), (left & ~keep, ~question.laid),
                    )
                    if mask
                )  # fmt: skip
                if self._worlds.possible(restrictions):
                    yield restrictions

    def _descend(self, number: int, at: tuple[int, ...], chosen: list[int]) -> Iterator[Alternative]:
        left = 0
        for bit in self._order[number:]:
            left |= bit
        verdict = self._decided(at, left)
        if verdict is not None:
            if verdict == self._wrong:
                yield self._restrictions(at)
            return
        bit = self._order[number]
        twin = self._alike[number]
        for where in self._preferred(at, bit):
            if not self._could[where] & bit or (twin is not None and where < chosen[twin]):
                continue
            after = tuple(mask | bit if place == where else mask for place, mask in enumerate(at))
            if self._worlds.possible(self._restrictions(after)):
                yield from self._descend(number + 1, after, [*chosen, where])

    def _restrictions(self, at: tuple[int, ...]) -> Alternative:
        return tuple((mask, paths) for mask, paths in zip(at, self._paths, strict=True) if mask)

    def _preferred(self, at: tuple[int, ...], bit: int) -> tuple[int, int, int]:
        question = self._question
        if self._wrong:
            return (_LAID, _ELSEWHERE, _KEPT) if not offending(at[_LAID], question.trump) else \
                (_ELSEWHERE, _KEPT, _LAID)  # fmt: skip
        if bit & FIGURES and suits_with_pair(at[_KEPT]) < question.pairs:
            return _KEPT, _ELSEWHERE, _LAID
        return _ELSEWHERE, _KEPT, _LAID

    def _decided(self, at: tuple[int, ...], left: int) -> bool | None:
        """Whether it was wrong wherever the honours left are; None if that depends on them."""
        question = self._question
        laid, kept = at[_LAID], at[_KEPT]
        if not left:
            return wrong(kept, laid, question.trump, question.pairs)
        if suits_with_pair(kept | left & self._could[_KEPT]) < question.pairs:
            return True
        # Somebody with up to nine honours can always lay away lawfully.
        held = laid | kept | left & (self._could[_LAID] | self._could[_KEPT])
        forced = max(0, held.bit_count() - 9)
        if forced and not left & self._could[_ELSEWHERE]:
            forced = fewest_offending(held, question.trump) or 0
            by_pairs = fewest_offending(held, question.trump, question.pairs)
            if by_pairs is None or by_pairs > forced:
                return True
        if offending(laid, question.trump) > forced:
            return True
        could_offend = offending(laid | left & self._could[_LAID], question.trump)
        sure = forced if forced and not left & self._could[_ELSEWHERE] else 0
        if could_offend <= sure and suits_with_pair(kept) >= question.pairs:
            return False
        return None


def _mask(cards: Iterable[Card]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
