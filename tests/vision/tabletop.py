"""A plain drawn table for the tests: white cards with print of their own on a green cloth, hands, noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.cards import Card
from vision.geometry import TableGeometry, outline_at, with_seats
from vision.types import Frame, Image, Outline, Reading

SIZE = (640, 360)
# A table 800 mm wide, seen straight from above.
GEOMETRY = with_seats(TableGeometry(SIZE, (1.25, 0, -400, 0, 1.25, -225, 0, 0, 1)), 4)


@dataclass(frozen=True)
class Lying:
    """A card with its middle in millimetres and its angle in degrees clockwise."""

    card: Card
    x: float
    y: float
    degrees: float = 0.0
    up: bool = True

    @property
    def outline(self) -> Outline:
        return outline_at(GEOMETRY, self.x, self.y, self.degrees)


def picture(
    cards: Sequence[Lying] = (),
    hand: tuple[float, float, float] | None = None,
    light: float = 1.0,
    noise: int = 0,
    shift: tuple[float, float] = (0, 0),
) -> Image:
    """The table from above. `hand`: an arm in from seat's direction (dx, dy) reaching to `reach` mm."""
    image = np.full((SIZE[1], SIZE[0], 3), (60, 110, 50), np.uint8)
    for x, y in [(30, 30), (610, 30), (30, 330), (610, 330), (320, 25), (320, 335)]:  # like a mat's markers
        cv2.rectangle(image, (x - 12, y - 12), (x + 12, y + 12), (240, 240, 240), -1)
        cv2.rectangle(image, (x - 8, y - 6), (x + 3, y + 8), (20, 20, 20), -1)
    for lying in cards:
        _draw(image, lying)
    if hand is not None:
        dx, dy, reach = hand
        start = GEOMETRY.to_picture(np.array([[dx * 600, dy * 600]]))[0]
        end = GEOMETRY.to_picture(np.array([[dx * reach, dy * reach]]))[0]
        cv2.line(image, start.astype(int).tolist(), end.astype(int).tolist(), (120, 150, 205), 44)
    if shift != (0, 0):
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
        image = np.asarray(cv2.warpAffine(image, move, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    rough = np.random.default_rng(noise).normal(0, 3, image.shape)
    return np.clip(image * light + rough, 0, 255).astype(np.uint8)


def _draw(image: Image, lying: Lying) -> None:
    face = np.full((176, 126, 3), 245 if lying.up else 235, np.uint8)
    if lying.up:  # a print of blocks that is every card's own
        bits = np.random.default_rng(int(lying.card)).random((7, 5)) < 0.4
        for row, col in zip(*np.nonzero(bits), strict=True):
            colour = (30, 30, 200) if lying.card.suit.red else (25, 25, 25)
            cv2.rectangle(face, (12 + 21 * col, 15 + 21 * row), (26 + 21 * col, 29 + 21 * row), colour, -1)
    else:
        face[10:-10, 10:-10] = (150, 60, 30)
    cv2.rectangle(face, (0, 0), (125, 175), (150, 150, 150), 2)
    source = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, lying.outline.corners)
    laid = cv2.warpPerspective(face, matrix, SIZE, flags=cv2.INTER_AREA)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, lying.outline.corners.round().astype(np.int32), (255,))
    image[mask > 0] = laid[mask > 0]


class Film:
    """Frames at ten a second, each with noise of its own."""

    def __init__(self) -> None:
        self.number = 0

    def frame(self, image: Image) -> Frame:
        self.number += 1
        return Frame(self.number / 10, image, self.number)

    def show(
        self, cards: Sequence[Lying] = (), count: int = 1, light: float = 1.0,
        hand: tuple[float, float, float] | None = None, shift: tuple[float, float] = (0, 0),
    ) -> list[Frame]:  # fmt: skip
        return [self.frame(picture(cards, hand, light, self.number, shift)) for _ in range(count)]


class KnowingReader:
    """Reads a card by knowing what lies where; what is nowhere near an outline is not read."""

    def __init__(self, confidence: float = 0.99) -> None:
        self.cards: tuple[Lying, ...] = ()
        self.confidence = confidence

    def read_card(self, image: Image, outline: Outline) -> Reading:
        for lying in reversed(self.cards):
            if distance(outline, lying.outline) < 5:
                if not lying.up:
                    return Reading(outline, (), "down")
                return Reading(outline, ((lying.card, self.confidence),))
        return Reading(outline, (), "unread")

    def read_picture(self, image: Image, card_px: float | None = None) -> tuple[Reading, ...]:
        return tuple(self.read_card(image, lying.outline) for lying in self.cards)


def distance(a: Outline, b: Outline) -> float:
    """The furthest any corner is off, whichever end is called the top."""
    return min(float(np.abs(np.roll(a.corners, n, axis=0) - b.corners).max()) for n in (0, 2))
