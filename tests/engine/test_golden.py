"""The engine judges the golden playthroughs as it did when they were written (`make golden`)."""

from __future__ import annotations

import json

import pytest

from engine.games import GAMES
from engine.referee import judge
from tests.engine.golden import FOLDER, tables

TABLES = list(tables())


@pytest.mark.parametrize("name", [name for name, *_ in TABLES])
def test_a_playthrough_is_judged_as_written(name: str) -> None:
    record = (FOLDER / f"{name}.kort").read_text(encoding="utf-8")
    expected = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert judge(record).result() == expected


def test_every_game_and_every_option_value_has_one_and_there_are_no_others() -> None:
    names = {name for name, *_ in TABLES}
    assert {game for _, game, *_ in TABLES} == set(GAMES)
    assert {path.stem for path in FOLDER.glob("*.kort")} == names
    assert {path.stem for path in FOLDER.glob("*.json")} == names
