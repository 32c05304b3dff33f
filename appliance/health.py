"""Whether the appliance lives: the watchdog is fed only while camera, screen and journal all get on."""

from __future__ import annotations

from collections.abc import Callable

PARTS = ("camera", "screen", "journal")


class Health:
    """Takes the progress of each part, and feeds the watchdog when all have made some since the last time.

    `clock`: seconds that never run back. `feed`: feeds the watchdog. `interval`: seconds between two
    feeds at the least; a third of the watchdog's time is right.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        feed: Callable[[], None] = lambda: None,
        interval: float = 5.0,
        parts: tuple[str, ...] = PARTS,
    ) -> None:
        self._clock = clock
        self._feed = feed
        self._interval = interval
        self._waiting_for = set(parts)
        self._parts = parts
        self._start = self._fed = clock()
        self.fed = 0

    def progress(self, part: str) -> None:
        """A part has done something: a frame was read, a picture drawn, the journal answered."""
        self._waiting_for.discard(part)
        now = self._clock()
        if not self._waiting_for and now - self._fed >= self._interval:
            self._fed = now
            self.fed += 1
            self._waiting_for = set(self._parts)
            self._feed()

    @property
    def silent(self) -> tuple[str, ...]:
        """The parts that have done nothing since the watchdog was fed."""
        return tuple(part for part in self._parts if part in self._waiting_for)

    @property
    def lived(self) -> float:
        """Seconds until the last time all parts got on."""
        return self._fed - self._start
