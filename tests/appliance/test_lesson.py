"""Teaching a deck on the console, by its buttons alone, with cards that a simulated camera films."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, cast

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from appliance.config import Config
from appliance.devices import Devices
from appliance.folders import deck_folder, settings_path
from appliance.layout import Layout, Spot
from appliance.running import Running
from appliance.screen.pages import Menu, Page, Teach
from appliance.service import Service
from appliance.settings import Settings, load_settings
from appliance.simulated import Lay, Pick, SimulatedTable, Wait
from appliance.taught import reader_for
from engine.cards import parse_card
from engine.record import Header
from engine.referee import Match
from tests.appliance.test_running import Display
from tests.vision.test_taught import PaintedOver, scene
from vision.deck import Deck, DrawnDeck
from vision.taught import TaughtDeck
from vision.types import TableEvent


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


class Room:
    """A running appliance over a simulated table, at its start."""

    def __init__(self, deck: Deck) -> None:
        self.table = SimulatedTable(scene(deck, 1), Layout(4, random.Random(1)))
        self.display = Display()
        devices = Devices(4)
        self.running = Running(
            Config(language="en"), self.table, reader_for(None), devices, self.display.adopt
        )
        self.events: list[TableEvent] = []
        match = Match(Header("dezertyras", Config().players, 4))
        session = self.running.session(match)
        watcher = self.running.watcher(session, None)
        self.service = Service(
            self.table, watcher, None, self.display, self.events.append, devices=devices,
            console=self.running.console,
        )  # fmt: skip
        self.running.service = self.service
        self.running.console.play(session)
        self.running.console.end_match()
        self.service.step()

    @property
    def page(self) -> Page:
        return self.display.pages[-1]

    @property
    def teach(self) -> Teach:
        assert isinstance(self.page, Teach)
        return self.page

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.display.pressed = (button,)
            self.service.step()

    def choose(self, label: str) -> None:
        page = self.page
        assert isinstance(page, Menu)
        at = [row.label for row in page.rows].index(label)
        self.press(*["down"] * ((at - page.chosen) % len(page.rows)), "ok")

    def happens(self, *what: Any) -> None:
        for each in (*what, Wait(0.8)):
            self.table.perform(each)
        while self.table.busy:
            self.service.step()

    def lay(self, text: str, up: bool = True) -> None:
        card = parse_card(text)
        self.happens(Lay(1, ((card, Spot(10.0, -20.0, 25.0, up)),)))

    def take(self, text: str, up: bool = True) -> None:
        self.happens(Pick(1, (parse_card(text),), up))


def test_a_deck_is_taught_corrected_kept_and_used_by_buttons_alone() -> None:
    room = Room(DrawnDeck())
    room.choose("Teach a deck")
    room.choose("56 cards")
    assert room.teach.text == "Lay the next card alone under the camera."
    for text in ("♥T", "♠9"):  # the proposal is right
        room.happens(Wait(0.8))
        room.lay(text)
        assert room.teach.text == f"Is this {text}?"
        assert (room.teach.card, room.teach.picture is not None) == (parse_card(text), True)
        room.press("ok")
        assert parse_card(text) in room.teach.taught
        room.take(text)
    room.lay("♦K", up=False)
    assert room.teach.text == "It seems to lie face down: turn it over."
    room.take("♦K", up=False)
    room.lay("♦K")
    room.press("back")  # skipped
    assert (room.teach.card, len(room.teach.taught)) == (None, 2)
    room.take("♦K")
    room.lay("♦10")
    room.press("down", "ok")  # named wrongly: the next that is missing
    assert room.teach.taught == frozenset(map(parse_card, ("♥T", "♠9", "♦9")))
    room.press("dispute")
    assert (room.teach.text, len(room.teach.taught)) == ("Forgotten: ♦9", 2)
    room.take("♦10")
    room.lay("♥T")  # once more
    assert room.teach.text == "It looks like ♥T, which is known: take it away."
    room.press("ok")
    assert (room.teach.card, len(room.teach.taught)) == (None, 2)
    room.take("♥T")
    room.lay("IMP")
    for _ in range(60):
        if room.teach.card == parse_card("IMP"):
            break
        room.press("down")
    assert room.teach.text in ("Is this Imperatorius?", "Which card is this? Perhaps Imperatorius?")
    room.press("ok")
    room.take("IMP")
    room.press("ok")
    assert isinstance(room.page, Menu) and room.page.text.startswith("still missing: ♠T ♠K")
    room.choose("Keep it and play with it")
    (path,) = deck_folder().iterdir()
    assert set(TaughtDeck.load(path).cards) == set(map(parse_card, ("♥T", "♠9", "IMP")))
    assert isinstance(room.page, Menu) and f"kept as {path.stem}" in room.page.text
    assert load_settings(settings_path()).deck == path.stem
    room.press("ok")
    assert isinstance(room.page, Menu) and room.page.title == "Kortstalis"
    assert room.service.onlooker is None
    room.choose("Settings")  # and there one can go back to reading any deck
    page = room.page
    assert isinstance(page, Menu)
    assert (page.rows[0].label, page.rows[0].value) == ("Deck", path.stem)
    room.press("ok")
    assert load_settings(settings_path()).deck == ""


def test_a_deck_without_letters_is_read_after_its_lesson_and_after_a_restart() -> None:
    room = Room(PaintedOver(DrawnDeck()))
    room.choose("Teach a deck")
    room.choose("24 cards")
    room.happens(Wait(0.8))
    for text in ("♠T", "♠K", "♠D", "♥V"):
        room.lay(text)
        for _ in range(24):
            if room.teach.card == parse_card(text):
                break
            room.press("down")
        assert room.teach.card == parse_card(text)
        room.press("ok")
        room.take(text)
    room.press("ok")
    room.choose("Keep it and play with it")
    after = Room(PaintedOver(DrawnDeck()))
    for each in (room, after):
        each.running.console.begin(Header("dezertyras", ("Rasa", "Jonas", "Ona", "Petras"), 4))
        each.happens(Wait(0.8))
        each.events.clear()
        each.lay("♥V")
        assert [(event.event, event.card) for event in each.events if event.event == "placed"] == [
            ("placed", parse_card("♥V"))
        ]


def test_a_lesson_that_is_left_or_thrown_away_leaves_nothing() -> None:
    room = Room(DrawnDeck())
    room.choose("Teach a deck")
    room.choose("24 cards")
    room.press("back")  # nothing was taught: nothing is asked
    assert room.service.onlooker is None
    room.choose("Teach a deck")
    room.choose("24 cards")
    room.happens(Wait(0.8))
    room.lay("♥T")
    room.press("ok", "back")
    room.choose("Go on teaching")
    assert room.teach.taught == {parse_card("♥T")}
    room.press("back")
    room.choose("Throw it away")
    assert isinstance(room.page, Menu) and room.page.title == "Kortstalis"
    assert not deck_folder().exists() and room.service.onlooker is None


def test_what_cannot_be_kept_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    room = Room(DrawnDeck())
    room.choose("Teach a deck")
    room.choose("24 cards")
    room.happens(Wait(0.8))
    room.lay("♥T")
    room.press("ok", "ok")
    deck_folder().parent.mkdir(parents=True, exist_ok=True)
    deck_folder().write_text("in the way")
    room.choose("Keep it and play with it")
    assert isinstance(room.page, Menu) and room.page.text.startswith("It could not be kept: ")
    room.press("ok")
    assert room.teach.taught == {parse_card("♥T")}


def test_a_deck_that_is_gone_is_told_and_cards_are_read_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    usual = reader_for(None)
    running = Running(Config(), cast(Any, None), usual, Devices(4), lambda settings: None)
    running.console.change(Settings(deck="2020-01-01 10.00"))
    assert running._reader is usual
    assert "2020-01-01 10.00.deck" in capsys.readouterr().err
