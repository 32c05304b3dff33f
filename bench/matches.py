"""`python -m bench.matches`: whole matches on the simulated table, what was seen held against what was done.

`[--games G,G] [--players N,N] [--seed S] [--seeds N] [--modes plain,cheat,fumble] [--deals N] [--seconds T]
[--to FILE]` plays each game with each number of players that is allowed, so many seeds of each mode. With
`--to` each match is a line of JSON in FILE, and those that FILE already holds are not played again: a run
that was broken off goes on. `--sum FILE ...` only prints the table. Its exit status is 1 if a match was not
seen as it was played.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2

from appliance.demo import Demo, DemoSettings
from appliance.failure import Failure
from appliance.flows import FLOWS
from appliance.fumbling import FumblingDemo
from engine.games import GAMES

CHEAT = 0.1  # of the moves of a player, where there is a rule to break
FUMBLE = 0.2  # of the plays
MODES: Mapping[str, DemoSettings] = {
    "plain": DemoSettings(),
    "cheat": DemoSettings(cheat=CHEAT),
    "fumble": DemoSettings(fumble=FUMBLE),
}


@dataclass(frozen=True)
class Played:
    """One match. `seen`: the record is what was done; `lines`: of the record; `seconds`: of this machine."""

    game: str
    players: int
    mode: str
    seed: int
    seen: bool
    lines: int
    seconds: float

    @property
    def name(self) -> tuple[str, int, str, int]:
        """What makes it another match."""
        return self.game, self.players, self.mode, self.seed


def wanted(args: argparse.Namespace) -> Iterator[tuple[str, int, str, int]]:
    """The matches that are asked for: a seed of everything first, then the next seed."""
    for seed in range(args.seed, args.seed + args.seeds):
        for mode in args.modes.split(","):
            for game in args.games.split(","):
                for players in GAMES[game].players:
                    if args.players is None or str(players) in args.players.split(","):
                        yield game, players, mode, seed


def play(game: str, players: int, mode: str, seed: int, deals: int | None) -> Played:
    """Plays one match (of at most so many deals)."""
    settings = replace(MODES[mode], game=game, players=players, seed=seed, deals=deals)
    start = time.monotonic()
    demo = (FumblingDemo if settings.fumble else Demo)(settings, None)
    seen = demo.play()
    return Played(
        game, players, mode, seed, seen, len(demo.simulation.match.record().lines), time.monotonic() - start
    )


def read(files: Sequence[Path]) -> list[Played]:
    """The matches of such files; one that is broken in the middle of its last line is read up to it."""
    found = []
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            try:
                found.append(Played(**json.loads(line)))
            except (ValueError, TypeError):
                print(f"{file}:{number}: not a played match; left out", file=sys.stderr)
    return found


def table(matches: Sequence[Played]) -> str:
    """How many matches of each game and mode were seen as played, of how many; and which were not."""
    modes = [mode for mode in MODES if any(one.mode == mode for one in matches)]
    counts: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for one in matches:
        for game in (one.game, "all"):
            counts[game, one.mode].append(one.seen)
    rows = ["game".ljust(16) + "".join(mode.rjust(12) for mode in modes)]
    for game in (*(game for game in FLOWS if any(one.game == game for one in matches)), "all"):
        cells = (counts[game, mode] for mode in modes)
        rows.append(game.ljust(16) + "".join(f"{sum(cell)}/{len(cell)}".rjust(12) for cell in cells))
    rows += [
        f"not seen as played: {one.game}, {one.players} players, {one.mode}, seed {one.seed}"
        for one in matches
        if not one.seen
    ]
    seconds = sum(one.seconds for one in matches)
    return "\n".join([*rows, f"{sum(one.lines for one in matches)} lines in {seconds:.0f} s"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the matches and prints the table; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.matches", description=__doc__.split("\n")[0])
    parser.add_argument("--games", default=",".join(FLOWS), help="by commas")
    parser.add_argument("--players", help="by commas; else all that a game allows")
    parser.add_argument("--modes", default=",".join(MODES), help="by commas")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how many")
    parser.add_argument("--deals", type=int, metavar="N", help="at most, of a match")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no match after so many")
    parser.add_argument("--to", type=Path, metavar="FILE", help="a line of JSON a match")
    parser.add_argument("--sum", type=Path, nargs="+", metavar="FILE", help="print the table of these only")
    args = parser.parse_args(arguments)
    for given, known in ((args.games, FLOWS), (args.modes, MODES)):
        for name in given.split(","):
            if name not in known:
                parser.error(f"no {name!r}: there is {', '.join(known)}")
    try:
        matches = read(args.sum) if args.sum else _run(args)
    except (Failure, OSError) as error:
        print(f"bench.matches: {error}", file=sys.stderr)
        return 2
    print(table(matches))
    return 0 if matches and all(one.seen for one in matches) else 1


def _run(args: argparse.Namespace) -> list[Played]:
    cv2.setNumThreads(1)
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    done = {one.name: one for one in read([args.to])} if args.to is not None and args.to.exists() else {}
    start = time.monotonic()
    matches = []
    for name in wanted(args):
        one = done.get(name)
        if one is None:
            if time.monotonic() - start > args.seconds:
                break
            one = play(*name, args.deals)
            if args.to is not None:
                with args.to.open("a") as file:
                    file.write(json.dumps(asdict(one)) + "\n")
        if not one.seen:
            print(f"not seen as played: {one.game} {one.players} {one.mode} {one.seed}", file=sys.stderr)
        matches.append(one)
    return matches


if __name__ == "__main__":
    sys.exit(main())
