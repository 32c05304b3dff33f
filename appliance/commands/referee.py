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
            print(f"{name}\n{account(match)}")
        status = max(status, int(match.something_wrong))
    return status


def account(match: Match) -> str:
    """The verdicts as text, one action a line."""
    lines = []
    for number, deal in enumerate(match.deals(), 1):
        lines.append(f"deal {number}, dealer {deal.dealer}")
        for entry in deal.entries:
            seat = "" if entry.seat is None else f"{entry.seat} "
            verdict = entry.verdict if entry.final == entry.verdict else f"{entry.verdict}, {entry.final}"
            parts = [f"{entry.line:5}: {seat}{entry.action}", verdict]
            if entry.rule is not None:
                parts.append(entry.rule)
            if entry.settled_by is not None:
                parts.append(f"line {entry.settled_by}")
            if entry.taken_back:
                parts.append("taken back")
            lines.append("  ".join(parts))
        if deal.outcome is not None:
            lines.append("points: " + " ".join(map(str, deal.outcome.points)))
    standing = match.standing
    lines.append("score: " + " ".join(map(str, standing.score)))
    if standing.winner is not None:
        lines.append("winner: " + " ".join(map(str, standing.winner)))
    return "\n".join(lines)
