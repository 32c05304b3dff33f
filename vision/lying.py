"""Cards that lie on the table, over and beside each other: same place, still there, which is on top."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Mask
from vision.outline import find_outlines
from vision.settle import Settled
from vision.types import Image, Outline, Reading

_CHANGED = 0.15  # the part of a card that must differ before it is asked whether it is gone
_ALIKE = 0.75  # correlation above which a card is the same in another light
_BLANK = 5.0  # deviation in grey levels below which a part of a picture shows nothing
_SEEN = 0.08  # of a card: with less of it in sight nobody can tell


def polygon(outline: Outline, settled: Settled, shrink: float = 0.0) -> Mask:
    """A card's shape in the small picture of a settled one, 255 inside."""
    corners = outline.corners.astype(np.float64)
    middle = corners.mean(axis=0)
    corners = (middle + (corners - middle) * (1 - shrink)) / settled.scale
    mask = np.zeros(settled.changed.shape, np.uint8)
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), (255,))
    return mask


def same_place(a: Outline, b: Outline) -> float:
    """Intersection over union of two outlines."""
    one, other = a.corners.astype(np.float32), b.corners.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(one, other)
    either = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / either) if either > 0 else 0.0


def covers(masks: Sequence[Mask], shape: Mask) -> float:
    """The part of a shape that some masks cover together."""
    together = np.zeros_like(shape)
    for mask in masks:
        together |= mask
    return cv2.countNonZero(together & shape) / max(1, cv2.countNonZero(shape))


def covered_part(outline: Outline, others: Sequence[Outline]) -> float:
    """The part of an outline that others cover together."""
    low = outline.corners.min(axis=0)
    size = np.ceil((outline.corners.max(axis=0) - low) / 2).astype(int) + 1

    def shape(each: Outline) -> Mask:
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(mask, ((each.corners - low) / 2).round().astype(np.int32), (255,))
        return mask

    return covers([shape(other) for other in others], shape(outline))


def still_there(settled: Settled, outlines: Sequence[Outline], n: int, landed: Sequence[Mask]) -> bool:
    """Whether the nth of the known cards, the undermost first, lies where it lay.

    Only the part is asked that was in sight before and is not covered by cards that `landed`, or a
    hand. Where that is next to nothing, the card is taken to be there.
    """
    whole, seen = _in_sight(settled, outlines, n, landed)
    size = cv2.countNonZero(seen)
    if size < max(6.0, _SEEN * cv2.countNonZero(whole)):
        return True
    part = cv2.countNonZero(cv2.bitwise_and(seen, settled.changed)) / size
    if part < (_CHANGED if size < 0.4 * cv2.countNonZero(whole) else 0.3 * _CHANGED):
        return True
    old, new = (_greys(image, outlines[n], seen, settled.scale) for image in (settled.before, settled.after))
    if min(old.std(), new.std()) < _BLANK:  # nothing to correlate, unless print has gone or come
        return part < 0.35 and max(old.std(), new.std()) < 1.6 * _BLANK
    return float(np.corrcoef(old, new)[0, 1]) > _ALIKE


def changed_part(settled: Settled, outlines: Sequence[Outline], n: int, landed: Sequence[Mask]) -> float:
    """The part of the nth card that differs, where it was and is in sight; 0 where half of it is not."""
    whole, seen = _in_sight(settled, outlines, n, landed)
    size = cv2.countNonZero(seen)
    if size < 0.5 * cv2.countNonZero(whole):
        return 0.0
    return cv2.countNonZero(cv2.bitwise_and(seen, settled.changed)) / size


def in_sight(settled: Settled, outlines: Sequence[Outline], n: int, landed: Sequence[Mask]) -> float:
    """The part of the nth card that neither the cards above it cover nor those that landed, nor a hand."""
    whole, seen = _in_sight(settled, outlines, n, landed)
    return cv2.countNonZero(seen) / max(1, cv2.countNonZero(whole))


def _in_sight(
    settled: Settled, outlines: Sequence[Outline], n: int, landed: Sequence[Mask]
) -> tuple[Mask, Mask]:
    """The nth card's shape, and the part of it that was in sight before and is not covered now."""
    whole = polygon(outlines[n], settled, shrink=0.06)
    seen = whole.copy()
    for above in outlines[n + 1 :]:
        seen[polygon(above, settled, shrink=-0.04) > 0] = 0
    for mask in (*landed, settled.hidden):
        seen[cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0] = 0
    return whole, seen


def _greys(image: Image, outline: Outline, seen: Mask, scale: float) -> NDArray[np.float64]:
    """The grey levels, at about half size, of the part of a card that is in sight."""
    step = max(1, round(scale / 2))
    height, width = image.shape[:2]
    left, top = np.clip(outline.corners.min(axis=0).astype(int), 0, (width - 1, height - 1))
    right, bottom = np.clip(outline.corners.max(axis=0).astype(int) + 1, 1, (width, height))
    grey = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (5, 5), 0)[::step, ::step]
    ys = np.minimum((np.arange(top, bottom, step) / scale).astype(int), seen.shape[0] - 1)
    xs = np.minimum((np.arange(left, right, step) / scale).astype(int), seen.shape[1] - 1)
    inside = seen[np.ix_(ys, xs)] > 0
    values = grey[inside].astype(np.float64)
    return values if len(values) > 1 else np.zeros(2)


def in_order(image: Image, readings: Sequence[Reading]) -> list[Reading]:
    """Readings of one picture, cards that others cover first: those whose outline is least seen whole."""
    if len(readings) < 2:
        return list(readings)
    outlines = find_outlines(image)

    def seen(reading: Reading) -> float:
        # The place of its first index is the surest thing known about a card that was read.
        corners = reading.outline.corners
        x, y = corners[0] + 0.12 * (corners[2] - corners[0])
        around = [
            outline.visible
            for outline in outlines
            if cv2.pointPolygonTest(outline.corners.astype(np.float32), (float(x), float(y)), False) >= 0
        ]
        return max(around, default=0.0)

    return sorted(readings, key=seen)
