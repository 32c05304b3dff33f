"""The journal: every match as an append-only log of record lines in SQLite.

A line is on the disk before anybody is shown it: one commit a line, WAL, synchronous=FULL (with NORMAL a
power cut can lose the last commits). Nothing else is stored: how a match stands is what its lines fold to.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.record import Content, Header, Record, RecordError, header_text, parse, write

VERSION = 1
PARTS = ("", "-wal", "-shm")  # the files of a journal, by the ends of their names
_SCHEMA = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    header TEXT NOT NULL,
    played_on TEXT NOT NULL
);
CREATE TABLE lines (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (match_id, number)
) WITHOUT ROWID;
"""


# The SQL that turns a journal of a version into one of the next, by the version it starts from.
MIGRATIONS: Mapping[int, str] = {}


_NO_VERSION = 100
# Rows that no journal has; also asks for every column.
_ODD = (
    "SELECT 1 FROM matches WHERE typeof(id) || typeof(started) || typeof(header) || typeof(played_on) "
    "!= 'integertexttexttext' LIMIT 1",
    "SELECT 1 FROM lines WHERE typeof(match_id) || typeof(number) || typeof(text) "
    "!= 'integerintegertext' LIMIT 1",
)
# What SQLite says when the file may be sound, but cannot be had or written now.
_NO_DAMAGE = (
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH,
)  # fmt: skip


class JournalError(Exception):
    """The journal cannot be used; the text says which file and why, in one line."""

    def __init__(self, text: str) -> None:
        super().__init__("".join(sign if sign.isprintable() else "?" for sign in text))


class JournalDamaged(JournalError):
    """The file is there, but it is no whole journal: `appliance.rescue` saves what can be saved."""


@dataclass(frozen=True)
class StoredMatch:
    """A match of the journal. `started`: wall time, only a label. `played_on`: what it was played on, as
    the program that began it wrote it down (of a demo: its seed and so on)."""

    id: int
    started: str
    header: Header
    lines: int
    played_on: Mapping[str, Any]


class Journal:
    """An open journal. For one thread."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db = connection
        self.path = path
        self.begun: list[int] = []  # the matches that were begun here

    @classmethod
    def open(cls, path: Path, version: int = VERSION, migrations: Mapping[int, str] = MIGRATIONS) -> Journal:
        """Opens a journal, making it if there is none, and brings an older one up to date.

        JournalDamaged if it is damaged, JournalError if it cannot be used for another reason.
        """
        if path.is_file() and path.stat().st_size == 0:
            raise JournalDamaged(f"{path}: an empty file, not a journal")
        try:
            if not path.exists():
                _make(path)
            connection = sqlite3.connect(path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{path}: the journal cannot be opened: {error}") from None
        try:
            found = _prepared(connection, path, version)
            if found < version:
                _migrate(connection, path, found, version, migrations)
        except sqlite3.Error as error:
            connection.close()
            raise JournalError(f"{path}: the journal cannot be used: {error}") from None
        except JournalError:
            connection.close()
            raise
        return cls(connection, path)

    @classmethod
    def look(cls, path: Path) -> Journal:
        """A journal only to read, as it is now: nothing on the disk changes, though it may be in use.

        JournalDamaged or JournalError as `open`; also if there is none.
        """
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            _read_into(connection, path)
            _look_over(connection, path, VERSION)
        except (OSError, sqlite3.Error) as error:
            connection.close()
            if isinstance(error, sqlite3.Error) and not _is_no_damage(error):
                raise JournalDamaged(f"{path}: the journal is damaged: {error}") from None
            raise JournalError(f"{path}: the journal cannot be read: {error}") from None
        except JournalError:
            connection.close()
            raise
        return cls(connection, path)

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def begin(self, header: Header, started: str, played_on: Mapping[str, Any]) -> int:
        """A new match; its number."""
        with self._writing():
            cursor = self._db.execute(
                "INSERT INTO matches (started, header, played_on) VALUES (?, ?, ?)",
                (started, header_text(header), json.dumps(played_on, sort_keys=True)),
            )
        number = cursor.lastrowid
        assert number is not None
        self.begun.append(number)
        return number

    def append(self, match: int, content: Content) -> None:
        """Adds a line to a match. When this returns, the line is on the disk."""
        with self._writing():
            self._db.execute(
                "INSERT INTO lines (match_id, number, text) "
                "SELECT ?, COALESCE(MAX(number), 0) + 1, ? FROM lines WHERE match_id = ?",
                (match, str(content), match),
            )

    def shorten(self, match: int, lines: int) -> None:
        """Leaves a match its first lines: nobody has been shown the others."""
        with self._writing():
            self._db.execute("DELETE FROM lines WHERE match_id = ? AND number > ?", (match, lines))

    def drop_empty(self, number: int) -> None:
        """Forgets a match that has no line: nothing of it has happened."""
        with self._writing():
            self._db.execute(
                "DELETE FROM matches WHERE id = ? "
                "AND NOT EXISTS (SELECT 1 FROM lines WHERE match_id = matches.id)",
                (number,),
            )

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            kind = JournalError if _is_no_damage(error) else JournalDamaged
            raise kind(f"{self.path}: the journal cannot be written: {error}") from None

    def ready(self, writing: bool = False) -> None:
        """Shows that the journal answers, or even can be written; JournalError if not."""
        (version,) = self._rows("PRAGMA user_version")[0]
        if writing:
            with self._writing():
                self._db.execute(f"PRAGMA user_version = {version:d}")

    def matches(self) -> tuple[StoredMatch, ...]:
        """All matches, the newest last."""
        rows = self._rows(
            "SELECT id, started, header, played_on, "
            "(SELECT COUNT(*) FROM lines WHERE match_id = matches.id) FROM matches ORDER BY id"
        )
        return tuple(
            StoredMatch(
                number, started, self._parsed(number, header).header, lines, self._table(number, played_on)
            )
            for number, started, header, played_on, lines in rows
        )

    def _table(self, number: int, text: str) -> Mapping[str, Any]:
        try:
            table = json.loads(text)
        except ValueError:
            table = None
        if not isinstance(table, dict):
            raise JournalDamaged(f"{self.path}: match {number}: what it was played on cannot be read")
        return table

    def match(self, number: int) -> StoredMatch:
        """One match (JournalError if there is none of this number)."""
        for match in self.matches():
            if match.id == number:
                return match
        raise JournalError(f"{self.path}: there is no match {number}")

    def record(self, number: int) -> Record:
        """The record of a match."""
        rows = self._rows("SELECT header FROM matches WHERE id = ?", number)
        if not rows:
            raise JournalError(f"{self.path}: there is no match {number}")
        lines = self._rows("SELECT text FROM lines WHERE match_id = ? ORDER BY number", number)
        return self._parsed(number, rows[0][0] + "".join(f"{text}\n" for (text,) in lines))

    def as_bytes(self) -> bytes:
        """The whole journal as a file of its own."""
        try:
            return self._db.serialize()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: the journal cannot be read: {error}") from None

    def text(self, number: int) -> str:
        """The record of a match as the text of a `.kort` file."""
        return write(self.record(number))

    def _rows(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            kind = JournalError if _is_no_damage(error) else JournalDamaged
            raise kind(f"{self.path}: the journal cannot be read: {error}") from None

    def _parsed(self, number: int, text: str) -> Record:
        try:
            return parse(text)
        except RecordError as error:
            raise JournalDamaged(f"{self.path}: match {number}, line {error.line}: {error.text}") from None


def _make(path: Path) -> None:
    """Makes an empty journal, beside its place and then put there in one step: a cut in the middle leaves
    none, never half of one. OSError or sqlite3.Error if that cannot be done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.stem}.new-{os.getpid()}{path.suffix}")
    for part in PARTS:
        Path(f"{fresh}{part}").unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            _prepared(connection, fresh, VERSION)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # to close it would not tell if it failed
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)  # does not put it in the place of one that another process has made by now
        except FileExistsError:
            return
        except OSError:  # a file system without links
            os.replace(fresh, path)
        sync_folder(path.parent)
    finally:
        for part in PARTS:
            Path(f"{fresh}{part}").unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Puts what was made, renamed or deleted in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _prepared(connection: sqlite3.Connection, path: Path, version: int) -> int:
    """Makes a new file a journal and looks an old one over; its version."""
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        if found == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={VERSION}; COMMIT;")
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of a message about spoilt text
        if _is_no_damage(error):
            raise
        raise JournalDamaged(f"{path}: the journal is damaged: {error}") from None
    return _look_over(connection, path, version)


def _look_over(connection: sqlite3.Connection, path: Path, version: int) -> int:
    """Whether it is a whole journal, of a version that is known; which."""
    try:
        (check,) = connection.execute("PRAGMA quick_check").fetchone()
        if check != "ok":
            raise JournalDamaged(f"{path}: the journal is damaged: {str(check).splitlines()[0]}")
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        if not 1 <= found < _NO_VERSION:
            raise JournalDamaged(f"{path}: the journal is damaged: it says that its version is {found}")
        if found > version:
            raise JournalError(
                f"{path}: a journal of version {found}, this program knows version {version}: update it"
            )
        for query in _ODD:
            if connection.execute(query).fetchone():
                raise JournalDamaged(f"{path}: the journal is damaged: a row of another kind")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if _is_no_damage(error):
            raise
        raise JournalDamaged(f"{path}: the journal is damaged: {error}") from None
    return int(found)


def _read_into(connection: sqlite3.Connection, path: Path) -> None:
    """Copies a journal into another database. SQLite makes files beside one that it only reads, unless told
    that nobody writes it, or unless they are there."""
    log, index = (Path(f"{path}{part}") for part in PARTS[1:])
    if not log.exists():
        how = "mode=ro&immutable=1"
    elif index.exists():
        how = "mode=ro"
    else:  # as a power cut left it: what is in the log counts, and to read it needs the index made anew
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, f"{copy}{PARTS[1]}")
            with contextlib.closing(sqlite3.connect(copy)) as source:
                source.backup(connection)
        return
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as source:
        source.backup(connection)


def _is_no_damage(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _NO_DAMAGE


def _migrate(
    connection: sqlite3.Connection, path: Path, found: int, version: int, migrations: Mapping[int, str]
) -> None:
    """Brings a journal up to date in one transaction; the old one is kept beside it."""
    kept = path.with_name(f"{path.stem}.version-{found}{path.suffix}")
    if not kept.exists():
        connection.execute("VACUUM INTO ?", (str(kept),))
    steps = " ".join(migrations[step] for step in range(found, version))
    try:
        connection.executescript(f"BEGIN; {steps} PRAGMA user_version={version}; COMMIT;")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise
