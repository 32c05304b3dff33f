"""`kortstalis pods` and `kortstalis firmware flash` against simulated pods in another process."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance import pods as pods_module
from appliance.cli import main
from appliance.commands import firmware as command
from appliance.commands import pods as pods_command
from appliance.failure import Failure
from appliance.podsim import PodSimulator, simulated_core
from firmware import wire
from firmware.core import Core
from tests.shared import ROOT


class Simulated:
    """`kortstalis pods simulate`, its name, and what it prints when something lights up."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "appliance", "pods", "simulate"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.path = self.process.stdout.readline().strip()
        self.timer = threading.Timer(60, self.process.kill)  # so that waiting for a line ends
        self.timer.start()

    def shows(self, text: str) -> bool:
        """Whether that is shown sooner or later."""
        assert self.process.stderr is not None
        return any(text in line for line in iter(self.process.stderr.readline, ""))

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()


@pytest.fixture
def simulated() -> Iterator[Simulated]:
    simulated = Simulated()
    yield simulated
    simulated.timer.cancel()
    simulated.process.kill()
    simulated.process.communicate()


def test_version_light_lamp_and_watch(
    simulated: Simulated,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "kortstalis").mkdir()
    (tmp_path / "kortstalis" / "kortstalis.toml").write_text("light = 0.8\n")
    assert simulated.path.startswith("/dev/pts/")
    assert simulated.shows("light 128 tone 0 lamps 301800 301800 301800 301800 301800 301800")
    device = ["--device", simulated.path]
    assert main(["pods", "version", "--json", *device]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "device": simulated.path, "board": "simulated", "firmware": "0.1", "protocol": 1, "pods": 6,
        "has": ["lamps", "light", "buzzer"],
    }  # fmt: skip
    assert main(["pods", "light", "60", *device]) == 0
    assert simulated.shows("light 153 tone 0 lamps 000000 000000 000000 000000 000000 000000")
    assert main(["pods", "lamp", "2", "red", "--seconds", "0", *device]) == 0
    assert simulated.shows("light 204 tone 0 lamps 000000 ff0000 000000 000000 000000 000000")
    assert main(["pods", "lamp", "9", *device]) == 2
    capsys.readouterr()
    simulated.type("3 take\n")
    assert main(["pods", "watch", "--json", "--count", "2", *device]) == 0
    presses = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert presses == [
        {"seat": 3, "button": "take", "down": True},
        {"seat": 3, "button": "take", "down": False},
    ]


def test_lines_typed_at_once_are_presses_one_after_another(
    simulated: Simulated, capsys: pytest.CaptureFixture[str]
) -> None:
    simulated.type("3 take\nnonsense\n3 take\n1 call\n")
    assert simulated.shows("a press is a pod and a button: 3 take")
    assert main(["pods", "watch", "--json", "--count", "6", "--device", simulated.path]) == 0
    presses = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(press["seat"], press["button"], press["down"]) for press in presses] == [
        (3, "take", True), (3, "take", False), (3, "take", True), (3, "take", False),
        (1, "call", True), (1, "call", False),
    ]  # fmt: skip


def test_a_device_that_only_echoes_or_says_nothing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pods_command, "_GREETING_S", 0.2)
    master, slave = os.openpty()  # in its first mode a terminal echoes
    path = os.ttyname(slave)
    assert main(["pods", "version", "--device", path]) == 2
    assert capsys.readouterr().err == (
        f"kortstalis: {path}: no seat pods answer; is their firmware there? (kortstalis firmware flash)\n"
    )
    os.close(slave)
    os.close(master)


def test_a_device_that_is_no_pods_hides_none_that_are(
    simulated: Simulated, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pods_command, "_GREETING_S", 1.0)
    silent = PodSimulator(simulated_core(1))  # which nobody gives a turn
    monkeypatch.setattr(pods_module, "PATTERNS", (silent.path, simulated.path))
    assert main(["pods", "version"]) == 0
    assert f"device {simulated.path}" in capsys.readouterr().out
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: True)
    assert main(["firmware", "flash"]) == 2
    assert capsys.readouterr().err == (
        f"kortstalis: several boards are connected: name one with --device: {silent.path}, {simulated.path}\n"
    )
    silent.unplug()


def test_list_says_what_is_there(
    simulated: Simulated, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pods_module, "PATTERNS", (simulated.path, "/dev/none*"))
    assert main(["pods", "list"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"device {simulated.path}  board simulated  firmware 0.1")
    monkeypatch.setattr(pods_module, "PATTERNS", ("/dev/none*",))
    assert main(["pods", "list", "--json"]) == 1
    assert capsys.readouterr() == ("", "kortstalis: no seat pods are connected\n")


def test_flashing_without_mpremote_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["firmware", "flash", "--device", "/dev/null"]) == 2
    assert capsys.readouterr().err == (
        "kortstalis: mpremote is not installed: .venv/bin/pip install -e '.[firmware]'\n"
    )


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
