"""Keeps a match in the journal while the disk misbehaves: what cannot be stored does not count yet.

The journal is opened when it can be. `store` raises JournalError as long as a line cannot be put on the
disk; the service then holds back what happened and tries again, so that nothing is shown that is not
stored, and nothing that happened is lost.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from appliance.journal import Journal, JournalDamaged, JournalError
from engine.record import Content, Header


class Keeper:
    """The journal of one match. `open_journal`: called until it succeeds. `started`: a label.

    `number`: of a match of the journal that goes on, with its `lines`; without it the match is begun with its
    first line. A journal that turns out to be damaged while it is in use is closed and opened again: then
    `open_journal` rescues what is in it, and what the damage took of this match is stored once more.
    """

    def __init__(
        self, open_journal: Callable[[], Journal], header: Header, started: str,
        played_on: Mapping[str, Any], number: int | None = None, journal: Journal | None = None,
        lines: Sequence[Content] = (),
    ) -> None:  # fmt: skip
        self.trouble: str | None = None
        self.number = number
        self._open = open_journal
        self._header, self._started, self._played_on = header, started, played_on
        self._journal = journal
        self._lines = list(lines)

    def store(self, content: Content) -> None:
        """Puts a line on the disk; JournalError if it is not there."""
        with self._minding():
            journal = self._opened()
            if self.number is None:
                self.number = journal.begin(self._header, self._started, self._played_on)
            journal.append(self.number, content)
            self._lines.append(content)

    def ready(self) -> None:
        """Looks whether the journal answers, or can be opened by now; `trouble` says what is wrong."""
        with contextlib.suppress(JournalError), self._minding():
            self._opened().ready(writing=self.trouble is not None)

    @contextlib.contextmanager
    def _minding(self) -> Iterator[None]:
        try:
            yield
        except JournalError as error:
            self.trouble = str(error)
            if isinstance(error, JournalDamaged):
                self.close()
            raise
        self.trouble = None

    def _opened(self) -> Journal:
        if self._journal is None:
            journal = self._open()
            try:
                self._complete(journal)
            except JournalError:
                journal.close()
                raise
            self._journal = journal
        return self._journal

    def _complete(self, journal: Journal) -> None:
        """The match in the journal becomes what has been shown of it."""
        if self.number is None:
            return
        there = {match.id: match for match in journal.matches()}.get(self.number)
        if there is None or there.header != self._header:
            self.number, known = journal.begin(self._header, self._started, self._played_on), 0
        else:
            known = there.lines
            journal.shorten(self.number, len(self._lines))
        for content in self._lines[known:]:
            journal.append(self.number, content)

    def close(self) -> None:
        """Closes the journal."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
