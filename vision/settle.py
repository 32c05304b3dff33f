"""When the table may be looked at: a hand in the picture, still, changed, too dark.

Every frame is compared, small, with the frame before (does anything move?) and with the last
settled picture (is anything different?). What is only light (`vision.light`) neither moves nor differs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import cv2
import numpy as np

from vision.hands import Hand, from_border, remember
from vision.light import Factors, Mask, cast_light, differences, row_light, small_picture
from vision.shift import all_over, camera_motion
from vision.types import Frame, Image

State: TypeAlias = Literal["starting", "still", "changing", "hand", "dark"]
_MOTION = 14  # grey levels between frames that are motion, not noise
_CHANGE = 16  # grey levels against the settled picture that are a change
_DARK, _LIGHT = 24.0, 34.0  # mean grey level below which it is too dark, and above which it is light again
_RESTS = 0.8  # overlap (intersection over union) with where a hand rested from which it rests there still
_STAYS_S = 2.0  # how long a shadow or a patch of sun must stay before the settled picture takes it on
_REFRESH_S = 0.5  # how often a still picture takes the place of the settled one, to follow the daylight


@dataclass(frozen=True, eq=False)
class Settled:
    """The table at rest and different from before.

    `small`: `after` as a small picture. `changed`: mask of the small picture, 255 where it differs.
    `hidden`: where something that comes in from the border (a resting hand) lies over the table. `light`:
    factor, one a pixel of the small picture, by which `after` is brighter there than `before`.
    """

    t: float
    before: Image
    after: Image
    small: Image
    changed: Mask
    hidden: Mask
    scale: float
    light: Factors
    hands: tuple[Hand, ...]


@dataclass(frozen=True, eq=False)
class Sight:
    """What one frame told. `news`: what began or ended with it; `settled`: the picture to be read."""

    state: State
    news: tuple[Literal["hand_in", "hand_out", "too_dark", "light_back"], ...] = ()
    settled: Settled | None = None
    point: tuple[float, float] | None = None  # of the hand, while one is in the picture


@dataclass(eq=False)
class Settler:
    """Follows a source frame by frame; time is what the frames say.

    `still_s`: how long nothing may move before the table counts as at rest. `rest_s`: after how long
    a hand that does not move is taken to rest there, and the table beside it is read all the same.
    `changed_part`: the smallest part of the picture whose change is news.
    """

    still_s: float = 0.25
    rest_s: float = 0.7
    changed_part: float = 0.0006
    _state: State = "starting"
    _before: Frame | None = None  # the last settled picture
    _settled: Image | None = None  # the same, small
    _last: Image | None = None  # the last frame, small
    _moved_at: float = 0.0
    _flickered_at: float = 0.0  # when something, be it light, last moved
    _refreshed_at: float = 0.0
    _still_frames: int = 0
    _hand: bool = False
    _hand_frames: int = 0
    _hands: list[Hand] = field(default_factory=list)
    _resting: Mask | None = None

    def update(self, frame: Frame) -> Sight:
        """Takes the next frame, H×W×3 of one size throughout."""
        small = small_picture(frame.image)
        level = float(small[::4, ::4].mean())
        if self._last is None or self._last.shape != small.shape:
            self._last, self._before, self._settled, self._moved_at = small, None, None, frame.t
        if level < (_LIGHT if self._state == "dark" else _DARK):
            return self._dark(small)
        news: list[Literal["hand_in", "hand_out", "too_dark", "light_back"]] = []
        if self._state == "dark":
            news.append("light_back")
            self._state, self._moved_at, self._last = "changing", frame.t, small
        rows = row_light(self._last, small)
        moving = differences(self._last, small, rows, _MOTION)
        in_motion = self._news_in(moving)
        if in_motion:
            self._flickered_at = frame.t
            lit, _ = cast_light(self._last, small, rows, moving)
            in_motion = self._news_in(moving, lit)
        self._last = small
        if in_motion:
            self._moved_at, self._still_frames = frame.t, 0
        else:
            self._still_frames += 1
        rested = frame.t - self._moved_at if self._still_frames >= 2 else 0.0
        if self._settled is None or self._before is None:
            if rested >= self.still_s:
                self._accept(frame, small)
                self._state = "still"
                return Sight("still", tuple(news), self._first(frame, small))
            return Sight("starting", tuple(news))
        return self._compared(frame, small, in_motion, rested, news)

    def accept(self, frame: Frame) -> tuple[Literal["hand_in", "hand_out", "too_dark", "light_back"], ...]:
        """Takes a frame, of a camera that has moved, for the settled picture; what ended with it."""
        told, self._hand = self._hand, False
        self._hand_frames, self._resting, self._state = 0, None, "still"
        self._accept(frame, small_picture(frame.image))
        return ("hand_out",) if told else ()

    def _compared(
        self,
        frame: Frame,
        small: Image,
        in_motion: bool,
        rested: float,
        news: list[Literal["hand_in", "hand_out", "too_dark", "light_back"]],
    ) -> Sight:
        assert self._settled is not None and self._before is not None
        rows = row_light(self._settled, small)
        changed = differences(self._settled, small, rows, _CHANGE)
        light = np.repeat(rows[:, None], small.shape[1], axis=1)
        stays = True
        if self._news_in(changed):
            lit, light = cast_light(self._settled, small, rows, changed)
            changed = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(lit)), np.uint8)
            stays = frame.t - self._flickered_at >= _STAYS_S
        if not self._news_in(changed):
            if not in_motion and stays and frame.t - self._refreshed_at >= _REFRESH_S:
                self._accept(frame, small, keep_hands=True)
            return self._without_hand(frame, small, changed, rested, news, light)
        hands, border = from_border(changed, frame.image.shape[1] / changed.shape[1])
        bumped = rested >= self.still_s and self._bumped(frame, changed)
        if not hands or bumped:
            return self._without_hand(frame, small, changed, rested, news, light)
        self._hand_frames += 1
        for hand in hands:
            remember(self._hands, hand)
        if self._hand_frames >= 2 and not self._hand:
            self._hand = True
            news.append("hand_in")
        self._state = "hand"
        point = max(hands, key=lambda hand: cv2.countNonZero(hand.reach)).point
        settled = None
        resting = self._resting is not None and _overlap(self._resting, border) >= _RESTS
        if resting and rested >= self.still_s and self._news_in(changed, border):
            # It rests where it rested: what has changed beside it can be read at once.
            settled = self._settle(frame, small, np.where(border > 0, np.uint8(0), changed), border, light)
        elif rested >= self.rest_s and not resting:
            settled = self._settle(frame, small, np.where(border > 0, np.uint8(0), changed), border, light)
            self._resting = border
        return Sight("hand", tuple(news), settled, point)

    def _news_in(self, mask: Mask, without: Mask | None = None) -> bool:
        """Whether there is enough in a mask, but for what lies in another one, to be news."""
        rest = mask if without is None else cv2.bitwise_and(mask, cv2.bitwise_not(without))
        return cv2.countNonZero(rest) > self.changed_part * mask.size

    def _bumped(self, frame: Frame, changed: Mask) -> bool:
        """Whether it is the camera that moved: what seems to come in over the border came in with it."""
        assert self._before is not None
        return all_over(changed) and camera_motion(self._before.image, frame.image) is not None

    def _without_hand(
        self,
        frame: Frame,
        small: Image,
        changed: Mask,
        rested: float,
        news: list[Literal["hand_in", "hand_out", "too_dark", "light_back"]],
        light: Factors,
    ) -> Sight:
        self._hand_frames, self._resting = 0, None
        if self._hand:
            self._hand = False
            news.append("hand_out")
        if not self._news_in(changed):
            # A hand that changed nothing has come and gone.
            if rested >= self.still_s:
                self._hands.clear()
            self._state = "still" if rested >= self.still_s else "changing"
            return Sight(self._state, tuple(news))
        if rested < self.still_s:
            self._state = "changing"
            return Sight("changing", tuple(news))
        settled = self._settle(frame, small, changed, np.zeros_like(changed), light)
        self._state = "still"
        return Sight("still", tuple(news), settled)

    def _settle(self, frame: Frame, small: Image, changed: Mask, hidden: Mask, light: Factors) -> Settled:
        assert self._before is not None and self._settled is not None
        scale = frame.image.shape[1] / small.shape[1]
        settled = Settled(
            frame.t, self._before.image, frame.image, small, changed, hidden, scale, light, tuple(self._hands)
        )
        if cv2.countNonZero(hidden):  # what the hand hides stays as it was
            mask = cv2.dilate(hidden, np.ones((5, 5), np.uint8))
            kept = small.copy()
            kept[mask > 0] = self._settled[mask > 0]
            picture = frame.image.copy()
            big = cv2.resize(mask, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
            picture[big] = self._before.image[big]
            self._before, self._settled = Frame(frame.t, picture, frame.number), kept
            self._hands.clear()  # the next frame shows those that rest there
        else:
            self._accept(frame, small)
        return settled

    def _first(self, frame: Frame, small: Image) -> Settled:
        everything = np.full(small.shape[:2], 255, np.uint8)
        ones = np.ones(small.shape[:2], np.float32)
        scale = frame.image.shape[1] / small.shape[1]
        return Settled(
            frame.t, frame.image, frame.image, small, everything, np.zeros_like(everything), scale, ones, ()
        )

    def _accept(self, frame: Frame, small: Image, keep_hands: bool = False) -> None:
        self._before, self._settled, self._refreshed_at = frame, small, frame.t
        if not keep_hands:
            self._hands.clear()

    def _dark(self, small: Image) -> Sight:
        first = self._state != "dark"
        self._state, self._last, self._still_frames = "dark", small, 0
        return Sight("dark", ("too_dark",) if first else ())


def _overlap(a: Mask, b: Mask) -> float:
    either = cv2.countNonZero(cv2.bitwise_or(a, b))
    return cv2.countNonZero(cv2.bitwise_and(a, b)) / either if either else 1.0
