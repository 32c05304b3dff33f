"""What disturbs an overhead camera: light that changes, shadows, things and hands that lie about, a bump.

Everything is a pure function of a frame's number and a seed, so a film that was disturbed can be filmed
again. Films are taken at 10 frames a second; pictures are H×W×3, BGR, of any size: lengths are given for a
picture 1280 pixels wide and scale with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene import Arm
from vision.types import Image

Motion = NDArray[np.float64]
FRAMES_A_SECOND = 10
_WIDE = 1280
_OFF_EVERY, _OFF_FOR = 16 * FRAMES_A_SECOND, 2 * FRAMES_A_SECOND
_SHADOW_EVERY, _SHADOW_FOR = 7 * FRAMES_A_SECOND, 2 * FRAMES_A_SECOND
_HAND_EVERY, _HAND_FOR = 14 * FRAMES_A_SECOND, 8 * FRAMES_A_SECOND
_BUMP_EVERY = 12 * FRAMES_A_SECOND


@dataclass(frozen=True)
class Disturbance:
    """A film without a disturbance; each kind changes what it names.

    `picture` is what the sensor gives for a picture of the scene.
    """

    seed: int = 0

    def brightness(self, number: int) -> float:
        """By which factor the room is brighter than at the start."""
        return 1.0

    def dark(self, number: int) -> bool:
        """Whether nothing can be seen."""
        return False

    def stirs(self, number: int) -> bool:
        """Whether something is being put down, beside what people play: the table is not at rest."""
        return False

    def arms(self, number: int) -> tuple[Arm, ...]:
        """Arms of people who do nothing."""
        return ()

    def motion(self, number: int, width: int = _WIDE) -> Motion:
        """2×3, from a point of the picture as the camera hung at first to where it is seen now, pixels."""
        return np.array([[1.0, 0, 0], [0, 1, 0]])

    def bumps(self, number: int) -> int:
        """How often the camera was bumped up to this frame."""
        return 0

    def picture(self, image: Image, number: int) -> Image:
        """The picture as it is disturbed; the one given is left as it is."""
        return image

    def _rng(self, *more: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, *more))


class Ramp(Disturbance):
    """Daylight that fades to six tenths and comes back, in 20 seconds."""

    def brightness(self, number: int) -> float:
        return 0.8 + 0.2 * math.cos(2 * math.pi * number / (20 * FRAMES_A_SECOND))


class Flicker(Disturbance):
    """Mains light seen by a rolling shutter: bands 8 % brighter and darker, which wander."""

    def picture(self, image: Image, number: int) -> Image:
        rows = np.arange(image.shape[0]) / image.shape[0]
        phase = 2 * math.pi * 0.37 * number + self._rng().uniform(0, 2 * math.pi)
        return _lit(image, (1 + 0.08 * np.sin(2 * math.pi * 1.5 * rows + phase))[:, None])


class Sun(Disturbance):
    """A patch of sun, a third brighter and warmer, that comes and goes with the clouds and wanders."""

    def picture(self, image: Image, number: int) -> Image:
        height, width = image.shape[:2]
        rng = self._rng()
        strength = min(1.0, max(0.0, 0.5 - 1.2 * math.cos(2 * math.pi * number / (24 * FRAMES_A_SECOND))))
        if strength == 0:
            return image
        x, y = rng.uniform(0.3, 0.7) * width + number * width / _WIDE / 20, rng.uniform(0.3, 0.7) * height
        patch = cv2.boxPoints(((x, y), (0.3 * width, 0.24 * width), float(rng.uniform(0, 90))))
        mask = np.zeros((height // 4, width // 4), np.float32)
        cv2.fillConvexPoly(mask, (patch / 4).round().astype(np.int32), (1.0,))
        soft = cv2.resize(cv2.GaussianBlur(mask, (0, 0), width / 400), (width, height))
        return _lit(image, 1 + strength * soft[..., None] * np.array([0.22, 0.32, 0.38]))


class Shadow(Disturbance):
    """The soft shadow of a head, a third darker, that passes over the table every 7 seconds."""

    def picture(self, image: Image, number: int) -> Image:
        turn, at = divmod(number, _SHADOW_EVERY)
        if at >= _SHADOW_FOR or turn == 0:
            return image
        height, width = image.shape[:2]
        rng = self._rng(turn)
        along = at / _SHADOW_FOR if rng.random() < 0.5 else 1 - at / _SHADOW_FOR
        x, y = (1.4 * along - 0.2) * width, rng.uniform(0.2, 0.8) * height
        mask = np.zeros((height // 4, width // 4), np.float32)
        for dx, dy, across, high in ((0.0, 0.0, 0.07, 0.09), (0.0, 0.22, 0.2, 0.13)):  # head and shoulders
            middle = (round((x + dx * width) / 4), round((y + dy * width) / 4))
            cv2.ellipse(
                mask, middle, (round(across * width / 4), round(high * width / 4)), 0, 0, 360, 1.0, -1
            )
        soft = cv2.resize(cv2.GaussianBlur(mask, (0, 0), width / 160), (width, height))
        return _lit(image, 1 - 0.35 * soft[..., None])


class RestingHand(Disturbance):
    """A hand that rests at the edge of the table for 8 of 14 seconds, and does not quite hold still."""

    def arms(self, number: int) -> tuple[Arm, ...]:
        turn, at = divmod(number, _HAND_EVERY)
        if at >= _HAND_FOR or turn == 0:
            return ()
        rng = self._rng(turn)
        side, far = (-1 if rng.random() < 0.5 else 1), rng.random() < 0.5
        away = 90.0 * max(0, 2 - at, at - _HAND_FOR + 3)
        stirred = rng.uniform(-3, 3) * (at // 30)
        y = 165.0 + away
        return (Arm(side * 345.0 + stirred, -y if far else y, 180.0 if far else 0.0, 25.0, person=turn % 6),)


class Sleeve(Disturbance):
    """A checked sleeve that lies over the edge of the picture and stirs every 5 seconds."""

    def picture(self, image: Image, number: int) -> Image:
        turn = number // (5 * FRAMES_A_SECOND)
        if turn == 0:
            return image
        size = image.shape[1] / _WIDE
        rng = self._rng()
        right = rng.random() < 0.5
        stirred = self._rng(turn).uniform(-12, 12, 2)
        tip = np.array([1130.0 if right else 150.0, 590.0]) + stirred
        out = np.array([1220.0 if right else 60.0, 800.0])
        return _striped(image, tip * size, out * size, 52 * size)


class Things(Disturbance):
    """A phone, whose screen lights up now and then, and glasses; they are put down after 3 seconds."""

    def _come(self, number: int) -> float:
        """From 0, when they are out of sight, to 1, when they lie there."""
        return min(1.0, (number - 3 * FRAMES_A_SECOND) / 8)

    def stirs(self, number: int) -> bool:
        return self._come(number) > 0 and self._come(number - 1) < 1

    def picture(self, image: Image, number: int) -> Image:
        come = self._come(number)
        if come <= 0:
            return image
        size = image.shape[1] / _WIDE
        rng = self._rng()
        side = 1 if rng.random() < 0.5 else -1
        result = image.copy()
        x, y = 640 + side * (470 + 300 * (1 - come)), 90.0
        _phone(result, (x * size, y * size), float(rng.uniform(-8, 8)), size, number % 150 > 110)
        x = 640 - side * (480 + 300 * (1 - come))
        _glasses(result, (x * size, y * size), size)
        return result


class Bump(Disturbance):
    """The camera is bumped every 12 seconds: by 10 pixels, and the next time by 2 degrees."""

    def bumps(self, number: int) -> int:
        return number // _BUMP_EVERY

    def motion(self, number: int, width: int = _WIDE) -> Motion:
        total = np.eye(3)
        middle = width / 2, width * 9 / 32
        for n in range(1, self.bumps(number) + 1):
            rng = self._rng(n)
            one = np.eye(3)
            if (n + self.seed) % 2:
                way = rng.uniform(0, 2 * math.pi)
                one[:2, 2] = 10 * width / _WIDE * np.array([math.cos(way), math.sin(way)])
            else:
                one[:2] = cv2.getRotationMatrix2D(middle, 2.0 if rng.random() < 0.5 else -2.0, 1.0)
            total = one @ total
        return np.asarray(total[:2])

    def picture(self, image: Image, number: int) -> Image:
        if not self.bumps(number):
            return image
        height, width = image.shape[:2]
        motion = self.motion(number, width)
        return np.asarray(
            cv2.warpAffine(image, motion, (width, height), borderMode=cv2.BORDER_REFLECT_101), np.uint8
        )


class Lights(Disturbance):
    """The lights go off for 2 seconds every 16."""

    def dark(self, number: int) -> bool:
        return number >= _OFF_EVERY and number % _OFF_EVERY < _OFF_FOR

    def brightness(self, number: int) -> float:
        return 0.06 if self.dark(number) else 1.0


DISTURBANCES: dict[str, type[Disturbance]] = {
    "none": Disturbance, "ramp": Ramp, "flicker": Flicker, "sun": Sun, "shadow": Shadow, "hand": RestingHand,
    "sleeve": Sleeve, "things": Things, "bump": Bump, "lights": Lights,
}  # fmt: skip
"""The disturbances of what is filmed, by name."""


def _lit(image: Image, gain: Any) -> Image:
    factor = np.asarray(gain, np.float32)
    lit = image.astype(np.float32) * (factor if factor.ndim == 3 else factor[..., None])
    return np.asarray(cv2.convertScaleAbs(lit), np.uint8)


def _striped(image: Image, tip: Any, out: Any, half: float) -> Image:
    """A limb in a checked sleeve from `tip` to `out`, 2·`half` pixels wide."""
    along = (out - tip) / np.hypot(*(out - tip))
    across = np.array([-along[1], along[0]])
    shape = np.array([tip - across * half, tip + across * half, out + across * half, out - across * half])
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, shape.round().astype(np.int32), (255,))
    ys, xs = np.nonzero(mask)
    from_tip = np.column_stack([xs, ys]) - tip
    u, v = (from_tip @ along) / (half / 4), (from_tip @ across) / (half / 4)
    checks = (u.astype(int) % 2 + v.round().astype(int) % 2).astype(np.float32)
    result = image.copy()
    result[ys, xs] = np.array([60, 50, 70]) + checks[:, None] * np.array([45, 60, 70])
    return result


def _phone(image: Image, middle: tuple[float, float], angle: float, size: float, lit: bool) -> None:
    """A phone of 150×72 mm lying there, its screen dark or lit."""
    for wide, high, colour in (
        (210, 101, (34, 32, 32)),
        (196, 92, (205, 170, 130) if lit else (52, 48, 46)),
    ):
        box = cv2.boxPoints((middle, (wide * size, high * size), angle))
        cv2.fillConvexPoly(image, box.round().astype(np.int32), colour, cv2.LINE_AA)


def _glasses(image: Image, middle: tuple[float, float], size: float) -> None:
    """Glasses of 140 mm lying there, their arms folded out."""
    x, y = middle
    for side in (-1, 1):
        lens = (round(x + side * 45 * size), round(y))
        cv2.ellipse(
            image,
            lens,
            (round(34 * size), round(27 * size)),
            0,
            0,
            360,
            (30, 34, 44),
            round(5 * size),
            cv2.LINE_AA,
        )
        hinge = (round(x + side * 80 * size), round(y))
        end = (round(x + side * 86 * size), round(y + 110 * size))
        cv2.line(image, hinge, end, (30, 34, 44), round(4 * size), cv2.LINE_AA)
    bridge = (round(x - 11 * size), round(y)), (round(x + 11 * size), round(y))
    cv2.line(image, *bridge, (30, 34, 44), round(4 * size), cv2.LINE_AA)
