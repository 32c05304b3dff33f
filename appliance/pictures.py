"""The last pictures of cards that became lines, in memory: what a line was read from, and as what else."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import cv2
import numpy as np

from appliance.screen.model import Picture
from engine.cards import Card
from vision.types import Face, Image, Points, Reading, TableEvent

KEPT = 64
MARGIN = 0.15  # of the card's size, around it
LARGEST_PX = 240


@dataclass(frozen=True)
class Seen:
    """What a line was read from. `corners`: of the card, in the pixels of `picture`."""

    picture: Picture | None
    corners: Points
    scores: tuple[tuple[Face, float], ...]


class Pictures:
    """A ring of fixed size: the oldest goes when a new one comes."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lines: OrderedDict[int, Seen] = OrderedDict()

    def keep(self, line: int, event: TableEvent) -> None:
        """Keeps what a line was read from."""
        reading = event.reading
        if reading is None:
            return
        cut, corners = None, reading.outline.corners
        if event.picture is not None:
            cut, corners = _cut(event.picture, reading)
        self._lines.pop(line, None)
        self._lines[line] = Seen(None if cut is None else Picture(cut), corners, reading.scores)
        while len(self._lines) > self._kept:
            self._lines.popitem(last=False)

    def seen(self, line: int) -> Seen | None:
        """All that is known of how a line was read."""
        return self._lines.get(line)

    def picture(self, line: int) -> Picture | None:
        """The card as it was seen."""
        seen = self._lines.get(line)
        return None if seen is None else seen.picture

    def likely(self, line: int) -> tuple[Card, ...]:
        """What it can have been, the likeliest first."""
        seen = self._lines.get(line)
        return () if seen is None else tuple(card for card, _ in seen.scores if isinstance(card, Card))

    def clear(self) -> None:
        """Another match begins."""
        self._lines.clear()


def cropped(picture: Image, reading: Reading) -> Image | None:
    """A card cut out of a picture, with a margin, made smaller if it is large; None if it lies outside."""
    return _cut(picture, reading)[0]


def _cut(picture: Image, reading: Reading) -> tuple[Image | None, Points]:
    """The card cut out, and its corners there."""
    corners = np.asarray(reading.outline.corners, np.float64)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = MARGIN * float((high - low).max())
    height, width = picture.shape[:2]
    x0, y0 = np.maximum(np.floor(low - margin), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(high + margin), (width, height)).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None, reading.outline.corners
    part = picture[y0:y1, x0:x1]
    scale = LARGEST_PX / max(part.shape[:2])
    if scale >= 1:
        return part.copy(), (corners - (x0, y0)).astype(np.float32)
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    moved = (corners - (x0, y0) + 0.5) * (size[0] / part.shape[1], size[1] / part.shape[0]) - 0.5
    return small, moved.astype(np.float32)
