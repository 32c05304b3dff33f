"""The frozen values that pass between the stages of vision, and from vision to the appliance.

frame → settled picture → outlines → readings → table events. Images are OpenCV's: H×W×3, BGR, uint8.
Picture coordinates are in pixels, x to the right and y down, (0, 0) the centre of the top left pixel.
Table coordinates are in millimetres from the middle of the table, same directions, as the camera sees it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card

Image: TypeAlias = NDArray[np.uint8]
Points: TypeAlias = NDArray[np.float32]  # N×2

CARD_WIDTH_MM = 63.0
CARD_HEIGHT_MM = 88.0


class Joker(Enum):
    """A joker before a deck was taught: whether it is the Imperatorius is not printed on it."""

    JOKER = "JOKER"


Face: TypeAlias = Card | Joker


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a source. `t` in seconds from the source's start, on its own clock."""

    t: float
    image: Image
    number: int


@dataclass(frozen=True, eq=False)
class Outline:
    """A card's outline: `corners` 4×2, clockwise from the card's top left as its index reads.

    Which of the two ends is the top may be arbitrary before the card is read. `visible`: the part
    of the outline that was seen rather than deduced, 0 to 1.
    """

    corners: Points
    visible: float = 1.0


@dataclass(frozen=True, eq=False)
class Reading:
    """What a picture says, alone, about one card.

    `scores`: the calibrated probabilities of the likeliest faces, best first; what is missing to 1
    is spread over all others. `face` 'up', 'down' (a back) or 'unread' (a card, not readable).
    """

    outline: Outline
    scores: tuple[tuple[Face, float], ...]
    side: Literal["up", "down", "unread"] = "up"

    @property
    def card(self) -> Face | None:
        return self.scores[0][0] if self.side == "up" and self.scores else None

    @property
    def confidence(self) -> float:
        return self.scores[0][1] if self.side == "up" and self.scores else 0.0


EventName: TypeAlias = Literal[
    "placed", "removed", "revealed", "moved", "hand_in", "hand_out", "moved_camera", "moved_far",
    "too_dark", "light_back", "glare", "glare_gone", "object", "object_gone", "card_outside", "card_inside",
    "camera_lost", "camera_back",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class TableEvent:
    """Something that happened on the table (contract, section 6).

    `area`: the play area of the geometry it happened in ("seat1", "center", "stock" …) or None.
    `seat`: by whom, from the side the hand came, else from the area; None if neither tells.
    `reading`: for placed and revealed. `card`, `confidence`: the reading given what is physically
    possible (each card once, cards of the pack), never what the rules of a game would like.
    `picture`: the settled picture that proves it, or None.
    """

    t: float
    event: EventName
    card: Face | None = None
    confidence: float = 0.0
    area: str | None = None
    seat: int | None = None
    reading: Reading | None = None
    picture: Image | None = field(default=None, repr=False)
