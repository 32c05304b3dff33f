"""Presses of the console on mock pins and of the pods: debounced, repeated, and what they mean in a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance.inputs import ConsoleButtons, PodButtons, Press, pod_presses, seat_action
from appliance.language import Language
from appliance.podlink import PodEvent
from engine.actions import Action
from engine.record import DealLine, Header, parse
from engine.referee import Match
from firmware.debounce import STUCK_MS

PINS = {"up": 5, "down": 6, "ok": 13, "back": 19, "dispute": 26}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Console:
    """Buttons on mock pins, with a clock in milliseconds."""

    def __init__(self, factory: MockFactory, pins: dict[str, int] = PINS) -> None:
        self.ms = 0
        self.factory = factory
        self.buttons = ConsoleButtons(pins, lambda: self.ms / 1000, factory)

    def at(self, ms: int, button: str, down: bool) -> None:
        self.ms = ms
        pin = self.factory.pin(PINS[button])
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def until(self, ms: int) -> list[str]:
        self.ms = ms
        return [press.button for press in self.buttons.presses(ms / 1000)]


def test_a_press_is_found_however_seldom_one_looks(factory: MockFactory) -> None:
    console = Console(factory)
    console.at(100, "ok", True)
    console.at(180, "ok", False)
    console.at(300, "ok", True)
    console.at(380, "ok", False)
    console.at(390, "back", True)
    assert console.until(1000) == ["ok", "ok", "back"]
    assert console.until(1100) == []


@pytest.mark.parametrize("gaps", [(1,), (1, 1, 1), (2, 1, 2), (5,), (1, 2, 1, 1), (4, 1)])
def test_bounce_is_one_press(factory: MockFactory, gaps: tuple[int, ...]) -> None:
    console = Console(factory)
    at, down = 100, True
    console.at(at, "ok", down)
    for gap in gaps:
        at, down = at + gap, not down
        console.at(at, "ok", down)
    if not down:
        console.at(at + 1, "ok", True)
    assert console.until(150) == ["ok"]


def test_a_spike_is_no_press(factory: MockFactory) -> None:
    console = Console(factory)
    console.at(100, "ok", True)
    console.at(104, "ok", False)
    assert console.until(400) == []


def test_two_buttons_at_once_are_two_presses(factory: MockFactory) -> None:
    console = Console(factory)
    console.at(100, "ok", True)
    console.at(100, "dispute", True)
    assert sorted(console.until(200)) == ["dispute", "ok"]


def test_up_and_down_repeat_while_they_are_held_and_ok_does_not(factory: MockFactory) -> None:
    console = Console(factory)
    console.at(0, "down", True)
    console.at(0, "ok", True)
    pressed = {ms: console.until(ms) for ms in range(0, 1000, 10)}
    times = {ms: names for ms, names in pressed.items() if names}
    assert times == {
        10: ["down", "ok"], 510: ["down"], 660: ["down"], 810: ["down"], 960: ["down"],
    }  # fmt: skip


class Shorted(MockPWMPin):  # type: ignore[misc]
    """A pin whose wire touches ground until somebody calls `drive_high` a second time."""

    pulled = False

    def drive_high(self) -> None:
        if self.pulled:
            super().drive_high()
        else:
            self.pulled = True
            self.drive_low()


def test_a_button_that_is_down_at_the_start_is_named_and_counts_once_it_has_come_up() -> None:
    console = Console(MockFactory(pin_class=Shorted), {"ok": 13})
    assert console.until(50) == []
    assert console.buttons.troubles(Language("en")) == ("The button on GPIO 13 (ok) is stuck",)
    console.at(100, "ok", False)
    assert console.until(200) == []
    assert console.buttons.troubles(Language("en")) == ()
    console.at(300, "ok", True)
    assert console.until(400) == ["ok"]


def test_a_button_held_for_half_a_minute_is_stuck_and_stops_repeating(factory: MockFactory) -> None:
    console = Console(factory)
    console.at(0, "up", True)
    console.until(10)
    console.until(STUCK_MS + 100)
    assert console.buttons.troubles(Language("en")) == ("The button on GPIO 5 (up) is stuck",)
    assert console.until(STUCK_MS + 1000) == []


def test_a_pin_that_another_program_has_or_that_is_none_is_said_in_peoples_words() -> None:
    class Busy(MockFactory):
        def pin(self, name: int) -> NoReturn:
            raise lgpio_error("'GPIO busy'")

    lgpio_error = type("error", (Exception,), {})
    busy = ConsoleButtons({"up": 5, "down": 6}, lambda: 0.0, Busy())
    assert busy.troubles(Language("lt")) == (
        "GPIO 5 (up), 6 (down) nepasiekiami: juos naudoja kas nors kitas",
    )
    none = ConsoleButtons({"up": 99}, lambda: 0.0, MockFactory())
    assert none.troubles(Language("en")) == ("GPIO 99 (up) cannot be used: no such pin here",)


def test_a_pin_in_use_is_named_and_the_others_work(factory: MockFactory) -> None:
    first = ConsoleButtons({"ok": 13}, lambda: 0.0, factory)
    console = Console(factory)
    assert console.buttons.troubles(Language("en")) == (
        "GPIO 13 (ok) cannot be used: in use by something else",
    )
    console.at(100, "up", True)
    assert console.until(200) == ["up"]
    first.close()


def test_a_pin_of_zero_is_not_there(factory: MockFactory) -> None:
    buttons = ConsoleButtons({"ok": 0, "up": 5}, lambda: 0.0, factory)
    assert buttons.troubles(Language("en")) == ()
    assert len(buttons._buttons) == 1


def test_a_pods_button_that_nobody_lets_go_is_stuck_until_it_comes_up_or_the_board_starts_anew() -> None:
    buttons, say = PodButtons(), Language("en")
    buttons.take((PodEvent(1, 0, True, 2.0), PodEvent(1, 1, True, 0.0)), 5, 10.0)
    buttons.take((PodEvent(1, 1, False, 0.0),), 5, 37.9)
    assert buttons.troubles(say) == ()
    buttons.take((), 5, 38.0)
    assert buttons.troubles(say) == ("The button of pod 2 (take) is stuck",)
    buttons.take((PodEvent(1, 0, False, 0.0),), 5, 39.0)
    assert buttons.troubles(say) == ()
    buttons.take((PodEvent(0, 1, True, 0.0),), 5, 40.0)
    buttons.take((), 5, 90.0)
    assert buttons.troubles(say) == ("The button of pod 1 (call) is stuck",)
    buttons.take((), 6, 91.0)
    assert buttons.troubles(say) == ()


def test_old_presses_releases_and_empty_seats_mean_nothing() -> None:
    events = (
        PodEvent(0, 0, True, 0.0),
        PodEvent(0, 0, False, 0.0),
        PodEvent(1, 1, True, 59.0),
        PodEvent(1, 1, True, 61.0),
        PodEvent(5, 0, True, 0.0),
        PodEvent(2, 7, True, 0.0),
    )
    assert pod_presses(events, 4) == (Press("take", "pod", 1), Press("call", "pod", 2))


def test_take_is_drawing_or_passing_whichever_may_be() -> None:
    match = Match(Header("velnio_ratas", ("Rasa", "Jonas", "Ona"), 3))
    lines = "deal\nstart: ♣3\n1 play ♦10\n2 draw\n"
    record = parse("game: velnio_ratas\nplayers: Rasa, Jonas, Ona\ndealer: 3\n" + lines)
    for content in record.contents[:-1]:
        match.push(content)
    take = Press("take", "pod", 2)
    assert seat_action(match.view(), take) == Action(2, "draw")
    assert seat_action(match.view(), Press("take", "pod", 1)) is None  # not its turn
    assert seat_action(match.view(), Press("call", "pod", 2)) is None  # no calls in this game
    match.push(record.contents[-1])
    assert seat_action(match.view(), take) == Action(2, "pass")


def test_take_is_taking_where_the_cards_may_be_taken() -> None:
    text = "game: dudakas\nplayers: A, B, C\ndealer: 3\ndeal\n1 play ♥9\n"
    match = Match(parse(text).header)
    for content in parse(text).contents:
        match.push(content)
    assert seat_action(match.view(), Press("take", "pod", 2)) == Action(2, "take")


def test_call_is_judged_by_the_referee_in_games_that_have_it() -> None:
    match = Match(Header("durnius", ("A", "B", "C", "D"), 4))
    assert seat_action(match.view(), Press("call", "pod", 1)) is None  # nothing dealt yet
    match.push(DealLine())
    assert seat_action(match.view(), Press("call", "pod", 3)) == Action(3, "call")
    assert seat_action(match.view(), Press("ok", "console")) is None
