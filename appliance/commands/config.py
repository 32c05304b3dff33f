"""`kortstalis config check|show|default`: the configuration."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from appliance.config import Config, as_toml, load, read
from appliance.failure import Failure
from appliance.flows import FLOWS
from appliance.folders import config_path
from appliance.language import LANGUAGES, Language
from engine.games import GAMES


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `config`."""
    parser = subparsers.add_parser("config", help="check or show the configuration")
    parser.add_argument(
        "what", choices=("check", "show", "default"),
        help="check a file; show what holds; print the commented default file",
    )  # fmt: skip
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="instead of the usual one")
    parser.add_argument("--lang", choices=LANGUAGES, default=LANGUAGES[0], help="of the comments")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Checks (1 if something is wrong), shows, or prints the default file."""
    path = args.file or config_path()
    if args.what == "check":
        if path is None:
            raise Failure("there is no configuration file; the defaults hold (kortstalis config default)")
        return _check(path, args.json)
    config = load(path) if args.what == "show" else Config()
    if args.json:
        print(json.dumps(dataclasses.asdict(config), ensure_ascii=False))
    else:
        print(as_toml(config, Language(args.lang)), end="")
    return 0


def _check(path: Path, as_json: bool) -> int:
    config, problems = read(path)
    texts = [problem.at(str(path)) for problem in problems]
    if not problems:
        if config.game not in FLOWS:
            texts.append(
                f"{path}: game {config.game!r} cannot be played on the table: there is {', '.join(FLOWS)}"
            )
        elif len(config.players) not in GAMES[config.game].players:
            count = ", ".join(map(str, GAMES[config.game].players))
            texts.append(f"{path}: {config.game} is for {count} players, not {len(config.players)}")
    if as_json:
        print(json.dumps({"file": str(path), "ok": not texts, "problems": texts}, ensure_ascii=False))
    else:
        for text in texts:
            print(f"kortstalis: {text}", file=sys.stderr)
        if not texts:
            print(f"{path}: ok")
    return int(bool(texts))
