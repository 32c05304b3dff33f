"""The real pods.py on pseudo-terminals with the real firmware core behind them; all clocks are ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance import pods as module
from appliance.demo import Demo, DemoSettings
from appliance.devices import Devices
from appliance.inputs import Press
from appliance.language import Language
from appliance.podlink import Lamp, LinkState, Outputs
from appliance.pods import Pods, SerialPort, Trouble
from appliance.podsim import Brain, PodSimulator, simulated_core
from firmware import wire
from firmware.core import NO_HOST, Core
from tests.appliance.podrig import Rig, downs


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


def test_greeting_presses_and_lamps_over_a_terminal(rig: Rig) -> None:
    rig.pods.link.show(Outputs(99, 1, (Lamp(1, 2, 3),)))
    assert rig.run(1000, rig.up)
    rig.press(2, wire.TAKE)
    rig.press(0, wire.CALL)
    assert rig.run(500, lambda: len(rig.events) == 4)
    assert downs(rig) == [(2, 0), (0, 1)]
    assert rig.run(500, lambda: rig.pods.link.settled)
    assert (rig.core.light, rig.core.tone, rig.core.lamps[:4]) == (99, 1, bytes((1, 2, 3, 0)))


def test_nobody_else_can_open_the_port(rig: Rig) -> None:
    assert rig.run(1000, rig.up)
    with pytest.raises(OSError, match=f"^{rig.simulator.path}: another program uses it$"):
        SerialPort(rig.simulator.path)


@pytest.mark.parametrize(
    ("path", "reason"),
    [("none", "No such file or directory"), ("", "Is a directory"), ("file", "no serial device")],
)
def test_what_cannot_be_opened_is_named_with_the_reason_once(tmp_path: Path, path: str, reason: str) -> None:
    (tmp_path / "file").touch()
    device = str(tmp_path / path)
    with pytest.raises(OSError) as error:
        SerialPort(device)
    assert str(error.value) == f"{device}: {reason}"


@pytest.mark.parametrize("rest", ["", "x", ":", "a:b", "a:99999999", "[", "[::1", "?x", "//"])
@pytest.mark.parametrize("scheme", ["socket", "rfc2217"])
def test_half_a_url_is_said_to_be_no_device(scheme: str, rest: str) -> None:
    url = f"{scheme}://{rest}"
    with pytest.raises(OSError) as error:
        SerialPort(url)
    assert str(error.value) == f"{url}: no serial device (a URL is as socket://HOST:PORT)"


def filled(path: str | None) -> list[str]:
    return [] if path is None else [path]


def test_a_press_that_came_just_before_the_device_went_counts_once(rig: Rig) -> None:
    """Heard in the same look in which the acknowledgement can no longer be sent."""

    class Port(SerialPort):
        def read_waiting(self) -> bytes:
            data = super().read_waiting()
            if rig.simulator.levels:
                rig.simulator.turn(rig.ms + 20)
                data += super().read_waiting()
                rig.unplug()
            return data

    rig.pods = Pods(find=lambda: filled(rig.path), open_port=Port)
    assert rig.run(1000, rig.up)
    rig.simulator.press(1, wire.TAKE)
    assert rig.run(100, lambda: rig.trouble() is Trouble.GONE)
    assert downs(rig) == [(1, 0)]
    rig.simulator.levels = 0
    rig.plug()
    assert rig.run(3000, rig.up)
    rig.run(500)
    assert [event.down for event in rig.events] == [True, False]


def test_after_unplugging_lamps_and_waiting_presses_come_through_under_another_name(rig: Rig) -> None:
    assert rig.run(1000, rig.up)
    before = rig.simulator.path
    rig.unplug()
    assert rig.run(50, lambda: rig.trouble() is Trouble.GONE)
    rig.press(4, wire.TAKE)
    rig.pods.link.show(Outputs(10, 0, (Lamp(9, 9, 9),)))
    keeper = PodSimulator(simulated_core(1))  # takes the old name, if names are given out again
    rig.plug()
    assert rig.simulator.path != before
    assert rig.run(3000, rig.up)
    assert rig.run(1000, lambda: rig.pods.link.settled and len(rig.events) == 2)
    assert downs(rig) == [(4, 0)]
    assert rig.core.lamps[:4] == bytes((9, 9, 9, 0))
    keeper.unplug()


def test_a_board_that_says_nothing_more_is_on_the_screen_within_five_seconds(rig: Rig) -> None:
    assert rig.run(1000, rig.up)
    rig.simulator.brain = Dumb()
    lost = rig.ms
    assert rig.run(10_000, lambda: rig.trouble() is Trouble.SILENT)
    assert rig.ms - lost <= 5000
    rig.simulator.brain = rig.core
    assert rig.run(10_000, rig.up)


class Dumb:
    """A board whose program has died with its port open."""

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        return b""


class Garbage:
    """A board that talks nonsense."""

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        return b"~\x05~~MicroPython v1.20\r\n>>> "


class Other:
    """A board whose firmware speaks another version of the wire."""

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        return wire.frame(1, bytes((wire.HELLO, 9)) + b"whatever it says then") if received else b""


class Echo:
    """A device that sends back what it gets."""

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        return received


@pytest.mark.parametrize("brain", [Dumb(), Garbage(), Echo()])
def test_a_device_that_is_there_is_never_said_to_be_missing(rig: Rig, brain: Brain) -> None:
    rig.simulator.brain = brain
    seen = set()
    assert not rig.run(8000, lambda: seen.add(rig.trouble()) is not None)
    assert seen == {Trouble.UNTRIED, Trouble.SILENT}


def test_a_device_plugged_in_late_is_not_missing_while_it_is_being_greeted(rig: Rig) -> None:
    rig.unplug()
    assert rig.run(100, lambda: rig.trouble() is Trouble.ABSENT)
    rig.plug()
    assert rig.run(3000, lambda: rig.trouble() is Trouble.UNTRIED)
    assert rig.run(1000, rig.up)


@pytest.mark.parametrize("name", ["dumb", "garbage", "echo", "other", "in use", "gone at once"])
@pytest.mark.parametrize("count", [1, 2])
def test_devices_that_are_no_pods_hide_none_that_are(rig: Rig, name: str, count: int) -> None:
    """Another board sorts before the pods': it is passed over, at the start and after every unplugging."""
    brains = {"dumb": Dumb, "garbage": Garbage, "echo": Echo, "other": Other}
    foreign = [PodSimulator(brains.get(name, Dumb)()) for _ in range(count)]
    held = [SerialPort(board.path) for board in foreign] if name == "in use" else []
    rig.others = [board.path for board in foreign]
    if name == "gone at once":
        rig.others = ["/dev/none1", "/dev/none2"][:count]

    def step() -> bool:
        for board in foreign:
            board.turn(rig.ms)
        return rig.up()

    assert rig.run(5000 * count, step)
    assert rig.pods.device == rig.simulator.path
    rig.unplug()
    rig.run(3000, lambda: step() and False)
    rig.plug()
    assert rig.run(7000 * count, step)
    rig.press(2, wire.TAKE)
    assert rig.run(200, lambda: len(rig.events) == 2)
    for port in held:
        port.close()
    for board in foreign:
        board.unplug()


@pytest.mark.parametrize("first", [True, False])
def test_pods_of_another_version_are_named_though_another_device_is_silent(rig: Rig, first: bool) -> None:
    foreign = PodSimulator(Dumb() if first else Other())
    rig.simulator.brain = Other() if first else Dumb()
    rig.others = [foreign.path]
    seen = []

    def step() -> bool:
        foreign.turn(rig.ms)
        seen.append(rig.trouble())
        return False

    rig.run(20_000, step)
    assert set(seen[1000:]) == {Trouble.REFUSED}
    foreign.unplug()


def test_one_device_with_two_names_is_found_once_under_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).touch()
    (tmp_path / "pods").symlink_to(tmp_path / "two")
    patterns = (f"{tmp_path}/pods", f"{tmp_path}/*o*", f"{tmp_path}/on*")
    monkeypatch.setattr(module, "PATTERNS", patterns)
    assert module.find_devices() == [f"{tmp_path}/pods", f"{tmp_path}/one"]


def test_a_device_that_talks_nonsense_is_opened_again_and_again_and_the_right_one_found(rig: Rig) -> None:
    rig.simulator.brain = Garbage()
    assert not rig.run(8000, rig.up)
    assert rig.trouble() is Trouble.SILENT
    rig.simulator.brain = rig.core
    assert rig.run(12_000, rig.up)


def test_a_host_that_dies_leaves_the_pods_with_no_host_and_the_light_on(rig: Rig) -> None:
    rig.pods.link.show(Outputs(99, 0, (Lamp(1, 2, 3),)))
    assert rig.run(1000, rig.up)
    rig.run(100)
    rig.pods.close()
    for _ in range(700):
        rig.ms += 5
        rig.simulator.turn(rig.ms)
    assert (rig.core.lamps, rig.core.light) == (NO_HOST * wire.PODS, 99)


def test_a_reset_in_mid_frame_loses_nothing_that_comes_after(rig: Rig) -> None:
    assert rig.run(1000, rig.up)
    rig.press(1, wire.TAKE)
    rig.run(500, lambda: len(rig.events) == 2)
    half = wire.frame(1, wire.pack(wire.BEAT, {"boot": 7, "time": 1, "revision": 1}))[:9]
    rig.simulator.brain = Interrupted(half, fresh := simulated_core(8))
    rig.run(1000)
    rig.press(3, wire.CALL)
    assert rig.run(3000, lambda: len(rig.events) == 4)
    assert downs(rig) == [(1, 0), (3, 1)]
    assert fresh.host


class Interrupted:
    """Half a frame, then a board that starts anew."""

    def __init__(self, half: bytes, core: Core) -> None:
        self._half = half
        self._core = core

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        half, self._half = self._half, b""
        return half + self._core.step(now, received, levels)


def test_each_trouble_has_its_words() -> None:
    def refuse(path: str) -> SerialPort:
        raise OSError("Permission denied")

    pods = Pods("/dev/x", open_port=refuse)
    pods.poll(0.0)
    assert pods.problem is not None
    assert pods.problem.text(Language("en")) == "The seat pods cannot be opened: Permission denied"


def test_retries_wait_longer_and_longer() -> None:
    tried: list[float] = []
    now = 0.0

    def refuse(path: str) -> SerialPort:
        tried.append(now)
        raise OSError("no")

    pods = Pods("/dev/x", open_port=refuse)
    for tick in range(100):
        now = tick / 10
        pods.poll(now)
    assert tried == [0.0, 0.2, 0.7, 1.7, 3.7, 5.7, 7.7, 9.7]


def test_a_demo_deal_goes_on_while_the_pods_come_and_go(rig: Rig) -> None:
    """Unplugged and plugged in under another name every few frames of a deal, pressed all the time."""
    demo = Demo(DemoSettings(seed=2, deals=1), None)
    taken: list[Press] = []

    class Watched(Devices):
        def poll(self) -> tuple[Press, ...]:
            rig.ms += 60
            rig.simulator.turn(rig.ms)
            frame = rig.ms // 60
            if frame % 8 == 3:
                rig.simulator.press(frame // 8 % 4, wire.TAKE)
                pressed.append(frame // 8 % 4 + 1)
            if frame % 8 == 5:
                rig.simulator.levels = 0
            if frame % 14 == frame // 14 % 14:  # at every moment of the other cycle
                rig.unplug()
            elif rig.path is None:
                rig.plug()
            rig.simulator.turn(rig.ms + 10)
            found = super().poll()
            taken.extend(found)
            rig.simulator.turn(rig.ms + 20)
            return found

    pressed: list[int] = []
    demo.service.devices = Watched(4, pods=rig.pods, clock=lambda: rig.seconds)
    assert demo.play()
    assert len(pressed) > 20
    for _ in range(200):
        rig.run(20)
    got = [press.seat for press in taken] + [event.pod + 1 for event in rig.events if event.down]
    assert got == pressed
    assert rig.pods.link.state is LinkState.UP


def test_another_version_is_refused_in_words_until_the_board_is_flashed(rig: Rig) -> None:
    rig.simulator.brain = Other()
    assert rig.run(2000, lambda: rig.trouble() is Trouble.REFUSED)
    assert not rig.run(8000, rig.up)
    assert rig.pods.problem is not None
    assert rig.pods.problem.text(Language("en")) == (
        "The seat pods speak version 9 of the wire, this program 1: flash their firmware again"
        " (kortstalis firmware flash)"
    )
    rig.simulator.brain = rig.core
    assert rig.run(12_000, rig.up)
