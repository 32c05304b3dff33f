"""The clock of the bench that times a card at rest to its verdict on the screen."""

from __future__ import annotations

import pytest

from bench.latency import RATE, Timed, done


def test_a_frame_waits_for_the_work_on_those_before_it() -> None:
    now, ends = 0.0, []
    for came, work in ((0.0, 0.01), (0.1, 0.25), (0.2, 0.01), (0.3, 0.01), (0.4, 0.01)):
        now = done(now, came, work)
        ends.append(round(now, 3))
    assert ends == [0.01, 0.35, 0.36, 0.37, 0.41]


def test_the_screen_has_what_the_frames_leave() -> None:
    half = 0.5 / RATE  # of each frame's time for the vision, a hundredth of a second for the screen
    found = Timed([0.3], [0.3], work=[half + 0.01] * 100, drawing=[0.01] * 100)
    assert found.screen_rate == pytest.approx(50)
    assert found.good


@pytest.mark.parametrize(
    ("times", "agrees", "vision"),
    [
        ([0.5] * 100, True, 0.01), ([0.3] * 97 + [1.2] * 3, True, 0.01), ([0.3], False, 0.01),
        ([0.3], True, 0.06),
    ],
    ids=["slow", "slow at times", "wrong", "no time for the screen"],
)  # fmt: skip
def test_what_is_too_slow_or_wrong_is_not_good(times: list[float], agrees: bool, vision: float) -> None:
    drawing = [0.01] * 100
    assert not Timed(times, times, [vision + 0.01] * 100, drawing, agrees).good
