"""A lesson: a deck's cards are laid under the camera one after the other, and somebody says what each is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from appliance.failure import Failure
from appliance.rooms.room import AskRoom, Item, Room, moved
from appliance.screen.model import Hints, Picture
from appliance.screen.pages import Page, Teach
from engine.cards import Card
from vision.showing import Held
from vision.teach import PACKS, Lesson, Refusal, Shown

if TYPE_CHECKING:
    from appliance.console import Console

_JOKERS = {"IMP": "Imperatorius", "VIZ": "Viziris"}


def ask_pack(console: Console) -> None:
    """Asks how many cards the deck has, and teaches it."""

    def teach(number: int) -> Callable[[], None]:
        def go() -> None:
            console.leave()
            console.enter(LessonRoom(console, PACKS[number]))

        return go

    def items() -> list[Item]:
        say = console.language
        return [
            Item(say.count("{n} card", "{n} cards", n), teach(n), _ranks(console, PACKS[n])) for n in PACKS
        ]

    text = console.language("Then clear the table and lay the cards down one at a time, in any order.")
    chosen = list(PACKS).index(52)
    console.enter(AskRoom(console, console.language("How many cards has the deck?"), items, text, chosen))


def _ranks(console: Console, pack: tuple[Card, ...]) -> str:
    plain = [card.rank for card in pack if not card.joker]
    ace = "A" if console.settings.indices == "AKQJ" else "T"
    jokers = f" + {console.language('jokers')}" if len(pack) > 52 else ""
    return f"{min(plain)}–{ace}{jokers}"


class LessonRoom(Room):
    """The camera shows a card, OK says that it is what the screen thinks; up and down choose another."""

    def __init__(self, console: Console, pack: tuple[Card, ...]) -> None:
        super().__init__(console)
        self._lesson = Lesson(pack)
        self._pack = tuple(dict.fromkeys(pack))
        self._shown: Shown | None = None
        self._picture: Picture | None = None
        self._choices: tuple[Card, ...] = ()
        self._at = self._first = 0
        self._said = ""
        self._warned = False
        """Whether the card seems to be known or face down: OK then leaves it be, up and down name it."""
        console.hooks.look(self._held)

    def _held(self, held: Held) -> None:
        """Another card lies under the camera."""
        if held.flat is None:
            return
        shown = self._lesson.show(held.flat, held.reading)
        missing = self._lesson.missing
        # In the pack's order, from the likeliest on; each of the Viziriai may look different.
        choices = tuple(card for card in self._pack if card in missing or card.joker)
        if not choices:
            self._shown, self._said = None, self._refused(shown.refusal or Refusal("taught", self._pack[0]))
            return
        self._said = self._refused(shown.refusal)
        if not self._said and held.reading is not None and held.reading.side == "down":
            self._said = self.say("It seems to lie face down: turn it over.")
        self._warned = bool(self._said)
        first = shown.proposed or (missing or choices)[0]
        self._shown, self._picture, self._choices = shown, Picture(held.flat), choices
        self._at = self._first = choices.index(first)

    def _refused(self, refusal: Refusal | None) -> str:
        if refusal is None:
            return ""
        words = self.say("It looks like {card}, which is known: take it away.")
        if refusal.why == "taught":
            words = self.say("{card} is known already.")
        return words.format(card=_name(refusal.card))

    def page(self) -> Page:
        say, lesson = self.say, self._lesson
        known = set(lesson.taught)
        count = say("{known} of {count}").format(known=len(known), count=len(self._pack))
        if self._shown is None:
            text = self._said or say("Lay the next card alone under the camera.")
            if not lesson.missing:
                text = say("All {count} cards are known.").format(count=len(self._pack))
            hints = Hints(
                "", say("end") if known else "", say("back"), say("forget the last") if known else ""
            )
            picture = self.console.hooks.camera()
            return Teach(say("Teach a deck"), count, text, self._pack, frozenset(known), None, picture, hints)
        card: Card | None = self._choices[self._at]
        text = say("Is this {card}?").format(card=_name(self._choices[self._at]))
        if self._at == self._first and self._shown.proposed is None:
            text = say("Which card is this? Perhaps {card}?").format(card=_name(self._choices[self._at]))
        hints = Hints(say("other card"), say("it is"), say("skip"), "")
        if self._warned:
            card, text, hints = None, self._said, Hints(say("it is another"), say("go on"), say("skip"), "")
        title, picture, choices = say("Teach a deck"), self._picture, () if card is None else self._choices
        return Teach(title, count, text, self._pack, frozenset(known), card, picture, hints, choices)

    def press(self, button: str) -> None:
        if self._shown is not None:
            self._answer(button, self._shown)
        elif button == "dispute":
            card = self._lesson.undo()
            self._said = "" if card is None else self.say("Forgotten: {card}").format(card=_name(card))
        elif self._lesson.taught and button in ("ok", "back"):
            self.console.enter(AskRoom(self.console, self.say("Keep the deck?"), self._ends, self._rest()))
        elif button == "back":
            self._leave()

    def _answer(self, button: str, shown: Shown) -> None:
        if self._warned and button in ("up", "down"):
            self._warned = False
        elif self._warned and button == "ok":
            self._shown, self._said = None, ""
        elif button in ("up", "down"):
            self._at = moved(self._at, button, len(self._choices))
        elif button == "ok":
            refusal = self._lesson.teach(shown, self._choices[self._at])
            self._shown = None
            self._said = self._refused(refusal)
        elif button == "back":
            self._shown, self._said = None, ""

    def _rest(self) -> str:
        missing = self._lesson.missing
        if not missing:
            return self.say("All {count} cards are known.").format(count=len(self._pack))
        names = " ".join(map(str, missing[:12])) + (" …" if len(missing) > 12 else "")
        return self.say("still missing: {cards}").format(cards=names)

    def _ends(self) -> list[Item]:
        say, console = self.say, self.console
        return [
            Item(say("Keep it and play with it"), self._keep),
            Item(say("Go on teaching"), console.leave),
            Item(say("Throw it away"), self._leave),
        ]

    def _keep(self) -> None:
        say, console = self.say, self.console
        try:
            name = console.hooks.keep_deck(self._lesson)
        except Failure as failure:
            text = say("It could not be kept: {problem}").format(problem=failure)
            console.leave()
            console.enter(AskRoom(console, say("Teach a deck"), lambda: [Item("OK", console.leave)], text))
            return
        self._leave()
        text = say("It is kept as {name} and cards are read by it from now on.").format(name=name)
        console.enter(AskRoom(console, say("Teach a deck"), lambda: [Item("OK", console.leave)], text))

    def _leave(self) -> None:
        self.console.hooks.look(None)
        self.console.leave(self)


def _name(card: Card) -> str:
    """A card in a sentence; jokers by their names."""
    return _JOKERS.get(str(card), str(card))
