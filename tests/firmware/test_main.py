"""main.py's loop on stand-ins for a Pico's modules: pins, watchdog, lamps, and when it speaks."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from appliance.podlink import Lamp, LinkState, Outputs, PodLink
from firmware import core, debounce, wire
from tests.shared import ROOT


class Reset(Exception):
    """The board has been reset."""


class Over(Exception):
    """The test has seen enough."""


class Pico:
    """A Pico with a host on its serial line; `watch` is called once a loop with the milliseconds."""

    def __init__(self) -> None:
        self.ms = 2**30 - 50  # where the ticks of MicroPython wrap around
        self.fed: list[int] = []
        self.pressed: set[int] = set()
        self.pwm: dict[int, Any] = {}
        self.chain: list[tuple[int, ...]] = []
        self.received = bytearray()
        self.sent = bytearray()
        self.watch: Any = lambda: None

    def modules(self) -> dict[str, ModuleType]:
        pico = self

        class Pin(SimpleNamespace):
            IN, PULL_UP = 0, 1

            def __init__(self, number: int, *how: int) -> None:
                super().__init__(number=number, how=how)

            def value(self) -> int:
                return 0 if self.number in pico.pressed else 1

        class Pwm:
            def __init__(self, pin: Pin) -> None:
                pico.pwm[pin.number] = self
                self.hertz = self.duty = 0

            def freq(self, hertz: int) -> None:
                self.hertz = hertz

            def duty_u16(self, duty: int) -> None:
                self.duty = duty

        class Chain:
            def __init__(self, pin: Pin, count: int, bpp: int) -> None:
                self.colours: list[tuple[int, ...]] = [(0,) * bpp] * count

            def __setitem__(self, at: int, colour: tuple[int, ...]) -> None:
                assert len(colour) == len(self.colours[at])
                self.colours[at] = colour

            def write(self) -> None:
                pico.chain = list(self.colours)

        def reset() -> None:
            raise Reset

        def wait(milliseconds: int) -> None:
            pico.watch()
            pico.ms += milliseconds

        poll = SimpleNamespace(register=lambda *_: None, poll=lambda _: bool(pico.received))
        watchdog = SimpleNamespace(feed=lambda: pico.fed.append(pico.ms))
        stand_ins = {
            "machine": {"Pin": Pin, "PWM": Pwm, "WDT": lambda timeout: watchdog, "reset": reset},
            "micropython": {"kbd_intr": lambda key: None},
            "neopixel": {"NeoPixel": Chain},
            "select": {"poll": lambda: poll, "POLLIN": 1},
            "time": {
                "ticks_ms": lambda: pico.ms % 2**30,
                "ticks_diff": lambda a, b: (a - b + 2**29) % 2**30 - 2**29,
                "sleep_ms": wait,
            },
        }
        made: dict[str, ModuleType] = {"wire": wire, "core": core, "debounce": debounce}
        for name, content in stand_ins.items():
            made[name] = ModuleType(name)
            made[name].__dict__.update(content)
        return made

    def read(self, count: int) -> bytes:
        assert count == 1  # more could block on a Pico
        return bytes((self.received.pop(0),))


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Pico, Any]:
    """A Pico and main.py loaded on it, in a folder of its own."""
    pico = Pico()
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("pico_main", ROOT / "firmware" / "main.py")
    assert spec is not None
    assert spec.loader is not None
    main = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patch:
        for name, module in pico.modules().items():
            patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(main)
    main.sys = SimpleNamespace(  # type: ignore[attr-defined]
        stdin=SimpleNamespace(buffer=SimpleNamespace(read=pico.read)),
        stdout=SimpleNamespace(buffer=SimpleNamespace(write=pico.sent.extend)),
        implementation=SimpleNamespace(_machine="Raspberry Pi Pico with RP2040"),
    )
    return pico, main


def run(pico: Pico, main: Any, turns: int, host: PodLink | None = None) -> list[Any]:
    """Lets the loop turn; what the host gets."""
    events: list[Any] = []
    left = turns

    def watch() -> None:
        nonlocal left
        left -= 1
        if host is not None:
            events.extend(host.receive(bytes(pico.sent), pico.ms / 1000))
            pico.sent.clear()
            pico.received += host.send(pico.ms / 1000)
        if left == 0:
            raise Over

    pico.watch = watch
    with pytest.raises(Over):
        main.run()
    return events


def test_without_a_host_it_says_nothing_and_shows_so(board: tuple[Pico, Any]) -> None:
    pico, main = board
    pico.pressed = {2}
    run(pico, main, 1000)
    assert pico.sent == b""
    assert all(red > 0 or green == 0 for red, green, _ in pico.chain)
    assert len(set(pico.chain)) == 1
    assert pico.pwm[17].hertz == 20_000
    assert pico.pwm[17].duty == 128 * 257
    assert max(b - a for a, b in zip(pico.fed, pico.fed[1:], strict=False)) < 10


def test_lamps_light_tone_and_presses(board: tuple[Pico, Any]) -> None:
    pico, main = board
    host = PodLink()
    host.opened()
    host.show(Outputs(255, wire.TONE_WRONG, (Lamp(10, 20, 30), Lamp(200, 0, 0, wire.BLINK))))
    pico.pressed = {13}
    events = run(pico, main, 300, host)
    assert host.state is LinkState.UP
    assert host.board == "Raspberry Pi Pico with RP2040 0.1"
    assert [(event.pod, event.button, event.down) for event in events] == [(5, 1, True)]
    assert pico.chain[0] == (10, 20, 30)
    assert pico.chain[1] in ((200, 0, 0), (0, 0, 0))
    assert (pico.pwm[17].duty, pico.pwm[18].hertz, pico.pwm[18].duty) == (65535, 220, 32768)


def test_lamps_of_another_type_are_one_number_away(board: tuple[Pico, Any]) -> None:
    pico, main = board
    main.LAMP_BYTES = 4
    host = PodLink()
    host.opened()
    host.show(Outputs(0, 0, (Lamp(10, 20, 30),)))
    run(pico, main, 300, host)
    assert pico.chain == [(10, 20, 30, 0), *[(0, 0, 0, 0)] * 5]


def test_maintenance_restarts_into_the_prompt_once(board: tuple[Pico, Any]) -> None:
    pico, main = board
    host = PodLink()
    host.opened()

    def watch() -> None:
        host.receive(bytes(pico.sent), pico.ms / 1000)
        pico.sent.clear()
        if host.state is LinkState.UP:
            host.maintain()
        pico.received += host.send(pico.ms / 1000)

    pico.watch = watch
    with pytest.raises(Reset):
        main.run()
    assert os.listdir() == ["maintenance"]
    main.run()  # returns to the prompt
    assert os.listdir() == []
