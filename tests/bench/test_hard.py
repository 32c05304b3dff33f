"""The bench of cards seen badly: what it renders, what it counts, and the bound it states."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.hard import HARD, main, pictures, upper_bound
from vision.deck import DrawnDeck


def test_the_bound_of_none_wrong_is_the_rule_of_three_and_grows_with_each_one_wrong() -> None:
    assert upper_bound(0, 1000) == pytest.approx(1 - 0.05 ** (1 / 1000), rel=1e-6)
    assert upper_bound(0, 3000) < 0.001 < upper_bound(0, 2900)
    bounds = [upper_bound(wrong, 1000) for wrong in range(4)]
    assert bounds == sorted(bounds)
    assert upper_bound(1, 1000) == pytest.approx(0.004735, abs=1e-5)
    assert (upper_bound(0, 0), upper_bound(5, 5)) == (1.0, 1.0)


@pytest.mark.parametrize("kind", HARD)
def test_what_is_bad_changes_the_picture_and_leaves_it_one(kind: str) -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(0, 255, (60, 80, 3)).astype(np.uint8)
    bad = HARD[kind](image, rng)
    assert bad.dtype == np.uint8 and bad.ndim == 3
    assert bad.shape != image.shape or (bad != image).mean() > 0.05


def test_the_cards_named_are_those_in_the_picture_and_the_seed_decides() -> None:
    first, again = (pictures(DrawnDeck(), np.random.default_rng(4), 2) for _ in range(2))
    assert [cards for _, cards, _ in first] == [cards for _, cards, _ in again]
    assert all((one[0] == other[0]).all() for one, other in zip(first, again, strict=True))
    assert all(len(set(cards)) == len(cards) > 3 for _, cards, _ in first)


def test_it_prints_and_keeps_what_was_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "read.jsonl"
    main(["--pictures", "1", "--faces", str(tmp_path), "--to", str(file)])
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert kept and all(each["source"] == "TKDV" for each in kept)
    assert f"{len(kept)} read" in capsys.readouterr().out
