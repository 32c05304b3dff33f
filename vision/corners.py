"""The table found without a mat: by four cards of known size that lie in its corners.

Each card is a rectangle of the same size, anywhere and at any angle; all lie in one plane under one
pinhole camera with square pixels (Hartley & Zisserman 2004, 6 and 8.8). Camera and cards are fitted
together to the corners of the outlines, the scale coming from the cards' size.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fitting import Floats, fitted, softened
from vision.geometry import CORNER_PX, GeometryError, TableGeometry, with_seats
from vision.outline import find_outlines
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Outline

_OFF_PX = 1.5  # corners further off than this on the average, in a picture 1280 wide, are not such cards'
_ROUGH_PX = 6.0  # the same for outlines as they are found first
_REACH_PX = (8.0, 3.0)  # how far from where it should be an edge is looked for, in a picture 1280 wide
_USUAL_FOCAL, _FOCAL_SPREAD = 0.85, 0.35  # in picture widths; the spread of its logarithm
_LEAN_SPREAD = 0.4  # radians
_K1_SPREAD = 0.12
_BARREL = 1.2  # k2 by k1², as in geometry
_STARTS = ((0.0, 0.0), (0.35, 0.0), (-0.35, 0.0), (0.0, 0.35), (0.0, -0.35))
_SQUARE = 0.78  # of width and height: below it there is no doubt which is which
_APART = 0.3  # of the picture's width and height: what the four cards must span


def geometry_from_cards(
    image: Image, card_mm: tuple[float, float] = (CARD_WIDTH_MM, CARD_HEIGHT_MM), seats: int = 4
) -> TableGeometry:
    """Finds four cards in the corners of the table in a picture, H×W×3, and from them the table."""
    whole = [outline for outline in find_outlines(image, covered=False) if outline.visible == 1.0]
    size = (image.shape[1], image.shape[0])
    cards = _in_the_corners(whole, size)
    for reach in _REACH_PX:  # from where the cards must lie after all, their edges are found better
        rough = [np.asarray(card.corners, np.float64) for card in cards]
        _, quads = _fit_any(rough, size, card_mm, _ROUGH_PX)
        cards = [Outline(_on_edges(image, quad, reach * size[0] / 1280).astype(np.float32)) for quad in quads]
    return fit_cards(cards, size, card_mm, seats)


def fit_cards(
    cards: Sequence[Outline],
    size: tuple[int, int],
    card_mm: tuple[float, float] = (CARD_WIDTH_MM, CARD_HEIGHT_MM),
    seats: int = 4,
) -> TableGeometry:
    """The geometry from the outlines of four cards, clockwise from the picture's top left, in a picture of
    `size`. The table is the rectangle around them, its middle is 0, 0."""
    quads = [np.asarray(card.corners, np.float64) for card in cards]
    camera, _ = _fit_any(quads, size, card_mm, _OFF_PX)
    return with_seats(_on_the_marks(replace(camera, card_mm=card_mm), quads), seats)


def _fit_any(
    quads: Sequence[Floats], size: tuple[int, int], card_mm: tuple[float, float], bound_px: float
) -> tuple[TableGeometry, list[Floats]]:
    """The camera, whichever side of a card is the short one, and where the cards' corners then are in the
    picture; GeometryError if they are further off than the bound on the average."""
    # Seen obliquely, a card's short side may look the longer one: then it may lie either way.
    ways = list(itertools.product(*(_either_way(quad) for quad in quads)))
    for tried, start in [*((ways[0], start) for start in _STARTS), *((way, _STARTS[0]) for way in ways[1:])]:
        off, found = _fit(tried, size, card_mm, start)
        if np.hypot(*off.T).mean() <= bound_px * size[0] / 1280:
            return _camera(found, size), list((np.concatenate(tried) + off).reshape(-1, 4, 2))
    text = f"no four cards of {card_mm[0]:g}×{card_mm[1]:g} mm lie like this: another size, or bent?"
    raise GeometryError(text)


def _either_way(quad: Floats) -> list[Floats]:
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if (sides[0] + sides[2]) < _SQUARE * (sides[1] + sides[3]):
        return [quad]
    return [quad, np.roll(quad, 1, axis=0)]


def _fit(
    quads: Sequence[Floats], size: tuple[int, int], card_mm: tuple[float, float], lean: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Fits from a first guess of the camera's angles: the errors in pixels, N×2, and the unknowns:
    those of the camera (see `_camera`), then of each card its
    middle in 100 mm and its angle in radians."""
    middle = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card_mm) / 2
    seen = np.concatenate(quads)
    scale = np.sqrt(np.mean([cv2.contourArea(q.astype(np.float32)) for q in quads]) / np.prod(card_mm))
    poses = [
        (*((quad.mean(axis=0) - middle) / scale / 100), np.arctan2(*(quad[1] - quad[0])[::-1]))
        for quad in quads
    ]
    start = np.array([np.log(scale * 100 / size[0]), *lean, 0.0, 0.0, *itertools.chain(*poses)])

    def off(x: Floats) -> Floats:
        placed = [
            half @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + np.array([x_mm, y_mm]) * 100
            for x_mm, y_mm, a in x[5:].reshape(-1, 3)
        ]
        return _camera(x, size).to_picture(np.concatenate(placed)) - seen

    def errors(x: Floats) -> Floats:
        usual = x[1:5] / (_LEAN_SPREAD, _LEAN_SPREAD, _FOCAL_SPREAD, _K1_SPREAD)
        return np.append(softened(off(x).ravel() / CORNER_PX, 5.0), usual)

    found = fitted(errors, start)
    return off(found), found


def _camera(x: Floats, size: tuple[int, int]) -> TableGeometry:
    """The geometry of a camera: the logarithm of its scale in widths a 100 mm, its two angles out of the
    plumb, the logarithm of its focal length by the usual one, k1."""
    focal = size[0] * _USUAL_FOCAL * np.exp(x[3])
    away = focal / (np.exp(x[0]) * size[0] / 100)
    turn, _ = cv2.Rodrigues(np.array([x[1], x[2], 0.0]))
    lens = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    onto = lens @ np.column_stack([turn[:, 0], turn[:, 1], (0, 0, away)])
    plane = np.linalg.inv(onto)
    rows = tuple(float(value) for value in (plane / plane[2, 2]).ravel())
    return TableGeometry(size, rows, k1=float(x[4]), k2=float(_BARREL * x[4] ** 2))


def _on_the_marks(geometry: TableGeometry, quads: Sequence[Floats]) -> TableGeometry:
    """The same with the marked table's middle at 0, 0, its upper edge along +x, and its size."""
    placed = np.stack([geometry.to_table(quad) for quad in quads])
    middles = placed.mean(axis=1)
    across = middles[[1, 2]].sum(axis=0) - middles[[0, 3]].sum(axis=0)
    right_x, right_y = across / np.hypot(*across)
    turn = np.array([[right_x, right_y], [-right_y, right_x]])
    along = placed.reshape(-1, 2) @ turn.T
    low, high = along.min(axis=0), along.max(axis=0)
    move = np.eye(3)
    move[:2, :2], move[:2, 2] = turn, -(low + high) / 2
    plane = move @ np.array(geometry.homography).reshape(3, 3)
    rows = tuple(float(value) for value in (plane / plane[2, 2]).ravel())
    return replace(geometry, homography=rows, table_mm=(float(high[0] - low[0]), float(high[1] - low[1])))


def _on_edges(image: Image, quad: Floats, reach: float) -> Floats:
    """A quadrilateral moved to the strongest edges within `reach` pixels of its sides; bent by a lens, a
    side counts as straight."""
    steps = np.arange(-reach - 1, reach + 1.01, 0.5)
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        unit = (end - start) / max(1e-6, float(np.hypot(*(end - start))))
        normal = np.array([unit[1], -unit[0]])  # outwards
        points = start + (end - start) * np.linspace(0.12, 0.88, 40)[:, None]
        spots = (points[:, None] + normal * steps[None, :, None]).astype(np.float32)
        seen = cv2.remap(image, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR).astype(np.float64)
        slope = np.abs(seen[:, 2:] - seen[:, :-2]).max(axis=2)
        # The outermost strong edge: further in is the card's print.
        strong = slope >= 0.5 * slope.max(axis=1, keepdims=True)
        peak = len(steps) - 3 - strong[:, ::-1].argmax(axis=1)
        inward = np.clip(peak[:, None] - np.arange(4), 0, slope.shape[1] - 1)
        peak -= np.take_along_axis(slope, inward, axis=1).argmax(axis=1)
        near = np.clip(peak[:, None] + np.arange(-3, 4), 0, slope.shape[1] - 1)
        weight = np.take_along_axis(slope, near, axis=1)
        at = (steps[1:-1][near] * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6)
        line = cv2.fitLine((points + normal * at[:, None]).astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
        vx, vy, x, y = (float(value) for value in np.ravel(line))
        lines.append((-vy, vx, vy * x - vx * y))
    crossed = [np.cross(before, line) for before, line in zip([lines[-1], *lines[:-1]], lines, strict=True)]
    return np.array([[x / w, y / w] if abs(w) > 0.25 else corner for (x, y, w), corner in zip(
        crossed, quad, strict=True)])  # fmt: skip


def _in_the_corners(outlines: Sequence[Outline], size: tuple[int, int]) -> list[Outline]:
    """The four outlines nearest to the picture's corners, clockwise from its top left."""
    middles: NDArray[np.float64] = np.array([o.corners.mean(axis=0) for o in outlines]).reshape(-1, 2)
    parts = middles / size
    ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    nearest = [int(np.argmin(np.abs(parts - end).sum(axis=1))) for end in ends] if len(outlines) else []
    spread = np.ptp(parts[nearest], axis=0) if nearest else np.zeros(2)
    if len(set(nearest)) < 4 or spread.min() < _APART:
        found = f"{len(outlines)} whole cards are seen in the picture"
        raise GeometryError(f"{found}: one is needed in each corner of the table")
    return [outlines[n] for n in nearest]
