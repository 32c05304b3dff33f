"""The play areas of a table drawn into its picture, to be looked at before a match."""

from __future__ import annotations

import cv2
import numpy as np

from vision.fitting import Floats
from vision.geometry import Polygon, TableGeometry
from vision.types import Image

_COLOURS = ((80, 200, 255), (255, 180, 80), (120, 230, 120), (220, 130, 230), (90, 120, 255), (230, 230, 90))
_OWN_COLOUR = (255, 255, 255)  # of areas that belong to no seat
_STEPS = 12  # points a side: a lens bends it


def with_areas(picture: Image, geometry: TableGeometry) -> Image:
    """A copy of a picture, H×W×3, with each area's outline, tint and name, and 100 mm to the right of the
    table's middle. Areas drawn later are those that hold a point first."""
    drawn = picture.copy()
    thick = max(1, round(picture.shape[1] / 640))
    named: list[tuple[str, tuple[int, int, int], tuple[int, int]]] = []
    # The seats' wedges lie under the areas that come before them.
    for area in reversed(geometry.areas):
        number = area.name.removeprefix("seat")
        seat = area.name.startswith("seat") and number.isdigit()
        colour = _COLOURS[(int(number) - 1) % len(_COLOURS)] if seat else _OWN_COLOUR
        outline = geometry.to_picture(_sides(area.polygon)).round().astype(np.int32)
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [outline], (255,))
        if not mask.any():
            continue
        tint = (0.75 * drawn[mask > 0] + 0.25 * np.array(colour)).astype(np.uint8)
        drawn[mask > 0] = tint
        cv2.polylines(drawn, [outline], True, colour, thick, cv2.LINE_AA)
        ys, xs = np.nonzero(mask)
        named.append((area.name, colour, (int(xs.mean()), int(ys.mean()))))
    _ruler(drawn, geometry, thick)
    for name, colour, at in named:
        _name(drawn, name, colour, at, thick)
    return drawn


def _sides(polygon: Polygon) -> Floats:
    corners = np.asarray(polygon, np.float64)
    parts = np.linspace(0, 1, _STEPS, endpoint=False)[None, :, None]
    ahead = np.roll(corners, -1, axis=0)
    sides: Floats = (corners[:, None] * (1 - parts) + ahead[:, None] * parts).reshape(-1, 2)
    return sides


def _ruler(drawn: Image, geometry: TableGeometry, thick: int) -> None:
    start, end = geometry.to_picture(np.array([[0.0, 0.0], [100.0, 0.0]])).round().astype(int).tolist()
    cv2.arrowedLine(drawn, start, end, (0, 0, 255), thick + 1, cv2.LINE_AA, tipLength=0.08)
    at = (end[0], end[1] + 12 * thick)
    cv2.putText(drawn, "100 mm", at, cv2.FONT_HERSHEY_SIMPLEX, 0.3 * thick, (0, 0, 255), thick, cv2.LINE_AA)


def _name(drawn: Image, name: str, colour: tuple[int, int, int], at: tuple[int, int], thick: int) -> None:
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.4 * thick
    (width, height), _ = cv2.getTextSize(name, font, size, thick)
    left = min(max(4, at[0] - width // 2), drawn.shape[1] - width - 4)
    low = min(max(height + 4, at[1] + height // 2), drawn.shape[0] - 6)
    cv2.putText(drawn, name, (left, low), font, size, (0, 0, 0), thick + 3, cv2.LINE_AA)
    cv2.putText(drawn, name, (left, low), font, size, colour, thick, cv2.LINE_AA)
