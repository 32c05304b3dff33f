"""The appliance as the service manager runs it: a process of its own, without camera and screen."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.appliance import Appliance
from appliance.config import Config
from appliance.failure import Failure
from appliance.notify import Notifier
from appliance.starts import Starts
from appliance.steady import SteadyCamera
from bench.disk import FULL, IOERR_FSYNC, READONLY
from tests.shared import ROOT
from vision.sources import Source, SourceError

_MAIN = "import sys, appliance.cli; sys.exit(appliance.cli.main(sys.argv[1:]))"


class Manager:
    """Starts the service with a notification socket, and hears what it tells."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table = folder / "kortstalis"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "notify"))
        self.socket.settimeout(60)
        self.running: subprocess.Popen[str] | None = None

    def start(self, *options: str, before: str = "") -> subprocess.Popen[str]:
        """Starts it; `before`: Python that is run first, in its process."""
        homes = {f"XDG_{name}_HOME": str(self.folder) for name in ("DATA", "STATE", "CONFIG")}
        notify = {"NOTIFY_SOCKET": str(self.folder / "notify"), "WATCHDOG_USEC": "3000000"}
        environment = {**os.environ, **homes, **notify, "PYTHONPATH": str(ROOT), "SDL_VIDEODRIVER": "dummy"}
        self.running = subprocess.Popen(
            [sys.executable, "-c", f"{before}\n{_MAIN}", "run", *options],
            env=environment, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        return self.running

    def hears(self, text: bytes) -> None:
        while self.socket.recv(1000) != text:
            pass

    def stop(self) -> tuple[int, str]:
        assert self.running is not None
        self.running.send_signal(signal.SIGTERM)
        _, err = self.running.communicate(timeout=60)
        return self.running.returncode, err

    def failed_starts(self) -> str:
        return (self.table / "failed-starts").read_text()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    if manager.running is not None and manager.running.poll() is None:
        manager.running.kill()
        manager.running.communicate()
    manager.socket.close()


def test_without_camera_and_screen_and_with_a_damaged_journal_it_is_up_and_feeds_the_watchdog(
    manager: Manager,
) -> None:
    manager.table.mkdir()
    (manager.table / "kortstalis.toml").write_text('camera = "/dev/video97"\n')
    (manager.table / "journal.sqlite").write_bytes(b"\0" * 9000)
    manager.start()
    manager.hears(b"READY=1")
    assert manager.failed_starts() == "1\n"
    manager.hears(b"WATCHDOG=1")
    manager.hears(b"WATCHDOG=1")
    status, err = manager.stop()
    manager.hears(b"STOPPING=1")
    assert status == 0
    assert "the journal was damaged; it is kept as" in err
    assert "no display" in err
    assert "Traceback" not in err
    assert manager.failed_starts() == "0\n"


def test_after_two_killed_starts_it_starts_safely_though_nothing_can_be_stored(manager: Manager) -> None:
    manager.table.mkdir()
    (manager.table / "failed-starts").write_text("2\n")
    (manager.table / "kortstalis.toml").write_text("wrong = 1\n")
    (manager.table / "journal.sqlite").mkdir()  # in the way
    manager.start()
    manager.hears(b"READY=1")
    manager.hears(b"WATCHDOG=1")
    status, err = manager.stop()
    assert status == 0
    assert "two starts failed; started safely, with the defaults" in err
    assert "journal.sqlite: the journal cannot be opened" in err


@pytest.mark.parametrize("camera", ["0", "/dev/video97", "csi"])
@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "@nobody"}])
def test_a_camera_that_is_missing_ends_nothing_but_a_film_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: str, environment: dict[str, str]
) -> None:
    def none(name: str) -> Source:
        raise SourceError(f"camera {name}: cannot be opened")

    monkeypatch.setattr("appliance.appliance.open_source", none)

    def opened(name: str) -> tuple[Source, SteadyCamera | None]:
        notifier, starts = Notifier(environment, 1), Starts(tmp_path)
        return Appliance(Config(camera=name), notifier, starts)._open_camera()

    source, steady = opened(camera)
    assert steady is source
    assert steady is not None
    steady._sleep = lambda seconds: None
    steady.read()
    assert (steady.state, steady.reason) == ("missing", f"camera {camera}: cannot be opened")
    with pytest.raises(Failure, match=r"film\.mp4: cannot be opened"):
        opened("film.mp4")


@pytest.mark.parametrize(
    ("code", "deeds", "said"),
    [
        (IOERR_FSYNC, ("sync",), "disk I/O error"),
        pytest.param(FULL, ("write",), "database or disk is full", marks=pytest.mark.slow),
        pytest.param(READONLY, ("open", "write"), "unable to open database file", marks=pytest.mark.slow),
    ],
)
def test_a_disk_that_takes_nothing_is_said_once_and_the_table_stays_up(
    manager: Manager, code: int, deeds: tuple[str, ...], said: str
) -> None:
    faulty = (
        "from bench.disk import Disk; disk = Disk(); disk.__enter__(); "
        f"disk.refuse = lambda deed, name: {code} if deed in {deeds} else 0"
    )
    manager.start(before=faulty)
    manager.hears(b"READY=1")
    manager.hears(b"WATCHDOG=1")
    manager.hears(b"WATCHDOG=1")
    status, err = manager.stop()
    assert status == 0
    lines = [line for line in err.splitlines() if "journal" in line]
    assert len(lines) == 1
    assert said in lines[0]
    assert "Traceback" not in err
