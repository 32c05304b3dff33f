"""The table itself: the session's questions first, and a menu when there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.rooms.room import Item, ListRoom, Room
from appliance.rooms.verdict import open_dispute
from appliance.screen.model import Doubt, Hints, Shown
from appliance.screen.pages import AskCard, Page
from engine.actions import parse_action
from engine.cards import Card, NotationError, parse_card
from engine.record import End

if TYPE_CHECKING:
    from appliance.console import Console

_BETWEEN = ("no deal", "decided", "void", "broken off")


class TableRoom(Room):
    """What lies on the table. The buttons are the session's, but for the dispute and, when nothing is
    asked, OK for the menu."""

    def page(self) -> Page:
        session, say = self.console.playing(), self.say
        shown = session.shown()
        if session.which_card is not None and shown.choice is not None:
            return self._which_card(shown)
        asked = shown.choice is not None
        if session.idle:
            ok = say("go on") if shown.banner is not None and not asked else say("menu")
        else:
            ok = say("choose")
        hints = Hints(say("move") if asked else "", ok, say("undo"), say("dispute"))
        return replace(shown, doubts=self._doubts(shown), hints=hints)

    def _doubts(self, shown: Shown) -> tuple[Doubt, ...]:
        doubts = []
        for entry in self.console.playing().match.entries:
            if entry.line in shown.view.pending and entry.seat is not None:
                try:
                    cards = parse_action(entry.seat, entry.action.split()).cards
                except NotationError:
                    cards = ()
                doubts.append(Doubt(entry.seat, cards))
        return tuple(doubts)

    def _which_card(self, shown: Shown) -> Page:
        say, choice = self.say, shown.choice
        assert choice is not None
        cards = tuple(_card(answer) for answer in choice.answers)
        hints = self.hints(say("choose"), say("other card"), say("dispute"))
        return AskCard(
            choice.title, cards, choice.answers[-1], choice.chosen, self.console.hooks.camera(), hints
        )

    def press(self, button: str) -> None:
        session = self.console.playing()
        if button == "dispute":
            open_dispute(self.console)
        elif button == "ok" and session.idle and (session.choice or session.shown().banner is None):
            self.console.enter(TableMenu(self.console))
        else:
            session.press(button)


def _card(text: str) -> Card | None:
    try:
        return parse_card(text)
    except NotationError:
        return None


class TableMenu(ListRoom):
    """What else can be done during a match; where there is no camera, a card is laid by pressing OK again."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        if console.hooks.blind():
            labels = [item.label for item in self.items()]
            by_hand = self.say("Lay a card with the buttons")
            self.chosen = labels.index(by_hand) if by_hand in labels else 0

    def title(self) -> str:
        return self.console.playing().match.game.name

    def items(self) -> list[Item]:
        from appliance.rooms.by_hand import lay_by_hand
        from appliance.rooms.hand import ask_hand
        from appliance.rooms.machine import CalibrationRoom, SettingsRoom
        from appliance.rooms.results import MatchRoom
        from appliance.rooms.rules import RulesRoom

        console, say = self.console, self.say
        match = console.playing().match
        playing = match.view().stage not in _BETWEEN
        items = [
            Item(say("Back to the table"), console.to_table),
            Item(say("Dispute"), lambda: open_dispute(console)),
            Item(say("Look at a hand"), lambda: ask_hand(console)),
            Item(say("The match so far"), lambda: console.enter(MatchRoom(console))),
            Item(say("The rules"), lambda: console.enter(RulesRoom(console, match.header.game))),
            Item(say("Settings"), lambda: console.enter(SettingsRoom(console))),
            Item(say("Calibrate the camera"), lambda: console.enter(CalibrationRoom(console))),
        ]
        if playing:
            items.append(Item(say("Lay a card with the buttons"), lambda: lay_by_hand(console)))
            items.append(
                Item(say("Break the deal off"), lambda: self._sure(say("Break the deal off"), self._end))
            )
        items.append(
            Item(say("Leave the match"), lambda: self._sure(say("Leave the match"), console.end_match))
        )
        return items

    def _sure(self, title: str, do: Callable[[], None]) -> None:
        from appliance.rooms.room import AskRoom

        say, console = self.say, self.console
        console.enter(
            AskRoom(console, f"{title}?", lambda: [Item(say("No"), console.leave), Item(say("Yes"), do)])
        )

    def _end(self) -> None:
        self.console.to_table()
        self.console.playing().push(End())
