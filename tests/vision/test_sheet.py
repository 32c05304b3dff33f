"""The printed mat: the PDF is read back, rasterised here, and the markers are found where they belong."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from vision.mat import PAPERS_MM, Paper, marker_places, markers_in, mat_png, ruler_lines, ruler_middles
from vision.sheet import mat_pdf, tile_places
from vision.types import Image

POINT_MM = 25.4 / 72
SCALE = 4.0  # pixels a millimetre


@dataclass(frozen=True)
class Page:
    """A page read back: its size in millimetres, filled boxes (left, top, right, bottom) and strokes, in
    millimetres from its top left; `clip` a box too."""

    size: tuple[float, float]
    boxes: list[tuple[float, ...]]
    strokes: list[tuple[float, ...]]
    clip: tuple[float, ...] | None

    def raster(self) -> Image:
        width, height = (round(side * SCALE) for side in self.size)
        image = np.full((height, width, 3), 255, np.uint8)
        for left, top, right, bottom in np.round(np.array(self.boxes) * SCALE).astype(int).tolist():
            image[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = 0
        if self.clip is not None:
            left, top, right, bottom = (round(value * SCALE) for value in self.clip)
            inside = np.full_like(image, 255)
            inside[top:bottom, left:right] = image[top:bottom, left:right]
            return inside
        return image


def pages(pdf: bytes) -> list[Page]:
    """Reads the pages by way of the cross-reference table, as a viewer does."""
    assert pdf.startswith(b"%PDF-1.") and pdf.endswith(b"%%EOF\n")
    start = int(pdf[pdf.rindex(b"startxref") :].split()[1])
    table = pdf[start:].split(b"trailer")[0].split(b"\n")[2:]
    places = [int(row.split()[0]) for row in table if row.rstrip().endswith(b"n")]
    objects = {}
    for number, place in enumerate(places, 1):
        assert pdf[place:].startswith(b"%d 0 obj\n" % number)
        objects[number] = pdf[place : pdf.index(b"endobj", place)]
    found = []
    for body in objects.values():
        if b"/Type /Page " not in body:
            continue
        box = re.search(rb"/MediaBox \[0 0 (\S+) (\S+)\]", body)
        content = re.search(rb"/Contents (\d+) 0 R", body)
        assert box is not None and content is not None
        width, height = (float(value) * POINT_MM for value in box.groups())
        stream = objects[int(content[1])]
        length = re.search(rb"/Length (\d+)", stream)
        data = stream.split(b"stream\n", 1)[1]
        assert length is not None and data[int(length[1]) :].split() == [b"endstream"]
        found.append(_page((width, height), data[: int(length[1])].decode("cp1252")))
    return found


def _page(size: tuple[float, float], content: str) -> Page:
    boxes: list[tuple[float, ...]] = []
    strokes = []
    clip = None
    for line in content.splitlines():
        words = line.split()
        if line.endswith(" re"):
            x, y, width, height = (float(word) * POINT_MM for word in words[:4])
            boxes.append((x, size[1] - y - height, x + width, size[1] - y))
        elif line == "W n":
            clip, boxes = boxes[-1], []
        elif line.endswith(" l S"):
            ax, ay, bx, by = (float(words[n]) * POINT_MM for n in (2, 3, 5, 6))
            strokes.append((ax, size[1] - ay, bx, size[1] - by))
    return Page(size, boxes, strokes, clip)


def assert_markers_lie_true(image: Image, paper: Paper, middle: tuple[float, float]) -> set[int]:
    """Those whole in a picture of a page lie where the mat has them, to a fifth of a millimetre."""
    found = markers_in(image)
    places = marker_places(paper)
    assert set(found) <= set(places)
    for number, quad in found.items():
        there = (np.reshape(quad, (4, 2)) + 0.5) / SCALE - middle
        assert np.abs(there - places[number]).max() < 0.2
    return set(found)


@pytest.mark.parametrize("paper", list(PAPERS_MM))
def test_the_pdf_has_the_papers_size_and_its_squares_are_the_markers(paper: Paper) -> None:
    (page,) = pages(mat_pdf(paper))
    assert page.size == pytest.approx(PAPERS_MM[paper], abs=0.01)
    middle = (page.size[0] / 2, page.size[1] / 2)
    assert assert_markers_lie_true(page.raster(), paper, middle) == set(marker_places(paper))


@pytest.mark.parametrize(("paper", "count"), [("A3", 2), ("A2", 4), ("A1", 9)])
def test_a4_tiles_put_together_are_the_mat(paper: Paper, count: int) -> None:
    places, tiles = tile_places(paper), pages(mat_pdf(paper, tiles=True))
    assert len(places) == len(tiles) == count
    low = np.array([place[:2] for place in places]).min(axis=0)
    high = np.array([np.array(place[:2]) + place[2:] for place in places]).max(axis=0)
    whole = np.full((*(round(side * SCALE) for side in (high - low)[::-1]), 3), 255, np.uint8)
    for (left, top, _, _), tile in zip(places, tiles, strict=True):
        assert sorted(tile.size) == pytest.approx([210, 297], abs=0.01)
        assert tile.clip is not None
        x0, y0, x1, y1 = (round(value * SCALE) for value in tile.clip)
        part = tile.raster()[y0:y1, x0:x1]
        row, column = round((top - low[1]) * SCALE), round((left - low[0]) * SCALE)
        whole[row : row + part.shape[0], column : column + part.shape[1]] = part
        ruled = {round(abs(bx - ax)) for ax, ay, bx, by in tile.strokes if ay == by}
        assert 100 in ruled
    bordered = cv2.copyMakeBorder(whole, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    middle = (-low[0] + 40 / SCALE, -low[1] + 40 / SCALE)
    assert assert_markers_lie_true(np.asarray(bordered, np.uint8), paper, middle) == set(marker_places(paper))


@pytest.mark.parametrize("paper", ["A3", "A2"])
def test_the_rulers_are_ten_centimetres_clear_of_the_markers_and_whole_on_each_tile(paper: Paper) -> None:
    for middle in ruler_middles(paper):
        ends = np.array(ruler_lines(middle)).reshape(-1, 2)
        assert np.ptp(ends[:, 0]) == pytest.approx(100)
        for corners in marker_places(paper).values():
            low, high = corners.min(axis=0) - 7, corners.max(axis=0) + 7  # a marker's white
            assert not ((ends > low) & (ends < high)).all(axis=1).any()
    for left, top, wide, high_mm in tile_places(paper):
        whole = [
            middle for middle in ruler_middles(paper)
            if left < middle[0] - 50 and middle[0] + 50 < left + wide and top < middle[1] < top + high_mm
        ]  # fmt: skip
        assert whole


@pytest.mark.parametrize("dpi", [100, 150, 300])
def test_the_png_says_at_how_many_dots_an_inch_it_is_true(dpi: int) -> None:
    png = mat_png("A3", dpi)
    at = png.index(b"pHYs")
    across, down, metre = struct.unpack(">IIB", png[at + 4 : at + 13])
    image = np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    assert (metre, across) == (1, down)
    assert image.shape[1] / across * 1000 == pytest.approx(420, abs=0.3)
    assert image.shape[0] / down * 1000 == pytest.approx(297, abs=0.3)
    assert set(markers_in(image)) == set(marker_places("A3"))
