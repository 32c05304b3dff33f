"""The printed table mat: ArUco markers by which the camera finds the table.

Eight markers lie along the paper's edge, so that some stay in sight when arms and cards cover others.
The numbers of the markers tell the paper's size.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GeometryError, TableGeometry, fit_plane, with_seats
from vision.types import Image

Paper: TypeAlias = Literal["A3", "A2", "A1"]
PAPERS_MM: dict[Paper, tuple[int, int]] = {"A3": (420, 297), "A2": (594, 420), "A1": (841, 594)}
MARKER_MM: dict[Paper, int] = {"A3": 32, "A2": 40, "A1": 50}
RULER_MM = 100  # by which a print's scale is checked
MAT_DPI = 150
_MARGIN_MM = 10  # printers leave a border, and a marker needs white around it
_FIRST: dict[Paper, int] = {"A3": 0, "A2": 8, "A1": 16}


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def marker_places(paper: Paper) -> dict[int, NDArray[np.float64]]:
    """Each marker's number and its corners, 4×2 in millimetres from the mat's middle, as detected."""
    width, height = PAPERS_MM[paper]
    side = MARKER_MM[paper]
    x, y = width / 2 - _MARGIN_MM - side / 2, height / 2 - _MARGIN_MM - side / 2
    middles = [(-x, -y), (0, -y), (x, -y), (x, 0), (x, y), (0, y), (-x, y), (-x, 0)]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    return {_FIRST[paper] + n: square + middle for n, middle in enumerate(middles)}


def marker_bits(number: int) -> NDArray[np.bool_]:
    """A marker's squares, 6×6 with its black frame: whether each is black."""
    cells = _dictionary().markerSize + 2
    bits: NDArray[np.bool_] = cv2.aruco.generateImageMarker(_dictionary(), number, cells) == 0
    return bits


def ruler_middles(paper: Paper) -> list[tuple[float, float]]:
    """The middles of the rulers of 10 cm between the markers, in millimetres from the mat's middle: one in
    each quarter, so that each tile that the mat is printed in can be checked."""
    width, height = PAPERS_MM[paper]
    side = MARKER_MM[paper]
    x, y = (width / 2 - _MARGIN_MM) / 2, height / 2 - _MARGIN_MM - side / 2
    return [(-x, -y), (x, -y), (-x, y), (x, y)]


def ruler_lines(middle: tuple[float, float]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The strokes of a ruler, from and to in millimetres: ten centimetres, a mark at each."""
    x, y = middle
    marks = [(x + 10.0 * n - RULER_MM / 2, 5.0 if n % 5 == 0 else 3.0) for n in range(11)]
    return [((marks[0][0], y), (marks[-1][0], y)), *(((at, y), (at, y - high)) for at, high in marks)]


def mat_image(paper: Paper, dpi: int = MAT_DPI) -> Image:
    """The mat, to be printed at its true size: H×W×3, white with black markers and rulers."""
    scale = dpi / 25.4
    width, height = PAPERS_MM[paper]
    image = np.full((round(height * scale), round(width * scale), 3), 255, np.uint8)
    for number, corners in marker_places(paper).items():
        left, top = ((corners[0] + [width / 2, height / 2]) * scale).round().astype(int)
        side = round(MARKER_MM[paper] * scale)
        marker = cv2.aruco.generateImageMarker(_dictionary(), number, side)
        image[top : top + side, left : left + side] = marker[:, :, None]
    for ruler in ruler_middles(paper):
        for stroke in ruler_lines(ruler):
            ends = ((np.array(stroke) + np.array([width / 2, height / 2])) * scale - 0.5).round().astype(int)
            start, end = ends.tolist()
            cv2.line(image, start, end, (0, 0, 0), max(1, round(0.3 * scale)))
    return image


def mat_png(paper: Paper, dpi: int = MAT_DPI) -> bytes:
    """The mat as a PNG file that says at how many dots an inch it has its true size (chunk pHYs)."""
    plain = cv2.imencode(".png", mat_image(paper, dpi))[1].tobytes()
    dots = round(dpi / 0.0254)  # a metre
    body = b"pHYs" + struct.pack(">IIB", dots, dots, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    header = 8 + 4 + 4 + 13 + 4  # the signature and the chunk IHDR
    return plain[:header] + chunk + plain[header:]


def geometry_from_markers(image: Image, seats: int = 4) -> TableGeometry:
    """Finds a mat in a picture, H×W×3, and from it the table; GeometryError if too little of it is seen."""
    found = markers_in(image)
    for paper in PAPERS_MM:
        places = {n: place for n, place in marker_places(paper).items() if n in found}
        if len(places) < 3:
            continue
        pixels = np.concatenate([np.reshape(found[n], (4, 2)) for n in places])
        size = (image.shape[1], image.shape[0])
        geometry = fit_plane(pixels, np.concatenate(list(places.values())), size, seats)
        return with_seats(geometry, seats)
    raise GeometryError(f"{len(found)} of the mat's markers are in the picture: at least 3 are needed")


def markers_in(image: Image) -> dict[int, NDArray[Any]]:
    """The mat's markers in a picture: number → its corners."""
    detector = cv2.aruco.ArucoDetector(_dictionary())
    detector.setDetectorParameters(_parameters())
    quads, numbers, _ = detector.detectMarkers(image)
    return {} if numbers is None else {int(n): q for n, q in zip(np.ravel(numbers), quads, strict=True)}


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    return parameters
