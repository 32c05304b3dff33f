"""Corrections by button: another card, another seat, a card that was not laid, a card that was missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.corrections import action_at, insert_after
from appliance.rooms.room import AskRoom, Item, Room, moved
from appliance.screen.model import Picture
from appliance.screen.pages import AskCard, Page
from engine.actions import Action, play
from engine.cards import Card
from engine.moment import Entry

if TYPE_CHECKING:
    from appliance.console import Console


class CardRoom(Room):
    """Which card? `chosen` is told; None: no card at all, if that may be said."""

    def __init__(
        self, console: Console, title: str, cards: Sequence[Card | None],
        chosen: Callable[[Card | None], None], picture: Picture | None,
    ) -> None:  # fmt: skip
        super().__init__(console)
        self._title, self._cards, self._take = title, tuple(cards), chosen
        self._picture = picture
        self._chosen = 0

    def page(self) -> Page:
        say = self.say
        return AskCard(
            self._title, self._cards, say("No card was laid"), self._chosen, self._picture,
            self.hints(say("choose"), say("other card")),
        )  # fmt: skip

    def press(self, button: str) -> None:
        if button in ("up", "down"):
            self._chosen = moved(self._chosen, button, len(self._cards))
        elif button == "ok":
            self.console.leave(self)
            self._take(self._cards[self._chosen])
        else:
            super().press(button)


def ask_card(console: Console, entry: Entry, report: bool = False) -> None:
    """Asks which card it really was, the likeliest first, and puts it in. `report`: that it was wrong is
    kept."""
    action = action_at(console.playing(), entry.line)
    if action is None or not action.cards:
        return
    if len(action.cards) == 1:
        _ask_one(console, entry, action, 0, report)
        return

    def items() -> list[Item]:
        return [
            Item(str(card), lambda n=n: _ask_one(console, entry, action, n, report))  # type: ignore[misc]
            for n, card in enumerate(action.cards)
        ]

    console.enter(AskRoom(console, console.language("Which card is wrong?"), items))


def _ask_one(console: Console, entry: Entry, action: Action, at: int, report: bool) -> None:
    session, say = console.playing(), console.language
    wrong = action.cards[at]
    pack = session.match.game.pack(session.match.options)
    likely = console.hooks.likely(entry.line)
    cards: list[Card | None] = [
        card for card in dict.fromkeys((*likely, *pack)) if card != wrong and card not in action.cards
    ]
    cards.append(None)

    def put_right(card: Card | None) -> None:
        if card is None:
            console.correct(entry.line, (), report)
            return
        changed = (*action.cards[:at], card, *action.cards[at + 1 :])
        console.correct(entry.line, (replace(action, cards=changed),), report)

    who = session.match.header.players[action.seat - 1]
    title = say("{player}: which card is this?").format(player=who)
    console.enter(CardRoom(console, title, cards, put_right, console.hooks.picture(entry.line)))


def ask_seat(console: Console, title: str, chosen: Callable[[int], None], without: int | None = None) -> None:
    """Asks for a seat."""
    names = console.playing().match.header.players

    def items() -> list[Item]:
        return [
            Item(name, lambda seat=seat: chosen(seat))  # type: ignore[misc]
            for seat, name in enumerate(names, 1)
            if seat != without
        ]

    console.enter(AskRoom(console, title, items))


def other_seat(console: Console, entry: Entry, report: bool = False) -> None:
    """The action was somebody else's."""
    action = action_at(console.playing(), entry.line)
    if action is None:
        return

    def put_right(seat: int) -> None:
        console.correct(entry.line, (replace(action, seat=seat),), report)

    ask_seat(console, console.language("Who was it?"), put_right, entry.seat)


def missed_card(console: Console, entry: Entry) -> None:
    """A card laid after this action was missed."""
    session, say = console.playing(), console.language
    pack = session.match.game.pack(session.match.options)
    cards = tuple(dict.fromkeys(pack))

    def of(seat: int) -> None:
        def put_in(card: Card | None) -> None:
            if card is not None:
                console.correct(entry.line, insert_after(session, entry.line, play(seat, card)))

        who = session.match.header.players[seat - 1]
        title = say("{player}: which card is this?").format(player=who)
        console.enter(CardRoom(console, title, cards, put_in, console.hooks.picture(entry.line)))

    ask_seat(console, say("Who laid the card that was missed?"), of)
