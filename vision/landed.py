"""The cards that have come to lie on the table since the last settled picture.

A new card lies on top, and its size is known. So its outline is a rectangle of known sides whose edges
are in the new picture and were not in the old one; that holds for a white card on a white card too,
where only a thin line of shadow shows. The region that changed is laid flat (table millimetres), the
directions of its new edges give a few angles, sums along them a few places, and the rectangle whose
sides are best supported is fitted to the edges to a fraction of a pixel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import TableGeometry
from vision.light import Mask
from vision.settle import Settled
from vision.types import Image, Outline

Floats: TypeAlias = NDArray[np.float64]
Small: TypeAlias = NDArray[np.float32]
_EDGE = (2.2, 5.0)  # grey levels a pixel that are an edge: the bound for a clean and for a noisy picture
_CHANGED = 14  # grey levels that are a change
_SUPPORT = 0.55  # the part of the free sides that must be seen as new edges
_SIDE = 0.3  # the same for three of the four sides
_COVER = 0.2  # the part of the card that must differ from before


@dataclass(frozen=True, eq=False)
class _Ground:
    """A changed region laid flat: pictures in `scale` pixels a millimetre, `flat` from picture pixels."""

    flat: Floats
    scale: float
    changed: Mask
    gx: Small
    gy: Small
    new: NDArray[np.bool_]


@dataclass(frozen=True)
class _Pose:
    """A rectangle: middle, angle of its width in radians, width and height, all in flat pixels."""

    x: float
    y: float
    angle: float
    width: float
    height: float

    def corners(self, grow: float = 0.0) -> Floats:
        w, h = self.width / 2 + grow, self.height / 2 + grow
        c, s = math.cos(self.angle), math.sin(self.angle)
        local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        turned: Floats = local @ np.array([[c, s], [-s, c]]) + np.array([self.x, self.y])
        return turned


def new_cards(settled: Settled, geometry: TableGeometry, most: int = 12) -> tuple[Outline, ...]:
    """The outlines of the cards that are in `settled.after` and were not in `settled.before`.

    The card seen whole comes first, those partly under it after it. `visible` is the part of the
    sides not covered by the others. Which end is the top is arbitrary.
    """
    found: list[Outline] = []
    card_width, card_height = geometry.card_size_px
    for region in _regions(settled, max(card_width, card_height)):
        ground = _ground(settled, geometry, region)
        if ground is not None:
            found += _cards_on(ground, geometry, most - len(found))
    return tuple(found)


def _regions(settled: Settled, card_px: float) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) in pixels about the changes, near ones taken together."""
    reach = max(1, round(card_px / settled.scale / 12))
    wide = cv2.dilate(settled.changed, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(wide, connectivity=8)
    height, width = settled.after.shape[:2]
    boxes = []
    for n in range(1, count):
        left, top, wide_px, high_px, _area = (int(value) for value in stats[n])
        inside = settled.changed[top : top + high_px, left : left + wide_px]
        own = labels[top : top + high_px, left : left + wide_px] == n
        if np.count_nonzero(inside[own]) * settled.scale**2 < 0.05 * card_px * card_px:
            continue
        margin = 0.35 * card_px
        boxes.append(
            (
                max(0, math.floor(left * settled.scale - margin)),
                max(0, math.floor(top * settled.scale - margin)),
                min(width, math.ceil((left + wide_px) * settled.scale + margin)),
                min(height, math.ceil((top + high_px) * settled.scale + margin)),
            )
        )
    return boxes


def _ground(settled: Settled, geometry: TableGeometry, box: tuple[int, int, int, int]) -> _Ground | None:
    left, top, right, bottom = box
    if right - left < 8 or bottom - top < 8:
        return None
    scale = float(np.mean(np.array(geometry.card_size_px) / np.array(geometry.card_mm)))
    frame = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
    table = geometry.to_table(frame) * scale
    low = table.min(axis=0)
    size = np.ceil(table.max(axis=0) - low).astype(int) + 1
    if not np.isfinite(table).all() or size.max() > 4000:
        return None
    flat = np.asarray(
        cv2.getPerspectiveTransform(frame.astype(np.float32), (table - low).astype(np.float32)), np.float64
    )
    shape = (int(size[0]), int(size[1]))
    before = settled.before[top:bottom, left:right]
    if np.abs(settled.light - 1).max() > 0.01:
        light = cv2.resize(settled.light, settled.after.shape[1::-1])[top:bottom, left:right, None]
        before = np.asarray(cv2.convertScaleAbs(before.astype(np.float32) * light), np.uint8)
    shift = flat @ np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    old = np.asarray(cv2.warpPerspective(before, shift, shape, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    crop = np.ascontiguousarray(settled.after[top:bottom, left:right])
    now = np.asarray(cv2.warpPerspective(crop, shift, shape, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    old, now = (np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8) for image in (old, now))
    blue, green, red = cv2.split(cv2.absdiff(old, now))
    most = cv2.max(cv2.max(blue, green), red)
    changed = cv2.threshold(most, _CHANGED, 255, cv2.THRESH_BINARY)[1]
    gx, gy, strong = _edges(now)
    was_x, was_y, _ = _edges(old)
    edge = float(np.clip(3.0 * np.median(strong[::2, ::2]), *_EDGE))
    near = cv2.dilate(changed, np.ones((9, 9), np.uint8)) > 0
    new = (strong > edge) & (cv2.magnitude(gx - was_x, gy - was_y) > np.maximum(edge, 0.4 * strong)) & near
    return _Ground(flat, scale, np.asarray(changed, np.uint8), gx, gy, new)


def _edges(image: Image) -> tuple[Small, Small, Small]:
    """Gradient (x, y, length), grey levels a pixel, of the channel that changes most."""
    across = cv2.Sobel(image, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(image, cv2.CV_32F, 0, 1, scale=1 / 8)
    lengths = cv2.split(cv2.magnitude(across, down))
    (x, *other_x), (y, *other_y), best = cv2.split(across), cv2.split(down), lengths[0]
    for channel_x, channel_y, length in zip(other_x, other_y, lengths[1:], strict=True):
        better = cv2.compare(length, best, cv2.CMP_GT)
        x, y = cv2.copyTo(channel_x, better, x), cv2.copyTo(channel_y, better, y)
        best = cv2.max(length, best)
    return np.asarray(x, np.float32), np.asarray(y, np.float32), np.asarray(best, np.float32)


def _cards_on(ground: _Ground, geometry: TableGeometry, most: int) -> list[Outline]:
    width, height = (side * ground.scale for side in geometry.card_mm)
    free = np.full(ground.changed.shape, 255, np.uint8)
    back = np.linalg.inv(ground.flat)
    found: list[Outline] = []
    while len(found) < most:
        rest = cv2.bitwise_and(ground.changed, free)
        if cv2.countNonZero(rest) < 0.12 * width * height:
            break
        best = _best_pose(ground, free, rest, width, height)
        if best is None:
            break
        pose, visible = best
        corners = cv2.perspectiveTransform(pose.corners()[None].astype(np.float64), back)[0]
        found.append(Outline(corners.astype(np.float32), visible))
        cv2.fillConvexPoly(free, pose.corners(grow=2.5).round().astype(np.int32), (0,))
    return found


def _best_pose(
    ground: _Ground, free: Mask, rest: NDArray[Any], width: float, height: float
) -> tuple[_Pose, float] | None:
    ys, xs = np.nonzero(ground.new & (free > 0))
    if len(xs) < 0.3 * (width + height):
        return None
    gx, gy = ground.gx[ys, xs], ground.gy[ys, xs]
    poses = _from_region(rest, width, height)
    for pose in poses:
        fitted = _fitted(ground, free, pose, width, height)
        (score, sides, visible) = _judged(ground, free, [fitted])[0]
        if score > 0.85 and sides[0] > 0.6 and _cover(rest, fitted) > 0.8 * visible > 0.7:
            return fitted, visible
    for angle in _angles(gx, gy):
        poses += _along(angle, xs, ys, gx, gy, width, height)
    if not poses:
        return None
    scored = _judged(ground, free, poses)
    ranked = sorted(zip(scored, poses, strict=True), key=lambda pair: -pair[0][0])[:4]
    finals = []
    for _, pose in ranked:
        fitted = _fitted(ground, free, pose, width, height)
        finals.append((_judged(ground, free, [fitted])[0], fitted))
    covers = [_cover(rest, pose) for _, pose in finals]
    best = max(range(len(finals)), key=lambda n: finals[n][0][0] + 0.2 * covers[n])
    (score, sides, visible), pose, cover = *finals[best], covers[best]
    if score < _SUPPORT or sides[1] < _SIDE or visible < 0.3 or cover < _COVER * visible:
        return None
    return pose, visible


def _from_region(rest: NDArray[Any], width: float, height: float) -> list[_Pose]:
    """A pose from the change itself, where it has a card's size: the common case, a card on bare cloth."""
    closed = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    poses = []
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        (x, y), (a, b), degrees = cv2.minAreaRect(contour)
        if a > b:
            a, b, degrees = b, a, degrees + 90
        if abs(a / width - 1) < 0.15 and abs(b / height - 1) < 0.15:
            poses.append(_Pose(x, y, math.radians(degrees), width, height))
    return poses


def _angles(gx: Small, gy: Small, most: int = 5) -> list[float]:
    """The directions, modulo a quarter turn, most edges have: peaks of a histogram of half degrees."""
    turns = np.degrees(np.arctan2(gy, gx)) % 90.0
    bins = np.bincount((turns * 2).astype(int) % 180, minlength=180).astype(np.float64)
    smooth = sum(np.roll(bins, shift) * weight for shift, weight in
                 [(-3, 1), (-2, 2), (-1, 3), (0, 4), (1, 3), (2, 2), (3, 1)])  # fmt: skip
    angles: list[float] = []
    smooth = np.asarray(smooth)
    for _ in range(most):
        peak = int(smooth.argmax())
        if smooth[peak] <= 0:
            break
        angles.append(math.radians((peak + 0.5) / 2))
        smooth[(peak + np.arange(-7, 8)) % 180] = 0
    return angles


def _along(
    angle: float, xs: NDArray[Any], ys: NDArray[Any], gx: Small, gy: Small, width: float, height: float
) -> list[_Pose]:
    """Rectangles at an angle: pairs of parallel lines of edges, one pair a width apart, one a height."""
    c, s = math.cos(angle), math.sin(angle)
    u, v = xs * c + ys * s, ys * c - xs * s
    across = np.abs(gx * c + gy * s) / (np.hypot(gx, gy) + 1e-6)
    poses = []
    for along_u, along_v, turn in ((width, height, 0.0), (height, width, math.pi / 2)):
        us = _pairs(u[across > 0.96], along_u)
        vs = _pairs(v[across < 0.28], along_v)
        for at_u in us:
            for at_v in vs:
                mid_u, mid_v = at_u + along_u / 2, at_v + along_v / 2
                x, y = mid_u * c - mid_v * s, mid_u * s + mid_v * c
                poses.append(_Pose(x, y, angle + turn, width, height))
    return poses


def _pairs(at: NDArray[Any], apart: float, most: int = 5) -> list[float]:
    """Where edges lie at two places `apart`; where only one line shows, it is tried as either."""
    if len(at) == 0:
        return []
    low = float(at.min()) - apart - 2
    lines = np.bincount((at - low).astype(int), minlength=int(at.max() - low + apart) + 6).astype(np.float64)
    lines = np.convolve(lines, [0.5, 1, 0.5], "same")
    shift = round(apart)
    other = np.concatenate([lines[shift:], np.zeros(shift)])
    near = np.maximum(other, np.maximum(np.roll(other, 1), np.roll(other, -1)))
    score = lines + near + 2 * np.minimum(lines, near)
    places = []
    for _ in range(most):
        peak = int(score.argmax())
        if score[peak] <= 0:
            break
        places.append(low + peak + 0.5)
        score[max(0, peak - 3) : peak + 4] = 0
    return places


_STEPS = np.linspace(0.07, 0.93, 28)


def _judged(
    ground: _Ground, free: Mask, poses: list[_Pose]
) -> list[tuple[float, tuple[float, float, float, float], float]]:
    """For each pose: the supported part of its free sides, the same by side (best first), the free part."""
    corners = np.stack([pose.corners() for pose in poses])  # N×4×2
    ends = np.roll(corners, -1, axis=1)
    points = corners[:, :, None] + (ends - corners)[:, :, None] * _STEPS[None, None, :, None]  # N×4×S×2
    along = (ends - corners) / np.linalg.norm(ends - corners, axis=2, keepdims=True)
    normal = np.stack([-along[..., 1], along[..., 0]], axis=-1)[:, :, None]  # N×4×1×2
    height, width = free.shape
    hit = np.zeros(points.shape[:3], bool)
    for off in (-1.4, -0.5, 0.5, 1.4):
        at = np.rint(points + normal * off).astype(int)
        x, y = np.clip(at[..., 0], 0, width - 1), np.clip(at[..., 1], 0, height - 1)
        gx, gy = ground.gx[y, x], ground.gy[y, x]
        straight = np.abs(gx * normal[..., 0] + gy * normal[..., 1]) > 0.9 * np.hypot(gx, gy)
        hit |= ground.new[y, x] & straight
    at = np.rint(points).astype(int)
    inside = (at >= 0).all(axis=-1) & (at[..., 0] < width) & (at[..., 1] < height)
    seen = inside & (free[np.clip(at[..., 1], 0, height - 1), np.clip(at[..., 0], 0, width - 1)] > 0)
    hit &= seen
    open_sides = seen.sum(axis=2)
    by_side = np.where(open_sides >= 5, hit.sum(axis=2) / np.maximum(open_sides, 1), 1.0)
    total = hit.sum(axis=(1, 2)) / np.maximum(seen.sum(axis=(1, 2)), 1)
    result = []
    for n in range(len(poses)):
        a, b, c, d = (float(value) for value in np.sort(by_side[n]))
        result.append((float(total[n]), (a, b, c, d), float(seen[n].mean())))
    return result


def _cover(rest: NDArray[Any], pose: _Pose) -> float:
    inside = np.zeros(rest.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, pose.corners(grow=-1.5).round().astype(np.int32), (255,))
    return cv2.countNonZero(cv2.bitwise_and(rest, inside)) / max(1, cv2.countNonZero(inside))


def _fitted(ground: _Ground, free: Mask, pose: _Pose, width: float, height: float) -> _Pose:
    """Least squares of middle, angle and sides on the edges found across the sides, outliers weighed down."""
    reach = np.arange(-3.5, 3.6, 0.5)
    rows, cols = free.shape
    out = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]])  # of the card, by its four sides
    inward = np.array([[0, 0.5], [0.5, 0], [0, 0.5], [0.5, 0]])  # how width and height move a side
    for turn in range(4):
        near = reach if turn < 2 else reach[4:-4]
        c, s = math.cos(pose.angle), math.sin(pose.angle)
        turned = np.array([[c, s], [-s, c]])
        size = np.array([pose.width, pose.height])
        steps = (inward[:, ::-1] @ size * 2)[:, None] * (_STEPS - 0.5)  # 4×S, along the side
        along = np.stack([-out[:, 1], out[:, 0]], axis=1)
        local = out[:, None] * (inward @ size)[:, None, None] + along[:, None] * steps[..., None]
        normal = out @ turned  # 4×2
        world = local @ turned + np.array([pose.x, pose.y])
        at = np.rint(world[:, :, None] + normal[:, None, None] * near[:, None]).astype(int)  # 4×S×R×2
        x, y = at[..., 0], at[..., 1]
        ok = (x >= 0) & (y >= 0) & (x < cols) & (y < rows)
        x, y = np.clip(x, 0, cols - 1), np.clip(y, 0, rows - 1)
        ok &= ground.new[y, x] & (free[y, x] > 0)
        nx, ny = normal[:, 0, None, None], normal[:, 1, None, None]
        slope = np.abs(ground.gx[y, x] * nx + ground.gy[y, x] * ny) * ok
        weight = slope.sum(axis=2)
        good = weight > _EDGE[0]
        good &= good.sum(axis=1, keepdims=True) >= 5
        if good.any(axis=1).sum() < 2:
            return pose
        # An edge `b` outside the side: how middle, angle and half the side must change for it.
        b = (slope * near).sum(axis=2)[good] / weight[good]
        side = np.nonzero(good)[0]
        a = np.column_stack([normal[side], -steps[good], inward[side]])
        # A prior on the sides: one card is like another to within a fraction of a millimetre.
        firm = 6.0
        a = np.vstack([a, [0, 0, 0, firm, 0], [0, 0, 0, 0, firm]])
        b = np.concatenate([b, [firm * (width - pose.width), firm * (height - pose.height)]])
        weights = np.ones(len(b))
        step = np.zeros(5)
        for _ in range(3):
            root = np.sqrt(weights)[:, None]
            step = np.linalg.lstsq(a * root, b * root[:, 0], rcond=None)[0]
            weights = 1 / np.maximum(1.0, np.abs(a @ step - b) / 0.6)
        pose = _Pose(
            pose.x + float(step[0]), pose.y + float(step[1]), pose.angle + float(step[2]),
            pose.width + float(step[3]), pose.height + float(step[4]),
        )  # fmt: skip
    return pose
