"""Card outlines in a single picture of a table, of which nothing is known beforehand.

A card is paler or darker than what it lies on in at least one channel. So the picture is cut at several
levels of several channels; an outer contour with four straight sides in a card's proportions is a card.
Where cards touch or overlap, the contour of the heap still has straight pieces: two that meet squarely
are a corner, and with the size of a card the whole outline follows from it. Corners are where lines
fitted to the gradient along the sides cross.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Outline

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
_WORK = 800  # pixels: contours are looked for in a picture no longer than this
_ASPECT = CARD_WIDTH_MM / CARD_HEIGHT_MM
_LEAST = 40.0  # pixels: the height of the smallest card


def find_outlines(
    image: Image, card_size_px: tuple[float, float] | None = None, covered: bool = True
) -> tuple[Outline, ...]:
    """The outlines of cards in a picture, H×W×3; the surest first.

    `card_size_px`: width and height where they are known; else the whole cards in the picture tell
    them. `visible` is 1 for a card whose four sides are seen, and the part of the sides that is seen
    for one partly covered; without `covered` those are left out. Which end is the top is arbitrary.
    """
    scale = min(1.0, _WORK / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    shrunk = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    small = np.asarray(shrunk, np.uint8)
    contours = list(_contours(small, max(8.0, _LEAST * scale, 0.05 * max(size))))
    wanted = None if card_size_px is None else (card_size_px[0] * scale, card_size_px[1] * scale)
    whole: list[tuple[float, Floats]] = []
    for contour in contours:
        quad = _four_sides(contour)
        if quad is not None and _like_a_card(quad, wanted):
            whole.append((_filled(contour, quad), _upright(quad)))
    gx, gy = _gradient(small)
    chosen = [(1.0, quad) for quad in _best_of(sorted(whole, key=lambda pair: -pair[0]))]
    if wanted is None and chosen:
        wanted = _size([quad for _, quad in chosen])
    if wanted is not None and covered:
        chosen += _covered(contours, wanted, [quad for _, quad in chosen], gx, gy)
    full_x, full_y = (gx, gy) if scale == 1 else _gradient(image)
    outlines = []
    for visible, quad in chosen:
        corners = (quad + 0.5) / scale - 0.5
        if visible == 1.0:
            corners = _sharpened(corners, full_x, full_y, 2.0 / scale + 1)
        outlines.append(Outline(corners.astype(np.float32), visible))
    return tuple(outlines)


def _contours(image: Image, least: float) -> Iterator[NDArray[np.int32]]:
    """Outer contours of pale, dark and coloured regions at several levels, the large ones only."""
    smooth = cv2.medianBlur(image, 3)
    hsv = cv2.cvtColor(smooth, cv2.COLOR_BGR2HSV)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab)
    edge = np.concatenate([lab[:4].reshape(-1, 3), lab[-4:].reshape(-1, 3), lab[:, :4].reshape(-1, 3)])
    apart = cv2.split(lab.astype(np.float32) - np.median(edge, axis=0).astype(np.float32))
    away = np.sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2])
    channels = [
        lab[:, :, 0],
        cv2.subtract(hsv[:, :, 2], hsv[:, :, 1]),  # white stands out from every coloured cloth
        np.clip(away * 2, 0, 255).astype(np.uint8),
    ]
    kernel = np.ones((3, 3), np.uint8)
    for level in (24, 44):  # a white card on a pale cloth: both lie on one side of Otsu's level
        yield from _outer(cv2.threshold(channels[2], level, 255, cv2.THRESH_BINARY)[1], least)
    for channel in channels:
        otsu, _ = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        masks = [
            cv2.threshold(channel, level, 255, cv2.THRESH_BINARY)[1]
            for level in (otsu * 0.8, otsu, otsu + 0.4 * (255 - otsu))
        ]
        for mask in masks:
            opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
            yield from _outer(opened, least)
    lines = cv2.Canny(smooth, 30, 90)
    for closing in (3, 5):
        closed = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, np.ones((closing, closing), np.uint8))
        yield from _outer(closed, least)


def _outer(mask: NDArray[Any], least: float) -> Iterator[NDArray[np.int32]]:
    height, width = mask.shape[:2]
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        _, _, wide, high = cv2.boundingRect(contour)
        if max(wide, high) < least or cv2.contourArea(contour) < 0.4 * least * least:
            continue
        if wide >= width - 2 and high >= height - 2:
            continue
        yield np.asarray(contour, np.int32)


def _four_sides(contour: NDArray[np.int32]) -> Floats | None:
    """The quadrilateral a contour is, cut corners and small dents allowed; clockwise."""
    hull = cv2.convexHull(contour)
    if cv2.contourArea(contour) < 0.88 * cv2.contourArea(hull):
        return None
    around = cv2.arcLength(hull, True)
    for coarse in (0.02, 0.03, 0.045, 0.06):
        rough = cv2.approxPolyDP(hull, coarse * around, True)
        if len(rough) == 4:
            break
    else:
        return None
    lines = _side_lines(hull.reshape(-1, 2), contour.reshape(-1, 2), rough.reshape(4, 2).astype(np.float64))
    corners = _crossings(lines)
    if corners is None or np.abs(corners - rough.reshape(4, 2)).max() > 0.08 * around:
        return None
    return corners if cv2.contourArea(corners.astype(np.float32), True) > 0 else corners[::-1]


def _side_lines(
    hull: NDArray[Any], contour: NDArray[Any], rough: Floats
) -> list[tuple[float, float, float, float]]:
    """A line fitted to the middle part of each side, its rounded corners left out."""
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = end - start
        length = max(1e-6, float(np.hypot(*along)))
        unit = along / length
        at, off = np.array([unit / length, [-unit[1], unit[0]]]) @ (contour - start).T
        off = np.abs(off)
        near = contour[(at > 0.12) & (at < 0.88) & (off < 0.03 * length + 1.5)]
        if len(near) < 5:
            near = np.stack([start, end])
        lines.append(_line(near))
    return lines


def _line(points: NDArray[Any]) -> tuple[float, float, float, float]:
    """The line through points, outliers weighed down: its direction and a point on it."""
    fitted = np.ravel(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
    vx, vy, x, y = (float(value) for value in fitted)
    return vx, vy, x, y


def _crossings(lines: Sequence[tuple[float, float, float, float]]) -> Floats | None:
    """The corners where each line crosses the one before it; None for near parallels."""
    corners = []
    for (ax, ay, px, py), (bx, by, qx, qy) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        cross = ax * by - ay * bx
        if abs(cross) < 0.25:
            return None
        t = ((qx - px) * by - (qy - py) * bx) / cross
        corners.append((px + t * ax, py + t * ay))
    return np.array(corners)


def _like_a_card(quad: Floats, size: tuple[float, float] | None) -> bool:
    """Whether a quadrilateral may be a card in perspective: proportions, nearly parallel opposite sides."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if sides.min() < 10:
        return False
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    short, long = min(first, second), max(first, second)
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > 1.45:
        return False
    if size is not None:
        return bool(abs(short / size[0] - 1) < 0.15 and abs(long / size[1] - 1) < 0.15)
    return bool(0.5 < short / long < 0.92 and cv2.isContourConvex(quad.astype(np.float32)))


def _filled(contour: NDArray[np.int32], quad: Floats) -> float:
    """How well a contour and its quadrilateral agree, 0 to 1, with a card's proportions as a tie break."""
    area, own = cv2.contourArea(quad.astype(np.float32)), cv2.contourArea(contour)
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    first, second = sides[0] + sides[2], sides[1] + sides[3]
    odd = abs(math.log(min(first, second) / max(first, second) / _ASPECT))
    return float(min(area, own) / max(area, own) - 0.3 * odd)


def _upright(quad: Floats) -> Floats:
    """Starts the corners so that the first side is a short one: the card's top."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return quad if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(quad, -1, axis=0)


def _best_of(ranked: Sequence[tuple[float, Floats]]) -> list[Floats]:
    """One outline a card: of those that share ground the one that fits best; none within another."""
    chosen: list[Floats] = []
    for _, quad in ranked:
        if all(_shared(quad, other) < 0.25 for other in chosen):
            chosen.append(quad)
    # The cards of one picture are of like size; what is much smaller is print, or some other thing.
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in chosen]
    return [quad for quad, area in zip(chosen, areas, strict=True) if area > 0.3 * max(areas)]


def _shared(a: Floats, b: Floats) -> float:
    """Common ground of two outlines as a part of the smaller."""
    one, other = a.astype(np.float32), b.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(one, other)
    return float(common) / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other)))


def _size(quads: Sequence[Floats]) -> tuple[float, float]:
    """Width and height of a card in the picture: the medians of the whole ones."""
    sides = np.array([np.hypot(*(np.roll(quad, -1, axis=0) - quad).T) for quad in quads])
    return float(np.median(sides[:, 0::2].mean(axis=1))), float(np.median(sides[:, 1::2].mean(axis=1)))


def _covered(
    contours: Sequence[NDArray[np.int32]],
    size: tuple[float, float],
    known: Sequence[Floats],
    gx: Singles,
    gy: Singles,
) -> list[tuple[float, Floats]]:
    """Outlines deduced from square corners of heaps, those best supported by edges first."""
    width, height = size
    tried: list[tuple[float, Floats]] = []
    for contour in contours:
        rough = cv2.approxPolyDP(contour, 0.03 * width, True).reshape(-1, 2).astype(np.float64)
        if not 4 <= len(rough) <= 40:
            continue
        if cv2.contourArea(rough.astype(np.float32), True) < 0:
            rough = rough[::-1]
        neighbours = zip(np.roll(rough, 1, axis=0), rough, np.roll(rough, -1, axis=0), strict=True)
        for before, corner, after in neighbours:
            back, on = before - corner, after - corner
            lengths = np.hypot(*back), np.hypot(*on)
            if min(lengths) < 0.18 * width or max(lengths) < 0.35 * width:
                continue
            back, on = back / lengths[0], on / lengths[1]
            # A corner of a card turns right by a quarter; a notch between cards turns left.
            if back @ on > 0.22 or back @ on < -0.22 or on[0] * back[1] - on[1] * back[0] < 0:
                continue
            for along, down in ((width, height), (height, width)):
                if lengths[1] > 1.12 * along or lengths[0] > 1.12 * down:
                    continue
                quad = np.stack(
                    [corner, corner + on * along, corner + on * along + back * down, corner + back * down]
                )
                tried.append((_edge_part(quad, gx, gy), _upright(quad)))
    chosen: list[tuple[float, Floats]] = []
    for part, quad in sorted(tried, key=lambda pair: -pair[0]):
        others = [*known, *(other for _, other in chosen)]
        if part > 0.42 and all(_shared(quad, other) < 0.6 for other in others):
            chosen.append((min(0.95, part), quad))
    return chosen


def _gradient(image: Image) -> tuple[Singles, Singles]:
    """The gradient of the channel that changes most, grey levels a pixel."""
    blurred = cv2.split(cv2.GaussianBlur(image, (3, 3), 0))
    x, y = (np.zeros(image.shape[:2], np.float32) for _ in range(2))
    strongest: Any = np.full(image.shape[:2], -1, np.float32)
    for channel in blurred:
        gx = cv2.Sobel(channel, cv2.CV_32F, 1, 0, scale=1 / 8)
        gy = cv2.Sobel(channel, cv2.CV_32F, 0, 1, scale=1 / 8)
        strength: Any = gx * gx + gy * gy
        stronger = cv2.compare(strength, strongest, cv2.CMP_GT)
        cv2.copyTo(gx, stronger, x)
        cv2.copyTo(gy, stronger, y)
        strongest = cv2.max(strength, strongest)
    return x, y


def _edge_part(quad: Floats, gx: Singles, gy: Singles) -> float:
    """The part of an outline's sides along which there is an edge in the side's direction."""
    hits = []
    rows, cols = gx.shape
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        unit = (end - start) / max(1e-6, float(np.hypot(*(end - start))))
        normal = np.array([-unit[1], unit[0]])
        points = start + (end - start) * np.linspace(0.06, 0.94, 24)[:, None]
        near = points[:, None] + normal * np.arange(-2, 3)[None, :, None]
        x, y = np.rint(near[..., 0]).astype(int), np.rint(near[..., 1]).astype(int)
        inside = (x >= 0) & (y >= 0) & (x < cols) & (y < rows)
        x, y = np.clip(x, 0, cols - 1), np.clip(y, 0, rows - 1)
        across = np.abs(gx[y, x] * normal[0] + gy[y, x] * normal[1])
        edge = inside & (across > 5) & (across > 0.92 * np.hypot(gx[y, x], gy[y, x]))
        hits.append(edge.any(axis=1))
    return float(np.mean(hits))


def _sharpened(quad: Floats, gx: Singles, gy: Singles, reach: float) -> Floats:
    """The corners where lines through the strongest gradient along the sides cross."""
    rows, cols = gx.shape
    steps = np.arange(-reach, reach + 0.1, 0.5)
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        length = max(1e-6, float(np.hypot(*(end - start))))
        unit = (end - start) / length
        normal = np.array([-unit[1], unit[0]])
        points = start + (end - start) * np.linspace(0.1, 0.9, 40)[:, None]
        near = points[:, None] + normal * steps[None, :, None]
        x = np.clip(np.rint(near[..., 0]).astype(int), 0, cols - 1)
        y = np.clip(np.rint(near[..., 1]).astype(int), 0, rows - 1)
        across = np.abs(gx[y, x] * normal[0] + gy[y, x] * normal[1]) ** 2
        weight = across.sum(axis=1)
        good = weight > 16
        if good.sum() < 8:
            return quad
        offset = (across * steps).sum(axis=1)[good] / weight[good]
        lines.append(_line(points[good] + normal * offset[:, None]))
    corners = _crossings(lines)
    if corners is None or np.abs(corners - quad).max() > 2 * reach + 2:
        return quad
    return corners
