from __future__ import annotations

import numpy as np

from engine.cards import parse_card
from tests.vision.tabletop import Film, Lying, picture
from vision.settle import Settled, Settler, Sight
from vision.types import Frame

CARD = Lying(parse_card("♥T"), 0, 60, 10)


def seen(settler: Settler, frames: list[Frame]) -> tuple[list[str], list[Settled]]:
    """The news in order, and the settled pictures."""
    sights: list[Sight] = [settler.update(frame) for frame in frames]
    return [n for s in sights for n in s.news], [s.settled for s in sights if s.settled is not None]


def started() -> tuple[Film, Settler]:
    film, settler = Film(), Settler()
    _, settled = seen(settler, film.show(count=6))
    assert len(settled) == 1
    return film, settler


def test_an_unchanged_table_is_no_news() -> None:
    film, settler = started()
    assert seen(settler, film.show(count=20)) == ([], [])


def test_a_card_laid_by_a_hand_settles_once_after_the_hand_has_gone() -> None:
    film, settler = started()
    news, settled = seen(settler, film.show(hand=(0, 1, 120)) + film.show(hand=(0, 1, 60)))
    assert (news, settled) == (["hand_in"], [])
    news, settled = seen(settler, film.show([CARD], hand=(0, 1, 130)) + film.show([CARD], count=6))
    assert news == ["hand_out"]
    assert len(settled) == 1
    assert settled[0].changed.any()
    (hand,) = settled[0].hands
    assert hand.point[1] > 350 and 280 < hand.point[0] < 360


def test_a_hand_that_changes_nothing_settles_nothing() -> None:
    film, settler = started()
    news, settled = seen(settler, film.show(hand=(-1, 0, 60), count=3) + film.show(count=6))
    assert (news, settled) == (["hand_in", "hand_out"], [])


def test_a_resting_hand_does_not_stop_the_game() -> None:
    film, settler = started()
    far = Lying(CARD.card, 0, -60)
    news, settled = seen(settler, film.show([far], hand=(0, 1, 160), count=16))
    assert news == ["hand_in"]
    assert len(settled) == 1
    assert settled[0].hidden[170, 160] == 255
    assert settled[0].changed[:90].any() and not settled[0].changed[150:].any()


def test_daylight_may_ramp() -> None:
    film, settler = started()
    frames = [f for n in range(60) for f in film.show(light=1 - n / 150)]
    assert seen(settler, frames) == ([], [])


def test_bands_of_mains_flicker_are_no_change() -> None:
    film, settler = started()
    rows = np.arange(360)[:, None, None]
    frames = []
    for n in range(30):
        band = 1 + 0.07 * np.sin(rows / 60 + n * 1.9)
        frames.append(film.frame(np.clip(picture(noise=n) * band, 0, 255).astype(np.uint8)))
    assert seen(settler, frames) == ([], [])


def test_lights_off_and_on() -> None:
    film, settler = started()
    news, settled = seen(settler, film.show(light=0.1, count=5) + film.show(light=1.0, count=8))
    assert (news, settled) == (["too_dark", "light_back"], [])


def test_a_card_laid_in_the_dark_is_seen_when_light_is_back() -> None:
    film, settler = started()
    news, settled = seen(settler, film.show(light=0.1, count=5) + film.show([CARD], count=8))
    assert news == ["too_dark", "light_back"]
    assert len(settled) == 1


def test_nothing_settles_while_things_move() -> None:
    film, settler = started()
    frames = [f for n in range(15) for f in film.show([Lying(CARD.card, -80 + 12 * n, 20)])]
    assert seen(settler, frames) == ([], [])
