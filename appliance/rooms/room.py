"""What a room is: it shows a page and takes buttons; and the room that is a list to choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.language import Language
from appliance.screen.model import Hints
from appliance.screen.pages import Menu, Page, Row
from vision.types import TableEvent

if TYPE_CHECKING:
    from appliance.console import Console


class Room:
    """A state of the console. It lies on the rooms it was entered from; `back` leaves it."""

    passing = False
    """Whether the room is left of itself when the game goes on."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def say(self) -> Language:
        """The language of the screen."""
        return self.console.language

    def page(self) -> Page:
        """What the screen shows."""
        raise NotImplementedError

    def press(self, button: str) -> None:
        """Takes a button: up, down, ok, back, dispute."""
        if button == "back":
            self.console.leave(self)

    def event(self, event: TableEvent) -> bool:
        """Takes an event of the table; False if it is not this room's affair."""
        return False

    def hints(self, ok: str = "", up_down: str = "", dispute: str = "") -> Hints:
        """What the buttons do; back always goes back."""
        return Hints(up_down, ok, self.say("back"), dispute)


@dataclass(frozen=True)
class Item:
    """A line of a list, and what choosing it does."""

    label: str
    do: Callable[[], None]
    value: str = ""


class ListRoom(Room):
    """A list to choose from. Subclasses say `title` and `items`, which may change at any time."""

    def __init__(self, console: Console, chosen: int = 0) -> None:
        super().__init__(console)
        self.chosen = chosen

    def title(self) -> str:
        """What stands above."""
        raise NotImplementedError

    def text(self) -> str:
        """An explanation below the title."""
        return ""

    def items(self) -> list[Item]:
        """The lines."""
        raise NotImplementedError

    def page(self) -> Page:
        items = self.items()
        self.chosen = min(self.chosen, len(items) - 1)
        rows = tuple(Row(item.label, item.value) for item in items)
        hints = self.hints(self.say("choose"), self.say("move"))
        return Menu(self.title(), rows, self.chosen, self.text(), hints)

    def press(self, button: str) -> None:
        items = self.items()
        if button in ("up", "down"):
            self.chosen = moved(self.chosen, button, len(items))
        elif button == "ok":
            items[min(self.chosen, len(items) - 1)].do()
        else:
            super().press(button)


class AskRoom(ListRoom):
    """A list made on the spot."""

    def __init__(
        self, console: Console, title: str, items: Callable[[], list[Item]], text: str = "", chosen: int = 0
    ) -> None:
        super().__init__(console, chosen)
        self._title, self._items, self._text = title, items, text

    def title(self) -> str:
        return self._title

    def text(self) -> str:
        return self._text

    def items(self) -> list[Item]:
        return self._items()


def moved(chosen: int, button: str, count: int) -> int:
    """The choice after up or down; it goes round."""
    return (chosen + (1 if button == "down" else -1)) % max(1, count)
