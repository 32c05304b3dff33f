"""The score by hand: a line for each player, OK enters points. Nothing is shown that is not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.failure import Failure
from appliance.rooms.room import AskRoom, Item, ListRoom
from appliance.sheet import MOST_PLAYERS, Sheet

if TYPE_CHECKING:
    from appliance.console import Console

MOST_POINTS = 30  # that are entered at once


class SheetRoom(ListRoom):
    """The sheet, begun if there is none."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._problem = ""
        self._sheet: Sheet | None = None
        try:
            self._sheet = console.hooks.sheet()
        except Failure as failure:
            self._problem = str(failure)

    def title(self) -> str:
        return self.say("The score by hand")

    def text(self) -> str:
        if self._problem:
            return self.say("It could not be kept: {problem}").format(problem=self._problem)
        return self.say("OK enters points.") if self._sheet is not None else self.say("How many play?")

    def items(self) -> list[Item]:
        sheet, say = self._sheet, self.say
        if sheet is None:
            return [
                Item(say.count("{n} player", "{n} players", number), lambda n=number: self._begin(n))  # type: ignore[misc]
                for number in range(2, MOST_PLAYERS + 1)
            ]
        items = [
            Item(name, lambda who=who: self._ask(who), f"{total}")  # type: ignore[misc]
            for who, (name, total) in enumerate(zip(sheet.names, sheet.totals(), strict=True))
        ]
        if sheet.entries:
            who, points = sheet.entries[-1]
            items.append(Item(say("Take back the last entry"), self._undo, f"{sheet.names[who]} {points:+d}"))
        items.append(Item(say("A new sheet"), self._anew))
        return items

    def _begin(self, number: int) -> None:
        known = self.console.settings.names[:number]
        guests = [self.say("Player {number}").format(number=n) for n in range(len(known) + 1, number + 1)]
        self._keep(Sheet((*known, *guests)))
        self.chosen = 0

    def _ask(self, who: int) -> None:
        sheet = self._sheet
        assert sheet is not None

        def enter(points: int) -> None:
            self.console.leave()
            self._keep(sheet.entered(who, points))

        def items() -> list[Item]:
            numbers = (*range(1, MOST_POINTS + 1), *range(-MOST_POINTS, 0))
            return [Item(f"{points:+d}", lambda points=points: enter(points)) for points in numbers]  # type: ignore[misc]

        self.console.enter(AskRoom(self.console, sheet.names[who], items))

    def _undo(self) -> None:
        assert self._sheet is not None
        self._keep(self._sheet.undone())

    def _anew(self) -> None:
        def yes() -> None:
            self.console.leave()
            self._sheet, self.chosen = None, 0

        say = self.say
        self.console.enter(
            AskRoom(
                self.console, say("A new sheet") + "?",
                lambda: [Item(say("No"), self.console.leave), Item(say("Yes"), yes)],
            )
        )  # fmt: skip

    def _keep(self, sheet: Sheet) -> None:
        keep = self.console.hooks.keep_sheet
        assert keep is not None
        try:
            keep(sheet)
        except Failure as failure:
            self._problem = str(failure)
            return
        self._sheet, self._problem = sheet, ""
