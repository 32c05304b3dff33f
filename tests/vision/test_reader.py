"""The reader on rendered cards of our own deck, on nothing, and on photographs where they are at hand."""

from __future__ import annotations

import csv
import random

import cv2
import numpy as np
import pytest

from engine.cards import PACK_52, Card, parse_card
from tests.shared import SHARED, needs
from vision.camera import Camera
from vision.deck import DrawnDeck, Letters
from vision.finder import Index, merged
from vision.grouping import grouped
from vision.reader import Reader
from vision.scene import LaidCard, Look, Scene
from vision.types import Image, Outline


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def scattered(rng: random.Random, cards: list[Card]) -> list[LaidCard]:
    """Cards side by side, each at any angle."""
    return [
        LaidCard(card, -270 + 135 * (n % 5), -65 + 130 * (n // 5), rng.uniform(0, 360))
        for n, card in enumerate(cards)
    ]


def off(outline: Outline, scene: Scene, card: LaidCard) -> float:
    """How far an outline's worst corner is off, in pixels; either end of a card may be its top."""
    true = scene.corners(card)
    return float(
        min(np.linalg.norm(outline.corners - np.roll(true, n, axis=0), axis=1).max() for n in (0, 2))
    )


@pytest.mark.parametrize("letters", ["TKDV", "AKQJ"])
def test_every_card_of_our_deck_is_read_inside_its_outline(reader: Reader, letters: Letters) -> None:
    rng = random.Random(letters)
    pack = list(PACK_52)
    rng.shuffle(pack)
    scene = Scene(DrawnDeck(letters=letters), Camera(tilt=3, roll=2), Look(table="wood", seed=3))
    for first in range(0, 52, 10):
        laid = scattered(rng, pack[first : first + 10])
        picture = scene.render(laid)
        for card in laid:
            # Which end of the outline is the top is not known beforehand.
            corners = np.roll(scene.corners(card), rng.choice([0, 2]), axis=0).astype(np.float32)
            reading = reader.read_card(picture, Outline(corners))
            assert reading.card == card.face, str(card.face)
            assert reading.confidence >= 0.95, str(card.face)
            assert off(reading.outline, scene, card) < 1


def test_a_whole_picture_is_read_with_outlines_that_fit(reader: Reader) -> None:
    laid = scattered(random.Random(4), [parse_card(c) for c in ("♥T", "♠V", "♦10", "♣D", "♠6", "♥9")])
    scene = Scene(DrawnDeck(), Camera(), Look(seed=5))
    readings = reader.read_picture(scene.render(laid))
    assert {reading.card for reading in readings} == {card.face for card in laid}
    for card in laid:
        reading = next(r for r in readings if r.card == card.face)
        assert off(reading.outline, scene, card) < 14


def test_a_card_of_which_a_corner_peeps_out_is_read_too(reader: Reader) -> None:
    under, over = parse_card("♠K"), parse_card("♥7")
    laid = [LaidCard(under, 0, 0, 0), LaidCard(over, 18, 14, 4)]
    readings = reader.read_picture(Scene(DrawnDeck(), Camera(), Look()).render(laid))
    assert {reading.card for reading in readings} == {under, over}


def pictures_without_cards() -> list[Image]:
    rng = np.random.default_rng(7)
    noise = rng.integers(0, 255, (480, 640, 3)).astype(np.uint8)
    page = np.full((600, 800, 3), 245, np.uint8)
    for line in range(12):
        text = "".join(rng.choice(list("AKQJT 10 9 8 7 6 heart spade"), 40))
        cv2.putText(page, text, (20, 40 + 45 * line), cv2.FONT_HERSHEY_COMPLEX, 0.9, (20, 20, 20), 2)
    cards = np.full((600, 800, 3), (60, 90, 130), np.uint8)
    for n in range(30):  # business cards
        x, y = 20 + 130 * (n % 6), 20 + 110 * (n // 6)
        cv2.rectangle(cards, (x, y), (x + 110, y + 70), (250, 250, 248), -1)
        cv2.putText(cards, "A. Kaunas", (x + 8, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 90), 1)
        cv2.putText(cards, "8-10 9K", (x + 8, y + 55), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1)
    return [noise, page, cards, np.zeros((480, 640, 3), np.uint8)]


@pytest.mark.parametrize("number", range(4))
def test_where_there_is_no_card_none_is_read_with_confidence(reader: Reader, number: int) -> None:
    readings = reader.read_picture(pictures_without_cards()[number])
    assert [(r.card, r.confidence) for r in readings if r.confidence >= 0.95] == []


def test_an_outline_on_nothing_is_unread(reader: Reader) -> None:
    corners = np.array([[100, 100], [190, 100], [190, 226], [100, 226]], np.float32)
    reading = reader.read_card(np.full((480, 640, 3), (40, 100, 40), np.uint8), Outline(corners))
    assert (reading.side, reading.card, reading.confidence) == ("unread", None, 0.0)


def test_of_the_same_index_found_at_two_sizes_the_better_stays() -> None:
    first, second = Index(100, 100, 20, (0, -1), 0.5), Index(103, 101, 22, (0, -1), 0.9)
    far = Index(140, 100, 20, (0, -1), 0.4)
    assert merged([first, second, far]) == [second, far]


def test_two_indices_head_to_head_are_one_card_and_give_its_outline() -> None:
    # A card of 63×88, ten times as many pixels, upright at (100, 100).
    a = Index(100 + 70, 100 + 140, 200, (0.0, -1.0), 0.9)
    b = Index(100 + 630 - 70, 100 + 880 - 140, 200, (0.0, 1.0), 0.9)
    other = Index(1500, 400, 200, (0.0, -1.0), 0.9)
    groups = grouped([a, other, b], lambda i, j: True)
    assert sorted(group.members for group in groups) == [(0, 2), (1,)]
    whole = next(group for group in groups if group.whole)
    expected = np.array([[100, 100], [730, 100], [730, 980], [100, 980]])
    assert np.abs(whole.corners - expected).max() < 20


@needs("photos")
def test_photographs_of_other_peoples_cards_are_read(reader: Reader) -> None:
    with (SHARED / "photos" / "labels.csv").open() as labels:
        rows = [
            row for row in csv.DictReader(labels) if row["source"] in ("plaskod", "sergiodomgui", "obind")
        ]
    right = read = wanted = 0
    for row in random.Random(1).sample(rows, 25):
        image = np.asarray(cv2.imread(str(SHARED / "photos" / row["path"])), np.uint8)
        want = sorted(str(parse_card(card)) for card in row["cards"].split())
        got = [str(reading.card) for reading in reader.read_picture(image)]
        wanted, read = wanted + len(want), read + len(got)
        for card in want:
            if card in got:
                got.remove(card)
                right += 1
    assert right / wanted >= 0.9
    assert right / read >= 0.97
