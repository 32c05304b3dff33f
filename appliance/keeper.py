"""Keeps a match in the journal while the disk misbehaves: what cannot be stored does not count yet.

The journal is opened when it can be. `store` raises JournalError as long as a line cannot be put on the
disk; the service then holds back what happened and tries again, so that nothing is shown that is not
stored, and nothing that happened is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from appliance.journal import Journal, JournalError
from engine.record import Content, Header


class Keeper:
    """The journal of one match. `open_journal`: called until it succeeds. `started`: a label.

    `number`: of a match of the journal that goes on; without it the match is begun with its first line.
    """

    def __init__(
        self, open_journal: Callable[[], Journal], header: Header, started: str,
        played_on: Mapping[str, Any], number: int | None = None, journal: Journal | None = None,
    ) -> None:  # fmt: skip
        self.trouble: str | None = None
        self.number = number
        self._open = open_journal
        self._header, self._started, self._played_on = header, started, played_on
        self._journal = journal

    def store(self, content: Content) -> None:
        """Puts a line on the disk; JournalError if it is not there."""
        try:
            if self._journal is None:
                self._journal = self._open()
            if self.number is None:
                self.number = self._journal.begin(self._header, self._started, self._played_on)
            self._journal.append(self.number, content)
        except JournalError as error:
            self.trouble = str(error)
            raise
        self.trouble = None

    def ready(self) -> None:
        """Looks whether the journal answers, or can be opened by now; `trouble` says what is wrong."""
        try:
            if self._journal is None:
                self._journal = self._open()
            self._journal.ready(writing=self.trouble is not None)
            self.trouble = None
        except JournalError as error:
            self.trouble = str(error)

    def close(self) -> None:
        """Closes the journal."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
