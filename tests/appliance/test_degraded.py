"""Degraded, never dead: a safe start, a match that cannot be gone on with, a clock that jumps."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from appliance import standing
from appliance.appliance import Appliance
from appliance.config import Config
from appliance.folders import journal_path
from appliance.journal import Journal
from appliance.notify import Notifier
from appliance.screen.pages import Menu
from appliance.starts import GOOD_AFTER_S, Starts
from appliance.steady import SteadyCamera
from engine.record import DealLine, Header
from tests.appliance.test_health import Camera, Clock, Health
from tests.appliance.test_running import Rig
from tests.shared import ROOT
from vision.sources import Source


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_after_two_failed_starts_the_camera_waits_until_this_one_is_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    def camera(name: str) -> Source:
        opened.append(name)
        return Camera([*range(1, 90)])

    monkeypatch.setattr("appliance.appliance.open_source", camera)
    clock = Clock()
    starts = Starts(tmp_path)
    appliance = Appliance(
        Config(), Notifier({}, 1), starts, safe=True, clock=clock, beside=lambda source: source
    )
    _, steady = appliance._open_camera()
    assert steady is not None
    steady._sleep = clock.sleep
    health = Health(clock, interval=1.0)
    starts.begin()
    while clock.now < 100.0 + 2 * GOOD_AFTER_S:
        steady.read()
        assert (steady.state == "missing") == (not opened)
        if not opened:
            assert clock.now < 100.0 + GOOD_AFTER_S + 3
        for part in ("camera", "screen", "journal"):
            health.progress(part)
        appliance._alive(health)
        clock.now += 0.5
    assert opened == [Config().camera]
    assert starts.failed == 0


def test_what_is_wrong_is_said_where_no_match_is_played_and_the_last_match_is_offered() -> None:
    rig = Rig(Config(language="en"))
    rig.session.push(DealLine())
    rig.running.console.end_match()
    said = standing.start_troubles(rig.running.console.language, None, True, None)
    rig.service.troubles = said
    start = rig.press()
    start = rig.press()
    assert isinstance(start, Menu)
    assert start.text == "Two starts failed: started safely, with the default settings"
    assert "Go on with the last match" in [row.label for row in start.rows]


@pytest.mark.parametrize("fault", [ValueError, AssertionError, KeyError, IndexError])
def test_a_match_that_makes_the_referee_fall_over_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fault: type[Exception]
) -> None:
    with Journal.open(journal_path()) as journal:
        journal.append(journal.begin(Header("durnius", ("A", "B")), "now", {}), DealLine())
    rig = Rig(Config(language="en"))
    rig.running.console.end_match()

    def falls(journal: Journal, header: Header | None) -> None:
        raise fault("oh")

    monkeypatch.setattr(standing, "match_to_go_on_with", falls)
    start = rig.press()
    assert isinstance(start, Menu)
    labels = [row.label for row in start.rows]
    start = rig.press(*["down"] * labels.index("Go on with the last match"), "ok")
    assert isinstance(start, Menu)
    assert "Go on with the last match" not in [row.label for row in start.rows]
    assert "the last match cannot be gone on with" in capsys.readouterr().err


LABELS = {(name, "datetime.now") for name in ("appliance.py", "demo.py", "running.py", "enroll.py")}
"""Where the wall's clock is asked: for labels and names of files."""
OTHER_EACH_TIME = {("pods.py", "time.time_ns")}  # only a number that is another at each start


def test_the_wall_clock_is_only_asked_for_labels() -> None:
    asked = set()
    for room in ("appliance", "vision", "engine", "firmware"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    call = f"{node.value.id}.{node.attr}"
                    if call in ("time.time", "time.time_ns", "datetime.now", "datetime.today", "date.today"):
                        asked.add((path.name, call))
    assert asked == LABELS | OTHER_EACH_TIME


def test_two_matches_begun_at_a_clock_that_ran_back_stay_in_their_order(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        for started, header in (
            ("2026-12-07", Header("durnius", ("A", "B"))),
            ("1970-01-01", Header("durnius", ("C", "D"))),
        ):
            journal.append(journal.begin(header, started, {}), DealLine())
        going_on = standing.match_to_go_on_with(journal, None)
    assert going_on is not None
    assert going_on[1].header.players == ("C", "D")


@pytest.mark.parametrize(
    ("script", "state"), [([1, None], "missing"), ([7] * 99, "frozen"), ([1, 2, 3], None)]
)
def test_a_camera_that_is_missing_or_frozen_brings_the_buttons_first_and_one_that_is_back_does_not(
    script: list[int | None], state: str | None
) -> None:
    clock = Clock()
    rig = Rig(Config(language="en"))
    cameras = [Camera(script), Camera([50, 51, 52, 53])]
    steady = SteadyCamera(lambda: cameras.pop(0), clock, clock.sleep)
    rig.running.camera = steady
    for _ in range(2):
        steady.read()
    while state == "frozen" and steady.state is None:
        steady.read()
        clock.now += 1
    assert steady.state == state
    assert rig.running.console.hooks.blind() == (state is not None)
    while steady.state is not None:
        steady.read()
        clock.now += 1
    assert not rig.running.console.hooks.blind()
