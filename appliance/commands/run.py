"""`kortstalis run [--config FILE]`: the appliance on its hardware."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from appliance.failure import Failure


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `run`."""
    parser = subparsers.add_parser("run", help="the appliance on its hardware")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration (TOML); the usual one without it"
    )
    parser.add_argument("--new", action="store_true", help="begin a new match, though one is unfinished")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs until the window is closed, a film ends, or the service is stopped."""
    from appliance.config import Config, load_or_last_good
    from appliance.flows import FLOWS
    from appliance.folders import config_path, state_folder
    from appliance.starts import Starts

    starts = Starts(state_folder())
    service = _notifier()
    safe = service.active and starts.begin()
    config, wrong = Config(), None
    if not safe:
        config, wrong = load_or_last_good(args.config or config_path(), state_folder())
        if wrong is not None:
            print(f"kortstalis: {wrong}; the last good configuration is used", file=sys.stderr)
    else:
        print("kortstalis: two starts failed; started safely, with the defaults", file=sys.stderr)
    if config.game not in FLOWS:
        raise Failure(f"game {config.game!r} cannot be played on the table yet: there is {', '.join(FLOWS)}")
    from appliance.appliance import Appliance

    return Appliance(config, service, starts, wrong=wrong, safe=safe, new=args.new).run()


def _notifier() -> Any:
    import os

    from appliance.notify import Notifier

    return Notifier(os.environ, os.getpid())
