"""The whole firmware, main.py included, under MicroPython's unix port: the board as a process of its own."""

from __future__ import annotations

import os
import subprocess
import tty
from dataclasses import dataclass
from pathlib import Path

from tests.shared import ROOT

HERE = Path(__file__).parent / "micropython"
MICROPYTHON = HERE / "unix" / "micropython"
# What the whole firmware may take of a Pico's 192 kB; here pointers are twice as long, so it is hard.
HEAP = 60 * 1024


def missing() -> str | None:
    """Why there is no unix port, or None."""
    if not os.access(MICROPYTHON, os.X_OK):
        return "MicroPython's unix port is not built: tests/firmware/micropython/build-unix"
    return None


@dataclass(frozen=True)
class Turn:
    """What a turn of the loop put on the pins. `taken`: microseconds; `heap`: bytes in use."""

    lamps: bytes
    light: int
    tone: int
    taken: int
    heap: int


class UnixBoard:
    """A board on a pseudo-terminal. `path`: what a host opens; `shown`: the last turn.

    `reset`: whether it has asked for a reset, which is `stop` and `start`: the terminal stays.
    `folder`: the board's files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.levels = 0
        self.turns: list[Turn] = []
        self.reset = False
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def shown(self) -> Turn:
        return self.turns[-1]

    def start(self) -> None:
        """The board begins anew."""
        commands, self._commands = os.pipe()
        outputs, answers = os.pipe()
        self._answers = os.fdopen(outputs)
        path = f"{HERE / 'pico'}:{ROOT / 'firmware'}"
        self._process = subprocess.Popen(
            [str(MICROPYTHON), "-X", f"heapsize={HEAP}", str(ROOT / "firmware" / "main.py")],
            stdin=self._master,
            stdout=self._master,
            pass_fds=(commands, answers),
            cwd=self.folder,
            env={"MICROPYPATH": path, "PICO_IN": str(commands), "PICO_OUT": str(answers)},
        )
        os.close(commands)
        os.close(answers)

    def stop(self) -> None:
        """The board stops where it stands."""
        assert self._process is not None
        os.close(self._commands)
        self._process.wait(10)
        self._answers.close()

    def prompt(self) -> bool:
        """Whether the program ends by itself, in MicroPython's prompt, without being told anything."""
        assert self._process is not None
        return self._process.wait(10) == 0

    def turn(self, now: int) -> None:
        """One turn of the loop at `now` milliseconds."""
        os.write(self._commands, b"%d %d\n" % (now, self.levels))
        line = self._answers.readline()
        assert line, "the firmware has ended"
        if line == "reset\n":
            self.reset = True
            return
        lamps, *numbers = line.split(" ")
        self.turns.append(Turn(bytes.fromhex(lamps), *(int(number) for number in numbers)))

    def says(self, data: bytes) -> None:
        """Bytes that the host hears, whoever sent them."""
        os.write(self._master, data)

    def hears(self, data: bytes) -> None:
        """Bytes that the board hears, whoever sent them."""
        os.write(self._slave, data)

    def close(self) -> None:
        """Ends it."""
        self.stop()
        os.close(self._slave)
        os.close(self._master)
