"""Corrections: what was read or understood wrongly is put right, and all that came after is judged anew.

In the record a correction is plain: the lines are taken back as far as the wrong one, then come the right
one and those after it again. So the journal tells the whole story, and folding it gives the same match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.session import Session
from engine.actions import Action
from engine.record import DealLine, Line, Takeback
from engine.referee import Match


@dataclass(frozen=True)
class Counting:
    """A line that counts now; `refused`: it was not accepted."""

    line: Line
    refused: bool


def mend(session: Session, line: int, instead: Sequence[Action]) -> None:
    """Puts these actions in the place of a line of the deal (none: nothing happened there).

    A refused line is forgotten with all it showed. Lines after it that were refused stay out: their cards
    went back. ValueError if the line is not one of the deal that counts.
    """
    lines = counting(session.match)
    at = next((n for n, standing in enumerate(lines) if standing.line.number == line), None)
    if at is None:
        raise ValueError(f"line {line} is not one that counts in this deal")
    back = at
    if lines[at].refused:
        # Only with the line before it goes what a refused line showed.
        while back > 0 and lines[back].refused:
            back -= 1
        back = back if not lines[back].refused else at
    accepted = [standing for standing in lines[back:] if not standing.refused]
    for _ in accepted:
        session.push(Takeback())
    for n, standing in enumerate(lines[back:], back):
        if n == at:
            for action in instead:
                session.push(action)
        elif not standing.refused:
            session.push(standing.line.content)


def insert_after(session: Session, line: int, action: Action) -> Sequence[Action]:
    """What to put in the place of a line when something after it was missed: itself, then that."""
    standing = next(one for one in counting(session.match) if one.line.number == line)
    content = standing.line.content
    return (content, action) if isinstance(content, Action) else (action,)


def action_at(session: Session, line: int) -> Action | None:
    """The action of a line of this deal that counts, None if there is none."""
    for standing in counting(session.match):
        if standing.line.number == line and isinstance(standing.line.content, Action):
            return standing.line.content
    return None


def counting(match: Match) -> list[Counting]:
    """The lines of the deal that were not taken back, oldest first."""
    lines = counting_lines(match)
    deals = [n for n, each in enumerate(lines) if isinstance(each.line.content, DealLine)]
    return lines[deals[-1] + 1 :] if deals else []


def counting_lines(match: Match) -> list[Counting]:
    """The lines of all deals that were not taken back, their `deal` lines too, oldest first."""
    refused = {
        entry.line for deal in match.deals() for entry in deal.entries
        if entry.verdict in ("illegal", "impossible") and not entry.stands
    }  # fmt: skip
    lines: list[Counting] = []
    for line in match.record().lines:
        if not isinstance(line.content, Takeback):
            lines.append(Counting(line, line.number in refused))
            continue
        while lines[-1].refused:
            lines.pop()
        if not isinstance(lines[-1].line.content, DealLine):
            lines.pop()
    return lines
