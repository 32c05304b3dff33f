"""`kortstalis demo`: the whole appliance on a simulated table (contract, section 3)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from appliance.failure import Failure
from appliance.folders import journal_path
from engine.games import GAMES


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `demo`."""
    parser = subparsers.add_parser("demo", help="the whole appliance on a simulated table")
    parser.add_argument("--game", default="dezertyras", metavar="G", help="the game (see kortstalis games)")
    parser.add_argument("--players", type=int, metavar="N", help="how many play")
    parser.add_argument("--deals", type=int, metavar="N", help="stop after so many deals")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="another match for another number")
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--fast", action="store_true", help="do not wait for wall-clock time")
    parser.add_argument(
        "--screenshots", type=Path, metavar="DIR", help="a picture of the screen at each action"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what the appliance saw")
    parser.add_argument("--truth", type=Path, metavar="FILE", help="write what the players really did")
    parser.add_argument("--faces", type=Path, metavar="DIR", help="photographed cards to play with")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="the taught deck that is played with")
    parser.add_argument(
        "--cheat", type=float, default=0.0, metavar="RATE", help="how often players break rules"
    )
    parser.add_argument(
        "--fumble", type=float, default=0.0, metavar="RATE",
        help="how often something goes amiss: a card slides, two drop at once, the wrong player lays one,"
        " one is taken back, one is misread",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="events and verdicts as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays a demo."""
    if args.game not in GAMES:
        raise Failure(f"unknown game {args.game!r}: there is {', '.join(GAMES)}")
    from appliance.flows import FLOWS

    if args.game not in FLOWS:
        raise Failure(f"{args.game} cannot be played on the simulated table yet: there is {', '.join(FLOWS)}")
    game = GAMES[args.game]
    players = args.players if args.players is not None else max(n for n in game.players if n <= 4)
    if players not in game.players:
        raise Failure(f"{args.game} is for {', '.join(map(str, game.players))} players, not {players}")
    for option, rate in (("--cheat", args.cheat), ("--fumble", args.fumble)):
        if not 0 <= rate <= 1:
            raise Failure(f"{option} {rate}: a rate is between 0 and 1")
    if args.seed < 0:
        raise Failure(f"--seed {args.seed}: a number from 0 on")
    if args.record is not None and args.truth is not None and args.record.resolve() == args.truth.resolve():
        raise Failure("--record and --truth are the same file")
    if args.deals is not None and args.deals < 1:
        raise Failure(f"--deals {args.deals}: at least 1")
    from appliance.commands.matches import show
    from appliance.demo import DemoSettings, run_demo
    from appliance.journal import Journal, JournalError
    from appliance.played import folded

    faces = None if args.faces is None else str(args.faces.resolve())
    deck = None if args.deck is None else str(args.deck.resolve())
    settings = DemoSettings(args.game, players, args.seed, args.deals, args.cheat, faces, deck, args.fumble)
    try:
        with Journal.open(journal_path()) as journal:
            try:
                status = run_demo(
                    settings, journal, headless=args.headless, fast=args.fast, as_json=args.json,
                    record=args.record, truth=args.truth, screenshots=args.screenshots,
                )  # fmt: skip
                if not args.json:  # the lines of JSON are of what happened, each of a kind
                    for number in journal.begun:
                        show(journal.match(number), folded(journal, number), False)
                return status
            finally:
                for number in journal.begun:  # of a demo that failed at its start nothing is left
                    journal.drop_empty(number)
    except JournalError as error:
        raise Failure(str(error)) from None
