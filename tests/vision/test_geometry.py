from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import (
    Area,
    GeometryError,
    TableGeometry,
    from_card,
    from_rectangle,
    geometry_from_text,
    outline_at,
    seat_side,
    with_seats,
)
from vision.mat import geometry_from_markers, mat_image
from vision.types import Image, Outline

SIZE = (1280, 720)
# 1.5 pixels a millimetre, seen a little from the south.
TILTED = TableGeometry(
    SIZE, tuple(np.linalg.inv(np.array([[1.5, 0.1, 640], [0.02, 1.4, 360], [0.0, 0.0002, 1]])).ravel())
)


def picture_of_mat(truth: TableGeometry) -> Image:
    dpi = 75
    mat = mat_image("A2", dpi)
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    table = truth.to_table(np.stack([x.ravel(), y.ravel()], 1))
    at = (table + np.array([594 / 2, 420 / 2])) * dpi / 25.4 - 0.5
    maps = at.astype(np.float32).reshape(SIZE[1], SIZE[0], 2)
    image = cv2.remap(mat, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=(40, 70, 30))
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize("k1", [0.0, -0.08])
def test_markers_give_the_table(k1: float) -> None:
    truth = TableGeometry(SIZE, TILTED.homography, k1=k1)
    geometry = geometry_from_markers(picture_of_mat(truth))
    points = np.array([[640, 360], [300, 200], [1000, 600], [200, 600]])
    assert np.abs(geometry.to_table(points) - truth.to_table(points)).max() < 1.0
    assert geometry.k1 == pytest.approx(k1, abs=0.03)


@pytest.mark.parametrize(("k1", "k2"), [(0.1, 0.0), (-0.08, 0.0), (-0.25, 0.08), (-0.35, 0.12)])
def test_the_lens_is_undone_as_far_as_the_corners_of_the_picture(k1: float, k2: float) -> None:
    """Far outside the mat, which takes up half of the picture: k1 alone is off there by up to 23 mm."""
    for scale in (1.2, 1.6):
        plane = np.array([[scale, 0.05, 640], [0.02, scale, 360], [0.0, 0.0001, 1]])
        truth = TableGeometry(SIZE, tuple(np.linalg.inv(plane).ravel()), k1=k1, k2=k2)
        clean = picture_of_mat(truth)
        noise = np.random.default_rng(1).normal(0, 3, clean.shape)
        geometry = geometry_from_markers(np.clip(clean + noise, 0, 255).astype(np.uint8))
        x, y = np.meshgrid(np.linspace(5, 1275, 8), np.linspace(5, 715, 5))
        points = np.column_stack([x.ravel(), y.ravel()])
        off = np.hypot(*(geometry.to_table(points) - truth.to_table(points)).T)
        assert off.max() < 3.5
        assert off[np.hypot(*(points - [640, 360]).T) < 400].max() < 0.5


def test_markers_partly_covered() -> None:
    image = picture_of_mat(TILTED)
    image[:, :560] = 90
    points = np.array([[640, 360], [1000, 600]])
    geometry = geometry_from_markers(image)
    assert np.abs(geometry.to_table(points) - TILTED.to_table(points)).max() < 1.5


def test_no_markers_is_said() -> None:
    with pytest.raises(GeometryError, match="0 of the mat's markers"):
        geometry_from_markers(np.full((720, 1280, 3), 80, np.uint8))


def test_distortion_is_undone() -> None:
    bent = TableGeometry(SIZE, TILTED.homography, k1=-0.15, k2=0.03)
    points = np.array([[0, 0], [1279, 719], [640, 360], [90, 650]])
    assert np.abs(bent.to_picture(bent.to_table(points)) - points).max() < 1e-3


def test_a_card_gives_the_scale() -> None:
    card = outline_at(TableGeometry(SIZE, (0.5, 0, -320, 0, 0.5, -180, 0, 0, 1)), 60, -20, 33)
    geometry = from_card(card, SIZE)
    assert geometry.card_size_px == pytest.approx((126, 176), abs=0.5)
    assert geometry.to_table(np.array([[639.5, 359.5], [839.5, 359.5]])) == pytest.approx(
        np.array([[0, 0], [100, 0]]), abs=0.3
    )


def test_a_rectangle_gives_the_perspective() -> None:
    corners = TILTED.to_picture(np.array([[-200, -140], [200, -140], [200, 140], [-200, 140]]))
    geometry = from_rectangle(corners, SIZE, 400, 280)
    a, b = geometry.to_table(TILTED.to_picture(np.array([[50, 50], [150, 50]])))
    assert np.hypot(*(a - b)) == pytest.approx(100, abs=1e-3)


def test_degenerate_rectangle_is_refused() -> None:
    with pytest.raises(GeometryError):
        from_rectangle(np.zeros((4, 2)), SIZE, 63, 88)


@pytest.mark.parametrize(
    ("point", "seats", "seat"),
    [
        ((640, 719), 4, 1), ((0, 300), 4, 2), ((600, 0), 4, 3), ((1279, 500), 4, 4),
        ((200, 719), 4, 1), ((1100, 0), 4, 3),
        ((500, 719), 2, 1), ((500, 0), 2, 2), ((0, 100), 3, 2), ((1279, 100), 3, 3), ((1279, 600), 6, 6),
    ],
)  # fmt: skip
def test_seat_of_a_side(point: tuple[int, int], seats: int, seat: int) -> None:
    assert seat_side(point, SIZE, seats) == seat


def test_areas_are_the_wedge_before_the_seat() -> None:
    geometry = with_seats(TILTED, 4, [Area("center", ((-20, -20), (20, -20), (20, 20), (-20, 20)))])
    assert [geometry.area_at(*at) for at in [(0, 90), (-120, 0), (0, -90), (120, 5), (5, 5), (9000, 0)]] == [
        "seat1", "seat2", "seat3", "seat4", "center", None,
    ]  # fmt: skip
    assert geometry.area_of(outline_at(geometry, 10, 100, 75)) == "seat1"


def test_text_round_trip() -> None:
    geometry = with_seats(TableGeometry(SIZE, TILTED.homography, k1=-0.1), 3)
    assert geometry_from_text(geometry.to_text()) == geometry


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"size": [0, 0]}', TILTED.to_text().replace("1280", "-1")])
def test_bad_text_is_refused(text: str) -> None:
    with pytest.raises(GeometryError, match="not a table geometry"):
        geometry_from_text(text)


def test_shift_and_resize_follow_the_camera() -> None:
    motion = np.array([[1, 0, 10.0], [0, 1, -6.0]])
    card = TILTED.to_picture(np.array([[30.0, 40.0]]))
    moved = card + np.array([10, -6])
    assert TILTED.shifted(motion).to_table(moved) == pytest.approx(np.array([[30.0, 40.0]]))
    assert TILTED.resized((640, 360)).to_table(card / 2) == pytest.approx(np.array([[30.0, 40.0]]))


@pytest.mark.parametrize("motion", [
    [[1, 0, 14.0], [0, 1, -9.0]], [[1, 0, -20], [0, 1, 0]],
    [[0.9994, -0.0349, 30.0], [0.0349, 0.9994, -20.0]],
])  # fmt: skip
def test_a_shift_of_a_bent_picture_moves_points_in_the_picture_not_in_the_plane(
    motion: list[list[float]],
) -> None:
    bent = TableGeometry(SIZE, TILTED.homography, k1=-0.25, k2=0.08)
    x, y = np.meshgrid(np.linspace(60, 1220, 6), np.linspace(50, 670, 4))
    points = np.column_stack([x.ravel(), y.ravel()])
    moved = points @ np.array(motion)[:, :2].T + np.array(motion)[:, 2]
    off = np.hypot(*(bent.shifted(np.array(motion)).to_table(moved) - bent.to_table(points)).T)
    assert off.max() < 1.0
    assert off.mean() < 0.3


def test_outline_corners_go_clockwise_from_the_top_left() -> None:
    plain = TableGeometry((200, 200))
    outline = outline_at(plain, 100, 100, 0)
    assert isinstance(outline, Outline)
    assert outline.corners.tolist() == [[68.5, 56], [131.5, 56], [131.5, 144], [68.5, 144]]
