"""Whose hand it was, where several come in while the table does not settle."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.cards import PACK_24, parse_card
from tests.vision.tabletop import GEOMETRY, Film, KnowingReader, Lying
from vision.events import TableWatcher
from vision.hands import Hand, from_border, reached_by
from vision.light import Mask
from vision.look import Look
from vision.types import Reading, TableEvent

SHAPE = (180, 320)
AT = {1: (0, 1), 2: (-1, 0), 3: (0, -1), 4: (1, 0)}


def line(*points: tuple[int, int], wide: int = 24) -> Mask:
    mask = np.zeros(SHAPE, np.uint8)
    cv2.polylines(mask, [np.array(points, np.int32)], False, (255,), wide)
    return mask


def card_at(x: int, y: int) -> Mask:
    mask = np.zeros(SHAPE, np.uint8)
    cv2.rectangle(mask, (x - 10, y - 14), (x + 10, y + 14), (255,), -1)
    return mask


@pytest.mark.parametrize(
    ("ends", "seats"),
    [
        (((160, 179), (160, 0)), {1, 3}),
        (((160, 179), (0, 90)), {1, 2}),
        (((319, 90), (160, 0)), {3, 4}),
        (((319, 90), (0, 90)), {2, 4}),
        (((319, 170), (319, 170)), {4}),
        (((0, 0), (0, 0)), {2}),
    ],
)
def test_arms_that_touch_are_as_many_as_where_they_come_in(
    ends: tuple[tuple[int, int], tuple[int, int]], seats: set[int]
) -> None:
    hands, everything = from_border(line(ends[0], (160, 90), ends[1]), 2.0)
    assert len(hands) == len(seats)
    if len(seats) == 2:
        assert {GEOMETRY.seat_side(hand.point) for hand in hands} == seats
    together = sum((hand.reach.astype(int) for hand in hands), np.zeros(SHAPE, int))
    assert (together == everything).all()  # every part is one hand's


def hand(mask: Mask) -> Hand:
    return Hand((0, 0), mask, 2.0)


def test_of_cards_on_a_heap_the_first_to_come_laid_the_undermost() -> None:
    below, above = card_at(158, 88), card_at(163, 93)
    first, second = hand(line((319, 90), (150, 90))), hand(line((160, 179), (160, 80)))
    assert reached_by([first, second], [below, above]) == [0, 1]
    assert reached_by([second, first], [below, above]) == [0, 1]
    assert reached_by([first], [below, above]) == [0, 0]


def test_cards_apart_are_each_of_the_hand_that_was_over_them() -> None:
    left, right = card_at(80, 90), card_at(240, 90)
    first, second = hand(line((319, 90), (230, 90))), hand(line((0, 90), (90, 90)))
    assert reached_by([first, second], [left, right]) == [1, 0]
    assert reached_by([first, second], [card_at(160, 30), right]) == [None, 0]


class Table:
    """A film on which seats lay cards one after the other, before it settles."""

    def __init__(self, *cards: Lying) -> None:
        self.film, self.reader = Film(), KnowingReader()
        self.watcher = TableWatcher(GEOMETRY, self.reader, PACK_24)
        self.show(cards, 8)

    def show(
        self, cards: tuple[Lying, ...], count: int, by: int | None = None, reach: float = 0
    ) -> list[TableEvent]:
        self.reader.cards = cards
        arm = None if by is None else (*AT[by], reach)
        return list(self.watcher.watch(self.film.show(cards, count, hand=arm)))

    def lay_at_once(self, lying: tuple[Lying, ...], laid: tuple[tuple[int, Lying, float], ...]) -> list[str]:
        events: list[TableEvent] = []
        for seat, card, reach in laid:
            events += self.show(lying, 2, seat, reach)
            lying = (*lying, card)
            events += self.show(lying, 1, seat, reach + 40)
        events += self.show(lying, 8)
        return [f"{e.event} {e.card} {e.seat}" for e in events if not e.event.startswith("hand")]


def card(name: str, x: float, y: float, degrees: float = 0) -> Lying:
    return Lying(parse_card(name), x, y, degrees)


@pytest.mark.parametrize("seats", [(1, 3), (3, 1), (2, 4), (4, 2), (1, 2), (4, 3)])
def test_two_cards_dropped_on_a_heap_are_told_in_the_order_of_their_hands(seats: tuple[int, int]) -> None:
    first, second = card("♣V", -14, -4, 75), card("♦10", 16, 8, 12)
    told = Table().lay_at_once((), ((seats[0], first, -10), (seats[1], second, -10)))
    assert told == [f"placed ♣V {seats[0]}", f"placed ♦10 {seats[1]}"]


@pytest.mark.parametrize("seats", [(1, 3), (3, 1), (2, 4), (4, 2)])
def test_two_cards_of_a_trick_are_told_in_the_order_of_their_hands(seats: tuple[int, int]) -> None:
    places = {1: (0, 84), 2: (-84, 0), 3: (0, -84), 4: (84, 0)}
    cards = [card(name, *places[seat]) for name, seat in zip(("♣V", "♦10"), seats, strict=True)]
    told = Table().lay_at_once((), tuple((seat, laid, 60) for seat, laid in zip(seats, cards, strict=True)))
    assert told == [f"placed ♣V {seats[0]}", f"placed ♦10 {seats[1]}"]


def test_a_card_of_which_only_the_index_shows_under_the_one_dropped_after_it_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heap, under, over = card("♠T", -10, 0, 5), card("♣V", 4, 14, 30), card("♦10", 14, 2, 40)

    def of(lying: Lying) -> Reading:
        return Reading(lying.outline, ((lying.card, 0.99),))

    monkeypatch.setattr("vision.look.new_cards", lambda settled, geometry: (over.outline,))
    monkeypatch.setattr(Look, "_by_indices", lambda self: [of(heap), of(over), of(under)])
    table = Table(heap)
    assert table.lay_at_once((heap,), ((1, over, -10),)) == ["placed ♦10 1"]  # nothing lies under it
    table = Table(heap)
    told = table.lay_at_once((heap,), ((2, under, -10), (1, over, -10)))
    assert told == ["placed ♣V 2", "placed ♦10 1"]
    assert [str(known.card) for known in table.watcher.cards] == ["♠T", "♣V", "♦10"]
