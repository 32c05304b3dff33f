"""What the service makes of presses, and what it puts on lamps and screen."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from appliance.devices import Devices
from appliance.inputs import Press
from appliance.language import Language
from appliance.podlink import Lamp
from appliance.pods import Pods, Problem, Trouble
from appliance.screen.model import Shown
from appliance.service import Service
from appliance.session import Session
from engine.record import Header, parse
from engine.referee import Match
from vision.types import Frame, TableEvent


class Watcher:
    """Sees nothing out of the ordinary."""

    states: frozenset[str] = frozenset()


class Buttons:
    """Presses to be found at the next look."""

    def __init__(self) -> None:
        self.waiting: tuple[Press, ...] = ()

    def presses(self, now: float) -> tuple[Press, ...]:
        found, self.waiting = self.waiting, ()
        return found

    def troubles(self, say: Language) -> tuple[str, ...]:
        return ("a button is stuck",)

    def close(self) -> None:
        pass


class Game:
    """Stands in for a session: a match of a game that has no flow on the table yet."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.language = Language("en")
        self.troubles: tuple[str, ...] = ()
        self.pressed: list[str] = []

    def push(self, content: Any) -> Any:
        return self.match.push(content)

    def press(self, button: str) -> None:
        self.pressed.append(button)

    def shown(self) -> Shown:
        return Shown(self.match.view(), "", troubles=self.troubles)


class Rig:
    """A service with buttons and pods that never answer."""

    def __init__(self, session: Any) -> None:
        self.buttons = Buttons()
        self.pods = Pods(find=list)
        self.devices = Devices(4, pods=self.pods, inputs=[self.buttons], clock=lambda: 0.0)
        self.service = Service(
            cast(Any, None), cast(Any, Watcher()), cast(Session, session), devices=self.devices
        )

    def press(self, *presses: Press) -> None:
        self.buttons.waiting = presses
        self.service.draw()

    def lamps(self) -> list[Lamp]:
        outputs = self.pods.link._outputs
        assert outputs is not None
        return list(outputs.lamps)


def test_a_pods_press_is_the_action_of_its_seat() -> None:
    text = "game: velnio_ratas\nplayers: A, B, C\ndealer: 3\ndeal\nstart: ♣3\n1 play ♦10\n"
    game = Game(Match(parse(text).header))
    for content in parse(text).contents:
        game.push(content)
    rig = Rig(game)
    rig.press(Press("take", "pod", 2), Press("take", "pod", 3), Press("call", "pod", 2))
    assert [str(line) for line in game.match.record().contents[3:]] == ["2 draw"]
    rig.press(Press("take", "pod", 2))
    assert [str(line) for line in game.match.record().contents[3:]] == ["2 draw", "2 pass"]
    assert game.pressed == []
    assert [lamp != Lamp() for lamp in rig.lamps()[:3]] == [False, False, True]


def test_console_presses_reach_the_session_and_a_dispute_its_lamps() -> None:
    match = Match(Header("dezertyras", ("Rasa", "Jonas", "Ona", "Petras"), 4))
    session = Session(match, Language("en"))
    rig = Rig(session)
    rig.press(Press("ok", "console"))
    assert match.deal_number == 1
    dark = rig.lamps()
    rig.press(Press("dispute", "console"))
    assert len(set(rig.lamps())) == 1
    assert rig.lamps()[0].red == 255
    rig.press(Press("back", "console"))
    assert rig.lamps() == dark


def test_troubles_are_on_the_screen_and_absent_pods_are_none() -> None:
    session = Session(Match(Header("dezertyras", ("A", "B", "C", "D"), 4)), Language("en"))
    rig = Rig(session)
    rig.press()
    assert session.shown().troubles == ("a button is stuck",)
    rig.pods.known = True
    rig.pods.problem = Problem(Trouble.GONE)
    rig.press()
    assert session.shown().troubles[1] == "The seat pods are gone; the game goes on without them"


def test_a_camera_lost_and_back_is_told_once_each_and_is_no_play() -> None:
    class Camera:
        """Loses its camera for three pictures."""

        stills = False

        def __init__(self) -> None:
            self.states = iter([None, "missing", "missing", "frozen", None, None])
            self.state: str | None = None

        def read(self) -> Frame:
            self.state = next(self.states)
            return Frame(0.0, np.zeros((2, 2, 3), np.uint8), 0)

    class Seeing(Watcher):
        def update(self, frame: Frame) -> tuple[TableEvent, ...]:
            return ()

    told: list[str] = []
    camera: Any = Camera()
    watcher: Any = Seeing()
    service = Service(camera, watcher, None, emit=lambda event: told.append(event.event))
    for _ in range(6):
        service.step()
    assert told == ["camera_lost", "camera_back"]
