"""Reads an index: which rank, which suit. A small network on an upright patch of 48×32 pixels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import CARDS
from vision.finder import Index
from vision.network import Network
from vision.types import Image

PATCH_HEIGHT, PATCH_WIDTH = 48, 32
PATCH_PER_INDEX = 1.45
"""How much higher the patch is than the index in its middle."""
RANKS, SUITS = 13, 4
TEMPERATURE = 1.0
"""Softens the network's answers to probabilities; see vision/train/README.md."""
# The same index cut out a little differently: the answers are averaged.
_CUTS = ((1.0, 0.0, 0.0), (0.9, 0.0, 0.04), (1.1, 0.0, -0.04), (1.0, 0.05, 0.0), (1.0, -0.05, 0.0))


def patch(image: Image, index: Index, size: float = 1.0, aside: float = 0.0, down: float = 0.0) -> Image:
    """The upright patch of an index, 48×32×3; `size` times larger, moved by parts of its height."""
    up_x, up_y = index.up
    right_x, right_y = -up_y, up_x
    pixel = index.height * PATCH_PER_INDEX * size / PATCH_HEIGHT
    x = index.x + (right_x * aside - up_x * down) * index.height
    y = index.y + (right_y * aside - up_y * down) * index.height
    half_w, half_h = PATCH_WIDTH / 2, PATCH_HEIGHT / 2
    to_image = np.array([
        [right_x * pixel, -up_x * pixel, x - right_x * half_w * pixel + up_x * half_h * pixel],
        [right_y * pixel, -up_y * pixel, y - right_y * half_w * pixel + up_y * half_h * pixel],
    ])  # fmt: skip
    if pixel > 1.6:
        # Finer than the patch: cut the neighbourhood out and shrink it first, against aliasing.
        reach = index.height * PATCH_PER_INDEX * size * 0.75 + 2
        left, top = max(0, int(x - reach)), max(0, int(y - reach))
        part = image[top : int(y + reach) + 2, left : int(x + reach) + 2]
        if part.size == 0:
            return np.zeros((PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
        shrink = 1.2 / pixel
        image = np.asarray(
            cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        to_image[:, 2] -= (left, top)
        to_image *= shrink
    warped = cv2.warpAffine(
        image, to_image, (PATCH_WIDTH, PATCH_HEIGHT),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(warped, np.uint8)


class IndexReader:
    """The network."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def read(self, image: Image, indices: Sequence[Index]) -> NDArray[np.float64]:
        """N×53 log-probabilities: of the 52 cards by number, and last of "no index at all"."""
        if not indices:
            return np.zeros((0, 53))
        patches = [patch(image, index, *cut) for index in indices for cut in _CUTS]
        out = self._answers(patches).reshape(len(indices), len(_CUTS), -1)
        ranks = _log_softmax(out[..., : RANKS + 1] / TEMPERATURE)
        suits = _log_softmax(out[..., RANKS + 1 :] / TEMPERATURE)
        ranks, suits = ranks.mean(axis=1), suits.mean(axis=1)
        answer = np.empty((len(indices), 53))
        for card in CARDS[:52]:
            answer[:, card] = ranks[:, card.rank - 2] + suits[:, card.suit]
        # An index is one only if both its rank and its suit are.
        some = np.exp(_log_sum(ranks[:, :RANKS])) * np.exp(_log_sum(suits[:, :SUITS]))
        answer[:, 52] = np.log(np.clip(1 - some, 1e-9, 1))
        return np.asarray(_log_softmax(answer), np.float64)

    def suits(self, patches: Sequence[Image]) -> NDArray[np.float64]:
        """N×5 probabilities of the suits alone, and last of none, of patches 48×32."""
        return np.asarray(
            np.exp(_log_softmax(self._answers(patches)[:, RANKS + 1 :] / TEMPERATURE)), np.float64
        )

    def _answers(self, patches: Sequence[Image]) -> NDArray[np.float64]:
        blob = np.asarray(cv2.dnn.blobFromImages(patches, 1 / 255.0), np.float32)
        return np.asarray(self._net.forward(blob), np.float64)


def _log_sum(values: NDArray[np.float64]) -> NDArray[np.float64]:
    top = values.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=-1)) + top[..., 0], np.float64)


def _log_softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values - _log_sum(values)[..., None], np.float64)
