"""The service in a container that boots systemd: installed from a clone, hung, updated, removed. Slow."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import ROOT
from tests.systemd.container import Container, made_root, why_not

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there can be one")]

# Makes a call of the program stand still as long as a file is there.
HANGS = """
import os, time
from appliance.keeper import Keeper
from appliance.screen.late import LateScreen
from appliance.steady import SteadyCamera

def hanging(kind, name, file):
    real = getattr(kind, name)
    def call(*words, **more):
        while os.path.exists(file):
            time.sleep(0.1)
        return real(*words, **more)
    setattr(kind, name, call)

hanging(SteadyCamera, "read", "/run/hangs/camera")
hanging(LateScreen, "show", "/run/hangs/screen")
hanging(Keeper, "ready", "/run/hangs/journal")
"""
MATCH = """
from pathlib import Path
from appliance.config import Config
from appliance.journal import Journal
from engine.actions import Action, play
from engine.cards import Rank, parse_card
from engine.record import DealLine, Header
config = Config()
with Journal.open(Path("/var/lib/kortstalis/journal.sqlite")) as journal:
    if journal.matches():
        raise SystemExit
    number = journal.begin(Header(config.game, config.players), "now", {})
    for content in (DealLine(), Action(1, "announce", rank=Rank.NINE), play(1, parse_card("h10"))):
        journal.append(number, content)
"""
PYTHON = "/opt/kortstalis/current/.venv/bin/python"
AS_TABLE = ("runuser", "-u", "kortstalis", "--")


def booted(release: str) -> Iterator[Container]:
    root = made_root(release)
    clone = root / "root/kortstalis"
    subprocess.run(["rm", "-rf", clone, root / "opt/kortstalis", root / "var/lib/kortstalis"], check=True)
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    # Where this machine's pip finds its packages, the container's does too.
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    named = [*pip.values(), "/etc/pip.conf", "/etc/xdg/pip", "/opt/pypi", "/opt/pypi-more"]
    shared = tuple(path for path in named if path.startswith("/") and Path(path).exists())
    running = Container(root, shared, pip)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def container() -> Iterator[Container]:
    yield from booted("bookworm")


def install(container: Container) -> str:
    container.run("git", "config", "--global", "--add", "safe.directory", "*")
    return container.run("/root/kortstalis/systemd/install", "--no-packages")


def test_it_is_installed_from_a_clone_and_runs(container: Container) -> None:
    assert "installed; the table starts with the machine" in install(container)
    assert container.unit("ActiveState", "SubState", "NRestarts") == ["active", "running", "0"]
    unit = "/etc/systemd/system/kortstalis.service"
    assert container.run("systemd-analyze", "verify", unit) == ""
    said = container.run("systemd-analyze", "security", "--no-pager", "kortstalis.service")
    exposure = float(said.split("Overall exposure level for kortstalis.service: ")[1].split()[0])
    assert exposure < 3.0
    container.run("systemctl", "stop", "kortstalis")
    begin = time.monotonic()
    container.run("systemctl", "start", "kortstalis")  # returns when the table can be used
    assert time.monotonic() - begin < 5.0


@pytest.mark.parametrize("part", ["camera", "screen", "journal"])
def test_a_hang_ends_in_a_restart_within_20_seconds_and_the_match_is_there(
    container: Container, part: str
) -> None:
    container.run("mkdir", "-p", "/run/hangs", "/etc/systemd/system/kortstalis.service.d")
    (container.root / "opt/kortstalis/hangs").mkdir(exist_ok=True)
    (container.root / "opt/kortstalis/hangs/sitecustomize.py").write_text(HANGS)
    (container.root / "etc/systemd/system/kortstalis.service.d/hangs.conf").write_text(
        "[Service]\nEnvironment=PYTHONPATH=/opt/kortstalis/hangs\n"
    )
    container.run("systemctl", "daemon-reload")
    container.run("systemctl", "stop", "kortstalis")
    container.run(*AS_TABLE, PYTHON, "-c", MATCH)
    container.run("systemctl", "reset-failed", "kortstalis")
    container.run("systemctl", "start", "kortstalis")
    (before,) = container.unit("MainPID")
    container.run("touch", f"/run/hangs/{part}")
    begin = time.monotonic()
    while container.unit("MainPID")[0] in (before, "0"):
        assert time.monotonic() - begin < 25.0
        time.sleep(0.2)
    container.run("rm", f"/run/hangs/{part}")
    while container.unit("ActiveState", "SubState") != ["active", "running"]:
        assert time.monotonic() - begin < 25.0
        time.sleep(0.2)
    took = time.monotonic() - begin
    print(f"hang of the {part}: active again after {took:.1f} s")
    assert took < 20.0
    (result,) = container.unit("NRestarts")
    assert result == "1"
    log = container.run("journalctl", "-u", "kortstalis", "--no-pager", "-n", "30")
    assert "Watchdog timeout" in log
    record = container.run("kortstalis-table", "matches", "export", "1", "--format", "kort")
    assert [line for line in record.splitlines() if ":" not in line] == ["deal", "1 announce 9", "1 play ♥10"]


def test_an_update_that_does_not_start_leaves_the_old_version_running(container: Container) -> None:
    old = container.run("readlink", "/opt/kortstalis/current").strip()
    clone = container.root / "root/kortstalis/appliance/appliance.py"
    good = clone.read_text()
    clone.write_text(good + "\nraise SystemExit(3)\n")
    said = container.run("sh", "-c", "/root/kortstalis/systemd/install --no-packages 2>&1 || echo status $?")
    clone.write_text(good)
    assert "status 1" in said
    assert f"not updated; the old version ({old}) is in place" in said
    assert container.run("readlink", "/opt/kortstalis/current").strip() == old
    assert container.unit("ActiveState", "SubState") == ["active", "running"]


def test_removing_it_keeps_the_matches(container: Container) -> None:
    container.run("/root/kortstalis/systemd/remove")
    assert container.run("systemctl", "is-active", "kortstalis", check=False).strip() != "active"
    assert (container.root / "var/lib/kortstalis/journal.sqlite").stat().st_size > 0
    assert (container.root / "etc/kortstalis/kortstalis.toml").exists()
    assert not (container.root / "opt/kortstalis/current").exists()


def test_on_trixie_it_is_installed_and_runs_too() -> None:
    for container in booted("trixie"):
        install(container)
        assert container.run("/opt/kortstalis/current/.venv/bin/python", "--version").startswith(
            "Python 3.13"
        )
        assert container.unit("ActiveState", "SubState", "NRestarts") == ["active", "running", "0"]
        assert container.run("systemd-analyze", "verify", "/etc/systemd/system/kortstalis.service") == ""
