"""The wire and both its ends, over a channel that loses, mangles, doubles and cuts bytes."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.podlink import Lamp, LinkState, Outputs, PodLink
from firmware import wire
from firmware.core import KEPT_EVENTS, NO_HOST, SILENCE_MS, Core
from firmware.debounce import SETTLE_MS, STUCK_MS, Debounce


def test_a_frame_is_spelled_as_documented() -> None:
    assert wire.frame(7, b"\x01\x01") == bytes.fromhex("7e02070101") + wire.crc16(
        bytes.fromhex("02070101")
    ).to_bytes(2, "big")
    assert wire.crc16(b"123456789") == 0x29B1  # the check value of CRC-16/CCITT-FALSE


@pytest.mark.parametrize("payload", [b"", b"x" * 65])
def test_a_payload_of_a_wrong_length_is_refused(payload: bytes) -> None:
    with pytest.raises(ValueError, match="1 to 64 bytes"):
        wire.frame(0, payload)


def test_every_message_comes_back_as_it_was_packed() -> None:
    for kind, fields in wire.FIELDS.items():
        values: dict[str, int | bytes | str] = {
            name: (
                "pico"
                if width == 0
                else bytes(range(width))
                if width > 4
                else wire.PROTOCOL
                if name == "protocol"
                else 200 + width
            )
            for name, width in fields
            if name != "check"
        }
        packed = wire.pack(kind, values)
        assert len(packed) <= wire.LONGEST
        found = wire.unpack(packed)
        assert found is not None
        assert found[0] == kind
        assert {name: found[1][name] for name in values} == values


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=64), st.binary(max_size=20))
@settings(max_examples=200, deadline=None)
def test_a_good_frame_is_found_after_any_noise_that_holds_no_sync(
    noise: bytes, payload: bytes, tail: bytes
) -> None:
    receiver = wire.Receiver()
    noise = noise.replace(bytes((wire.SYNC,)), b"")
    found = receiver.feed(noise + wire.frame(3, payload) + tail)
    assert found[0] == (3, payload)


@given(st.integers(0, 2**32), st.sampled_from([0.001, 0.01, 0.05]))
@settings(max_examples=25, deadline=None)
def test_every_press_arrives_once_and_in_order_over_a_bad_line(seed: int, rate: float) -> None:
    delivered, pressed = run_bad_line(seed, rate, presses=30)
    assert delivered == pressed


@pytest.mark.slow
def test_a_million_frames_over_bad_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, frame = 0, wire.frame

    def counted(sequence: int, payload: bytes) -> bytes:
        nonlocal sent
        sent += 1
        return frame(sequence, payload)

    monkeypatch.setattr(wire, "frame", counted)
    rates = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
    seed = 0
    while sent < 1_000_000:
        seed += 1
        delivered, pressed = run_bad_line(seed, rates[seed % len(rates)], presses=10_000, every=15)
        assert delivered == pressed, seed


def run_bad_line(
    seed: int, rate: float, presses: int, every: int = 50
) -> tuple[list[tuple[int, int, bool]], list[tuple[int, int, bool]]]:
    """Presses buttons over a line that spoils each byte at a rate; what arrived, and what was pressed."""
    rng = random.Random(seed)
    core, link = Core(rng.getrandbits(32), 6, 7, "test"), PodLink()
    link.opened()
    pressed: list[tuple[int, int, bool]] = []
    delivered: list[tuple[int, int, bool]] = []
    levels = 0
    to_core = to_host = b""
    now = 0
    last_press = 0
    while len(pressed) < presses or core.waiting or now < last_press + 20:
        now += 5
        assert now < 7_200_000, "the line is stuck"
        if now % every == 0 and len(pressed) < presses and core.waiting < KEPT_EVENTS - 12:
            number = rng.randrange(12)
            last_press = now
            levels ^= 1 << number
            pressed.append((number // 2, number % 2, bool(levels >> number & 1)))
        to_host = spoil(core.step(now, to_core, levels), rng, rate)
        delivered += [(event.pod, event.button, event.down) for event in link.receive(to_host, now / 1000)]
        to_core = spoil(link.send(now / 1000), rng, rate)
    return delivered, pressed


def spoil(data: bytes, rng: random.Random, rate: float) -> bytes:
    """Loses, changes, doubles and swaps single bytes, and sometimes cuts the rest off."""
    out = bytearray()
    for byte in data:
        if rng.random() >= rate:
            out.append(byte)
            continue
        kind = rng.randrange(5)
        if kind == 0:
            continue
        if kind == 1:
            out.append(byte ^ (1 << rng.randrange(8)))
        elif kind == 2:
            out += bytes((byte, byte))
        elif kind == 3 and out:
            out.insert(len(out) - 1, byte)
        else:
            break
    return bytes(out)


def talk(core: Core, link: PodLink, start: int, stop: int, levels: int = 0) -> list[tuple[int, int, bool]]:
    """Lets both ends talk over a perfect line for some milliseconds."""
    to_core = b""
    events = []
    for now in range(start, stop, 2):
        events += link.receive(core.step(now, to_core, levels), now / 1000)
        to_core = link.send(now / 1000)
    return [(event.pod, event.button, event.down) for event in events]


def test_greeting_names_the_board_and_outputs_reach_it() -> None:
    core, link = Core(5, 6, wire.HAS_LAMPS, "pico"), PodLink()
    link.opened()
    link.show(Outputs(light=77, tone=2, lamps=(Lamp(1, 2, 3, wire.BLINK),)))
    talk(core, link, 0, 200)
    assert (link.state, link.board, link.pods) == (LinkState.UP, "pico 0.1", 6)
    assert (core.light, core.tone, core.lamps[:8]) == (77, 2, bytes((1, 2, 3, wire.BLINK, 0, 0, 0, 0)))


def test_a_board_with_a_long_name_can_greet_too() -> None:
    core, link = (
        Core(5, 6, 7, "Some Maker's Feather of the Year with RP2350-RISCV, new"),
        PodLink(),
    )
    link.opened()
    talk(core, link, 0, 200)
    assert (link.state, link.board) == (LinkState.UP, "Some Maker's Feather of the Year with RP 0.1")


def greeted(boot: int, pods: int, name: str) -> PodLink:
    """A link to a board that says this of itself."""
    link = PodLink()
    link.opened()
    fields: dict[str, int | bytes | str] = {
        "protocol": wire.PROTOCOL, "boot": boot, "time": 0, "first": 1, "pods": pods, "capabilities": 7,
        "text": name,
    }  # fmt: skip
    assert link.receive(wire.frame(0, wire.pack(wire.HELLO, fields)), 0.0) == ()
    return link


@pytest.mark.parametrize(("pod", "button"), [(0, 2), (0, 5), (3, 255), (6, 0), (9, 1), (255, 255)])
def test_a_button_that_no_pod_has_is_acknowledged_and_pressed_by_nobody(pod: int, button: int) -> None:
    link = greeted(5, 6, "pico 0.1")
    got = []
    for number, (where, which) in enumerate([(1, 0), (pod, button), (5, 1)], 1):
        fields: dict[str, int | bytes | str] = {
            "boot": 5, "number": number, "time": 0, "pod": where, "button": which, "down": 1,
        }  # fmt: skip
        got += link.receive(wire.frame(number, wire.pack(wire.EVENT, fields)), 0.1)
    assert [(event.pod, event.button) for event in got] == [(1, 0), (5, 1)]
    seen = {"boot": 5, "number": 3}
    assert wire.pack(wire.EVENT_SEEN, {**seen}) in link.send(0.2)


@pytest.mark.parametrize(("said", "counted"), [(0, 0), (1, 1), (6, 6), (7, 6), (255, 6)])
def test_no_board_has_more_pods_than_the_wire(said: int, counted: int) -> None:
    assert greeted(5, said, "pico 0.1").pods == counted


@pytest.mark.parametrize("code", [*range(32), *range(127, 160), 0x202E, 0x2028])
def test_a_boards_name_has_no_control_characters(code: int) -> None:
    assert greeted(5, 6, f"pi{chr(code)}co 0.1").board == "pi?co 0.1"


def test_a_silent_host_is_shown_and_the_ring_light_stays() -> None:
    core, link = Core(5, 6, 7, "pico"), PodLink()
    link.opened()
    link.show(Outputs(light=200, lamps=(Lamp(0, 255, 0),)))
    talk(core, link, 0, 100)
    assert core.host
    core.step(100 + SILENCE_MS, b"", 0)
    assert not core.host
    assert core.lamps == NO_HOST * wire.PODS
    assert core.light == 200
    talk(core, link, 8000, 9500)
    assert core.lamps[:4] == bytes((0, 255, 0, 0))


def test_a_board_that_restarts_is_greeted_anew_and_its_events_count_from_one() -> None:
    link = PodLink()
    link.opened()
    assert talk(Core(1, 6, 7, "pico"), link, 0, 100, levels=1) == [(0, 0, True)]
    assert talk(Core(2, 6, 7, "pico"), link, 100, 2200, levels=2) == [(0, 1, True)]


def test_presses_made_while_the_link_was_down_arrive_when_it_is_back() -> None:
    core, link = Core(1, 6, 7, "pico"), PodLink()
    link.opened()
    talk(core, link, 0, 100)
    link.closed()
    for now in range(100, 150, 2):
        core.step(now, b"", 0b100)
    link.opened()
    assert talk(core, link, 150, 1000, levels=0b100) == [(1, 0, True)]


def test_another_version_of_the_wire_is_refused_with_what_to_do() -> None:
    link = PodLink()
    link.opened()
    link.receive(wire.frame(1, bytes((wire.HELLO, 9)) + b"whatever it says then"), 0.0)
    assert (link.state, link.refused_version) == (LinkState.REFUSED, 9)
    assert link.send(1.0) == b""


def test_a_host_that_starts_later_takes_up_the_numbers_where_they_are() -> None:
    core = Core(1, 6, 7, "pico")
    first = PodLink()
    first.opened()
    assert talk(core, first, 0, 100, levels=1) == [(0, 0, True)]
    assert talk(core, first, 100, 200, levels=0) == [(0, 0, False)]
    second = PodLink()
    second.opened()
    assert talk(core, second, 200, 300, levels=2) == [(0, 1, True)]


def test_outputs_reach_the_pods_also_when_another_host_ran_before_with_the_same_revision() -> None:
    core = Core(1, 6, 7, "pico")
    for light in (10, 20):
        link = PodLink(_revision=5)
        link.opened()
        link.show(Outputs(light=light))
        talk(core, link, light * 100, light * 100 + 100)
        assert (core.light, link.settled) == (light, True)


def test_the_age_of_a_press_is_known_however_long_the_host_was_away() -> None:
    core, link = Core(1, 6, 7, "pico"), PodLink()
    for now in range(0, 20, 2):
        core.step(now, b"", 1)
    link.opened()
    ages = []
    to_core = b""
    for now in range(7_200_020, 7_200_100, 2):
        ages += [event.age for event in link.receive(core.step(now, to_core, 1), now / 1000)]
        to_core = link.send(now / 1000)
    assert [round(age) for age in ages] == [7200]


def test_maintenance_is_asked_for_by_the_start_it_is_meant_for() -> None:
    core, link = Core(1, 6, 7, "pico"), PodLink()
    link.opened()
    core.step(0, wire.frame(1, wire.pack(wire.MAINTENANCE, {"boot": 2})), 0)
    assert not core.maintenance
    talk(core, link, 0, 50)
    link.maintain()
    talk(core, link, 50, 60)
    assert core.maintenance


def test_a_queue_that_nobody_empties_stops_growing_and_counts_what_it_lost() -> None:
    core = Core(1, 6, 7, "pico")
    now = 0
    for _ in range(KEPT_EVENTS + 5):
        levels = 1 if core.waiting % 2 == 0 else 0
        for _ in range(5):
            now += 2
            core.step(now, b"", levels)
        if core.lost_events:
            break
        assert core.waiting <= KEPT_EVENTS
    assert core.waiting == KEPT_EVENTS


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("pattern", list(itertools.product([False, True], repeat=5)))
def test_bounce_of_every_pattern_is_one_edge_and_of_every_spike_none(
    pattern: tuple[bool, ...], settled: bool
) -> None:
    """Every pattern of a millisecond's grain, five long: on the way down, on the way up, and as a spike."""
    for after in (not settled, settled):
        button = Debounce()
        for now in range(20):
            button.sample(now, settled)
        raw = [*pattern, *[after] * 20]
        edges = [20 + n for n, level in enumerate(raw) if button.sample(20 + n, level)]
        changes = [20 + n for n, level in enumerate(raw) if level != ([settled, *raw])[n]]
        assert button.down == after
        if after == settled:
            assert edges == []
        else:
            assert edges == [changes[-1] + SETTLE_MS]


def test_two_buttons_at_once_are_two_events_and_a_stuck_one_does_not_hold_up_the_other() -> None:
    core, link = Core(1, 6, 7, "pico"), PodLink()
    link.opened()
    assert talk(core, link, 0, 100, levels=0b11) == [(0, 0, True), (0, 1, True)]
    assert talk(core, link, 100, STUCK_MS + 200, levels=0b01) == [(0, 1, False)]
    assert talk(core, link, STUCK_MS + 200, STUCK_MS + 300, levels=0b101) == [(1, 0, True)]


@given(st.lists(st.booleans(), max_size=5))
def test_bounce_of_any_pattern_up_to_five_milliseconds_is_one_edge(bounce: list[bool]) -> None:
    button = Debounce()
    edges = [now for now, raw in enumerate([*bounce, *[True] * 20]) if button.sample(now, raw)]
    assert len(edges) == 1
    assert button.down
    assert edges[0] <= len(bounce) + SETTLE_MS


@given(st.integers(1, 5), st.booleans())
def test_a_spike_shorter_than_bounce_is_nothing(length: int, resting: bool) -> None:
    button = Debounce()
    for now in range(20):
        button.sample(now, resting)
    spike = [not resting] * length + [resting] * 20
    assert not any(button.sample(20 + now, raw) for now, raw in enumerate(spike))


def test_a_button_that_stays_down_is_stuck_until_it_comes_up() -> None:
    button = Debounce()
    for now in range(0, STUCK_MS + 20, 5):
        button.sample(now, True)
    assert button.stuck
    for now in range(STUCK_MS + 20, STUCK_MS + 40, 5):
        button.sample(now, False)
    assert not button.stuck
