"""The console: what is on the screen, and what the five buttons do there. It knows no device and no game.

    console = Console(hooks, settings)
    console.press("ok")              # up, down, ok, back, dispute
    console.event(event)             # of the table
    draw(canvas, console.page(), console.language)

The integrator passes `Console.heard` to each session it makes as what listens to its reports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from appliance.corrections import mend
from appliance.failure import Failure
from appliance.language import Language
from appliance.rooms.room import Room
from appliance.rooms.verdict import ProofRoom, VerdictRoom
from appliance.screen.model import Picture
from appliance.screen.pages import Check, Page
from appliance.session import Session
from appliance.settings import Settings
from appliance.sheet import Sheet
from appliance.wrong import Wrong
from engine.actions import Action
from engine.cards import Card
from engine.games import GAMES
from engine.moment import Entry
from engine.record import Header
from engine.referee import Report
from vision.showing import Held
from vision.teach import Lesson
from vision.types import TableEvent

BUTTONS = ("up", "down", "ok", "back", "dispute")


@dataclass(frozen=True)
class Calibrated:
    """How a calibration came out: whether the table was found, how many markers, of how many."""

    good: bool
    markers: int
    of: int
    picture: Picture | None = None


class Begin(Protocol):
    """Makes the session of a match; `listen` is to hear all its reports."""

    def __call__(self, header: Header, listen: Callable[[Report], None]) -> Session: ...


@dataclass(frozen=True)
class Hooks:
    """What the console needs of the rest of the machine; only `begin` must be there.

    `begin`: a new match, its journal begun. `unfinished`: the match that was broken off, resumed. `games`:
    those that can be played on the table. `picture`: of what a line of the record was read from. `likely`:
    what else it could have been, the likeliest first. `camera`: the picture now. `teaches`: whether a deck
    can be taught: `look` has each card that is laid under the camera told, instead of its events (None: no
    more), `keep_deck` keeps what was taught, uses it and says its name (Failure if it cannot), `decks` are
    those kept. `save`: keeps the settings; the screen follows them itself. `ended`: the match is left.
    `heard`: each report, before anything is shown of it. `wrong`: keeps what people say was wrong; Failure if
    it cannot be kept. `blind`: whether there is no camera. `sheet`: the score kept by
    hand, `keep_sheet` keeps it; both with Failure.
    """

    begin: Begin
    unfinished: Callable[[Callable[[Report], None]], Session | None] = lambda listen: None
    games: tuple[str, ...] = tuple(GAMES)
    picture: Callable[[int], Picture | None] = lambda line: None
    likely: Callable[[int], tuple[Card, ...]] = lambda line: ()
    camera: Callable[[], Picture | None] = lambda: None
    calibrate: Callable[[], Calibrated] = lambda: Calibrated(False, 0, 4)
    teaches: bool = False
    look: Callable[[Callable[[Held], None] | None], None] = lambda listen: None
    keep_deck: Callable[[Lesson], str] = lambda lesson: ""
    decks: Callable[[], tuple[str, ...]] = lambda: ()
    diagnostics: Callable[[Language], tuple[Check, ...]] = lambda language: ()
    save: Callable[[Settings], None] = lambda settings: None
    ended: Callable[[], None] = lambda: None
    heard: Callable[[Report], None] = lambda report: None
    wrong: Callable[[Wrong], None] | None = None
    blind: Callable[[], bool] = lambda: False
    sheet: Callable[[], Sheet | None] = lambda: None
    keep_sheet: Callable[[Sheet], None] | None = None


class Console:
    """The state of the screen: rooms that lie on each other, the topmost shown."""

    def __init__(self, hooks: Hooks, settings: Settings) -> None:
        from appliance.rooms.start import StartRoom

        self.hooks = hooks
        self.settings = settings
        self.language = Language(settings.language)
        self.session: Session | None = None
        self.troubles: tuple[str, ...] = ()  # of the machine; said where no match is played
        self.rooms: list[Room] = [StartRoom(self)]
        self._mending = False
        self._entered = 0
        self._lying: set[Card] = set()

    # What comes in

    def press(self, button: str) -> None:
        """Takes a button; one that is not of the five does nothing."""
        if button in BUTTONS:
            self.rooms[-1].press(button)

    def event(self, event: TableEvent) -> None:
        """Takes one event of the table."""
        self.events((event,))

    def events(self, events: Sequence[TableEvent]) -> None:
        """Takes the events of one look at the table: the room's, if it asks for cards, the others are the
        session's. With none, the session tries again what it could not store."""
        others = [event for event in events if not self._taken(event)]
        if self.session is not None:
            self.session.events(others)

    def by_hand(self) -> float:
        """The time of cards that are entered with the buttons: one for those entered together."""
        self._entered += 1
        return -float(self._entered)

    def _taken(self, event: TableEvent) -> bool:
        """Whether it is the room's affair, or undoes what was."""
        card = event.card
        if self.rooms[-1].event(event):
            if isinstance(card, Card):
                (self._lying.discard if event.event == "removed" else self._lying.add)(card)
            return True
        if event.event == "removed" and isinstance(card, Card) and card in self._lying:
            self._lying.discard(card)  # it was shown, not played: it goes back to the hand
            return True
        return False

    def heard(self, report: Report) -> None:
        """A report of the session: shows what is wrong, and how a deal or the match came out."""
        if self._mending:
            return
        self.hooks.heard(report)
        self.pass_on()
        if report.deal_ended or report.match_ended:
            self.show_result()
        proved = [entry for entry in report.changed if entry.final == "illegal" and not entry.taken_back]
        wrong = [entry for entry in report.entries if entry.verdict in ("illegal", "impossible")]
        self._show_wrong(proved, wrong)

    def pass_on(self, proofs: bool = False) -> None:
        """Leaves what only tells something, since the game goes on; `proofs`: those too."""
        while len(self.rooms) > 1 and (
            self.rooms[-1].passing or (proofs and isinstance(self.rooms[-1], ProofRoom))
        ):
            self.rooms.pop()

    # What goes out

    @property
    def disputing(self) -> bool:
        """Whether something is in dispute."""
        from appliance.rooms.dispute import DisputeRoom

        return any(isinstance(room, DisputeRoom) for room in self.rooms)

    def page(self) -> Page:
        """What the screen shows now."""
        return self.rooms[-1].page()

    # For the rooms

    def enter(self, room: Room) -> None:
        """Goes into a room."""
        self.rooms.append(room)

    def leave(self, room: Room | None = None) -> None:
        """Leaves a room and all that lie on it; the first is never left."""
        at = self.rooms.index(room) if room in self.rooms else len(self.rooms) - 1
        del self.rooms[max(1, at) :]

    def to_table(self) -> None:
        """Back to the table, out of everything else."""
        from appliance.rooms.table import TableRoom

        while len(self.rooms) > 1 and not isinstance(self.rooms[-1], TableRoom):
            self.rooms.pop()

    def change(self, settings: Settings) -> None:
        """Other settings, at once and to be kept."""
        self.settings = settings
        self.hooks.save(settings)
        if settings.language != self.language.code:
            self.language = Language(settings.language)
            if self.session is not None:
                self.session.translate(self.language)

    def begin(self, header: Header) -> None:
        """Begins a match and goes to its table."""
        self.change(self.settings.played(header.players, header.game, header.options))
        self.play(self.hooks.begin(header, self.heard))

    def play(self, session: Session) -> None:
        """Goes to the table of a session."""
        from appliance.rooms.table import TableRoom

        self.session = session
        session.translate(self.language)
        del self.rooms[1:]
        self.enter(TableRoom(self))

    def end_match(self) -> None:
        """Leaves the match; it stays in the journal."""
        self.session = None
        self.hooks.ended()
        del self.rooms[1:]

    def show_result(self) -> None:
        """How the deal came out; after the last one, how the match did."""
        from appliance.rooms.results import DealRoom, MatchRoom

        assert self.session is not None
        if self.session.match.standing.winner is not None:
            self.enter(MatchRoom(self))
        self.enter(DealRoom(self))

    def playing(self) -> Session:
        """The session of the match that is being played."""
        assert self.session is not None
        return self.session

    def report(self, line: int, instead: Sequence[Action] | None) -> str | None:
        """Keeps that a line was wrong, and what it really was; what is wrong with that, None if nothing."""
        if self.hooks.wrong is not None:
            try:
                self.hooks.wrong(Wrong(line, None if instead is None else tuple(instead)))
            except Failure as failure:
                return str(failure)
        return None

    def correct(self, line: int, instead: Sequence[Action], report: bool = False) -> None:
        """Puts something else in the place of a line, and judges all after it anew. `report`: that it was
        wrong is kept too."""
        problem = self.report(line, instead) if report else None
        session = self.playing()
        before = {(entry.seat, entry.action) for entry in session.match.entries if entry.final == "illegal"}
        self._mending = True
        try:
            mend(session, line, instead)
        finally:
            self._mending = False
        self.to_table()
        view = session.match.view()
        entries = [entry for entry in session.match.entries if not entry.taken_back]
        new = [
            entry for entry in entries
            if entry.final in ("illegal", "impossible") and (entry.seat, entry.action) not in before
        ]  # fmt: skip
        if view.stage == "decided":
            self.show_result()
        proved = [entry for entry in new if entry.verdict == "conditional"]
        self._show_wrong(proved, [entry for entry in new if entry.verdict != "conditional"])
        if problem is not None:
            from appliance.rooms.dispute import tell_kept

            tell_kept(self, problem)

    def _show_wrong(self, proved: Sequence[Entry], wrong: Sequence[Entry]) -> None:
        if wrong:
            self.enter(VerdictRoom(self, wrong[0]))
        for entry in reversed(proved):
            self.enter(ProofRoom(self, entry))
