"""Shadows and sun are light; hands, sleeves and cards are not, on any table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import parse_card
from tests.vision.tabletop import SIZE, Film, Lying, picture
from vision.camera import Camera
from vision.cloth import TABLE_TOPS, TableTop
from vision.deck import DrawnDeck
from vision.light import cast_light, differences, row_light, small_picture
from vision.scene import Arm, LaidCard, Look, Scene
from vision.settle import Settled, Settler
from vision.types import Face, Frame, Image, Joker

CARD = Lying(parse_card("♥T"), 0, 60, 10)


def shade(x: float, strength: float = 0.35) -> NDArray[np.float32]:
    """A head's soft shadow, its middle x pixels from the left."""
    mask = np.zeros((SIZE[1], SIZE[0]), np.float32)
    cv2.ellipse(mask, (round(x), 150), (70, 100), 0, 0, 360, 1.0, -1)
    return (1 - strength * cv2.GaussianBlur(mask, (0, 0), 4))[..., None].astype(np.float32)


def lit(image: Image, gain: NDArray[np.float32]) -> Image:
    return np.clip(image * gain, 0, 255).astype(np.uint8)


def passing(film: Film, cards: list[Lying], start: int, frames: int, strength: float = 0.35) -> list[Frame]:
    """A shadow that passes over the table, 30 pixels a frame."""
    pictures = [(picture(cards, noise=n), 30 * n - 90) for n in range(start, start + frames)]
    return [film.frame(lit(image, shade(x, strength))) for image, x in pictures]


def settled(settler: Settler, frames: list[Frame]) -> tuple[list[str], list[Settled]]:
    sights = [settler.update(frame) for frame in frames]
    return [n for s in sights for n in s.news], [s.settled for s in sights if s.settled is not None]


@pytest.mark.parametrize("strength", [0.35, 0.2, -0.3])
def test_a_shadow_or_sun_that_passes_is_no_news(strength: float) -> None:
    film, settler = Film(), Settler()
    settled(settler, film.show([CARD], count=6))
    assert settled(settler, passing(film, [CARD], 0, 26, strength) + film.show([CARD], count=6)) == ([], [])


def test_a_card_that_lands_while_a_shadow_passes_is_looked_at_at_once() -> None:
    film, settler = Film(), Settler()
    settled(settler, film.show(count=6))
    news, looks = settled(settler, passing(film, [CARD], 9, 6))
    assert news == [] and len(looks) == 1
    card = looks[0].changed[80:180].any(axis=0)
    assert np.flatnonzero(card)[0] > 130 and np.flatnonzero(card)[-1] < 190


def test_a_shadow_that_stays_becomes_part_of_the_picture() -> None:
    film, settler = Film(), Settler()
    settled(settler, film.show(count=6))
    gain = shade(300)
    assert settled(settler, [film.frame(lit(picture(noise=n), gain)) for n in range(40)]) == ([], [])
    assert settler._before is not None and settler._before.t > 3


def test_a_hand_under_a_shadow_is_a_hand_and_where_it_comes_in() -> None:
    film, settler = Film(), Settler()
    settled(settler, film.show(count=6))
    frames = [film.frame(lit(picture(hand=(0, 1, 60), noise=n), shade(60))) for n in range(3)]
    sights = [settler.update(frame) for frame in frames]
    assert [n for s in sights for n in s.news] == ["hand_in"]
    assert sights[-1].point is not None and sights[-1].point[1] > 350


@pytest.mark.parametrize("table", TABLE_TOPS)
def test_no_arm_or_card_is_taken_for_light(table: TableTop) -> None:
    bare = Scene(DrawnDeck(), Camera(), Look(table=table, noise=3.0))
    empty = small_picture(bare.render((), number=0))
    card = LaidCard(parse_card("♠9"), 120, 60, 20)
    for person in range(6):
        now = small_picture(bare.render((card,), (Arm(-60.0, 0.0, 0.0, 5.0, person),), number=1 + person))
        rows = row_light(empty, now)
        changed = differences(empty, now, rows, 16)
        light, factors = cast_light(empty, now, rows, changed)
        assert changed.any() and not light.any()
        assert np.abs(factors - rows[:, None]).max() < 1e-6


class Grey:
    """A deck of bare paper in some grey, as worn or badly lit cards are."""

    def __init__(self, level: int) -> None:
        self.level = level

    def face(self, face: Face) -> Image:
        return np.full((528, 378, 3), self.level, np.uint8)

    def back(self) -> Image:
        return self.face(Joker.JOKER)


@pytest.mark.parametrize("table", TABLE_TOPS)
def test_no_paper_of_any_grey_is_taken_for_light(table: TableTop) -> None:
    places = [LaidCard(parse_card("♠9"), 120, 60, 20), LaidCard(parse_card("♠9"), -80, -30, 75)]
    for level in range(70, 256, 20):
        scene = Scene(Grey(level), Camera(), Look(table=table, noise=3.0))
        empty = small_picture(scene.render((), number=0))
        for count in (1, 2):
            now = small_picture(scene.render(tuple(places[:count]), number=count))
            rows = row_light(empty, now)
            light, _ = cast_light(empty, now, rows, differences(empty, now, rows, 16))
            assert not light.any(), (level, count)


def test_an_arm_along_half_of_a_row_is_no_light_on_the_other_half() -> None:
    bare = Scene(DrawnDeck(), Camera(), Look(noise=3.0))
    empty = small_picture(bare.render((), number=0))
    for x in (-60.0, 0.0, 60.0):
        now = small_picture(bare.render((), (Arm(x, 0.0, 90.0, 5.0, 1),), number=1))
        changed = differences(empty, now, row_light(empty, now), 16)
        assert changed[:, :100].any() and not changed[:, 240:].any()
