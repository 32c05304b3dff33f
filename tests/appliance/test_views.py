"""Every view in every size, both languages and upright too, with the longest names: nothing is clipped,
nothing lies on anything else, and all of it is large enough to be read from two metres."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from appliance.language import LANGUAGES, Language
from appliance.screen.canvas import Canvas
from appliance.screen.draw import draw
from appliance.screen.gallery import LONG_NAMES, NAMES, walk
from appliance.screen.model import Shown
from appliance.screen.pages import Page
from appliance.screen.theme import DARK, LIGHT, Theme
from appliance.screen.window import SIZES, Screen
from appliance.settings import Settings

ALL_SIZES = [*SIZES, *(size[::-1] for size in SIZES)]
SMALLEST = 0.0165
"""The height of the smallest letters, as a part of the shorter side of the screen."""


@pytest.fixture(autouse=True)
def fonts() -> Iterator[None]:
    pygame.font.init()
    yield


_PAGES: dict[tuple[str, bool], list[tuple[str, Page]]] = {}


def pages(language: str, long: bool) -> list[tuple[str, Page]]:
    if (language, long) not in _PAGES:
        _PAGES[language, long] = list(walk(language, LONG_NAMES if long else NAMES))
    return _PAGES[language, long]


@pytest.mark.parametrize("size", ALL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_clipped_or_lies_on_another(size: tuple[int, int], language: str) -> None:
    surface = pygame.Surface(size)
    theme = Theme(size, LIGHT if size[0] < 1000 else DARK)
    whole = surface.get_rect()
    for name, page in pages(language, long=True):
        canvas = Canvas(surface, theme, "AKQJ", four_colours=True)
        draw(canvas, page, Language(language))
        assert canvas.texts, name
        assert not canvas.shortened, (name, canvas.shortened)
        for written in canvas.texts:
            assert written.box.inflate(4, 4).contains(written.took), (name, written)
            assert whole.contains(written.took), (name, written)
            assert written.pixels >= SMALLEST * min(size), (name, written)
        for one, other in itertools.combinations(canvas.texts, 2):
            if one.layer == other.layer:
                boxes = one.took.inflate(-2, -6), other.took.inflate(-2, -6)
                assert not boxes[0].colliderect(boxes[1]), (name, one, other)
        for written in canvas.texts:
            for thing, layer in canvas.things:
                if layer == written.layer:
                    assert not thing.colliderect(written.took.inflate(-2, -6)), (name, written, thing)
        for thing, _ in canvas.things:
            assert whole.contains(thing), (name, thing)


def test_there_is_a_view_of_everything() -> None:
    shown = dict(pages("lt", long=False))
    kinds = {type(page).__name__ for page in shown.values()}
    assert kinds == {
        "Shown", "Menu", "Spelling", "Verdict", "AskCard", "Dispute", "HandCheck", "DealResult",
        "MatchResult", "Calibration", "Teach", "RulePage", "About",
    }  # fmt: skip
    assert len({name for name in shown if name.startswith("game-")}) == 20
    for page in shown.values():
        if isinstance(page, Shown):
            assert page.hints.ok == ("meniu" if page.choice is None else "rinktis")
            assert (page.hints.back, page.hints.dispute) == ("atšaukti", "ginčas")


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_screen_shows_the_same_turned(rotation: int) -> None:
    page = dict(pages("en", long=False))["settings"]
    screen = Screen((800, 480), Language("en"), window=False)
    screen.adopt(Settings(language="en", rotation=rotation))
    screen.show(page)
    upright = pygame.Surface((800, 480) if rotation % 180 == 0 else (480, 800))
    draw(Canvas(upright, Theme(upright.get_size())), page, Language("en"))
    turned = pygame.transform.rotate(screen._surface, rotation)
    assert turned.get_size() == upright.get_size()
    assert pygame.image.tobytes(turned, "RGB") == pygame.image.tobytes(upright, "RGB")


def test_suits_have_two_colours_or_four() -> None:
    page = dict(pages("en", long=False))["which-card"]
    pictures = []
    for suits in ("two", "four"):
        screen = Screen((800, 480), Language("en"), window=False)
        screen.adopt(Settings(language="en", suits=suits))  # type: ignore[arg-type]
        screen.show(page)
        pictures.append(pygame.image.tobytes(screen._surface, "RGB"))
    assert pictures[0] != pictures[1]
