"""`kortstalis watch SOURCE`: the whole pipeline over a film, a folder of pictures or a camera."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.failure import Failure, write_file
from engine.games import GAMES

if TYPE_CHECKING:
    from appliance.session import Session
    from vision.sources import Source
    from vision.types import Frame


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `watch`."""
    parser = subparsers.add_parser("watch", help="run the pipeline over a film, a folder or a camera")
    parser.add_argument(
        "source", metavar="SOURCE", help="a film, a folder of pictures, or a camera (/dev/video0)"
    )
    parser.add_argument("--game", metavar="G", help="referee this game (see kortstalis games)")
    parser.add_argument(
        "--players", type=int, metavar="N", help="how many play (else as many as may, up to 4)"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the appliance's configuration")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the record of what was seen")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="the taught deck that is played with")
    parser.add_argument("--json", action="store_true", help="one JSON object per event")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints table events and verdicts until the source ends; 1 if a verdict is illegal or impossible, or a
    picture of the folder cannot be read."""
    if args.record is not None and args.game is None:
        raise Failure("--record needs --game: a record is of a game")
    if args.game is not None and args.game not in GAMES:
        raise Failure(f"unknown game {args.game!r}: there is {', '.join(GAMES)}")
    from appliance.config import load
    from appliance.reports import Reporter
    from appliance.service import Service
    from appliance.taught import reader_for
    from engine.record import write
    from vision.events import TableWatcher
    from vision.sources import FolderSource, SourceError, open_source

    config = load(args.config)
    reader = reader_for(args.deck or (Path(config.deck) if config.deck else None))
    try:
        source = open_source(args.source)
    except SourceError as error:
        raise Failure(str(error)) from None
    passed_over: list[SourceError] = []

    def pass_over(error: SourceError) -> None:
        passed_over.append(error)
        print(f"kortstalis: {error}; it is passed over", file=sys.stderr)

    if isinstance(source, FolderSource) and len(source.paths) > 1:
        source.unreadable = pass_over
    reporter = Reporter(args.json)
    session = None if args.game is None else _session(args.game, args.players, config.bound, reporter)
    seats = 4 if session is None else len(session.match.header.players)
    pack = None if session is None else session.match.game.pack(session.match.options)
    try:
        first = source.read()
        geometry = None if source.stills or first is None else _geometry(first, seats, config.geometry)
        watcher = TableWatcher(geometry, reader, pack, unrelated=source.stills)
        service = Service(_Again(first, source), watcher, session, emit=reporter.event)
        service.run()
    except SourceError as error:
        raise Failure(str(error)) from None
    finally:
        source.close()
        if args.record is not None and session is not None:  # also of what was seen before a camera failed
            write_file(args.record, write(session.match.record()))
    if first is None:
        raise Failure(f"{args.source}: no picture in it can be read")
    if not source.stills and watcher.state == "starting":
        raise Failure(
            f"{args.source}: too short: the table must be seen at rest for a third of a second to be read"
        )
    return int(bool(passed_over) or (session is not None and session.match.something_wrong))


def _session(game: str, players: int | None, bound: float, reporter: Any) -> Session:
    """A match whose first deal has begun: a film cannot press a button."""
    from appliance.flows import FLOWS
    from appliance.language import Language
    from appliance.session import Session
    from engine.record import DealLine, Header
    from engine.referee import Match

    if game not in FLOWS:
        raise Failure(f"{game} cannot be followed on the table yet: there is {', '.join(FLOWS)}")
    count = players or max(n for n in GAMES[game].players if n <= 4)
    try:
        match = Match(Header(game, tuple(f"P{seat}" for seat in range(1, count + 1))))
    except ValueError as error:
        raise Failure(str(error)) from None
    session = Session(match, Language("en"), listen=reporter.report, bound=bound)
    session.push(DealLine())
    return session


def _geometry(first: Frame, seats: int, file: str) -> Any:
    """From a mat, or the file of the configuration; otherwise the first card's size will tell."""
    from appliance.tables import table_in
    from vision.geometry import GeometryError

    try:
        return table_in(first.image, seats, file)
    except GeometryError as error:
        if file:
            raise Failure(str(error)) from None
        return None


class _Again:
    """A source with its first frame put back."""

    def __init__(self, first: Frame | None, source: Source) -> None:
        self._first = first
        self._source = source

    @property
    def stills(self) -> bool:
        return self._source.stills

    def read(self) -> Frame | None:
        first, self._first = self._first, None
        return first if first is not None else self._source.read()

    def close(self) -> None:
        self._source.close()

    def __iter__(self) -> Any:
        while (frame := self.read()) is not None:
            yield frame
