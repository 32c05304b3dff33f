"""The table view in every size and language, with long names: no text is clipped or shortened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from appliance.language import LANGUAGES, Language
from appliance.screen.canvas import Canvas
from appliance.screen.model import Banner, Choice, Shown, Tone
from appliance.screen.table import draw_table
from appliance.screen.theme import DARK, LIGHT, Palette, Theme
from appliance.screen.window import SIZES, NoDisplay, Screen
from appliance.session import Session
from engine.record import Content, Header, parse
from engine.referee import Match

LONG = ("Konstantinas", "Marijona", "Žygimantas", "Aleksandrina")
RECORD = """game: dezertyras
players: {names}
dealer: 4
deal
1 announce 9
1 play ♥10
2 play ♣T
3 play ♥V
4 play ♥D
4 play ♦T
1 play ♦10
2 play ♥K
"""


@pytest.fixture(autouse=True)
def fonts() -> Iterator[None]:
    pygame.font.init()
    yield


def moments(language: Language) -> Iterator[Shown]:
    """What a screen shows in the course of some deals."""
    record = parse(RECORD.format(names=", ".join(LONG)))
    session = Session(Match(Header("dezertyras", LONG, 4)), language)
    yield session.shown()
    contents: list[Content] = list(record.contents)
    for content in contents:
        session.push(content)
        yield session.shown()
    last = session.shown()
    yield replace(
        last, choice=Choice(language("Take back the last action?"), (language("No"), language("Yes")))
    )
    yield replace(last, banner=Banner(Tone.GOOD, language("The deal is drawn")), troubles=("camera lost",))
    yield replace(last, choice=Choice("?", tuple("abcdefghijklmnopqrstuvwxy"), 20))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("palette", [DARK, LIGHT])
def test_no_text_is_clipped(size: tuple[int, int], language: str, palette: Palette) -> None:
    surface = pygame.Surface(size)
    for shown in moments(Language(language)):
        canvas = Canvas(surface, Theme(size, palette))
        draw_table(canvas, shown, Language(language))
        assert len(canvas.texts) > 8
        assert not canvas.shortened, canvas.shortened
        for written in canvas.texts:
            assert written.box.inflate(4, 4).contains(written.took), written
            assert surface.get_rect().contains(written.took), written


def test_a_text_that_cannot_fit_is_shortened_and_counted() -> None:
    canvas = Canvas(pygame.Surface((800, 480)), Theme((800, 480)))
    took = canvas.text("Donaudampfschifffahrtsgesellschaft " * 9, pygame.Rect(0, 0, 60, 20), 30, (0, 0, 0))
    assert took.width <= 60
    assert len(canvas.shortened) == 1


def test_the_picture_changes_with_what_is_shown_and_not_otherwise() -> None:
    language = Language("lt")
    screen = Screen((800, 480), language, window=False)
    first, second = list(moments(language))[4:6]
    screen.show(first)
    picture = screen._surface.copy()
    screen.show(first)
    assert pygame.image.tobytes(picture, "RGB") == pygame.image.tobytes(screen._surface, "RGB")
    screen.show(second)
    assert pygame.image.tobytes(picture, "RGB") != pygame.image.tobytes(screen._surface, "RGB")


def test_without_a_display_a_window_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with pytest.raises(NoDisplay, match="there is no display"):
        Screen((800, 480), Language("en"), window=True)
