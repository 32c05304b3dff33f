"""A card laid flat: its picture, what of it lies under others, and its local contrast, by which art is told.

Each channel is set against its own surroundings. Exposure, tint and uneven light fall out of that, what is
printed stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image, Outline

Floats: TypeAlias = NDArray[np.float32]

FLAT_WIDTH, FLAT_HEIGHT = 128, 176  # pixels of a flattened card: two a millimetre, a little wider than true
ROWS, COLUMNS = 88, 64  # of a descriptor: one pixel a millimetre
BLOCK_ROWS, BLOCK_COLUMNS = 11, 8  # of it: 8×8 blocks; a rank fills one, its suit the one below
DOWN, ACROSS = ROWS // BLOCK_ROWS, COLUMNS // BLOCK_COLUMNS
EDGE = 2  # descriptor pixels at the border that are not compared: the table, or the card's own shadow
_AROUND = 6.0  # sigma of the surroundings, descriptor pixels: about a pip


def flattened(image: Image, outline: Outline) -> Image:
    """The card inside an outline as a picture of 176×128 pixels, whichever end is the top."""
    size = np.array([FLAT_WIDTH, FLAT_HEIGHT], np.float32)
    target = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size - 0.5
    source = np.asarray(outline.corners, np.float32)
    sides = np.linalg.norm(source - np.roll(source, 1, axis=0), axis=1)
    shrink = float(sides.max()) / FLAT_HEIGHT
    if shrink > 1.5:  # much larger than what is looked at: shrink the picture first, against aliasing
        left, top = np.maximum(np.floor(source.min(axis=0)).astype(int) - 4, 0)
        right, bottom = np.ceil(source.max(axis=0)).astype(int) + 5
        part = image[top:bottom, left:right]
        if part.size:
            factor = 1.0 / shrink
            image = np.asarray(
                cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
            )
            source = (source - (left, top) + 0.5).astype(np.float32) * np.float32(factor) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    flat = cv2.warpPerspective(
        image, matrix, (FLAT_WIDTH, FLAT_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)


def unflattened(corners: Floats, outline: Outline) -> Outline:
    """Corners in the flattened picture (4×2) back in the picture in which the outline is."""
    size = np.array([FLAT_WIDTH, FLAT_HEIGHT], np.float32)
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(flat, np.asarray(outline.corners, np.float32))
    there = cv2.perspectiveTransform(np.asarray(corners, np.float32)[None], matrix)[0]
    return Outline(np.asarray(there, np.float32), outline.visible)


def covered_parts(outline: Outline, above: Sequence[Outline]) -> Floats:
    """8×8, from 0 to 1: how much of each part of a card lies under other cards."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (COLUMNS, ROWS)
    onto = cv2.getPerspectiveTransform(
        np.asarray(outline.corners, np.float32), np.asarray(unit - 0.5, np.float32)
    )
    cover = np.zeros((ROWS, COLUMNS), np.uint8)
    for other in above:
        corners = cv2.perspectiveTransform(np.asarray(other.corners, np.float32)[None], onto)[0]
        shape = np.clip(np.rint(corners), -2000, 2000).astype(np.int32)
        cv2.fillConvexPoly(cover, shape, (1,))
        cv2.polylines(cover, [shape], True, (1,), 2)  # its shadow, and what its outline may be off
    parts = cover.reshape(DOWN, BLOCK_ROWS, ACROSS, BLOCK_COLUMNS).mean(axis=(1, 3))
    return np.asarray(parts, np.float32)


def descriptor(flat: Image) -> Floats:
    """The local contrast of a flattened card, 88×64×3, 0 on the border; -1 is black on white."""
    small = np.asarray(cv2.resize(flat, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.uint8)
    # Blurring first makes sharp and soft pictures of one card alike.
    contrast = local_contrast(small[EDGE:-EDGE, EDGE:-EDGE], _AROUND, 0.8)
    framed = cv2.copyMakeBorder(contrast, EDGE, EDGE, EDGE, EDGE, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(framed, np.float32)


def local_contrast(picture: Image, around: float, blur: float = 0.0) -> Floats:
    """Each channel of a picture against its surroundings, a Gaussian of that sigma: from -1 to 1."""
    light = np.asarray(picture.astype(np.float32) / 255 + 0.06, np.float32)
    if blur:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), blur), np.float32)
    surroundings = cv2.GaussianBlur(light, (0, 0), around, borderType=cv2.BORDER_REFLECT)
    return np.asarray(np.clip(light / surroundings - 1, -1, 1), np.float32)


def packed(contrast: Floats) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.rint(contrast * 127 + 128), 0, 255), np.uint8)


def unpacked(art: NDArray[np.uint8]) -> Floats:
    return (art.astype(np.float32) - np.float32(128)) / np.float32(127)


def halved(pictures: Floats) -> Floats:
    """N×88×64×3 as N×44×32×3."""
    n, rows, columns, _ = pictures.shape
    return np.asarray(pictures.reshape(n, rows // 2, 2, columns // 2, 2, 3).mean(axis=(2, 4)), np.float32)
