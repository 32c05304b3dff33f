"""`kortstalis matches`: list, show, export, resume and the players' standings."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from appliance.cli import main
from appliance.folders import journal_path
from appliance.journal import Journal
from engine.record import parse
from tests.shared import ROOT

WON = (ROOT / "tests/golden/azijietiskas.target-3.kort").read_text(encoding="utf-8")
GOES_ON = "game: kozirinis\nplayers: rasa, Lina\ndealer: 1\ndeal\n1 trump ♠ ♣\n"
ROWS = [
    ["deal", "dealer", "Rasa", "Jonas", "Ona", "Petras"],
    ["1", "Petras", "-11", "-3", "-6", "20"],
    ["2", "Petras", "-5", "-14", "-3", "22"],  # after the win: it does not count
    ["match", "", "-11", "-3", "-6", "20"],
]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def keep(text: str, started: str = "2026-11-30T20:00:00", played_on: Mapping[str, Any] | None = None) -> int:
    record = parse(text)
    with Journal.open(journal_path()) as journal:
        number = journal.begin(record.header, started, played_on or {})
        for line in record.lines:
            journal.append(number, line.content)
    return number


def matches(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["matches", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


DURNIUS = "game: durnius\nplayers: Rasa, Jonas, Ona\ndealer: 1\ndeal\nend\n"


def test_shown_by_number_or_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    keep(DURNIUS.replace("deal\nend\n", "deal\nend\n"))
    assert matches(capsys, "show") == (
        "   1  2026-11-30T20:00:00  durnius: Rasa, Jonas, Ona (2 lines)\n"
        "  Rasa: 0\n  Jonas: 0\n  Ona: 0\n  deal 1 goes on\n"
    )
    assert json.loads(matches(capsys, "show", "1", "--json"))["match"]["finished"] is False


def test_exported_as_record_as_results_and_as_scores(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    keep(WON)
    record = matches(capsys, "export", "1")
    assert parse(record).contents == parse(WON).contents
    assert matches(capsys, "export", "1", "--format", "kort", "--record", str(tmp_path / "x.kort")) == ""
    assert (tmp_path / "x.kort").read_text(encoding="utf-8") == record
    results = json.loads(matches(capsys, "export", "1", "--json"))
    assert results == json.loads(matches(capsys, "export", "1", "--format", "json"))
    assert (results["match_number"], results["started"]) == (1, "2026-11-30T20:00:00")
    assert results["match"]["winner"] == [4]
    rows = list(csv.reader(matches(capsys, "export", "1", "--format", "csv").splitlines()))
    assert rows == ROWS


def test_a_finished_match_says_so_and_is_not_played_on(capsys: pytest.CaptureFixture[str]) -> None:
    keep(WON, played_on={"demo": {"deals": None}})
    out = matches(capsys, "resume")
    assert out == (
        "match 1 is finished:\n"
        f"   1  2026-11-30T20:00:00  azijietiskas: Rasa, Jonas, Ona, Petras ({len(parse(WON).lines)} lines)\n"
        "  Rasa: -11\n  Jonas: -3\n  Ona: -6\n  Petras: 20\n  won by Petras\n"
    )
    assert json.loads(matches(capsys, "resume", "--json"))["match"]["finished"] is True


def test_a_demo_that_is_resumed_prints_its_result_and_is_finished_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--headless", "--fast", "--seed", "1", "--deals", "1"]) == 0
    with Journal.open(journal_path()) as journal:
        journal._db.execute("DELETE FROM lines WHERE number > 5")
    capsys.readouterr()
    resumed = matches(capsys, "resume", "--headless", "--fast").splitlines()
    assert resumed[-1] == "  nobody has won; all its deals (1) are played"
    again = matches(capsys, "resume", "--headless", "--fast").splitlines()
    assert again[0] == "match 1 is finished:"
    assert again[1:] == resumed[-6:]


def test_a_demo_that_fails_at_its_start_leaves_no_match(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "none").mkdir()
    assert main(["demo", "--headless", "--fast", "--faces", str(tmp_path / "none")]) == 2
    capsys.readouterr()
    assert matches(capsys, "list") == ""


def test_standings_by_name_and_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert matches(capsys, "standings") == "no matches yet\n"
    keep(WON)
    keep(GOES_ON, "2026-11-30T21:00:00")
    keep(DURNIUS, "2026-12-01T20:00:00")
    keep(WON, played_on={"demo": {"deals": None}})
    players = {
        one["player"]: one for one in map(json.loads, matches(capsys, "standings", "--json").splitlines())
    }
    assert list(players) == ["Petras", "Rasa", "Jonas", "Ona", "Lina"]
    assert players["Rasa"] == {
        "player": "Rasa", "evenings": 2, "matches": 3, "won": 0, "deals": 2,
        "games": {
            "azijietiskas": {"evenings": 1, "matches": 1, "won": 0, "deals": 2},
            "kozirinis": {"evenings": 1, "matches": 1, "won": 0, "deals": 0},
            "durnius": {"evenings": 1, "matches": 1, "won": 0, "deals": 0},
        },
    }  # fmt: skip
    assert players["Petras"]["won"] == 1
    assert matches(capsys, "standings").splitlines()[:3] == [
        "player            evenings  matches  won  deals",
        "Petras                   1        1    1      2",
        "  azijietiskas           1        1    1      2",
    ]
    assert "Petras                   1        2    2      4" in matches(capsys, "standings", "--demos")
