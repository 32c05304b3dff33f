"""“This was wrong”: what people say is kept, and every folder of tests/reports is read and judged again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from appliance.config import Config
from appliance.failure import Failure
from appliance.folders import wrong_folder
from appliance.screen.model import Shown
from appliance.screen.pages import AskCard, Dispute, Menu, Page
from appliance.wrong import Wrong, replay, save
from engine.actions import Action, parse_action
from engine.cards import Card, parse_card
from engine.record import DealLine, Header, parse
from engine.referee import Match
from tests.appliance.test_running import Rig, seen
from tests.shared import ROOT
from vision.reader import Reader
from vision.types import TableEvent

REPORTS = sorted(path for path in (ROOT / "tests/reports").iterdir() if path.is_dir())


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize("folder", REPORTS, ids=lambda path: path.name)
def test_what_people_said_was_wrong_is_right_now(folder: Path) -> None:
    assert replay(folder, Reader.load()) == []


def misread(event: TableEvent | None = None) -> Rig:
    """A table that has taken a card of Rasa's for ♥9."""
    rig = Rig(Config(language="en"), [[event or seen("♥9")]])
    rig.session.push(DealLine())
    rig.session.push(Action(1, "announce", rank=parse_card("♥9").rank))  # type: ignore[union-attr]
    rig.press()
    return rig


def to_what_was_wrong(rig: Rig) -> Menu:
    rig.press("dispute", "ok")
    page = rig.press()
    assert isinstance(page, Menu)
    labels = [row.label for row in page.rows]
    page = rig.press(*["down"] * labels.index("This was wrong"), "ok")
    return menu(page, "What was wrong?")


def menu(page: Page, title: str) -> Menu:
    assert isinstance(page, Menu)
    assert page.title == title
    return page


def kept() -> list[Path]:
    return sorted(wrong_folder().iterdir())


def test_a_misread_card_is_put_right_and_kept_with_its_picture() -> None:
    rig = misread()
    page = to_what_was_wrong(rig)
    assert [row.label for row in page.rows] == [
        "The card was another", "It was somebody else", "It did not happen", "The verdict",
    ]  # fmt: skip
    cards = rig.press("ok")
    assert isinstance(cards, AskCard)
    assert cards.cards[0] == parse_card("♠K")  # the next likely
    rig.press("ok")
    lines = [str(content) for content in rig.session.match.record().contents]
    assert lines == ["deal", "1 announce 9", "1 play ♥9", "takeback", "1 play ♠K"]
    (folder,) = kept()
    assert sorted(path.name for path in folder.iterdir()) == ["picture.png", "record.kort", "report.json"]
    record = parse((folder / "record.kort").read_text(encoding="utf-8"))
    assert list(map(str, record.contents)) == ["deal", "1 announce 9", "1 play ♥9"]
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == {
        "version": 1, "game": "dezertyras", "line": 3,
        "thought": {"action": "1 play ♥9", "verdict": "legal", "final": "legal"},
        "instead": ["1 play ♠K"],
        "judged": [{"action": "play ♠K", "verdict": "legal", "final": "legal"}],
        "corners": [[5.0, 5.0], [25.0, 5.0], [25.0, 35.0], [5.0, 35.0]],
        "read": [["♥9", 0.9], ["♠K", 0.1]],
    }  # fmt: skip


class Reads:
    """A reader that reads one card everywhere."""

    def __init__(self, card: str) -> None:
        self.card = parse_card(card)

    def read_card(self, image: object, outline: object) -> Reads:
        return self


def test_a_replay_tells_what_is_still_wrong() -> None:
    rig = misread()
    to_what_was_wrong(rig)
    rig.press("ok", "ok")
    (folder,) = kept()
    assert replay(folder, Reads("♠K")) == []
    assert replay(folder, Reads("♥9")) == [f"{folder.name}: the reader reads ♥9, it was ♠K"]
    report = folder / "report.json"
    text = report.read_text(encoding="utf-8").replace(
        '"final": "legal"\n    }\n  ],', '"final": "illegal"\n    }\n  ],'
    )
    report.write_text(text, encoding="utf-8")
    (found,) = replay(folder, Reads("♠K"))
    assert found.startswith(f"{folder.name}: the referee says [{{'action': 'play ♠K', 'verdict': 'legal'")


def test_a_verdict_that_is_doubted_is_kept_and_the_game_stays_as_it_is() -> None:
    rig = misread()
    to_what_was_wrong(rig)
    page = menu(rig.press("up", "ok"), "This was wrong")
    assert page.text == "It is kept with the picture and the record, for those who mend the table."
    assert isinstance(rig.press("ok"), Shown)
    assert len(rig.session.match.record().lines) == 3
    (folder,) = kept()
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert (report["instead"], report["judged"][0]["verdict"]) == (None, "legal")
    assert replay(folder, Reads("♥9")) == []


def test_what_cannot_be_kept_is_said_and_hinders_nothing() -> None:
    rig = misread()
    wrong_folder().parent.mkdir(parents=True, exist_ok=True)
    wrong_folder().write_text("")
    to_what_was_wrong(rig)
    page = menu(rig.press("up", "ok"), "This was wrong")
    assert page.text.startswith("It could not be kept: ")
    # It did not happen: that is put right all the same.
    page = menu(rig.press("back", "up", "ok"), "This was wrong")
    assert page.text.startswith("It could not be kept: ")
    assert isinstance(rig.press("ok"), Shown)
    assert str(rig.session.match.record().contents[-1]) == "takeback"


def test_without_a_place_to_keep_it_nobody_is_asked() -> None:
    rig = misread()
    rig.running.console.hooks = replace(rig.running.console.hooks, wrong=None)
    assert isinstance(rig.press("dispute"), Dispute)
    page = rig.press("ok")
    assert isinstance(page, Menu)
    assert "This was wrong" not in [row.label for row in page.rows]


def test_only_the_last_are_kept(tmp_path: Path) -> None:
    match = Match(Header("dezertyras", ("A", "B", "C", "D"), 4))
    match.push(DealLine())
    match.push(parse_action(1, ["announce", "9"]))
    line = match.push(parse_action(1, ["play", "♥9"])).line.number
    right = cast(Card, parse_card("♥10"))
    for stamp in ("20261130-200000", "20261130-200000", "20261130-200100", "20261130-200200"):
        save(tmp_path, stamp, Wrong(line, (Action(1, "play", (right,)),)), match, None, kept=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "20261130-200000-02", "20261130-200100-01", "20261130-200200-01",
    ]  # fmt: skip
    assert not (tmp_path / "20261130-200100-01" / "picture.png").exists()
    with pytest.raises(Failure, match=r"record\.kort: "):
        save(tmp_path / "20261130-200100-01/record.kort", "x", Wrong(line, ()), match, None)
