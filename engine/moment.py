"""What is known of a deal in progress: its actions as judged so far, and what a takeback restores."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.conditions import Question
from engine.deal import Deal, Outcome
from engine.worlds import Worlds

Asked = tuple[tuple[str, Question], ...]
"""The rules an action may have broken, lowest first, each with the question whether it did."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An action with its verdict (contract, section 4). `seat` and the rest as in the results there."""

    line: int
    seat: int | None
    action: str
    verdict: str
    final: str
    rule: str | None = None
    needs_void: tuple[Card, ...] = ()
    needs: str | None = None
    settled_by: int | None = None
    stands: bool = False
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """What does not change of an entry once it is made."""

    line: int
    seat: int | None
    text: str
    verb: str
    verdict: str
    needs_void: tuple[Card, ...] = ()
    needs: str | None = None
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """What may change of an entry: the rules in question, how it came out (None: open), and by which line."""

    asked: Asked
    final: str | None
    settled_by: int | None = None


@dataclass(slots=True)
class Moment:
    """What a takeback restores at one stroke.

    `asked_at`: the evidence all open cases were asked about. `tidy_at`: how many paths were left when
    what is over was last forgotten.
    """

    deal: Deal
    worlds: Worlds
    begun: bool
    broken_off: bool
    open: tuple[int, ...] = ()
    violations: tuple[tuple[int, str, Outcome | None], ...] = ()
    asked_at: int = 0
    tidy_at: int = 0

    def copy(self) -> Moment:
        return Moment(
            self.deal.copy(), self.worlds.copy(), self.begun, self.broken_off, self.open, self.violations,
            self.asked_at, self.tidy_at,
        )  # fmt: skip

    @property
    def imposed(self) -> tuple[str, Outcome | None] | None:
        """What a violation did to the deal (G-4): the first whose effect is not `stand`."""
        for _, effect, outcome in self.violations:
            if effect != "stand":
                return effect, outcome
        return None

    @property
    def over(self) -> bool:
        return self.deal.outcome is not None or self.broken_off or self.imposed is not None

    @property
    def outcome(self) -> Outcome | None:
        """How the deal came out, None while it is undecided, voided or broken off."""
        if self.broken_off:
            return None
        imposed = self.imposed
        return self.deal.outcome if imposed is None else imposed[1]
