"""What keeps the table from being read is told, on rendered tables; it is never a play, nor a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from engine.cards import PACK_52, parse_card
from tests.vision.rendered import RenderedTable
from vision.cloth import TableTop
from vision.disturb import _glasses, _phone
from vision.reader import Reader
from vision.scene import LaidCard, Look
from vision.states import ENDS, TableStates
from vision.types import Image, Outline, Reading

ACE, JACK = LaidCard(parse_card("♥T"), 0, 90, 5), LaidCard(parse_card("♠V"), -90, 0, 95)
TABLES: tuple[TableTop, ...] = ("felt", "wood")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def told(events: list[Any]) -> list[str]:
    """All but hands."""
    return [f"{e.event} {e.card or ''}".strip() for e in events if not e.event.startswith("hand")]


def phone(lit: bool) -> Callable[[Image], Image]:
    def seen(image: Image) -> Image:
        drawn = image.copy()
        _phone(drawn, (1080, 150), 5, 1.0, lit)
        return drawn

    return seen


def glasses(image: Image) -> Image:
    drawn = image.copy()
    _glasses(drawn, (180, 130), 1.0)
    return drawn


def shining(at: tuple[float, float], part: float) -> Callable[[Image], Image]:
    """A lamp's reflection, `part` of a card."""

    def seen(image: Image) -> Image:
        mask = np.zeros(image.shape[:2], np.float32)
        size = (round(62 * part**0.5), round(88 * part**0.5 / 1.7))
        cv2.ellipse(mask, (round(at[0]), round(at[1])), size, 20, 0, 360, (1.0,), -1)
        soft = cv2.GaussianBlur(mask, (0, 0), 4)
        return np.clip(image + soft[..., None] * 260.0, 0, 255).astype(np.uint8)

    return seen


@pytest.mark.parametrize("table", TABLES)
def test_a_phone_is_an_object_dark_or_lit_and_no_card_is_asked_about(table: TableTop, reader: Reader) -> None:
    scene = RenderedTable(Look(table=table, seed=3), reader=reader)
    assert told(scene.lay(ACE)) == ["placed ♥T"]
    assert told(scene.show(10, through=phone(False))) == ["object"]
    assert scene.watcher.states == {"object"}
    for lit in (True, False, True):
        assert told(scene.show(10, through=phone(lit))) == []
    assert told(scene.lay(ACE, JACK, through=phone(True))) == ["placed ♠V"]
    assert told(scene.show(10)) == ["object_gone"]
    assert scene.watcher.states == frozenset()
    assert scene.names() == ["♠V", "♥T"]


@pytest.mark.parametrize("table", TABLES)
def test_glasses_are_an_object_and_play_goes_on_beside_them(table: TableTop, reader: Reader) -> None:
    scene = RenderedTable(Look(table=table, seed=5), reader=reader)
    scene.lay(ACE)
    assert told(scene.show(10, through=glasses)) == ["object"]
    assert told(scene.lay(ACE, JACK, through=glasses)) == ["placed ♠V"]
    assert told(scene.lay(JACK, through=glasses)) == ["removed ♥T"]
    assert told(scene.show(10)) == ["object_gone"]


@pytest.mark.parametrize("table", TABLES)
def test_glare_on_a_card_is_told_and_ends_and_is_no_play(table: TableTop, reader: Reader) -> None:
    scene = RenderedTable(Look(table=table, seed=3), reader=reader)
    scene.lay(ACE)
    x, y = scene.camera.to_picture([(ACE.x + 5, ACE.y - 5)])[0].tolist()
    events = told(scene.show(12, through=shining((x, y), 0.15)))
    assert events == ["glare"]
    assert scene.watcher.states == {"glare"}
    assert told(scene.show(12)) == ["glare_gone"]
    assert scene.names() == ["♥T"]
    beside = told(scene.show(12, through=shining((1000, 250), 0.15)))
    assert beside in ([], ["object"])  # no card, and nothing to be asked about
    assert scene.names() == ["♥T"]


@pytest.mark.parametrize("table", TABLES)
def test_a_card_half_out_of_the_picture_is_told_and_read_once_it_is_pushed_in(
    table: TableTop, reader: Reader
) -> None:
    scene = RenderedTable(Look(table=table, seed=3), reader=reader)
    scene.lay(ACE)
    out, into = (LaidCard(parse_card("♦9"), 150, y, 0) for y in (262, 190))
    assert told(scene.lay(ACE, out) + scene.show(10)) == ["card_outside"]
    assert told(scene.lay(ACE, into) + scene.show(6)) in (
        ["placed ♦9", "card_inside"], ["card_inside", "placed ♦9"],
    )  # fmt: skip
    assert scene.watcher.states == frozenset()


def test_too_dark_is_a_state_that_ends(reader: Reader) -> None:
    scene = RenderedTable(reader=reader)
    scene.lay(ACE)
    assert told(scene.show(3, brightness=0.06)) == ["too_dark"]
    assert scene.watcher.states == {"too_dark"}
    assert told(scene.show(10)) == ["light_back"]
    assert scene.watcher.states == frozenset()


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_over_quiet_tricks_nothing_is_out_of_the_ordinary(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = RenderedTable(Look.random(rng))
    cards = [PACK_52[n] for n in rng.permutation(52)[:9].tolist()]
    events: list[str] = []
    for first in range(0, 9, 3):
        trick: tuple[LaidCard, ...] = ()
        for card, (x, y) in zip(cards[first : first + 3], [(0, 84), (-84, 0), (0, -84)], strict=True):
            trick = (*trick, LaidCard(card, x, y, float(rng.normal(0, 8))))
            events += told(scene.lay(*trick))
        events += told(scene.lay())
    assert {event.split()[0] for event in events} == {"placed", "removed"}
    assert scene.watcher.states == frozenset()


def card_at(x: float, y: float) -> Outline:
    return Outline(np.array([[x, y], [x + 88, y], [x + 88, y + 123], [x, y + 123]], np.float32))


def test_an_over_exposed_card_has_no_glare_and_a_covered_spot_of_light_does() -> None:
    picture = np.full((720, 1280, 3), 60, np.uint8)
    picture[100:223, 100:188] = 255
    assert TableStates().still(0.0, picture, [card_at(100, 100)], False) == []
    picture[100:223, 100:188] = 200
    picture[120:160, 110:150] = 255
    (event,) = TableStates().still(0.0, picture, [card_at(100, 100)], False)
    assert event.event == "glare"


@pytest.mark.parametrize(("x", "out"), [(1190.0, False), (1194.0, False), (1220.0, True), (-40.0, True)])
def test_a_card_over_the_border_by_more_than_a_rim_is_outside(x: float, out: bool) -> None:
    picture = np.full((720, 1280, 3), 60, np.uint8)
    states = TableStates()
    assert [e.event for e in states.still(0.0, picture, [card_at(x, 300)], False)] == ["card_outside"] * out
    assert [e.event for e in states.still(1.0, picture, [], False)] == [ENDS["card_outside"]] * out


@pytest.mark.parametrize(("colour", "wide", "no_card"), [(40, 210, True), (230, 180, False), (40, 90, False)])
def test_a_card_shape_within_something_larger_is_no_card_unless_that_is_paper(
    colour: int, wide: int, no_card: bool
) -> None:
    """A phone holds two outlines of cards; so do two white cards side by side that cannot be read."""
    picture = np.full((720, 1280, 3), (60, 110, 50), np.uint8)
    picture[600:700, 200:300] = 235  # something white elsewhere
    picture[100:223, 100 : 100 + wide] = colour
    changed = np.zeros((180, 320), np.uint8)
    changed[25:56, 25 : 25 + wide // 4] = 255
    reading = Reading(card_at(100, 100), (), "unread")
    assert TableStates().no_card(reading, picture, changed) is no_card
    assert not TableStates().no_card(Reading(card_at(100, 100), (), "down"), picture, changed)
