"""The score kept by hand, for an evening that no camera sees: who got how many points, entry by entry."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.failure import Failure
from appliance.journal import sync_folder

MOST_PLAYERS = 6


@dataclass(frozen=True)
class Sheet:
    """`entries`: whose (from 0) and how many points, in their order."""

    names: tuple[str, ...]
    entries: tuple[tuple[int, int], ...] = ()

    def totals(self) -> tuple[int, ...]:
        """The points of each."""
        return tuple(
            sum(points for of, points in self.entries if of == who) for who in range(len(self.names))
        )

    def entered(self, who: int, points: int) -> Sheet:
        """With one entry more."""
        return replace(self, entries=(*self.entries, (who, points)))

    def undone(self) -> Sheet:
        """Without the last entry."""
        return replace(self, entries=self.entries[:-1])


def load_sheet(path: Path) -> Sheet | None:
    """The sheet of a file, None if there is none. Failure if it cannot be read."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        sheet = Sheet(
            tuple(map(str, values["names"])), tuple((int(who), int(n)) for who, n in values["entries"])
        )
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise Failure(f"{path}: not a sheet of scores") from None
    if not 1 < len(sheet.names) <= MOST_PLAYERS or any(
        not 0 <= who < len(sheet.names) for who, _ in sheet.entries
    ):
        raise Failure(f"{path}: not a sheet of scores")
    return sheet


def save_sheet(path: Path, sheet: Sheet) -> None:
    """Puts the sheet on the disk: when this returns it is there. Failure if it cannot be."""
    beside = path.with_suffix(".new")
    text = json.dumps({"names": sheet.names, "entries": sheet.entries}, ensure_ascii=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
