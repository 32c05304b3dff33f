"""What the soak plays: matches on the simulated table, and a table that stays up beside them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cv2
import numpy as np

from appliance.config import Config
from appliance.demo import Demo, DemoSettings
from appliance.devices import Devices
from appliance.flows import FLOWS
from appliance.folders import journal_path
from appliance.health import Health
from appliance.journal import Journal
from appliance.language import LANGUAGES, Language
from appliance.layout import Layout
from appliance.podsim import PodSimulator, simulated_core, simulated_pods
from appliance.reports import Reporter
from appliance.running import Running
from appliance.screen.window import Screen
from appliance.service import Service
from appliance.settings import ROTATIONS
from appliance.sound import Kind, Samples, Sounds
from appliance.taught import reader_for
from engine.games import GAMES
from engine.record import DealLine, End, Record, Ruling, Takeback
from engine.referee import Match
from vision.events import TableWatcher
from vision.types import Frame, TableEvent

_SIZE = (1024, 600)


class Played:
    """A match on the simulated table, with a screen, pods and the journal of its own."""

    def __init__(self, settings: DemoSettings) -> None:
        self._settings = settings
        self.game = settings.game
        self.t = 0.0
        self.record: Record
        self.event: TableEvent | None = None

    def play(self) -> bool:
        """Plays it; whether it was seen as it was done."""
        simulator = PodSimulator(simulated_core(1))
        devices = Devices(self._settings.players, pods=simulated_pods(simulator))
        screen = Screen(_SIZE, Language(), window=False)
        try:
            with Journal.open(journal_path()) as journal:
                reporter = Reporter(True, lambda line: None)
                demo = Demo(self._settings, journal, screen=screen, reporter=reporter)
                demo.service.devices = devices
                agrees = demo.play()
                self.record, self.t = demo.session.match.record(), demo.service.t
                frame = demo.service.frame
        finally:
            devices.close()
            simulator.unplug()
            screen.close()
        readings = reader_for(None).read_picture(frame.image) if frame is not None else ()
        if readings and frame is not None:
            self.event = TableEvent(0.0, "placed", reading=readings[0], picture=frame.image)
        return agrees


def matches(seed: int, games: tuple[str, ...] = ()) -> Iterator[Played]:
    """Matches without end: the games in turn, each with another number of players and another table."""
    cv2.setNumThreads(1)
    ids = games or tuple(FLOWS)
    number = 0
    while True:
        for game in ids:
            seats = [count for count in GAMES[game].players if _fits(count)]
            settings = DemoSettings(
                game, seats[number // len(ids) % len(seats)], seed + number, 1, 0.1 if number % 2 else 0.0
            )
            yield Played(settings)
            number += 1


def _fits(seats: int) -> bool:
    """Whether the simulated table has room for so many."""
    try:
        Layout(seats, random.Random(0))
    except (ValueError, KeyError, IndexError):
        return False
    return seats <= 4


class _Quiet:
    """A mixer that nobody hears."""

    def play(self, kind: Kind, samples: Samples, volume: float) -> None:
        """Nothing is heard."""

    def close(self) -> None:
        """Nothing is held."""


class _Still:
    """A camera over an empty table."""

    def __init__(self) -> None:
        self._image = np.full((720, 1280, 3), (60, 92, 50), np.uint8)
        self._number = 0

    @property
    def stills(self) -> bool:
        return False

    def read(self) -> Frame | None:
        self._number += 1
        return Frame(self._number * 0.1, self._image, self._number)

    def close(self) -> None:
        """Nothing is held."""

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame


class _Keys(Screen):
    """A screen whose keyboard is pressed by the program."""

    pressed: tuple[str, ...] = ()

    def buttons(self) -> tuple[str, ...]:
        pressed, self.pressed = self.pressed, ()
        return pressed


class Lasting:
    """The appliance as it runs on and on: one console, match after match."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(f"{seed} lasting")
        self._now = 0.0
        self._simulator = PodSimulator(simulated_core(2))
        pods = simulated_pods(self._simulator, self._clock)
        self._devices = Devices(4, pods=pods, sounds=Sounds(_Quiet), clock=self._clock, wait=self._wait)
        self._screen = _Keys(_SIZE, Language(), window=False)
        source, reader = _Still(), reader_for(None)
        self._running = Running(
            Config(pods="off", gpio="off"), source, reader, self._devices, self._screen.adopt
        )
        self._service = Service(
            source, TableWatcher(None, reader), None, self._screen, devices=self._devices,
            health=Health(self._clock), console=self._running.console,
        )  # fmt: skip
        self._running.service = self._service

    def _clock(self) -> float:
        return self._now

    def _wait(self, seconds: float) -> None:
        self._now += seconds

    def _step(self, *buttons: str) -> None:
        self._now += 0.1
        self._screen.pressed = buttons
        self._service.step()

    def again(self, record: Record, event: TableEvent | None, number: int) -> None:
        """The match once more, with people who press this and that; `event`: what its cards looked like."""
        console = self._running.console
        language = LANGUAGES[number % len(LANGUAGES)]
        console.change(console.settings.__class__(
            language=language, rotation=ROTATIONS[number % 4],  # type: ignore[arg-type]
            look="light" if number % 3 else "dark",
        ))  # fmt: skip
        session = self._running.session(Match(record.header))
        console.play(session)
        keeper = self._running.keeper
        for line in record.lines:
            report = session.push(line.content)
            if event is not None:
                session._seen(report.line.number, event)
            if self._rng.random() < 0.5:
                self._step()
            if self._rng.random() < 0.05 and not isinstance(line.content, DealLine | End | Ruling | Takeback):
                self._look_round()
        if keeper is not None:
            keeper.ready()
        self._step("dispute", "ok", "up", "up", "ok")
        self._step("ok", "ok", "ok")  # what was wrong: it is kept and put right
        self._step(*["back"] * 6)
        console.end_match()
        self._step()

    def _look_round(self) -> None:
        """The dispute and the menu, looked at and left."""
        self._step("dispute")
        self._step("up", "ok", "ok")
        self._step("back", "back", "back", "back")
        self._running.console.to_table()
        if self._running.console.playing().choice is None:
            self._step("ok")
            self._step("down", "down", "down", "ok")
            self._step("back", "back")
            self._running.console.to_table()

    def close(self) -> None:
        """Everything is let go."""
        if self._running.keeper is not None:
            self._running.keeper.close()
        self._devices.close()
        self._simulator.unplug()
        self._screen.close()
