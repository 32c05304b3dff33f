"""The hand check: a seat spreads its hand under the camera, and open verdicts settle before all eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.rooms.correct import ask_seat
from appliance.rooms.room import Room
from appliance.screen.pages import HandCheck, Page
from engine.actions import Action
from engine.cards import Card
from vision.types import TableEvent

if TYPE_CHECKING:
    from appliance.console import Console


def ask_hand(console: Console) -> None:
    """Asks whose hand, and looks at it."""

    def chosen(seat: int) -> None:
        console.leave()
        console.enter(HandRoom(console, seat))

    ask_seat(console, console.language("Whose hand?"), chosen)


class HandRoom(Room):
    """The cards that are seen while this room is open belong to the hand; none of them is played."""

    def __init__(self, console: Console, seat: int) -> None:
        super().__init__(console)
        self._seat = seat
        self._cards: list[Card] = []

    def _held(self) -> int:
        return self.console.playing().match.view().hand_counts.get(self._seat, 0)

    def page(self) -> Page:
        say, held, seen = self.say, self._held(), len(self._cards)
        who = self.console.playing().match.header.players[self._seat - 1]
        title = say("The hand of {player}").format(player=who)
        if seen < held:
            text = say("Lay all {held} cards open under the camera, one beside the other. Seen: {seen}.")
        elif seen > held:
            text = say("There are more cards than the hand has: {seen} of {held}. Take the others away.")
        else:
            text = say("All {held} cards are seen. Press OK and the referee looks at them.")
        blind = self.console.hooks.blind()
        ok = say("show") if seen == held else say("a card with the buttons") if blind else ""
        hints = self.hints(ok, say("take out the last") if self._cards else "")
        return HandCheck(
            title, text.format(held=held, seen=seen), tuple(self._cards), held, seen == held, hints
        )

    def press(self, button: str) -> None:
        if button == "ok" and self._cards and len(self._cards) == self._held():
            self.console.leave(self)
            session = self.console.playing()
            before = set(session.match.view().pending)
            session.push(Action(self._seat, "show", tuple(self._cards)))
            self._settled(before - set(session.match.view().pending))
        elif button == "ok" and self.console.hooks.blind():
            self._by_hand()
        elif button == "up" and self._cards:
            self._cards.pop()
        elif button == "back":
            super().press(button)

    def _by_hand(self) -> None:
        from appliance.rooms.by_hand import ask_any_card

        def seen(card: Card) -> None:
            self.console.leave(asking)
            self.event(TableEvent(self.console.by_hand(), "placed", card, 1.0))

        ask_any_card(self.console, self.say("Which card?"), seen)
        asking = self.console.rooms[-1]

    def _settled(self, lines: set[int]) -> None:
        """Goes to the action that the hand has settled, unless the proof is on the screen already."""
        from appliance.rooms.dispute import DisputeRoom
        from appliance.rooms.verdict import ProofRoom, VerdictRoom

        if lines and not isinstance(self.console.rooms[-1], ProofRoom | VerdictRoom):
            self.console.to_table()
            self.console.enter(DisputeRoom(self.console, max(lines)))

    def event(self, event: TableEvent) -> bool:
        if event.event not in ("placed", "revealed", "removed"):
            return False
        if isinstance(event.card, Card):
            if event.event == "removed":
                if event.card not in self._cards:
                    return False
                self._cards.remove(event.card)
            elif event.card not in self._cards:
                self._cards.append(event.card)
        return True
