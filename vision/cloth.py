"""Table tops for the simulated table: felt, wood, checked and white cloth, painted from noise."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

TableTop: TypeAlias = Literal["felt", "blue felt", "wood", "dark wood", "checked", "white"]
TABLE_TOPS: tuple[TableTop, ...] = get_args(TableTop)
_BASE: dict[TableTop, tuple[int, int, int]] = {
    "felt": (62, 98, 38),
    "blue felt": (118, 70, 36),
    "wood": (78, 122, 172),
    "dark wood": (38, 58, 88),
    "checked": (150, 160, 205),
    "white": (206, 212, 214),
}


def _noise(
    rng: np.random.Generator, width: int, height: int, cell_x: float, cell_y: float
) -> NDArray[np.float32]:
    """Smooth noise of about unit deviation; `cell`: the size of its grains in pixels."""
    small = (max(2, round(height / cell_y) + 1), max(2, round(width / cell_x) + 1))
    grains = rng.standard_normal(small).astype(np.float32)
    return np.asarray(cv2.resize(grains, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def paint_table(
    top: TableTop, width: int, height: int, pixels_per_mm: float, rng: np.random.Generator
) -> Image:
    """A table top of width×height pixels, evenly lit."""
    p = pixels_per_mm
    shade = np.zeros((height, width), np.float32)
    if top in ("felt", "blue felt"):
        shade += 0.035 * _noise(rng, width, height, 1, 1) + 0.02 * _noise(rng, width, height, 3 * p, 3 * p)
        shade += 0.015 * _noise(rng, width, height, 60 * p, 60 * p)
    elif top in ("wood", "dark wood"):
        shade += 0.09 * _noise(rng, width, height, 260 * p, 3 * p) + 0.05 * _noise(
            rng, width, height, 90 * p, 0.8 * p
        )
        rings = _noise(rng, width, height, 420 * p, 55 * p)
        shade += 0.06 * np.sin(rings * 14)
        board = (np.arange(height) / (110 * p)).astype(int)
        shade += 0.05 * rng.standard_normal(board.max() + 1).astype(np.float32)[board][:, None]
        shade[(np.arange(height) % round(110 * p)) < max(1, round(0.8 * p))] -= 0.25
    else:
        weave = np.sin(np.arange(width) * (2.4 / p))[None] * np.sin(np.arange(height) * (2.4 / p))[:, None]
        shade += 0.02 * weave.astype(np.float32) + 0.02 * _noise(rng, width, height, 1, 1)
        shade += 0.03 * _noise(rng, width, height, 120 * p, 40 * p)
    picture = np.array(_BASE[top], np.float32) * (1 + shade)[..., None]
    if top == "checked":
        across = ((np.arange(width) / (28 * p)).astype(int) % 2)[None, :]
        down = ((np.arange(height) / (28 * p)).astype(int) % 2)[:, None]
        picture *= (1 - np.array([0.28, 0.3, 0.1]) * (across + down)[..., None]).astype(np.float32)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
