"""The appliance at work: frames in, events to the session, the screen drawn; one loop, one thread.

It runs the same on hardware, on recorded films and on the simulated table: only the source, the screen
and what presses the buttons differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

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
    on the screen too. `step` does one frame's work.
    """

    def __init__(
        self,
        source: Source,
        watcher: TableWatcher,
        session: Session | None,
        screen: Display | None = None,
        emit: Callable[[TableEvent], None] = lambda event: None,
        show_camera: bool = False,
    ) -> None:
        self.source = source
        self.watcher = watcher
        self.session = session
        self.screen = screen
        self.closed = False
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
        if self.session is not None:
            self.session.events(events)
        self.draw()
        return not self.closed

    def draw(self) -> None:
        """Takes the keyboard's buttons and draws what there is to show."""
        if self.screen is None:
            return
        for button in self.screen.buttons():
            if button == "quit":
                self.closed = True
            elif self.session is not None:
                self.session.press(button)
        if self.session is not None:
            self.screen.show(self.session.shown(), self._picture)

    def run(self) -> None:
        """Until the source ends."""
        while self.step():
            pass
