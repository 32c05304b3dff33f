"""The appliance at work: frames in, events to the session, the screen drawn; one loop, one thread.

It runs the same on hardware, on recorded films and on the simulated table: only the source, the screen
and what presses the buttons differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from appliance.devices import Devices
from appliance.inputs import Press, seat_action
from appliance.screen.model import Shown
from appliance.session import Session
from vision.events import TableWatcher
from vision.sources import Source
from vision.types import Image, TableEvent


class Display(Protocol):
    """What the service needs of a screen."""

    def show(self, shown: Shown, picture: Image | None = None) -> None: ...

    def buttons(self) -> tuple[str, ...]: ...


class Service:
    """Wires a source, a watcher, a session and a screen together.

    `emit`: called with each table event before the session takes it. `show_camera`: its picture is
    on the screen too. `devices`: pods, console and light. `step` does one frame's work.
    """

    def __init__(
        self,
        source: Source,
        watcher: TableWatcher,
        session: Session | None,
        screen: Display | None = None,
        emit: Callable[[TableEvent], None] = lambda event: None,
        show_camera: bool = False,
        devices: Devices | None = None,
    ) -> None:
        self.source = source
        self.watcher = watcher
        self.session = session
        self.screen = screen
        self.devices = devices
        self.closed = False
        self.dispute = False
        self.t = 0.0
        self._emit = emit
        self._show_camera = show_camera
        self._picture: Image | None = None

    def step(self) -> bool:
        """Takes the next frame; False when the source has ended or the window was closed."""
        frame = self.source.read()
        if frame is None:
            return False
        self.t = frame.t
        self._picture = frame.image if self._show_camera else None
        events = self.watcher.update(frame)
        for event in events:
            self._emit(event)
            if self.devices is not None:
                self.devices.light.camera(event.event)
        if self.session is not None:
            self.session.events(events)
        self.draw()
        return not self.closed

    def draw(self) -> None:
        """Takes the presses, of keys and of devices, and shows what there is to show."""
        pressed = () if self.screen is None else self.screen.buttons()
        presses = [Press(button, "keyboard") for button in pressed]
        if self.devices is not None:
            presses += self.devices.poll()
        for press in presses:
            self._press(press)
        if self.session is None:
            return
        if self.devices is not None:
            self.session.troubles = self.devices.troubles(self.session.language)
        shown = self.session.shown()
        if self.devices is not None:
            self.devices.show(shown, self.dispute)
        if self.screen is not None:
            self.screen.show(shown, self._picture)

    def _press(self, press: Press) -> None:
        if press.button == "quit":
            self.closed = True
        if self.session is None or press.button == "quit":
            return
        if press.where == "pod":
            action = seat_action(self.session.match.view(), press)
            if action is not None:
                self.session.push(action)
            return
        if press.button in ("dispute", "back"):
            self.dispute = press.button == "dispute" and not self.dispute
        self.session.press(press.button)

    def run(self) -> None:
        """Until the source ends."""
        while self.step():
            pass
