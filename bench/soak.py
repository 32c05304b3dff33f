"""`python -m bench.soak --hours H`: evenings of mixed games, one after the other, in one process.

Each match is played on the simulated table through the real vision, with a screen, simulated pods and the
journal; then the same match is played again at a table that stays up the whole time (console, keeper,
pictures, sounds, corrections, disputes). The hours are those of the table's clock.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

WARM_UP = 1 / 4  # of the hours
MOST_WARM_UP_S = 3600.0
GROWTH_MB = 20.0
EVERY_S = 10.0  # of the wall's clock, between two lines


@dataclass(frozen=True)
class Held:
    """What the process holds: memory in MB, threads, open files."""

    rss: float
    threads: int
    files: int


def held() -> Held:
    """What it holds now, after a collection; what the allocator only keeps for later does not count."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # it is glibc's
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    threads = len(os.listdir("/proc/self/task"))
    return Held(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, threads, len(os.listdir("/proc/self/fd")) - 1)


@dataclass
class Soaked:
    """How it went. `seen`: matches that were seen just as they were played."""

    matches: int = 0
    seen: int = 0
    table_s: float = 0.0
    start: Held | None = None
    warm: Held | None = None
    last: Held | None = None
    end: Held | None = None
    left: tuple[str, ...] = ()

    @property
    def growth(self) -> float:
        """MB since the warm-up."""
        return 0.0 if self.warm is None or self.last is None else self.last.rss - self.warm.rss

    def wrong(self) -> list[str]:
        """What must not be, a line each."""
        found = []
        if self.growth > GROWTH_MB:
            found.append(
                f"the memory grew by {self.growth:.1f} MB after the warm-up (at most {GROWTH_MB:.0f})"
            )
        if self.warm is not None and self.last is not None:
            if self.last.threads > self.warm.threads:
                found.append(f"{self.last.threads - self.warm.threads} threads more than after the warm-up")
            if self.last.files > self.warm.files:
                found.append(f"{self.last.files - self.warm.files} open files more than after the warm-up")
        if self.start is not None and self.end is not None and self.end.files > self.start.files:
            found.append(f"{self.end.files - self.start.files} open files left at the end")
        if self.left:
            found.append(f"threads left at the end: {', '.join(self.left)}")
        return found


def soak(
    hours: float, say: Callable[[str], None] = print, seed: int = 0, games: tuple[str, ...] = ()
) -> Soaked:
    """Plays for so many hours of the table's clock."""
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    folder = tempfile.TemporaryDirectory(prefix="kortstalis-soak-")
    with folder as path:
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = path
        from appliance.taught import reader_for
        from bench.soak_table import Lasting, matches

        reader_for(None)  # the networks and what they open stay to the end: they are no growth
        result = Soaked(start=held())
        warm_at = min(hours * 3600 * WARM_UP, MOST_WARM_UP_S)
        started = time.monotonic()
        said = float("-inf")
        threads = set(threading.enumerate())
        lasting = Lasting(seed)
        try:
            for number, played in enumerate(matches(seed, games), 1):
                seen = played.play()
                lasting.again(played.record, played.event, number)
                result.matches, result.seen = number, result.seen + seen
                result.table_s += played.t
                game = played.game
                del played
                now = held()
                result.last = now
                enough = number >= max(2, len(games)) and result.table_s >= warm_at
                if result.warm is None and enough:
                    result.warm = now
                wall = time.monotonic() - started
                over = result.table_s >= hours * 3600 and result.warm is not None
                if over or wall >= said + EVERY_S:
                    said = wall
                    say(_line(result, wall, now, game))
                if over:
                    break
        finally:
            lasting.close()
        result.end = held()
        result.left = tuple(one.name for one in threading.enumerate() if one not in threads)
    return result


def _line(result: Soaked, wall: float, now: Held, game: str) -> str:
    grown = "warming up" if result.warm is None else f"{result.growth:+.1f} MB"
    return (
        f"{result.table_s / 3600:6.2f} h at the table  {wall:6.0f} s  matches {result.matches:4} "
        f"(seen {result.seen})  RSS {now.rss:6.1f} MB ({grown})  threads {now.threads}  "
        f"files {now.files}  {game}"
    )


def main() -> int:
    """The exit status: 1 if something grew or was left."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0, help="hours of the table's clock")
    parser.add_argument("--seed", type=int, default=0, help="other matches for another number")
    args = parser.parse_args()
    if not 0 < args.hours <= 1000:
        parser.error("--hours: above 0 and at most 1000")
    result = soak(args.hours, lambda line: print(line, flush=True), args.seed)
    for line in result.wrong():
        print(f"soak: {line}", file=sys.stderr)
    if not result.wrong():
        print(f"nothing grew or was left: {result.growth:+.1f} MB after the warm-up")
    return 1 if result.wrong() else 0


if __name__ == "__main__":
    sys.exit(main())
