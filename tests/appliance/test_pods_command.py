"""`kortstalis pods` against simulated pods in another process."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance import pods as pods_module
from appliance.cli import main
from appliance.commands import firmware as command
from appliance.commands import pods as pods_command
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


@pytest.mark.parametrize("answers", [False, True])
def test_list_is_well_if_any_device_is_pods(
    answers: bool,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "b").touch()
    good = [request.getfixturevalue("simulated").path] if answers else []
    monkeypatch.setattr(pods_module, "PATTERNS", (f"{tmp_path}/a", *good, f"{tmp_path}/b"))
    assert main(["pods", "list", "--json"]) == (0 if answers else 1)
    said = json.loads(capsys.readouterr().out)
    assert [each["device"] for each in said] == [f"{tmp_path}/a", *good, f"{tmp_path}/b"]
    assert ["error" in each for each in said] == [True, *([False] * len(good)), True]


@contextlib.contextmanager
def board(monkeypatch: pytest.MonkeyPatch, core: Core) -> Iterator[tuple[PodSimulator, str]]:
    """A board in this process; its firmware takes a turn at each look of the host."""
    simulator = PodSimulator(core)

    class Port(pods_module.SerialPort):
        def read_waiting(self) -> bytes:
            simulator.turn(int(time.monotonic() * 1000))
            return super().read_waiting()

    def pods(path: str | None) -> pods_module.Pods:
        return real(path, open_port=Port)

    real = pods_module.Pods
    monkeypatch.setattr(pods_module, "Pods", pods)
    try:
        yield simulator, simulator.path
    finally:
        simulator.unplug()


@pytest.mark.parametrize(
    ("pods", "capabilities", "words", "said"),
    [
        (0, 7, ["lamp", "200"], "{path}: this board has no pods"),
        (0, 7, ["lamp"], "{path}: this board has no pods"),
        (200, 7, ["lamp", "200"], "there is no pod 200: there are 1 to 6"),
        (6, 7, ["lamp", "0"], "there is no pod 0: there are 1 to 6"),
        (6, wire.HAS_LIGHT, ["lamp", "1"], "{path}: this board has no lamps"),
        (6, wire.HAS_LIGHT, ["lamp"], "{path}: this board has no lamps"),
        (6, wire.HAS_LAMPS, ["light", "10"], "{path}: this board has no ring light"),
    ],
)
def test_what_a_board_does_not_have_is_said(
    pods: int,
    capabilities: int,
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    core = Core(1, 6, capabilities, "pico")
    core.pods = pods
    with board(monkeypatch, core) as (_, path):
        assert main(["pods", *words, "--device", path]) == 2
        assert capsys.readouterr().err == f"kortstalis: {said.format(path=path)}\n"


class Going(Core):
    """A board that goes at a message, before it has done what that says or some turns later."""

    def __init__(self, message: int, turns: int) -> None:
        super().__init__(1, 6, 7, "pico")
        self.message = message
        self.turns = turns
        self.going = False
        self.simulator: PodSimulator | None = None

    def _take(self, kind: int, fields: dict[str, int | bytes | str]) -> None:
        self.going = self.going or kind == self.message
        if not self.going or self.turns:
            super()._take(kind, fields)

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        said = super().step(now, received, levels)
        if self.going:
            self.turns -= 1
        if self.turns < 0 and self.simulator is not None:
            self.simulator.unplug()
        return said


@pytest.mark.parametrize(
    ("words", "message", "turns"),
    [
        (["lamp", "1", "red", "--seconds", "50"], wire.OUTPUT, 20),
        (["lamp", "1", "red", "--seconds", "50"], wire.OUTPUT, 0),
        (["lamp"], wire.OUTPUT, 20),
        (["light", "40"], wire.OUTPUT, 0),
        (["watch"], wire.BEAT, 20),
    ],
)
def test_pods_that_go_while_a_command_runs_end_it(
    words: list[str],
    message: int,
    turns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    core = Going(message, turns)
    with board(monkeypatch, core) as (core.simulator, path):
        assert main(["pods", *words, "--device", path]) == 2
        assert capsys.readouterr().err == f"kortstalis: {path}: the seat pods are gone\n"


@pytest.mark.parametrize("number", ["1_0", "+5", "-5", " 5", "５", "1e1", "9" * 5000, ""])
@pytest.mark.parametrize("words", [["light"], ["lamp"], ["watch", "--count"]])
def test_a_number_is_digits(words: list[str], number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pods", *words, number, "--device", "/dev/none"]) == 2
    assert capsys.readouterr().err.endswith(f"(see kortstalis pods {words[0]} --help)\n")


def test_list_says_what_is_there(
    simulated: Simulated, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pods_module, "PATTERNS", (simulated.path, "/dev/none*"))
    assert main(["pods", "list"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"device {simulated.path}  board simulated  firmware 0.1")
    monkeypatch.setattr(pods_module, "PATTERNS", ("/dev/none*",))
    assert main(["pods", "list", "--json"]) == 1
    assert capsys.readouterr() == ("[]\n", "kortstalis: no seat pods are connected\n")
