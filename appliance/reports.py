"""Table events and verdicts as lines of JSON or of text (contract, section 6)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.cards import Card
from engine.moment import Entry
from engine.referee import Report
from vision.types import TableEvent

_BY_SOMEBODY = ("placed", "removed", "revealed", "moved", "hand_in", "hand_out")


def event_result(event: TableEvent) -> dict[str, Any]:
    """A table event as the contract has it."""
    result: dict[str, Any] = {"t": round(event.t, 3), "event": event.event}
    if event.event in ("placed", "removed", "revealed"):
        face = event.card
        result["card"] = str(face) if isinstance(face, Card) else None if face is None else face.value
        result["confidence"] = round(event.confidence, 4)
        result["area"] = event.area
    if event.event in _BY_SOMEBODY:
        result["seat"] = event.seat
    return result


def action_result(entry: Entry, t: float) -> dict[str, Any]:
    """A judged action as the contract has it."""
    result: dict[str, Any] = {
        "t": round(t, 3),
        "event": "action",
        "seat": entry.seat,
        "action": entry.action,
        "verdict": entry.verdict,
    }
    if entry.final != entry.verdict:
        result["final"] = entry.final
    if entry.rule is not None:
        result["rule"] = entry.rule
    return result


class Reporter:
    """Prints events and verdicts as they come. `now`: the seconds of the source."""

    def __init__(self, as_json: bool, say: Callable[[str], None] = print) -> None:
        self._json = as_json
        self._say = say
        self.t = 0.0

    def event(self, event: TableEvent) -> None:
        """A table event."""
        self.t = event.t
        result = event_result(event)
        if self._json:
            self._say(json.dumps(result, ensure_ascii=False))
            return
        if event.event in ("placed", "removed", "revealed"):
            who = "" if event.seat is None else f" by seat {event.seat}"
            where = "" if event.area is None else f" at {event.area}"
            sure = f" {event.confidence:.0%}" if event.event != "removed" else ""
            self._say(f"{event.t:8.2f}  {event.event} {result['card'] or '?'}{sure}{where}{who}")
        else:
            who = "" if event.seat is None else f" from seat {event.seat}"
            self._say(f"{event.t:8.2f}  {event.event.replace('_', ' ')}{who}")

    def report(self, report: Report) -> None:
        """The verdicts of a line, and what it settled."""
        entries = (*report.entries, *(entry for entry in report.changed if not entry.taken_back))
        for entry in entries:
            if self._json:
                self._say(json.dumps(action_result(entry, self.t), ensure_ascii=False))
            else:
                verdict = entry.verdict if entry.final == entry.verdict else f"{entry.verdict}, {entry.final}"
                rule = "" if entry.rule is None else f" {entry.rule}"
                self._say(f"{self.t:8.2f}  {entry.seat or ''} {entry.action}: {verdict}{rule}")
