from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.cards import parse_card
from tests.vision.tabletop import GEOMETRY, Lying, distance, picture
from vision.outline import find_outlines
from vision.types import Image, Outline


def without_mat(*cards: Lying, cloth: tuple[int, int, int] = (60, 110, 50)) -> Image:
    image = picture(cards)
    bare = picture()
    difference = np.abs(image.astype(int) - bare).max(axis=2)[:, :, None] > 0
    mask = np.zeros(image.shape[:2], np.uint8)
    for lying in cards:
        cv2.fillConvexPoly(mask, lying.outline.corners.round().astype(np.int32), (255,))
    noise = np.random.default_rng(1).normal(0, 2, image.shape)
    plain = np.clip(np.array(cloth) + noise, 0, 255).astype(np.uint8)
    return np.where((mask[:, :, None] > 0) & difference, image, plain).astype(np.uint8)


@pytest.mark.parametrize(
    ("cloth", "within"),
    [((60, 110, 50), 1.5), ((20, 20, 20), 1.5), ((60, 90, 140), 1.5), ((205, 205, 205), 3.0)],
)
def test_crooked_cards_on_any_cloth(cloth: tuple[int, int, int], within: float) -> None:
    cards = [Lying(parse_card("♠9"), -150, 20, 12), Lying(parse_card("♥K"), 40, -60, 75)]
    cards.append(Lying(parse_card("♦D"), 180, 70, 140))
    outlines = find_outlines(without_mat(*cards, cloth=cloth))
    assert len(outlines) == 3
    for card in cards:
        nearest = min(outlines, key=lambda outline: distance(outline, card.outline))
        assert distance(nearest, card.outline) < within
        assert nearest.visible == 1.0


def test_a_card_under_another_is_deduced_from_its_corners() -> None:
    under, over = Lying(parse_card("♥K"), 30, -20, 100), Lying(parse_card("♠9"), 0, 10, 15)
    alone = Lying(parse_card("♦D"), 180, 0, 0)
    outlines = find_outlines(without_mat(under, over, alone), GEOMETRY.card_size_px)
    nearest = min(outlines, key=lambda outline: distance(outline, under.outline))
    assert distance(nearest, under.outline) < 5
    assert nearest.visible < 1


def test_perspective() -> None:
    cards = [Lying(parse_card("♠9"), -60, 20, 12), Lying(parse_card("♥K"), 60, -20, 75)]
    image = without_mat(*cards)
    tilt = np.array([[1, 0.12, 0], [0, 0.9, 0], [0, 0.0006, 1]])
    tilted = np.asarray(cv2.warpPerspective(image, tilt, (640, 360), borderValue=(60, 110, 50)), np.uint8)
    outlines = find_outlines(tilted)
    for card in cards:
        corners = cv2.perspectiveTransform(card.outline.corners[None].astype(np.float64), tilt)[0]
        true = Outline(corners.astype(np.float32))
        assert min(distance(outline, true) for outline in outlines) < 2


@pytest.mark.parametrize("kind", ["plain", "noise", "circle", "square"])
def test_what_is_no_card(kind: str) -> None:
    image = np.full((360, 480, 3), (70, 110, 60), np.uint8)
    if kind == "noise":
        image = np.random.default_rng(2).integers(0, 255, image.shape).astype(np.uint8)
    elif kind == "circle":
        cv2.circle(image, (240, 180), 90, (240, 240, 240), -1)
    elif kind == "square":
        cv2.rectangle(image, (140, 80), (340, 280), (240, 240, 240), -1)
    assert find_outlines(image) == ()


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (40, 40)])
def test_pictures_too_small_for_a_card(size: tuple[int, int]) -> None:
    assert find_outlines(np.zeros((*size, 3), np.uint8)) == ()
