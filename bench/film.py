"""The film bench: deals on the simulated table, filmed with disturbances, the record held against the truth.

`python -m bench.film [--deals N] [--seed S] [--games G,G] [--disturb D,D] [--deck drawn|DIR ...]
[--frames F] [--seconds T]`. Its exit status is 1 if a card was recorded that was never laid (a phantom) or a
card was taken for another without asking (a misread).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence

import cv2

from appliance.flows import FLOWS
from bench.filmed import KINDS, Count, film
from engine.games import GAMES

_COLUMNS = ("deals", "plays", "missed", "phantom", "misread", "asked", "seat", "late", "order")


def main(arguments: Sequence[str] | None = None) -> int:
    """Films the deals and prints the tables; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.film", description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=24, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first deal")
    parser.add_argument("--games", default=",".join(FLOWS), help="by commas")
    parser.add_argument("--disturb", default=",".join(KINDS), help="by commas")
    parser.add_argument("--deck", nargs="+", default=["drawn"], metavar="DIR", help="drawn, or card faces")
    parser.add_argument("--frames", type=int, default=500, help="the longest film, 10 frames a second")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no film after so many")
    args = parser.parse_args(arguments)
    games, kinds = args.games.split(","), args.disturb.split(",")
    for name, known in (*((g, FLOWS) for g in games), *((k, KINDS) for k in kinds)):
        if name not in known:
            parser.error(f"no {name!r}: there is {', '.join(known)}")
    cv2.setNumThreads(1)
    by_game: dict[str, Count] = defaultdict(Count)
    by_kind: dict[str, Count] = defaultdict(Count)
    total = Count()
    start = time.monotonic()
    for seed in range(args.seed, args.seed + args.deals):
        if time.monotonic() - start > args.seconds:
            break
        game, kind = games[seed % len(games)], kinds[seed % len(kinds)]
        deck = args.deck[(seed + seed // len(kinds)) % len(args.deck)]
        seats = [n for n in GAMES[game].players if n <= 4]
        players = seats[-1 - seed // len(games) % len(seats)]
        count = film(game, players, kind, seed, None if deck == "drawn" else deck, args.frames, _say)
        for table in (by_game[game], by_kind[kind], total):
            table.add(count)
    _table("game", by_game, total)
    _table("disturbance", by_kind, total)
    plays = max(1, total.plays)
    parts = ", ".join(f"{n} {100 * getattr(total, n) / plays:.2f} %" for n in _COLUMNS[2:])
    print(f"of {total.plays} plays: {parts}")
    print(f"camera moved {total.moves} times, followed {total.followed}; unfinished films {total.unfinished}")
    return 1 if total.wrong else 0


def _say(note: str) -> None:
    print(note, file=sys.stderr, flush=True)


def _table(title: str, rows: Mapping[str, Count], total: Count) -> None:
    print(f"{title:14}" + "".join(f"{name:>9}" for name in _COLUMNS))
    for name, count in (*rows.items(), ("total", total)):
        print(f"{name:14}" + "".join(f"{getattr(count, column):9}" for column in _COLUMNS))
    print()


if __name__ == "__main__":
    sys.exit(main())
