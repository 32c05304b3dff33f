"""A match in progress: takes the lines of a record one by one, gives verdicts, revises them, keeps score.

    match = Match(header)
    report = match.push(line)        # of a record, or just its content: an action, a fact, …
    match.view()                     # everything a screen needs
    match.result()                   # the results of the contract, section 4

A match is a fold over its lines: pushing the same lines again gives the same match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.actions import Action
from engine.cards import VIZ, Card
from engine.deal import Deal, Outcome, Setup, Trick
from engine.game import Game
from engine.games import GAMES
from engine.moment import Entry
from engine.places import STOCK, VIZ_TOKENS, OpenTable
from engine.progress import DealInProgress, NothingToTakeBack
from engine.record import (
    Content,
    DealLine,
    End,
    Header,
    Line,
    Reader,
    Record,
    RecordError,
    Ruling,
    Takeback,
    header_text,
    read_lines,
)
from engine.view import View


@dataclass(frozen=True, slots=True)
class Report:
    """What one line did.

    `entries`: the actions judged (none for an accepted fact). `changed`: earlier entries that are
    now different: settled by this line, or taken back. `deal_ended`, `match_ended`: this line did it
    (an undecided deal that is broken off ends too); `reopened`: a deal that was over goes on.
    """

    line: Line
    entries: tuple[Entry, ...]
    changed: tuple[Entry, ...]
    deal_ended: bool = False
    match_ended: bool = False
    reopened: bool = False

    @property
    def refused(self) -> bool:
        """Whether the line was refused: the state is as before."""
        return any(e.verdict in ("illegal", "impossible") and not e.stands for e in self.entries)


@dataclass(frozen=True, slots=True)
class DealResult:
    """A deal as it stands, or as it stood when the next began."""

    dealer: int
    entries: tuple[Entry, ...]
    tricks: tuple[Trick, ...] | None
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The match as it stands: points by seat, and the seats that have won, None while it goes on."""

    score: tuple[int, ...]
    winner: tuple[int, ...] | None


class Match:
    """A match in progress. ValueError for a header that cannot stand (`Game.wrong_with`)."""

    def __init__(self, header: Header) -> None:
        if header.game not in GAMES:
            raise ValueError(f"unknown game {header.game!r}")
        self.header = header
        self.game: Game = GAMES[header.game]
        wrong = self.game.wrong_with(header.players, header.options)
        if wrong is None and header.dealer is not None and not 1 <= header.dealer <= len(header.players):
            wrong = f"dealer: there is no seat {header.dealer}"
        if wrong is not None:
            raise ValueError(wrong)
        self.options = self.game.all_options(header.options)
        self._pack = self.game.pack(self.options)
        self._seats = len(header.players)
        self._lines: list[Line] = []
        self._number = header_text(header).count("\n")
        self._closed: list[DealResult] = []
        self._outcomes: list[Outcome] = []
        self._won = Standing((0,) * self._seats, None)
        self._now: DealInProgress | None = None

    # Lines

    def push(self, line: Line | Content) -> Report:
        """Takes the next line. A content alone gets the number it has in the record written so far.

        RecordError if it cannot stand in a record: anything before the first deal, or a takeback
        with nothing to undo. Nothing has changed then.
        """
        if not isinstance(line, Line):
            line = Line(self._number + 1, line)
        content, now = line.content, self._now
        if isinstance(content, DealLine):
            return self._start(line, content)
        if now is None:
            raise RecordError(line.number, "no deal has started")
        was_over, was_won = now.over, self.standing.winner is not None
        if isinstance(content, Takeback):
            try:
                made, changed = now.takeback()
            except NothingToTakeBack:
                raise RecordError(line.number, "takeback: nothing to undo in this deal") from None
        elif isinstance(content, End):
            made, changed = now.end(line.number)
        elif isinstance(content, Ruling):
            made, changed = now.ruling(content.kind, line.number)
        else:
            made, changed = now.take(content, line.number)
        self._keep(line)
        return Report(
            line,
            made,
            changed,
            deal_ended=now.over and not was_over,
            match_ended=not was_won and self.standing.winner is not None,
            reopened=was_over and not now.over,
        )

    def _keep(self, line: Line) -> None:
        self._lines.append(line)
        self._number = line.number

    def _start(self, line: Line, content: DealLine) -> Report:
        dealer, carried = self._next_dealer(), None
        if self._now is not None:
            carried = self._now.deal.carry()
            self._close(self._now)
        setup = Setup(self._seats, content.dealer or dealer, self.options, self._pack, carried)
        self._now = DealInProgress(self.game.deal(setup), self.options["violation"])
        self._keep(line)
        return Report(line, (), ())

    def _close(self, now: DealInProgress) -> None:
        self._won = self.standing
        if now.outcome is not None and self._won.winner is None:
            self._outcomes.append(now.outcome)
        self._closed.append(self._result_of(now))

    def _next_dealer(self) -> int:
        now = self._now
        if now is None:
            return self.header.dealer or self._seats
        setup, outcome = now.deal.setup, now.outcome
        if outcome is None:
            return setup.dealer
        return outcome.dealer or self.game.next_dealer(setup, outcome)

    # How things stand

    @property
    def deal(self) -> Deal | None:
        """The game's public state of the last deal; None before the first."""
        return None if self._now is None else self._now.deal

    @property
    def progress(self) -> DealInProgress | None:
        """The last deal with its verdicts and worlds; None before the first."""
        return self._now

    @property
    def deal_number(self) -> int:
        """The number of the last deal, from 1; 0 before the first."""
        return len(self._closed) + (self._now is not None)

    @property
    def next_dealer(self) -> int:
        """The seat that deals when the next `deal` line comes."""
        return self._next_dealer()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the last deal as they stand."""
        return () if self._now is None else self._now.entries()

    @property
    def standing(self) -> Standing:
        """Score and winner, the last deal included."""
        now = self._now
        if self._won.winner is not None or now is None or now.outcome is None:
            return self._won
        score = tuple(a + b for a, b in zip(self._won.score, now.outcome.points, strict=True))
        return Standing(score, self.game.match_winner((*self._outcomes, now.outcome), now.deal.setup))

    def record(self) -> Record:
        """The record of everything pushed."""
        return Record(self.header, tuple(self._lines))

    def deals(self) -> tuple[DealResult, ...]:
        """All deals, oldest first."""
        return (*self._closed, *(() if self._now is None else (self._result_of(self._now),)))

    def _result_of(self, now: DealInProgress) -> DealResult:
        return DealResult(now.deal.setup.dealer, now.entries(), now.deal.tricks, now.outcome)

    def legal_actions(self, seat: int, hand: Iterable[Card]) -> list[Action]:
        """What a seat with this hand may lawfully do now.

        Not for a seat that has just drawn a card nobody else saw (VR): which it was, the referee's own
        deal does not know. A simulated table keeps a deal of its own for that (engine/README.md).
        """
        now = self._now
        if now is None or now.over:
            return []
        return now.deal.legal(seat, self.own_table(seat, hand))

    def could_be(self, action: Action) -> bool:
        """Whether an action is physically possible now (G-5): a camera's misreading often is not."""
        return self._now is not None and self._now.could_be(action)

    def own_table(self, seat: int, hand: Iterable[Card]) -> OpenTable:
        """What this seat sees of the cards: its own hand, and how many are where (`players.Player`)."""
        table = OpenTable({seat: _mask(hand)})
        if self._now is not None:
            table.counts = {**self._now.worlds.counts, **table.counts}
        return table

    def view(self) -> View:
        """Everything a screen or the table flow needs to know."""
        now, standing = self._now, self.standing
        deal = None if now is None else now.deal
        counts = {} if now is None else now.worlds.counts
        over = now is None or now.over
        seats = range(1, self._seats + 1)
        last = self._last_scored()
        return View(
            game=self.game.id,
            players=self.header.players,
            teams=self.game.teams,
            deal=self.deal_number,
            dealer=self._next_dealer() if deal is None else deal.setup.dealer,
            stage=_stage(now),
            turn=None if over or deal is None else deal.turn,
            expects=() if over or deal is None or now is None else deal.expects(now.worlds),
            named=() if deal is None else deal.named(),
            zones=() if deal is None or now is None else deal.zones(now.worlds),
            hand_counts={seat: counts.get(seat, 0) for seat in seats},
            stock_count=counts.get(STOCK),
            out=() if deal is None else tuple(seat for seat in seats if deal.is_out(seat)),
            tricks=0 if deal is None else len(deal.tricks or ()),
            pending=() if now is None else now.pending,
            last_points=None if last is None else dict(enumerate(last[1].points, 1)),
            last_points_deal=None if last is None else last[0],
            last_barks=None if last is None else self.barks(last[1]),
            score=dict(enumerate(standing.score, 1)),
            stars=self.game.counts_stars(self.options),
            finished=standing.winner is not None,
            winner=standing.winner,
        )

    def barks(self, outcome: Outcome) -> tuple[int, int] | None:
        """The seat that lost and how many cards it was left with, where it barks for them (SU-6)."""
        if not self.game.counts_left or outcome.loser is None or outcome.cards_left is None:
            return None
        return outcome.loser, outcome.cards_left[outcome.loser - 1]

    def _last_scored(self) -> tuple[int, Outcome] | None:
        if self._now is not None and self._now.outcome is not None:
            return self.deal_number, self._now.outcome
        for number in range(len(self._closed), 0, -1):
            outcome = self._closed[number - 1].outcome
            if outcome is not None:
                return number, outcome
        return None

    # Results

    def result(self) -> dict[str, Any]:
        """The results as the contract's section 4 has them, without `file`."""
        standing = self.standing
        return {
            "game": self.game.id,
            "deals": [self._deal_result(deal) for deal in self.deals()],
            "match": {
                "score": _by_seat(standing.score),
                "finished": standing.winner is not None,
                "winner": None if standing.winner is None else list(standing.winner),
            },
        }

    def _deal_result(self, deal: DealResult) -> dict[str, Any]:
        outcome = deal.outcome
        result: dict[str, Any] = {
            "dealer": deal.dealer,
            "actions": [entry_result(entry) for entry in deal.entries],
        }
        if deal.tricks is not None:
            result["tricks"] = [
                {"cards": ["+".join(map(str, cards)) for cards in trick.cards], "winner": trick.winner}
                for trick in deal.tricks
            ]
        result["finished"] = outcome is not None
        result["winner"] = [] if outcome is None else list(outcome.winner)
        if self.game.names_loser:
            result["loser"] = None if outcome is None else outcome.loser
        result["points"] = None if outcome is None else _by_seat(outcome.points)
        if self.game.counts_left:
            left = None if outcome is None or outcome.cards_left is None else outcome.cards_left
            result["cards_left"] = None if left is None else _by_seat(left)
        return result

    @property
    def something_wrong(self) -> bool:
        """Whether any action that was not taken back is illegal or impossible (exit status 1)."""
        return any(
            entry.final in ("illegal", "impossible") and not entry.taken_back
            for deal in self.deals()
            for entry in deal.entries
        )


def _stage(now: DealInProgress | None) -> str:
    if now is None:
        return "no deal"
    if now.over:
        return "broken off" if now.broken_off else "void" if now.voided else "decided"
    return now.deal.stage


def judge(text: str) -> Match:
    """The match a record's text tells, judged; RecordError at the first line that cannot stand."""
    reader = Reader()
    match = None
    for line in read_lines(text, reader):
        if match is None:
            match = Match(reader.header)
        match.push(line)
    return match or Match(reader.header)


def entry_result(entry: Entry) -> dict[str, Any]:
    """An entry as the results have it."""
    result: dict[str, Any] = {
        "line": entry.line,
        "seat": entry.seat,
        "action": entry.action,
        "verdict": entry.verdict,
        "final": entry.final,
    }
    if entry.rule is not None:
        result["rule"] = entry.rule
    if entry.needs_void:
        result["needs_void"] = list(map(str, entry.needs_void))
    if entry.needs is not None:
        result["needs"] = entry.needs
    if entry.settled_by is not None:
        result["settled_by"] = entry.settled_by
    if entry.stands:
        result["stands"] = True
    if entry.taken_back:
        result["taken_back"] = True
    return result


def _by_seat(values: tuple[int, ...]) -> dict[str, int]:
    return {str(seat): value for seat, value in enumerate(values, 1)}


def _mask(hand: Iterable[Card]) -> int:
    mask = 0
    viz = VIZ_TOKENS
    for card in hand:
        if card == VIZ:
            mask |= viz & -viz
            viz &= viz - 1
        else:
            mask |= 1 << card
    return mask
