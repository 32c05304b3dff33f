"""Starts that failed, counted in a file: after two in a row the appliance starts safely, with defaults."""

from __future__ import annotations

import contextlib
from pathlib import Path

BEFORE_SAFE = 2
GOOD_AFTER_S = 20.0  # a start that has worked for so long has not failed


class Starts:
    """The count in a folder. A folder that cannot be written or read counts nothing."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "failed-starts"

    @property
    def failed(self) -> int:
        """How many starts in a row have failed, the present one not among them once it is good."""
        try:
            text = self._file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return 0
        return int(text) if text.isdecimal() and len(text) < 9 else 0

    def begin(self) -> bool:
        """Counts a start as failed until `good` is called; whether it should be a safe one."""
        failed = self.failed
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._write(failed + 1)
        return failed >= BEFORE_SAFE

    def good(self) -> None:
        """The present start has worked, or was ended on purpose."""
        with contextlib.suppress(OSError):
            if self.failed:
                self._write(0)

    def _write(self, count: int) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{count}\n", encoding="ascii")
        fresh.replace(self._file)
