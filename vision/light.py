"""Light that changes: what of a difference between two small pictures is light, and what lies there.

Daylight lifts everything alike, mains light seen by a rolling shutter comes in bands, and the shadow of
a head or a patch of sun comes and goes in one place. Light leaves what it falls on as it was: all channels
get brighter by one factor, which changes smoothly, and every edge stays. A hand or a card does not.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

Mask: TypeAlias = NDArray[np.uint8]
Factors: TypeAlias = NDArray[np.float32]
_WIDTH = 320  # of the small picture
_FACTORS = (0.5, 1.9)  # of a shadow, and of sun
_HALVES = 0.06  # by which the halves of a row may differ in a band of light
_LEAST = 0.06  # by which it is brighter or darker there
_DETAIL = 16  # grey levels that a pixel may be off its surroundings' factor
_HUE = (2.5, 0.06)  # grey levels, and the part of the level, that a channel may be off the others' factor
_LARGE = 0.004  # of the picture: smaller regions are not taken for light
_HUGE = 0.04  # of the picture: larger ones are no paper, however they end
_BROAD = 9  # pixels of the small picture that such a region is broad somewhere
_SHARP = (0.62, 0.35)  # a step of so much of the factor within two pixels, in so much of the rim: a line
_FREE = 0.5  # the part of the rim that must end at no other thing for the rest to be passed over
_RIM = 7  # pixels about it in which the factor changes too fast to be sure


def small_picture(image: Image) -> Image:
    """The picture at the width at which frames are compared."""
    width = min(_WIDTH, image.shape[1])
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def row_light(before: Image, after: Image) -> Factors:
    """By which factor each row is brighter than before, from the medians of a thinned-out picture."""
    old = before[::2, ::6].astype(np.float32).sum(axis=2) + 24
    ratio = (after[::2, ::6].astype(np.float32).sum(axis=2) + 24) / old
    rows = _medians(ratio)
    overall = float(np.median(ratio))
    # An arm may lie along half of a row, and is less even there than a band of light.
    half = ratio.shape[1] // 2
    parts = [(part, _medians(part)) for part in (ratio[:, :half], ratio[:, half:])]
    (left, uneven_left), (right, uneven_right) = (
        (middle, _medians(np.abs(part - middle[:, None]))) for part, middle in parts
    )
    even = np.where(uneven_left < uneven_right, left, right)
    rows = np.where(np.abs(left - right) > _HALVES * overall, even, rows)
    rows[np.abs(rows / overall - 1) > 0.25] = overall  # an arm along the row, not a band of light
    smooth = cv2.blur(rows[:, None], (1, 5))[:, 0]
    return np.repeat(smooth, 2)[: before.shape[0]].astype(np.float32)


def _medians(values: Factors) -> Factors:
    """The median of each row (numpy's own takes more than twice as long over so few)."""
    middle = values.shape[1] // 2
    if values.shape[1] % 2:
        return np.asarray(np.partition(values, middle, axis=1)[:, middle], np.float32)
    parted = np.partition(values, (middle - 1, middle), axis=1)
    return np.asarray(parted[:, middle - 1 : middle + 1].mean(axis=1), np.float32)


def differences(before: Image, after: Image, light: Factors, bound: int) -> Mask:
    """Where two small pictures differ by more than light and noise, 255; single dots are dropped. `light`:
    the factor of each row."""
    levelled: NDArray[Any] = before
    if np.abs(light - 1).max() > 0.015:
        levelled = cv2.convertScaleAbs(before.astype(np.float32) * light[:, None, None])
    blue, green, red = cv2.split(cv2.absdiff(levelled, after))
    most = cv2.max(cv2.max(blue, green), red)
    mask = cv2.threshold(most, bound, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)


def cast_light(before: Image, after: Image, rows: Factors, changed: Mask) -> tuple[Mask, Factors]:
    """What of a change is a shadow or a patch of sun, 255; and the factor of the light, H×W: that of the
    place where it is one, else that of the row."""
    factors = np.repeat(rows[:, None], before.shape[1], axis=1).astype(np.float32)
    old = np.asarray(cv2.multiply(before.astype(np.float32), cv2.merge([factors] * 3)), np.float32)
    new = after.astype(np.float32)
    ratio = np.asarray(cv2.divide(_level(new), _level(old)), np.float32)
    factor = np.asarray(cv2.blur(ratio, (5, 5)), np.float32)
    off = _most(cv2.absdiff(new, cv2.multiply(old, cv2.merge([factor] * 3))))
    soft_old, soft_new = (np.asarray(cv2.blur(image, (5, 5)), np.float32) for image in (old, new))
    overall = cv2.divide(_level(soft_new), _level(soft_old))
    strange = cv2.absdiff(soft_new, cv2.multiply(soft_old, cv2.merge([overall] * 3)))
    hue = _most(cv2.addWeighted(strange, 1.0, soft_new, -_HUE[1], 0.0))
    like = (off <= _DETAIL) & (hue <= _HUE[0]) & (factor > _FACTORS[0]) & (factor < _FACTORS[1])
    lit = np.where(like & (np.abs(factor - 1) > _LEAST), np.uint8(255), np.uint8(0))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(lit, connectivity=4)
    broad = np.unique(labels[cv2.erode(lit, np.ones((_BROAD, _BROAD), np.uint8)) > 0])
    large = [n for n in broad if n > 0 and stats[n, cv2.CC_STAT_AREA] > _LARGE * lit.size]
    if large:
        across, down = (cv2.Sobel(ratio, cv2.CV_32F, x, 1 - x, scale=1 / 4) for x in (1, 0))
        step = np.asarray(cv2.magnitude(across, down), np.float32)
        rest = cv2.bitwise_and(changed, cv2.bitwise_not(lit))
        things = np.asarray(cv2.dilate(rest, np.ones((_RIM, _RIM), np.uint8)), np.uint8)
        regions = {n: np.where(labels == n, np.uint8(255), np.uint8(0)) for n in large}
        sizes = {n: stats[n, cv2.CC_STAT_AREA] / lit.size for n in large}
        large = [n for n in large if sizes[n] > _HUGE or not _sharp(regions[n], factor, step, things)]
    if not large:
        return np.zeros_like(changed), factors
    shade = np.where(np.isin(labels, large), np.uint8(255), np.uint8(0))
    around = cv2.dilate(shade, np.ones((_RIM, _RIM), np.uint8))
    factors = np.where(around > 0, factors * factor, factors).astype(np.float32)
    return np.asarray(cv2.bitwise_and(around, changed), np.uint8), factors


def _sharp(region: Mask, factor: Factors, step: Factors, things: Mask) -> bool:
    """Whether a region ends as things do: at a line. Shadows end softly. `step`: by how much the factor
    changes within two pixels; `things`: where others end, which tells nothing."""
    inside = float(np.median(factor[region > 0]))
    rim = cv2.subtract(region, cv2.erode(region, np.ones((3, 3), np.uint8)))  # the picture's border is none
    free = cv2.bitwise_and(rim, cv2.bitwise_not(things))
    if cv2.countNonZero(free) > _FREE * cv2.countNonZero(rim):
        rim = free
    steps = cv2.dilate(step, np.ones((_RIM, _RIM), np.uint8))[rim > 0]
    return bool(len(steps) and (steps > _SHARP[0] * abs(inside - 1)).mean() > _SHARP[1])


def _level(image: NDArray[np.float32]) -> Factors:
    """The sum of the channels, lifted so that noise in the dark makes no factors."""
    return np.asarray(cv2.transform(image, np.ones((1, 3), np.float32)) + 24, np.float32)


def _most(image: NDArray[Any]) -> Factors:
    """The largest of the channels."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
