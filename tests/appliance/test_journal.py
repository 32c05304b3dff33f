"""The journal keeps every line it has taken, whatever happens afterwards."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.journal import Journal, JournalError
from engine.actions import Action, play
from engine.cards import PACK_24, Rank
from engine.record import Content, DealLine, Header, Ruling, Takeback

HEADER = Header("dezertyras", ("Rasa", "Jonas", "Ona", "Petras"), 4, {"annulled": "plain"})

contents: st.SearchStrategy[Content] = st.one_of(
    st.builds(play, st.integers(1, 4), st.sampled_from(PACK_24)),
    st.builds(lambda seat, rank: Action(seat, "announce", rank=rank), st.integers(1, 4), st.just(Rank.NINE)),
    st.just(DealLine()),
    st.just(Takeback()),
    st.just(Ruling("stand")),
)


matches_played = st.lists(contents, max_size=12).map(lambda lines: [DealLine(), *lines])


@given(st.lists(matches_played, min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_what_was_appended_is_what_is_read_after_opening_again(matches: list[list[Content]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        with Journal.open(path) as journal:
            numbers = [
                journal.begin(HEADER, "2026-11-30T20:00:00", {"table": n}) for n in range(len(matches))
            ]
            for step in range(max(map(len, matches))):  # matches written in turns
                for number, lines in zip(numbers, matches, strict=True):
                    if step < len(lines):
                        journal.append(number, lines[step])
        with Journal.open(path) as journal:
            assert numbers == list(range(1, len(matches) + 1))
            for number, lines in zip(numbers, matches, strict=True):
                record = journal.record(number)
                assert record.header == HEADER
                assert list(record.contents) == lines
            assert [match.lines for match in journal.matches()] == [len(lines) for lines in matches]
            assert [match.played_on for match in journal.matches()] == [
                {"table": n} for n in range(len(matches))
            ]


_WRITER = """
import sys
from pathlib import Path
from appliance.journal import Journal
from engine.actions import play
from engine.cards import PACK_24
from engine.record import DealLine, Header
journal = Journal.open(Path(sys.argv[1]))
number = journal.begin(Header("dezertyras", ("A", "B", "C", "D")), "now", {})
journal.append(number, DealLine())
for n in range(10**6):
    journal.append(number, play(n % 4 + 1, PACK_24[n % 24]))
    print(n + 1, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 7, 40])
def test_every_acknowledged_line_survives_a_kill(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "journal.sqlite"
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    for line in writer.stdout:
        if int(line) >= acknowledged:
            break
    os.kill(writer.pid, signal.SIGKILL)
    said = [line for line in writer.stdout.read().splitlines() if line.isdigit()]
    last = max([acknowledged, *map(int, said[:-1])])  # the very last may have been cut off
    writer.stdout.close()
    writer.wait()
    with Journal.open(path) as journal:
        lines = journal.record(1).contents[1:]
    assert len(lines) >= last
    assert list(lines) == [play(n % 4 + 1, PACK_24[n % 24]) for n in range(len(lines))]


@pytest.mark.parametrize(
    "rubbish", [b"this is no database, but it is long enough to look like one" * 99, b"\0" * 5000]
)
def test_a_file_that_is_no_journal_is_refused_in_one_line(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(rubbish)
    with pytest.raises(JournalError, match=r"journal\.sqlite: the journal is damaged") as caught:
        Journal.open(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == rubbish  # nothing lost


def test_a_damaged_page_is_noticed_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        number = journal.begin(HEADER, "now", {})
        journal.append(number, DealLine())
        for n in range(400):
            journal.append(number, play(n % 4 + 1, PACK_24[n % 24]))
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 2 + 2000] = b"\xff" * 2000
    path.write_bytes(data)
    with pytest.raises(JournalError, match="the journal is damaged"):
        Journal.open(path)


def test_a_journal_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal.open(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(JournalError, match="a journal of version 9, this program knows version 1"):
        Journal.open(path)


def test_a_match_that_is_not_there(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "journal.sqlite") as journal,
        pytest.raises(JournalError, match="no match 3"),
    ):
        journal.record(3)
