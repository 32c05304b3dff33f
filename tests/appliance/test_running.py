"""The console at work: what it asks of the running machine, and its pages on the screen of the service."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from appliance.config import Config
from appliance.devices import Devices
from appliance.folders import journal_path, settings_path
from appliance.journal import Journal, JournalError
from appliance.pictures import Pictures, cropped
from appliance.running import Running
from appliance.screen.model import Shown
from appliance.screen.pages import Menu, Page
from appliance.service import Service
from appliance.settings import Settings, load_settings
from engine.actions import Action
from engine.cards import Card, parse_card
from engine.record import DealLine, Header
from engine.referee import Match
from tests.appliance.test_health import Clock, Frames, Health, Watcher
from tests.appliance.test_session import event
from vision.types import Frame, Image, Outline, Reading, TableEvent


class Display:
    """Remembers what was shown; its buttons are pressed by tests."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.pressed: tuple[str, ...] = ()
        self.settings: list[Settings] = []

    def show(self, shown: Page, picture: Image | None = None) -> None:
        self.pages.append(shown)

    def buttons(self) -> tuple[str, ...]:
        pressed, self.pressed = self.pressed, ()
        return pressed

    def adopt(self, settings: Settings) -> None:
        self.settings.append(settings)


class Rig:
    """A running table on frames of nothing; `laid`: the events of each look."""

    def __init__(
        self, config: Config, laid: list[list[TableEvent]] | None = None, devices: Devices | None = None
    ) -> None:
        self.display = Display()
        self.devices = devices or Devices(4)
        source = Frames()
        self.running = Running(config, source, cast(Any, None), self.devices, self.display.adopt)
        self.session = self.running.session(Match(Header("dezertyras", config.players, 4)))
        watcher: Any = Watcher(laid or [])
        watcher.geometry = None
        self.service = Service(
            source, watcher, None, self.display, devices=self.devices, health=Health(Clock()),
            console=self.running.console,
        )  # fmt: skip
        self.running.service = self.service
        self.running.console.play(self.session)

    def press(self, *buttons: str) -> Page:
        self.display.pressed = buttons
        self.service.step()
        return self.display.pages[-1]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def reading(card: str, picture: tuple[int, int] = (50, 40)) -> Reading:
    x, y = picture
    corners = np.array([[x, y], [x + 20, y], [x + 20, y + 30], [x, y + 30]], np.float64)
    return Reading(Outline(corners), ((parse_card(card), 0.9), (parse_card("♠K"), 0.1)))


def seen(card: str, **where: Any) -> TableEvent:
    image = np.arange(100 * 120 * 3, dtype=np.uint32).reshape(100, 120, 3).astype(np.uint8)
    face = cast(Card, parse_card(card))
    return TableEvent(0.5, "placed", face, 0.99, "seat1", 1, reading=reading(card), picture=image)


def test_the_table_and_its_menu_are_on_the_screen_and_the_buttons_are_the_consoles() -> None:
    rig = Rig(Config(language="en"))
    rig.service.troubles = ("the disk is full",)
    shown = rig.press("ok")
    assert isinstance(shown, Shown)
    assert shown.troubles == ("the disk is full",)
    assert [str(content) for content in rig.session.match.record().contents] == ["deal"]
    rig.session.push(Action(1, "announce", rank=parse_card("♥9").rank))  # type: ignore[union-attr]
    menu = rig.press("ok")
    assert isinstance(menu, Menu)
    assert menu.rows[0].label == "Back to the table"
    assert not rig.service.dispute
    rig.press("back", "dispute")
    assert rig.service.dispute
    rig.press("back")
    assert not rig.service.dispute


def test_a_match_left_is_in_the_journal_and_can_be_gone_on_with() -> None:
    rig = Rig(Config(language="en"))
    rig.session.push(DealLine())
    rig.running.console.end_match()
    start = rig.press()
    assert isinstance(start, Menu)
    assert rig.service.session is None
    labels = [row.label for row in start.rows]
    rig.press(*["down"] * labels.index("Go on with the last match"), "ok")
    session = rig.service.session
    assert session is not None
    assert session is not rig.session
    assert [str(content) for content in session.match.record().contents] == ["deal"]
    with Journal.open(journal_path()) as journal:
        assert len(journal.matches()) == 1


def test_a_new_match_of_other_people_is_stored_as_one() -> None:
    rig = Rig(Config(language="en"))
    rig.session.push(DealLine())
    rig.running.console.begin(Header("durnius", ("A", "B"), 2))
    rig.press("ok")
    with Journal.open(journal_path()) as journal:
        assert [stored.header.players for stored in journal.matches()] == [Config().players, ("A", "B")]
    assert load_settings(settings_path()).names[:3] == ("A", "B", "Rasa")
    assert rig.service.watcher is not None


def test_settings_begin_as_the_configuration_has_them_and_are_kept() -> None:
    rig = Rig(Config(language="en", letters="AKQJ"))
    assert (rig.display.settings[-1].language, rig.display.settings[-1].indices) == ("en", "AKQJ")
    rig.running.console.change(Settings(language="lt", look="light"))
    assert rig.display.settings[-1].look == "light"
    assert Rig(Config(language="en")).running.console.settings.look == "light"
    settings_path().write_text("[")
    assert Rig(Config(language="en")).running.console.language.code == "en"


def test_a_line_keeps_the_picture_of_its_card_and_what_else_it_can_have_been() -> None:
    rig = Rig(Config(language="en"), [[seen("♥9")]])
    rig.session.push(DealLine())
    rig.session.push(Action(1, "announce", rank=parse_card("♥9").rank))  # type: ignore[union-attr]
    rig.press()
    assert [str(content) for content in rig.session.match.record().contents][2:] == ["1 play ♥9"]
    number = rig.session.match.record().lines[-1].number
    hooks = rig.running.console.hooks
    picture = hooks.picture(number)
    assert picture is not None
    assert picture.pixels.shape == (40, 30, 3)
    assert hooks.picture(number) is picture
    assert [str(card) for card in hooks.likely(number)] == ["♥9", "♠K"]


def test_of_the_pictures_only_the_last_are_kept() -> None:
    pictures = Pictures(kept=2)
    for line in (1, 2, 3):
        pictures.keep(line, seen("♥9"))
    pictures.keep(4, TableEvent(0.5, "removed"))  # nothing is known of how it was read
    assert [pictures.picture(line) is None for line in (1, 2, 3, 4)] == [True, False, False, True]
    assert pictures.likely(1) == ()
    outside = np.zeros((10, 10, 3), np.uint8)
    assert cropped(outside, reading("♥9")) is None


def test_what_cannot_be_stored_is_tried_again_through_the_console_too() -> None:
    laid = [[event("placed", "♥9", 1), event("placed", "♥T", 2)], [event("placed", "♥K", 3)]]
    rig = Rig(Config(language="en"), laid)
    rig.session.push(DealLine())
    rig.session.push(Action(1, "announce", rank=parse_card("♥9").rank))  # type: ignore[union-attr]
    store, full = rig.session._store, [True]

    def full_disk(content: Any) -> None:
        if full[0]:
            raise JournalError("the disk is full")
        store(content)

    rig.session._store = full_disk
    for _ in range(6):
        rig.press("dispute")
    assert len(rig.session.match.record().lines) == 2
    full[0] = False
    for _ in range(6):
        rig.press()
    lines = [str(content) for content in rig.session.match.record().contents]
    assert lines[2:] == ["1 play ♥9", "2 play ♥T", "3 play ♥K"]


def test_calibration_and_diagnostics_without_a_mat() -> None:
    rig = Rig(Config(language="en", gpio="off", pods="off"))
    assert rig.running.console.hooks.camera() is None
    rig.press()
    assert rig.running.console.hooks.camera() is not None
    found = rig.running.console.hooks.calibrate()
    assert (found.good, found.markers, found.of) == (False, 0, 8)
    checks = rig.running.console.hooks.diagnostics(rig.running.console.language)
    assert "model" not in [check.label for check in checks]
    assert {"camera", "disk", "journal"} <= {check.label for check in checks}


class Slow(Frames):
    """A camera that has a frame at every other look."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[float] = []
        self.read_ = 0

    def ready(self, seconds: float) -> bool:
        self.looks.append(seconds)
        return len(self.looks) % 2 == 0

    def read(self) -> Frame | None:
        self.read_ += 1
        return super().read()


def test_screen_and_buttons_do_not_wait_for_the_camera() -> None:
    rig = Rig(Config(language="en"))
    rig.service.source = source = Slow()
    rig.press("ok")
    before = len(rig.display.pages)
    for _ in range(10):
        menu = rig.press("dispute")
        rig.press("back")
    assert not isinstance(menu, Shown)
    assert len(rig.display.pages) == before + 20
    assert source.read_ == len(source.looks) // 2
    assert max(source.looks) <= 1 / 30
    rig.display.pressed = ("quit",)
    assert not rig.service.step()
