"""The film bench: deals on the simulated table, filmed with disturbances, the record held against the truth.

`python -m bench.film [--deals N] [--seed S] [--games G,G] [--disturb D,D] [--deck drawn|DIR ...]
[--teach none|jokers|all] [--frames F] [--seconds T] [--to FILE]`. A long run can be made in slices, also
at the same time: `--seed 0 --deals 50 --to a.jsonl` and `--seed 50 --deals 50 --to b.jsonl`, then
`--sum a.jsonl b.jsonl`, which films nothing. Its exit status is 1 if a card was recorded that was never
laid (a phantom) or a card was taken for another without asking (a misread), 2 if the films to sum cannot be
read.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from appliance.flows import FLOWS
from bench.filmed import KINDS, film
from bench.tally import Filmed, TallyError, append, read, report, total
from engine.games import GAMES


def main(arguments: Sequence[str] | None = None) -> int:
    """Films the deals, or sums what was filmed, and prints the tables; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.film", description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=24, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first deal")
    parser.add_argument("--games", default=",".join(FLOWS), help="by commas")
    parser.add_argument("--disturb", default=",".join(KINDS), help="by commas")
    parser.add_argument("--deck", nargs="+", default=["drawn"], metavar="DIR", help="drawn, or card faces")
    parser.add_argument(
        "--teach", choices=("none", "jokers", "all"), default="jokers",
        help="decks taught before as `enroll` does: none, those of games with jokers (as one must), all",
    )  # fmt: skip
    parser.add_argument("--frames", type=int, default=500, help="the longest film, 10 frames a second")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no film after so many")
    parser.add_argument("--to", type=Path, metavar="FILE", help="add a line of JSON to it for each film")
    parser.add_argument("--sum", type=Path, nargs="+", metavar="FILE", help="film nothing: sum such lines")
    args = parser.parse_args(arguments)
    games, kinds = args.games.split(","), args.disturb.split(",")
    for name, known in (*((g, FLOWS) for g in games), *((k, KINDS) for k in kinds)):
        if name not in known:
            parser.error(f"no {name!r}: there is {', '.join(known)}")
    if args.sum:
        try:
            films = read(args.sum)
        except TallyError as error:
            print(f"bench.film: {error}", file=sys.stderr)
            return 2
    else:
        films = _films(args, games, kinds)
    print(report(films))
    return 1 if total(films).wrong else 0


def _films(args: argparse.Namespace, games: Sequence[str], kinds: Sequence[str]) -> list[Filmed]:
    """Films one deal for each seed."""
    cv2.setNumThreads(1)
    start = time.monotonic()
    films: list[Filmed] = []
    for seed in range(args.seed, args.seed + args.deals):
        if time.monotonic() - start > args.seconds:
            break
        game, kind = games[seed % len(games)], kinds[seed % len(kinds)]
        deck = args.deck[(seed % len(kinds) + seed // len(kinds)) % len(args.deck)]
        seats = [n for n in GAMES[game].players if n <= 4]
        players = seats[-1 - seed // len(games) % len(seats)]
        faces = None if deck == "drawn" else deck
        count = film(game, players, kind, seed, faces, args.frames, _say, args.teach)
        films.append(Filmed(seed, game, players, kind, deck, count))
        if args.to is not None:
            append(args.to, films[-1])
    return films


def _say(note: str) -> None:
    print(note, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
