"""One deal in progress: takes the lines of a record, judges them, revises what it judged before.

A line is taken in three steps: could it be (G-5), what speaks against it (`Deal.objections`), and,
accepted or refused, what does it show. Then every action still conditional is asked about again in
the worlds that are left. All of it is kept in one `Moment`; before every accepted line the moment is
put by, and a takeback goes back to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Action, Fact
from engine.cards import Card
from engine.conditions import ALWAYS, Provisional, about, none, some
from engine.deal import Deal, Duty, Objection, Outcome, Sight
from engine.moment import Asked, Case, Entry, Judgement, Moment
from engine.worlds import Worlds

LEGAL, ILLEGAL, CONDITIONAL, IMPOSSIBLE, OPEN = "legal", "illegal", "conditional", "impossible", "open"

TIDY_EVERY = 64
"""How many new paths of cards there may be before what is over is forgotten."""

_G5: Asked = (("G-5", ALWAYS),)
_G6: Asked = (("G-6", ALWAYS),)
_OVER = (Objection("G-6"),)


class NothingToTakeBack(Exception):
    """A takeback with no accepted line left in this deal."""


class DealInProgress:
    """The lines of one deal. `violation`: the option of G-4."""

    def __init__(self, deal: Deal, violation: str) -> None:
        self._violation = violation
        self._cases: list[Case] = []
        self._undone: dict[int, Entry] = {}
        self._judged: list[Judgement] = []
        self._log: list[tuple[int, Judgement]] = []
        self._stack: list[tuple[int, int, Moment]] = []
        worlds = Worlds(deal.setup.pack, deal.places())
        self._now = Moment(deal, worlds, False, False)
        self._changed: set[int] = set()

    # What it knows

    @property
    def deal(self) -> Deal:
        """The game's public state."""
        return self._now.deal

    @property
    def worlds(self) -> Worlds:
        """What is possible in the hidden places."""
        return self._now.worlds

    @property
    def over(self) -> bool:
        """Decided, ended by a violation, or broken off: no more play."""
        return self._now.over

    @property
    def broken_off(self) -> bool:
        return self._now.broken_off

    @property
    def voided(self) -> bool:
        """Ended by a violation without a result (G-4)."""
        imposed = self._now.imposed
        return not self._now.broken_off and imposed is not None and imposed[1] is None

    @property
    def outcome(self) -> Outcome | None:
        """How the deal came out; None while it is undecided, voided or broken off."""
        return self._now.outcome

    @property
    def pending(self) -> tuple[int, ...]:
        """Line numbers of the actions still conditional."""
        return tuple(self._cases[case].line for case in self._now.open)

    def entries(self) -> tuple[Entry, ...]:
        """All entries, undone ones included, as things stand."""
        return tuple(map(self._entry, range(len(self._cases))))

    def _entry(self, number: int) -> Entry:
        undone = self._undone.get(number)
        if undone is not None:
            return undone
        case, judged = self._cases[number], self._judged[number]
        rule = None
        if judged.final != LEGAL:
            worlds = self._now.worlds
            rule = next((rule for rule, question in judged.asked if some(worlds, question)), None)
        return Entry(
            case.line, case.seat, case.text, case.verdict, judged.final or OPEN, rule, case.needs_void,
            case.needs, judged.settled_by, case.stands,
        )  # fmt: skip

    # Lines

    def take(self, content: Action | Fact, line: int) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Judges a line; the entries it made, and the earlier ones it changed."""
        first = len(self._cases)
        self._changed.clear()
        if isinstance(content, Fact):
            self._fact(content, line)
        else:
            self._action(content, line)
        return self._report(first)

    def could_be(self, action: Action) -> bool:
        """Whether an action is physically possible now (G-5), in some world."""
        deal, worlds = self._now.deal, self._now.worlds
        if deal.is_out(action.seat) and action.verb != "call":
            return False
        if not worlds.can_see(deal.sees(action, worlds)):
            return False
        objections = () if self._now.over else deal.objections(action)
        return not objections or objections[0].rule != "G-5"

    def end(self, line: int) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """The table breaks the deal off."""
        first = len(self._cases)
        self._changed.clear()
        if self._now.over:
            self._refuse(Case(line, None, "end", "end", ILLEGAL), _G6)
        else:
            self._put_by(self._now.copy())
            self._now.broken_off = True
        return self._report(first)

    def ruling(self, kind: str, line: int) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """The table's ruling on the latest violation proved (G-4)."""
        first = len(self._cases)
        self._changed.clear()
        now = self._now
        if not now.violations:
            self._refuse(Case(line, None, f"ruling {kind}", "ruling", ILLEGAL), _G6)
        else:
            self._put_by(now.copy())
            case = now.violations[-1][0]
            now.violations = (*now.violations[:-1], self._effect(case, kind))
        return self._report(first)

    @property
    def can_take_back(self) -> bool:
        """Whether there is an accepted line to undo."""
        return bool(self._stack)

    def takeback(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Undoes the last accepted line and what was refused after it; NothingToTakeBack."""
        if not self._stack:
            raise NothingToTakeBack
        first, logged, before = self._stack.pop()
        self._changed.clear()
        for number in range(first, len(self._cases)):
            if number not in self._undone:
                entry = self._entry(number)
                self._undone[number] = _undo(entry)
                self._changed.add(number)
        while len(self._log) > logged:
            number, judgement = self._log.pop()
            self._judged[number] = judgement
            self._changed.add(number)
        self._now = before
        return self._report(len(self._cases))

    def _report(self, first: int) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        made = tuple(map(self._entry, range(first, len(self._cases))))
        changed = tuple(self._entry(number) for number in sorted(self._changed) if number < first)
        return made, changed

    # Facts and evidence

    def _fact(self, fact: Fact, line: int) -> None:
        now = self._now
        hand = fact.kind == "hand"
        if not (self._hand_could_be(fact) if hand else now.worlds.can_see(now.deal.fact_sees(fact))):
            asked = _G5
        elif now.over or (hand and now.begun):
            asked = _G6
        else:
            asked = tuple((objection.rule, ALWAYS) for objection in now.deal.fact_objections(fact))
        if asked:
            verdict = IMPOSSIBLE if asked[0][0] == "G-5" else ILLEGAL
            self._refuse(Case(line, fact.seat, fact.text, fact.kind, verdict), asked)
            return
        self._put_by(now.copy())
        if hand:
            assert fact.seat is not None
            now.worlds.see((Sight(fact.seat, fact.cards, True),))
        now.deal.apply_fact(fact, now.worlds)
        self._ask_again(line)

    def _hand_could_be(self, fact: Fact) -> bool:
        """Whether the cards of a `hand` line can be the seat's dealt hand."""
        now, seat = self._now, fact.seat
        assert seat is not None
        if len(fact.cards) != now.deal.hand_size(seat):
            return False
        if not now.begun:
            return now.worlds.can_see((Sight(seat, fact.cards, True),))
        return now.worlds.dealt(fact.cards, seat)

    # Actions

    def _action(self, action: Action, line: int) -> None:
        now = self._now
        deal, worlds = now.deal, now.worlds
        evidence = action.verb in ("show", "expose")
        sights = Deal.sees(deal, action, worlds) if evidence else deal.sees(action, worlds)
        # Who has just gone out still calls "Vieną!"; whether rightly, DU-10 says.
        out = action.verb != "call" and deal.is_out(action.seat)
        if out or not worlds.can_see(sights):
            self._refuse(Case(line, action.seat, action.text, action.verb, IMPOSSIBLE), _G5)
            return
        before = now.copy()
        worlds.see(sights)
        objections: Sequence[Objection] = ()
        if not evidence:
            if not now.over:
                objections = deal.objections(action)
            elif action.verb != "laid":
                objections = _OVER
        if objections and objections[0].rule == "G-5":
            self._now = before
            self._refuse(Case(line, action.seat, action.text, action.verb, IMPOSSIBLE), _G5)
            return
        asked = self._ask(objections)
        verdict = self._verdict(asked)
        stands = verdict == ILLEGAL and any(objection.stands for objection in objections)
        case = self._case(action, line, verdict, objections, stands)
        if verdict == ILLEGAL and not stands:
            self._refuse(case, asked)
        else:
            self._put_by(before)
            now.begun = True
            self._accept(case, asked, line)
            if not evidence:
                for duty in deal.duties(action, worlds):
                    self._due(duty, action, line)
                deal.apply(action, worlds)
        self._ask_again(line)
        if worlds.paths > now.tidy_at + TIDY_EVERY:
            self._tidy()

    def _ask(self, objections: Sequence[Objection]) -> Asked:
        worlds = self._now.worlds
        return tuple(
            (rule, ALWAYS if condition is None else condition.ask(worlds))
            for rule, condition, _ in objections
        )

    def _verdict(self, asked: Asked) -> str:
        if not asked:
            return LEGAL
        worlds = self._now.worlds
        if not none(worlds, [question for _, question in asked]):
            return ILLEGAL
        return CONDITIONAL if any(some(worlds, question) for _, question in asked) else LEGAL

    def _case(
        self, action: Action, line: int, verdict: str, objections: Sequence[Objection], stands: bool
    ) -> Case:
        worlds, tokens, needs = self._now.worlds, 0, []
        if verdict != LEGAL and all(objection.condition is not None for objection in objections):
            for objection in objections:
                assert objection.condition is not None
                tokens |= objection.condition.unplaced(worlds)
                text = objection.condition.needs
                only = len(objections) == 1
                if text is not None and (only or some(worlds, objection.condition.ask(worlds))):
                    needs.append(text)
        return Case(
            line, action.seat, action.text, action.verb, verdict, _in_order(worlds.cards_of(tokens)),
            "; ".join(dict.fromkeys(needs)) or None, stands,
        )  # fmt: skip

    def _due(self, duty: Duty, action: Action, line: int) -> None:
        """Attaches a duty's judgement to the line it belongs to (G-9)."""
        now = self._now
        asked = self._ask(duty.objections)
        earlier = [
            number
            for number, case in enumerate(self._cases)
            if number not in self._undone and case.seat == duty.seat and case.verb in duty.verbs
            and case.verdict in (LEGAL, CONDITIONAL)
        ]  # fmt: skip
        own = action.seat == duty.seat and action.verb in duty.verbs
        if earlier and not own:
            before = self._judged[earlier[-1]].asked
            asked += tuple((rule, q) for rule, q in before if not isinstance(q, Provisional))
        verdict = self._verdict(asked)
        if own:
            number = earlier.pop()
            self._cases[number] = self._case(action, line, verdict, duty.objections, False)
        elif earlier:
            number = earlier.pop()
        else:
            number = len(self._cases)
            extra = Action(duty.seat, "exchange")
            self._cases.append(self._case(extra, line, verdict, duty.objections, False))
            self._judged.append(Judgement((), None))
        for other in earlier:
            if self._judged[other].final is None:
                self._close_line(other, line)
        settled = self._judged[number].final
        if settled == ILLEGAL or (settled == LEGAL and verdict == LEGAL):
            return  # it had been settled before the exchange closed
        now.open = tuple(case for case in now.open if case != number)
        self._judge(number, Judgement(asked, None))
        if verdict == CONDITIONAL:
            now.open = (*now.open, number)
        else:
            settles = self._cases[number].line != line
            self._settle(number, verdict, line if settles else None)

    def _close_line(self, number: int, line: int) -> None:
        """The exchange is over: of an earlier line of it only what it did counts, not what it left out."""
        asked = tuple((rule, q) for rule, q in self._judged[number].asked if not isinstance(q, Provisional))
        self._judge(number, Judgement(asked, None))
        verdict = self._verdict(asked)
        if verdict != CONDITIONAL:
            self._settle(number, verdict, line if asked else None)

    # Bookkeeping

    def _put_by(self, before: Moment) -> None:
        self._stack.append((len(self._cases), len(self._log), before))

    def _refuse(self, case: Case, asked: Asked) -> None:
        self._cases.append(case)
        self._judged.append(Judgement(asked, case.verdict))

    def _accept(self, case: Case, asked: Asked, line: int) -> None:
        if case.verdict == CONDITIONAL:
            self._now.open = (*self._now.open, len(self._cases))
        self._cases.append(case)
        self._judged.append(Judgement(asked, None if case.verdict == CONDITIONAL else case.verdict))

    def _judge(self, number: int, judgement: Judgement) -> None:
        self._log.append((number, self._judged[number]))
        self._judged[number] = judgement

    def _settle(self, number: int, final: str, line: int | None) -> None:
        now = self._now
        self._judge(number, Judgement(self._judged[number].asked, final, line))
        now.open = tuple(case for case in now.open if case != number)
        self._changed.add(number)
        if final == ILLEGAL and self._cases[number].verb not in now.deal.no_violations:
            now.violations = (*now.violations, self._effect(number, self._violation))

    def _effect(self, number: int, kind: str) -> tuple[int, str, Outcome | None]:
        now = self._now
        offender = self._cases[number].seat
        assert offender is not None
        return number, kind, now.deal.award(offender, now.worlds) if kind == "award" else None

    def _ask_again(self, line: int) -> None:
        """Asks about every action still conditional in the worlds that are left (G-3)."""
        now = self._now
        if now.asked_at == now.worlds.evidence:
            return
        now.asked_at = now.worlds.evidence
        for number in now.open:
            if self._cases[number].line != line:
                verdict = self._verdict(self._judged[number].asked)
                if verdict != CONDITIONAL:
                    self._settle(number, verdict, line)

    def _tidy(self) -> None:
        """Forgets what has become of cards whose story is over (a long deal with many reshuffles)."""
        now = self._now
        bearing = now.worlds.bearing()
        still_asked = 0
        over = set()
        for number, judged in enumerate(self._judged):
            if number in self._undone or judged.final == LEGAL:
                continue
            tokens = 0
            for _, question in judged.asked:
                of = 0 if question is ALWAYS else about(question)
                if of is None:
                    return
                tokens |= of
            if tokens & bearing:
                still_asked |= tokens
            elif tokens:
                over.add(number)
                rule = self._entry(number).rule
                asked = () if rule is None else ((rule, ALWAYS),)
                self._judge(number, Judgement(asked, judged.final, judged.settled_by))
        now.open = tuple(number for number in now.open if number not in over)
        now.worlds.forget(still_asked)
        now.tidy_at = now.worlds.paths


def _undo(entry: Entry) -> Entry:
    return Entry(
        entry.line, entry.seat, entry.action, entry.verdict, entry.final, entry.rule, entry.needs_void,
        entry.needs, entry.settled_by, entry.stands, True,
    )  # fmt: skip


def _in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    """By suit, highest first; a VIZ once."""
    return tuple(sorted(set(cards), key=lambda card: (card // 13, -card)))
