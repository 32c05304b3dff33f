"""What lamps, buzzer and ring light show of a match."""

from __future__ import annotations

from dataclasses import replace

from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance.lamps import (
    DARK,
    DISPUTE,
    TURN,
    WINNER,
    WRONG,
    Buzzer,
    ConsoleLamps,
    RingLight,
    Signals,
    pod_lamps,
    signals,
)
from appliance.language import Language
from appliance.screen.model import Banner, Shown, Tone
from engine.record import parse
from engine.referee import Match

HEAD = "game: dezertyras\nplayers: Rasa, Jonas, Ona, Petras\ndealer: 4\n"


def shown(lines: str, banner: Banner | None = None) -> Shown:
    record = parse(HEAD + lines)
    match = Match(record.header)
    for content in record.contents:
        match.push(content)
    return Shown(match.view(), "Dezertyras", banner)


def test_turn_wrong_winner_and_dispute() -> None:
    said = signals(shown("deal\n1 announce 9\n1 play ♥10\n", Banner(Tone.WRONG, "", seats=(3,))))
    assert said == Signals(turn=frozenset({2}), wrong=frozenset({3}))
    assert pod_lamps(said) == (DARK, TURN, WRONG, DARK, DARK, DARK)
    good = signals(shown("deal\n1 announce 9\n", Banner(Tone.GOOD, "", seats=(2, 4))))
    assert pod_lamps(good) == (TURN, WINNER, DARK, WINNER, DARK, DARK)
    assert pod_lamps(replace(good, dispute=True)) == (DISPUTE,) * 6
    assert signals(shown("")) == Signals()


def test_who_made_the_wrong_move_is_in_the_banner() -> None:
    from appliance.phrases import verdict_banner

    record = parse(HEAD + "deal\n1 announce 9\n3 play ♥10\n")
    match = Match(record.header)
    reports = [match.push(content) for content in record.contents]
    banner = verdict_banner(reports[-1].entries[0], match.view(), Language("en"))
    assert banner is not None
    assert (banner.tone, banner.seats) == (Tone.WRONG, (3,))


def test_the_buzzer_sounds_once_for_each_thing_that_is_new() -> None:
    buzzer = Buzzer()
    wrong, both = Signals(wrong=frozenset({1})), Signals(wrong=frozenset({1}), winners=frozenset({2}))
    tones = [buzzer.tone(said, now) for said, now in (
        (Signals(), 0.0), (wrong, 1.0), (wrong, 1.3), (wrong, 1.5), (both, 2.0), (both, 2.5),
        (Signals(dispute=True), 3.0), (Signals(), 3.1), (Signals(), 3.5),
    )]  # fmt: skip
    assert tones == [0, 4, 4, 0, 3, 0, 2, 2, 0]


def test_the_console_has_lamps_of_its_own_on_the_pins() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    pins = {"wrong": 16, "winner": 20, "dispute": 0, "buzzer": 12}
    lamps = ConsoleLamps(pins, (22, 23), factory)
    lamps.show(Signals(turn=frozenset({2}), wrong=frozenset({1}), dispute=True), 4)
    states = {pin: factory.pin(pin).state for pin in (16, 20, 12, 22, 23)}
    assert states == {16: 1, 20: 0, 12: 0.5, 22: 0, 23: 1}
    assert factory.pin(12).frequency == 220
    second = ConsoleLamps({"wrong": 16}, (), factory)
    assert second.troubles(Language("en"))[0].startswith("GPIO 16 (wrong) cannot be used: ")
    lamps.close()
    assert [factory.pin(pin).state for pin in (16, 12, 23)] == [0, 0, 0]


def test_the_ring_light_is_raised_a_step_a_second_while_it_is_too_dark() -> None:
    light = RingLight(0.6)
    assert light.byte(0.0) == 153
    light.camera("placed")
    light.camera("too_dark")
    levels = [light.byte(t) for t in (1.0, 1.5, 2.0, 3.0, 4.0)]
    assert levels == [191, 191, 230, 255, 255]
    light.camera("light_back")
    assert light.byte(9.0) == 255


def test_light_that_is_enough_again_is_left_as_it_is() -> None:
    light = RingLight(0.2)
    light.camera("too_dark")
    light.byte(1.0)
    light.camera("light_back")
    assert light.byte(5.0) == round(255 * 0.35)
