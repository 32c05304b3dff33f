"""`kortstalis firmware flash`: what is flashed, how it gets to the prompt, and what mpremote is told."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from appliance import pods as pods_module
from appliance.cli import main
from appliance.commands import firmware as command
from appliance.failure import Failure
from appliance.podsim import PodSimulator, simulated_core
from firmware import wire
from firmware.core import Core


def test_flashing_without_mpremote_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["firmware", "flash", "--device", "/dev/null"]) == 2
    assert capsys.readouterr().err == (
        "kortstalis: mpremote is not installed: .venv/bin/pip install -e '.[firmware]'\n"
    )


@pytest.mark.parametrize("what", ["file", "folder", "link to a file", "fifo", "/dev/null", "/dev/zero"])
def test_only_a_serial_device_is_flashed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    monkeypatch.setattr(command, "to_prompt", pytest.fail)
    path = Path(what) if what.startswith("/") else tmp_path / "device"
    if what == "folder":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    elif what == "file":
        path.touch()
    elif what == "link to a file":
        path.symlink_to(__file__)
    assert main(["firmware", "flash", "--device", str(path)]) == 2
    assert capsys.readouterr().err == f"kortstalis: {path}: no serial device\n"


def test_a_board_that_another_program_uses_is_not_flashed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    monkeypatch.setattr(command, "to_prompt", pytest.fail)
    simulator = PodSimulator(simulated_core(1))
    port = pods_module.SerialPort(simulator.path)
    assert main(["firmware", "flash", "--device", simulator.path]) == 2
    assert capsys.readouterr().err == f"kortstalis: {simulator.path}: another program uses it\n"
    port.close()
    simulator.unplug()


def test_flashing_copies_every_file_and_restarts() -> None:
    called: list[list[str]] = []

    def call(arguments: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        called.append(arguments)
        return subprocess.CompletedProcess(arguments, 0, "", "")

    command.flash("/dev/ttyACM0", call)
    (arguments,) = called
    assert arguments[1:6] == ["-m", "mpremote", "connect", "/dev/ttyACM0", "cp"]
    names = [Path(argument).name for argument in arguments[6:10]]
    assert names == ["wire.py", "debounce.py", "core.py", "main.py"]
    assert all(Path(argument).is_file() for argument in arguments[6:10])
    assert arguments[10:] == [":", "+", "reset"]


def test_what_mpremote_says_is_passed_on() -> None:
    def call(arguments: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(arguments, 1, "", "no device\nmpremote: failed to access /dev/x\n")

    with pytest.raises(Failure, match=r"^mpremote: failed to access /dev/x$"):
        command.flash("/dev/x", call)


def test_a_board_that_never_answers_mpremote_is_given_up_in_one_line() -> None:
    def call(arguments: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(arguments, how["timeout"])

    with pytest.raises(Failure, match=r"^/dev/x: MicroPython does not answer: unplug the board"):
        command.flash("/dev/x", call)


def test_simulated_pods_are_not_flashed() -> None:
    simulator = PodSimulator(simulated_core(1))
    ms = 0

    def wait(seconds: float) -> None:
        nonlocal ms
        ms += round(seconds * 1000)
        simulator.turn(ms)

    with pytest.raises(Failure, match="these pods are simulated: there is no board to write to"):
        command.to_prompt(simulator.path, lambda: ms / 1000, wait)
    assert not simulator.brain.maintenance  # type: ignore[attr-defined]
    simulator.unplug()


class Speaking(Core):
    """The firmware's core as one that speaks some version of the wire."""

    protocol = wire.PROTOCOL

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(wire, "PROTOCOL", self.protocol)
            return super().step(now, received, levels)


@pytest.mark.parametrize("protocol", [wire.PROTOCOL, wire.PROTOCOL + 1, 255])
def test_running_pods_of_any_version_are_brought_to_the_prompt_and_waited_for(
    tmp_path: Path, protocol: int
) -> None:
    core = Speaking(0xDEADBEEF, 6, 7, "pico")
    core.protocol = protocol
    simulator = PodSimulator(core)
    device = tmp_path / "pods"
    device.symlink_to(simulator.path)
    ms, restarted = 0, 0

    def wait(seconds: float) -> None:
        nonlocal ms, restarted
        ms += round(seconds * 1000)
        simulator.turn(ms)
        if core.maintenance and not restarted:
            simulator.unplug()
            device.unlink()
            restarted = ms
        elif restarted and ms > restarted + 300 and not device.is_symlink():
            simulator.plug()
            device.symlink_to(simulator.path)

    assert command.to_prompt(str(device), lambda: ms / 1000, wait)
    assert device.exists()
    assert 1300 < ms < 4000
    simulator.unplug()


def test_a_board_that_runs_something_else_is_left_to_mpremote(tmp_path: Path) -> None:
    ms = 0

    def wait(seconds: float) -> None:
        nonlocal ms
        ms += round(seconds * 1000)

    assert not command.to_prompt(str(tmp_path / "none"), lambda: ms / 1000, wait)
    assert 1500 <= ms < 1600
