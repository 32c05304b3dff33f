"""The matrix of matches: what it asks for, what it keeps, and what its table says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.matches import Played, main, read, table

GOOD = Played("dezertyras", 4, "plain", 1, True, 40, 2.0)
BAD = Played("durnius", 3, "cheat", 2, False, 60, 4.0)


def test_a_short_match_is_played_seen_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kept.jsonl"
    asked = ["--games", "kozirinis", "--modes", "plain", "--deals", "1", "--seed", "1", "--to", str(file)]
    assert main(asked) == 0
    kept = json.loads(file.read_text())
    assert (kept["game"], kept["players"], kept["mode"], kept["seed"], kept["seen"]) == (
        "kozirinis", 2, "plain", 1, True,
    )  # fmt: skip
    assert "1/1" in capsys.readouterr().out
    assert main(asked) == 0  # it is not played again
    assert len(file.read_text().splitlines()) == 1


def test_the_table_counts_by_game_and_mode_and_names_what_was_not_seen() -> None:
    lines = table([GOOD, BAD]).splitlines()
    assert lines[0].split() == ["game", "plain", "cheat"]
    assert lines[1].split() == ["dezertyras", "1/1", "0/0"]
    assert lines[2].split() == ["durnius", "0/0", "0/1"]
    assert lines[3].split() == ["all", "1/1", "0/1"]
    assert lines[4] == "not seen as played: durnius, 3 players, cheat, seed 2"
    assert lines[5] == "100 lines in 6 s"


def test_a_line_that_was_broken_off_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kept.jsonl"
    whole = json.dumps(GOOD.__dict__)
    file.write_text(f"{whole}\n{whole[:30]}\n")
    assert [one.name for one in read([file])] == [("dezertyras", 4, "plain", 1)]
    assert f"{file}:2:" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--games", "poker"], ["--modes", "wild"]])
def test_an_unknown_game_or_mode_is_named(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(option)
    assert option[1] in capsys.readouterr().err


def test_matches_that_were_not_all_seen_end_with_1(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_text(json.dumps(BAD.__dict__) + "\n")
    assert main(["--sum", str(file)]) == 1


def test_people_who_fumble_are_a_mode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--games", "kozirinis", "--players", "2", "--modes", "fumble", "--deals", "1", "--seed", "1"]
    assert main(asked) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["kozirinis", "1/1"]
