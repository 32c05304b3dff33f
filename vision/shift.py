"""Whether the camera (or the table under it) moved between two settled pictures."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

Motion: TypeAlias = NDArray[np.float64]  # 2×3, from old picture points to new ones
_WIDTH = 640
_SPREAD = 0.35  # of width and height: what moved as one must reach over this much of the picture
_AGREE = 0.6
_MOVED_PX = 1.2  # in the small picture, at its corners


def camera_motion(before: Image, after: Image) -> Motion | None:
    """The shift and turn that takes `before` to `after`, or None if the picture as a whole stood still.

    Points are followed from one picture to the other (Lucas & Kanade). Cards that were moved do not
    count: the points must agree, and lie far apart.
    """
    scale = max(1.0, before.shape[1] / _WIDTH)
    size = (round(before.shape[1] / scale), round(before.shape[0] / scale))
    old, new = (
        cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        for image in (before, after)
    )
    points = cv2.goodFeaturesToTrack(old, 150, 0.02, 8)
    if points is None or len(points) < 12:
        return None
    start = np.asarray(points, np.float32).reshape(-1, 1, 2)
    ends, ok, _ = cv2.calcOpticalFlowPyrLK(old, new, start, start.copy(), winSize=(17, 17), maxLevel=3)
    followed = ok.ravel() == 1
    if followed.sum() < 12:
        return None
    a, b = start[followed].reshape(-1, 2), np.asarray(ends)[followed].reshape(-1, 2)
    motion, agree = cv2.estimateAffinePartial2D(a, b, method=cv2.RANSAC, ransacReprojThreshold=1.0)
    if motion is None or agree is None:
        return None
    one = agree.ravel() == 1
    spread = np.ptp(a[one], axis=0) / size if one.sum() >= 8 else np.zeros(2)
    if one.mean() < _AGREE or spread.min() < _SPREAD:
        return None
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float64)
    moved = np.asarray(motion, np.float64)
    if np.hypot(*(corners @ moved[:, :2].T + moved[:, 2] - corners).T).max() < _MOVED_PX:
        return None
    result = moved.copy()
    result[:, 2] *= scale
    return result


def all_over(changed: NDArray[np.uint8]) -> bool:
    """Whether changes lie in several places far apart, as when the camera moved."""
    ys, xs = np.nonzero(changed)
    if len(xs) == 0:
        return False
    height, width = changed.shape
    cells: NDArray[np.intp] = np.unique((ys * 4 // height) * 4 + xs * 4 // width)
    return len(cells) >= 5 and bool(np.ptp(xs) > 0.5 * width and np.ptp(ys) > 0.5 * height)
