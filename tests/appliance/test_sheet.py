"""The score kept by hand: through the buttons, on the disk before it is on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.console import Console, Hooks
from appliance.failure import Failure
from appliance.screen.pages import Menu
from appliance.session import Session
from appliance.settings import Settings
from appliance.sheet import Sheet, load_sheet, save_sheet
from engine.record import Header


class Pad:
    """A console with a sheet in a file, walked through by the labels on its screen."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.full = False
        hooks = Hooks(begin, sheet=lambda: load_sheet(path), keep_sheet=self.keep)
        self.console = Console(hooks, Settings(language="en", names=("Rasa", "Jonas")))

    def keep(self, sheet: Sheet) -> None:
        if self.full:
            raise Failure("the disk is full")
        save_sheet(self.path, sheet)

    @property
    def page(self) -> Menu:
        page = self.console.page()
        assert isinstance(page, Menu)
        return page

    @property
    def rows(self) -> list[tuple[str, str]]:
        return [(row.label, row.value) for row in self.page.rows]

    def choose(self, *labels: str) -> None:
        for label in labels:
            at = [name for name, _ in self.rows].index(label)
            for _ in range((at - self.page.chosen) % len(self.rows)):
                self.console.press("down")
            self.console.press("ok")


def begin(header: Header, listen: object) -> Session:
    raise NotImplementedError


def test_points_are_entered_taken_back_and_there_after_a_start(tmp_path: Path) -> None:
    pad = Pad(tmp_path / "folder" / "sheet.json")
    pad.choose("Keep the score by hand")
    assert pad.page.text == "How many play?"
    pad.choose("3 players")
    assert pad.rows == [("Rasa", "0"), ("Jonas", "0"), ("Player 3", "0"), ("A new sheet", "")]
    pad.choose("Jonas", "+2", "Player 3", "-1", "Jonas", "+30")
    assert pad.rows[:4] == [
        ("Rasa", "0"), ("Jonas", "32"), ("Player 3", "-1"), ("Take back the last entry", "Jonas +30"),
    ]  # fmt: skip
    pad.choose("Take back the last entry")
    again = Pad(pad.path)
    again.choose("Keep the score by hand")
    assert again.rows[:3] == [("Rasa", "0"), ("Jonas", "2"), ("Player 3", "-1")]
    again.choose("A new sheet", "No")
    assert again.rows[1] == ("Jonas", "2")
    again.choose("A new sheet", "Yes", "2 players")
    assert again.rows == [("Rasa", "0"), ("Jonas", "0"), ("A new sheet", "")]


def test_what_cannot_be_kept_is_not_shown_but_said(tmp_path: Path) -> None:
    pad = Pad(tmp_path / "sheet.json")
    pad.choose("Keep the score by hand", "2 players", "Rasa", "+1")
    pad.full = True
    pad.choose("Jonas", "+5")
    assert pad.rows[:2] == [("Rasa", "1"), ("Jonas", "0")]
    assert pad.page.text == "It could not be kept: the disk is full"
    pad.full = False
    pad.choose("Jonas", "+5")
    assert pad.rows[:2] == [("Rasa", "1"), ("Jonas", "5")]
    assert pad.page.text == "OK enters points."
    assert load_sheet(pad.path) == Sheet(("Rasa", "Jonas"), ((0, 1), (1, 5)))


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "{}", '{"names": ["a", "b"], "entries": [[2, 1]]}', '{"names": ["a"], "entries": []}',
     '{"names": ["a", "b"], "entries": [[0, "x"]]}', "\xff"],
)  # fmt: skip
def test_a_file_that_is_no_sheet_is_said_and_a_new_one_can_be_begun(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sheet.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(Failure, match="not a sheet of scores"):
        load_sheet(path)
    pad = Pad(path)
    pad.choose("Keep the score by hand")
    assert "not a sheet of scores" in pad.page.text
    pad.choose("2 players")
    assert pad.rows[0] == ("Rasa", "0")


def test_a_place_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Failure, match=r"sheet\.json: "):
        save_sheet(tmp_path / "file" / "sheet.json", Sheet(("a", "b")))
