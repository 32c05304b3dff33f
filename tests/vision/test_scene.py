"""The simulated camera: its geometry is exact, its pictures repeat, what is laid is seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.cards import parse_card
from vision.camera import Camera
from vision.cloth import TABLE_TOPS
from vision.deck import DrawnDeck
from vision.mat import geometry_from_markers
from vision.scene import Arm, LaidCard, Look, Mat, Scene
from vision.types import Image

DECK = DrawnDeck(pixels_per_mm=4.0)
CAMERA = Camera(tilt=5, lean=-3, roll=2, aim_x=8, aim_y=-4, k1=-0.09)
CALM = Look(noise=0.0)
TEN, ACE = parse_card("♦10"), parse_card("♠T")


def changed(before: Image, after: Image) -> np.ndarray:
    return np.abs(before.astype(int) - after.astype(int)).max(axis=2) > 40


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene(DECK, CAMERA, CALM)


def test_a_camera_hung_straight_sees_true_to_scale() -> None:
    camera = Camera(pixels_per_mm=1.5, k1=0.0, k2=0.0)
    pixels = camera.to_picture([(0, 0), (100, 0), (0, -60)])
    assert np.allclose(pixels, [(639.5, 359.5), (789.5, 359.5), (639.5, 269.5)], atol=0.01)
    assert np.allclose(
        camera.to_picture([(100, 0)], height=100)[0, 0] - 639.5, 150 * 682.667 / 582.667, atol=0.1
    )


def test_picture_and_table_are_inverse() -> None:
    points = np.array([(x, y) for x in (-300, 0, 250) for y in (-180, 20, 190)], np.float32)
    assert np.allclose(CAMERA.to_table(CAMERA.to_picture(points)), points, atol=0.05)
    row, column = 500, 1100
    assert np.allclose(CAMERA.table_map[row, column], CAMERA.to_table([(column, row)])[0], atol=0.05)


def test_a_card_appears_just_where_its_corners_are(scene: Scene) -> None:
    for card in (LaidCard(TEN, -150, 40, 97), LaidCard(TEN, 220, -120, 190)):
        bare, laid = scene.render(()), scene.render((card,))
        inside = np.zeros(bare.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.round(scene.corners(card)).astype(np.int32), 1)
        white = laid.min(axis=2) > bare.max(axis=2).max()
        # All the card's white lies within its outline, and reaches close to its sides.
        assert not (white & (cv2.dilate(inside, np.ones((5, 5))) == 0)).any()
        edges = cv2.minAreaRect(np.argwhere(white)[:, ::-1].astype(np.float32))
        assert np.allclose(edges[0], scene.corners(card).mean(axis=0), atol=1.0)
        shorter, longer = sorted(edges[1])
        assert (shorter, longer) == (pytest.approx(63 * 1.4, rel=0.06), pytest.approx(88 * 1.4, rel=0.06))


def test_indices_stay_upright_as_laid(scene: Scene) -> None:
    """The ace's index is dark at the corner that is its top left, and not at its top right."""
    card = LaidCard(ACE, 40, 30, 140)
    picture, corners = scene.render((card,)), scene.corners(card)
    size = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32)
    face = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, size), (126, 176))
    assert face[8:44, 4:22].min() < 60
    assert face[8:44, 104:122].min() > 120


def test_the_later_card_lies_on_top(scene: Scene) -> None:
    below, above = LaidCard(TEN, 0, 0), LaidCard(parse_card("♣9"), 25, 20, 30)
    alone, both = scene.render((above,)), scene.render((below, above))
    inside = np.zeros(alone.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(scene.corners(above)).astype(np.int32), 1)
    inside = cv2.erode(inside, np.ones((9, 9)))
    assert not changed(alone, both)[inside > 0].any()
    assert changed(scene.render(()), both).sum() > 1.4 * changed(scene.render(()), alone).sum()


def test_order_of_calls_leaves_no_trace(scene: Scene) -> None:
    one, two = LaidCard(TEN, -100, 0), LaidCard(ACE, 100, 0, 45)
    fresh = Scene(DECK, CAMERA, CALM).render((two,), number=7)
    scene.render((one,))
    scene.render((one, two), (Arm(0, 100, 0),))
    assert np.array_equal(scene.render((two,), number=7), fresh)


def test_a_face_down_card_shows_nothing_of_its_face(scene: Scene) -> None:
    down = scene.render((LaidCard(TEN, 0, 0, 10, up=False),))
    assert np.array_equal(down, scene.render((LaidCard(ACE, 0, 0, 10, up=False),)))
    assert changed(down, scene.render((LaidCard(TEN, 0, 0, 10),))).any()


@pytest.mark.parametrize(("angle", "side"), [(0, "bottom"), (90, "left"), (180, "top"), (270, "right")])
def test_an_arm_comes_from_its_side_and_only_from_it(scene: Scene, angle: float, side: str) -> None:
    touched = changed(scene.render(()), scene.render((), (Arm(0, 0, angle),)))
    borders = {"top": touched[0], "bottom": touched[-1], "left": touched[:, 0], "right": touched[:, -1]}
    assert [name for name, border in borders.items() if border.any()] == [side]
    assert touched[300:420, 560:720].any()


def test_a_held_card_hangs_above_the_table_under_the_hand(scene: Scene) -> None:
    card = LaidCard(TEN, 0, -30)
    hand, holding = scene.render((), (Arm(0, 0),)), scene.render((), (Arm(0, 0, held=(card,)),))
    assert changed(hand, holding).sum() > 4000
    # A finger covers the card: (8, 14) is in the middle of one, 40 mm above the table.
    column, row = scene.camera.to_picture([(8, 14)], height=40)[0].round().astype(int)
    assert not changed(hand, holding)[row - 3 : row + 4, column - 3 : column + 4].any()
    for height in (30.0, 120.0):  # nearer to the camera: larger, and elsewhere in the picture
        white = scene.render((), (Arm(0, 0, height=height, held=(card,)),)).min(axis=2) > 140
        expected = scene.camera.to_picture(card.corners, height=height)
        assert np.argwhere(white)[:, 0].min() == pytest.approx(expected[:, 1].min(), abs=2.5)
        columns = np.argwhere(white)[:, 1]
        assert np.ptp(columns) == pytest.approx(np.ptp(expected[:, 0]), abs=4)


def test_the_same_number_is_the_same_picture_and_noise_is_as_strong_as_asked() -> None:
    scene = Scene(DECK, CAMERA, Look(noise=3.0))
    first, again, other = (scene.render((), number=number) for number in (4, 4, 5))
    assert np.array_equal(first, again)
    difference = (first.astype(float) - other)[200:500, 300:900]
    assert difference.std() == pytest.approx(3.0 * np.sqrt(2), rel=0.15)


def test_brightness_dims_the_picture(scene: Scene) -> None:
    full, dim = scene.render(()), scene.render((), brightness=0.25)
    assert float(dim.mean()) == pytest.approx(0.25 * float(full.mean()), rel=0.05)


@pytest.mark.parametrize("top", TABLE_TOPS)
def test_the_mats_markers_give_the_cameras_geometry(top: str) -> None:
    rng = np.random.default_rng(TABLE_TOPS.index(top))  # type: ignore[arg-type]
    camera, look = Camera.random(rng), replace(Look.random(rng), table=top)  # type: ignore[arg-type]
    picture = Scene(DECK, camera, look, Mat.printed()).render(())
    points = np.array([(x, y) for x in (-200, 0, 200) for y in (-150, 0, 150)], np.float64)
    error = geometry_from_markers(picture).to_picture(points) - camera.to_picture(points)
    assert np.hypot(*error.T).max() < 0.6  # pixels
