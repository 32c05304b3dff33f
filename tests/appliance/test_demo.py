"""The whole appliance on the simulated table: what it saw is what was done."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from appliance.cli import main
from appliance.demo import Demo, DemoSettings
from appliance.journal import Journal
from appliance.layout import Spot
from engine.cards import parse_card
from engine.record import DealLine, parse
from engine.referee import judge
from tests.shared import SHARED, needs


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def test_deals_are_seen_line_for_line_and_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen, truth = tmp_path / "seen.kort", tmp_path / "truth.kort"
    arguments = ["demo", "--headless", "--fast", "--seed", "5", "--deals", "2", "--cheat", "0.2", "--json"]
    status = main([*arguments, "--record", str(seen), "--truth", str(truth)])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    assert seen.read_text() == truth.read_text()
    assert seen.read_text().count("\ndeal\n") == 2
    said = [json.loads(line) for line in out.splitlines()]
    actions = [event for event in said if event["event"] == "action"]
    plays = [event for event in said if event["event"] == "placed"]
    judged = [entry for deal in judge(truth.read_text()).deals() for entry in deal.entries]
    assert len([a for a in judged if a.action.startswith("play")]) == len(plays)
    wrong = {(e.seat, e.action) for e in judged if e.final in ("illegal", "impossible")}
    told = {
        (a["seat"], a["action"]) for a in actions if a.get("final", a["verdict"]) in ("illegal", "impossible")
    }
    assert told == wrong
    assert all(place["confidence"] >= 0.95 for place in plays)


def test_a_demo_that_was_cut_off_goes_on_from_its_last_line(tmp_path: Path) -> None:
    settings = DemoSettings(seed=2, deals=2)
    with Journal.open(tmp_path / "whole.sqlite") as journal:
        whole = Demo(settings, journal)
        assert whole.play()
        lines = whole.simulation.match.record().contents
        assert journal.record(1).contents == lines
    cut = len(lines) // 2 + 1
    assert not isinstance(lines[cut], DealLine)
    with Journal.open(tmp_path / "cut.sqlite") as journal:
        number = journal.begin(whole.simulation.match.header, "now", {})
        for content in lines[:cut]:
            journal.append(number, content)
        rest = Demo(settings, journal, resumed=(number, journal.record(number)))
        assert rest.play()
        assert journal.record(number).contents == lines


def test_a_demo_is_listed_shown_and_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--fast", "--seed", "1", "--deals", "1"]) == 0
    capsys.readouterr()
    assert main(["matches", "list", "--json"]) == 0
    (listed,) = capsys.readouterr().out.splitlines()
    assert json.loads(listed)["players"] == ["Rasa", "Jonas", "Ona", "Petras"]
    assert main(["matches", "show", "1", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["deals"][0]["finished"] is True
    assert main(["matches", "export", "1"]) == 0
    record = parse(capsys.readouterr().out)
    assert len(record.lines) == json.loads(listed)["lines"]


def test_without_a_display_the_demo_says_so_and_plays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pictures = tmp_path / "pictures"
    status = main(["demo", "--fast", "--seed", "1", "--deals", "1", "--screenshots", str(pictures)])
    err = capsys.readouterr().err
    assert status == 0
    assert err == "kortstalis: no window (there is no display); the demo plays headless\n"
    assert len(list(pictures.glob("*.png"))) > 5


@needs("faces")
@pytest.mark.parametrize("faces", ["flat", "phone", "picam"])
def test_photographed_cards_are_seen_as_well(faces: str) -> None:
    demo = Demo(DemoSettings(seed=1, deals=1, faces=str(SHARED / "faces" / faces)), None)
    assert demo.play()
    assert len(demo.session.match.record().lines) > 6


@needs("sequence")
def test_the_cards_of_a_real_game_are_seen_as_placed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(SHARED / "sequence"), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    placed: dict[float, set[str]] = {}
    for event in events:
        if event["event"] == "placed":
            placed.setdefault(event["t"], set()).add(event["card"])
    tricks = [
        {"♥D", "♥K"}, {"♥V", "♥10"}, {"♦T", "♣K"}, {"♦D", "♦K"}, {"♦10", "♣T"}, {"♠T", "♠K"}, {"♣10", "♠V"},
    ]  # fmt: skip
    assert [placed[t] for t in sorted(placed)] == tricks


def test_people_name_the_upper_card_of_a_heap_and_the_one_meant_beside_it() -> None:
    demo = Demo(DemoSettings(seed=1), None)
    under, upper, beside = (parse_card(text) for text in ("♦10", "♠6", "♥9"))
    demo.table.lies(under, Spot(100, 50))
    demo.table.lies(upper, Spot(103, 53))
    demo.table.lies(beside, Spot(130, 50))
    geometry = demo.service.watcher.geometry
    assert geometry is not None
    for x, y, card in ((100, 50, upper), (103, 53, upper), (128, 50, beside), (-200, -100, None)):
        corners = [(x - 31.5, y - 44), (x + 31.5, y - 44), (x + 31.5, y + 44), (x - 31.5, y + 44)]
        assert demo.people._card_at(geometry.to_picture(np.array(corners))) == card
