"""`kortstalis read IMAGE... [--json] [--deck FILE]`: the cards in pictures (contract, section 5)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.types import Reading


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `read`."""
    parser = subparsers.add_parser("read", help="recognise the cards in pictures")
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="pictures (JPEG, PNG …)")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="the taught deck (see kortstalis enroll)")
    parser.add_argument("--json", action="store_true", help="one JSON object per picture")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reads the pictures in order; 1 if a card was seen but not read, 2 if a file is no picture."""
    from appliance.taught import reader_for
    from vision.sources import SourceError, read_picture
    from vision.whole import read_whole

    reader = reader_for(args.deck)
    status = 0
    for name in args.images:
        try:
            image = read_picture(Path(name))
        except SourceError as error:
            print(error, file=sys.stderr)
            status = 2
            continue
        start = time.perf_counter()
        readings = read_whole(reader, image)
        milliseconds = (time.perf_counter() - start) * 1000
        if args.json:
            cards = [card_result(reading) for reading in readings]
            result = {"file": name, "cards": cards, "milliseconds": round(milliseconds, 1)}
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            said = ", ".join(spoken(reading) for reading in readings)
            print(f"{name}: {said or 'no card'}", flush=True)
        if not readings or any(reading.card is None for reading in readings):
            status = max(status, 1)
    return status


def card_result(reading: Reading) -> dict[str, Any]:
    """A reading as the contract's section 5 has it."""
    return {
        "card": face_text(reading),
        "confidence": round(reading.confidence, 4),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.outline.corners],
        "face": "down" if reading.side == "down" else "up",
    }


def face_text(reading: Reading) -> str | None:
    """The card in the contract's spelling; None if it was not read."""
    from engine.cards import Card

    face = reading.card
    if face is None or isinstance(face, Card):
        return None if face is None else str(face)
    return str(face.value)


def spoken(reading: Reading) -> str:
    """A reading for people: the card and how sure."""
    text = face_text(reading)
    if text is None:
        return "a back" if reading.side == "down" else "?"
    return f"{text} {reading.confidence:.0%}"
