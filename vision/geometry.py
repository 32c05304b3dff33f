"""Where things on the table are: between pixels of the picture and millimetres of the table.

The table is a plane, so picture and table are tied by a homography; a wide lens bends straight lines
first, which two radial coefficients undo (Brown's model). Play areas are polygons in millimetres.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fitting import Floats, fitted, softened
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Outline, Points

Polygon: TypeAlias = tuple[tuple[float, float], ...]
CORNER_PX = 0.2  # how exactly a corner is found
_USUAL_K1, _USUAL_K2 = 0.3, 0.03  # by how much k1 differs from 0, and k2 from what goes with k1
_BARREL = 1.2  # k2 by k1²: between the barrels of webcams and the division model's 2 (Fitzgibbon 2001)
_NORM_MM = 300.0
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class GeometryError(Exception):
    """A table geometry that cannot be read or found; its text says why, in one line."""


@dataclass(frozen=True)
class Area:
    """A play area: a name ("seat1", "center", "stock" …) and a polygon in table millimetres."""

    name: str
    polygon: Polygon


@dataclass(frozen=True)
class TableGeometry:
    """The tie between a camera's picture and the table under it.

    `homography`: row by row, from picture pixels freed of lens distortion to table millimetres.
    `size`: width and height of the picture it holds for. `k1`, `k2`: radial distortion about the
    picture's middle, of distances in units of the picture's width. `areas`: the first that holds a
    point has it. Seat 1 sits at the bottom of the picture, the others follow clockwise as seen from
    above: left, top, right for four. `table_mm`: width and height of the table about its middle, None
    where all that is in the picture counts as the table.
    """

    size: tuple[int, int]
    homography: tuple[float, ...] = _IDENTITY
    areas: tuple[Area, ...] = ()
    seats: int = 4
    k1: float = 0.0
    k2: float = 0.0
    card_mm: tuple[float, float] = (CARD_WIDTH_MM, CARD_HEIGHT_MM)
    table_mm: tuple[float, float] | None = None

    def to_table(self, points: NDArray[Any]) -> Floats:
        """Picture points, N×2 in pixels, as table points, N×2 in millimetres."""
        flat = _undistorted(_as_points(points), self.size, self.k1, self.k2)
        return _projected(flat, np.array(self.homography).reshape(3, 3))

    def to_picture(self, points: NDArray[Any]) -> Floats:
        """Table points, N×2 in millimetres, as picture points, N×2 in pixels."""
        inverse = np.linalg.inv(np.array(self.homography).reshape(3, 3))
        return _distorted(_projected(_as_points(points), inverse), self.size, self.k1, self.k2)

    @property
    def card_size_px(self) -> tuple[float, float]:
        """A card's width and height in pixels where the picture's middle is."""
        width, height = self.card_mm
        x, y = self.to_table(np.array([[(self.size[0] - 1) / 2, (self.size[1] - 1) / 2]]))[0]
        ends = np.array([[x - width / 2, y], [x + width / 2, y], [x, y - height / 2], [x, y + height / 2]])
        left, right, top, bottom = self.to_picture(ends)
        return float(np.hypot(*(right - left))), float(np.hypot(*(bottom - top)))

    def area_at(self, x_mm: float, y_mm: float) -> str | None:
        """The play area a table point is in."""
        for area in self.areas:
            if cv2.pointPolygonTest(np.array(area.polygon, np.float32), (x_mm, y_mm), False) >= 0:
                return area.name
        return None

    def area_of(self, outline: Outline) -> str | None:
        """The play area the middle of a card is in."""
        x, y = self.to_table(outline.corners).mean(axis=0)
        return self.area_at(float(x), float(y))

    def seat_side(self, point: Sequence[float]) -> int:
        """The seat whose side of the picture a point at (or near) the picture's border belongs to."""
        return seat_side(point, self.size, self.seats)

    def resized(self, size: tuple[int, int]) -> TableGeometry:
        """The same table in the same camera's picture scaled to another size."""
        scale = np.diag([self.size[0] / size[0], self.size[1] / size[1], 1.0])
        return replace(self, size=size, homography=_rows(np.array(self.homography).reshape(3, 3) @ scale))

    def shifted(self, motion: NDArray[Any]) -> TableGeometry:
        """The geometry after the camera moved: `motion` takes old picture points to new ones (`carried`)."""
        width, height = self.size
        x, y = np.meshgrid(np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 6))
        old = np.column_stack([x.ravel(), y.ravel()])
        new = carried(old, motion)
        # The plane is one of straightened pictures: in these the lens's picture moves a little otherwise.
        now, before = (_undistorted(points, self.size, self.k1, self.k2) for points in (new, old))
        back = np.asarray(cv2.findHomography(now, before, 0)[0], np.float64)
        return replace(self, homography=_rows(np.array(self.homography).reshape(3, 3) @ back))

    def to_text(self) -> str:
        """The geometry as JSON text; `geometry_from_text` reads it back."""
        areas = {area.name: [list(point) for point in area.polygon] for area in self.areas}
        values = {
            "size": list(self.size), "homography": list(self.homography), "k1": self.k1, "k2": self.k2,
            "seats": self.seats, "card_mm": list(self.card_mm), "areas": areas,
        }  # fmt: skip
        if self.table_mm is not None:
            values["table_mm"] = list(self.table_mm)
        return json.dumps(values, indent=1)


def geometry_from_text(text: str) -> TableGeometry:
    """Reads what `TableGeometry.to_text` wrote; GeometryError if it is anything else."""
    try:
        values = json.loads(text)
        width, height = (int(value) for value in values["size"])
        homography = tuple(float(value) for value in values["homography"])
        card_width, card_height = (float(value) for value in values["card_mm"])
        table = values.get("table_mm")
        table_mm = None if table is None else (float(table[0]), float(table[1]))
        areas = tuple(
            Area(str(name), tuple((float(x), float(y)) for x, y in polygon))
            for name, polygon in values["areas"].items()
        )
        geometry = TableGeometry(
            (width, height), homography, areas, int(values["seats"]),
            float(values["k1"]), float(values["k2"]), (card_width, card_height), table_mm,
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise GeometryError(f"not a table geometry: {error}") from None
    sound = (
        len(homography) == 9
        and all(map(math.isfinite, (*homography, geometry.k1, geometry.k2)))
        and abs(np.linalg.det(np.array(homography).reshape(3, 3))) > 1e-12
    )
    sizes = (width, height, card_width, card_height, *(table_mm or ()))
    if not (sound and 1 <= geometry.seats <= 8 and min(sizes) > 0):
        raise GeometryError("not a table geometry: values out of range")
    return geometry


def carried(points: NDArray[Any], motion: NDArray[Any]) -> Floats:
    """Points of a picture, N×2, moved by a shift and turn, 2×3, or by a homography, 3×3."""
    whole = motion if len(motion) == 3 else np.vstack([motion, [0.0, 0.0, 1.0]])
    return _projected(_as_points(points), np.asarray(whole, np.float64))


def seat_side(point: Sequence[float], size: tuple[int, int], seats: int) -> int:
    """The seat of `seats` around a picture of `size` (width, height) that a picture point lies nearest to.

    The picture is taken as a square, so that for four seats each has one whole border.
    """
    x = 2 * point[0] / max(size[0] - 1, 1) - 1
    y = 2 * point[1] / max(size[1] - 1, 1) - 1
    clockwise = math.atan2(-x, y)  # from the bottom towards the left
    return round(clockwise / (2 * math.pi / seats)) % seats + 1


def seat_areas(seats: int, width_mm: float, height_mm: float) -> tuple[Area, ...]:
    """A table shared out among its seats: to each the wedge from the middle to its side."""
    areas = []
    for seat in range(seats):
        middle, half = seat * 2 * math.pi / seats, math.pi / seats
        steps = np.linspace(middle - half, middle + half, 9)
        edge = []
        for angle in steps:
            x, y = -math.sin(angle), math.cos(angle)
            reach = 1 / max(abs(x), abs(y))
            edge.append((float(x * reach * width_mm / 2), float(y * reach * height_mm / 2)))
        areas.append(Area(f"seat{seat + 1}", ((0.0, 0.0), *edge)))
    return tuple(areas)


def rectangle_area(name: str, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Area:
    """An upright rectangle about a middle, for a central pile or a stock."""
    left, top, right, bottom = (
        x_mm - width_mm / 2, y_mm - height_mm / 2, x_mm + width_mm / 2, y_mm + height_mm / 2,
    )  # fmt: skip
    return Area(name, ((left, top), (right, top), (right, bottom), (left, bottom)))


def with_seats(geometry: TableGeometry, seats: int, extra: Sequence[Area] = ()) -> TableGeometry:
    """The geometry with the table, or all that is visible, shared out among `seats`; areas in `extra` come
    first."""
    if geometry.table_mm is not None:
        return replace(geometry, seats=seats, areas=(*extra, *seat_areas(seats, *geometry.table_mm)))
    width, height = geometry.size
    corners = geometry.to_table(np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]))
    span = 2 * np.abs(corners).max(axis=0)
    return replace(geometry, seats=seats, areas=(*extra, *seat_areas(seats, float(span[0]), float(span[1]))))


def from_rectangle(
    corners: NDArray[Any], size: tuple[int, int], width_mm: float, height_mm: float, seats: int = 4
) -> TableGeometry:
    """Geometry from a rectangle of known size lying anywhere on the table.

    `corners`: 4×2 pixels, clockwise from the corner that is its top left. The table's middle is put
    under the picture's middle and its axes along the picture's.
    """
    quad = _as_points(corners)
    target = np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float64)
    plane = np.asarray(
        cv2.getPerspectiveTransform(quad.astype(np.float32), target.astype(np.float32)), np.float64
    )
    if not np.isfinite(plane).all() or abs(np.linalg.det(plane)) < 1e-12:
        raise GeometryError("the rectangle's corners do not make a rectangle")
    return _centred(plane, size, seats, 0.0)


def from_card(outline: Outline, size: tuple[int, int], seats: int = 4) -> TableGeometry:
    """Geometry from one card lying on the table, taken to be 63×88 mm.

    One card is a small part of the picture: perspective read from its four corners is mostly
    noise. Where a similarity explains the corners to 1.5 % of the card, it is preferred.
    """
    quad = _as_points(outline.corners)
    target = np.array([[0, 0], [CARD_WIDTH_MM, 0], [CARD_WIDTH_MM, CARD_HEIGHT_MM], [0, CARD_HEIGHT_MM]])
    similarity, _ = cv2.estimateAffinePartial2D(quad, target, method=cv2.LMEDS)
    if similarity is not None:
        plane = np.vstack([similarity, [0, 0, 1]]).astype(np.float64)
        if np.abs(_projected(quad, plane) - target).max() < 0.015 * CARD_HEIGHT_MM:
            return _centred(plane, size, seats, 0.0)
    return from_rectangle(quad, size, CARD_WIDTH_MM, CARD_HEIGHT_MM, seats)


def fit_plane(
    picture: NDArray[Any], table: NDArray[Any], size: tuple[int, int], seats: int = 4
) -> TableGeometry:
    """Geometry from points known on both sides, N×2 pixels and N×2 mm, N ≥ 4; the table's axes are kept.

    With 16 points or more (four markers) the lens's coefficients are fitted too, as far as the points tell
    them: what they do not, stays near the usual lens. Points that are off pull little.
    """
    pixels, millimetres = _as_points(picture), _as_points(table)

    def planes(k1: float) -> tuple[float, Floats]:
        flat = _undistorted(pixels, size, k1, 0.0)
        plane, _ = cv2.findHomography(flat, millimetres, cv2.RANSAC, 8.0)
        if plane is None:
            raise GeometryError("the markers do not lie in one plane")
        error = np.hypot(*(_projected(flat, np.asarray(plane, np.float64)) - millimetres).T)
        return float(np.minimum(error, 8.0).mean()), np.asarray(plane, np.float64)

    if len(pixels) < 16:
        return TableGeometry(size, _rows(planes(0.0)[1]), (), seats)
    best, step = 0.0, 0.16
    while step > 1e-2:  # the error is smooth in k1 with one minimum
        best = min((best - step, best, best + step), key=lambda k1: planes(k1)[0])
        step *= 0.6
    return _refined(TableGeometry(size, _rows(planes(best)[1]), (), seats, best), pixels, millimetres)


def _refined(geometry: TableGeometry, pixels: Floats, millimetres: Floats) -> TableGeometry:
    """The geometry near a good one, plane and lens together, that fits the points best in the picture."""
    width, height = geometry.size
    norm = np.array([[1 / width, 0, -0.5], [0, 1 / width, -0.5 * height / width], [0, 0, 1]])
    scale = np.diag([_NORM_MM, _NORM_MM, 1.0])
    onto = norm @ np.linalg.inv(np.array(geometry.homography).reshape(3, 3)) @ scale

    def placed(x: Floats) -> TableGeometry:
        plane = np.linalg.inv(norm) @ np.append(x[:8], 1.0).reshape(3, 3) @ np.linalg.inv(scale)
        back = np.linalg.inv(plane)
        return replace(geometry, homography=_rows(back), k1=float(x[8]), k2=float(x[9]))

    def errors(x: Floats) -> Floats:
        off = (placed(x).to_picture(millimetres) - pixels).ravel() / CORNER_PX
        lens = (x[8] / _USUAL_K1, (x[9] - _BARREL * x[8] ** 2) / _USUAL_K2)
        return np.append(softened(off, 3.0), lens)

    start = np.append((onto / onto[2, 2]).ravel()[:8], (geometry.k1, _BARREL * geometry.k1**2))
    return placed(fitted(errors, start))


def _centred(plane: Floats, size: tuple[int, int], seats: int, k1: float) -> TableGeometry:
    """Moves and turns a plane's millimetres so that the picture's middle is 0, 0 and its right is +x."""
    middle = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    origin, right = _projected(np.stack((middle, middle + np.array([size[0] / 8, 0]))), plane)
    angle = math.atan2(*(right - origin)[::-1])
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    move = np.eye(3)
    move[:2, :2], move[:2, 2] = turn, -turn @ origin
    return with_seats(TableGeometry(size, _rows(move @ plane), (), seats, k1), seats)


def _rows(matrix: NDArray[Any]) -> tuple[float, ...]:
    return tuple(float(value) for value in (matrix / matrix[2, 2]).ravel())


def _as_points(points: NDArray[Any]) -> Floats:
    return np.asarray(points, np.float64).reshape(-1, 2)


def _projected(points: Floats, matrix: Floats) -> Floats:
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    flat: Floats = lifted[:, :2] / lifted[:, 2:]
    return flat


def _distorted(points: Floats, size: tuple[int, int], k1: float, k2: float) -> Floats:
    if not (k1 or k2):
        return points
    middle = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    away = (points - middle) / size[0]
    r2 = (away**2).sum(axis=1, keepdims=True)
    bent: Floats = middle + away * (1 + k1 * r2 + k2 * r2 * r2) * size[0]
    return bent


def _undistorted(points: Floats, size: tuple[int, int], k1: float, k2: float) -> Floats:
    if not (k1 or k2):
        return points
    straight = points
    for _ in range(12):  # fixed point iteration; contracts for every lens worth the name
        straight = straight + points - _distorted(straight, size, k1, k2)
    return straight


def outline_at(geometry: TableGeometry, x_mm: float, y_mm: float, degrees: float) -> Outline:
    """The outline in the picture of a card with its middle at a table point, turned clockwise."""
    width, height = geometry.card_mm
    local = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    corners: Points = geometry.to_picture(local @ turn.T + [x_mm, y_mm]).astype(np.float32)
    return Outline(corners)
