"""A match on the table: takes card events and buttons, tells the referee, and knows what to show.

Every line goes to the store (the journal) before it is judged and shown. The session has no clock and no
devices; how the match stands is folded from its lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from appliance import phrases
from appliance.asking import Question, due
from appliance.flows import FLOWS, Called, Do, Meaning, TakenBack, WhichCard, likely
from appliance.language import Language
from appliance.screen.model import Banner, Choice, Shown
from engine.actions import Action
from engine.cards import Card
from engine.record import Content, RecordError, Takeback
from engine.referee import Match, Report
from engine.view import View
from vision.geometry import Area
from vision.types import Reading, TableEvent


class Session:
    """A match in progress at a table.

    `store`: called with each line before it counts; what it raises stops the line. `listen`: called
    with each report. `bound`: the least confidence with which a card is taken without asking.
    `correct`: called with a reading and the card that the people say it was of. `taken`: called with
    cards that are not on the table, when some were taken off it. `seen`: called with the number of a line
    and the event of the table that it came of.

    Events that come while a question about the table is open wait until it is answered. What cannot be
    stored waits too, with all that comes after it: `events` tries it again, even with no new ones.
    """

    def __init__(
        self,
        match: Match,
        language: Language,
        *,
        store: Callable[[Content], None] = lambda content: None,
        listen: Callable[[Report], None] = lambda report: None,
        bound: float = 0.95,
        correct: Callable[[Reading, Card], None] = lambda reading, card: None,
        seen: Callable[[int, TableEvent], None] = lambda line, event: None,
        taken: Callable[[Set[Card]], None] = lambda cards: None,
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
        self._correct = correct
        self._taken = taken
        self._seen = seen
        self._event: TableEvent | None = None  # what the meanings came of
        self._meanings: deque[Meaning] = deque()
        self._events: deque[tuple[TableEvent, Sequence[TableEvent]]] = deque()
        self._undoing = False
        self._chosen = 0
        self._question: Question | None = None
        self._ask()

    # What comes in

    def push(self, content: Content) -> Report:
        """Stores a line, judges it, and says what there is to say."""
        before = self.match.view()
        if isinstance(content, Takeback) and not self._can_take_back():
            raise RecordError(0, "there is nothing to take back")
        self._store(content)
        lay = _cards_on(before)
        report = self.match.push(content)
        gone = lay - _cards_on(self.match.view())
        if gone and not (isinstance(content, Action) and content.verb == "play"):
            # What a play clears away lies there, with the card played, until it is swept up as one.
            self._taken(gone)
        self._banner = self._said(report, before)
        if report.refused and isinstance(content, Action):
            self._flow.refused(content)
        self._listen(report)
        self._ask()
        return report

    def events(self, events: Sequence[TableEvent]) -> None:
        """Takes the events of one look at the table."""
        self._events.extend((event, events[n + 1 :]) for n, event in enumerate(events))
        self._go_on()

    def _go_on(self) -> None:
        """Takes what waits, up to a question that only people can answer."""
        while True:
            while self._meanings:
                if isinstance(self._meanings[0], WhichCard | Called):
                    self._ask()
                    return
                meaning = self._meanings.popleft()
                try:
                    self._mean(meaning)
                except Exception:
                    self._meanings.appendleft(meaning)  # it could not be stored: it is not lost
                    raise
            if not self._events:
                return
            event, coming = self._events.popleft()
            self._event = event
            if event.event == "removed" and not any(each.event == "removed" for each in coming):
                self._taken(self._off_the_table())
            meanings = self._flow.meaning(event, coming, self.match.view(), self._bound)
            self._meanings.extend(self._or_which_card(event, meanings))

    def _or_which_card(self, event: TableEvent, meanings: Sequence[Meaning]) -> Sequence[Meaning]:
        """What a card event means; if the card cannot be the one that was read, it is asked about. One that
        slid, and cannot have been in a hand meanwhile, was played already."""
        first = meanings[0] if meanings else None
        if not isinstance(first, Do) or not isinstance(first.content, Action) or event.confidence >= 1.0:
            return meanings
        action = first.content
        if event.event == "removed" or not action.cards or self.match.could_be(action):
            return meanings
        return () if event.event == "moved" else (WhichCard(action.seat, likely(event), event),)

    def _mean(self, meaning: Meaning) -> None:
        if isinstance(meaning, TakenBack):
            self._banner = None
        elif isinstance(meaning, Do):
            drawn = {
                laid.card for zone in self.match.view().zones if zone.kind == "drawn" for laid in zone.cards
            }
            if meaning.if_drawn is None or meaning.if_drawn in drawn:
                line = self.push(meaning.content).line.number
                if self._event is not None:
                    self._seen(line, self._event)

    def _off_the_table(self) -> set[Card]:
        """The cards that lie nowhere on the table, by the referee's account."""
        return {card for card in self._pack if not card.joker} - _cards_on(self.match.view())

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
    def areas(self) -> tuple[Area, ...]:
        """The places on the table that this game has besides the seats' own."""
        return self._flow.areas

    @property
    def places(self) -> tuple[str, ...]:
        """Where a card can be laid now, the usual place first; none: before whoever lays it."""
        return self._flow.places(self.match.view())

    @property
    def pairs(self) -> bool:
        """Whether two cards can be laid as one in this game."""
        return self._flow.pairs

    @property
    def idle(self) -> bool:
        """Whether nothing is asked that has to be answered, and no answer is chosen."""
        return self._question is None or (self._question.offer and self._chosen == 0)

    @property
    def which_card(self) -> WhichCard | None:
        """The card that is asked about, if one is."""
        asked = self._meanings[0] if self._meanings else None
        return asked if isinstance(asked, WhichCard) else None

    @property
    def asking(self) -> bool:
        """Whether something on the table waits for an answer."""
        return bool(self._meanings)

    @property
    def choice(self) -> Choice | None:
        """The question on the screen."""
        question = self._question
        if question is None:
            return None
        return Choice(question.title, question.answers, self._chosen)

    @property
    def says(self) -> tuple[Content | Card | None, ...]:
        """What the answers to the question on the screen say, in their order."""
        return () if self._question is None else self._question.says

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

    def _due(self) -> Question | None:
        view, say = self.match.view(), self.language
        if self._undoing:
            return Question(
                say("Take back the last action?"),
                (say("No"), say("Yes")),
                (self._stay, self._take_back),
                (None, Takeback()),
            )
        asked = self._meanings[0] if self._meanings else None
        if isinstance(asked, WhichCard):
            return self._which_card(asked, view)
        if isinstance(asked, Called):
            who = view.players[asked.called.seat - 1]
            return Question(
                say("{player}: was “Trump!” called?").format(player=who),
                (say("Yes"), say("No")),
                (self._settling(Do(asked.called)), self._settling(Do(asked.uncalled))),
                (asked.called, asked.uncalled),
            )
        return due(view, self.match.next_dealer, say, self._push)

    def _push(self, content: Content) -> None:
        self.push(content)

    def _which_card(self, asked: WhichCard, view: View) -> Question:
        cards = tuple(dict.fromkeys((*asked.likely, *self._pack)))
        title = self.language("{player}: which card is this?").format(player=view.players[asked.seat - 1])
        answers = (*map(str, cards), self.language("No card was laid"))
        actions = (*(self._naming(asked, card) for card in cards), self._settling(None))
        return Question(title, answers, actions, (*cards, None))

    def _naming(self, asked: WhichCard, card: Card) -> Callable[[], None]:
        def name() -> None:
            self._meanings.popleft()
            if asked.event.reading is not None:
                self._correct(asked.event.reading, card)
            named = replace(asked.event, card=card, confidence=1.0)
            beside = tuple(event for event, _ in self._events if event.t == named.t)
            self._events.appendleft((named, beside))
            self._settled()

        return name

    def _settling(self, meaning: Do | None) -> Callable[[], None]:
        """Puts a meaning in the place of the question that is open (None: it meant nothing)."""

        def settle() -> None:
            self._meanings.popleft()
            if meaning is not None:
                self._meanings.appendleft(meaning)
            self._settled()

        return settle

    def _settled(self) -> None:
        """A question about the table is answered: what waited for it goes on."""
        self._question = None
        try:
            self._go_on()
        finally:
            self._ask()

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


def _cards_on(view: View) -> set[Card]:
    """The cards that lie on the table, by the referee's account; jokers alike are left out."""
    return {laid.card for zone in view.zones for laid in zone.cards if not laid.card.joker}
