"""`kortstalis run [--config FILE]`: the appliance on its hardware."""

from __future__ import annotations

import argparse
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from appliance.failure import Failure
from engine.games import GAMES


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `run`."""
    parser = subparsers.add_parser("run", help="the appliance on its hardware")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (TOML)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs until the window is closed or the camera ends."""
    from appliance.config import SIZES, load
    from appliance.devices import from_config
    from appliance.flows import FLOWS
    from appliance.folders import journal_path
    from appliance.journal import Journal, JournalError
    from appliance.language import Language
    from appliance.screen.window import NoDisplay, Screen
    from appliance.service import Service
    from appliance.session import Session
    from appliance.taught import reader_for
    from engine.record import Header
    from engine.referee import Match
    from vision.events import TableWatcher
    from vision.geometry import GeometryError
    from vision.mat import geometry_from_markers
    from vision.sources import SourceError, open_source

    config = load(args.config)
    if config.game not in FLOWS:
        raise Failure(f"game {config.game!r} cannot be played on the table yet: there is {', '.join(FLOWS)}")
    reader = reader_for(Path(config.deck) if config.deck else None)
    try:
        match = Match(Header(config.game, config.players))
        source = open_source(config.camera)
        screen = Screen(SIZES[config.screen], Language(config.language), window=True)
    except (ValueError, SourceError) as error:
        raise Failure(str(error)) from None
    except NoDisplay as reason:
        source.close()
        raise Failure(f"no display: {reason}") from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a stopped service turns the light off
    devices = from_config(config, len(config.players))
    for trouble in devices.troubles(Language(config.language)):
        print(f"kortstalis: {trouble}", file=sys.stderr)
    try:
        with Journal.open(journal_path()) as journal:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            number = journal.begin(match.header, started, {})
            session = Session(
                match, Language(config.language), bound=config.bound,
                store=lambda content: journal.append(number, content),
            )  # fmt: skip
            first = source.read()
            geometry = None
            if first is not None:
                try:
                    geometry = geometry_from_markers(first.image, len(config.players))
                except GeometryError as error:
                    print(f"kortstalis: {error}; the first card laid will give the scale", file=sys.stderr)
            pack = GAMES[config.game].pack(match.options)
            watcher = TableWatcher(geometry, reader, pack)
            Service(source, watcher, session, screen, devices=devices).run()
    except (JournalError, SourceError) as error:
        raise Failure(str(error)) from None
    finally:
        devices.close()
        source.close()
        screen.close()
    return 0
