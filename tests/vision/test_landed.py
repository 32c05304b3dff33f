from __future__ import annotations

import numpy as np
import pytest

from engine.cards import PACK_24, parse_card
from tests.vision.tabletop import GEOMETRY, Film, Lying, distance
from vision.landed import new_cards
from vision.settle import Settled, Settler
from vision.types import Outline


def change(before: list[Lying], after: list[Lying]) -> Settled:
    film, settler = Film(), Settler()
    for frame in film.show(before, count=6):
        settler.update(frame)
    return next(s.settled for s in map(settler.update, film.show(after, count=8)) if s.settled is not None)


def landed(before: list[Lying], after: list[Lying]) -> tuple[Outline, ...]:
    return new_cards(change(before, after), GEOMETRY)


@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 101, 179])
def test_a_card_on_the_cloth(degrees: float) -> None:
    card = Lying(parse_card("♠9"), 12, -30, degrees)
    (outline,) = landed([], [card])
    assert distance(outline, card.outline) < 1.2
    assert outline.visible == 1.0


def test_a_card_across_a_pile_of_others() -> None:
    rng = np.random.default_rng(5)
    pile: list[Lying] = []
    for card in PACK_24[:8]:
        below = list(pile)
        pile.append(Lying(card, rng.uniform(-25, 25), rng.uniform(-25, 25), rng.uniform(0, 180)))
        outlines = landed(below, pile)
        assert distance(outlines[0], pile[-1].outline) < 2.0, card


def test_two_cards_at_once_the_upper_first() -> None:
    under, over = Lying(parse_card("♦K"), -20, 0, 80), Lying(parse_card("♣9"), 20, 10, 5)
    first, second = landed([], [under, over])
    assert distance(first, over.outline) < 1.2
    assert distance(second, under.outline) < 3
    assert second.visible < 0.95


def test_cards_taken_away_leave_no_outlines() -> None:
    cards = [Lying(parse_card("♦K"), -60, 0, 80), Lying(parse_card("♣9"), 60, 10, 5)]
    assert landed(cards, []) == ()
    assert landed(cards, cards[:1]) == ()


def test_a_dark_spot_is_no_card() -> None:
    film, settler = Film(), Settler()
    for frame in film.show(count=6):
        settler.update(frame)
    spots = film.show(count=8)
    for frame in spots:
        frame.image[100:260, 250:400] = frame.image[100:260, 250:400] // 4
    settled = next(s.settled for s in map(settler.update, spots) if s.settled is not None)
    assert new_cards(settled, GEOMETRY) == ()
