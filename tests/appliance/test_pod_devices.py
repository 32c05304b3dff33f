"""What lamps, light and screen make of the pods, over a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from appliance.demo import Demo, DemoSettings
from appliance.devices import Devices
from appliance.inputs import Press
from appliance.lamps import RingLight, Signals, pod_lamps
from appliance.language import Language
from appliance.podlink import Outputs
from appliance.pods import Pods
from appliance.screen.model import Banner, Tone
from appliance.service import Service
from appliance.session import Session
from engine.record import Header
from engine.referee import Match
from firmware import wire
from firmware.core import NO_HOST
from firmware.debounce import STUCK_MS
from tests.appliance.podrig import Rig
from tests.appliance.test_health import Frames, Watcher
from tests.appliance.test_lamps import shown
from vision.types import TableEvent


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


@pytest.mark.parametrize(
    ("lines", "banner", "dispute", "said"),
    [
        ("deal\n1 announce 9\n1 play ♥10\n", None, False, Signals(turn=frozenset({2}))),
        (
            "deal\n1 announce 9\n",
            Banner(Tone.WRONG, "", seats=(3,)),
            False,
            Signals(turn=frozenset({1}), wrong=frozenset({3})),
        ),
        (
            "deal\n1 announce 9\n",
            Banner(Tone.GOOD, "", seats=(2, 4)),
            False,
            Signals(turn=frozenset({1}), winners=frozenset({2, 4})),
        ),
        ("deal\n", None, True, Signals(dispute=True)),
    ],
)
def test_what_changed_while_the_pods_were_away_is_on_their_lamps_when_they_are_back(
    rig: Rig, lines: str, banner: Banner | None, dispute: bool, said: Signals
) -> None:
    devices = Devices(4, pods=rig.pods, clock=lambda: rig.seconds)
    devices.show(shown("deal\n"))
    assert rig.run(1000, lambda: rig.pods.link.settled)
    rig.unplug()
    rig.run(4000)
    assert rig.core.lamps == NO_HOST * wire.PODS
    devices.show(shown(lines, banner), dispute)
    rig.plug()
    assert rig.run(3000, lambda: rig.pods.link.settled)
    assert rig.core.lamps == Outputs(lamps=pod_lamps(said)).lamp_bytes()


def test_a_stuck_button_of_a_pod_is_on_the_screen_and_the_others_work(rig: Rig) -> None:
    devices = Devices(4, pods=rig.pods, clock=lambda: rig.seconds)
    rig.simulator.press(2, wire.CALL)
    got: list[Press] = []
    for _ in range(STUCK_MS // 50 + 40):
        rig.ms += 50
        rig.simulator.turn(rig.ms)
        rig.simulator.turn(rig.ms + 8)
        got += devices.poll()
    assert devices.troubles(Language("en")) == ("The button of pod 3 (call) is stuck",)
    rig.simulator.press(0, wire.TAKE)
    for _ in range(4):
        rig.ms += 50
        rig.simulator.turn(rig.ms)
        got += devices.poll()
    assert got == [Press("call", "pod", 3), Press("take", "pod", 1)]


def test_a_table_too_dark_for_the_camera_is_lit_until_it_is_enough(rig: Rig) -> None:
    laid = [[], [TableEvent(0.0, "too_dark")], [], [], [TableEvent(0.0, "light_back")], [], []]
    devices = Devices(4, pods=rig.pods, light=RingLight(0.2), clock=lambda: rig.seconds)
    session = Session(Match(Header("dezertyras", ("A", "B", "C", "D"), 4)), Language("en"))
    watcher: Any = Watcher(laid)
    service = Service(Frames(), watcher, session, devices=devices)  # type: ignore[arg-type]
    levels = []
    for _ in range(7):
        rig.run(1000)
        assert service.step()
        rig.run(1000)
        levels.append(rig.core.light)
    assert levels == [51, 89, 128, 166, 166, 166, 166]


def test_no_pods_at_all_is_no_trouble_unless_they_are_expected() -> None:
    for expected, troubles in ((False, ()), (True, ("No seat pods are connected",))):
        devices = Devices(4, pods=Pods(find=list), expected=expected, clock=lambda: 0.0)
        assert devices.poll() == ()
        assert devices.troubles(Language("en")) == troubles


@pytest.mark.parametrize("expected", [False, True])
def test_before_the_first_look_nothing_is_said_of_the_pods(rig: Rig, expected: bool) -> None:
    """What is printed when the service starts must not be what is only not known yet."""
    for pods in (rig.pods, Pods("/dev/none"), Pods(find=list)):
        devices = Devices(4, pods=pods, expected=expected, clock=lambda: rig.seconds)
        assert devices.troubles(Language("en")) == ()


@pytest.mark.parametrize("expected", [False, True])
def test_pods_that_are_being_greeted_are_no_trouble(rig: Rig, expected: bool) -> None:
    devices = Devices(4, pods=rig.pods, expected=expected, clock=lambda: rig.seconds)
    for _ in range(20):
        devices.poll()
        assert devices.troubles(Language("en")) == ()
        rig.ms += 60
        rig.simulator.turn(rig.ms)
    assert rig.up()


def test_the_evening_ends_dark(rig: Rig) -> None:
    def wait(seconds: float) -> None:
        rig.ms += round(seconds * 1000)
        rig.simulator.turn(rig.ms)

    devices = Devices(4, pods=rig.pods, light=RingLight(0.4), clock=lambda: rig.seconds, wait=wait)
    demo = Demo(DemoSettings(), None)
    demo.service.devices = devices
    for _ in range(20):
        wait(0.1)
        demo.service.draw()
    assert rig.core.light == 102
    rig.simulator.press(2, wire.TAKE)
    wait(0.01)
    wait(0.01)
    assert Press("take", "pod", 3) in devices.poll()
    devices.close()
    assert (rig.core.light, rig.core.lamps) == (0, bytes(4 * wire.PODS))
