"""Fingers and the mouse do what the five buttons do, on every view, however the screen is turned."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from appliance.console import Console
from appliance.language import Language
from appliance.screen import pages
from appliance.screen.canvas import Canvas
from appliance.screen.draw import draw
from appliance.screen.gallery import walk
from appliance.screen.model import NO_HINTS, Banner, Choice, Shown, Tone
from appliance.screen.pages import Page, Touch, asks_the_same
from appliance.screen.theme import Theme
from appliance.screen.window import SIZES, Screen, unturned
from appliance.service import Service
from appliance.settings import Settings
from engine.cards import parse_card
from tests.appliance.test_console import OPENING, Bench

WALK = dict(walk("en"))
SIZE = (800, 480)


@pytest.fixture
def screen() -> Iterator[Screen]:
    """A screen whose window is a picture; its events are real ones."""
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    pygame.event.clear()
    made = Screen(SIZE, Language("en"), window=False)
    made._window = True
    yield made
    pygame.display.quit()


def drawn(page: Page, size: tuple[int, int] = SIZE) -> Canvas:
    pygame.font.init()
    canvas = Canvas(pygame.Surface(size), Theme(size))
    draw(canvas, page, Language("en"))
    return canvas


def place(canvas: Canvas, *buttons: str) -> tuple[int, int]:
    """Where one does the same as with these buttons."""
    return next(box.center for box, does in canvas.targets if does == buttons)


def finger(at: tuple[int, int]) -> None:
    x, y = (at[0] + 0.5) / SIZE[0], (at[1] + 0.5) / SIZE[1]
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, x=x, y=y, touch_id=1, finger_id=0))


def mouse(at: tuple[int, int], button: int = 1, touch: bool = False) -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=button, touch=touch))


@pytest.mark.parametrize("size", [*SIZES, *(size[::-1] for size in SIZES)], ids=str)
@pytest.mark.parametrize("name", WALK)
def test_every_button_that_does_something_is_on_the_screen_and_large_enough(
    name: str, size: tuple[int, int]
) -> None:
    page = WALK[name]
    canvas = drawn(page, size)
    wanted = page.hints
    assert wanted != NO_HINTS, name
    single = {does[0] for _, does in canvas.targets if len(does) == 1}
    for button, words in (
        ("up", wanted.up_down), ("down", wanted.up_down), ("ok", wanted.ok), ("back", wanted.back),
        ("dispute", wanted.dispute),
    ):  # fmt: skip
        assert not words or button in single, (name, button)
    whole = canvas.surface.get_rect()
    for box, does in canvas.targets:
        assert whole.contains(box) and set(does) <= {"up", "down", "ok", "back", "dispute"}
        if not isinstance(page, pages.Teach):  # there whole packs are small, and nothing but a mark moves
            assert min(box.size) >= 0.045 * min(size), (name, does, box)
        assert canvas.touched(box.center) == does, (name, "lies under another", does)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("with_finger", [True, False])
def test_a_turned_screen_is_touched_where_things_are_seen(
    screen: Screen, rotation: int, with_finger: bool
) -> None:
    screen.adopt(Settings(language="en", rotation=rotation))
    page = WALK["settings"]
    screen.show(page)
    size = SIZE if rotation % 180 == 0 else SIZE[::-1]
    canvas = drawn(page, size)
    for box, does in canvas.targets:
        # The page is turned as the screen turns it: the touched pixel is where the marked one comes out.
        marked = pygame.Surface(size)
        marked.set_at(box.center, (255, 255, 255))
        mask = pygame.mask.from_threshold(
            pygame.transform.rotate(marked, -rotation), (255, 255, 255), (9, 9, 9)
        )
        at = mask.centroid()
        assert unturned(at, SIZE, rotation) == box.center
        (finger if with_finger else mouse)(at)
        assert screen.buttons() == (Touch(page, does),)


def test_what_is_not_a_touch_of_something_is_nothing(screen: Screen) -> None:
    mouse((400, 240))
    assert screen.buttons() == ()  # nothing is drawn yet
    page = WALK["start"]
    screen.show(page)
    at = place(drawn(page), "ok")
    mouse(at, button=3)
    mouse(at, touch=True)  # what SDL makes of a finger besides
    mouse((1, 1))
    assert screen.buttons() == ()
    finger(at)
    finger(place(drawn(page), "down"))  # before the first has led anywhere
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_d))
    assert screen.buttons() == (Touch(page, ("ok",)), "dispute")


class Still:
    """A source that is never asked, and a watcher of it."""

    states: frozenset[str] = frozenset()


class Finger:
    """A screen that is touched by the test."""

    def __init__(self) -> None:
        self.pressed: tuple[str | Touch, ...] = ()
        self.shown: Page | None = None

    def show(self, shown: Page, picture: Any = None) -> None:
        self.shown = shown

    def buttons(self) -> tuple[str | Touch, ...]:
        pressed, self.pressed = self.pressed, ()
        return pressed

    def touch(self, page: Page, *buttons: str) -> None:
        canvas = drawn(page)
        does = canvas.touched(place(canvas, *buttons))
        self.pressed = (Touch(page, does),)


def service(console: Console) -> tuple[Service, Finger]:
    display = Finger()
    still = cast(Any, Still())
    made = Service(still, still, None, display, console=console)
    made.draw()
    return made, display


def test_a_match_is_chosen_and_begun_with_a_finger_alone() -> None:
    bench = Bench()
    running, display = service(bench.console)
    for words in ("Play", "Dezertyras", "Rasa", "Jonas", "Ona", "Petras", "Deal the cards"):
        page = display.shown
        assert isinstance(page, pages.Menu)
        canvas = drawn(page)
        label = next(written.took for written in canvas.texts if written.text == words)
        does = canvas.touched(label.center)
        display.pressed = (Touch(page, does),)
        running.draw()
    assert bench.console.playing().match.header.players == ("Rasa", "Jonas", "Ona", "Petras")


def test_the_table_has_undo_dispute_and_menu_under_the_finger() -> None:
    bench = Bench().at_table(*OPENING)
    running, display = service(bench.console)
    for button, title in (("dispute", pages.Dispute), ("ok", pages.Menu)):
        assert isinstance(display.shown, Shown)
        display.touch(display.shown, button)
        running.draw()
        assert isinstance(display.shown, title)
        display.touch(display.shown, "back")
        running.draw()
    assert isinstance(display.shown, Shown)
    display.touch(display.shown, "back")
    running.draw()
    assert display.shown.choice is not None and display.shown.choice.answers == ("No", "Yes")
    display.touch(display.shown, "down", "ok")
    running.draw()
    assert bench.record[-1] == "takeback"


def test_a_finger_put_on_a_question_that_is_gone_does_nothing() -> None:
    bench = Bench().at_table(*OPENING)
    bench.press("b")  # take back the last action?
    running, display = service(bench.console)
    page = display.shown
    assert page is not None
    display.touch(page, "down", "ok")
    bench.press("b")  # meanwhile it was answered
    before = bench.record
    running.draw()
    assert bench.record == before and bench.console.playing().choice is None


def test_a_new_picture_of_the_camera_is_no_new_question() -> None:
    asked = WALK["which-card"]
    assert isinstance(asked, pages.AskCard)
    other = pages.AskCard(asked.title, asked.cards, asked.nothing, asked.chosen, None, asked.hints)
    assert asks_the_same(asked, other)
    another = pages.AskCard(asked.title, (parse_card("♠T"),), asked.nothing, 0, None, asked.hints)
    assert not asks_the_same(asked, another) and not asks_the_same(asked, WALK["start"])
    table = WALK["table"]
    assert isinstance(table, Shown)
    assert asks_the_same(table, replace(table, troubles=("a pod is lost",)))
    assert not asks_the_same(table, replace(table, choice=Choice("?", ("No", "Yes"))))
    assert not asks_the_same(table, replace(table, banner=Banner(Tone.GOOD, "!")))


def test_a_card_of_the_lesson_is_pointed_at() -> None:
    page = WALK["teach"]
    assert isinstance(page, pages.Teach)
    canvas = drawn(page)
    shown = canvas.things[-len(page.cards) :]
    assert page.card is not None
    for card, (place, _) in zip(page.cards, shown, strict=True):
        does = canvas.touched(place.center)
        at = page.choices.index(page.card) + does.count("down") - does.count("up")
        assert page.choices[at % len(page.choices)] == card
        assert set(does) <= {"up", "down"}  # OK is another touch: that nothing is taught by a slip
