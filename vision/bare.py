"""What the table looks like where no card lies, as far as it has been seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.light import Factors, Mask, differences, row_light, small_picture
from vision.types import Image, Outline

_CHANGE = 20  # grey levels by which a card differs from the table under it


class BareTable:
    """Remembers the small picture of the table between and under the cards. The pictures it is shown are
    small ones, the outlines in pixels of the whole picture; `scale`: how many of these a small pixel is."""

    def __init__(self) -> None:
        self._picture: Image | None = None
        self._seen: Mask | None = None
        self._compared: tuple[Image, Factors, Mask] | None = None  # the last one asked about

    def follow(self, moved: Callable[[Image], Image], size: tuple[int, int]) -> None:
        """The camera moved: `moved` makes of a picture of `size` (width, height) what would be seen now."""
        if self._picture is None or self._seen is None:
            return
        self._picture = small_picture(moved(np.asarray(cv2.resize(self._picture, size), np.uint8)))
        self._seen = moved_mask(self._seen, moved, size)
        self._compared = None

    def learn(
        self, small: Image, cards: Sequence[Outline], scale: float, hidden: Mask | None = None
    ) -> None:
        """Takes from a settled picture what lies outside the cards and the hidden part."""
        fresh = np.full(small.shape[:2], 255, np.uint8)
        for card in cards:
            _fill(fresh, card, scale, 0)
        fresh = np.asarray(cv2.erode(fresh, np.ones((5, 5), np.uint8)), np.uint8)
        if hidden is not None:
            fresh[hidden > 0] = 0
        if self._picture is None or self._seen is None:
            self._picture, self._seen = small, fresh
            return
        light, _ = self._compare(self._picture, small)
        lit = np.repeat(np.repeat(light[:, None], small.shape[1], axis=1)[:, :, None], 3, axis=2)
        learned = cv2.multiply(self._picture, lit, dtype=cv2.CV_8U)
        self._picture = np.asarray(cv2.copyTo(small, fresh, learned), np.uint8)
        self._seen = np.asarray(cv2.bitwise_or(self._seen, fresh), np.uint8)
        self._compared = None

    def part(self, small: Image, outline: Outline, scale: float) -> float:
        """The part of an outline's inside that shows the bare table; 0 where that was never seen."""
        if self._picture is None or self._seen is None:
            return 0.0
        inside = np.zeros(small.shape[:2], np.uint8)
        _fill(inside, outline, scale, 255)
        bare = cv2.bitwise_and(self._seen, cv2.bitwise_not(self._compare(self._picture, small)[1]))
        return cv2.countNonZero(cv2.bitwise_and(inside, bare)) / max(1, cv2.countNonZero(inside))

    def strange(self, small: Image) -> Mask:
        """Where a picture shows something else than the bare table."""
        if self._picture is None or self._seen is None:
            return np.zeros(small.shape[:2], np.uint8)
        return np.asarray(cv2.bitwise_and(self._seen, self._compare(self._picture, small)[1]), np.uint8)

    def _compare(self, bare: Image, small: Image) -> tuple[Factors, Mask]:
        """By what factor each row is brighter than in the picture of the bare table, and what differs."""
        if self._compared is None or self._compared[0] is not small:
            light = row_light(bare, small)
            self._compared = (small, light, differences(bare, small, light, _CHANGE))
        return self._compared[1:]


def moved_mask(mask: Mask, moved: Callable[[Image], Image], size: tuple[int, int]) -> Mask:
    """A mask of the small picture after the camera moved (see `BareTable.follow`): 255 where it surely is."""
    framed = mask.copy()
    framed[[0, -1]] = framed[:, [0, -1]] = 0  # what comes in over the border was never seen
    large = np.asarray(cv2.resize(cv2.merge([framed] * 3), size), np.uint8)
    inside = cv2.erode(small_picture(moved(large))[:, :, 0], np.ones((3, 3), np.uint8)) == 255
    return np.where(inside, np.uint8(255), np.uint8(0))


def _fill(mask: Mask, outline: Outline, scale: float, value: int) -> None:
    cv2.fillConvexPoly(mask, (outline.corners / scale).round().astype(np.int32), (value,))
