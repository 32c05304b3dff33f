"""The appliance at work: frames in, events to the session, the screen drawn; one loop, one thread (but a
camera is read beside it, see vision.newest).

It runs the same on hardware, on recorded films and on the simulated table: only the source, the screen
and what presses the buttons differ.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from appliance import standing
from appliance.console import Console
from appliance.devices import Devices
from appliance.health import Health
from appliance.inputs import Press, seat_action
from appliance.journal import JournalError
from appliance.screen.model import Shown
from appliance.screen.pages import Page, Touch, asks_the_same
from appliance.session import Session
from vision.events import TableWatcher
from vision.newest import Beside
from vision.sources import Source
from vision.types import Frame, Image, TableEvent

DRAWN_S = 1 / 30  # how often screen and buttons have their turn, whatever the camera's rate


class Display(Protocol):
    """What the service needs of a screen."""

    def show(self, shown: Page, picture: Image | None = None) -> None: ...

    def buttons(self) -> tuple[str | Touch, ...]: ...


class Service:
    """Wires a source, a watcher, a session and a screen together.

    `emit`: called with each table event before the session takes it. `show_camera`: its picture is
    on the screen too. `devices`: pods, console and light. `step` does one frame's work. `health`: hears of
    the progress of camera and screen; with it, what happens waits while the journal cannot be written: it
    is tried again every second, in order, and presses do nothing until then. `troubles`: what is wrong
    besides the devices. `console`: what is on the screen, and whose session is played; without one the
    screen is the session's.
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
        health: Health | None = None,
        console: Console | None = None,
    ) -> None:
        self.source = source
        self.watcher = watcher
        self.console = console
        self.frame: Frame | None = None
        self.onlooker: Callable[[Frame], None] | None = None
        """Sees the frames instead of the watcher, while a deck is taught."""
        self.screen = screen
        self.devices = devices
        self.closed = False
        self.dispute = False
        self.troubles: tuple[str, ...] = ()
        self.waiting: list[Sequence[TableEvent]] = []
        self.t = 0.0
        self._session = session
        self._emit = emit
        self._show_camera = show_camera
        self._picture: Image | None = None
        self._health = health
        self._camera_lost = False
        self._unstored = False
        self._next_try = float("-inf")
        self._times: deque[float] = deque(maxlen=30)

    @property
    def session(self) -> Session | None:
        """The match that is played."""
        return self._session if self.console is None else self.console.session

    @property
    def rate(self) -> float:
        """Frames a second, of late."""
        times = self._times
        return (len(times) - 1) / max(times[-1] - times[0], 1e-9) if len(times) > 1 else 0.0

    def step(self) -> bool:
        """Takes the next frame, or until there is one only presses; False when the source has ended or the
        window was closed."""
        if isinstance(self.source, Beside) and not self.source.ready(DRAWN_S):
            self.draw()
            return not self.closed
        frame = self.source.read()
        if frame is None:
            return False
        self.t = frame.t
        self.frame = frame
        self._times.append(frame.t)
        if self._health is not None:
            self._health.progress("camera")
        self._picture = frame.image if self._show_camera else None
        if self.onlooker is not None:
            self.onlooker(frame)
            self.draw()
            return not self.closed
        events = (*self._camera_events(frame.t), *self.watcher.update(frame))
        for event in events:
            self._emit(event)
            if self.devices is not None:
                self.devices.light.camera(event.event)
        taking = self.console or self._session
        if taking is not None:
            if events:
                self.waiting.append(events)
            self._take_events(taking)
        self.draw()
        return not self.closed

    def _camera_events(self, t: float) -> tuple[TableEvent, ...]:
        """That the camera was lost, or is back: known to a source that goes on without it."""
        lost = getattr(self.source, "state", None) is not None
        if lost == self._camera_lost:
            return ()
        self._camera_lost = lost
        return (TableEvent(t, "camera_lost" if lost else "camera_back"),)

    def _take_events(self, taking: Console | Session) -> None:
        """Gives the session what has happened, a look at the table at a time, once each; the session keeps
        what it cannot store, and is asked to try again before it hears of more."""
        if self._unstored and self.t < self._next_try:
            return
        try:
            if self._unstored:
                taking.events(())
                self._unstored = False
            while self.waiting:
                taking.events(self.waiting.pop(0))
        except JournalError:
            self._not_stored()

    def _not_stored(self) -> None:
        """To be called while the journal's error is handled."""
        if self._health is None:
            raise  # nobody is there to say it on the screen
        self._unstored = True
        self._next_try = self.t + 1

    def draw(self) -> None:
        """Takes the presses, of keys and of devices, and shows what there is to show."""
        pressed = () if self.screen is None else self.screen.buttons()
        presses = [Press(button, "keyboard") for each in pressed for button in self._meant(each)]
        if self.devices is not None:
            presses += self.devices.poll()
        for press in presses:
            self._press(press)
        self._show()
        if self._health is not None:
            self._health.progress("screen")

    def _meant(self, pressed: str | Touch) -> tuple[str, ...]:
        """The buttons; none for a finger put on what is not asked any more."""
        if isinstance(pressed, str):
            return (pressed,)
        return pressed.buttons if asks_the_same(pressed.page, self._page()) else ()

    def _page(self) -> Page | None:
        """What the screen is to show."""
        if self.console is not None:
            return self.console.page()
        return None if self.session is None else self.session.shown()

    def _show(self) -> None:
        session = self.session
        if session is not None:
            of_devices = () if self.devices is None else self.devices.troubles(session.language)
            of_table = standing.table_troubles(session.language, self.watcher)
            session.troubles = (*self.troubles, *of_table, *of_devices)
        if self.console is not None:
            self.console.troubles = self.troubles
            self.dispute = self.console.disputing
        page = self._page()
        if self.devices is not None and session is not None:
            self.devices.show(page if isinstance(page, Shown) else session.shown(), self.dispute)
        if self.screen is not None and page is not None:
            self.screen.show(page, self._picture if isinstance(page, Shown) else None)

    def _press(self, press: Press) -> None:
        if press.button == "quit":
            self.closed = True
        if self._unstored or press.button == "quit":
            return
        try:
            self._pressed(press)
        except JournalError:
            self._not_stored()

    def _pressed(self, press: Press) -> None:
        session = self.session
        if self.console is not None and press.where != "pod":
            self.console.press(press.button)
            return
        if session is None:
            return
        if press.where == "pod":
            action = seat_action(session.match.view(), press)
            if action is not None:
                session.push(action)
            return
        if press.button in ("dispute", "back"):
            self.dispute = press.button == "dispute" and not self.dispute
        session.press(press.button)

    def run(self) -> None:
        """Until the source ends."""
        while self.step():
            pass
