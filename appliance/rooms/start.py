"""The start: choose a game, the players and their names, the options; then deal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.rooms.room import Item, ListRoom, Room, moved
from appliance.rooms.wording import option_words, value_words
from appliance.screen.model import Hints
from appliance.screen.pages import Menu, Page, Spelling
from appliance.settings import LONGEST_NAME
from engine.game import Game
from engine.games import GAMES
from engine.record import Header

if TYPE_CHECKING:
    from appliance.console import Console

NUMBERS = ("3", "5", "7", "10", "12", "15", "20", "30", "50", "100")
"""The numbers offered where an option takes any."""


class StartRoom(ListRoom):
    """The first room: what one came for."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._unfinished = True

    def title(self) -> str:
        return "Kortstalis"

    def items(self) -> list[Item]:
        from appliance.rooms.lesson import ask_pack
        from appliance.rooms.machine import AboutRoom, CalibrationRoom, SettingsRoom
        from appliance.rooms.sheet import SheetRoom

        console, say = self.console, self.say
        items = [Item(say("Play"), lambda: console.enter(GamesRoom(console)))]
        if self._unfinished:
            items.append(Item(say("Go on with the last match"), self._resume))
        items += [
            Item(say("The rules"), lambda: console.enter(GamesRoom(console, rules=True))),
            Item(say("Settings"), lambda: console.enter(SettingsRoom(console))),
            Item(say("Calibrate the camera"), lambda: console.enter(CalibrationRoom(console))),
        ]
        if console.hooks.teaches:
            items.append(Item(say("Teach a deck"), lambda: ask_pack(console)))
        if console.hooks.keep_sheet is not None:
            items.append(Item(say("Keep the score by hand"), lambda: console.enter(SheetRoom(console))))
        items.append(Item(say("About this table"), lambda: console.enter(AboutRoom(console))))
        return items

    def text(self) -> str:
        usual = self.say("The table that referees. Up and down move, OK chooses.")
        return " · ".join(self.console.troubles) or usual

    def page(self) -> Page:
        page = super().page()
        assert isinstance(page, Menu)
        return replace(page, hints=Hints(self.say("move"), self.say("choose"), "", ""))

    def _resume(self) -> None:
        session = self.console.hooks.unfinished(self.console.heard)
        if session is None:
            self._unfinished = False
        else:
            self.console.play(session)

    def press(self, button: str) -> None:
        if button != "back":
            super().press(button)


class GamesRoom(ListRoom):
    """Which game? The last one first; to play it, or to read its rules."""

    def __init__(self, console: Console, rules: bool = False) -> None:
        super().__init__(console)
        self._rules = rules

    def title(self) -> str:
        return self.say("Which game?")

    def items(self) -> list[Item]:
        last = self.console.settings.game
        games = [GAMES[game] for game in (GAMES if self._rules else self.console.hooks.games)]
        games.sort(key=lambda game: game.id != last)
        return [Item(game.name, self._open(game), self._seats(game)) for game in games]

    def _seats(self, game: Game) -> str:
        low, high = game.players[0], game.players[-1]
        number = f"{low}" if low == high else f"{low}–{high}"
        return self.say("{number} players").format(number=number)

    def _open(self, game: Game) -> Callable[[], None]:
        from appliance.rooms.rules import RulesRoom

        def go() -> None:
            if self._rules:
                self.console.enter(RulesRoom(self.console, game.id))
            elif len(game.players) == 1:
                self.console.enter(NamesRoom(self.console, game, game.players[0]))
            else:
                self.console.enter(PlayersRoom(self.console, game))

        return go


class PlayersRoom(ListRoom):
    """How many play?"""

    def __init__(self, console: Console, game: Game) -> None:
        usual = max(n for n in game.players if n <= 4)
        super().__init__(console, game.players.index(usual))
        self._game = game

    def title(self) -> str:
        return self.say("{game}: how many play?").format(game=self._game.name)

    def items(self) -> list[Item]:
        return [
            Item(self.say.count("{n} player", "{n} players", number), self._open(number))
            for number in self._game.players
        ]

    def _open(self, number: int) -> Callable[[], None]:
        return lambda: self.console.enter(NamesRoom(self.console, self._game, number))


class NamesRoom(ListRoom):
    """Who sits where? Seat by seat: a name that is remembered, or a new one."""

    def __init__(self, console: Console, game: Game, number: int, names: tuple[str, ...] = ()) -> None:
        super().__init__(console)
        self._game, self._number, self._names = game, number, names

    def title(self) -> str:
        return self.say("Who sits on seat {number}?").format(number=len(self._names) + 1)

    def text(self) -> str:
        if not self._names:
            return self.say("Seat 1 is at the lower edge of the picture, the others follow clockwise.")
        return ", ".join(self._names)

    def items(self) -> list[Item]:
        known = [name for name in self.console.settings.names if name not in self._names]
        guest = self.say("Player {number}").format(number=len(self._names) + 1)
        names = [*known, *([guest] if guest not in self._names and guest not in known else [])]
        items = [Item(name, self._take(name)) for name in names]
        new = Item(self.say("A new name …"), self._spell)
        return [*items, new] if known else [new, *items]

    def _spell(self) -> None:
        self.console.enter(SpellingRoom(self.console, self.title(), self._named))

    def _another(self, name: str) -> str:
        """The name, or if somebody who sits here has it too, with a number."""
        taken = {known.casefold() for known in self._names}
        numbered = (f"{name[: LONGEST_NAME - 2]} {n}" for n in range(2, 10))
        return next(one for one in (name, *numbered) if one.casefold() not in taken)

    def _named(self, name: str) -> None:
        self._take(name)()

    def _take(self, name: str) -> Callable[[], None]:
        def take() -> None:
            names = (*self._names, self._another(name))
            room: Room = NamesRoom(self.console, self._game, self._number, names)
            if len(names) == self._number:
                room = OptionsRoom(self.console, self._game, names)
            self.console.enter(room)

        return take


class SpellingRoom(Room):
    """A name, letter by letter; back takes the last one out, dispute ends it as well as the tick does."""

    def __init__(self, console: Console, title: str, done: Callable[[str], None]) -> None:
        super().__init__(console)
        self._title, self._done = title, done
        self._text = ""
        self._chosen = 1

    def _letters(self) -> tuple[str, ...]:
        alphabet = {"lt": "AĄBCČDEĘĖFGHIĮYJKLMNOPRSŠTUŲŪVZŽ", "en": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
        letters = alphabet[self.say.code]
        if self._text and self._text[-1] not in " -":
            letters = letters.lower()
        return ("✓", *letters, "-", " ")

    def page(self) -> Page:
        say = self.say
        hints = Hints(say("move"), say("take"), say("delete"), say("done"))
        return Spelling(self._title, self._text, self._letters(), self._chosen, hints)

    def press(self, button: str) -> None:
        letters = self._letters()
        if button in ("up", "down"):
            self._chosen = moved(self._chosen, button, len(letters))
        elif button == "dispute" or (button == "ok" and self._chosen == 0):
            name = self._text.strip(" -")
            if name:
                self.console.leave(self)
                self._done(name)
        elif button == "ok" and len(self._text) < LONGEST_NAME:
            self._text += letters[self._chosen]
        elif button == "back":
            if not self._text:
                super().press(button)
            self._text = self._text[:-1]


class OptionsRoom(ListRoom):
    """The options of the game, the defaults first; OK on one takes its next value."""

    def __init__(self, console: Console, game: Game, names: tuple[str, ...]) -> None:
        super().__init__(console)
        self._game, self._names = game, names
        self._options = game.all_options({})
        last = console.settings
        if last.game == game.id and game.wrong_with(names, last.options) is None:
            self._options = game.all_options(last.options)
        self._dealer = len(names)

    def title(self) -> str:
        return self.say("{game}: how it is played").format(game=self._game.name)

    def text(self) -> str:
        return ", ".join(self._names)

    def items(self) -> list[Item]:
        say = self.say
        items = [
            Item(say("Deal the cards"), self._begin),
            Item(say("First dealer"), self._next_dealer, self._names[self._dealer - 1]),
        ]
        for name, value in self._options.items():
            items.append(Item(option_words(name, say), self._turn(name), value_words(name, value, say)))
        return items

    def _next_dealer(self) -> None:
        self._dealer = self._dealer % len(self._names) + 1

    def _turn(self, name: str) -> Callable[[], None]:
        """Takes the next value that goes with the others."""

        def turn() -> None:
            option = self._game.options[name]
            numbers = NUMBERS if option.number else ()
            values = list(dict.fromkeys((*option.values, *numbers)))
            at = values.index(self._options[name]) if self._options[name] in values else 0
            for step in range(1, len(values) + 1):
                options = {**self._options, name: values[(at + step) % len(values)]}
                if self._game.wrong_with(self._names, options) is None:
                    self._options = options
                    return

        return turn

    def _begin(self) -> None:
        defaults = self._game.all_options({})
        chosen = {name: value for name, value in self._options.items() if value != defaults[name]}
        self.console.begin(Header(self._game.id, self._names, self._dealer, chosen))
