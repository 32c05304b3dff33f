"""What the screen shows, as one frozen value: views draw it and know nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.cards import Card
from engine.view import View
from vision.types import Image


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture of the camera; one is equal only to itself."""

    pixels: Image


@dataclass(frozen=True)
class Hints:
    """What the five buttons do now, in a word or two each; empty: nothing."""

    up_down: str = ""
    ok: str = ""
    back: str = ""
    dispute: str = ""


NO_HINTS = Hints()


class Tone(Enum):
    """How a banner is meant."""

    WRONG = "wrong"
    PROVED = "proved"
    GOOD = "good"
    NEWS = "news"


@dataclass(frozen=True)
class Banner:
    """A message across the screen. `rule`: the number it cites, `text` its words or what to do.
    `seats`: whom it is about, for the lamps."""

    tone: Tone
    title: str
    text: str = ""
    rule: str | None = None
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A question with answers to choose among by button; `cards`: drawn beside the answers."""

    title: str
    answers: tuple[str, ...]
    chosen: int = 0
    cards: tuple[Card | None, ...] = ()


@dataclass(frozen=True)
class Doubt:
    """An action that may yet turn out illegal: who did it, and its cards."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Shown:
    """Everything on the table view. `waiting`: the line that says what the table waits for.
    `troubles`: hardware that has failed, a line each. `doubts`: the actions still open. `hints`: what the
    buttons do, below the table if there are any."""

    view: View
    game_name: str
    banner: Banner | None = None
    choice: Choice | None = None
    waiting: str = ""
    troubles: tuple[str, ...] = field(default=())
    doubts: tuple[Doubt, ...] = ()
    hints: Hints = NO_HINTS
