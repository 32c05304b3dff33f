"""Whether cards were laid away against IM-3, or fewer pairs kept than said, asked of the hidden hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import NamedTuple

from engine.cards import Suit
from engine.conditions import ALWAYS, NEVER, Alternative, Question, Remembered
from engine.games.pairs import (
    ACES,
    ALL_ACES,
    FIGURES,
    FIGURES_OF,
    HONOURS,
    JACKS,
    KINGS,
    PAIRS,
    QUEENS,
    fewest_offending,
    lawful_counts,
    offending,
    suits_with_pair,
    wrong,
)
from engine.places import OpenTable, away, bits
from engine.worlds import Worlds


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
        question = LayAway(kept, laid, self.trump, 7 - self.number, Remembered())
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
    remembered: Remembered = field(compare=False)

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
