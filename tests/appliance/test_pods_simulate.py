"""`kortstalis pods simulate --link`: the name is its own, and goes with it however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.cli import main
from appliance.commands import pods as command
from tests.shared import ROOT

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heed() -> None:
    """The tests may run where some of these are ignored, which children inherit."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def started(link: Path) -> subprocess.Popen[str]:
    """Simulated pods in another process, named."""
    process = subprocess.Popen(
        [sys.executable, "-m", "appliance", "pods", "simulate", "--link", str(link)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=heed,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == f"{link}\n"
    return process


@pytest.mark.parametrize("number", SIGNALS)
def test_the_name_goes_with_the_simulator_also_just_after_it_was_printed(
    tmp_path: Path, number: signal.Signals
) -> None:
    link = tmp_path / "pods"
    process = started(link)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert not link.is_symlink()


def test_a_name_in_use_is_not_taken_and_one_left_behind_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "pods"
    first = started(link)
    target = os.readlink(link)
    assert main(["pods", "simulate", "--link", str(link)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"kortstalis: {link}: that is another's name, of {target}: ")
    assert os.readlink(link) == target
    first.kill()
    first.communicate(timeout=60)
    assert link.is_symlink()
    link.unlink()
    link.symlink_to("/dev/pts/none")  # as a killed one leaves it, however the numbers are given out
    second = started(link)
    assert os.readlink(link) != "/dev/pts/none"
    second.terminate()
    second.communicate(timeout=60)
    assert not link.is_symlink()


@pytest.mark.parametrize("now", ["another's", "a file", "nothing"])
def test_a_name_that_is_no_longer_its_own_is_left(tmp_path: Path, now: str) -> None:
    link = tmp_path / "pods"
    if now == "another's":
        link.symlink_to("/dev/pts/8")
    elif now == "a file":
        link.touch()
    command._unlink(link, "/dev/pts/7")
    assert os.path.lexists(link) == (now != "nothing")
    if now == "another's":
        command._unlink(link, "/dev/pts/8")
        assert not os.path.lexists(link)
