"""A disk that fails at any moment and in any way: what is not stored is not shown, and it is said why."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.journal import Journal, JournalError
from appliance.keeper import Keeper
from appliance.language import Language
from appliance.rescue import open_or_rescue
from appliance.session import Session
from bench.disk import CANTOPEN, FULL, IOERR_FSYNC, IOERR_WRITE, READONLY, Disk
from bench.evening import script
from engine.record import Content
from engine.referee import Match

LINES = 4
OPENING = "unable to open database file"
FAULTS = {
    "the sync fails": (IOERR_FSYNC, ("sync",), ("disk I/O error", OPENING)),
    "a write fails": (IOERR_WRITE, ("write",), ("disk I/O error", OPENING)),
    "the disk is full": (FULL, ("write",), ("database or disk is full",)),
    "it is write-protected": (READONLY, ("open", "write"), ("attempt to write a readonly database", OPENING)),
    "no file can be opened": (CANTOPEN, ("open",), (OPENING,)),
}  # fmt: skip


def stored(path: Path) -> tuple[Content, ...]:
    """What a fresh look into the journal finds."""
    if not path.exists():
        return ()
    with Journal.open(path) as journal:
        return journal.record(1).contents if journal.matches() else ()


@pytest.mark.parametrize("fault", FAULTS)
def test_whenever_it_begins_to_fail_only_what_is_stored_is_shown_and_nothing_is_stored_twice(
    tmp_path: Path, fault: str
) -> None:
    code, deeds, said = FAULTS[fault]
    played = script(1, 1)
    refused = 0
    for good in range(1000):
        path = tmp_path / str(good) / "journal.sqlite"
        count, failing = 0, True
        with Disk() as disk:

            def refuse(deed: str, name: str, good: int = good) -> int:
                nonlocal count
                count += 1
                return code if failing and count > good and deed in deeds else 0  # noqa: B023

            disk.refuse = refuse  # type: ignore[assignment]
            keeper = Keeper(lambda path=path: open_or_rescue(path, "x")[0], played.header, "now", {})  # type: ignore[misc]
            session = Session(Match(played.header), Language("en"), store=keeper.store)
            for content in played.lines[:LINES]:
                lines = session.match.record().contents
                try:
                    session.push(content)
                except JournalError as error:
                    refused += 1
                    assert session.match.record().contents == lines
                    assert str(error) == keeper.trouble
                    assert "\n" not in str(error)
                    assert any(each in str(error) for each in said)
                    keeper.ready()
                    assert keeper.trouble is not None  # as long as it fails
                    failing = False
                    assert stored(path)[: len(lines)] == lines
                    keeper.ready()
                    assert keeper.trouble is None
                    session.push(content)
            keeper.close()
        assert stored(path) == played.lines[:LINES]
        if failing:  # it would have begun to fail after all was done
            break
    assert refused >= 3
    assert not [file.name for file in tmp_path.glob("*/*") if file.name != "journal.sqlite"]


def test_a_journal_damaged_while_it_is_in_use_is_rescued_and_gets_back_what_it_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    played = script(1, 2)
    rescued = []

    def opened() -> Journal:
        journal, rescue = open_or_rescue(path, "x")
        rescued.append(rescue)
        return journal

    keeper = Keeper(opened, played.header, "now", {})
    session = Session(Match(played.header), Language("en"), store=keeper.store)
    for content in played.lines[:100]:
        session.push(content)
    keeper._journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    keeper._journal._db.execute("PRAGMA shrink_memory")  # type: ignore[union-attr]
    with pytest.raises(JournalError, match=r"journal\.sqlite: the journal cannot be written: database disk"):
        session.push(played.lines[100])
    assert len(session.match.record().lines) == 100
    assert keeper.trouble is not None
    keeper.ready()
    assert keeper.trouble is None
    session.push(played.lines[100])
    keeper.close()
    assert stored(path) == played.lines[:101]
    assert (tmp_path / "journal.damaged-x.sqlite").exists()
    assert [rescue is not None for rescue in rescued] == [False, True]


def test_a_line_that_came_to_the_disk_though_it_was_refused_is_not_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    played = script(1, 1)
    with Journal.open(path) as journal:
        number = journal.begin(played.header, "now", {})
        for content in played.lines[:3]:
            journal.append(number, content)
    keeper = Keeper(lambda: Journal.open(path), played.header, "now", {}, number, None, played.lines[:2])
    keeper.store(played.lines[2])
    keeper.close()
    assert stored(path) == played.lines[:3]
