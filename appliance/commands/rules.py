"""`kortstalis rules GAME [--lang lt|en]`: the rules of a game, by the numbers that verdicts cite."""

from __future__ import annotations

import argparse
import json
import textwrap
from typing import Any

from appliance.failure import Failure
from appliance.language import LANGUAGES, Language
from engine.games import GAMES


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `rules`."""
    parser = subparsers.add_parser("rules", help="the rules of a game, by number")
    parser.add_argument("game", metavar="GAME", help="the game's id (see kortstalis games)")
    parser.add_argument("--lang", choices=LANGUAGES, default=LANGUAGES[0], help="the language")
    parser.add_argument("--json", action="store_true", help="one JSON object per rule")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints them, each with its example."""
    if args.game not in GAMES:
        raise Failure(f"unknown game {args.game!r}: there is {', '.join(GAMES)}")
    game, language = GAMES[args.game], Language(args.lang)
    if not args.json:
        print(f"{game.name}\n")
    for number in game.rules:
        text, example = language.rule(number), language.rule_example(number)
        if args.json:
            print(json.dumps({"rule": number, "text": text, "example": example}, ensure_ascii=False))
            continue
        print(textwrap.fill(f"{number:6} {text}", 100, subsequent_indent=" " * 7))
        if example:
            print(textwrap.fill(example, 100, initial_indent=" " * 7 + "· ", subsequent_indent=" " * 9))
    return 0
