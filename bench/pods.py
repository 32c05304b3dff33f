"""The seat pods: from a press to its event on the host over a pseudo-terminal, and the firmware's loop."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from appliance.podlink import Lamp, Outputs
from appliance.pods import Pods
from appliance.podsim import PodSimulator, simulated_core
from bench.figures import milliseconds, spread
from firmware import wire
from firmware.core import Core
from tests.firmware import unix_board
from tests.firmware.micropython_core import MicroPythonCore, missing

_PRESSES = 200


def run() -> None:
    """Prints the time from contact to event (the 6 ms of debouncing in it), and of a turn of the loop."""
    spread("contact → event, 6 ms of debouncing in it", presses(settle=True))
    spread("debounced press → event on the host", presses(settle=False))
    spread("firmware loop, CPython", loop())
    reason = missing()
    if reason is not None:
        print(f"  firmware loop, MicroPython: {reason}")
    else:
        with MicroPythonCore() as core:
            taken = [float(part) for part in core.ask("time 5000").split()]
            spread("the core's turn, MicroPython on node", taken)
            print(f"  {'memory of the core, MicroPython':44} {int(core.ask('memory')):12,} bytes")
    reason = unix_board.missing()
    if reason is not None:
        print(f"  main.py's loop, MicroPython's unix port: {reason}")
        return
    spread("main.py's loop, MicroPython's unix port", board())
    print(f"  {'heap it runs in':44} {unix_board.HEAP:12,} bytes")


class Timed:
    """The core, noting when the turn began in which a press was counted."""

    def __init__(self) -> None:
        self.counted: list[float] = []
        self._core = simulated_core(1)

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        began, waiting = time.perf_counter(), self._core.waiting
        sent = self._core.step(now, received, levels)
        if self._core.waiting > waiting:
            self.counted.append(began)
        return sent


def presses(settle: bool) -> list[float]:
    """Milliseconds from a press (or from its being debounced) to its event; the firmware runs in a thread."""
    core = Timed()
    simulator = PodSimulator(core)
    pods = Pods(simulator.path)
    ended = threading.Event()
    start = time.perf_counter()

    def turns() -> None:
        while not ended.is_set():
            simulator.turn(int((time.perf_counter() - start) * 1000))
            time.sleep(0.001)

    thread = threading.Thread(target=turns)
    thread.start()
    taken: list[float] = []
    try:
        rng = random.Random(1)
        _until(pods, lambda: pods.problem is None)
        for _ in range(_PRESSES):
            _wait(pods, 0.015 + rng.random() * 0.01)
            pressed = time.perf_counter()
            number = len(core.counted)
            simulator.levels ^= 1
            arrived = _until(pods, lambda: False)
            taken.append((arrived - (pressed if settle else core.counted[number])) * 1000)
    finally:
        ended.set()
        thread.join()
        pods.close()
        simulator.unplug()
    return taken


def loop() -> list[float]:
    """Milliseconds of a turn that takes outputs in and counts presses."""
    core = Core(1, wire.PODS, 7, "bench")
    fields: dict[str, int | bytes | str] = {"revision": 1, "light": 1, "tone": 0, "lamps": bytes(24)}
    frame = wire.frame(1, wire.pack(wire.OUTPUT, fields))
    now = 0

    def turn() -> None:
        nonlocal now
        now += 2
        core.step(now, frame, now >> 3 & 0xFFF)

    return milliseconds(turn, 5000)


def board() -> list[float]:
    """Milliseconds of a turn of main.py that counts presses, takes outputs in and shows them."""
    with tempfile.TemporaryDirectory() as folder:
        pico = unix_board.UnixBoard(Path(folder))
        pods = Pods(pico.path)
        for turn in range(5000):
            now = 2 * turn
            pico.levels = turn >> 3 & 0xFFF
            pods.link.show(Outputs(turn & 0xFF, 0, (Lamp(1, 2, 3, wire.PULSE),)))
            pods.poll(now / 1000)
            pico.turn(now)
        pods.close()
        pico.close()
    return [turn.taken / 1000 for turn in pico.turns]


def _until(pods: Pods, done: Callable[[], bool]) -> float:
    """Polls until an event has come or `done()`; when that was."""
    end = time.perf_counter() + 5
    while time.perf_counter() < end:
        events = pods.poll(time.perf_counter())
        if events or done():
            return time.perf_counter()
        time.sleep(0.0002)
    raise RuntimeError("the simulated pods do not answer")


def _wait(pods: Pods, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pods.poll(time.perf_counter())
        time.sleep(0.001)


if __name__ == "__main__":
    run()
