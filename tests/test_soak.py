"""The soak in its short form: nothing grows, no thread and no file is left (`make soak` for hours of it)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bench.soak import Held, Soaked
from tests.shared import ROOT


def soaked(warm: Held, last: Held, end: Held, left: tuple[str, ...] = ()) -> list[str]:
    return Soaked(start=Held(60.0, 3, 8), warm=warm, last=last, end=end, left=left).wrong()


def test_what_grew_or_was_left_is_told() -> None:
    warm = Held(130.0, 6, 18)
    assert soaked(warm, Held(149.9, 6, 18), Held(140.0, 3, 8)) == []
    assert soaked(warm, Held(150.1, 7, 20), Held(140.0, 3, 9), ("pods",)) == [
        "the memory grew by 20.1 MB after the warm-up (at most 20)",
        "1 threads more than after the warm-up",
        "2 open files more than after the warm-up",
        "1 open files left at the end",
        "threads left at the end: pods",
    ]


@pytest.mark.parametrize("hours", ["0", "-1", "1001", "x"])
def test_hours_that_cannot_be(hours: str) -> None:
    done = run("--hours", hours)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_short_evening_of_mixed_games_leaves_nothing() -> None:
    done = run("--hours", "0.06")
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing grew or was left: " in done.stdout


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.soak", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
