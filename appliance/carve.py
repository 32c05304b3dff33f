"""Reads the rows of a journal page by page, without SQLite: for a file whose tree is broken.

Of SQLite's file format (sqlite.org/fileformat2.html) this needs leaf and inner pages, cells and
records. A page that is not what it should be is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Row: TypeAlias = tuple[int | str | None, ...]

_PAGE = 4096
_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER = 0x0D, 0x0A, 0x02
_LARGEST = 1000  # bytes of a cell that stay on its page in any case


def rows(data: bytes, log: bytes) -> tuple[dict[int, Row], dict[tuple[int, int], str]]:
    """Matches by number, and lines by match and number, in a journal file and its write-ahead log."""
    matches: dict[int, Row] = {}
    lines: dict[tuple[int, int], str] = {}
    pages = {n: data[n * _PAGE : (n + 1) * _PAGE] for n in range(1, len(data) // _PAGE)}
    pages.update(_logged(log))
    for page in pages.values():
        for rowid, row in _cells(page):
            match row:
                case (None, str(), str(), str()) if rowid is not None:
                    matches[rowid] = (rowid, *row[1:])
                case (int(of), int(number), str(text)) if rowid is None:
                    lines[of, number] = text
    return matches, lines


def _logged(log: bytes) -> Iterator[tuple[int, bytes]]:
    """The pages of a write-ahead log that belong to it, in their order."""
    salt = log[16:24]
    for at in range(32, len(log) - 24 - _PAGE + 1, 24 + _PAGE):
        if log[at + 8 : at + 16] != salt:
            return
        number = int.from_bytes(log[at : at + 4], "big")
        if number > 1:
            yield number - 1, log[at + 24 : at + 24 + _PAGE]


def _cells(page: bytes) -> Iterator[tuple[int | None, Row]]:
    """The rows on a page, each with its number where it has one."""
    if len(page) < _PAGE or page[0] not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER):
        return
    first = 12 if page[0] == _INDEX_INNER else 8
    for n in range(min(int.from_bytes(page[3:5], "big"), _PAGE // 4)):
        pointer = first + 2 * n
        at = int.from_bytes(page[pointer : pointer + 2], "big")
        try:
            if page[0] == _INDEX_INNER:
                at += 4
            size, at = _varint(page, at)
            rowid = None
            if page[0] == _TABLE_LEAF:
                rowid, at = _varint(page, at)
            if size <= _LARGEST and at + size <= _PAGE:
                yield rowid, _record(page[at : at + size])
        except (IndexError, ValueError):
            continue


def _record(data: bytes) -> Row:
    """The values of a record; ValueError or IndexError if it is none of ours."""
    end, at = _varint(data, 0)
    kinds = []
    while at < end:
        kind, at = _varint(data, at)
        kinds.append(kind)
    values: list[int | str | None] = []
    at = end
    for kind in kinds:
        if kind == 0:
            values.append(None)
            size = 0
        elif kind in (8, 9):
            values.append(kind - 8)
            size = 0
        elif kind <= 4:
            size = kind
            values.append(int.from_bytes(data[at : at + size], "big", signed=True))
        elif kind >= 13 and kind % 2:
            size = (kind - 13) // 2
            values.append(data[at : at + size].decode("utf-8"))
        else:
            raise ValueError("a value of a kind that a journal has not")
        at += size
    if at != len(data):
        raise ValueError("a record of another length")
    return tuple(values)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where the next thing is."""
    value = 0
    for n in range(9):
        byte = data[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise ValueError("no number")
