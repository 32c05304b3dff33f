"""Watchdog, starts that failed, a camera that comes and goes, and events that wait for the disk."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance import standing
from appliance.health import Health
from appliance.journal import Journal, JournalError
from appliance.keeper import Keeper
from appliance.language import Language
from appliance.notify import Notifier
from appliance.rescue import Rescue
from appliance.service import Service
from appliance.session import Session
from appliance.starts import Starts
from appliance.steady import SteadyCamera
from engine.actions import Action
from engine.cards import Rank
from engine.record import Content, DealLine, Header
from engine.referee import Match
from tests.appliance.test_session import event
from vision.sources import SourceError
from vision.types import Frame, TableEvent

HEADER = Header("dezertyras", ("Rasa", "Jonas", "Ona", "Petras"), 4)


class Clock:
    """A clock that only moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_the_watchdog_is_fed_only_while_all_three_get_on() -> None:
    clock, fed = Clock(), []
    health = Health(clock, lambda: fed.append(clock.now), 5.0)
    for _ in range(12):
        clock.now += 1
        for part in ("camera", "screen", "journal"):
            health.progress(part)
    assert fed == [105.0, 110.0]
    assert health.lived == 10.0


@pytest.mark.parametrize("hung", ["camera", "screen", "journal"])
def test_one_that_hangs_starves_it(hung: str) -> None:
    clock, fed = Clock(), []
    health = Health(clock, lambda: fed.append(clock.now), 5.0)
    for second in range(60):
        clock.now += 1
        for part in ("camera", "screen", "journal"):
            if part != hung or second < 7:
                health.progress(part)
    assert fed == [105.0, 110.0]  # the second by its progress after the first
    assert health.silent == (hung,)


def test_what_is_told_arrives_on_the_socket(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(path)
        heard.settimeout(5)
        notifier = Notifier({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "7"}, 7)
        assert (notifier.active, notifier.watchdog_s) == (True, 15.0)
        notifier.ready()
        notifier.feed()
        notifier.status("two\nlines")
        notifier.stopping()
        assert [heard.recv(100) for _ in range(4)] == [
            b"READY=1", b"WATCHDOG=1", b"STATUS=two lines", b"STOPPING=1",
        ]  # fmt: skip
    notifier.feed()  # nobody listens any more


def test_without_systemd_nothing_is_told_and_no_watchdog_waits() -> None:
    notifier = Notifier({}, 7)
    notifier.ready()
    assert (notifier.active, notifier.watchdog_s) == (False, None)
    assert Notifier({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "8"}, 7).watchdog_s is None
    assert Notifier({"WATCHDOG_USEC": "rubbish"}, 7).watchdog_s is None


def test_after_two_failed_starts_comes_a_safe_one(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    assert [Starts(folder).begin() for _ in range(4)] == [False, False, True, True]
    assert Starts(folder).failed == 4
    Starts(folder).good()
    assert Starts(folder).failed == 0
    assert not Starts(folder).begin()


@pytest.mark.parametrize("rubbish", [b"\xff\xfe", b"many", b"9" * 5000, b""])
def test_a_count_that_cannot_be_read_is_none(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "failed-starts").write_bytes(rubbish)
    assert not Starts(tmp_path).begin()
    assert Starts(tmp_path).failed == 1


def test_a_folder_that_cannot_be_written_counts_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    starts = Starts(tmp_path / "state" / "x")
    assert [starts.begin() for _ in range(4)] == [False] * 4
    starts.good()


class Camera:
    """A camera of a script: a number is the grey level of the next picture, None: it is unplugged."""

    stills = False

    def __init__(self, script: list[int | None]) -> None:
        self._script = script

    def read(self) -> Frame | None:
        level = self._script.pop(0)
        if level is None:
            raise SourceError("camera 0: gives no pictures any more")
        return Frame(0.0, np.full((72, 128, 3), level, np.uint8), 0)

    def close(self) -> None:
        return

    def __iter__(self) -> Iterator[Frame]:
        return iter(())


def test_a_camera_that_goes_is_tried_again_until_it_is_back() -> None:
    clock, opened = Clock(), []
    scripts: list[Any] = [[1, 2, None], None, [3, 4]]

    def open_camera() -> Camera:
        opened.append(clock.now)
        script = scripts.pop(0)
        if script is None:
            raise SourceError("camera 0: cannot be opened")
        return Camera(script)

    steady = SteadyCamera(open_camera, clock, clock.sleep)
    seen, states = [], []
    for _ in range(46):
        frame = steady.read()
        seen.append(int(frame.image[0, 0, 0]))
        states.append(steady.state)
    assert seen[:4] == [1, 2, 2, 2]
    assert seen[-2:] == [3, 4]
    assert set(seen[2:-2]) == {2}
    assert states == [None] * 2 + ["missing"] * 42 + [None] * 2
    assert [round(at, 6) for at in opened] == [100.0, 102.1, 104.2]  # every two seconds, at a frame


def test_without_any_camera_there_is_a_grey_picture() -> None:
    clock = Clock()

    def none() -> Camera:
        raise SourceError("camera 0: cannot be opened")

    steady = SteadyCamera(none, clock, clock.sleep, (64, 48))
    frames = [steady.read() for _ in range(3)]
    assert {frame.image.shape for frame in frames} == {(48, 64, 3)}
    assert [round(frame.t, 6) for frame in frames] == [0.1, 0.2, 0.3]
    assert (steady.state, steady.reason) == ("missing", "camera 0: cannot be opened")


def test_a_frozen_camera_is_started_again() -> None:
    clock, opened = Clock(), []

    def open_camera() -> Camera:
        opened.append(clock.now)
        return Camera([7] * 100 if len(opened) == 1 else [8, 9])

    steady = SteadyCamera(open_camera, clock, clock.sleep)
    states = []
    while len(opened) < 2:
        steady.read()
        states.append(steady.state)
        clock.now += 0.5
    assert opened == [100.0, pytest.approx(107.6, abs=0.5)]
    assert states[10] is None
    assert states[11] == "frozen"
    assert steady.state is None


class Watcher:
    """Gives events as the script says, one list a frame."""

    states: frozenset[str] = frozenset()

    def __init__(self, script: list[list[TableEvent]]) -> None:
        self._script = script

    def update(self, frame: Frame) -> list[TableEvent]:
        return self._script.pop(0) if self._script else []

    def taken(self, cards: object) -> None:
        """It knows no cards."""


class Frames:
    """Frames a quarter of a second apart."""

    stills = False

    def __init__(self) -> None:
        self._t = 0.0

    def read(self) -> Frame | None:
        self._t += 0.25
        return Frame(self._t, np.zeros((4, 4, 3), np.uint8), 0)

    def close(self) -> None:
        return

    def __iter__(self) -> Iterator[Frame]:
        return iter(())


class Disk:
    """A store that can be full."""

    def __init__(self) -> None:
        self.full = False
        self.lines: list[str] = []

    def store(self, content: Content) -> None:
        if self.full:
            raise JournalError("journal.sqlite: the journal cannot be written: database or disk is full")
        self.lines.append(str(content))


def served(health: Health | None) -> tuple[Service, Session, Disk]:
    disk = Disk()
    session = Session(Match(HEADER), Language("en"), store=disk.store)
    session.push(DealLine())
    session.push(Action(1, "announce", rank=Rank.NINE))
    laid = [[event("placed", "♥9", 1), event("placed", "♥T", 2)], [], [event("placed", "♥K", 3)]]
    watcher: Any = Watcher([[], *laid])
    return Service(Frames(), watcher, session, health=health), session, disk


def test_while_the_disk_is_full_nothing_counts_and_nothing_is_lost() -> None:
    service, session, disk = served(Health(Clock()))
    service.step()
    disk.full = True
    for _ in range(8):
        assert service.step()
    assert disk.lines == ["deal", "1 announce 9"]
    assert len(session.match.record().lines) == 2  # nothing is shown that is not stored
    disk.full = False
    for _ in range(4):
        service.step()
    assert disk.lines[2:] == ["1 play ♥9", "2 play ♥T", "3 play ♥K"]
    assert len(session.match.record().lines) == 5


def test_without_a_screen_to_say_it_on_a_full_disk_ends_the_program() -> None:
    service, _, disk = served(None)
    service.step()
    disk.full = True
    with pytest.raises(JournalError):
        service.step()


def test_an_answer_that_cannot_be_stored_waits_and_so_does_what_comes_after_it() -> None:
    _, session, disk = served(None)
    session.events([event("placed", "♥9", 1, 0.5), event("placed", "♥T", 2)])
    disk.full = True
    with pytest.raises(JournalError):
        session.press("ok")
    assert disk.lines == ["deal", "1 announce 9"]
    with pytest.raises(JournalError):
        session.events(())
    disk.full = False
    session.events([event("placed", "♥K", 3)])
    assert disk.lines[2:] == ["1 play ♥9", "2 play ♥T", "3 play ♥K"]
    assert session.which_card is None


def test_what_is_wrong_is_on_the_screen() -> None:
    say = Language("en")
    rescue = Rescue(Path("/x/journal.damaged-1.sqlite"), 3, 432)
    assert standing.start_troubles(say, None, False, None) == ()
    assert standing.start_troubles(say, "a.toml:3: x", True, rescue) == (
        "Two starts failed: started safely, with the default settings",
        "The configuration is wrong; the last good one is used: a.toml:3: x",
        "The journal was damaged; saved: 3 matches, 432 lines; the old file: journal.damaged-1.sqlite",
    )
    keeper = Keeper(lambda: Journal.open(Path("/dev/null/x")), HEADER, "now", {})
    camera = SteadyCamera(lambda: Camera([None]), Clock(), Clock().sleep)
    assert standing.present_troubles(say, camera, keeper) == ()
    camera.read()
    keeper.trouble = "j.sqlite: the journal cannot be written: database or disk is full"
    assert standing.present_troubles(say, camera, keeper) == (
        "Nothing can be stored, so nothing counts until it can: database or disk is full",
        "No picture from the camera: is it plugged in? Meanwhile lay cards with the buttons: OK",
    )


def test_a_start_goes_on_with_the_unfinished_match_of_this_table(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert standing.match_to_go_on_with(journal, HEADER) is None
        number = journal.begin(HEADER, "now", {})
        journal.append(number, DealLine())
        journal.begin(HEADER, "now", {"demo": {}})
        going_on = standing.match_to_go_on_with(journal, HEADER)
        assert going_on is not None
        assert (going_on[0], len(going_on[1].record().lines)) == (1, 1)
        others = Header("dezertyras", ("A", "B", "C", "D"))
        assert standing.match_to_go_on_with(journal, others) is None
        assert standing.match_to_go_on_with(journal, None) is not None
