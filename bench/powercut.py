"""`python -m bench.powercut`: what was shown is on the disk, whatever happens to the machine.

`--kills N`: tables killed with `kill -9` at random moments and started again. `--cuts N`: power cuts; the
disk keeps what was synced and a random part of the rest. `--demos N`: kills of the whole demo, camera and
all, which then goes on to its end. The exit status is 1 if a line that was shown is missing, or anything
else has changed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.cut import Platter
from bench.disk import Disk
from bench.evening import examine, play
from bench.killed import LONG_S, Killed, kill, kill_demos

_LINES = 1200  # of an evening; the log is moved into the journal after about a thousand
_CUTS_AN_EVENING = 20


@dataclass
class Cut:
    """How the power cuts went. `operations`: of the disk, that could have been the last; `torn`: cuts that
    left a line that nobody had been shown."""

    cuts: int = 0
    operations: int = 0
    torn: int = 0
    slowest: float = 0.0
    wrong: tuple[str, ...] = ()


def cut(cuts: int, seed: int, folder: Path, say: Callable[[str], None] = print, lines: int = _LINES) -> Cut:
    """Cuts the power so many times, `_CUTS_AN_EVENING` at most in each evening."""
    result, rng = Cut(), random.Random(f"{seed} cuts")
    evening = seed * 1000
    while result.cuts < cuts:
        evening += 1
        here = folder / f"evening-{evening}"
        here.mkdir()
        disk = _evening(here / "journal.sqlite", evening, lines, rng)
        result.operations += len(disk.ops)
        count = min(_CUTS_AN_EVENING, cuts - result.cuts)
        # Half of them anywhere, half where the journal itself is written: there is most to break.
        moving = [n for n, op in enumerate(disk.ops, 1) if op.name == "journal.sqlite"]
        moments = [rng.randint(1, len(disk.ops)) for _ in range((count + 1) // 2)]
        moments += [rng.choice(moving or range(1, len(disk.ops) + 1)) for _ in range(count // 2)]
        platter, taken = Platter(), 0
        for moment in sorted(moments):
            platter.take(disk.ops[taken:moment])
            taken = moment
            result.cuts += 1
            left = here / f"cut-{result.cuts}"
            left.mkdir()
            platter.cut(rng, left)
            _start(
                left / "journal.sqlite", evening, platter, f"cut at operation {moment} of {evening}", result
            )
        say(f"  {result.cuts} cuts among {result.operations} operations, {len(result.wrong)} wrong")
    return result


def _evening(path: Path, evening: int, lines: int, rng: random.Random) -> Disk:
    """Plays an evening on a disk that is watched, with breaks in which the program is ended and started."""
    with Disk() as disk:
        left = lines
        while left > 0:
            stretch = rng.choice((left, rng.randint(1, left)))
            asked = 0

            def enough(stretch: int = stretch) -> bool:
                nonlocal asked
                asked += 1
                return asked >= stretch

            play(path, evening, lambda match, count: disk.shown(str(match), count), enough)
            left -= stretch
    return disk


def _start(path: Path, evening: int, platter: Platter, what: str, result: Cut) -> None:
    """Starts on what the cut has left, and plays some lines more."""
    shown = {int(match): count for match, count in platter.shown.items()}
    begin = time.monotonic()
    found = examine(path, evening, shown)
    result.slowest = max(result.slowest, time.monotonic() - begin)
    result.torn += sum(found.lines.values()) > sum(shown.values())
    wrong = [*found.wrong, *([f"rescued: {found.rescue}"] if found.rescue is not None else [])]
    if not wrong:
        on: dict[int, int] = {}
        play(path, evening, on.__setitem__, lambda: sum(on.values()) > 5)
        wrong += examine(path, evening, {**found.lines, **on}, 0).wrong
    result.wrong += tuple(f"{what}: {line}" for line in wrong)


def main() -> int:
    """Does what is asked for; 1 if something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.powercut", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--demos", type=int, default=5)
    parser.add_argument("--lines", type=int, default=_LINES, help="of an evening whose power is cut")
    parser.add_argument("--seed", type=int, default=0, help="other matches and other moments")
    args = parser.parse_args()
    if min(args.kills, args.cuts, args.demos) < 0 or args.lines < 1:
        parser.error("--kills, --cuts, --demos: at least 0; --lines: at least 1")
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kortstalis-powercut-") as folder:
        here = Path(folder)
        begin = time.monotonic()
        if args.kills:
            wrong += _told("kills", kill(args.kills, args.seed, here, _say), begin)
        begin = time.monotonic()
        if args.demos:
            wrong += _told("kills of demos", kill_demos(args.demos, args.seed, here, _say), begin)
        begin = time.monotonic()
        if args.cuts:
            lost = cut(args.cuts, args.seed, here, _say, args.lines)
            _say(
                f"{lost.cuts} power cuts among {lost.operations} operations of the disk; after {lost.torn} "
                f"of them a line more than was shown; slowest start {lost.slowest:.2f} s; {_since(begin)}"
            )
            wrong += (*lost.wrong, *_slow(lost.slowest))
    for line in wrong:
        print(f"powercut: {line}", file=sys.stderr)
    if not wrong:
        print("every line that was shown was there, and nothing else had changed")
    return 1 if wrong else 0


def _told(what: str, killed: Killed, begin: float) -> tuple[str, ...]:
    """Prints how kills went; what was wrong."""
    _say(
        f"{killed.kills} {what}; {killed.shown} lines shown; {killed.unshown} more were on the disk by then; "
        f"slowest start {killed.slowest:.2f} s; {_since(begin)}"
    )
    return (*killed.wrong, *_slow(killed.slowest))


def _say(line: str) -> None:
    print(line, flush=True)


def _since(begin: float) -> str:
    return f"{time.monotonic() - begin:.0f} s in all"


def _slow(slowest: float) -> list[str]:
    return [f"a start took {slowest:.1f} s, {LONG_S:.0f} are allowed"] if slowest > LONG_S else []


if __name__ == "__main__":
    sys.exit(main())
