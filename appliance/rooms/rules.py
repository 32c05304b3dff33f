"""The rules of a game: the numbers with a few words each, and every rule in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from appliance.rooms.room import Item, ListRoom, Room, moved
from appliance.screen.pages import Page, RulePage
from engine.games import GAMES

if TYPE_CHECKING:
    from appliance.console import Console


class RulesRoom(ListRoom):
    """The rules by number."""

    def __init__(self, console: Console, game: str) -> None:
        super().__init__(console)
        self._game = GAMES[game]

    def title(self) -> str:
        return self.say("The rules: {game}").format(game=self._game.name)

    def items(self) -> list[Item]:
        return [
            Item(f"{number}  {self.say.rule_short(number)}", self._open(n))
            for n, number in enumerate(self._game.rules)
        ]

    def _open(self, at: int) -> Callable[[], None]:
        return lambda: self.console.enter(RuleRoom(self.console, self._game.id, at))


class RuleRoom(Room):
    """A rule in full; up and down turn the pages."""

    def __init__(self, console: Console, game: str, at: int) -> None:
        super().__init__(console)
        self._game, self._at = GAMES[game], at

    def page(self) -> Page:
        say, rules = self.say, self._game.rules
        number = rules[self._at]
        place = say("{n} of {count}").format(n=self._at + 1, count=len(rules))
        hints = self.hints("", say("earlier, later"))
        return RulePage(self._game.name, place, number, say.rule(number), say.rule_example(number), hints)

    def press(self, button: str) -> None:
        if button in ("up", "down"):
            self._at = moved(self._at, button, len(self._game.rules))
        else:
            super().press(button)
