"""What is left on a disk when the power goes: what was synced, and a random part of what was not.

A disk takes 512 bytes whole or not at all, in any order; what lies beside them is not touched. A file that
was made or deleted since its folder was synced is there or not. (A disk that lies about a sync, or that
spoils what it is not writing, is not what this is about: nothing but a second disk helps there.)
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bench.disk import Op

SECTOR = 512


@dataclass
class _File:
    """`kept`: what is surely there. `pending`: done since the last sync. `before`: the file of this name that
    was deleted, as long as that may not be on the disk; `was`: its name before, likewise; `sure`: its name
    is."""

    kept: bytearray = field(default_factory=bytearray)
    pending: list[Op] = field(default_factory=list)
    sure: bool = False
    gone: bool = False
    before: _File | None = None
    was: str | None = None


class Platter:
    """A disk that has taken some operations. `shown`: how many lines of each match were shown by then."""

    def __init__(self) -> None:
        self.shown: dict[str, int] = {}
        self._files: dict[str, _File] = {}

    def take(self, ops: Iterable[Op]) -> None:
        """Further operations."""
        for op in ops:
            if op.deed == "shown":
                self.shown[op.name] = op.at
            elif op.deed == "open":
                self._files[op.name] = _File(before=self._files.get(op.name))
            elif op.deed == "delete":
                self._files[op.name].gone = True
                if op.folder:
                    self._sync_folder()
            elif op.deed == "rename":
                file, name = self._files.pop(op.name), os.fsdecode(op.data)
                file.before, file.was, file.sure = self._files.get(name), op.name, False
                self._files[name] = file
            elif op.deed == "sync":
                self._sync(op)
            else:
                self._files[op.name].pending.append(op)

    def _sync(self, op: Op) -> None:
        file = self._files[op.name]
        for each in file.pending:
            _do(file.kept, each, each.data, each.at)
        file.pending.clear()
        if op.folder:
            self._sync_folder()

    def _sync_folder(self) -> None:
        self._files = {name: file for name, file in self._files.items() if not file.gone}
        for file in self._files.values():
            file.sure, file.before, file.was = True, None, None

    def cut(self, rng: random.Random, folder: Path) -> None:
        """Writes the files into a folder as a power cut now may leave them."""
        share = rng.choice((0.0, 0.5, 0.9, 1.0))  # of the unsynced pieces that have reached the disk
        for name, file in self._files.items():
            if not file.sure and not file.gone and rng.random() < 0.5:  # its name has not come to the disk
                if file.before is not None:
                    _write(folder / name, _left(file.before, rng, share))
                if file.was is not None:
                    _write(folder / file.was, _left(file, rng, share))
            else:
                _write(folder / name, _left(file, rng, share))


def _write(path: Path, data: bytes | None) -> None:
    if data is not None:
        path.write_bytes(data)


def _left(file: _File, rng: random.Random, share: float) -> bytes | None:
    if file.gone and rng.random() < 0.5:
        return None
    data = bytearray(file.kept)
    for op in file.pending:
        if op.deed == "truncate":
            if rng.random() < share:
                _do(data, op, b"", op.at)
            continue
        start = op.at
        while start < op.at + len(op.data):
            end = min((start // SECTOR + 1) * SECTOR, op.at + len(op.data))
            if rng.random() < share:
                _do(data, op, op.data[start - op.at : end - op.at], start)
            start = end
    return bytes(data)


def _do(data: bytearray, op: Op, piece: bytes, at: int) -> None:
    size = at if op.deed == "truncate" else max(len(data), at + len(piece))
    data.extend(bytes(max(0, size - len(data))))
    if op.deed == "truncate":
        del data[at:]
    else:
        data[at : at + len(piece)] = piece
