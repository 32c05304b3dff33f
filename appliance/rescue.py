"""A damaged journal: kept aside as it is, and what can be read of it saved into a new one.

A record is a fold over its lines, so of a match those lines are saved that come before the first one
missing. What follows a gap could mean something else than it did.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance import carve
from appliance.journal import PARTS, Journal, JournalDamaged, JournalError, sync_folder
from engine.record import RecordError, parse


@dataclass(frozen=True)
class Rescue:
    """What became of a damaged journal. `kept`: where it is now; `matches`, `lines`: what was saved."""

    kept: Path
    matches: int
    lines: int

    def __str__(self) -> str:
        saved = f"{self.matches} matches and {self.lines} lines were saved"
        return f"the journal was damaged; it is kept as {self.kept}; {saved}"


def open_or_rescue(path: Path, stamp: str) -> tuple[Journal, Rescue | None]:
    """Opens a journal; a damaged one is put aside under a name with `stamp` in it, and rescued.

    JournalError if the journal cannot be used for another reason (a full disk, a later version).
    """
    try:
        journal = Journal.open(path)
        try:
            matches = journal.matches()
            if matches:
                journal.record(matches[-1].id)  # the one that may go on
        except JournalError:
            journal.close()
            raise
        return journal, None
    except JournalDamaged:
        pass
    fresh = path.with_name(f"{path.stem}.rescued{path.suffix}")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            saved = _read(path, Path(folder))
        for part in PARTS:
            Path(f"{fresh}{part}").unlink(missing_ok=True)
        rescue = _write(saved, fresh, _free_name(path, stamp))
        for part in PARTS:
            with contextlib.suppress(FileNotFoundError):
                os.replace(f"{path}{part}", f"{rescue.kept}{part}")
        os.replace(fresh, path)
        sync_folder(path.parent)
    except OSError as error:
        raise JournalError(f"{path}: damaged, and cannot be rescued: {error.strerror or error}") from None
    return Journal.open(path), rescue


def _free_name(path: Path, stamp: str) -> Path:
    kept = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
    number = 2
    while kept.exists():
        kept = path.with_name(f"{path.stem}.damaged-{stamp}-{number}{path.suffix}")
        number += 1
    return kept


@dataclass(frozen=True)
class _Saved:
    row: carve.Row
    lines: tuple[str, ...]


def _read(path: Path, folder: Path) -> tuple[_Saved, ...]:
    """What can be read: of a copy page by page, and by SQLite."""
    copy = folder / "copy.sqlite"
    for part in PARTS[:2]:
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{path}{part}", f"{copy}{part}")
    log = Path(f"{copy}-wal")
    rows, lines = carve.rows(copy.read_bytes(), log.read_bytes() if log.exists() else b"")
    asked_rows, asked_lines = _asked(copy)
    rows.update(asked_rows)
    lines.update(asked_lines)
    return tuple(
        _Saved((*rows[number][:3], _played_on(rows[number][3])), _texts(number, str(rows[number][2]), lines))
        for number in sorted(rows)
        if _sound(rows[number])
    )


def _asked(copy: Path) -> tuple[dict[int, carve.Row], dict[tuple[int, int], str]]:
    """What SQLite still reads of a copy, up to where it gives up."""
    rows: dict[int, carve.Row] = {}
    lines: dict[tuple[int, int], str] = {}
    with (
        contextlib.suppress(sqlite3.Error, UnicodeDecodeError),
        contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database,
    ):
        for row in database.execute("SELECT id, started, header, played_on FROM matches"):
            if isinstance(row[0], int):
                rows[row[0]] = tuple(row)
        for of, number, text in database.execute("SELECT match_id, number, text FROM lines"):
            if isinstance(of, int) and isinstance(number, int):
                lines[of, number] = text
    return rows, lines


def _texts(number: int, header: str, found: Mapping[tuple[int, int], str]) -> tuple[str, ...]:
    """The lines of a match up to the first that is missing or no line of a record."""
    lines: list[str] = []
    while isinstance(text := found.get((number, len(lines) + 1)), str):
        lines.append(text)
    while lines:
        try:
            parse(header + "".join(f"{line}\n" for line in lines))
            break
        except RecordError as error:
            good = error.line - 1 - header.count("\n")
            lines = lines[: max(0, min(good, len(lines) - 1))]
    return tuple(lines)


def _played_on(text: object) -> str:
    """What a match was played on; where that is spoilt, that it is not known."""
    with contextlib.suppress(ValueError):
        if isinstance(json.loads(str(text)), dict):
            return str(text)
    return '{"unknown": true}'


def _sound(row: carve.Row) -> bool:
    if len(row) != 4 or not all(isinstance(text, str) for text in row[1:]):
        return False
    try:
        parse(str(row[2]))
    except RecordError:
        return False
    return True


def _write(saved: tuple[_Saved, ...], fresh: Path, kept: Path) -> Rescue:
    """A new journal with what was saved, whole on the disk when this returns."""
    Journal.open(fresh).close()
    try:
        with contextlib.closing(sqlite3.connect(fresh)) as database:
            for match in saved:
                database.execute(
                    "INSERT INTO matches (id, started, header, played_on) VALUES (?, ?, ?, ?)", match.row
                )
                database.executemany(
                    "INSERT INTO lines (match_id, number, text) VALUES (?, ?, ?)",
                    [(match.row[0], n, text) for n, text in enumerate(match.lines, 1)],
                )
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise OSError(0, str(error)) from None
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    lines = sum(len(match.lines) for match in saved)
    return Rescue(kept, len(saved), lines)
