"""A forearm and a hand from above, as a picture with transparency that a scene lays over its table."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

ARM_PIXELS_PER_MM = 1.5
ARM_WIDTH_MM = 190.0
ARM_LENGTH_MM = 760.0
TIP_X_MM, TIP_Y_MM = 95.0, 20.0  # the fingertips in the picture of the arm

_SLEEVES = ((96, 60, 44), (52, 48, 120), (70, 70, 72), (150, 168, 178), (60, 92, 60), (36, 34, 38))
_SKINS = ((132, 164, 214), (118, 152, 204), (88, 122, 178), (62, 92, 146))
# Capsules in mm from the fingertips: from, to, radius at each end. The arm runs towards +y.
_FINGERS = (
    (-25, 16, -18, 62, 7.0, 9.5),
    (-9, 3, -6, 60, 7.5, 10.0),
    (8, 0, 6, 60, 7.5, 10.0),
    (24, 10, 18, 62, 7.0, 9.5),
)
_THUMB = (-38, 52, -24, 92, 9.0, 12.0)
_PALM = (0, 72, 0, 112, 31.0, 30.0)
_WRIST = (0, 120, 4, 210, 25.0, 30.0)
_SLEEVE = (4, 205, 16, 740, 38.0, 58.0)


def _capsule(shape: tuple[int, int], part: tuple[float, float, float, float, float, float]) -> Image:
    x1, y1, x2, y2, r1, r2 = (value * ARM_PIXELS_PER_MM for value in part)
    off = np.array([TIP_X_MM, TIP_Y_MM]) * ARM_PIXELS_PER_MM
    mask = np.zeros(shape, np.uint8)
    ends = np.array([(x1, y1), (x2, y2)]) + off
    along = ends[1] - ends[0]
    across = np.array([-along[1], along[0]]) / max(1e-6, float(np.hypot(*along)))
    body = np.array(
        [ends[0] + across * r1, ends[1] + across * r2, ends[1] - across * r2, ends[0] - across * r1]
    )
    cv2.fillPoly(mask, [np.round(body * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    for end, radius in ((ends[0], r1), (ends[1], r2)):
        middle = (round(float(end[0]) * 16), round(float(end[1]) * 16))
        cv2.circle(mask, middle, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    return mask


def _rounded(mask: Image, radius_mm: float) -> NDArray[np.float32]:
    """How a round limb catches light from above: 1 on its ridge, darker towards its edges."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / (radius_mm * ARM_PIXELS_PER_MM)
    return np.asarray(0.62 + 0.38 * np.sqrt(np.clip(depth, 0, 1)), np.float32)


@lru_cache(maxsize=12)
def arm_picture(person: int) -> Image:
    """A person's arm, fingers up: height×width×4, colours premultiplied by the alpha channel."""
    width, height = round(ARM_WIDTH_MM * ARM_PIXELS_PER_MM), round(ARM_LENGTH_MM * ARM_PIXELS_PER_MM)
    colours = np.zeros((height, width, 3), np.float32)
    alpha = np.zeros((height, width), np.float32)
    rng = np.random.default_rng(person)
    skin = np.array(_SKINS[person % len(_SKINS)], np.float32)
    sleeve = np.array(_SLEEVES[person % len(_SLEEVES)], np.float32)
    folds = cv2.resize(
        rng.standard_normal((60, 6)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    parts = [
        (_WRIST, skin),
        (_PALM, skin),
        *((finger, skin) for finger in _FINGERS),
        (_THUMB, skin),
        (_SLEEVE, sleeve),
    ]
    for part, colour in parts:
        mask = _capsule((height, width), part)
        cover = mask.astype(np.float32) / 255
        light = _rounded(mask, max(part[4:]))
        if part is _SLEEVE:
            light = light * (1 + 0.07 * folds)
        colours += (colour * light[..., None] - colours) * cover[..., None]
        alpha = np.maximum(alpha, cover)
    colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), 1.2 * ARM_PIXELS_PER_MM / 1.5), np.float32)
    picture = np.dstack([np.clip(colours, 0, 255) * alpha[..., None], alpha * 255])
    result = np.round(picture).astype(np.uint8)
    result.setflags(write=False)
    return result


@lru_cache(maxsize=12)
def arm_shade(person: int) -> Image:
    """The soft alpha of an arm for its shadow, at a quarter of the arm picture's scale."""
    alpha = arm_picture(person)[..., 3]
    small = cv2.resize(alpha, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 4.0), np.uint8)
