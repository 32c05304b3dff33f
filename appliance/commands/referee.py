"""`kortstalis referee FILE... [--json]`: judges records (contract, section 4)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engine.record import RecordError, decode
from engine.referee import Match, judge


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `referee`."""
    parser = subparsers.add_parser("referee", help="judge game records")
    parser.add_argument("files", nargs="+", metavar="FILE", help="records (.kort)")
    parser.add_argument("--lang", choices=("lt", "en"), default="lt", help="the language of the account")
    parser.add_argument("--json", action="store_true", help="one JSON object per file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judges the files in order; 1 if something in them is wrong, 2 if one cannot be read."""
    status = 0
    for name in args.files:
        try:
            match = judge(decode(Path(name).read_bytes()))
        except OSError as error:
            print(f"{name}: {error.strerror or error}", file=sys.stderr)
            return 2
        except RecordError as error:
            print(f"{name}:{error.line}: {error.text}", file=sys.stderr)
            return 2
        if args.json:
            print(json.dumps({"file": name, **match.result()}, ensure_ascii=False))
        else:
            _print_account(name, match, args.lang)
        status = max(status, int(match.something_wrong))
    return status


def _print_account(name: str, match: Match, code: str) -> None:
    """The readable account; only here are the catalogues needed."""
    from appliance.account import account
    from appliance.language import Language

    print(name)
    for line in account(match, Language(code)):
        print(line)
