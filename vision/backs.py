"""Face-down cards: a back looks the same upside down and in a mirror, and shows little bare paper.

A court's face is the same upside down but not in a mirror; pips stand on paper. Where a back's pattern
is too fine to be seen it is one colour within a pale margin. Only an outline in which no index was found
is asked: one of neither kind is neither back nor face.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

_SIZE = (44, 62)  # pixels, width and height, in which a back's pattern is compared
_PRINT = 9.0  # deviation in grey levels from which a pattern can be compared
_ALIKE = 0.75  # correlation with the mirrored picture: courts stay below 0.7
_PAPER = 0.55  # the part of bare paper, most of a number card's face, that no back has
_SHIFTS = (-1, 0, 1)  # pixels the turned picture may be off: outlines are not exact
_PALER = 30.0  # grey levels by which the margin of a finely patterned back is paler than its middle


def is_back(upright: Image, margin: int) -> bool:
    """Whether a card, upright in a picture with `margin` pixels around it, lies face down."""
    height, width = upright.shape[:2]
    across, down = width - 2 * margin, height - 2 * margin
    left, top = round(margin + 0.09 * across), round(margin + 0.08 * down)
    inner = upright[top : height - top, left : width - left]
    small = cv2.resize(inner, _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    pattern = cv2.GaussianBlur(small, (0, 0), 1.0) - cv2.GaussianBlur(small, (0, 0), 9.0)
    if float(pattern.std()) < _PRINT:
        return _framed(upright, margin, small)
    turned = (pattern[::-1, ::-1], pattern[:, ::-1], pattern[::-1])
    return _paper(small) < _PAPER and min(_alike(pattern, other) for other in turned) > _ALIKE


def _paper(small: NDArray[np.float32]) -> float:
    """The part of a card that is as pale as its palest."""
    grey = small.min(axis=2)
    return float((grey > 0.8 * np.percentile(grey, 97)).mean())


def _framed(upright: Image, margin: int, small: NDArray[np.float32]) -> bool:
    """Whether a card of one colour has a paler margin on all four sides."""
    darkest = upright.min(axis=2).astype(np.float32)
    deep = margin + round(0.03 * (upright.shape[0] - 2 * margin))
    band, between = slice(margin, deep), slice(deep, -deep)
    strips = (
        darkest[band, between].max(axis=0), darkest[::-1][band, between].max(axis=0),
        darkest[between, band].max(axis=1), darkest[between, ::-1][:, band].max(axis=1),
    )  # fmt: skip
    middle = float(np.median(small.min(axis=2)))
    return all(float(np.median(strip)) > middle + _PALER for strip in strips)


def _alike(pattern: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The correlation of two patterns at the best of a few shifts."""
    middle = pattern[2:-2, 2:-2].ravel()
    rows, cols = other.shape[:2]
    return max(
        float(np.corrcoef(middle, other[2 + y : rows - 2 + y, 2 + x : cols - 2 + x].ravel())[0, 1])
        for y in _SHIFTS
        for x in _SHIFTS
    )
