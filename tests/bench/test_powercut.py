"""Kills and power cuts in their short form (`make powercut` for 1,000 and 200), and the disk they need."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from appliance import journal
from bench.cut import Platter
from bench.disk import Disk, Op
from bench.evening import examine, play, script
from bench.powercut import cut
from tests.shared import ROOT

MANY = random.Random(3)


def left(folder: Path, ops: list[Op], times: int = 200) -> set[tuple[tuple[str, bytes], ...]]:
    """The disks that may be left after these operations."""
    platter, found = Platter(), set()
    platter.take(ops)
    for n in range(times):
        (folder / str(n)).mkdir(parents=True)
        platter.cut(MANY, folder / str(n))
        found.add(tuple((path.name, path.read_bytes()) for path in sorted((folder / str(n)).iterdir())))
    return found


SYNCED = [Op("open", "a"), Op("write", "a", 0, b"x" * 600), Op("sync", "a", folder=True)]


def test_what_was_synced_stays(tmp_path: Path) -> None:
    assert left(tmp_path, SYNCED) == {(("a", b"x" * 600),)}


def test_what_was_not_synced_comes_in_pieces_of_512_bytes(tmp_path: Path) -> None:
    first, second = b"y" * 512 + b"x" * 88, b"x" * 512 + b"y" * 88
    disks = left(tmp_path, [*SYNCED, Op("write", "a", 0, b"y" * 600)])
    assert disks == {(("a", data),) for data in (b"x" * 600, b"y" * 600, first, second)}


def test_a_file_whose_folder_was_not_synced_may_be_missing_or_still_there(tmp_path: Path) -> None:
    there, gone = (("a", b"x" * 600),), ()
    assert left(tmp_path / "1", [*SYNCED[:2], Op("sync", "a")]) == {there, gone}
    assert left(tmp_path / "2", [*SYNCED, Op("delete", "a")]) == {there, gone}
    assert left(tmp_path / "3", [*SYNCED, Op("delete", "a", folder=True)]) == {gone}
    renamed = (("b", b"x" * 600),)
    assert left(tmp_path / "4", [*SYNCED, Op("rename", "a", data=b"b")]) == {there, renamed}


def test_a_journal_that_did_not_wait_for_the_disk_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = journal._prepared

    def hasty(connection: sqlite3.Connection, path: Path, version: int) -> int:
        found = prepared(connection, path, version)
        connection.execute("PRAGMA synchronous = NORMAL")
        return found

    monkeypatch.setattr(journal, "_prepared", hasty)
    result = cut(20, 5, tmp_path, lambda line: None, 60)
    assert any("lines were shown" in line for line in result.wrong)


def test_a_line_that_was_lost_or_changed_is_found_out(tmp_path: Path) -> None:
    path, shown = tmp_path / "journal.sqlite", dict[int, int]()
    play(path, 1, shown.__setitem__, lambda: shown[1] >= 10)
    assert examine(path, 1, shown, 0).wrong == ()
    assert examine(path, 1, {1: 11}).wrong == ("match 1: 11 lines were shown, 10 are there",)
    assert examine(path, 1, {1: 8}).wrong == ("match 1: 10 lines are there, 9 can be",)
    assert examine(path, 2, shown).wrong == ("match 1: not what was played",)
    assert script(1, 1).lines != script(2, 1).lines


def test_after_a_start_that_was_cut_off_there_is_a_journal_or_none(tmp_path: Path) -> None:
    with Disk() as disk:
        journal.Journal.open(tmp_path / "journal.sqlite").close()
    for count in range(len(disk.ops) + 1):
        for name, data in {
            disk for disk in left(tmp_path / str(count), disk.ops[:count], 8) for disk in disk
        }:
            if name == "journal.sqlite":
                (tmp_path / name).write_bytes(data)
                journal.Journal.open(tmp_path / name).close()


def test_kills_and_cuts() -> None:
    done = run("--kills", "12", "--cuts", "4", "--demos", "0", "--lines", "120")
    assert (done.returncode, done.stderr) == (0, "")
    assert "12 kills; " in done.stdout
    assert "4 power cuts among " in done.stdout


@pytest.mark.slow
def test_a_thousand_kills_and_two_hundred_cuts() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert "1000 kills; " in done.stdout
    assert "200 power cuts among " in done.stdout


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.powercut", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
