"""A demo deal in which the pods are unplugged, and come back under another name, at every moment of it.

The deal is played once before the camera; what the table and the people said is then said again, moment for
moment, to a new session, and whoever draws or passes does it with the button of their pod.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

import pytest

from appliance.demo import Demo, DemoSettings
from appliance.devices import Devices
from appliance.inputs import Press, seat_action
from appliance.language import Language
from appliance.podlink import PodEvent
from appliance.pods import Pods, SerialPort
from appliance.podsim import PodSimulator, simulated_core
from appliance.service import Service
from appliance.session import Session
from engine.actions import Action
from engine.record import Content, Header
from engine.referee import Match
from firmware import wire
from vision.types import Frame, TableEvent

FRAME_MS = 60
AWAY = 5  # frames
GONE = "The seat pods are gone; the game goes on without them"


@dataclass
class Played:
    """A deal. `frames`: the table's events and what the people then said."""

    header: Header
    frames: list[tuple[tuple[TableEvent, ...], list[Any]]] = field(default_factory=list)
    contents: tuple[Content, ...] = ()


@cache
def played() -> Played:
    """A deal with draws and a pass, played before the camera."""
    demo = Demo(DemoSettings(game="velnio_ratas", players=3, seed=20, deals=1), None)
    deal = Played(demo.session.match.header)
    step, choose, events = demo.service.step, demo.people.choose, demo.session.events
    seen: list[TableEvent] = []

    def stepped() -> bool:
        seen.clear()
        going = step()
        deal.frames.append((tuple(seen), []))
        return going

    def chosen(content: Any) -> bool:
        done = choose(content)
        if done:
            deal.frames[-1][1].append(content)
        return done

    def taken(of_table: Any) -> None:
        seen.extend(of_table)
        events(of_table)

    demo.service.step = stepped  # type: ignore[method-assign]
    demo.people.choose = chosen  # type: ignore[method-assign]
    demo.session.events = taken  # type: ignore[method-assign]
    assert demo.play()
    deal.contents = demo.session.match.record().contents
    return deal


class Replay:
    """The deal once more. `pull`: the moment at which the pods are unplugged; `reset`: so the board restarts.

    A moment is each time the host reaches for the port: before a read, after it, before, in the middle of and
    after what is written. `moments`: how many there were, `of_deal`: until the deal was over; `again`: how
    often a press had to be repeated.
    """

    states: frozenset[str] = frozenset()  # as a watcher's: nothing keeps the camera from reading

    def __init__(self, deal: Played, pull: int, reset: bool = False) -> None:
        self.deal = deal
        self.moments = self.of_deal = 0
        self.again = 0
        self.said: set[str] = set()
        self.sent: list[tuple[int, int, bool]] = []
        self.got: list[tuple[int, int, bool]] = []
        self._pull = pull
        self._reset = reset
        self._away = 0
        self._ms = 0
        self._frame = 0
        self._of_table: tuple[TableEvent, ...] = ()
        self.core = simulated_core(1)
        self.simulator = PodSimulator(self.core)
        replay = self

        class Port(SerialPort):
            def read_waiting(self) -> bytes:
                replay.moment()
                data = super().read_waiting()
                replay.moment()
                return data

            def write(self, data: bytes) -> None:
                replay.moment()
                half = len(data) // 2
                super().write(data[:half])
                replay.moment()
                super().write(data[half:])
                replay.moment()

        self.pods = Pods(find=lambda: [] if self._away else [self.simulator.path], open_port=Port)
        receive = self.pods.link.receive

        def received(data: bytes, now: float) -> tuple[PodEvent, ...]:
            events = receive(data, now)
            self.got += [(event.pod, event.button, event.down) for event in events]
            return events

        self.pods.link.receive = received  # type: ignore[method-assign]
        self.session = Session(Match(deal.header), Language("en"))
        devices = Devices(len(deal.header.players), pods=self.pods, clock=lambda: self._ms / 1000)
        self.service = Service(cast(Any, self), cast(Any, self), self.session, devices=devices)

    def moment(self) -> None:
        self.moments += 1
        if self.moments == self._pull:
            self.simulator.unplug()
            self._away = AWAY

    # The source and the watcher of the service

    def read(self) -> Frame:
        return Frame(self._ms / 1000, cast(Any, None), self._frame)

    def update(self, frame: Frame) -> tuple[TableEvent, ...]:
        of_table, self._of_table = self._of_table, ()
        return of_table

    # The deal

    def frame(self, of_table: tuple[TableEvent, ...] = ()) -> None:
        """One frame: some turns of the firmware's loop, and one of the service's."""
        self._frame += 1
        if self._away:
            self._away -= 1
            if not self._away:
                self._plug()
        for _ in range(FRAME_MS // 10):
            self._ms += 10
            if not (self._away and self._reset):
                self.simulator.turn(self._ms)
        self._of_table = of_table
        assert self.service.step()
        self.said |= set(self.session.troubles)

    def _plug(self) -> None:
        keeper = os.openpty()  # takes the old name
        self.simulator.plug()
        for end in keeper:
            os.close(end)
        if self._reset:
            self.core = simulated_core(2)
            self.simulator.brain = self.core

    def play(self) -> None:
        """Plays the deal to its end, and lets the link come to rest."""
        for of_table, contents in self.deal.frames:
            self.frame(of_table)
            for content in contents:
                self._say(content)
        self.of_deal = self.moments
        for _ in range(100):
            self.frame()

    def close(self) -> None:
        self.pods.close()
        self.simulator.unplug()

    def _say(self, content: Any) -> None:
        if isinstance(content, Action):
            press = Press("take", "pod", content.seat)
            if seat_action(self.session.match.view(), press) == content:
                self._press(content.seat - 1)
                return
        choice, says = self.session.choice, self.session.says
        assert choice is not None
        for _ in range((says.index(content) - choice.chosen) % len(says)):
            self.session.press("down")
        self.session.press("ok")

    def _press(self, pod: int) -> None:
        """Presses until it is on the screen; a board without current knows of no press."""
        lines = len(self.session.match.record().lines)
        grown: Callable[[], bool] = lambda: len(self.session.match.record().lines) > lines  # noqa: E731
        for tries in range(3):
            self.again += tries > 0
            for down in (True, False):
                (self.simulator.press if down else self.simulator.release)(pod, wire.TAKE)
                self.sent.append((pod, wire.TAKE, down))
                self.frame()
            for _ in range(60):
                if grown():
                    break
                self.frame()
            if grown() or not self._reset:
                break
        assert grown(), f"a press is lost at moment {self._pull}"


def replayed(pull: int, reset: bool = False) -> Replay:
    replay = Replay(played(), pull, reset)
    try:
        replay.play()
        assert replay.session.match.record().contents == replay.deal.contents, pull
        assert replay.pods.problem is None
        assert replay.pods.link.settled, pull
        assert replay.core.lamps == replay.pods.link._outputs.lamp_bytes()  # type: ignore[union-attr]
        assert replay.said == ({GONE} if pull else set()), pull
        if not reset:
            assert replay.got == replay.sent, pull
        assert replay.again <= 1
    finally:
        replay.close()
    return replay


def test_the_deal_without_unplugging_needs_its_pods() -> None:
    replay = replayed(0)
    assert len(replay.sent) >= 8
    assert replay.again == 0


@pytest.mark.parametrize("reset", [False, True])
def test_pods_that_come_and_go_at_some_moments_of_a_deal(reset: bool) -> None:
    moments = replayed(0).of_deal
    for pull in range(1 + 7 * reset, moments, moments // 12):
        replayed(pull, reset)


@pytest.mark.slow
@pytest.mark.parametrize("reset", [False, True])
def test_pods_that_come_and_go_at_every_moment_of_a_deal(reset: bool) -> None:
    moments = replayed(0).of_deal
    assert moments > 300
    for pull in range(1, moments + 1):
        replayed(pull, reset)
