"""The signs on our own cards, as strokes and polygons: ranks, suits and the letters of JOKER.

A glyph is drawn in a box one unit high, y down; a suit sign round (0, 0), one unit high. Drawing them
ourselves keeps vision free of a font renderer and gives the strokes the even weight of card indices.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Suit
from vision.types import Image

Colour = tuple[int, int, int]
Stroke = tuple[tuple[float, float], ...]
Floats = NDArray[np.float64]
_SHIFT = 4  # fractional bits of OpenCV's drawing coordinates


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Stroke:
    """An elliptic arc; degrees clockwise from the right, as the picture shows it."""
    steps = max(4, int(abs(end - start) / 9))
    turns = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((x + rx * math.cos(a), y + ry * math.sin(a)) for a in turns)


def _turned(strokes: Iterable[Stroke], width: float) -> tuple[Stroke, ...]:
    return tuple(tuple((width - x, 1.0 - y) for x, y in stroke) for stroke in strokes)


_TOP, _LOW = 0.07, 0.93
_SIX = (_arc(0.31, 0.66, 0.24, 0.27, 0, 360), (*_arc(0.47, 0.66, 0.40, 0.59, 180, 268),))
# Each glyph: its width and its strokes.
GLYPHS: dict[str, tuple[float, tuple[Stroke, ...]]] = {
    "0": (0.58, (_arc(0.29, 0.5, 0.22, 0.43, 0, 360),)),
    "1": (0.42, (((0.07, 0.24), (0.26, _TOP), (0.26, _LOW)),)),
    "2": (0.62, ((*_arc(0.31, 0.31, 0.23, 0.24, 195, 400), (0.08, _LOW), (0.56, _LOW)),)),
    "3": (0.62, ((*_arc(0.30, 0.28, 0.21, 0.21, 200, 450), *_arc(0.30, 0.71, 0.25, 0.22, 270, 520)),)),
    "4": (0.64, (((0.45, _LOW), (0.45, _TOP), (0.06, 0.68), (0.6, 0.68)),)),
    "5": (0.62, (((0.52, _TOP), (0.14, _TOP), (0.11, 0.46), *_arc(0.29, 0.65, 0.26, 0.28, 228, 510)),)),
    "6": (0.62, _SIX),
    "7": (0.62, (((0.06, 0.2), (0.06, _TOP), (0.56, _TOP), (0.24, _LOW)),)),
    "8": (0.62, (_arc(0.31, 0.28, 0.19, 0.21, 0, 360), _arc(0.31, 0.71, 0.24, 0.22, 0, 360))),
    "9": (0.62, _turned(_SIX, 0.62)),
    "A": (0.74, (((0.07, _LOW), (0.37, _TOP), (0.67, _LOW)), ((0.17, 0.64), (0.57, 0.64)),
                 ((0.0, _LOW), (0.18, _LOW)), ((0.56, _LOW), (0.74, _LOW)))),
    "K": (0.72, (((0.14, _TOP), (0.14, _LOW)), ((0.6, _TOP), (0.14, 0.58)), ((0.29, 0.43), (0.62, _LOW)),
                 ((0.04, _TOP), (0.24, _TOP)), ((0.04, _LOW), (0.24, _LOW)), ((0.5, _LOW), (0.72, _LOW)))),
    "Q": (0.72, (_arc(0.35, 0.5, 0.28, 0.43, 0, 360), ((0.36, 0.66), (0.68, 1.0)))),
    "J": (0.6, (((0.46, _TOP), (0.46, 0.68), *_arc(0.26, 0.68, 0.2, 0.25, 0, 165)),
                ((0.3, _TOP), (0.6, _TOP)))),
    "T": (0.7, (((0.05, 0.2), (0.05, _TOP), (0.65, _TOP), (0.65, 0.2)), ((0.35, _TOP), (0.35, _LOW)),
                ((0.22, _LOW), (0.48, _LOW)))),
    "D": (0.7, (((0.14, _TOP), (0.14, _LOW)),
                ((0.04, _TOP), *_arc(0.3, 0.5, 0.32, 0.43, -90, 90), (0.04, _LOW)))),
    "V": (0.72, (((0.06, _TOP), (0.36, _LOW), (0.66, _TOP)), ((0.0, _TOP), (0.17, _TOP)),
                 ((0.55, _TOP), (0.72, _TOP)))),
    "O": (0.68, (_arc(0.34, 0.5, 0.27, 0.43, 0, 360),)),
    "E": (0.58, (((0.52, _TOP), (0.12, _TOP), (0.12, _LOW), (0.52, _LOW)), ((0.12, 0.48), (0.44, 0.48)))),
    "R": (0.66, (((0.12, _LOW), (0.12, _TOP), *_arc(0.34, 0.29, 0.22, 0.22, -90, 90), (0.12, 0.51)),
                 ((0.32, 0.51), (0.6, _LOW)))),
}  # fmt: skip
_SPACE = 0.06


def draw_polygon(image: Image, points: Floats, colour: Colour) -> None:
    """Fills a polygon (N×2, pixels, fractions count) in place."""
    fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(image, [fixed], colour, cv2.LINE_AA, _SHIFT)


def draw_line(image: Image, points: Floats, colour: Colour, thickness: float) -> None:
    """Draws an open line (N×2, pixels) in place; thickness in pixels, at least 1."""
    fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
    cv2.polylines(image, [fixed], False, colour, max(1, round(thickness)), cv2.LINE_AA, _SHIFT)


def text_width(text: str, height: float) -> float:
    """The width of a text of GLYPHS set `height` pixels high."""
    return height * (sum(GLYPHS[letter][0] for letter in text) + _SPACE * (len(text) - 1))


def draw_text(
    image: Image, text: str, x: float, y: float, height: float, colour: Colour,
    *, weight: float = 0.15, squeeze: float = 1.0,
) -> None:  # fmt: skip
    """Sets a text with its top left at (x, y), in place; `weight` the stroke's, as a part of the height."""
    for letter in text:
        width, strokes = GLYPHS[letter]
        for stroke in strokes:
            points = np.array(stroke, np.float64) * height * (squeeze, 1.0) + (x, y)
            draw_line(image, points, colour, weight * height)
        x += (width + _SPACE) * height * squeeze


@cache
def _sign(suit: Suit) -> tuple[Floats, ...]:
    """A suit sign's polygons round (0, 0), one unit high."""
    if suit is Suit.DIAMONDS:
        # Four gently hollow sides: arcs of a circle beyond each.
        side = np.linspace(0, 1, 12)[:, None]
        quarter = np.array([0.0, -0.5]) * (1 - side) + np.array([0.4, 0.0]) * side
        quarter = quarter + np.array([-0.78, 0.62]) * 0.16 * side * (1 - side)
        half = np.concatenate([quarter, quarter[::-1] * (1, -1)])
        return (np.concatenate([half, half[::-1] * (-1, 1)]),)
    turn = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    heart = np.stack([
        16 * np.sin(turn) ** 3,
        -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)),
    ], 1)  # fmt: skip
    heart = (heart - (0, 2.5)) / 29.0 * (0.94, 1.0)
    if suit is Suit.HEARTS:
        return (heart,)
    stem = np.array([[0.0, 0.05], [0.05, 0.3], [0.2, 0.5], [-0.2, 0.5], [-0.05, 0.3]])
    if suit is Suit.SPADES:
        return (heart * (0.95, -0.84) - (0, 0.08), stem)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1) * 0.225
    waist = np.array([[-0.12, -0.15], [0.12, -0.15], [0.15, 0.15], [-0.15, 0.15]])
    leaves = [circle + np.array(middle) for middle in ((0, -0.275), (-0.235, 0.08), (0.235, 0.08))]
    return (*leaves, waist, stem)


def draw_sign(
    image: Image, suit: Suit, x: float, y: float, height: float, colour: Colour, *, turned: bool = False
) -> None:
    """Draws a suit sign round (x, y), `height` pixels high, in place; `turned`: upside down."""
    for polygon in _sign(suit):
        draw_polygon(image, polygon * (-height if turned else height) + (x, y), colour)


def outline(points: Sequence[tuple[float, float]]) -> Floats:
    """Corner points as an array that the drawing functions take."""
    return np.array(points, np.float64)
