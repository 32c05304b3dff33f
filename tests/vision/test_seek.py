"""Cards found by their art: on heaps that show no edge, without indices, whole and partly under others."""

from __future__ import annotations

import numpy as np
import pytest

from bench.art import without_letters
from engine.cards import Card, parse_card
from tests.vision.tabletop import distance
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.flat import flattened
from vision.reader import Reader
from vision.scene import LaidCard, Look, Scene
from vision.seek import sought
from vision.taught import TaughtDeck
from vision.types import Face, Image, Outline

NAMES = ("♣8", "♠8", "♥9", "♦10", "♠K", "♦V", "♣7", "♥T")
CARDS = tuple(parse_card(name) for name in NAMES)


class Letterless:
    """Our own deck without indices."""

    def face(self, face: Face) -> Image:
        assert isinstance(face, Card)
        return without_letters(face)

    def back(self) -> Image:
        return DrawnDeck().back()


@pytest.fixture(scope="module")
def deck() -> TaughtDeck:
    shown = []
    for card in CARDS:
        face = without_letters(card)
        height, width = face.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        shown.append((card, flattened(face, Outline(corners.astype(np.float32)))))
    return TaughtDeck.of("letterless", "2026-01-01", shown)


def about(scene: Scene, laid: list[LaidCard]) -> tuple[Image, float, list[Outline]]:
    """The part of a picture about the cards, how high a card is in it, and their outlines there."""
    corners = [scene.corners(card) for card in laid]
    card_px = float(np.linalg.norm(corners[0][1] - corners[0][2]))
    low = np.maximum(np.min(np.concatenate(corners), axis=0) - card_px / 2, 0).astype(int)
    high = (np.max(np.concatenate(corners), axis=0) + card_px / 2).astype(int)
    picture = scene.render(laid, number=1)[low[1] : high[1], low[0] : high[0]]
    outlines = [Outline((each - low).astype(np.float32)) for each in corners]
    return np.ascontiguousarray(picture), card_px, outlines


def table(seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    return Scene(Letterless(), Camera.random(rng), Look.random(rng))


@pytest.mark.parametrize(("top", "seed"), [("♣8", 1), ("♠8", 2), ("♥9", 3), ("♠K", 4)])
def test_the_upper_card_of_a_heap_is_found_and_exactly_enough(top: str, seed: int, deck: TaughtDeck) -> None:
    rng = np.random.default_rng(seed)
    upper = parse_card(top)
    under = [card for card in CARDS if card != upper][:3]
    laid = [LaidCard(card, *rng.normal(0, 3, 2), rng.normal(0, 6)) for card in (*under, upper)]
    picture, card_px, outlines = about(table(seed), laid)
    found = sought(picture, deck, card_px)
    assert [each.match.card for each in found if each.outline.visible == 1.0] == [upper]
    assert distance(found[0].outline, outlines[-1]) < 0.06 * card_px
    assert found[0].match.confidence > 0.95


def test_a_card_partly_under_another_is_found_but_never_for_sure(deck: TaughtDeck) -> None:
    laid = [LaidCard(parse_card("♦V"), 0, 0, 10), LaidCard(parse_card("♣7"), 8, 46, 14)]
    picture, card_px, _ = about(table(5), laid)
    readings = Reader.load(deck=deck).read_picture(picture, card_px)
    assert {str(each.card) for each in readings} == {"♦V", "♣7"}
    by_name = {str(each.card): each.confidence for each in readings}
    assert by_name["♣7"] > 0.95 > by_name["♦V"]


def test_an_empty_table_and_backs_hold_no_card(deck: TaughtDeck) -> None:
    scene = table(6)
    picture, card_px, _ = about(scene, [LaidCard(CARDS[0], 0, 0, 30, up=False)])
    assert sought(picture, deck, card_px) == []
    assert sought(np.full((240, 240, 3), 200, np.uint8), deck, card_px) == []


def test_what_is_known_to_lie_there_is_not_found_again(deck: TaughtDeck) -> None:
    laid = [LaidCard(parse_card("♥9"), 0, 0, 20)]
    picture, card_px, (outline,) = about(table(7), laid)
    assert [each.match.card for each in sought(picture, deck, card_px)] == [parse_card("♥9")]
    assert sought(picture, deck, card_px, [outline]) == []


def test_a_picture_smaller_than_a_card_holds_none(deck: TaughtDeck) -> None:
    assert sought(np.zeros((20, 30, 3), np.uint8), deck, 110.0) == []
