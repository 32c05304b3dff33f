"""A match on the table: takes card events and buttons, tells the referee, and knows what to show.

Every line goes to the store (the journal) before it is judged and shown. The session has no clock and no
devices; how the match stands is folded from its lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from appliance import phrases
from appliance.flows import FLOWS, Do, TakenBack, WhichCard
from appliance.language import Language
from appliance.screen.model import Banner, Choice, Shown
from engine.actions import Action
from engine.cards import Card
from engine.record import Content, DealLine, RecordError, Takeback
from engine.referee import Match, Report
from engine.view import View
from vision.types import TableEvent

_PAUSES = ("no deal", "decided", "void", "broken off")


@dataclass(frozen=True)
class _Question:
    """A question on the screen: its answers and what each of them does."""

    title: str
    answers: tuple[str, ...]
    actions: tuple[Callable[[], None], ...]
    about: WhichCard | None = None


class Session:
    """A match in progress at a table.

    `store`: called with each line before it counts; what it raises stops the line. `listen`: called
    with each report. `bound`: the least confidence with which a card is taken without asking.
    """

    def __init__(
        self,
        match: Match,
        language: Language,
        *,
        store: Callable[[Content], None] = lambda content: None,
        listen: Callable[[Report], None] = lambda report: None,
        bound: float = 0.95,
    ) -> None:
        self.match = match
        self.language = language
        self.troubles: tuple[str, ...] = ()
        self._store = store
        self._listen = listen
        self._bound = bound
        self._flow = FLOWS[match.header.game]()
        self._pack = match.game.pack(match.options)
        self._banner: Banner | None = None
        self._asked: list[WhichCard] = []
        self._undoing = False
        self._chosen = 0
        self._question: _Question | None = None
        self._ask()

    # What comes in

    def push(self, content: Content) -> Report:
        """Stores a line, judges it, and says what there is to say."""
        before = self.match.view()
        if isinstance(content, Takeback) and not self._can_take_back():
            raise RecordError(0, "there is nothing to take back")
        self._store(content)
        report = self.match.push(content)
        self._banner = self._said(report, before)
        if report.refused and isinstance(content, Action):
            self._flow.refused(content)
        self._listen(report)
        self._ask()
        return report

    def event(self, event: TableEvent) -> None:
        """Takes an event of the table."""
        meaning = self._flow.meaning(event, self.match.view(), self._bound)
        if isinstance(meaning, Do):
            self.push(meaning.action)
        elif isinstance(meaning, WhichCard):
            self._asked.append(meaning)
            self._ask()
        elif isinstance(meaning, TakenBack):
            self._banner = None

    def press(self, button: str) -> None:
        """Takes a button: up, down, ok, back."""
        question = self._question
        if button == "back":
            self._undoing = not self._undoing and self._can_take_back()
            self._ask()
        elif question is not None and button in ("up", "down"):
            step = 1 if button == "down" else -1
            self._chosen = (self._chosen + step) % len(question.answers)
        elif question is not None and button == "ok":
            question.actions[self._chosen]()
        elif button == "ok":
            self._banner = None

    # What goes out

    @property
    def which_card(self) -> WhichCard | None:
        """The card that is asked about, if one is."""
        return self._question.about if self._question is not None else None

    @property
    def choice(self) -> Choice | None:
        """The question on the screen."""
        question = self._question
        if question is None:
            return None
        return Choice(question.title, question.answers, self._chosen)

    def shown(self) -> Shown:
        """What the screen shows now."""
        view = self.match.view()
        return Shown(
            view,
            self.match.game.name,
            self._banner,
            self.choice,
            phrases.waiting_for(view, self.language),
            self.troubles,
        )

    def translate(self, language: Language) -> None:
        """Goes on in another language."""
        self.language = language
        self._banner = None
        self._ask()

    # Questions

    def _ask(self) -> None:
        """Puts the question that is due now on the screen."""
        self._chosen = 0
        self._question = self._due()

    def _due(self) -> _Question | None:
        view, say = self.match.view(), self.language
        if self._undoing:
            return _Question(
                say("Take back the last action?"), (say("No"), say("Yes")), (self._stay, self._take_back)
            )
        if self._asked:
            return self._which_card(self._asked[0], view)
        if view.stage in _PAUSES:
            first = view.stage == "no deal"
            again = say("New deal after the match") if view.finished else say("Next deal")
            title = say("Deal the cards") if first else again
            dealer = view.players[self.match.next_dealer - 1]
            answer = say("{player} deals").format(player=dealer)
            return _Question(title, (answer,), (lambda: self._done(DealLine()),))
        named = view.expectation("announce")
        if named is not None:
            seat, ranks = named.seat, named.ranks
            return _Question(
                say("{player} names the Sekliai").format(player=view.players[seat - 1]),
                tuple(map(str, ranks)),
                tuple(self._doing(Action(seat, "announce", rank=rank)) for rank in ranks),
            )
        return None

    def _which_card(self, asked: WhichCard, view: View) -> _Question:
        cards = tuple(dict.fromkeys((*asked.likely, *self._pack)))
        title = self.language("{player}: which card is this?").format(player=view.players[asked.seat - 1])
        answers = (*map(str, cards), self.language("No card was laid"))
        actions = (*(self._naming(asked, card) for card in cards), self._phantom)
        return _Question(title, answers, actions, asked)

    def _naming(self, asked: WhichCard, card: Card) -> Callable[[], None]:
        def name() -> None:
            self._asked.pop(0)
            self.push(self._flow.answered(asked, card))

        return name

    def _phantom(self) -> None:
        self._asked.pop(0)
        self._ask()

    def _doing(self, content: Content) -> Callable[[], None]:
        return lambda: self._done(content)

    def _done(self, content: Content) -> None:
        self.push(content)

    def _stay(self) -> None:
        self._undoing = False
        self._ask()

    def _take_back(self) -> None:
        self._undoing = False
        self.push(Takeback())

    def _can_take_back(self) -> bool:
        progress = self.match.progress
        return progress is not None and progress.can_take_back

    # What is said

    def _said(self, report: Report, before: View) -> Banner | None:
        view = self.match.view()
        proved = [entry for entry in report.changed if entry.final == "illegal" and not entry.taken_back]
        if proved:
            return phrases.proof_banner(proved, view, self.language)
        for entry in report.entries:
            banner = phrases.verdict_banner(entry, view, self.language)
            if banner is not None:
                return banner
        if report.deal_ended or report.match_ended:
            return phrases.deal_banner(view, self.language)
        return None
