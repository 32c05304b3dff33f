"""Finds the indices of cards in a whole picture: a small fully convolutional network of our own.

The network sees the picture at a few sizes and answers, every four pixels, how likely an index has its
middle there, which way up it is, how high it is, and where exactly its middle lies. It needs no outline
of a card, so it works on any table, in clutter, and where only a corner can be seen.
The heat map is trained as in "Objects as Points" (X. Zhou, D. Wang, P. Krähenbühl 2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network
from vision.types import Image

STRIDE = 4
UNIT_HEIGHT = 24.0
"""The network tells heights as the logarithm of their part of this many pixels."""
_SAME, _SHADOW = 0.45, 0.75  # heights of an index within which two are one
_BLOCK = 16  # the network halves the picture four times


@dataclass(frozen=True)
class Index:
    """An index found: rank above suit, in a card's corner.

    `x`, `y`: its middle, `height`: from the top of the rank to the foot of the suit, pixels of the
    picture. `up`: the unit vector from its middle to its top. `score`: 0 to 1, not a probability.
    """

    x: float
    y: float
    height: float
    up: tuple[float, float]
    score: float


class Finder:
    """The network. `find` may be called from one thread at a time."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def find(self, image: Image, scale: float = 1.0, threshold: float = 0.25) -> list[Index]:
        """The indices that are 9 to 60 pixels high in the picture resized by `scale`; picture pixels."""
        height, width = image.shape[:2]
        small_w, small_h = max(1, round(width * scale)), max(1, round(height * scale))
        if (small_w, small_h) != (width, height):
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            image = np.asarray(cv2.resize(image, (small_w, small_h), interpolation=how), np.uint8)
        pad_w, pad_h = -small_w % _BLOCK, -small_h % _BLOCK
        if pad_w or pad_h:
            image = np.asarray(
                cv2.copyMakeBorder(image, 0, pad_h, 0, pad_w, cv2.BORDER_CONSTANT, value=(90, 90, 90)),
                np.uint8,
            )
        out = self._net.forward(np.asarray(cv2.dnn.blobFromImage(image, 1 / 255.0), np.float32))[0]
        return [
            Index(i.x * width / small_w, i.y * height / small_h, i.height / scale, i.up, i.score)
            for i in peaks(out, threshold)
            if i.x < small_w and i.y < small_h
        ]


def peaks(out: NDArray[np.float32], threshold: float) -> list[Index]:
    """The local maxima of the network's answer (6×H×W), in pixels of its input, best first."""
    heat = 1 / (1 + np.exp(-out[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((heat >= highest) & (heat > threshold))
    found = []
    for y, x in zip(ys, xs, strict=True):
        up_x, up_y, log_height, dx, dy = (float(v) for v in out[1:, y, x])
        length = float(np.hypot(up_x, up_y))
        if length < 0.3:
            continue
        found.append(
            Index(
                (x + dx) * STRIDE + 1.5,
                (y + dy) * STRIDE + 1.5,
                UNIT_HEIGHT * float(np.exp(np.clip(log_height, -2, 2))),
                (up_x / length, up_y / length),
                float(heat[y, x]),
            )
        )
    return sorted(found, key=lambda index: -index.score)


def merged(indices: list[Index]) -> list[Index]:
    """One index for each place where several sizes of the picture found one, the best of them.

    The shadow of a far better one is none of its own either, even somewhat further away.
    """
    kept: list[Index] = []
    for index in sorted(indices, key=lambda i: -i.score):
        near = (
            other
            for other in kept
            if (other.x - index.x) ** 2 + (other.y - index.y) ** 2
            < ((_SHADOW if index.score < 0.5 * other.score else _SAME) * max(other.height, index.height)) ** 2
        )
        if next(near, None) is None:
            kept.append(index)
    return kept
