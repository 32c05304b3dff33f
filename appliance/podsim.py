"""Simulated seat pods: the real firmware core behind a pseudo-terminal."""

from __future__ import annotations

import os
import time
import tty
from collections.abc import Callable
from typing import Protocol

from appliance.pods import Pods, SerialPort
from firmware import wire
from firmware.core import Core

BOARD = "simulated"


class Brain(Protocol):
    """What is asked of the firmware: `firmware.core.Core`, or one that runs elsewhere."""

    def step(self, now: int, received: bytes, levels: int) -> bytes: ...


def simulated_core(boot: int) -> Core:
    """The core as `firmware/main.py` would make it."""
    return Core(boot, wire.PODS, wire.HAS_LAMPS | wire.HAS_LIGHT | wire.HAS_BUZZER, BOARD)


class PodSimulator:
    """Pods on a pseudo-terminal: `path` is what a host opens, `turn` does one turn of the firmware's loop.

    `levels`: which buttons are held, as the firmware sees them. `unplug` and `plug` are what they say;
    plugged in again, it has another path.
    """

    def __init__(self, brain: Brain) -> None:
        self.brain = brain
        self.levels = 0
        self.path = ""
        self._master = -1
        self._slave = -1
        self.plug()

    def plug(self) -> None:
        """A new pseudo-terminal."""
        self._master, self._slave = os.openpty()
        # The slave stays open here too: bytes sent before a host has opened it are not lost to us.
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)

    def unplug(self) -> None:
        """The device is gone: a host that has it open gets an error."""
        if self._master >= 0:
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def press(self, pod: int, button: int) -> None:
        """A button goes down (pod from 0)."""
        self.levels |= 1 << (2 * pod + button)

    def release(self, pod: int, button: int) -> None:
        """A button comes up."""
        self.levels &= ~(1 << (2 * pod + button))

    def fileno(self) -> int:
        """What to wait on for bytes of the host."""
        return self._master

    def turn(self, now: int) -> None:
        """One turn of the loop at `now` milliseconds."""
        sent = self.brain.step(now, self._read(), self.levels)
        if sent and self._master >= 0:
            try:
                os.write(self._master, sent)
            except BlockingIOError:
                pass  # nobody reads; the firmware sends again what must arrive
            except OSError:
                self.unplug()

    def _read(self) -> bytes:
        if self._master < 0:
            return b""
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""
        except OSError:
            return b""


def simulated_pods(simulator: PodSimulator, clock: Callable[[], float] = time.monotonic) -> Pods:
    """Pods over the simulator's terminal, whose firmware takes a turn whenever the host looks at its port."""

    class Port(SerialPort):
        def read_waiting(self) -> bytes:
            simulator.turn(int(clock() * 1000))
            return super().read_waiting()

    return Pods(find=lambda: [simulator.path], open_port=Port)
