"""A camera that is moved: small moves are put right in silence, large ones by the mat, else it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.cards import parse_card
from tests.vision.rendered import RenderedTable, geometry_of
from vision.moved import SMALL_DEGREES, SMALL_PX, how_far, in_many_places
from vision.scene import LaidCard, Look, Mat

TRICK = tuple(
    LaidCard(parse_card(name), x, y, angle)
    for name, x, y, angle in [("♥T", 0, 90, 5), ("♠V", -90, 0, 95), ("♦9", 60, -80, 170)]
)
NEXT, LAST = LaidCard(parse_card("♣D"), 90, 20, 60), LaidCard(parse_card("♠7"), -100, -100, 20)
WOOD = Look(table="wood", seed=3)


def with_trick(mat: Mat | None) -> RenderedTable:
    table = RenderedTable(WOOD, mat)
    table.lay(*TRICK)
    return table


def told(events: list[Any]) -> list[str]:
    """All but hands."""
    return [f"{e.event} {e.card or ''}".strip() for e in events if not e.event.startswith("hand")]


def off_mm(table: RenderedTable) -> float:
    """How far the geometry is off in the middle of the table."""
    x, y = np.meshgrid(np.linspace(320, 960, 5), np.linspace(180, 540, 4))
    points = np.column_stack([x.ravel(), y.ravel()])
    assert table.watcher.geometry is not None
    return float(np.abs(table.watcher.geometry.to_table(points) - table.camera.to_table(points)).max())


@pytest.mark.parametrize("changed", [
    {"aim_x": 7}, {"aim_x": -20, "aim_y": 15}, {"roll": 3}, {"roll": -3.5}, {"lean": 2},
    {"tilt": 3, "aim_y": -8},
])  # fmt: skip
def test_a_small_move_is_put_right_without_a_mat_and_play_goes_on(changed: dict[str, float]) -> None:
    table = with_trick(None)
    cards = table.names()
    table.turn(**changed)
    assert told(table.show(14)) == ["moved_camera"]
    assert (table.names(), table.watcher.lost) == (cards, False)
    assert off_mm(table) < 4
    assert told(table.lay(*TRICK, NEXT)) == ["placed ♣D"]


@pytest.mark.parametrize("changed", [{"roll": 8}, {"roll": 90}, {"aim_x": 150, "aim_y": 50}, {"aim_y": -80}])
def test_a_large_move_without_a_mat_is_asked_about_and_nothing_counts_until_it_is_undone(
    changed: dict[str, float],
) -> None:
    table = with_trick(None)
    cards = table.names()
    table.turn(**changed)
    assert told(table.show(14)) == ["moved_far"]
    assert table.watcher.lost
    assert told(table.lay(*TRICK, NEXT)) == []
    assert table.names() == cards
    table.turn(**dict.fromkeys(changed, 0.0))
    assert sorted(told(table.show(14))) == ["moved_camera", "placed ♣D"]
    assert not table.watcher.lost
    assert off_mm(table) < 4
    assert told(table.lay(*TRICK, NEXT, LAST)) == ["placed ♠7"]


@pytest.mark.parametrize("changed", [{"roll": 8}, {"roll": 90}, {"aim_x": 150, "aim_y": 50}, {"lean": 6}])
def test_a_large_move_with_the_mat_in_sight_is_put_right_to_a_millimetre(changed: dict[str, float]) -> None:
    table = with_trick(Mat.printed("A3"))
    cards = table.names()
    table.turn(**changed)
    assert told(table.show(14)) == ["moved_camera"]
    assert (table.names(), table.watcher.lost) == (cards, False)
    assert off_mm(table) < 3
    assert told(table.lay(*TRICK, NEXT)) == ["placed ♣D"]


def test_calibrating_ends_the_question() -> None:
    table = with_trick(None)
    table.turn(roll=10)
    table.show(14)
    assert table.watcher.lost
    table.watcher.geometry = geometry_of(table.camera)
    assert not table.watcher.lost
    assert "placed ♣D" in told(table.lay(*TRICK, NEXT))


def test_small_moves_add_up_to_a_large_one() -> None:
    table = with_trick(None)
    events = []
    for n in range(1, 5):
        table.turn(aim_x=12.0 * n)
        events += told(table.show(12))
    assert events == ["moved_camera", "moved_camera", "moved_far"]
    assert table.watcher.lost


def test_the_view_of_something_else_is_no_play() -> None:
    table = with_trick(None)
    cards = table.names()
    rng = np.random.default_rng(1)
    wall = np.full((720, 1280, 3), (190, 170, 160), np.uint8)
    wall[200:500, 300:900] = rng.integers(0, 255, (300, 600, 3), np.uint8)
    assert told(table.show(14, through=lambda image: np.where(image % 2, wall, wall + 1))) == ["moved_far"]
    assert table.names() == cards
    assert told(table.show(14)) == ["moved_camera"]
    assert (table.names(), table.watcher.lost) == (cards, False)


def test_how_far_a_move_is_on_both_sides_of_the_bound() -> None:
    def turn(degrees: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        a, middle = np.radians(degrees), np.array([640, 360])
        rows = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        return np.vstack([np.column_stack([rows, middle - rows @ middle]), [0, 0, 1]])

    far, degrees = how_far(turn(3.5), (1280, 720))
    assert (far, degrees) == (pytest.approx(367 * np.radians(3.5), rel=0.02), pytest.approx(3.5))
    assert far < SMALL_PX and degrees < SMALL_DEGREES < how_far(turn(4.5), (1280, 720))[1]
    shift = np.array([[1, 0, 30.0], [0, 1, 25.0], [0, 0, 1]])
    assert how_far(shift, (1280, 720)) == pytest.approx((39.05, 0), abs=0.01)
    assert how_far(shift, (640, 360))[0] > SMALL_PX


def test_one_card_laid_is_not_in_many_places_and_a_bumped_picture_is() -> None:
    changed = np.zeros((180, 320), np.uint8)
    changed[60:90, 100:120] = 255
    assert not in_many_places(changed)
    for n in range(5):
        changed[10 + 30 * n : 13 + 30 * n, 40 + 50 * n : 60 + 50 * n] = 255
    assert in_many_places(changed)


def test_a_trick_swept_and_a_hand_that_rests_move_no_camera() -> None:
    for mat in (None, Mat.printed("A3")):
        table = with_trick(mat)
        assert set(told(table.lay())) == {"removed ♥T", "removed ♦9", "removed ♠V"}
        assert not table.watcher.lost
