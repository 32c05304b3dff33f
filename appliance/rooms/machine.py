"""The machine itself: settings, calibration, what works and what does not."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal

from appliance.rooms.room import Item, ListRoom, Room
from appliance.screen.pages import About, Calibration, Check, Page
from appliance.settings import LOUDEST, ROTATIONS, SOUNDS, Settings
from vision.types import TableEvent

if TYPE_CHECKING:
    from appliance.console import Calibrated, Console


class SettingsRoom(ListRoom):
    """OK takes the next value; it counts at once."""

    def title(self) -> str:
        return self.say("Settings")

    def items(self) -> list[Item]:
        say, settings = self.say, self.console.settings
        look = say("dark") if settings.look == "dark" else say("light")
        indices = say("Lithuanian") if settings.indices == "TKDV" else say("international")
        suits = say("two") if settings.suits == "two" else say("four")
        language = "Lietuvių" if settings.language == "lt" else "English"
        letters: Literal["TKDV", "AKQJ"] = "AKQJ" if settings.indices == "TKDV" else "TKDV"
        loud = say("silent") if settings.volume == 0 else f"{settings.volume} / {LOUDEST}"
        angle = ROTATIONS[(ROTATIONS.index(settings.rotation) + 1) % len(ROTATIONS)]
        decks = ("", *self.console.hooks.decks()) if self.console.session is None else ()
        deck = Item(say("Deck"), self._next_deck(decks), settings.deck or say("any deck"))
        return [
            *([deck] if len(decks) > 1 else []),
            self._item(
                say("Language"), language,
                lambda s: replace(s, language="en" if s.language == "lt" else "lt"),
            ),
            self._item(
                say("Indices of the cards"), f"{indices} ({settings.indices})",
                lambda s: replace(s, indices=letters),
            ),
            self._item(
                say("Colours of the suits"), suits,
                lambda s: replace(s, suits="four" if s.suits == "two" else "two"),
            ),
            self._item(
                say("Look"), look, lambda s: replace(s, look="light" if s.look == "dark" else "dark")
            ),
            self._item(
                say("Volume"), loud, lambda s: replace(s, volume=(s.volume + 1) % (LOUDEST + 1))
            ),
            self._item(say("Turn the screen"), f"{settings.rotation}°", lambda s: replace(s, rotation=angle)),
            Item(say("Each sound"), lambda: self.console.enter(SoundsRoom(self.console))),
        ]  # fmt: skip

    def _next_deck(self, decks: tuple[str, ...]) -> Callable[[], None]:
        def change() -> None:
            now = self.console.settings.deck
            at = decks.index(now) if now in decks else 0
            self.console.change(replace(self.console.settings, deck=decks[(at + 1) % len(decks)]))

        return change

    def _item(self, label: str, value: str, change: Callable[[Settings], Settings]) -> Item:
        return Item(label, lambda: self.console.change(change(self.console.settings)), value)


class SoundsRoom(ListRoom):
    """How loud each kind of sound is; OK makes it louder, and silent after the loudest."""

    def title(self) -> str:
        return self.say("Each sound")

    def items(self) -> list[Item]:
        say, volumes = self.say, self.console.settings.volumes
        words = {
            "accepted": say("A card is accepted"),
            "turn": say("The next player's turn"),
            "illegal": say("Against the rules"),
            "proof": say("A violation is proved"),
            "won": say("A deal is over"),
            "bark": say("The dog barks"),
        }
        loud = {kind: volumes.get(kind, LOUDEST) for kind in SOUNDS}
        spoken = Item(
            say("Spoken words, where there are recordings"), self._spoken,
            say("yes") if self.console.settings.spoken else say("no"),
        )  # fmt: skip
        return [
            *(
                Item(
                    words[kind],
                    lambda kind=kind: self._louder(kind, loud),  # type: ignore[misc]
                    say("silent") if loud[kind] == 0 else f"{loud[kind]} / {LOUDEST}",
                )
                for kind in SOUNDS
            ),
            spoken,
        ]

    def _spoken(self) -> None:
        settings = self.console.settings
        self.console.change(replace(settings, spoken=not settings.spoken))

    def _louder(self, kind: str, loud: dict[str, int]) -> None:
        louder = {**loud, kind: (loud[kind] + 1) % (LOUDEST + 1)}
        self.console.change(replace(self.console.settings, volumes=louder))


class CalibrationRoom(Room):
    """Looks for the mat; OK looks again."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._found: Calibrated | None = None

    def page(self) -> Page:
        say, found = self.say, self._found
        picture = self.console.hooks.camera()
        if found is None:
            text = say("Lay the printed mat in the middle of the table, clear the cards away and press OK.")
        elif found.good:
            text = say("The table was found: {markers} of {of} markers. Back ends the calibration.")
        else:
            text = say("Only {markers} of {of} markers were found. Is the mat flat, whole and without glare?")
        if found is not None:
            text = text.format(markers=found.markers, of=found.of)
            picture = found.picture or picture
        return Calibration(
            say("Calibrate the camera"), text, None if found is None else found.good, picture,
            say("There is no picture of the camera."), self.hints(say("measure")),
        )  # fmt: skip

    def press(self, button: str) -> None:
        if button == "ok":
            self._found = self.console.hooks.calibrate()
        else:
            super().press(button)

    def event(self, event: TableEvent) -> bool:
        return event.event in ("placed", "removed", "revealed")


class AboutRoom(Room):
    """The diagnostics, line by line."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._first = 0
        self._checks = console.hooks.diagnostics(console.language)

    def page(self) -> Page:
        say = self.say
        own = (
            Check(say("Version"), version("kortstalis")),
            Check(say("Machine"), f"{platform.machine()}, Python {platform.python_version()}"),
            Check(say("Licence"), "Apache-2.0"),
        )
        checks = (*self._checks, *own)
        self._first = min(self._first, len(checks) - 1)
        return About(
            say("About this table"), checks, self._first, self.hints(say("check again"), say("move"))
        )

    def press(self, button: str) -> None:
        if button in ("up", "down"):
            self._first = max(0, self._first + (1 if button == "down" else -1))
        elif button == "ok":
            self._checks = self.console.hooks.diagnostics(self.console.language)
        else:
            super().press(button)
