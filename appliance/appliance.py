"""The appliance put together: devices that may fail, the journal, the session, the watchdog."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from appliance import standing
from appliance.config import SIZES, Config
from appliance.devices import from_config
from appliance.failure import Failure
from appliance.folders import journal_path
from appliance.health import Health
from appliance.journal import Journal, JournalError
from appliance.language import Language
from appliance.names import shown_names
from appliance.notify import Notifier
from appliance.rescue import Rescue, open_or_rescue
from appliance.running import Running
from appliance.screen.canvas import Letters
from appliance.screen.late import LateScreen
from appliance.screen.window import NoDisplay, Screen
from appliance.service import Service
from appliance.starts import GOOD_AFTER_S, Starts
from appliance.steady import SteadyCamera
from appliance.taught import reader_for
from engine.record import Header
from engine.referee import Match
from vision.newest import NewestFrame
from vision.sources import Source, SourceError, open_source

_LOOK_S = 1.0  # how often the journal is asked whether it answers


class Appliance:
    """`run` runs it. `wrong`: what is wrong in the configuration file that is not used; `safe`: a safe
    start; `new`: begin a new match in any case; `beside`: has a camera read beside the rest."""

    def __init__(
        self, config: Config, notifier: Notifier, starts: Starts, *,
        wrong: str | None = None, safe: bool = False, new: bool = False,
        clock: Callable[[], float] = time.monotonic, beside: Callable[[Source], Source] = NewestFrame,
    ) -> None:  # fmt: skip
        self._clock, self._beside = clock, beside
        self._config, self._notifier, self._starts = config, notifier, starts
        self._wrong, self._safe, self._new = wrong, safe, new
        self._say = Language(config.language)
        self._ready = self._good = False
        self._next_look = 0.0

    def run(self) -> int:
        """Until the window is closed, a film ends, or the service is stopped; the exit status."""
        config, notifier = self._config, self._notifier
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        header = Header(config.game, shown_names(config.players))
        try:
            fresh = Match(header)
        except ValueError as error:
            raise Failure(str(error)) from None
        reader = reader_for(Path(config.deck) if config.deck else None)
        source, camera = self._open_camera()
        try:
            screen = LateScreen(self._open_screen, wait=notifier.active, clock=self._clock)
        except NoDisplay as reason:
            source.close()
            raise Failure(f"no display: {reason}") from None
        running: Running | None = None
        devices = from_config(config, len(config.players))
        for trouble in devices.troubles(self._say):
            print(f"kortstalis: {trouble}", file=sys.stderr)
        try:
            journal, rescue = self._open_journal()
            going_on = None
            if journal is not None and not self._new and not self._safe:
                going_on = standing.match_to_go_on_with(journal, header)
            number, match = going_on or (None, fresh)
            running = Running(
                config, source, reader, devices, screen.adopt, wrong=self._wrong, safe=self._safe
            )
            session = running.session(match, number, journal)
            interval = (notifier.watchdog_s or 15.0) / 3
            health = Health(self._clock, notifier.feed, interval)
            running.rescue, running.camera = rescue, camera
            watcher = running.watcher(session, running.geometry(len(match.header.players)))
            service = Service(
                source, watcher, None, screen, devices=devices, health=health, console=running.console
            )
            running.service = service
            running.console.play(session)
            if self._safe:
                running.console.end_match()  # the last match is offered only: it may be the reason
            late = camera is not None and camera.state is not None
            if late and camera is not None:
                print(f"kortstalis: {camera.reason}; cards can be entered with the buttons", file=sys.stderr)
            going = True
            while going:
                self._look(running, camera, service, health)
                going = service.step()
                if late and camera is not None and camera.state is None:
                    late = False  # the first picture of a camera that was not there at the start
                    playing = running.console.session or session
                    seats = len(playing.match.header.players)
                    service.watcher = running.watcher(playing, running.geometry(seats))
                self._alive(health)
        except KeyboardInterrupt:
            pass  # stopped on purpose
        except (JournalError, SourceError) as error:
            raise Failure(str(error)) from None
        finally:
            devices.close()
            source.close()
            screen.close()
            if running is not None and running.keeper is not None:
                running.keeper.close()
        notifier.stopping()
        self._starts.good()
        return 0

    def _open_screen(self) -> Screen:
        letters: Letters = "AKQJ" if self._config.letters == "AKQJ" else "TKDV"
        return Screen(SIZES[self._config.screen], self._say, window=True, letters=letters)

    def _open_camera(self) -> tuple[Source, SteadyCamera | None]:
        """The source; a camera may be missing, a film may not."""
        name = self._config.camera
        if name.isdecimal() or name.startswith("/dev/") or name == "csi":
            steady = SteadyCamera(lambda: self._beside(self._camera(name)), self._clock, time.sleep)
            return steady, steady
        try:
            return open_source(name), None
        except SourceError as error:
            raise Failure(str(error)) from None

    def _camera(self, name: str) -> Source:
        """Opens the camera. After two starts that failed, perhaps for its sake, it waits until this one is
        good: till then cards can be laid with the buttons."""
        if self._safe and not self._good:
            raise SourceError(f"camera {name}: waits, since two starts have failed")
        return open_source(name)

    def _open_journal(self) -> tuple[Journal | None, Rescue | None]:
        """The journal; None, as yet, where the service cannot have it."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        try:
            journal, rescue = open_or_rescue(journal_path(), stamp)
        except JournalError as error:
            if not self._notifier.active:
                raise
            print(f"kortstalis: {error}", file=sys.stderr)
            return None, None
        if rescue is not None:
            print(f"kortstalis: {rescue}", file=sys.stderr)
        return journal, rescue

    def _look(self, running: Running, camera: SteadyCamera | None, service: Service, health: Health) -> None:
        """Asks the journal whether it answers, and puts what is wrong on the screen."""
        keeper = running.keeper
        assert keeper is not None
        now = self._clock()
        if now >= self._next_look:
            self._next_look = now + _LOOK_S
            keeper.ready()
            health.progress("journal")
        say = running.console.language
        at_start = standing.start_troubles(say, self._wrong, self._safe, running.rescue)
        service.troubles = at_start + standing.present_troubles(say, camera, keeper)

    def _alive(self, health: Health) -> None:
        """The first step is done: the table can be used; after a while the start counts as good."""
        if not self._ready:
            self._ready = True
            self._notifier.ready()
        if not self._good and health.lived >= GOOD_AFTER_S:
            self._good = True
            self._starts.good()
