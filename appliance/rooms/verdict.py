"""The verdict on an action against the rules, and the proof that an earlier one was."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from appliance.account import verdict_words
from appliance.corrections import action_at
from appliance.phrases import rule_words
from appliance.rooms.room import Room, moved
from appliance.screen.model import Tone
from appliance.screen.pages import Evidence, Page, Verdict
from appliance.spoken import spoken_action
from engine.actions import Action, Fact
from engine.cards import NotationError
from engine.moment import Entry
from engine.record import Ruling

if TYPE_CHECKING:
    from appliance.console import Console


class _Wrong(Room):
    """What both have in common: an entry, answers, what each of them does."""

    def __init__(self, console: Console, entry: Entry) -> None:
        super().__init__(console)
        self.entry = entry
        self.chosen = 0

    def answers(self) -> list[tuple[str, Callable[[], None]]]:
        """The answers and what they do."""
        raise NotImplementedError

    def press(self, button: str) -> None:
        answers = self.answers()
        if button in ("up", "down"):
            self.chosen = moved(self.chosen, button, len(answers))
        elif button == "ok":
            answers[self.chosen][1]()
        elif button == "dispute":
            self.console.leave(self)
            open_dispute(self.console, self.entry.line)
        else:
            self.done()

    def done(self) -> None:
        """All has been said: the table again."""
        self.console.leave(self)

    def correct(self) -> None:
        """The reading was wrong."""
        from appliance.rooms.correct import ask_card

        self.console.leave(self)
        ask_card(self.console, self.entry)

    def can_correct(self) -> bool:
        """Whether the entry has a card that may have been misread."""
        action = action_at(self.console.playing(), self.entry.line)
        return action is not None and bool(action.cards)

    def who(self) -> str:
        """Whose action it is."""
        players = self.console.playing().match.header.players
        return "" if self.entry.seat is None else players[self.entry.seat - 1]


class VerdictRoom(_Wrong):
    """An action was refused (or stands all the same, and costs): who, which card, the rule."""

    passing = True

    def page(self) -> Page:
        entry, say = self.entry, self.say
        players = self.console.playing().match.header.players
        what = spoken_action(entry.action, players, say)
        if entry.verdict == "impossible":
            title = say("{player}: {action} cannot be").format(player=self.who(), action=what)
        else:
            title = say("{player}: {action} is against the rules").format(player=self.who(), action=what)
        rule = entry.rule
        short = rule_words(rule, say)
        text = "" if rule is None else say.rule(rule)
        if entry.verdict == "illegal" and not entry.stands:
            text += "\n" + say(
                "It can't stand: what is surely against the rules is not carried out (G-2). "
                "Put it right and play on."
            )
        if entry.stands:
            short += f" – {say('it stands')}"
        moments = (moment(self.console, entry.line),)
        answers = tuple(answer for answer, _ in self.answers())
        hints = self.hints(say("choose"), say("move"), say("dispute"))
        return Verdict(Tone.WRONG, title, rule, short, text, moments, answers, self.chosen, hints)

    def answers(self) -> list[tuple[str, Callable[[], None]]]:
        # "Let it stand" is no answer here: no line of a record can carry out an action that is illegal on the
        # public evidence (G-2), and `ruling stand` is only for one that was accepted and proved illegal later
        # (G-4), where ProofRoom offers it. The page says so, rather than offer what cannot be kept.
        entry, say = self.entry, self.say
        cards = self.can_correct()
        first = say("The card goes back") if cards and not entry.stands else say("Go on")
        answers: list[tuple[str, Callable[[], None]]] = [(first, self.done)]
        if cards:
            answers.append((say("Correct the reading"), self.correct))
        return answers

    def done(self) -> None:
        super().done()
        session = self.console.playing()
        if session.choice is None:
            session.press("ok")  # what the table says of it has been read


class ProofRoom(_Wrong):
    """An earlier action is proved illegal: it, what proved it, and what the table makes of it (G-4)."""

    def page(self) -> Page:
        entry, say = self.entry, self.say
        players = self.console.playing().match.header.players
        what = spoken_action(entry.action, players, say)
        said = say("{player} broke a rule with {action}").format(player=self.who(), action=what)
        title = say("Proved: {what}").format(what=said)
        moments = [moment(self.console, entry.line)]
        if entry.settled_by is not None and entry.settled_by != entry.line:
            moments.append(moment(self.console, entry.settled_by))
        answers = tuple(answer for answer, _ in self.answers())
        rule = entry.rule
        hints = self.hints(say("choose"), say("move"), say("dispute"))
        words = verdict_words(entry, players, say)
        text = words if rule is None else f"{say.rule(rule)}\n{_tail(words)}".strip()
        return Verdict(
            Tone.PROVED, title, rule, rule_words(rule, say), text, tuple(moments), answers, self.chosen, hints
        )

    def answers(self) -> list[tuple[str, Callable[[], None]]]:
        say, match = self.say, self.console.playing().match
        words = {
            "stand": say("Let it stand"),
            "award": say("The deal is lost by it"),
            "void": say("The deal counts nothing"),
        }
        preset = match.options["violation"]
        values = (preset, *(v for v in match.game.options["violation"].values if v != preset))
        answers: list[tuple[str, Callable[[], None]]] = [(words[preset], self.done)]
        answers += [(words[value], self._ruling(value)) for value in values[1:]]
        if self.can_correct():
            answers.append((say("Correct the reading"), self.correct))
        return answers

    def _ruling(self, kind: str) -> Callable[[], None]:
        def rule() -> None:
            self.console.leave(self)
            self.console.playing().push(Ruling(kind))

        return rule


def _tail(words: str) -> str:
    """What a verdict says after its rule."""
    return words.split("; ", 1)[1] if "; " in words else ""


def moment(console: Console, line: int) -> Evidence:
    """What happened in a line: its words, its cards, its picture."""
    session, say = console.playing(), console.language
    names = session.match.header.players
    content = next((one.content for one in session.match.record().lines if one.number == line), None)
    if not isinstance(content, Action | Fact):
        words = "" if content is None else spoken_action(str(content), names, say)
        return Evidence(words, (), console.hooks.picture(line))
    who = "" if content.seat is None else names[content.seat - 1] + ": "
    try:
        words = who + spoken_action(content.text, names, say)
    except NotationError:
        words = who + content.text
    return Evidence(words, content.cards, console.hooks.picture(line))


def open_dispute(console: Console, line: int | None = None) -> None:
    """Goes to the dispute, at a line or at the last action."""
    from appliance.rooms.dispute import DisputeRoom

    if console.session is not None:
        console.enter(DisputeRoom(console, line))
