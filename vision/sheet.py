"""The table mat as a printer wants it: a PDF of squares that are true to scale, whole or in A4 tiles.

Rulers of 10 cm show whether a print has its true size. PDF's unit is the point, 1/72 inch, y up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vision.mat import (
    MARKER_MM,
    PAPERS_MM,
    RULER_MM,
    Paper,
    marker_bits,
    marker_places,
    ruler_lines,
    ruler_middles,
)

Place: TypeAlias = tuple[float, float, float, float]  # left, top, width, height; mm from the mat's middle
Stroke: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
A4_MM = (210.0, 297.0)
_TILE_BORDER_MM = 5.0  # what nearly every printer leaves free
_LABEL_PT = 9.0


def mat_pdf(paper: Paper, *, tiles: bool = False) -> bytes:
    """The mat as a PDF file: one page of the paper's size; with `tiles` A4 pages, which are cut along
    their grey lines and put together edge to edge."""
    width, height = PAPERS_MM[paper]
    if not tiles:
        return _document([((width, height), _drawing(paper, _Ink(width / 2, height / 2)))])
    places = tile_places(paper)
    pages = []
    for number, place in enumerate(places, 1):
        left, top, wide, high = place
        at = _Ink(_TILE_BORDER_MM - left, _TILE_BORDER_MM + top + high)
        clip = at.box(left, top + high, wide, high) + b"W n\n"
        cuts = b"0.6 G\n" + b"".join(at.line(cut) for cut in _cuts(place, places)) + b"0 G\n"
        name = at.text(left + wide / 2, top + high / 2, f"{paper} {number}/{len(places)}")
        size = (wide + 2 * _TILE_BORDER_MM, high + 2 * _TILE_BORDER_MM)
        pages.append((size, b"q\n" + clip + _drawing(paper, at) + b"Q\n" + cuts + name))
    return _document(pages)


def tile_places(paper: Paper) -> list[Place]:
    """The parts of the mat that the A4 pages show, row by row. Of upright and lying pages the kind of
    which fewer do is taken."""
    corners = np.concatenate(list(marker_places(paper).values()))
    upright = tuple(side - 2 * _TILE_BORDER_MM for side in A4_MM)

    def places(wide: float, high: float) -> list[Place]:
        across, down = (
            math.ceil(round(length / part, 6))
            for length, part in zip(2 * corners.max(axis=0), (wide, high), strict=True)
        )
        return [
            ((column - across / 2) * wide, (row - down / 2) * high, wide, high)
            for row in range(down)
            for column in range(across)
        ]

    return min(places(*upright), places(*upright[::-1]), key=len)


def _cuts(place: Place, tiles: Sequence[Place]) -> list[Stroke]:
    """The edges of a tile where another one goes on, in millimetres from the mat's middle."""
    left, top, wide, high = place
    cuts: list[Stroke] = []
    for other_left, other_top, _, _ in tiles:
        if other_top == top and abs(other_left - left) == wide:
            x = max(left, other_left)
            cuts.append(((x, top - _TILE_BORDER_MM), (x, top + high + _TILE_BORDER_MM)))
        if other_left == left and abs(other_top - top) == high:
            y = max(top, other_top)
            cuts.append(((left - _TILE_BORDER_MM, y), (left + wide + _TILE_BORDER_MM, y)))
    return cuts


def _drawing(paper: Paper, at: _Ink) -> bytes:
    """Markers and rulers."""
    squares = []
    for number, corners in marker_places(paper).items():
        bits = marker_bits(number)
        cell = MARKER_MM[paper] / len(bits)
        for row, column in zip(*np.nonzero(bits), strict=True):
            low = corners[0] + [column * cell, (row + 1) * cell]
            squares.append(at.box(float(low[0]), float(low[1]), cell, cell))
    # One path for all: between squares filled one by one a viewer shows pale seams.
    drawing = b"0 g\n" + b"".join(squares) + b"f\n0 G\n"
    for x, y in ruler_middles(paper):
        drawing += b"".join(at.line(stroke) for stroke in ruler_lines((x, y)))
        drawing += at.text(x - RULER_MM / 2, y + 5, f"{paper} \xb7 10 cm \xb7 100 %")
    return drawing


@dataclass(frozen=True)
class _Ink:
    """Writes PDF operators for a page; `x`, `y`: the mat's middle in millimetres from its lower left."""

    x: float
    y: float

    def box(self, left: float, bottom: float, width: float, height: float) -> bytes:
        size = f"{_points(width)} {_points(height)}"
        return f"{_points(self.x + left)} {_points(self.y - bottom)} {size} re\n".encode()

    def line(self, stroke: Stroke) -> bytes:
        (ax, ay), (bx, by) = ((self.x + x, self.y - y) for x, y in stroke)
        return f"0.8 w {_points(ax)} {_points(ay)} m {_points(bx)} {_points(by)} l S\n".encode()

    def text(self, x: float, y: float, text: str) -> bytes:
        """`text`: without brackets and backslashes, which would need an escape."""
        start = f"BT /F {_LABEL_PT:g} Tf {_points(self.x + x)} {_points(self.y - y)} Td ("
        return start.encode() + text.encode("cp1252") + b") Tj ET\n"


def _points(millimetres: float) -> str:
    return f"{millimetres * 72 / 25.4:.4f}"


def _document(pages: Sequence[tuple[tuple[float, float], bytes]]) -> bytes:
    """A PDF 1.4 file of pages, each its size in millimetres and its content (ISO 32000-1, 7.5).

    Viewers are asked not to fit the pages to the paper when they print.
    """
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, ((width, height), content) in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_points(width)} {_points(height)}] "
            f"/Resources << /Font << /F 3 0 R >> >> /Contents {5 + 2 * n} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for place in places:
        out += f"{place:010d} 00000 n \n".encode()
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
