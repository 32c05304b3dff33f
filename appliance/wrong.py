"""“This was wrong”: what the table thought and what people say it was, kept as a folder that can be replayed.

    report.json    what the table made of it, what people say instead, and what the referee says to that
    record.kort    the match up to then
    picture.png    the card as it was seen (only where a card was seen)

A folder that is copied to `tests/reports/` is a test from then on. Where only a verdict was doubted, `judged`
is what the referee said; whoever finds that it should have said something else writes that there.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from appliance.corrections import mend
from appliance.failure import Failure, write_file
from appliance.language import Language
from appliance.pictures import Seen
from appliance.session import Session
from engine.actions import Action, parse_action
from engine.moment import Entry
from engine.record import Record, parse, write
from engine.referee import Match
from vision.sources import read_picture
from vision.types import Outline

KEPT = 50
VERSION = 1


@dataclass(frozen=True)
class Wrong:
    """What people say against a line of the record. `instead`: the actions that it really was (none:
    nothing happened there); None where only the verdict is doubted."""

    line: int
    instead: tuple[Action, ...] | None


def save(folder: Path, stamp: str, wrong: Wrong, match: Match, seen: Seen | None, kept: int = KEPT) -> Path:
    """Writes a folder and forgets the oldest when there are more than `kept`; Failure if it cannot."""
    record = match.record()
    at = next(n for n, line in enumerate(record.lines, 1) if line.number == wrong.line)
    entry = _entry(match, wrong.line)
    report: dict[str, Any] = {
        "version": VERSION, "game": match.header.game, "line": at,
        "thought": {"action": str(record.lines[at - 1].content), **_said(entry)},
        "instead": None if wrong.instead is None else list(map(str, wrong.instead)),
        "judged": _judged(record, at, wrong.instead),
    }  # fmt: skip
    if seen is not None and seen.picture is not None:
        report["corners"] = np.asarray(seen.corners, float).round(2).tolist()
        report["read"] = [[str(card), round(score, 4)] for card, score in seen.scores]
    place = _free(folder, stamp)
    beside = folder / f"{place.name}.new"
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        write_file(beside / "report.json", json.dumps(report, ensure_ascii=False, indent=2) + "\n")
        write_file(beside / "record.kort", write(record))
        if "corners" in report and seen is not None and seen.picture is not None:
            write_file(beside / "picture.png", cv2.imencode(".png", seen.picture.pixels)[1].tobytes())
        beside.rename(place)
        for old in sorted(each for each in folder.iterdir() if each.is_dir())[:-kept]:
            shutil.rmtree(old)
    except OSError as error:
        raise Failure(f"{folder}: {error.strerror}") from None
    return place


def _free(folder: Path, stamp: str) -> Path:
    number = 1
    while (folder / f"{stamp}-{number:02d}").exists():
        number += 1
    return folder / f"{stamp}-{number:02d}"


def _entry(match: Match, line: int) -> Entry | None:
    return next((entry for deal in match.deals() for entry in deal.entries if entry.line == line), None)


def _said(entry: Entry | None) -> dict[str, Any]:
    if entry is None:
        return {}
    rule = {} if entry.rule is None else {"rule": entry.rule}
    return {"verdict": entry.verdict, "final": entry.final, **rule}


def _judged(record: Record, at: int, instead: Sequence[Action] | None) -> list[dict[str, Any]]:
    """What the referee says of the line, or of what is put in its place."""
    match = Match(record.header)
    for line in record.lines:
        match.push(line.content)
    number = match.record().lines[at - 1].number
    if instead is None:
        entry = _entry(match, number)
        return [] if entry is None else [{"action": entry.action, **_said(entry)}]
    if not instead:
        return []
    before = len(match.record().lines)
    mend(Session(match, Language("en")), number, instead)
    new = {line.number for line in match.record().lines[before:]}
    wanted = {(action.seat, action.text) for action in instead}
    return [
        {"action": entry.action, **_said(entry)}
        for entry in match.entries
        if entry.line in new and (entry.seat, entry.action) in wanted
    ]


def replay(folder: Path, reader: Any) -> list[str]:
    """What is (still) not as people say it was, a line each: what the reader reads now in the picture, what
    the referee says now. `reader`: a `vision.reader.Reader`."""
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    record = parse((folder / "record.kort").read_text(encoding="utf-8"))
    said = report["instead"]
    instead = None if said is None else tuple(_action(text) for text in said)
    found = []
    if "corners" in report:
        outline = Outline(np.array(report["corners"], np.float32))
        read = reader.read_card(read_picture(folder / "picture.png"), outline).card
        meant = [_action(report["thought"]["action"])] if instead is None else list(instead)
        cards = [card for action in meant for card in action.cards]
        if cards and read not in cards:
            found.append(f"{folder.name}: the reader reads {read}, it was {', '.join(map(str, cards))}")
    judged = _judged(record, report["line"], instead)
    if judged != report["judged"]:
        found.append(f"{folder.name}: the referee says {judged}, it was {report['judged']}")
    return found


def _action(text: str) -> Action:
    seat, _, words = text.partition(" ")
    return parse_action(int(seat), words.split())
