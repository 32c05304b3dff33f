"""The demo: simulated people play a match on the simulated table, before the real appliance.

The people see their own cards, the table and the screen, and press the buttons of the console. What they
really do is the truth; what the appliance made of it is the record.
"""

from __future__ import annotations

import dataclasses
import random
import signal
import sys
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from appliance.console import Console, Hooks
from appliance.devices import Devices
from appliance.failure import Failure, write_file
from appliance.flows import FLOWS
from appliance.journal import Journal, JournalError, StoredMatch
from appliance.language import Language
from appliance.layout import Layout
from appliance.people import PATIENCE, People
from appliance.pictures import Pictures
from appliance.podsim import PodSimulator, simulated_core, simulated_pods
from appliance.reports import Reporter
from appliance.screen.window import NoDisplay, Screen
from appliance.service import Service
from appliance.session import Session
from appliance.settings import Settings
from appliance.simulated import SimulatedTable, real_time
from appliance.taught import reader_for
from engine.actions import Action, Fact
from engine.cards import CARDS, Card
from engine.games import GAMES
from engine.places import cards_of, closed
from engine.players import Cheat, Player, SimplePlayer
from engine.record import Content, DealLine, End, Header, Record, write
from engine.referee import Match, Report
from engine.simulation import NAMES, Simulation
from engine.view import View
from vision.camera import Camera
from vision.deck import Deck, DeckError, DrawnDeck, load_faces
from vision.events import TableWatcher
from vision.geometry import GeometryError, with_seats
from vision.mat import geometry_from_markers
from vision.scene import Look, Mat, Scene
from vision.types import Reading

_SCREEN = (1280, 720)


@dataclass(frozen=True)
class DemoSettings:
    """What makes a demo the same demo again."""

    game: str = "dezertyras"
    players: int = 4
    seed: int = 0
    deals: int | None = None
    cheat: float = 0.0
    faces: str | None = None
    deck: str | None = None
    fumble: float = 0.0


class Demo:
    """A match on the simulated table. `play` plays it to its end."""

    def __init__(
        self,
        settings: DemoSettings,
        journal: Journal | None,
        *,
        screen: Screen | None = None,
        reporter: Reporter | None = None,
        pace: Callable[[float], None] = lambda seconds: None,
        language: Language | None = None,
        screenshots: Path | None = None,
        resumed: tuple[int, Record] | None = None,
        table: type[SimulatedTable] = SimulatedTable,
        people: type[People] = People,
        watcher: type[TableWatcher] = TableWatcher,
    ) -> None:
        self.settings = settings
        self._screenshots = screenshots
        self._screen = screen
        self._reporter = reporter
        self._shots = 0
        game = GAMES[settings.game]
        header = Header(settings.game, NAMES[: settings.players], settings.players)
        if resumed is None:
            self.simulation = Simulation(header, settings.seed, self._player)
            number = self._begin(journal, header)
        else:
            number, record = resumed
            self.simulation = Simulation.resumed(record, settings.seed, self._player)
        match = Match(header)
        if resumed is not None:
            for line in resumed[1].lines:
                match.push(line)
        pack = game.pack(match.options)

        def store(content: Content) -> None:
            if journal is not None:
                journal.append(number, content)

        language = language or Language()
        self._console: Console | None = None
        pictures = Pictures()
        self.session = Session(
            match, language, store=store, listen=self._heard, correct=self._correct,
            taken=self._taken,
            seen=pictures.keep if screen is not None else lambda line, event: None,
        )  # fmt: skip
        if screen is not None:
            self._console = self._pages(screen, language, pictures)
        rng = random.Random(f"{settings.seed} table")
        layout = Layout(settings.players, rng)
        self.table = table(simulated_scene(settings, pack), layout, pace=pace)
        lie_as_known(self.table, layout, match.view())
        first = self.table.read()
        try:
            geometry = geometry_from_markers(first.image, settings.players)
        except GeometryError as error:
            raise Failure(f"the simulated table cannot be calibrated: {error}") from None
        geometry = with_seats(geometry, settings.players, self.session.areas)
        reader = reader_for(Path(settings.deck) if settings.deck else None)
        self.service = Service(
            self.table, watcher(geometry, reader, pack), self.session, screen, self._emit,
            show_camera=True, console=self._console,
        )  # fmt: skip
        self.people = people(self.table, layout, self.session, self.service, self._let)

    def _pages(self, screen: Screen, language: Language, pictures: Pictures) -> Console:
        """What the real table shows; the people play on beneath it."""
        hooks = Hooks(
            lambda header, listen: self.session, picture=pictures.picture, likely=pictures.likely,
            save=screen.adopt, ended=self._left,
        )  # fmt: skip
        usual = Settings(names=self.session.match.header.players)
        console = Console(hooks, usual if language.code == "lt" else replace(usual, language="en"))
        console.play(self.session)
        return console

    def _left(self) -> None:
        self.service.closed = True

    def _taken(self, cards: Set[Card]) -> None:
        self.service.watcher.taken(cards)

    def _correct(self, reading: Reading, card: Card) -> None:
        self.service.watcher.correct(reading, card)

    def _player(self, rng: random.Random) -> Player:
        player: Player = SimplePlayer(self.settings.game)
        return Cheat(player, self.settings.cheat, rng) if self.settings.cheat else player

    def _begin(self, journal: Journal | None, header: Header) -> int:
        if journal is None:
            return 0
        started = datetime.now(UTC).isoformat(timespec="seconds")
        return journal.begin(header, started, {"demo": dataclasses.asdict(self.settings)})

    def _emit(self, event: Any) -> None:
        if self._reporter is not None:
            self._reporter.event(event)

    def _heard(self, report: Report) -> None:
        if self._console is not None:
            self._console.pass_on(proofs=True)  # nobody is there to press OK
            self._console.heard(report)
        if self._reporter is not None:
            self._reporter.report(report)

    # What the people do

    def play(self) -> bool:
        """Plays until the match is won, the deals are played, or the window is closed; whether what was
        seen is what was done."""
        self._let(lambda: self.service.watcher.state == "still")
        while not self.service.closed:
            if self.simulation.between_deals or self.simulation.match.view().stage == "anew":
                if self._enough():
                    break
                if not self._deal():
                    break
            if not self._next():
                break
        self._shoot()
        return self.agrees()

    def _next(self) -> bool:
        """Somebody does something, or something is turned up; False if it is not seen, or nobody can."""
        lines = len(self.simulation.match.record().lines)
        action = self.simulation.choose()
        for line in self.simulation.match.record().lines[lines:]:
            assert isinstance(line.content, Fact)
            if not self.people.turn_up(line.content, self._dealer):
                return False
            self.people.tidy(self.simulation.match.view(), self._dealer)
        if action is None:
            return self.simulation.between_deals or self.simulation.match.view().stage == "anew"
        if not self.people.can(action):
            action = self.simulation.choose(SimplePlayer(self.settings.game))
            assert action is not None
        parts: tuple[Action, ...] = (action,)
        if action.verb == "throw" and len(action.cards) > 1:  # they are laid one by one
            parts = tuple(Action(action.seat, "throw", (card,)) for card in action.cards)
        return all(map(self._do, parts))

    @property
    def _dealer(self) -> int:
        return self.simulation.match.view().dealer

    def agrees(self) -> bool:
        """Whether the appliance has seen just what was done."""
        return self.session.match.record().contents == self.simulation.match.record().contents

    def _enough(self) -> bool:
        match = self.simulation.match
        if match.standing.winner is not None:
            return True
        return self.settings.deals is not None and match.deal_number >= self.settings.deals

    def _deal(self) -> bool:
        """The dealer gathers the cards and says on the console that a new deal begins."""
        self.people.gather(self.simulation.match.next_dealer)
        contents = self.simulation.deal()
        self.people.choose(DealLine())
        hands = self.simulation.table.hands
        seats = range(1, self.settings.players + 1)
        face_down = [(seat, cards_of(hands[closed(seat)])[0]) for seat in seats if closed(seat) in hands]
        stock = next(iter(self.simulation.table.stock), None)
        spread = self.simulation.match.view().stage == "trumps"  # the pack is not on the table yet
        self.people.deal(self._dealer, face_down, CARDS[stock] if stock is not None and not spread else None)
        self._shoot()
        return all(self.people.turn_up(c, self._dealer) for c in contents if isinstance(c, Fact))

    def _do(self, action: Action) -> bool:
        """Somebody acts; False if the appliance would not see it."""
        before = self.simulation.match.view()
        self.simulation.happened(action)
        after = self.simulation.match.view()
        seen = self.people.act(action, before, after)
        self._shoot()
        if not seen:
            return False
        last = next((zone for zone in after.zones if zone.kind == "last trick"), None)
        swept = last is not None and after.tricks > before.tricks
        self.people.tidy(after, last.seat or action.seat if swept and last is not None else action.seat)
        if self.simulation.comes_round:  # these people would go on for ever: they break the deal off
            self.simulation.happened(End())
            self.session.push(End())
        return True

    def _let(self, until: Callable[[], bool]) -> None:
        for _ in range(PATIENCE):
            if not self.service.step() or until():
                return

    def _shoot(self) -> None:
        if self._screenshots is None or self._screen is None:
            return
        self.service.draw()
        self._shots += 1
        self._screen.save(self._screenshots / f"{self._shots:04d}.png")


def lie_as_known(table: SimulatedTable, layout: Layout, view: View) -> None:
    """Puts the cards on the table that lie there in a match that is resumed."""
    for zone in view.zones:
        for laid in zone.cards:
            seat = laid.seat or zone.seat or view.dealer
            if zone.kind == "trick":
                table.lies(laid.card, layout.trick(seat))
            elif zone.kind in ("pile", "drawn"):
                table.lies(laid.card, layout.pile(seat))
            elif zone.kind == "fund":
                table.lies(laid.card, layout.fund(seat))
            elif zone.kind == "center":
                table.lies(laid.card, layout.center())


def simulated_scene(settings: DemoSettings, pack: tuple[Any, ...]) -> Scene:
    """The table, light, camera and cards of a demo; each seed has its own."""
    rng = np.random.default_rng(settings.seed)
    deck: Deck = DrawnDeck(letters="AKQJ" if settings.seed % 2 else "TKDV")
    if settings.faces is not None:
        try:
            deck = load_faces(Path(settings.faces))
        except (DeckError, OSError) as error:
            raise Failure(str(error)) from None
        drawn = ", ".join(map(str, deck.filled(pack)))
        if drawn:
            print(f"kortstalis: {settings.faces}: no picture of {drawn}; drawn instead", file=sys.stderr)
    return Scene(deck, Camera.random(rng), Look.random(rng), Mat.printed())


def run_demo(
    settings: DemoSettings, journal: Journal | None, *, headless: bool, fast: bool, as_json: bool,
    record: Path | None = None, truth: Path | None = None, screenshots: Path | None = None,
    resumed: tuple[int, Record] | None = None,
) -> int:  # fmt: skip
    """Plays a demo with a window if there can be one; writes what was asked for; the exit status."""
    cv2.setNumThreads(1)
    for folder in (screenshots, *(path.parent for path in (record, truth) if path is not None)):
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Failure(f"{folder}: cannot be made: {error.strerror}") from None
    for path in (record, truth):
        _check_writable(path)  # better known before the match than after it
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # a service that is stopped writes its record too
    language = Language()
    screen = _screen(language, headless, screenshots is not None)
    reporter = Reporter(as_json) if as_json or screen is None else None
    pace: Callable[[float], None] = (lambda seconds: None) if fast else real_time()
    from appliance.fumbling import FumblingDemo  # it is made of this

    demo = (FumblingDemo if settings.fumble else Demo)(
        settings, journal, screen=screen, reporter=reporter, pace=pace, language=language,
        screenshots=screenshots, resumed=resumed,
    )  # fmt: skip
    try:
        simulator = PodSimulator(simulated_core(1))
    except OSError:
        simulator = None  # no pseudo-terminals here: the game goes on without pods
    pods = None if simulator is None else simulated_pods(simulator)
    demo.service.devices = Devices(settings.players, pods=pods)
    try:
        agrees = demo.play()
    except JournalError as error:
        raise Failure(str(error)) from None
    finally:
        if demo.service.devices is not None:
            demo.service.devices.close()
        if simulator is not None:
            simulator.unplug()
        for path, match in ((record, demo.session.match), (truth, demo.simulation.match)):
            if path is not None:
                write_file(path, write(match.record()))
        if screen is not None:
            screen.close()
    if not agrees and not demo.service.closed:
        print("kortstalis: the table has not seen what was done", file=sys.stderr)
        return 1
    return 0


def _screen(language: Language, headless: bool, pictures: bool) -> Screen | None:
    if not headless:
        try:
            return Screen(_SCREEN, language, window=True)
        except NoDisplay as reason:
            print(f"kortstalis: no window ({reason}); the demo plays headless", file=sys.stderr)
    return Screen(_SCREEN, language, window=False) if pictures else None


def _check_writable(path: Path | None) -> None:
    try:
        if path is not None:
            path.open("a").close()
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}") from None


def resume(journal: Journal, stored: StoredMatch, *, headless: bool, fast: bool, as_json: bool) -> int:
    """Goes on with a match of the journal where its last line left it."""
    settings = stored.played_on.get("demo")
    if settings is None:
        raise Failure(f"match {stored.id} was not played on the simulated table; resume it on its table")
    record = journal.record(stored.id)
    try:
        known = DemoSettings(**settings)
    except TypeError:
        raise Failure(f"match {stored.id}: the settings of its demo cannot be read") from None
    if known.game != record.header.game or known.game not in FLOWS or known.seed < 0:
        raise Failure(f"match {stored.id}: the settings of its demo do not belong to its record")
    if known.fumble:
        raise Failure(f"match {stored.id} was played with --fumble: it cannot be resumed; begin another")
    return run_demo(
        known, journal, headless=headless, fast=fast, as_json=as_json,
        resumed=(stored.id, record),
    )  # fmt: skip
