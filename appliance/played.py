"""What the matches of the journal came to: a match folded, its scores as a table, the players' standings."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from appliance.journal import Journal, StoredMatch
from appliance.names import shown_names
from engine.referee import Match


def folded(journal: Journal, number: int) -> Match:
    """A match of the journal as it stands."""
    record = journal.record(number)
    match = Match(record.header)
    for line in record.lines:
        match.push(line)
    return match


def is_demo(stored: StoredMatch) -> bool:
    """Whether simulated people played it."""
    return "demo" in stored.played_on


def finished(stored: StoredMatch, match: Match) -> bool:
    """Whether there is nothing left to play: it is won, or the deals of a demo are played."""
    if match.standing.winner is not None:
        return True
    demo = stored.played_on.get("demo")
    deals = demo.get("deals") if isinstance(demo, dict) else None
    over = [deal for deal in match.deals() if deal.outcome is not None]
    return isinstance(deals, int) and len(match.deals()) >= deals and len(over) == len(match.deals())


def result_line(stored: StoredMatch, match: Match) -> str:
    """How it stands, in words: who has won it, or which deal goes on."""
    names, winner = shown_names(match.header.players), match.standing.winner
    if winner is not None:
        return "won by " + ", ".join(names[seat - 1] for seat in winner)
    if finished(stored, match):
        return f"nobody has won; all its deals ({len(match.deals())}) are played"
    return f"deal {match.deal_number} goes on" if match.deal_number else "no deal yet"


def scores_csv(match: Match) -> str:
    """The scores as CSV: a line a deal with each seat's points, then the match's, as at its win. A deal
    without points is left empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("deal", "dealer", *match.header.players))
    for number, deal in enumerate(match.deals(), 1):
        points: Iterable[object] = (
            [""] * len(match.header.players) if deal.outcome is None else deal.outcome.points
        )
        writer.writerow((number, match.header.players[deal.dealer - 1], *points))
    writer.writerow(("match", "", *match.standing.score))
    return out.getvalue()


@dataclass
class Tally:
    """What somebody has played: evenings (days on which a match began), matches begun, matches won, deals
    that came to an end."""

    days: set[str] = field(default_factory=set)
    matches: int = 0
    won: int = 0
    deals: int = 0

    def add(self, day: str, won: bool, deals: int) -> None:
        """One more match."""
        self.days.add(day)
        self.matches += 1
        self.won += won
        self.deals += deals

    def result(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"evenings": len(self.days), "matches": self.matches, "won": self.won, "deals": self.deals}


@dataclass
class Player:
    """A player over all evenings, and in each game. One name is one player, however it is capitalised."""

    name: str
    whole: Tally = field(default_factory=Tally)
    games: dict[str, Tally] = field(default_factory=dict)

    def result(self) -> dict[str, Any]:
        """As JSON has it."""
        games = {game: tally.result() for game, tally in self.games.items()}
        return {"player": self.name, **self.whole.result(), "games": games}


def standings(journal: Journal, demos: bool = False) -> list[Player]:
    """The players of the journal, who has won most first. Matches in which nothing was laid do not count;
    those of simulated people only if `demos`."""
    players: dict[str, Player] = {}
    for stored in journal.matches():
        if stored.lines == 0 or (is_demo(stored) and not demos):
            continue
        match = folded(journal, stored.id)
        deals = sum(deal.outcome is not None for deal in match.deals())
        winner = match.standing.winner or ()
        of_match: dict[str, bool] = {}
        for seat, name in enumerate(match.header.players, 1):
            key = " ".join(name.split()).casefold()
            players.setdefault(key, Player(" ".join(name.split())))
            of_match[key] = of_match.get(key, False) or seat in winner
        for key, won in of_match.items():
            player = players[key]
            for tally in (player.whole, player.games.setdefault(stored.header.game, Tally())):
                tally.add(stored.started[:10], won, deals)
    return sorted(players.values(), key=lambda one: (-one.whole.won, -one.whole.matches, one.name))
