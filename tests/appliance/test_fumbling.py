"""People who fumble at the simulated table: what counts in the record is what was done."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.cli import main
from appliance.corrections import counting_lines
from appliance.demo import DemoSettings
from appliance.folders import journal_path
from appliance.fumbling import FUMBLES, FumblingDemo
from appliance.journal import Journal
from engine.record import DealLine, Takeback, parse
from engine.referee import Match
from tests.appliance.test_demo import own_folders  # noqa: F401  (each test with folders of its own)


@pytest.mark.parametrize(("game", "players", "seed"), [("dezertyras", 4, 0), ("durnius", 2, 1)])
def test_what_went_amiss_is_put_right(game: str, players: int, seed: int) -> None:
    demo = FumblingDemo(DemoSettings(game, players, seed, deals=1, fumble=0.5), None)
    assert demo.play()
    assert sum(demo.fumbled.values()) > 2
    seen = demo.session.match
    assert any(isinstance(content, Takeback) for content in seen.record().contents)
    assert seen.standing == demo.simulation.match.standing


@pytest.mark.parametrize("fumble", FUMBLES)
def test_each_fumble_alone(fumble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.fumbling.FUMBLES", (fumble,))
    demo = FumblingDemo(DemoSettings("dezertyras", 4, 3, deals=1, fumble=0.4), None)
    assert demo.play()
    assert demo.fumbled[fumble] > 0


def test_what_was_not_put_right_is_no_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.fumbling.FUMBLES", ("misread",))
    monkeypatch.setattr("appliance.fumbling.FumblingPeople.put_right", lambda self, truth: None)
    demo = FumblingDemo(DemoSettings("dezertyras", 4, 3, deals=1, fumble=0.4), None)
    assert not demo.play()


def test_the_command_writes_a_record_whose_counting_lines_are_the_truth(tmp_path: Path) -> None:
    seen, truth = tmp_path / "seen.kort", tmp_path / "truth.kort"
    arguments = ["demo", "--headless", "--fast", "--seed", "1", "--deals", "1", "--fumble", "0.5"]
    assert main([*arguments, "--record", str(seen), "--truth", str(truth)]) == 0
    matches = []
    for path in (seen, truth):
        record = parse(path.read_text())
        match = Match(record.header)
        for line in record.lines:
            match.push(line)
        matches.append([each.line.content for each in counting_lines(match)])
    assert matches[0] == matches[1]
    assert seen.read_text() != truth.read_text()


def test_a_rate_is_between_0_and_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--fumble", "1.5"]) == 2
    assert "--fumble 1.5: a rate is between 0 and 1" in capsys.readouterr().err


def test_a_match_that_was_fumbled_is_not_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    settings = DemoSettings(seed=1, fumble=0.2)
    with Journal.open(journal_path()) as journal:
        FumblingDemo(settings, journal)
        journal.append(1, DealLine())
    assert main(["matches", "resume", "1"]) == 2
    assert "match 1 was played with --fumble: it cannot be resumed" in capsys.readouterr().err
