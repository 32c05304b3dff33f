"""What the console asks of the machine while it runs: matches, pictures, diagnostics, settings."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Set
from dataclasses import replace
from datetime import UTC, datetime

from appliance import standing
from appliance.config import Config
from appliance.console import Calibrated, Console, Hooks
from appliance.devices import Devices
from appliance.doctor import CameraLook, examine
from appliance.failure import Failure
from appliance.flows import FLOWS
from appliance.folders import journal_path, settings_path, sheet_path, wrong_folder
from appliance.journal import Journal, JournalError
from appliance.keeper import Keeper
from appliance.language import Language
from appliance.names import shown_name
from appliance.pictures import Pictures
from appliance.rescue import Rescue, open_or_rescue
from appliance.screen.model import Picture
from appliance.screen.pages import Check
from appliance.service import Service
from appliance.session import Session
from appliance.settings import Settings, load_settings, save_settings
from appliance.sheet import load_sheet, save_sheet
from appliance.steady import SteadyCamera
from appliance.tables import table_in
from appliance.taught import decks, keep_deck, reader_for, with_deck
from appliance.wrong import Wrong, save
from engine.cards import Card
from engine.record import Header
from engine.referee import Match, Report
from vision.events import TableWatcher
from vision.geometry import GeometryError, TableGeometry, with_seats
from vision.mat import geometry_from_markers, markers_in
from vision.reader import Reader
from vision.showing import Held, Showing
from vision.sources import Source
from vision.teach import Lesson
from vision.types import Frame, Reading

MARKERS = 8  # of a mat
PICTURE_EVERY_S = 0.5  # the camera's picture on a page

Listener = Callable[[Report], None]


class Running:
    """The running table. `adopt`: the screen takes other settings. `wrong`, `safe`: as
    of the appliance."""

    def __init__(
        self, config: Config, source: Source, reader: Reader, devices: Devices,
        adopt: Callable[[Settings], None], *, wrong: str | None = None, safe: bool = False,
    ) -> None:  # fmt: skip
        self._config, self._source, self._devices = config, source, devices
        self._usual = self._reader = reader
        self._deck = ""
        self._adopt, self._wrong, self._safe = adopt, wrong, safe
        self.keeper: Keeper | None = None
        self.service: Service | None = None
        self.camera: SteadyCamera | None = None  # where it may be missing
        self.rescue: Rescue | None = None  # of a journal that was damaged while it was in use
        self._pictures = Pictures()
        self._camera: Picture | None = None
        self._camera_at = float("-inf")
        settings = self._settings()
        self.console = Console(self._hooks(), settings)
        self._adopted(settings)

    def _hooks(self) -> Hooks:
        return Hooks(
            self._begin, unfinished=self._unfinished, games=tuple(FLOWS), picture=self._pictures.picture,
            likely=self._pictures.likely, camera=self._picture_now, calibrate=self._calibrate,
            diagnostics=self._diagnostics, save=self._save, ended=self._ended, heard=self._heard,
            wrong=self._wrong_said, blind=self._blind,
            sheet=lambda: load_sheet(sheet_path()), keep_sheet=lambda sheet: save_sheet(sheet_path(), sheet),
            teaches=True, look=self._look,
            keep_deck=self._keep_deck, decks=decks,
        )  # fmt: skip

    # Settings

    def _settings(self) -> Settings:
        """What was set on the console; what never was is as the configuration has it."""
        config = self._config
        usual = Settings(
            language="en" if config.language == "en" else "lt",
            indices="AKQJ" if config.letters == "AKQJ" else "TKDV",
            names=tuple(dict.fromkeys(map(shown_name, config.players))),
        )
        if self._safe or not settings_path().exists():
            return usual
        try:
            return load_settings(settings_path())
        except Failure as failure:
            print(f"kortstalis: {failure}; the settings are as in the configuration", file=sys.stderr)
            return usual

    def _save(self, settings: Settings) -> None:
        try:
            save_settings(settings_path(), settings)
        except Failure as failure:
            print(f"kortstalis: {failure}", file=sys.stderr)
        self._adopted(settings)

    def _adopted(self, settings: Settings) -> None:
        """Screen and sound go on with these settings."""
        self._adopt(settings)
        if settings.deck != self._deck:
            self._deck = settings.deck
            self._reader = with_deck(self._usual, settings.deck)
        if self._devices.sounds is not None:
            self._devices.sounds.adopt(settings)

    def _blind(self) -> bool:
        return self.camera is not None and self.camera.state is not None

    def _heard(self, report: Report) -> None:
        if self._devices.sounds is not None and self.console.session is not None:
            self._devices.sounds.hear(self.console.session.match, report)

    # Matches

    def session(
        self, match: Match, number: int | None = None, journal: Journal | None = None,
        listen: Listener | None = None,
    ) -> Session:  # fmt: skip
        """The session of a match; it is stored in the journal from its first line on."""
        if self.keeper is not None:
            self.keeper.close()
        started = datetime.now(UTC).isoformat(timespec="seconds")
        self.keeper = Keeper(
            self._open_journal, match.header, started, {}, number, journal, match.record().contents
        )  # fmt: skip
        self._pictures.clear()
        self._devices.sit(len(match.header.players))
        session = Session(
            match, self.console.language, bound=self._config.bound, store=self.keeper.store,
            listen=listen or self.console.heard, correct=self._correct, taken=self._taken,
            seen=self._pictures.keep,
        )  # fmt: skip
        self._watch(session)
        return session

    def _open_journal(self) -> Journal:
        journal, rescue = open_or_rescue(journal_path(), datetime.now(UTC).strftime("%Y%m%d-%H%M%S"))
        if rescue is not None:
            self.rescue = rescue
            print(f"kortstalis: {rescue}", file=sys.stderr)
        return journal

    def _begin(self, header: Header, listen: Listener) -> Session:
        return self.session(Match(header), listen=listen)

    def _unfinished(self, listen: Listener) -> Session | None:
        journal = None
        try:
            journal = self._open_journal()
            going_on = standing.match_to_go_on_with(journal, None)
        except (JournalError, ValueError, AssertionError, LookupError) as error:
            # Also a fault of the referee's with this match: the table goes on without it.
            print(f"kortstalis: the last match cannot be gone on with: {error}", file=sys.stderr)
            going_on = None
        if going_on is None:
            if journal is not None:
                journal.close()
            return None
        number, match = going_on
        return self.session(match, number, journal, listen)

    def _wrong_said(self, wrong: Wrong) -> None:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        match = self.console.playing().match
        save(wrong_folder(), stamp, wrong, match, self._pictures.seen(wrong.line))

    def _ended(self) -> None:
        self._pictures.clear()
        self._devices.dark()

    def _correct(self, reading: Reading, card: Card) -> None:
        if self.service is not None:
            self.service.watcher.correct(reading, card)

    def _taken(self, cards: Set[Card]) -> None:
        if self.service is not None:
            self.service.watcher.taken(cards)

    # A deck is taught

    def _look(self, listen: Callable[[Held], None] | None) -> None:
        if self.service is None:
            return
        if listen is None:
            self.service.onlooker = None
            return
        showing, tell = Showing(reader_for(None)), listen

        def onlooker(frame: Frame) -> None:
            held = showing.update(frame)
            if held is not None:
                tell(held)

        self.service.onlooker = onlooker

    def _keep_deck(self, lesson: Lesson) -> str:
        name = keep_deck(lesson, datetime.now())
        self.console.change(replace(self.console.settings, deck=name))
        return name

    # The camera

    def watcher(self, session: Session, geometry: TableGeometry | None) -> TableWatcher:
        """Watches the table of a session, whose game may have places of its own."""
        match = session.match
        if geometry is not None:
            geometry = with_seats(geometry, len(match.header.players), session.areas)
        return TableWatcher(geometry, self._reader, match.game.pack(match.options))

    def geometry(self, seats: int) -> TableGeometry | None:
        """The table as the mat in the next picture tells, or the file of the configuration; None if neither
        does."""
        first = self._source.read()
        if first is None:
            return None
        try:
            return table_in(first.image, seats, self._config.geometry)
        except GeometryError as error:
            print(f"kortstalis: {error}; the first card laid will give the scale", file=sys.stderr)
            return None

    def _watch(self, session: Session) -> None:
        """Another match: the table is looked at anew, from where it is known to be."""
        if self.service is not None:
            self.service.waiting.clear()
            self.service.watcher = self.watcher(session, self.service.watcher.geometry)

    def _picture_now(self) -> Picture | None:
        service = self.service
        if service is None or service.frame is None:
            return None
        now = time.monotonic()
        if self._camera is None or now >= self._camera_at + PICTURE_EVERY_S:
            self._camera, self._camera_at = Picture(service.frame.image), now
        return self._camera

    def _calibrate(self) -> Calibrated:
        service = self.service
        if service is None or service.frame is None:
            return Calibrated(False, 0, MARKERS)
        image = service.frame.image
        session = self.console.session
        seats = len(self._config.players if session is None else session.match.header.players)
        found = min(MARKERS, len(markers_in(image)))
        try:
            geometry = geometry_from_markers(image, seats)
        except GeometryError:
            return Calibrated(False, found, MARKERS, Picture(image))
        service.watcher.geometry = with_seats(geometry, seats, () if session is None else session.areas)
        return Calibrated(True, found, MARKERS, Picture(image))

    # Diagnostics

    def _diagnostics(self, say: Language) -> tuple[Check, ...]:
        """The doctor's findings, as far as they can be had while the table is at work."""
        from appliance.probes import look_at_picture, measure_beside

        service = self.service
        look = CameraLook("no picture")
        if service is not None and service.frame is not None:
            look = look_at_picture(
                service.frame.image, service.rate, len(self._config.players), self._config.geometry
            )
        pins = self._devices.connected_troubles(say)
        seen = measure_beside(
            self._config, self._wrong, 0, look, 0.0, "; ".join(pins) if pins else None
        )  # fmt: skip
        return tuple(
            Check(finding.check, finding.found, {"ok": True, "failed": False}.get(finding.state))
            for finding in examine(seen, say)
            if finding.check != "model"
        )
