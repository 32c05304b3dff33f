"""The table by four cards in its corners, without a mat: how many millimetres it is off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import PACK_52
from vision.camera import Camera
from vision.cloth import TableTop
from vision.corners import fit_cards, geometry_from_cards
from vision.deck import DrawnDeck
from vision.geometry import GeometryError, TableGeometry, geometry_from_text
from vision.scene import LaidCard, Look, Scene
from vision.types import Image, Outline

SIZE = (1280, 720)
CORNERS = np.array([[170, 130], [1110, 130], [1110, 590], [170, 590]])


def cards_in_the_corners(camera: Camera, seed: int = 0) -> list[LaidCard]:
    rng = np.random.default_rng(seed)
    return [
        LaidCard(PACK_52[7 * n + seed], float(x), float(y), float(rng.uniform(-25, 25) + 90 * (n % 2)))
        for n, (x, y) in enumerate(camera.to_table(CORNERS))
    ]


def picture(camera: Camera, table: TableTop = "felt", seed: int = 0) -> Image:
    scene = Scene(DrawnDeck(), camera, Look(table=table, seed=seed))
    return scene.render(cards_in_the_corners(camera, seed))


def off_mm(geometry: TableGeometry, camera: Camera, inside: bool) -> NDArray[np.float64]:
    """How far points of the picture are off on the table, apart from where its middle and its axes are;
    `inside` the cards only, or as far as the picture's corners."""
    low, high = (
        (CORNERS.min(axis=0), CORNERS.max(axis=0)) if inside else (np.array([5, 5]), np.array(SIZE) - 5)
    )
    x, y = np.meshgrid(np.linspace(low[0], high[0], 9), np.linspace(low[1], high[1], 6))
    points = np.column_stack([x.ravel(), y.ravel()])
    seen, true = geometry.to_table(points), camera.to_table(points).astype(np.float64)
    seen, true = seen - seen.mean(axis=0), true - true.mean(axis=0)
    u, _, v = np.linalg.svd(seen.T @ true)
    off: NDArray[np.float64] = np.hypot(*(seen @ u @ v - true).T)
    return off


@pytest.mark.parametrize("table", ["felt", "wood"])
@pytest.mark.parametrize(("camera", "within_mm"), [
    (Camera(), 1.5),
    (Camera(tilt=5, lean=3, roll=2, k1=-0.12), 1.5),
    (Camera(tilt=-12, lean=-10, k1=0.0, k2=0.0, focal=1.1), 1.5),
    (Camera(tilt=10, k1=-0.12, k2=0.03, focal=0.68), 3.0),
    (Camera(tilt=20, pixels_per_mm=1.35), 3.0),
    (Camera(tilt=22, lean=8, k1=-0.1, pixels_per_mm=1.3), 6.0),
    (Camera(tilt=24, lean=-5, k1=-0.1, pixels_per_mm=1.3), 6.0),
])  # fmt: skip
def test_four_cards_give_the_table_lens_and_slant_included(
    camera: Camera, within_mm: float, table: TableTop
) -> None:
    geometry = geometry_from_cards(picture(camera, table, seed=4))
    assert off_mm(geometry, camera, inside=True).max() < within_mm
    assert off_mm(geometry, camera, inside=False).max() < 1.5 * within_mm


def test_the_table_is_what_the_cards_mark_and_shared_out_among_the_seats() -> None:
    camera = Camera()
    laid = cards_in_the_corners(camera)
    geometry = geometry_from_cards(picture(camera), seats=4)
    outer = np.concatenate([card.corners for card in laid])
    assert geometry.table_mm == pytest.approx(np.ptp(outer, axis=0), abs=4)
    middles = geometry.to_table(camera.to_picture([(card.x, card.y) for card in laid]))
    assert np.abs(middles.mean(axis=0)).max() < 15
    assert [geometry.area_at(*at) for at in [(0, 180), (-350, 0), (0, -180), (350, 0), (0, 260)]] == [
        "seat1", "seat2", "seat3", "seat4", None,
    ]  # fmt: skip
    assert geometry_from_text(geometry.to_text()) == geometry


def outlines(camera: Camera, size_mm: tuple[float, float], noise_px: float, seed: int) -> list[Outline]:
    rng = np.random.default_rng(seed)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    found = []
    for card in cards_in_the_corners(camera, seed):
        turn = np.radians(card.angle)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = camera.to_picture(half @ axes + [card.x, card.y])
        found.append(Outline((corners + rng.normal(0, noise_px, (4, 2))).astype(np.float32)))
    return found


@pytest.mark.parametrize("size_mm", [(63.0, 88.0), (57.0, 89.0)])
def test_cards_of_either_size_with_corners_half_a_pixel_off(size_mm: tuple[float, float]) -> None:
    worst = []
    for seed in range(6):
        camera = Camera.random(np.random.default_rng(seed))
        geometry = fit_cards(outlines(camera, size_mm, 0.5, seed), SIZE, size_mm)
        worst.append(off_mm(geometry, camera, inside=True).max())
        assert geometry.card_mm == size_mm
    assert max(worst) < 8
    assert np.median(worst) < 4


def test_cards_of_another_size_are_refused() -> None:
    found = outlines(Camera(tilt=5), (57.0, 89.0), 0.2, 1)
    with pytest.raises(GeometryError, match="no four cards of 63×88 mm"):
        fit_cards(found, SIZE)


def test_without_a_card_in_each_corner_it_is_said_how_many_there_are() -> None:
    camera = Camera()
    scene = Scene(DrawnDeck(), camera, Look())
    laid = cards_in_the_corners(camera)
    with pytest.raises(GeometryError, match="3 whole cards are seen"):
        geometry_from_cards(scene.render(laid[:3]))
    heap = [LaidCard(card.face, card.x / 6, card.y / 4, 0) for card in laid]
    with pytest.raises(GeometryError, match="one is needed in each corner"):
        geometry_from_cards(scene.render(heap))
    with pytest.raises(GeometryError, match="0 whole cards"):
        geometry_from_cards(np.full((720, 1280, 3), 80, np.uint8))


def test_a_picture_of_any_size_tells_the_same_table() -> None:
    camera = Camera(tilt=5)
    large = picture(camera)
    small = np.asarray(cv2.resize(large, (960, 540), interpolation=cv2.INTER_AREA), np.uint8)
    a, b = geometry_from_cards(large), geometry_from_cards(small)
    assert a.table_mm == pytest.approx(b.table_mm, abs=3)
