"""Cards on a heap: what hides under others, what lies face down on them, what was taken with them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.cards import IMP, PACK_24, Card, parse_card
from tests.vision.tabletop import GEOMETRY, SIZE, Film, KnowingReader, Lying, picture
from vision.bare import BareTable
from vision.events import TableWatcher
from vision.light import small_picture
from vision.look import Look, _may_be
from vision.moved import by_motion
from vision.types import Face, Joker, Outline, Reading, TableEvent


class Table:
    def __init__(self) -> None:
        self.film, self.reader = Film(), KnowingReader()
        self.watcher = TableWatcher(GEOMETRY, self.reader, PACK_24)
        self.change()

    def change(self, *cards: Lying) -> list[str]:
        """The cards are these from now on."""
        self.reader.cards = cards
        events: list[TableEvent] = list(self.watcher.watch(self.film.show(cards, 8)))
        return [f"{event.event} {event.card}" for event in events]

    @property
    def known(self) -> list[str]:
        return [str(card.card) for card in self.watcher.cards]


def card(name: str, x: float = 0, y: float = 0, degrees: float = 0, up: bool = True) -> Lying:
    return Lying(parse_card(name), x, y, degrees, up)


@pytest.mark.parametrize(("x", "y", "degrees"), [(3, 2, 6), (8, 6, 25), (12, -9, -14), (20, 20, 60)])
def test_a_card_face_down_on_another_is_laid_and_takes_none_away(x: float, y: float, degrees: float) -> None:
    table, first = Table(), card("♠9")
    table.change(first)
    assert table.change(first, card("♦10", x, y, degrees, up=False)) == ["placed None"]
    assert table.known == ["♠9", "None"]
    assert table.change(first, card("♦10", x, y, degrees)) == ["revealed ♦10"]
    assert table.known == ["♠9", "♦10"]


def test_what_lay_under_cards_that_were_seen_to_be_taken_went_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Look, "_uncovered_and_gone", lambda self, gone, bared, fresh: set())
    table, under, over, apart = Table(), card("♠9"), card("♦10", 1, 1, 2), card("♥T", 150, 0)
    table.change(under, apart)
    table.change(under, over, apart)
    assert table.change(apart) == ["removed ♦10"]
    table.watcher.taken({under.card, over.card, apart.card})
    assert table.known == ["♥T"]  # nothing was seen to go from there


def test_what_is_said_to_be_taken_lies_there_until_it_is_seen_to_go() -> None:
    table, under, over = Table(), card("♠9"), card("♦10", 6, 4, 15)
    table.change(under)
    table.change(under, over)
    table.watcher.taken({under.card, over.card})
    assert table.known == ["♠9", "♦10"]


@pytest.mark.parametrize("motion", [((1, 0, 7), (0, 1, -5)), ((0.9994, 0.0349, -6), (-0.0349, 0.9994, 11))])
def test_the_bare_table_is_known_yet_where_the_camera_sees_it_after_a_bump(
    motion: tuple[tuple[float, float, float], ...],
) -> None:
    bare, matrix, laid = BareTable(), np.array(motion, np.float64), card("♠9", -60, 10)
    before = picture()
    scale = before.shape[1] / small_picture(before).shape[1]
    bare.learn(small_picture(before), [], scale)
    after = np.asarray(cv2.warpAffine(before, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    bare.follow(by_motion(matrix, None).picture, SIZE)
    moved = Outline((laid.outline.corners @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32))
    assert bare.part(small_picture(after), moved, scale) > 0.97
    with_card = np.asarray(cv2.warpAffine(picture([laid]), matrix, SIZE), np.uint8)
    assert bare.part(small_picture(with_card), moved, scale) < 0.2


@pytest.mark.parametrize(
    ("read", "visible", "lies", "same"),
    [
        ("♣D", 0.5, parse_card("♠D"), True),
        ("♣D", 0.5, parse_card("♥D"), False),
        ("♣D", 0.5, parse_card("♠K"), False),
        ("♣D", 1.0, parse_card("♠D"), False),
        ("♣D", 1.0, parse_card("♣D"), True),
        ("♣D", 0.5, IMP, False),
        ("♣D", 0.5, None, False),
        ("♣D", 0.5, Joker.JOKER, False),
    ],
)
def test_an_index_half_covered_may_be_the_twin_of_its_colour(
    read: str, visible: float, lies: Card | Face | None, same: bool
) -> None:
    outline = Outline(np.zeros((4, 2), np.float32), visible)
    assert _may_be(Reading(outline, ((parse_card(read), 0.97),)), lies) == same


def test_a_card_that_is_read_where_it_lay_is_not_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.look.still_there", lambda *of: False)
    table, under, over = Table(), card("♠9"), card("♦10", 20, 30, 15)
    table.change(under)
    assert table.change(under, over) == ["placed ♦10"]
    assert table.known == ["♠9", "♦10"]
