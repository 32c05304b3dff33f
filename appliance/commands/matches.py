"""`kortstalis matches [list|show|export|resume|standings] [N]`: the journal of matches."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from appliance.failure import Failure, write_file
from appliance.folders import journal_path
from appliance.journal import Journal, JournalError, StoredMatch
from appliance.names import shown_names
from appliance.played import finished, folded, result_line, scores_csv, standings
from engine.referee import Match

WHAT = ("list", "show", "export", "resume", "standings")
FORMATS = ("kort", "json", "csv")


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `matches`."""
    parser = subparsers.add_parser("matches", help="the journal of matches")
    parser.add_argument("what", nargs="?", choices=WHAT, default="list")
    parser.add_argument(
        "match", nargs="?", type=int, metavar="N", help="the match's number; the last without it"
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the usual one")
    parser.add_argument(
        "--format", choices=FORMATS, help="export: the record (kort), the results (json), the scores (csv)"
    )
    parser.add_argument(
        "--record", "--output", dest="output", type=Path, metavar="FILE",
        help="export: write there, not to standard output",
    )  # fmt: skip
    parser.add_argument("--demos", action="store_true", help="standings: count simulated players too")
    parser.add_argument("--headless", action="store_true", help="resume a demo without a window")
    parser.add_argument("--fast", action="store_true", help="resume a demo without waiting")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Lists, shows, exports, resumes, or counts."""
    _check(args)
    path = args.journal or journal_path()
    if path.is_dir():
        raise Failure(
            f"{path}: this is a folder; a journal is a file in one, as {path / journal_path().name}"
        )
    if not path.is_file():
        if args.what in ("list", "standings") and args.journal is None:
            if not args.json:
                print("no matches yet")
            return 0
        raise Failure(f"{path}: there is no journal yet")
    try:
        with Journal.open(path) as journal:
            if args.what == "list":
                for match in journal.matches():
                    _print_line(match, args.json)
                return 0
            if args.what == "standings":
                return _standings(journal, args.demos, args.json)
            stored = _chosen(journal, args.match)
            if args.what == "resume":
                return _resume(journal, stored, args)
            if args.what == "show":
                show(stored, folded(journal, stored.id), args.json)
                return 0
            return _export(journal, stored, args)
    except JournalError as error:
        raise Failure(str(error)) from None


def _check(args: argparse.Namespace) -> None:
    """Failure for options that do not belong to what is asked for."""
    if args.match is not None and args.what in ("list", "standings"):
        raise Failure(f"matches {args.what} is of all matches; for match {args.match}: matches show")
    if args.what != "export" and (args.format or args.output):
        raise Failure("--format and --record belong to matches export")
    if args.what == "export" and args.json and args.format not in (None, "json"):
        raise Failure(f"--json and --format {args.format}: it can be only one of them")
    if args.demos and args.what != "standings":
        raise Failure("--demos belongs to matches standings")
    if (args.headless or args.fast) and args.what != "resume":
        raise Failure("--headless and --fast belong to matches resume")


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
        names = ", ".join(shown_names(match.header.players))
        print(f"{match.id:4}  {match.started}  {match.header.game}: {names} ({match.lines} lines)")


def show(stored: StoredMatch, match: Match, as_json: bool) -> None:
    """Prints how a match stands."""
    if as_json:
        print(_json(stored, match))
        return
    _print_line(stored, False)
    for seat, player in enumerate(shown_names(match.header.players), 1):
        print(f"  {player}: {match.standing.score[seat - 1]}")
    print(f"  {result_line(stored, match)}")


def _json(stored: StoredMatch, match: Match) -> str:
    head = {
        "match_number": stored.id, "started": stored.started, "players": list(match.header.players),
    }  # fmt: skip
    return json.dumps({**head, **match.result()}, ensure_ascii=False)


def _export(journal: Journal, stored: StoredMatch, args: argparse.Namespace) -> int:
    kind = args.format or ("json" if args.json else "kort")
    if kind == "kort":
        text = journal.text(stored.id)
    elif kind == "json":
        text = _json(stored, folded(journal, stored.id)) + "\n"
    else:
        text = scores_csv(folded(journal, stored.id))
    if args.output is None:
        print(text, end="")
    else:
        write_file(args.output, text)
    return 0


def _resume(journal: Journal, stored: StoredMatch, args: argparse.Namespace) -> int:
    before = folded(journal, stored.id)
    if finished(stored, before):
        if not args.json:
            print(f"match {stored.id} is finished:")
        show(stored, before, args.json)
        return 0
    from appliance.demo import resume

    status = resume(journal, stored, headless=args.headless, fast=args.fast, as_json=args.json)
    show(journal.match(stored.id), folded(journal, stored.id), args.json)
    return status


def _standings(journal: Journal, demos: bool, as_json: bool) -> int:
    players = standings(journal, demos)
    if as_json:
        for player in players:
            print(json.dumps(player.result(), ensure_ascii=False))
        return 0
    if not players:
        print("no matches of people yet (--demos: those of simulated players)")
        return 0
    width = max(16, *(len(player.name) for player in players))
    print(f"{'player':{width}}  evenings  matches  won  deals")
    for player in players:
        for label, tally in ((player.name, player.whole), *((f"  {g}", t) for g, t in player.games.items())):
            print(f"{label:{width}}  {len(tally.days):8}  {tally.matches:7}  {tally.won:3}  {tally.deals:5}")
    return 0
