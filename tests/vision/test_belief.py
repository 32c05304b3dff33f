"""What the readings of one picture say of each other, and the sign in an ace's middle against its index."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import Suit, parse_card
from vision.belief import plausible, with_twins_lowered
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.finder import Index, merged
from vision.grouping import grouped
from vision.middle import reweighed
from vision.reader import Reader, rectified
from vision.scene import LaidCard, Look, Scene
from vision.types import Image, Outline, Points, Reading

SEVEN, TEN = parse_card("♥7"), parse_card("♠10")


def rectangle(left: float, top: float, width: float, height: float) -> Points:
    right, foot = left + width, top + height
    return np.array([[left, top], [right, top], [right, foot], [left, foot]], np.float32)


def found(
    card: object, confidence: float, corners: Points, *at: tuple[float, float]
) -> tuple[Reading, list[Index]]:
    assert card in (SEVEN, TEN)
    reading = Reading(Outline(corners, 1.0 if len(at) > 1 else 0.5), ((card, confidence),))  # type: ignore[arg-type]
    return reading, [Index(x, y, 20, (0, -1), 0.9) for x, y in at]


CARD = found(SEVEN, 0.99, rectangle(100, 100, 100, 140), (110, 120), (190, 220))


def test_art_within_a_card_is_no_other_card() -> None:
    art = found(TEN, 0.6, rectangle(120, 120, 60, 84), (130, 140), (170, 190))
    assert plausible([CARD, art]) == [CARD[0]]


def test_print_much_smaller_than_the_cards_is_none() -> None:
    calendar = found(TEN, 0.82, rectangle(400, 20, 25, 35), (403, 25))
    poster = found(TEN, 0.82, rectangle(400, 20, 400, 560), (440, 90))
    assert plausible([CARD, calendar, poster]) == [CARD[0]]


def test_a_doubtful_card_beside_or_under_a_sure_one_stays() -> None:
    beside = found(TEN, 0.6, rectangle(260, 100, 100, 140), (270, 120), (350, 220))
    under = found(TEN, 0.6, rectangle(60, 80, 100, 140), (70, 100), (150, 200))
    assert plausible([CARD, beside, under]) == [CARD[0], beside[0], under[0]]


def test_a_sure_reading_is_kept_whatever_its_size() -> None:
    small = found(TEN, 0.97, rectangle(400, 20, 25, 35), (403, 25))
    assert plausible([CARD, small]) == [CARD[0], small[0]]


def test_without_a_sure_reading_nothing_is_judged() -> None:
    doubtful = [
        found(SEVEN, 0.5, rectangle(0, 0, 50, 70), (5, 9)),
        found(TEN, 0.6, rectangle(0, 0, 5, 7), (1, 1)),
    ]
    assert plausible(doubtful) == [reading for reading, _ in doubtful]


def test_a_doubtful_twin_of_a_sure_card_is_lowered() -> None:
    place = Outline(rectangle(0, 0, 63, 88))
    sure, alone = Reading(place, ((SEVEN, 0.97),)), Reading(place, ((TEN, 0.6),))
    twin = Reading(place, ((SEVEN, 0.6), (TEN, 0.3)))
    lowered = with_twins_lowered([sure, twin, alone])
    assert lowered[0] is sure
    assert lowered[2] is alone
    assert lowered[1].card == TEN
    assert 0.6 < lowered[1].confidence < 0.7
    assert sum(score for _, score in lowered[1].scores) <= 1


def test_the_shadow_of_an_index_is_none_of_its_own() -> None:
    index = Index(100, 100, 24, (0, -1), 0.95)
    shadow, neighbour = Index(114, 100, 22, (0, -1), 0.3), Index(114, 100, 22, (0, -1), 0.9)
    assert merged([index, shadow]) == [index]
    assert merged([index, neighbour]) == [index, neighbour]


def test_two_indices_at_one_end_give_an_upright_outline() -> None:
    # A card of 63×88, ten times as many pixels, upright at (100, 100), with four indices.
    whole = [Index(1170, 240, 200, (0.0, -1.0), 0.9), Index(1590, 840, 200, (0.0, 1.0), 0.9)]
    top = [Index(660, 240, 200, (0.0, -1.0), 0.9), Index(170, 240, 200, (0.0, -1.0), 0.9)]
    alone = next(g for g in grouped([*whole, *top], lambda i, j: (i < 2) == (j < 2)) if g.members[0] > 1)
    assert alone.whole
    assert np.abs(alone.corners - rectangle(100, 100, 630, 880)).max() < 40


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def upright(card: str, angle: float) -> Image:
    scene = Scene(DrawnDeck(), Camera(tilt=3, roll=2), Look(table="wood", seed=3))
    laid = LaidCard(parse_card(card), 0, 0, angle)
    return rectified(
        scene.render([laid]), Outline(np.roll(scene.corners(laid), 2, axis=0).astype(np.float32))
    )


def doubt(first: str, second: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    scores = np.full(52, 0.0002)
    scores[parse_card(first)], scores[parse_card(second)] = 0.93, 0.05
    return scores / scores.sum()


@pytest.mark.parametrize("angle", [0, 90, 215])
@pytest.mark.parametrize(("card", "twin"), ["♠♣", "♣♠", "♥♦", "♦♥"])
def test_an_ace_with_the_index_of_its_twin_is_not_sure(
    reader: Reader, card: str, twin: str, angle: int
) -> None:
    picture = upright(f"{card}T", angle)
    right, wrong = parse_card(f"{card}T"), parse_card(f"{twin}T")
    misread = reweighed(reader._indices, lambda: picture, doubt(f"{twin}T", f"{card}T"))
    read = reweighed(reader._indices, lambda: picture, doubt(f"{card}T", f"{twin}T"))
    assert misread[wrong] < 0.9
    assert misread[right] > misread[wrong]
    assert read[right] > 0.96


def test_only_aces_are_weighed_by_their_middle(reader: Reader) -> None:
    scores = doubt("♠7", "♣7")
    assert reweighed(reader._indices, lambda: upright("♣T", 0), scores) is scores
    nothing = np.full((208, 153, 3), 230, np.uint8)
    ace = doubt(f"{Suit.SPADES}T", "♣T")
    assert np.array_equal(reweighed(reader._indices, lambda: nothing, ace), ace)
