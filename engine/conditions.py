"""Conditions on hidden cards, and what they ask of the possible worlds.

A game states a condition in cards and places, as of now (`Holds(2, mask)`: "seat 2 holds one of
these"). With every card known, `met` answers it. For the referee `ask` freezes it into a
`Question` on the worlds of this moment, which stays answerable when the cards have long moved on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from engine.cards import Card
from engine.layouts import Restriction
from engine.places import OpenTable, bits
from engine.worlds import Worlds

Alternative: TypeAlias = tuple[Restriction, ...]
"""Restrictions that all hold."""


class Question(Protocol):
    """A statement that is true or false in each world.

    `yes`: alternatives, one of which holds in every world where the statement is true; each is a
    conjunction of restrictions. `no`: the same for the worlds where it is false.
    """

    def yes(self, worlds: Worlds) -> Iterable[Alternative]: ...

    def no(self, worlds: Worlds) -> Iterable[Alternative]: ...


class Condition(Protocol):
    """A condition on hidden cards, as of now."""

    @property
    def needs(self) -> str | None:
        """The condition in words where it is not a void (contract, `needs`); English."""

    def met(self, table: OpenTable) -> bool:
        """With these cards known: whether the condition holds."""

    def ask(self, worlds: Worlds) -> Question:
        """The question whether it holds, frozen as of now."""

    def unplaced(self, worlds: Worlds) -> int:
        """Of a void: the tokens it forbids whose place is not known and that may be there; else 0."""


@dataclass(frozen=True, slots=True)
class Among:
    """Whether some of these tokens lies on one of these paths (a name, see `Worlds.name`)."""

    tokens: int
    paths: int

    def yes(self, worlds: Worlds) -> Iterator[Alternative]:
        paths = worlds.spread(self.paths)
        for bit in bits(self.tokens):
            yield ((bit, paths),)

    def no(self, worlds: Worlds) -> Iterator[Alternative]:
        yield ((self.tokens, ~worlds.spread(self.paths)),)


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a question."""

    question: Question

    def yes(self, worlds: Worlds) -> Iterable[Alternative]:
        return self.question.no(worlds)

    def no(self, worlds: Worlds) -> Iterable[Alternative]:
        return self.question.yes(worlds)


ALWAYS = Among(0, 1)
"""Marks a condition that is certain; compared by identity, never asked of worlds."""


@dataclass(frozen=True, slots=True)
class _Never:
    def yes(self, worlds: Worlds) -> Iterable[Alternative]:
        return ()

    def no(self, worlds: Worlds) -> Iterable[Alternative]:
        return ((),)


NEVER = _Never()
"""A condition that cannot be."""


@dataclass(slots=True)
class Remembered:
    """The alternatives that were possible last: tried first the next time. No part of what is asked."""

    yes: Alternative | None = None
    no: Alternative | None = None


class Holds(NamedTuple):
    """Some of these cards (a token mask; give VIZ all its three bits) lie at this place."""

    place: int
    mask: int

    @property
    def needs(self) -> str | None:
        return None

    def met(self, table: OpenTable) -> bool:
        return bool(table.hands.get(self.place, 0) & self.mask)

    def ask(self, worlds: Worlds) -> Question:
        tokens = worlds.tokens(self.mask)
        if worlds.known.get(self.place, 0) & tokens:
            return ALWAYS
        return Among(tokens & worlds.hidden, worlds.name(worlds.at(self.place)))

    def unplaced(self, worlds: Worlds) -> int:
        tokens = worlds.tokens(self.mask) & worlds.hidden
        return worlds.could_be(tokens, worlds.at(self.place))


class Elsewhere(NamedTuple):
    """A card is *not* one of those moved unseen: `moved` is what `Table.move` returned then.

    The card must have been seen since, or be seen in the action itself. `why`: the condition in words.
    """

    card: Card
    moved: int
    why: str

    @property
    def needs(self) -> str | None:
        return self.why

    def met(self, table: OpenTable) -> bool:
        return not self.moved & 1 << self.card

    def ask(self, worlds: Worlds) -> Question:
        return Not(Among(worlds.tokens(1 << self.card), self.moved))

    def unplaced(self, worlds: Worlds) -> int:
        return 0


def about(question: Question) -> int | None:
    """The tokens a question is about, None if it does not say."""
    if isinstance(question, Not):
        return about(question.question)
    return question.tokens if isinstance(question, Among) else None


def some(worlds: Worlds, question: Question) -> bool:
    """Whether the question is true in some world."""
    if question is ALWAYS:
        return True
    if isinstance(question, Among):
        return worlds.may_lie(question.tokens, worlds.spread(question.paths))
    return any(worlds.possible(alternative) for alternative in question.yes(worlds))


def none(worlds: Worlds, questions: Sequence[Question]) -> bool:
    """Whether in some world none of the questions is true."""
    if any(question is ALWAYS for question in questions):
        return False
    return any(worlds.possible(together) for together in _product(worlds, questions))


def _product(worlds: Worlds, questions: Sequence[Question]) -> Iterator[Alternative]:
    if not questions:
        yield ()
        return
    for first in questions[0].no(worlds):
        for rest in _product(worlds, questions[1:]):
            yield first + rest


@dataclass(frozen=True, slots=True)
class MayStillHold:
    """A seat may hold some of these cards, and may still lay them in a further line of its exchange (G-9).

    True in the worlds in which it holds one, but never certain: an exchange line is not refused for what
    it leaves out.
    """

    holds: Holds

    @property
    def needs(self) -> str | None:
        return None

    def met(self, table: OpenTable) -> bool:
        return False

    def ask(self, worlds: Worlds) -> Question:
        return Provisional(self.holds.ask(worlds))

    def unplaced(self, worlds: Worlds) -> int:
        return self.holds.unplaced(worlds)


@dataclass(frozen=True, slots=True)
class Provisional:
    """A question that may be answered yes where another is, and never has to be.

    It gives way to the judgement of the whole exchange (G-9), which other questions outlive.
    """

    question: Question

    def yes(self, worlds: Worlds) -> Iterable[Alternative]:
        return ((),) if some(worlds, self.question) else ()

    def no(self, worlds: Worlds) -> Iterable[Alternative]:
        return ((),)
