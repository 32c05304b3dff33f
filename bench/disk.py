"""A disk below SQLite that writes down what happens to it, and that can refuse.

SQLite's usual file layer with a few of its functions replaced (sqlite.org/vfs.html and
sqlite.org/c3ref/io_methods.html): writes, truncations, syncs, openings and deletions go through here, all
else is as it was.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Deed: TypeAlias = Literal["open", "write", "truncate", "sync", "delete", "rename", "shown"]

READONLY, IOERR_WRITE, IOERR_FSYNC, FULL, CANTOPEN = 8, 10 | 3 << 8, 10 | 4 << 8, 13, 14
"""What SQLite calls these failures."""
_READ_ONLY, _READ_WRITE, _CREATE = 0x1, 0x2, 0x4
_SYNCS_FOLDER = 0x800 | 0x4000 | 0x80000  # rollback journals and write-ahead logs sync their folder too


@dataclass(frozen=True)
class Op:
    """Something that happened to a file. `at`: an offset or a new size in bytes. `folder`: its folder is
    synced with it. "rename": to the name in `data`. "shown": so many lines (`at`) of a match (`name`) have
    been shown."""

    deed: Deed
    name: str
    at: int = 0
    data: bytes = b""
    folder: bool = False


# Names are pointers: an open file keeps the one that it was given.
_OPEN = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, ctypes.POINTER(c_int))
_DELETE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_CLOSE = ctypes.CFUNCTYPE(c_int, c_void_p)
_WRITE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = ctypes.CFUNCTYPE(c_int, c_void_p, c_int)


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", c_int), ("file_size", c_int), ("longest", c_int), ("next", c_void_p),
        ("name", c_char_p), ("own", c_void_p), ("open", c_void_p), ("delete", c_void_p),
        ("rest", c_void_p * 14),
    )  # fmt: skip


class _Methods(ctypes.Structure):
    _fields_ = (
        ("version", c_int), ("close", c_void_p), ("read", c_void_p), ("write", c_void_p),
        ("truncate", c_void_p), ("sync", c_void_p), ("rest", c_void_p * 13),
    )  # fmt: skip


class Disk:
    """While it is entered, every database that this process opens is on it, to be closed before it is left.

    `ops`: what has happened so far. `refuse`: asked before each deed (of which file), answers with SQLite's
    code of a failure, or 0.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.refuse: Callable[[Deed, str], int] = lambda deed, name: 0
        self._library = ctypes.CDLL("libsqlite3.so.0")  # the one that Python's sqlite3 uses too
        self._library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        self._below = self._library.sqlite3_vfs_find(None)
        self._names: dict[int, tuple[str, bool]] = {}
        self._patched: dict[int, _Methods] = {}
        self._held: list[Any] = []
        self._vfs = _Vfs.from_buffer_copy(self._below.contents)
        self._vfs.name, self._vfs.next = b"kortstalis-disk", None
        self._real_open = _OPEN(self._vfs.open)
        self._real_delete = _DELETE(self._vfs.delete)
        self._vfs.open = self._function(_OPEN, self._open)
        self._vfs.delete = self._function(_DELETE, self._delete)

    def __enter__(self) -> Disk:
        self._link: Callable[..., None] = os.link
        os.link = self._linked  # type: ignore[assignment]
        self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)
        return self

    def __exit__(self, *exc: object) -> None:
        os.link = self._link
        self._library.sqlite3_vfs_register(self._below, 1)
        self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    def shown(self, match: str, lines: int) -> None:
        """So many lines of a match have been shown by now."""
        self.ops.append(Op("shown", match, lines))

    def _linked(self, old: Any, new: Any) -> None:
        """A new journal is put in its place by a link, after which its old name is forgotten."""
        self._link(old, new)
        self.ops.append(Op("rename", os.path.basename(old), data=os.fsencode(os.path.basename(new))))

    def _function(self, kind: Any, work: Callable[..., int]) -> int | None:
        made = kind(work)
        self._held.append(made)
        return ctypes.cast(made, c_void_p).value

    def _open(self, vfs: int, name: int | None, file: int, flags: int, given: Any) -> int:
        if name is None:  # a temporary file: nobody misses it
            return int(self._real_open(ctypes.addressof(self._below.contents), name, file, flags, given))
        path = ctypes.string_at(name)
        short = os.path.basename(os.fsdecode(path))
        status = self.refuse("open", short)
        if status == READONLY:
            flags = flags & ~(_READ_WRITE | _CREATE) | _READ_ONLY
        elif status:
            ctypes.cast(file, ctypes.POINTER(c_void_p))[0] = None  # not to be closed
            return status
        new = not os.path.exists(path)
        status = self._real_open(ctypes.addressof(self._below.contents), name, file, flags, given)
        if status:
            return int(status)
        if new and os.path.exists(path):
            self.ops.append(Op("open", short))
        self._names[file] = short, bool(flags & _SYNCS_FOLDER and flags & _CREATE)
        of = ctypes.cast(file, ctypes.POINTER(c_void_p))
        of[0] = ctypes.addressof(self._methods(of[0]))
        return 0

    def _methods(self, real: int) -> _Methods:
        """The functions of a file with ours among them."""
        if real not in self._patched:
            made = _Methods.from_buffer_copy(_Methods.from_address(real))
            made.write = self._function(_WRITE, self._writing(_WRITE(made.write)))
            made.truncate = self._function(_TRUNCATE, self._truncating(_TRUNCATE(made.truncate)))
            made.sync = self._function(_SYNC, self._syncing(_SYNC(made.sync)))
            self._patched[real] = made
        return self._patched[real]

    def _writing(self, real: Any) -> Callable[[int, int, int, int], int]:
        def write(file: int, data: int, size: int, at: int) -> int:
            name = self._names[file][0]
            status = self.refuse("write", name) or real(file, data, size, at)
            if not status:
                self.ops.append(Op("write", name, at, ctypes.string_at(data, size)))
            return int(status)

        return write

    def _truncating(self, real: Any) -> Callable[[int, int], int]:
        def truncate(file: int, size: int) -> int:
            name = self._names[file][0]
            status = self.refuse("truncate", name) or real(file, size)
            if not status:
                self.ops.append(Op("truncate", name, size))
            return int(status)

        return truncate

    def _syncing(self, real: Any) -> Callable[[int, int], int]:
        def sync(file: int, flags: int) -> int:
            name, folder = self._names[file]
            status = self.refuse("sync", name) or real(file, flags)
            if not status:
                self._names[file] = name, False  # only its first sync syncs the folder
                self.ops.append(Op("sync", name, folder=folder))
            return int(status)

        return sync

    def _delete(self, vfs: int, name: int, folder: int) -> int:
        short = os.path.basename(os.fsdecode(ctypes.string_at(name)))
        status = self.refuse("delete", short)
        status = status or self._real_delete(ctypes.addressof(self._below.contents), name, folder)
        if not status:
            self.ops.append(Op("delete", short, folder=bool(folder)))
        return int(status)
