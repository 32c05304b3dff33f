"""How a deal and a match came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance import phrases
from appliance.account import barks_words
from appliance.language import Language
from appliance.rooms.room import Room, moved
from appliance.screen.model import Hints
from appliance.screen.pages import DealResult, MatchResult, Page, Side
from appliance.spoken import spoken_rank
from engine.record import Header
from engine.referee import Match
from engine.view import View

if TYPE_CHECKING:
    from appliance.console import Console


def sides(match: Match, say: Language) -> tuple[Side, ...]:
    """The players, or the pairs, as they stand."""
    view = match.view()
    made = []
    for seats in _sides(view):
        total = view.score.get(seats[0], 0)
        gained = 0 if view.last_points is None else view.last_points.get(seats[0], 0)
        rank = spoken_rank(total, say) if view.stars and total > 0 else ""
        won = view.winner is not None and set(seats) <= set(view.winner)
        made.append(Side(_names(view, seats), gained, total, view.stars, rank, won))
    return tuple(made)


def deal_page(match: Match, say: Language) -> DealResult:
    """How the last deal came out."""
    view = match.view()
    text = ""
    if view.last_barks is not None and view.last_points_deal == view.deal:
        seat, times = view.last_barks
        text = barks_words(view.players[seat - 1], times, say)
    deal = say("Deal {number}").format(number=view.deal)
    hints = Hints("", say("go on"), say("undo"), say("dispute"))
    title = phrases.deal_banner(view, say).title
    outcome = match.deals()[-1].outcome if match.deals() else None
    if view.winner is None and outcome is not None and outcome.loser is not None:
        title = say("The deal is lost by {player}").format(player=view.players[outcome.loser - 1])
    return DealResult(title, deal, sides(match, say), text, hints)


def match_page(match: Match, say: Language, chosen: int = 0) -> MatchResult:
    """How the match came out, or how it stands."""
    view = match.view()
    title = phrases.deal_banner(view, say).title if view.winner is not None else say("The match so far")
    totals: list[list[int]] = [[0] for _ in _sides(view)]
    for deal in match.deals():
        if deal.outcome is None:
            continue
        for line, seats in zip(totals, _sides(view), strict=True):
            line.append(line[-1] + deal.outcome.points[seats[0] - 1])
    answers = (say("Look at the table"), say("Another match"), say("Another game"))
    hints = Hints(say("move"), say("choose"), say("undo"), say("dispute"))
    course = tuple(map(tuple, totals))
    return MatchResult(title, sides(match, say), course, say("deals"), answers, chosen, hints)


def _sides(view: View) -> tuple[tuple[int, ...], ...]:
    return view.teams or tuple((seat,) for seat in range(1, len(view.players) + 1))


def _names(view: View, seats: tuple[int, ...]) -> str:
    return phrases.joined([view.players[seat - 1] for seat in seats])


class DealRoom(Room):
    """The points of the deal. Back asks whether its last action is taken back."""

    passing = True

    def page(self) -> Page:
        return deal_page(self.console.playing().match, self.say)

    def press(self, button: str) -> None:
        from appliance.rooms.verdict import open_dispute

        if button == "ok":
            self.console.leave(self)
        elif button == "back":
            self.console.to_table()
            self.console.press("back")
        elif button == "dispute":
            open_dispute(self.console)


class MatchRoom(Room):
    """The end of the match: the scores and their course."""

    passing = True

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._chosen = 0

    def page(self) -> Page:
        return match_page(self.console.playing().match, self.say, self._chosen)

    def press(self, button: str) -> None:
        from appliance.rooms.verdict import open_dispute

        if button in ("up", "down"):
            self._chosen = moved(self._chosen, button, 3)
        elif button == "back":
            self.console.to_table()
            self.console.press("back")
        elif button == "dispute":
            open_dispute(self.console)
        elif self._chosen == 0:
            self.console.leave(self)
        elif self._chosen == 1:
            header = self.console.playing().match.header
            self.console.begin(Header(header.game, header.players, None, header.options))
        else:
            self.console.end_match()
