"""A flattened card laid exactly on what it is held to be.

Its outline may be a few millimetres or degrees off, as on a heap of white cards; then ♠ and ♣ are hardly to
be told apart.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.flat import COLUMNS, FLAT_HEIGHT, FLAT_WIDTH, ROWS, Floats
from vision.types import Image

_ITERATIONS, _ENOUGH = 30, 1e-4
_BLUR = 5  # pixels of the picture that is aligned: wide enough to find a pip a quarter of its width away
_FARTHEST = 9.0  # millimetres a corner may be moved: an outline is not further off
_EVERYWHERE = np.full((ROWS, COLUMNS), 255, np.uint8)
_SCALE = np.array([FLAT_WIDTH / COLUMNS, FLAT_HEIGHT / ROWS])


def aligned(
    flat: Image, seen: Floats, art: Floats, start: tuple[int, int], covered: Floats | None = None
) -> tuple[Image, Floats] | None:
    """A flattened card moved, turned and stretched a little so that it lies on some art, and where its
    corners were before (4×2, its pixels); None if it does not lie on it.

    `seen`: the card's descriptor, `art` that of the card that it may be, both the same
    way up; `start`: columns and rows by which the descriptor is to be moved first;
    `covered`: 8×8, the parts of the picture that something lies over.
    """
    template, moving = (np.asarray(each.mean(axis=2), np.float32) for each in (art, seen))
    warp = np.array([[1, 0, start[0]], [0, 1, start[1]]], np.float32)
    mask = _EVERYWHERE
    if covered is not None:
        free = np.where(covered < 0.5, np.uint8(255), np.uint8(0))
        mask = np.asarray(cv2.resize(free, (COLUMNS, ROWS), interpolation=cv2.INTER_NEAREST), np.uint8)
    try:
        _, found = cv2.findTransformECC(
            template, moving, warp, cv2.MOTION_AFFINE,
            (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ITERATIONS, _ENOUGH), mask, _BLUR,
        )  # fmt: skip
    except cv2.error:  # nothing in common, or no print
        return None
    moved_by = np.asarray(found, np.float64)
    corners = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]], np.float64)
    moved = corners @ moved_by[:, :2].T + moved_by[:, 2]
    if not np.isfinite(moved).all() or np.linalg.norm(moved - corners, axis=1).max() > _FARTHEST:
        return None
    whole = moved_by.copy()
    whole[:, :2] = whole[:, :2] * _SCALE[:, None] / _SCALE[None, :]
    whole[:, 2] *= _SCALE
    picture = cv2.warpAffine(
        flat, whole, (FLAT_WIDTH, FLAT_HEIGHT),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    edge = np.array([[0, 0], [FLAT_WIDTH, 0], [FLAT_WIDTH, FLAT_HEIGHT], [0, FLAT_HEIGHT]]) - 0.5
    return np.asarray(picture, np.uint8), np.asarray(edge @ whole[:, :2].T + whole[:, 2], np.float32)
