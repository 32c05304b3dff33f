"""main.py and all it uses under MicroPython's unix port, with the real pods.py over a pseudo-terminal."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.podlink import Lamp, LinkState, Outputs, PodEvent
from appliance.pods import Pods, Trouble
from firmware import wire
from tests.firmware.unix_board import UnixBoard, missing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(missing() is not None, reason=str(missing()))]

RED = bytes((255, 0, 0))


class Table:
    """The host and the board on one clock in milliseconds."""

    def __init__(self, folder: Path) -> None:
        self.board = UnixBoard(folder)
        self.pods = Pods(self.board.path)
        self.now = 0
        self.events: list[PodEvent] = []

    def run(
        self,
        milliseconds: int,
        until: Callable[[], bool] = lambda: False,
        board: bool = True,
        host: bool = True,
    ) -> bool:
        """Lets time pass; whether `until` came true."""
        for _ in range(milliseconds // 2):
            self.now += 2
            if board:
                self.board.turn(self.now)
            if host:
                self.events += self.pods.poll(self.now / 1000)
            if until():
                return True
        return False

    def up(self) -> bool:
        return self.pods.problem is None and self.pods.link.settled

    def press(self, number: int) -> None:
        self.board.levels = 1 << number
        self.run(20)
        self.board.levels = 0
        self.run(20)

    def seen(self) -> list[tuple[int, bool]]:
        return [(2 * event.pod + event.button, event.down) for event in self.events]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.pods.link.show(Outputs(77, 3, (Lamp(255, 0, 0), Lamp(0, 0, 40, wire.BLINK))))
    assert table.run(2000, table.up)
    yield table
    table.pods.close()
    table.board.close()


def test_hello_presses_and_lamps(table: Table) -> None:
    link = table.pods.link
    assert (link.state, link.pods, link.capabilities) == (LinkState.UP, 6, 7)
    assert link.board.endswith(" 0.1")
    for number in range(12):
        table.press(number)
    assert table.seen() == [(number, down) for number in range(12) for down in (True, False)]
    table.run(800)
    shown = table.board.shown
    assert (shown.light, shown.tone) == (77 * 257, 1320)
    blue = {turn.lamps[3:6] for turn in table.board.turns[-400:]}
    assert blue == {bytes(3), bytes((0, 0, 40))}
    assert {turn.lamps[:3] for turn in table.board.turns[-400:]} == {RED}


def test_a_silent_host_and_a_silent_board_are_noticed_and_come_back(table: Table) -> None:
    lost = table.now
    assert table.run(4000, lambda: table.board.shown.lamps[:3] != RED, host=False)
    assert 2900 <= table.now - lost <= 3100
    amber = [turn.lamps for turn in table.board.turns[-1:]]
    table.run(3000, host=False)
    amber += [turn.lamps for turn in table.board.turns[-1000:]]
    assert all(lamps == lamps[:3] * 6 and lamps[2] == 0 for lamps in amber)
    assert 40 < max(lamps[0] for lamps in amber) <= 48
    assert (table.board.shown.light, table.board.shown.tone) == (77 * 257, 0)
    assert table.run(3000, lambda: table.board.shown.lamps[:3] == RED)
    lost = table.now
    assert table.run(6000, lambda: table.pods.problem is not None, board=False)
    assert table.pods.problem is not None
    assert table.pods.problem.trouble is Trouble.SILENT
    assert table.now - lost <= 5000
    assert table.run(12_000, table.up)


def test_a_reset_in_mid_frame_of_both_sides_doubles_and_loses_nothing(table: Table) -> None:
    table.press(3)
    whole = wire.frame(9, wire.pack(wire.BEAT, {"boot": 7, "time": 5, "revision": 0}))
    outputs = wire.pack(wire.OUTPUT, {"revision": 9, "light": 9, "tone": 0, "lamps": bytes(24)})
    for cut in (1, 2, 9, len(whole) - 1):
        table.events.clear()
        table.board.stop()
        table.board.says(whole[:cut])
        table.board.hears(wire.frame(9, outputs)[: 5 * cut])
        table.board.start()
        table.board.turns.clear()
        assert table.run(4000, lambda: table.board.shown.lamps[:3] == RED)
        assert table.run(4000, table.up)
        table.press(5)
        assert table.seen() == [(5, True), (5, False)]


def test_ten_thousand_presses_beside_noise_in_a_heap_of_sixty_kilobytes(table: Table) -> None:
    rng = random.Random(5)
    pressed: list[tuple[int, bool]] = []
    levels = 0
    for _ in range(10_000):
        number = rng.randrange(12)
        levels ^= 1 << number
        pressed.append((number, bool(levels >> number & 1)))
        table.board.levels = levels
        table.pods.link.show(Outputs(rng.randrange(256), 0, (Lamp(255, 0, 0),)))
        if rng.random() < 0.2:
            table.board.hears(rng.randbytes(rng.randrange(1, 60)))
        table.run(16)
    assert table.run(3000, lambda: len(table.events) == len(pressed))
    assert table.seen() == pressed


def test_maintenance_restarts_once_into_the_prompt(table: Table) -> None:
    table.pods.link.maintain()
    assert table.run(200, lambda: table.board.reset)
    assert os.listdir(table.board.folder) == ["maintenance"]
    for _ in range(2):
        table.board.stop()
        table.board.start()
        if table.board.reset:
            assert table.board.prompt()
            assert os.listdir(table.board.folder) == []
            table.board.reset = False
    table.pods.link.opened()
    table.pods.link._maintenance = False
    assert table.run(2000, table.up)
