"""What the readings of one picture say of each other.

The cards of a picture are of like size, and print within a card is no other card. So a doubtful reading
is dropped that is much smaller or larger than the sure ones, and one all of whose indices lie on a card
that was read surely by both its ends: they are its art. A deck has each card once: a doubtful twin of a
sure one is rather something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.finder import Index
from vision.types import Reading

_SURE = 0.9  # readings from here on say how large a card is and where one lies
_UNLIKE = 1.8  # how many times smaller or larger a doubtful reading may not be
_TWIN = 0.1  # how likely a deck's card is there twice, against once and misread


def plausible(found: Sequence[tuple[Reading, Sequence[Index]]]) -> list[Reading]:
    """The readings, each with its indices, that can be cards beside the sure ones; those are all kept."""
    sure = [reading for reading, _ in found if reading.confidence >= _SURE]
    sizes = [_height(reading) for reading in sure]
    kept = []
    for reading, indices in found:
        if sure and reading.confidence < _SURE:
            if not min(sizes) / _UNLIKE < _height(reading) < max(sizes) * _UNLIKE:
                continue
            if len(indices) > 1 and any(_on(indices, other) for other in sure if other.outline.visible == 1):
                continue
        kept.append(reading)
    return kept


def with_twins_lowered(readings: Sequence[Reading]) -> list[Reading]:
    """The readings, those doubtful of a card that was read surely elsewhere less so (decks may be mixed)."""
    sure = {reading.card for reading in readings if reading.confidence >= _SURE}
    return [
        _lowered(reading) if reading.card in sure and reading.confidence < _SURE else reading
        for reading in readings
    ]


def _lowered(reading: Reading) -> Reading:
    first, *others = reading.scores
    total = first[1] * _TWIN + 1 - first[1]
    scores = [(first[0], first[1] * _TWIN / total), *((face, score / total) for face, score in others)]
    return replace(reading, scores=tuple(sorted(scores, key=lambda pair: -pair[1])))


def _height(reading: Reading) -> float:
    corners = reading.outline.corners
    return float(np.linalg.norm(corners[0] - corners[3]))


def _on(indices: Sequence[Index], card: Reading) -> bool:
    """Whether all of some indices lie on a card."""
    corners = card.outline.corners.astype(np.float32)
    return all(cv2.pointPolygonTest(corners, (index.x, index.y), False) >= 0 for index in indices)
