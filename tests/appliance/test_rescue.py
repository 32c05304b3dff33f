"""A damaged journal is put aside and rescued, an older one brought up to date; a full disk stops lines."""

from __future__ import annotations

import functools
import random
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.journal import MIGRATIONS, VERSION, Journal, JournalDamaged, JournalError
from appliance.keeper import Keeper
from appliance.rescue import Rescue, open_or_rescue
from engine.actions import play
from engine.cards import PACK_24
from engine.record import Content, DealLine, Header

HEADER = Header("dezertyras", ("Rasa", "Jonas", "Ona", "Petras"), 4)
PAGE = 4096


def lines(count: int) -> list[Content]:
    return [DealLine(), *(play(n % 4 + 1, PACK_24[n % 24]) for n in range(count - 1))]


@functools.cache
def journal_of(*counts: int) -> bytes:
    """A journal file with matches of so many lines (without waiting for the disk at each)."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        with Journal.open(path) as journal:
            journal._db.execute("PRAGMA synchronous = OFF")
            for count in counts:
                number = journal.begin(HEADER, "2026-11-30T20:00:00", {"table": count})
                for content in lines(count):
                    journal.append(number, content)
        return path.read_bytes()


def written(path: Path, *counts: int) -> bytes:
    path.write_bytes(journal_of(*counts))
    return path.read_bytes()


def saved(path: Path) -> list[int]:
    """How many lines of each match are there; each must be what was written."""
    with Journal.open(path) as journal:
        counts = []
        for match in journal.matches():
            contents = list(journal.record(match.id).contents)
            assert contents == lines(len(contents))[: len(contents)]
            counts.append(len(contents))
        return counts


def test_a_sound_journal_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 3)
    journal, rescue = open_or_rescue(path, "now")
    journal.close()
    assert rescue is None
    assert [each.name for each in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_spoilt_first_page_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    data = bytearray(written(path, 30, 400, 2))
    data[:PAGE] = b"\xff" * PAGE
    path.write_bytes(data)
    journal, rescue = open_or_rescue(path, "20261201")
    journal.close()
    kept = tmp_path / "journal.damaged-20261201.sqlite"
    assert rescue == Rescue(kept, 3, 432)
    assert kept.read_bytes() == data  # as it was
    assert saved(path) == [30, 400, 2]
    assert sorted(each.name for each in tmp_path.iterdir()) == [kept.name, "journal.sqlite"]


@pytest.mark.parametrize("page", [2, 3])
def test_a_spoilt_root_of_a_table_costs_little(tmp_path: Path, page: int) -> None:
    path = tmp_path / "journal.sqlite"
    data = bytearray(written(path, 30, 900, 2))
    data[(page - 1) * PAGE : page * PAGE] = b"\xff" * PAGE
    path.write_bytes(data)
    journal, rescue = open_or_rescue(path, "x")
    journal.close()
    assert rescue is not None
    # The headers of the matches are on page 2, without them lines mean nothing; page 3 only leads to lines
    # and holds one in a hundred itself.
    counts = saved(path)
    assert counts == ([] if page == 2 else [30, 149, 2])


def test_lines_in_the_log_are_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 5)
    journal = Journal.open(path)
    for content in lines(200)[5:]:
        journal.append(1, content)
    copy = tmp_path / "copy" / "journal.sqlite"
    copy.parent.mkdir()
    copy.write_bytes(b"\xff" * PAGE + path.read_bytes()[PAGE:])
    Path(f"{copy}-wal").write_bytes(Path(f"{path}-wal").read_bytes())
    journal.close()
    journal, rescue = open_or_rescue(copy, "x")
    journal.close()
    assert rescue is not None
    assert (rescue.lines, saved(copy)) == (200, [200])


@pytest.mark.parametrize("page", range(3, 8))
def test_a_spoilt_page_of_lines_costs_what_was_on_it_and_after_it(tmp_path: Path, page: int) -> None:
    path = tmp_path / "journal.sqlite"
    data = bytearray(written(path, 20, 900))
    assert len(data) == 8 * PAGE
    data[page * PAGE : (page + 1) * PAGE] = b"\xff" * PAGE
    path.write_bytes(data)
    journal, rescue = open_or_rescue(path, "x")
    journal.close()
    assert rescue is not None
    assert rescue.matches == 2
    counts = saved(path)
    assert sum(counts) == rescue.lines < 920


@pytest.mark.parametrize(
    "rubbish", [b"", b"no database at all, but long enough to look like one" * 99, b"\0" * 9000]
)
def test_a_file_that_is_no_journal_is_kept_and_a_new_one_begun(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(rubbish)
    (tmp_path / "journal.damaged-x.sqlite").write_bytes(b"an older one")
    journal, rescue = open_or_rescue(path, "x")
    with journal:
        journal.append(journal.begin(HEADER, "now", {}), DealLine())
    assert rescue == Rescue(tmp_path / "journal.damaged-x-2.sqlite", 0, 0)
    assert rescue.kept.read_bytes() == rubbish
    assert (tmp_path / "journal.damaged-x.sqlite").read_bytes() == b"an older one"
    assert saved(path) == [1]


def test_a_cut_off_file_gives_what_is_left_of_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    data = written(path, 10, 900)
    path.write_bytes(data[: len(data) - 3 * PAGE])
    journal, rescue = open_or_rescue(path, "x")
    journal.close()
    assert rescue is not None
    assert rescue.matches == 2
    assert saved(path)[0] == 10
    assert saved(path)[1] > 300


def test_a_line_that_is_none_ends_what_is_saved_of_its_match(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    data = bytearray(written(path, 30))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE lines SET text = 'dance' WHERE number = 12")
    database.close()  # the last one to close brings the log into the file
    data = bytearray(path.read_bytes())
    data[:100] = b"\xff" * 100
    path.write_bytes(data)
    journal, rescue = open_or_rescue(path, "x")
    journal.close()
    assert rescue is not None
    assert (rescue.lines, saved(path)) == (11, [11])


@given(st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_whatever_bytes_are_spoilt_the_journal_can_be_used_and_read_afterwards(rng: random.Random) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        data = bytearray(written(path, 40, 300, 3))
        for _ in range(rng.randint(1, 12)):
            at = rng.randrange(len(data))
            length = rng.choice((1, 4, 100, PAGE))
            data[at : at + length] = rng.randbytes(len(data[at : at + length]))
        data[60:64] = b"\0\0\0\1"  # the version: a later one, of a sound journal, would be right to refuse
        path.write_bytes(data)
        journal, rescue = open_or_rescue(path, "x")
        with journal:
            matches = journal.matches()
            for match in matches[:-1]:
                try:
                    assert len(journal.record(match.id).contents) <= 300
                except JournalDamaged as error:  # an older match with a letter spoilt: said when asked for
                    assert "\n" not in str(error)
            if matches:
                journal.record(matches[-1].id)
        if rescue is not None:
            assert rescue.kept.is_file()


def test_a_later_version_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 1)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(JournalError, match="version 9") as caught:
        open_or_rescue(path, "x")
    assert not isinstance(caught.value, JournalDamaged)
    assert [each.name for each in tmp_path.iterdir()] == ["journal.sqlite"]


def test_an_older_journal_is_brought_up_to_date_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 5)
    steps: Mapping[int, str] = {
        1: "ALTER TABLE matches ADD COLUMN place TEXT NOT NULL DEFAULT 'home';",
        2: "CREATE TABLE notes (text TEXT);",
    }
    with Journal.open(path, 3, steps) as journal:
        assert [match.lines for match in journal.matches()] == [5]
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (3,)
        assert database.execute("SELECT place FROM matches").fetchall() == [("home",)]
    database.close()
    assert saved(tmp_path / "journal.version-1.sqlite") == [5]


def test_a_step_that_fails_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 5)
    steps = {1: "CREATE TABLE notes (text TEXT); INSERT INTO nowhere VALUES (1);"}
    with pytest.raises(JournalError, match="no such table: nowhere"):
        Journal.open(path, 2, steps)
    assert saved(path) == [5]  # still version 1


def test_every_version_has_its_step() -> None:
    assert sorted(MIGRATIONS) == list(range(1, VERSION))


def test_a_full_disk_stops_the_line_and_room_lets_it_through(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 1)
    journal = Journal.open(path)
    keeper = Keeper(lambda: Journal.open(path), HEADER, "now", {}, 1, journal)
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    stored = 1
    with pytest.raises(JournalError, match="the journal cannot be written: database or disk is full"):
        for content in lines(2000)[1:]:
            keeper.store(content)
            stored += 1
    assert keeper.trouble == f"{path}: the journal cannot be written: database or disk is full"
    journal._db.execute("PRAGMA max_page_count = 100000")
    keeper.store(lines(stored + 1)[stored])
    assert keeper.trouble is None
    keeper.close()
    assert saved(path) == [stored + 1]


def test_a_disk_that_can_be_read_but_not_written_stays_a_trouble(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, 1)
    journal = Journal.open(path)
    keeper = Keeper(lambda: Journal.open(path), HEADER, "now", {}, 1, journal)
    journal._db.execute("PRAGMA query_only = ON")
    keeper.ready()
    assert keeper.trouble is None  # nothing was to be written yet
    for _ in range(2):
        with pytest.raises(JournalError, match="attempt to write a readonly database"):
            keeper.store(lines(2)[1])
        keeper.ready()
        said = "the journal cannot be written: attempt to write a readonly database"
        assert keeper.trouble == f"{path}: {said}"
    journal._db.execute("PRAGMA query_only = OFF")
    keeper.ready()
    assert keeper.trouble is None
    keeper.close()
    assert saved(path) == [1]


def test_a_journal_that_cannot_be_opened_yet_is_opened_later(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "journal.sqlite"
    path.parent.write_text("in the way")
    keeper = Keeper(lambda: Journal.open(path), HEADER, "now", {})
    with pytest.raises(JournalError, match="the journal cannot be opened"):
        keeper.store(DealLine())
    keeper.ready()
    assert keeper.trouble == f"{path}: the journal cannot be opened: [Errno 17] File exists: '{path.parent}'"
    path.parent.unlink()
    keeper.ready()
    assert keeper.trouble is None
    for content in lines(3):
        keeper.store(content)
    keeper.close()
    assert saved(path) == [3]
