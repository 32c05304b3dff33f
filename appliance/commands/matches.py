"""`kortstalis matches [list|show|export|resume] [N]`: the journal of matches."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from appliance.failure import Failure, write_file
from appliance.folders import journal_path
from appliance.journal import Journal, JournalError, StoredMatch
from engine.referee import Match


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `matches`."""
    parser = subparsers.add_parser("matches", help="the journal of matches")
    parser.add_argument("what", nargs="?", choices=("list", "show", "export", "resume"), default="list")
    parser.add_argument(
        "match", nargs="?", type=int, metavar="N", help="the match's number; the last without it"
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the usual one")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="export: write there, not to standard output"
    )
    parser.add_argument("--headless", action="store_true", help="resume a demo without a window")
    parser.add_argument("--fast", action="store_true", help="resume a demo without waiting")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Lists, shows, exports or resumes."""
    path = args.journal or journal_path()
    if not path.is_file():
        if args.what == "list" and args.journal is None:
            print("no matches yet")
            return 0
        raise Failure(f"{path}: there is no journal yet")
    try:
        with Journal.open(path) as journal:
            if args.what == "list":
                for match in journal.matches():
                    _print_line(match, args.json)
                return 0
            stored = _chosen(journal, args.match)
            if args.what == "resume":
                from appliance.demo import resume

                return resume(journal, stored, headless=args.headless, fast=args.fast, as_json=args.json)
            if args.what == "show":
                return _show(journal, stored, args.json)
            return _export(journal, stored, args.output)
    except JournalError as error:
        raise Failure(str(error)) from None


def _chosen(journal: Journal, number: int | None) -> StoredMatch:
    if number is not None:
        return journal.match(number)
    matches = journal.matches()
    if not matches:
        raise Failure(f"{journal.path}: no matches yet")
    return matches[-1]


def _print_line(match: StoredMatch, as_json: bool) -> None:
    if as_json:
        result = {
            "match": match.id, "started": match.started, "game": match.header.game,
            "players": list(match.header.players), "lines": match.lines,
        }  # fmt: skip
        print(json.dumps(result, ensure_ascii=False))
    else:
        names = ", ".join(match.header.players)
        print(f"{match.id:4}  {match.started}  {match.header.game}: {names} ({match.lines} lines)")


def _show(journal: Journal, stored: StoredMatch, as_json: bool) -> int:
    record = journal.record(stored.id)
    match = Match(record.header)
    for line in record.lines:
        match.push(line)
    if as_json:
        print(json.dumps({"match_number": stored.id, **match.result()}, ensure_ascii=False))
        return 0
    _print_line(stored, False)
    for seat, player in enumerate(record.header.players, 1):
        print(f"  {player}: {match.standing.score[seat - 1]}")
    winner = match.standing.winner
    if winner is not None:
        print("  won by " + ", ".join(record.header.players[seat - 1] for seat in winner))
    else:
        print(f"  deal {match.deal_number} goes on")
    return 0


def _export(journal: Journal, stored: StoredMatch, output: Path | None) -> int:
    text = journal.text(stored.id)
    if output is None:
        print(text, end="")
        return 0
    write_file(output, text)
    return 0
