"""`kortstalis doctor [--json] [--bundle FILE]`: what works and what does not on this machine."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
from pathlib import Path
from typing import Any

from appliance.config import Config, read
from appliance.failure import Failure
from appliance.folders import config_path, journal_path, state_folder
from appliance.language import LANGUAGES, Language

_MARKS = {"ok": "✓", "note": "–", "failed": "✗"}


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `doctor`."""
    parser = subparsers.add_parser("doctor", help="what works and what does not on this machine")
    parser.add_argument("--config", type=Path, metavar="FILE", help="instead of the usual configuration")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="pack what a report needs (zip)")
    parser.add_argument(
        "--personal", action="store_true", help="with names, matches and the camera's picture in the bundle"
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="the language; the configuration's without it")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """One line a check; 1 if one failed."""
    config, wrong = _config(args.config)
    from appliance.doctor import examine
    from appliance.probes import measure
    from appliance.starts import Starts

    say = Language(args.lang or config.language)
    spoken = dataclasses.replace(config, language=say.code)
    measures, picture = measure(spoken, wrong, Starts(state_folder()).failed)
    findings = examine(measures, say)
    failed = any(finding.state == "failed" for finding in findings)
    rows = [dataclasses.asdict(finding) for finding in findings]
    if args.bundle is not None:
        _pack(args.bundle, rows, config, picture, args.personal)
    if args.json:
        print(json.dumps({"ok": not failed, "checks": rows}, ensure_ascii=False))
        return int(failed)
    for finding in findings:
        todo = f"  → {finding.todo}" if finding.todo else ""
        print(f"{_MARKS[finding.state]} {finding.check:12} {finding.found}{todo}")
    return int(failed)


def _config(given: Path | None) -> tuple[Config, str | None]:
    """The configuration, and the first thing that is wrong with it."""
    path = given or config_path()
    if path is None:
        return Config(), None
    try:
        config, problems = read(path)
    except Failure as failure:
        if given is not None:
            raise
        return Config(), str(failure)
    return config, problems[0].at(str(path)) if problems else None


def _pack(path: Path, rows: list[dict[str, Any]], config: Config, picture: Any, personal: bool) -> None:
    import cv2

    from appliance.bundle import write_bundle
    from appliance.probes import log

    image = None if picture is None else cv2.imencode(".jpg", picture)[1].tobytes()
    journal = _journal(journal_path()) if personal else None
    write_bundle(path, rows, config, log(), picture=image, journal=journal, personal=personal)


def _journal(path: Path) -> bytes | None:
    """The journal with what is still in its log; a damaged one as it is."""
    from appliance.journal import Journal, JournalError

    try:
        with Journal.look(path) as journal:
            return journal.as_bytes()
    except JournalError:
        with contextlib.suppress(OSError):
            return path.read_bytes()
    return None
