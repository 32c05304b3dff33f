"""How far the camera (or the table under it) was moved: what is put right in silence, and what is asked.

`shift` follows small motions to a fraction of a pixel. Here larger ones are recognised by what the pictures
have in common (ORB, Rublee 2011), wherever it is now and however it is turned. Up to a bound all that is
known moves along; beyond it the mat tells, if it lies there; else people are asked, and nothing on the table
counts until the camera is back or has been calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GeometryError, TableGeometry, carried
from vision.light import Mask, differences, row_light, small_picture
from vision.mat import geometry_from_markers, markers_in
from vision.shift import Motion, all_over, camera_motion
from vision.types import Image, Outline

Floats: TypeAlias = NDArray[np.float64]
SMALL_PX, SMALL_DEGREES = 40.0, 4.0
"""The most that is put right in silence since the table was calibrated, where no mat is in the picture: the
furthest that a point of the middle half has moved, in a picture 1280 wide, and the turn. A shift in the
picture stands for a tilt of the camera, too, of which the shape of the table suffers: at 40 pixels, a tilt of
2.5°, by up to 12 mm at the cards' places."""
_WIDTH = 640
_POINTS = 900
_RATIO = 0.8  # a match must be better than the second best by this factor (Lowe 2004)
_LEAST = 20  # matches that agree
_SPREAD = 0.3  # of width and height over which they lie
_OFF_PX = 3.0  # in the small picture
_STIRRED_PX = 4.0  # at a corner, in a picture 1280 wide: from here on it has moved
_CHANGED, _BORDER = 0.6, 0.35  # of the picture, and of its border: not even four arms change so much
_CHANGE, _SAME = 16, 0.05  # grey levels that are a change; of the picture
_PLACES, _PLACE = 4, 12  # changes of at least so many pixels of the small picture
_MARKERS = 4
_WHERE = 16  # pixels between the points that tell where another one was


def motion_between(before: Image, after: Image) -> Floats | None:
    """The homography, 3×3, that takes points of one picture to those of another, however far; None if too
    little of the one is in the other."""
    scale = max(1.0, before.shape[1] / _WIDTH)
    size = (round(before.shape[1] / scale), round(before.shape[0] / scale))
    orb = cv2.ORB.create(_POINTS, fastThreshold=8)
    found = [
        orb.detectAndCompute(
            cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY), None
        )
        for image in (before, after)
    ]
    small_to_full = np.diag([scale, scale, 1.0])
    (points, marks), (others, other_marks) = found
    if marks is None or other_marks is None or min(len(points), len(others)) < _LEAST:
        return None
    pairs = [
        best
        for best, *second in cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, other_marks, k=2)
        if second and best.distance < _RATIO * second[0].distance
    ]
    if len(pairs) < _LEAST:
        return None
    a = np.array([points[pair.queryIdx].pt for pair in pairs], np.float32)
    b = np.array([others[pair.trainIdx].pt for pair in pairs], np.float32)
    # A shift and turn where there is too little for more.
    for fit in (cv2.findHomography, cv2.estimateAffinePartial2D):
        motion, agree = fit(a, b, method=cv2.RANSAC, ransacReprojThreshold=_OFF_PX)
        if motion is None or agree is None:
            continue
        one = agree.ravel() == 1
        whole = small_to_full @ _whole(np.asarray(motion, np.float64)) @ np.linalg.inv(small_to_full)
        whole /= whole[2, 2]
        spread = (np.ptp(a[one], axis=0) / size).min() if one.sum() >= _LEAST else 0.0
        if spread >= _SPREAD and _of_a_camera(whole, before.shape[1]):
            return whole
    return None


def _of_a_camera(motion: Floats, width: int) -> bool:
    """Whether a camera that stays above its table can have moved like this."""
    scale = float(np.linalg.det(motion[:2, :2]))
    return 0.5 < scale < 2.0 and float(np.abs(motion[2, :2]).max()) * width < 0.4


def how_far(motion: Floats, size: tuple[int, int]) -> tuple[float, float]:
    """The furthest that a corner of the picture's middle half moved, in pixels of a picture 1280 wide, and
    the turn in degrees."""
    width, height = size
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width, height]) / 4
    old = corners + np.array([width, height]) / 2
    new = carried(old, motion)
    about = new - new.mean(axis=0)
    turn = math.atan2(
        (corners[:, 0] * about[:, 1] - corners[:, 1] * about[:, 0]).sum(), (corners * about).sum()
    )
    return float(np.hypot(*(new - old).T).max() * 1280 / width), abs(math.degrees(turn))


def _stirred(motion: Floats, size: tuple[int, int]) -> bool:
    """Whether any corner of the picture has moved at all."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(size)
    moved = np.hypot(*(carried(corners, motion) - corners).T).max()
    return bool(moved * 1280 / size[0] > _STIRRED_PX)


@dataclass(frozen=True, eq=False)
class Move:
    """Where what was seen before the camera moved is seen now. `points`: N×2 pixels to N×2 pixels;
    `picture`: the old picture as it would be seen now; `geometry`: the table's now."""

    points: Callable[[Floats], Floats]
    picture: Callable[[Image], Image]
    geometry: TableGeometry | None

    def outline(self, outline: Outline) -> Outline:
        """The outline of a card that was seen before."""
        corners = self.points(outline.corners.astype(np.float64))
        return Outline(corners.astype(np.float32), outline.visible)


def by_motion(motion: Motion, geometry: TableGeometry | None) -> Move:
    """A shift and turn, 2×3, or a homography, 3×3."""
    whole = _whole(motion)

    def picture(image: Image) -> Image:
        size = (image.shape[1], image.shape[0])
        return np.asarray(cv2.warpPerspective(image, whole, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    shifted = None if geometry is None else geometry.shifted(whole)
    return Move(lambda points: carried(points, whole), picture, shifted)


def _whole(motion: Floats) -> Floats:
    return motion if len(motion) == 3 else np.vstack([motion, [0.0, 0.0, 1.0]])


def by_the_mat(old: TableGeometry, new: TableGeometry) -> Move:
    """From one geometry of a table to another one, lens included."""

    def picture(image: Image) -> Image:
        height, width = image.shape[:2]
        columns, rows = (np.arange(0, side + _WHERE, _WHERE) for side in (width, height))
        grid = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2)
        were: Any = old.to_picture(new.to_table(grid)).astype(np.float32).reshape(len(rows), len(columns), 2)
        x, y = np.meshgrid(np.arange(width) / _WHERE, np.arange(height) / _WHERE)
        spots = cv2.remap(were, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        moved = cv2.remap(
            image, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, np.uint8)

    return Move(lambda points: new.to_picture(old.to_table(points)), picture, new)


def in_many_places(changed: Mask) -> bool:
    """Whether changes are in so many places that it may be the camera that has moved."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed, np.ones((3, 3), np.uint8)))
    large = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= _PLACE]
    return all_over(changed) or len(large) >= _PLACES


class CameraPlace:
    """Keeps where the camera hangs, from one settled picture to the next.

    `lost`: it was moved too far: nothing counts until it is back, or `found` was called.
    """

    def __init__(self) -> None:
        self.lost = False
        self._since: Floats = np.eye(3)  # the motion since the table was calibrated
        self._known: Image | None = None  # the last picture of before it was lost

    def found(self) -> None:
        """The table has been calibrated."""
        self.lost, self._since, self._known = False, np.eye(3), None

    def moved(
        self, before: Image, after: Image, changed: Mask, geometry: TableGeometry | None
    ) -> Move | None:
        """The move between two settled pictures, None if there was none or the camera is `lost` by it.

        `changed`: what has, in the small picture.
        """
        motion = camera_motion(before, after)
        if motion is None:
            motion = motion_between(before, after)
            if motion is None:
                if _all_else(changed):
                    self._lose(before)
                return None
            if not _stirred(motion, (after.shape[1], after.shape[0])):
                return None
        return self._judged(motion, before, after, geometry)

    def back(self, after: Image, geometry: TableGeometry | None) -> tuple[Image, Move] | None:
        """Whether a camera that was lost is back: the picture that counted last, and the move since then."""
        assert self._known is not None
        known = self._known
        motion = camera_motion(known, after)
        if motion is None:
            motion = motion_between(known, after)
        if motion is None and _alike(known, after):
            motion = np.eye(3)
        if motion is None:
            return None
        move = self._judged(motion, known, after, geometry)
        if move is None:
            return None
        self.lost, self._known = False, None
        return known, move

    def _judged(
        self, motion: Motion, before: Image, after: Image, geometry: TableGeometry | None
    ) -> Move | None:
        total = _whole(motion) @ self._since
        far, turn = how_far(total, (after.shape[1], after.shape[0]))
        if far <= SMALL_PX and turn <= SMALL_DEGREES:
            self._since = total
            return by_motion(motion, geometry)
        seen = None if geometry is None else _by_mat(after, geometry)
        if geometry is not None and seen is not None:
            self._since = np.eye(3)
            return by_the_mat(geometry, seen)
        self._lose(before)
        return None

    def _lose(self, before: Image) -> None:
        if not self.lost:
            self.lost, self._known = True, before


def _all_else(changed: Mask) -> bool:
    """Whether a picture is of something else."""
    border = np.concatenate(
        [changed[:2].ravel(), changed[-2:].ravel(), changed[:, :2].ravel(), changed[:, -2:].ravel()]
    )
    return bool((changed > 0).mean() > _CHANGED or (border > 0).mean() > _BORDER)


def _alike(before: Image, after: Image) -> bool:
    """Whether two pictures show the same but for a card or two."""
    old, new = small_picture(before), small_picture(after)
    changed = differences(old, new, row_light(old, new), _CHANGE)
    return cv2.countNonZero(changed) < _SAME * changed.size


def _by_mat(picture: Image, known: TableGeometry) -> TableGeometry | None:
    """The table by the mat in a picture, with the areas and the cards' size as they were."""
    if len(markers_in(picture)) < _MARKERS:
        return None
    try:
        new = geometry_from_markers(picture, known.seats)
    except GeometryError:
        return None
    return replace(new, areas=known.areas, card_mm=known.card_mm, table_mm=known.table_mm)
