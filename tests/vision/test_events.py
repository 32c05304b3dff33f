from __future__ import annotations

import numpy as np
import pytest

from engine.cards import IMP, PACK_24, VIZ, parse_card
from tests.vision.tabletop import GEOMETRY, Film, KnowingReader, Lying
from vision.events import TableWatcher
from vision.geometry import TableGeometry
from vision.landed import new_cards
from vision.possible import given_possible
from vision.settle import Settled
from vision.types import Face, Joker, Outline, Reading, TableEvent

AT = {1: (0, 1), 2: (-1, 0), 3: (0, -1), 4: (1, 0)}


class Table:
    """A film, the reader that knows its cards, and the watcher of both."""

    def __init__(self, geometry: TableGeometry | None = GEOMETRY) -> None:
        self.film, self.reader = Film(), KnowingReader()
        self.watcher = TableWatcher(geometry, self.reader, PACK_24)
        self.cards: tuple[Lying, ...] = ()
        self.show(count=6)

    def show(
        self, count: int = 1, hand: tuple[float, float, float] | None = None,
        light: float = 1.0, shift: tuple[float, float] = (0, 0),
    ) -> list[TableEvent]:  # fmt: skip
        self.reader.cards = self.cards
        return list(self.watcher.watch(self.film.show(self.cards, count, light, hand, shift)))

    def change(self, *cards: Lying, seat: int = 1) -> list[TableEvent]:
        """A hand comes in, the cards are these when it leaves; what was told but hands."""
        dx, dy = AT[seat]
        events = self.show(3, hand=(dx, dy, 40))
        self.cards = cards
        events += self.show(1, hand=(dx, dy, 150)) + self.show(8)
        assert [e.event for e in events if e.event.startswith("hand")] == ["hand_in", "hand_out"]
        return [e for e in events if not e.event.startswith("hand")]


def told(events: list[TableEvent]) -> list[tuple[str, str, int | None]]:
    return [(e.event, str(e.card), e.seat) for e in events]


def card(name: str, x: float, y: float, degrees: float = 0, up: bool = True) -> Lying:
    return Lying(parse_card(name), x, y, degrees, up)


def test_a_trick_is_laid_and_swept() -> None:
    table = Table()
    trick = [card("♥T", 0, 70, 4), card("♥9", -70, 0, 95), card("♦K", 0, -70, 183), card("♥D", 70, 0, 268)]
    for n, laid in enumerate(trick):
        (event,) = table.change(*trick[: n + 1], seat=n + 1)
        assert (event.event, event.card, event.seat, event.area) == (
            "placed", laid.card, n + 1, f"seat{n + 1}",
        )  # fmt: skip
        assert event.confidence > 0.98 and event.reading is not None and event.picture is not None
    assert sorted(told(table.change(seat=3))) == sorted(("removed", str(c.card), 3) for c in trick)
    assert table.watcher.cards == ()


def test_the_hand_tells_who_before_the_area_does() -> None:
    assert told(Table().change(card("♠9", 0, 60), seat=4)) == [("placed", "♠9", 4)]


def test_without_a_hand_the_area_tells_who() -> None:
    table = Table()
    table.cards = (card("♠9", -90, 0),)
    assert told(table.show(8)) == [("placed", "♠9", 2)]


def test_a_card_slid_is_no_play() -> None:
    table = Table()
    table.change(card("♥T", 0, 70), card("♠9", 90, 0))
    assert told(table.change(card("♥T", 15, 60, 20), card("♠9", 90, 0))) == [("moved", "♥T", 1)]
    assert told(table.change(card("♥T", -120, -40, 20), card("♠9", 90, 0))) == [("moved", "♥T", 1)]
    assert {str(known.card) for known in table.watcher.cards} == {"♥T", "♠9"}


def test_a_card_partly_covered_stays_known_and_is_removed_when_it_goes() -> None:
    table = Table()
    under, over = card("♦10", 0, 0, 10), card("♣V", 25, 15, 50)
    table.change(under)
    assert told(table.change(under, over)) == [("placed", "♣V", 1)]
    assert [str(known.card) for known in table.watcher.cards] == ["♦10", "♣V"]
    assert told(table.change(under)) == [("removed", "♣V", 1)]
    assert told(table.change()) == [("removed", "♦10", 1)]


def test_two_cards_within_one_settling() -> None:
    events = Table().change(card("♦10", -15, 0, 80), card("♣V", 25, 5, 10), seat=2)
    assert told(events) == [("placed", "♦10", 2), ("placed", "♣V", 2)]


def test_a_card_whose_outline_is_found_twice_is_placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def found_twice(settled: Settled, geometry: TableGeometry) -> tuple[Outline, ...]:
        found = new_cards(settled, geometry)
        beside = [Outline(outline.corners + np.float32(1.2), 0.6) for outline in found]
        return tuple(outline for pair in zip(beside, found, strict=True) for outline in pair)

    monkeypatch.setattr("vision.look.new_cards", found_twice)
    table = Table()
    (event,) = table.change(card("♠T", 0, -70, 8), seat=3)
    assert (event.event, str(event.card), event.confidence > 0.98) == ("placed", "♠T", True)
    assert event.reading is not None and event.reading.outline.visible > 0.6
    assert len(table.watcher.cards) == 1


def test_a_card_turned_up_is_revealed() -> None:
    table = Table()
    assert told(table.change(card("♦10", 0, 0, up=False))) == [("placed", "None", 1)]
    assert told(table.change(card("♦10", 1, 1, 2))) == [("revealed", "♦10", 1)]
    assert len(table.watcher.cards) == 1


def test_the_camera_moves_and_the_cards_stay() -> None:
    table = Table()
    table.change(card("♥T", 0, 70), card("♠9", 90, 0))
    events = [e.event for e in table.show(8, shift=(7, -5)) if not e.event.startswith("hand")]
    assert events == ["moved_camera"]
    assert table.watcher.geometry is not None
    moved = table.watcher.geometry.to_picture(np.array([[0.0, 0.0]]))
    assert moved == pytest.approx(GEOMETRY.to_picture(np.array([[0.0, 0.0]])) + np.array([7, -5]), abs=0.7)
    assert {str(known.card) for known in table.watcher.cards} == {"♥T", "♠9"}


def test_lights_off_and_on_change_no_card() -> None:
    table = Table()
    table.change(card("♥T", 0, 70))
    assert [e.event for e in table.show(5, light=0.1) + table.show(8)] == ["too_dark", "light_back"]


def test_cards_lying_at_the_start_are_told() -> None:
    film, reader = Film(), KnowingReader()
    reader.cards = (card("♥T", 0, 70),)
    watcher = TableWatcher(GEOMETRY, reader, PACK_24)
    assert told(list(watcher.watch(film.show(reader.cards, count=8)))) == [("placed", "♥T", 1)]


def test_the_first_card_gives_the_scale_where_none_is_known() -> None:
    table = Table(None)
    table.change(card("♥T", 0, 70))
    assert table.watcher.geometry is not None
    assert table.watcher.geometry.card_size_px == pytest.approx((50.4, 70.4), abs=1)
    assert told(table.change(card("♥T", 0, 70), card("♠9", -90, 0), seat=2)) == [("placed", "♠9", 2)]


def test_pictures_of_their_own() -> None:
    film, reader = Film(), KnowingReader()
    watcher = TableWatcher(None, reader, unrelated=True)
    reader.cards = (card("♥D", -15, 0, 80), card("♥K", 25, 5, 10))
    assert told(list(watcher.watch(film.show(reader.cards)))) == [
        ("placed", "♥D", None), ("placed", "♥K", None),
    ]  # fmt: skip
    reader.cards = (card("♥K", 25, 5, 10), card("♠9", -60, 0))
    assert told(list(watcher.watch(film.show(reader.cards)))) == [
        ("removed", "♥D", None), ("placed", "♠9", None),
    ]  # fmt: skip


def test_a_correction_of_the_people_stands() -> None:
    table = Table()
    (event,) = table.change(card("♥T", 0, 70))
    assert event.reading is not None
    table.watcher.correct(event.reading, parse_card("♦T"))
    assert [(str(k.card), k.confidence) for k in table.watcher.cards] == [("♦T", 1.0)]


def reading(*scores: tuple[Face, float]) -> Reading:
    return Reading(Outline(np.zeros((4, 2), np.float32)), scores)


def test_a_card_known_elsewhere_gives_way_to_the_second_likeliest() -> None:
    hearts, diamonds = parse_card("♥T"), parse_card("♦T")
    doubt = reading((hearts, 0.6), (diamonds, 0.39))
    assert given_possible(doubt, PACK_24, [])[0] == hearts
    best, confidence = given_possible(doubt, PACK_24, [(hearts, 0.99)])
    assert best == diamonds and confidence == pytest.approx(0.97, abs=0.02)


def test_a_sure_reading_of_a_card_known_elsewhere_becomes_doubtful() -> None:
    ace = parse_card("♥T")
    assert given_possible(reading((ace, 0.99)), PACK_24, [(ace, 0.99)])[1] < 0.8


def test_a_card_outside_the_pack_is_not_named() -> None:
    best, confidence = given_possible(reading((parse_card("♥2"), 0.99)), PACK_24, [])
    assert best in PACK_24
    assert confidence < 0.05


def test_three_viziriai_may_lie_on_the_table() -> None:
    pack = (*PACK_24, IMP, VIZ, VIZ, VIZ)
    assert given_possible(reading((VIZ, 0.97)), pack, [(VIZ, 1.0), (VIZ, 1.0)])[1] > 0.95
    assert given_possible(reading((VIZ, 0.97)), pack, [(VIZ, 1.0)] * 3)[1] < 0.8
    assert given_possible(reading((Joker.JOKER, 0.97)), PACK_24, [])[0] != Joker.JOKER
