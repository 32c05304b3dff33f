"""What the table looks like where no card lies, as far as it has been seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Mask, differences, row_light, small_picture
from vision.types import Image, Outline

_CHANGE = 20  # grey levels by which a card differs from the table under it


class BareTable:
    """Remembers the small picture of the table between and under the cards."""

    def __init__(self) -> None:
        self._picture: Image | None = None
        self._seen: NDArray[np.bool_] | None = None

    def follow(self, moved: Callable[[Image], Image], size: tuple[int, int]) -> None:
        """The camera moved: `moved` makes of a picture of `size` (width, height) what would be seen now."""
        if self._picture is None or self._seen is None:
            return
        self._picture = small_picture(moved(np.asarray(cv2.resize(self._picture, size), np.uint8)))
        known = np.where(self._seen, np.uint8(255), np.uint8(0))
        self._seen = moved_mask(known, moved, size) > 0

    def learn(self, image: Image, cards: Sequence[Outline], hidden: Mask | None = None) -> None:
        """Takes from a settled picture what lies outside the cards and the hidden part."""
        small = small_picture(image)
        free = np.full(small.shape[:2], 255, np.uint8)
        for card in cards:
            free &= ~_shape(card, image, small)
        free = np.asarray(cv2.erode(free, np.ones((5, 5), np.uint8)), np.uint8)
        if hidden is not None:
            free[hidden > 0] = 0
        fresh = free > 0
        if self._picture is None or self._seen is None:
            self._picture, self._seen = small, fresh
            return
        light = row_light(self._picture, small)
        self._picture = np.asarray(
            cv2.convertScaleAbs(self._picture.astype(np.float32) * light[:, None, None]), np.uint8
        )
        self._picture[fresh] = small[fresh]
        self._seen |= fresh

    def part(self, image: Image, outline: Outline) -> float:
        """The part of an outline's inside that shows the bare table; 0 where that was never seen."""
        if self._picture is None or self._seen is None:
            return 0.0
        small = small_picture(image)
        inside = _shape(outline, image, small) > 0
        differs = differences(self._picture, small, row_light(self._picture, small), _CHANGE) > 0
        return float((inside & self._seen & ~differs).sum() / max(1, inside.sum()))

    def strange(self, image: Image) -> Mask:
        """Where a picture shows something else than the bare table, in the small picture's size."""
        small = small_picture(image)
        if self._picture is None or self._seen is None:
            return np.zeros(small.shape[:2], np.uint8)
        differs = differences(self._picture, small, row_light(self._picture, small), _CHANGE)
        return np.where(self._seen, differs, np.uint8(0)).astype(np.uint8)


def moved_mask(mask: Mask, moved: Callable[[Image], Image], size: tuple[int, int]) -> Mask:
    """A mask of the small picture after the camera moved (see `BareTable.follow`): 255 where it surely is."""
    framed = mask.copy()
    framed[[0, -1]] = framed[:, [0, -1]] = 0  # what comes in over the border was never seen
    large = np.asarray(cv2.resize(cv2.merge([framed] * 3), size), np.uint8)
    inside = cv2.erode(small_picture(moved(large))[:, :, 0], np.ones((3, 3), np.uint8)) == 255
    return np.where(inside, np.uint8(255), np.uint8(0))


def _shape(outline: Outline, image: Image, small: Image) -> Mask:
    mask = np.zeros(small.shape[:2], np.uint8)
    corners = outline.corners * (small.shape[1] / image.shape[1])
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), (255,))
    return mask
