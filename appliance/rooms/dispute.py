"""The dispute: step back through the deal, ask "was this lawful?", put right, look at a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.account import proof_words, verdict_words
from appliance.corrections import action_at
from appliance.rooms.correct import ask_card, missed_card, other_seat
from appliance.rooms.room import AskRoom, Item, Room
from appliance.rooms.verdict import moment
from appliance.screen.pages import Dispute, Menu, Page
from engine.moment import Entry

if TYPE_CHECKING:
    from appliance.console import Console


class DisputeRoom(Room):
    """One action of the deal; up goes back, down on. Pressing dispute again corrects its card."""

    def __init__(self, console: Console, line: int | None = None) -> None:
        super().__init__(console)
        lines = [entry.line for entry in self._entries()]
        self._at = lines.index(line) if line in lines else len(lines) - 1
        self._asked = False

    def _entries(self) -> tuple[Entry, ...]:
        return self.console.playing().match.entries

    def page(self) -> Page:
        say, entries = self.say, self._entries()
        if not entries:
            return Menu(say("Dispute"), (), 0, say("Nothing has happened yet in this deal."), self.hints())
        self._at = min(max(0, self._at), len(entries) - 1)
        entry = entries[self._at]
        match = self.console.playing().match
        names = match.header.players
        place = say("{n} of {count}").format(n=self._at + 1, count=len(entries))
        title = say("Dispute, deal {number}").format(number=match.deal_number)
        who = "" if entry.seat is None else names[entry.seat - 1]
        words = verdict_words(entry, names, say)
        standing = "back" if entry.taken_back else "open" if entry.final == "open" else entry.final
        if standing == "impossible":
            standing = "illegal"
        if entry.rule is not None and entry.final != "open" and "; " in words:
            words = words.split("; ", 1)[1]
        if entry.taken_back:
            words = say("taken back")
        verdict = words or say("according to the rules")
        is_open = entry.final == "open" and not entry.taken_back and entry.seat is not None
        proof = proof_words(entry, names, say) if is_open else ""
        rule = f"{say.rule_short(entry.rule)}\n{say.rule(entry.rule)}" if entry.rule else ""
        return Dispute(
            title, place, moment(self.console, entry.line), who, standing, verdict, entry.rule, rule, proof,
            self._answer(entry) if self._asked else "",
            self.hints(say("questions"), say("earlier, later"), say("correct the card")),
        )  # fmt: skip

    def _answer(self, entry: Entry) -> str:
        say = self.say
        if entry.taken_back:
            return say("It was taken back.")
        if entry.final == "legal":
            return say("Yes, it was lawful.")
        if entry.final == "open":
            return say("Nobody can know yet.")
        return say("No, it was not lawful.")

    def press(self, button: str) -> None:
        entries = self._entries()
        if not entries or button == "back":
            if button in ("back", "ok"):
                self.console.leave(self)
            return
        if button in ("up", "down"):
            self._at = min(max(0, self._at + (1 if button == "down" else -1)), len(entries) - 1)
            self._asked = False
        elif button == "ok":
            self.console.enter(AskRoom(self.console, self.say("Dispute"), self._questions))
        elif button == "dispute":
            ask_card(self.console, entries[self._at])

    def _questions(self) -> list[Item]:
        from appliance.rooms.hand import ask_hand

        say, console, entry = self.say, self.console, self._entries()[self._at]
        action = action_at(console.playing(), entry.line)
        items = [Item(say("Was this lawful?"), self._ask)]
        if action is not None:
            if action.cards:
                items.append(Item(say("Correct the card"), lambda: ask_card(console, entry)))
            items.append(Item(say("It was somebody else"), lambda: other_seat(console, entry)))
            items.append(Item(say("It did not happen"), lambda: console.correct(entry.line, ())))
            if entry.final == "legal" or entry.verdict == "conditional":
                items.append(Item(say("A card after it was missed"), lambda: missed_card(console, entry)))
        items.append(Item(say("Look at a hand"), lambda: ask_hand(console)))
        if console.hooks.wrong is not None:
            items.append(Item(say("This was wrong"), lambda: ask_wrong(console, entry)))
        items.append(Item(say("More"), self._more))
        return items

    def _more(self) -> None:
        from appliance.rooms.table import TableMenu

        self.console.enter(TableMenu(self.console))

    def _ask(self) -> None:
        self._asked = True
        while self.console.rooms[-1] is not self:
            self.console.leave()


def ask_wrong(console: Console, entry: Entry) -> None:
    """Asks what was wrong; it is put right, and kept with its picture for those who mend the table."""
    action = action_at(console.playing(), entry.line)

    def items() -> list[Item]:
        say = console.language
        items = []
        if action is not None:
            if action.cards:
                items.append(Item(say("The card was another"), lambda: ask_card(console, entry, True)))
            items.append(Item(say("It was somebody else"), lambda: other_seat(console, entry, True)))
            items.append(Item(say("It did not happen"), lambda: console.correct(entry.line, (), True)))
        items.append(Item(say("The verdict"), verdict))
        return items

    def verdict() -> None:
        tell_kept(console, console.report(entry.line, None))

    console.enter(AskRoom(console, console.language("What was wrong?"), items))


def tell_kept(console: Console, problem: str | None) -> None:
    """Tells that what was wrong is kept, or why it is not."""
    say = console.language
    text = say("It is kept with the picture and the record, for those who mend the table.")
    if problem is not None:
        text = say("It could not be kept: {problem}").format(problem=problem)

    def items() -> list[Item]:
        return [Item(say("Back to the table"), console.to_table)]

    console.enter(AskRoom(console, say("This was wrong"), items, text))
