"""`kortstalis simulate GAME`: simulated players play deals, without vision, and the record is written."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

from appliance.failure import Failure, write_file
from engine.games import GAMES
from engine.players import Cheat, Player, RandomPlayer, SimplePlayer
from engine.record import End, Header, write
from engine.simulation import NAMES, Simulation

LONGEST = 100_000
"""Actions after which a deal of players who draw lots is broken off; theirs may take thousands."""


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `simulate`."""
    parser = subparsers.add_parser("simulate", help="let simulated players play, and write the record")
    parser.add_argument("game", metavar="GAME", help="the game's id (see kortstalis games)")
    parser.add_argument("--deals", type=int, default=1, metavar="N", help="how many deals")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="other cards for another number")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play")
    parser.add_argument("--cheat", type=float, default=0.0, metavar="RATE", help="how often rules are broken")
    parser.add_argument("--players", choices=("random", "simple"), default="simple", help="how they play")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write there, not to standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays and writes; 1 if a deal had to be broken off."""
    if args.game not in GAMES:
        raise Failure(f"unknown game {args.game!r}: there is {', '.join(GAMES)}")
    if args.deals < 1 or not 0 <= args.cheat <= 1:
        raise Failure("--deals is at least 1, --cheat a rate between 0 and 1")
    game = GAMES[args.game]
    seats = args.seats or max(n for n in game.players if n <= 4)
    if seats not in game.players:
        raise Failure(f"{args.game} is for {', '.join(map(str, game.players))} players, not {seats}")
    options = dict(part.partition("=")[::2] for part in args.option)

    def player(rng: random.Random) -> Player:
        made: Player = RandomPlayer(rng) if args.players == "random" else SimplePlayer(args.game)
        return Cheat(made, args.cheat, rng) if args.cheat else made

    try:
        header = Header(args.game, NAMES[:seats], None, options)
        simulation = Simulation(header, args.seed, player)
    except ValueError as error:
        raise Failure(str(error)) from None
    draws_lots = args.players == "random" or args.cheat > 0
    broken_off = []
    for number in range(1, args.deals + 1):
        simulation.deal()
        reason = _played(simulation, draws_lots)
        if reason:
            simulation.happened(End())
            broken_off.append(f"deal {number} was broken off: {reason}")
    text = write(simulation.match.record())
    if args.record is None:
        print(text, end="")
    else:
        write_file(args.record, text)
    for line in broken_off:
        print(f"kortstalis: {line}", file=sys.stderr)
    return 1 if broken_off else 0


def _played(simulation: Simulation, draws_lots: bool) -> str:
    """Plays the deal; why it does not end, or nothing."""
    for _ in range(LONGEST):
        action = simulation.choose()
        if action is None:
            return ""
        simulation.happened(action)
        if simulation.comes_round and not draws_lots:
            return "these players go round for ever, all lies as it lay before"
    return f"not over after {LONGEST} actions"
