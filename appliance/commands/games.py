"""`kortstalis games [--json]`: the games, their players and options."""

from __future__ import annotations

import argparse
import json
from typing import Any

from engine.games import GAMES


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `games`."""
    parser = subparsers.add_parser("games", help="the games, their players and options")
    parser.add_argument("--json", action="store_true", help="one JSON object per game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints them."""
    for game in GAMES.values():
        options = {
            name: [*option.values, *(["N"] if option.number else [])] for name, option in game.options.items()
        }
        if args.json:
            result = {"id": game.id, "name": game.name, "players": list(game.players), "options": options}
            print(json.dumps(result, ensure_ascii=False))
            continue
        low, high = game.players[0], game.players[-1]
        print(f"{game.id:14} {game.name}, {low if low == high else f'{low}–{high}'} players")
        for name, values in options.items():
            print(f"{'':14}   {name}: {' | '.join(values)}")
    return 0
