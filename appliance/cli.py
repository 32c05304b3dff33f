"""`kortstalis`: the command line. Each command is a module of `appliance.commands`, imported when needed."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from appliance.failure import Failure

COMMANDS = {
    "demo": "the whole appliance on a simulated table",
    "run": "the appliance on its hardware",
    "referee": "judge game records",
    "simulate": "let simulated players play, and write the record",
    "read": "recognise the cards in pictures",
    "watch": "run the pipeline over a film, a folder of pictures or a camera",
    "games": "the games, their players and options",
    "rules": "the rules of a game, by number",
    "matches": "the journal of matches",
    "enroll": "teach a deck, card by card",
    "pods": "the seat pods: list, watch, lamp, light, version, simulate",
    "firmware": "write the pods' firmware to their board",
    "config": "check or show the configuration",
    "doctor": "what works and what does not on this machine",
    "calibrate": "print a table mat; find the table's geometry in a picture of it",
}


class _Parser(argparse.ArgumentParser):
    """argparse, with one line on standard error for a usage error."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; the exit status: 0 done, 1 something examined is wrong, 2 unusable input."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # closed by who called us: then nobody listens
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # suit signs, whatever the locale says
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except Failure as failure:
        print(f"kortstalis: {failure}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever reads our output has gone: nothing more to say, and nothing to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        # What the commands know of, they have said themselves: this is our own output that cannot be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print(f"kortstalis: the output cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2


def _flag_last(arguments: list[str]) -> list[str]:
    """`--json` may stand anywhere, before the command and between files too: it goes to the end."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    others = [word for word in arguments[:end] if word != "--json"]
    flag = ["--json"] if len(others) < end else []
    return [*others, *flag, *arguments[end:]]


def _run(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    parser = _Parser(prog="kortstalis", description="A card table that referees.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for name, text in COMMANDS.items():
        if name == chosen:
            importlib.import_module(f"appliance.commands.{name}").add_parser(commands)
        else:
            commands.add_parser(name, help=text)
    args = parser.parse_args(_flag_last(arguments))
    return int(args.run(args))
