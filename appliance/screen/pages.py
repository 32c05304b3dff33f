"""What the views beside the table show, each as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from appliance.screen.model import NO_HINTS, Hints, Picture, Shown, Tone
from engine.cards import Card


@dataclass(frozen=True)
class Row:
    """A line to choose: what it is, and the value it has."""

    label: str
    value: str = ""


@dataclass(frozen=True)
class Menu:
    """Lines to choose among: the start, the games, options, settings."""

    title: str
    rows: tuple[Row, ...]
    chosen: int = 0
    text: str = ""
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Spelling:
    """A name spelt letter by letter. `letters`: what can be chosen, `text` what has been spelt."""

    title: str
    text: str
    letters: tuple[str, ...]
    chosen: int = 0
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Evidence:
    """A moment: what happened, its card, and its picture if it was kept."""

    words: str
    cards: tuple[Card, ...] = ()
    picture: Picture | None = None


@dataclass(frozen=True)
class Verdict:
    """An action against the rules: who did what, the rule, the moment (of a proof: also what proved it),
    and what can be done."""

    tone: Tone
    title: str
    rule: str | None
    short: str
    text: str
    moments: tuple[Evidence, ...]
    answers: tuple[str, ...]
    chosen: int = 0
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class AskCard:
    """Which card is it? `cards`: what can be chosen; None stands for `nothing`, its words."""

    title: str
    cards: tuple[Card | None, ...]
    nothing: str
    chosen: int = 0
    picture: Picture | None = None
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Dispute:
    """One action of the deal, looked at again. `answer`: in large, when it was asked whether it was lawful.
    `standing`: "legal", "illegal", "open" or "back" (taken back)."""

    title: str
    place: str
    moment: Evidence
    who: str
    standing: str
    verdict: str
    rule: str | None = None
    rule_text: str = ""
    proof: str = ""
    answer: str = ""
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class HandCheck:
    """A hand laid open. `text`: how many cards there should be, or what came of it."""

    title: str
    text: str
    cards: tuple[Card, ...]
    places: int
    complete: bool
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Side:
    """A player or a pair in a result: the points of the deal and of the match, the rank of its stars."""

    name: str
    gained: int
    total: int
    stars: bool = False
    rank: str = ""
    won: bool = False


@dataclass(frozen=True)
class DealResult:
    """How a deal came out."""

    title: str
    deal: str
    sides: tuple[Side, ...]
    text: str = ""
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class MatchResult:
    """How a match came out. `course`: of each side the total after every deal."""

    title: str
    sides: tuple[Side, ...]
    course: tuple[tuple[int, ...], ...]
    axis: str
    answers: tuple[str, ...]
    chosen: int = 0
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Calibration:
    """The table as the camera sees it. `good`: None while nothing has been measured."""

    title: str
    text: str
    good: bool | None
    picture: Picture | None
    no_picture: str
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Teach:
    """A deck that is being taught: which of its cards are known, and what is under the camera: `card` is what
    it is taken for. `count`: so many are known. `choices`: what it can be, in the order of the buttons."""

    title: str
    count: str
    text: str
    cards: tuple[Card, ...]
    taught: frozenset[Card]
    card: Card | None
    picture: Picture | None = None
    hints: Hints = NO_HINTS
    choices: tuple[Card, ...] = ()


@dataclass(frozen=True)
class RulePage:
    """A rule of a game in full."""

    title: str
    place: str
    number: str
    text: str
    example: str
    hints: Hints = NO_HINTS


@dataclass(frozen=True)
class Check:
    """A line of the diagnostics. `good`: None for what is only told."""

    label: str
    value: str
    good: bool | None = None


@dataclass(frozen=True)
class About:
    """What this machine is and how it is; `first`: the line at the top."""

    title: str
    checks: tuple[Check, ...]
    first: int = 0
    hints: Hints = NO_HINTS


Page: TypeAlias = (
    Shown | Menu | Spelling | Verdict | AskCard | Dispute | HandCheck | DealResult | MatchResult
    | Calibration | Teach | RulePage | About
)  # fmt: skip
"""What a screen can show."""


@dataclass(frozen=True)
class Touch:
    """A finger on the screen, as the buttons that do what it pointed at on `page`."""

    page: Page
    buttons: tuple[str, ...]


def asks_the_same(one: Page | None, other: Page | None) -> bool:
    """Whether two pages put the same question, so that a finger put on the one can answer the other."""
    if isinstance(one, Shown) and isinstance(other, Shown):
        return (one.choice, one.banner) == (other.choice, other.banner)
    if isinstance(one, AskCard | Calibration | Teach) and isinstance(other, AskCard | Calibration | Teach):
        return replace(one, picture=None) == replace(other, picture=None)
    return one == other
