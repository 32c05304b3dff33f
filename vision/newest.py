"""A camera read beside the rest: the newest frame is at hand, and nobody has to wait for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from vision.sources import Source, SourceError
from vision.types import Frame

END_S = 2.0  # how long the thread is waited for; a camera that hangs for longer is left to itself


@runtime_checkable
class Beside(Protocol):
    """A source that need not be waited for."""

    def ready(self, seconds: float) -> bool:
        """Whether `read` has an answer, waited for at most so long."""


class NewestFrame:
    """A source that is read by a thread of its own; of several frames that came meanwhile the newest counts.

    `ready` waits for a frame only so long, so that screen and buttons go on at their own rate. What goes
    wrong in the thread is raised by `read`.
    """

    stills = False

    def __init__(self, source: Source) -> None:
        self._source = source
        self._come = threading.Condition()
        self._frame: Frame | None = None
        self._error: SourceError | None = None
        self._over = False
        self._closed = False
        self._thread = threading.Thread(target=self._watch, name="camera", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._closed:
            frame, error = None, None
            try:
                frame = self._source.read()
            except SourceError as failed:
                error = failed
            with self._come:
                if frame is not None:
                    self._frame = frame
                else:
                    self._error, self._over = error, True
                self._come.notify_all()
            if frame is None:
                return

    def ready(self, seconds: float) -> bool:
        """Whether `read` has an answer, waited for at most so long."""
        with self._come:
            return self._come.wait_for(self._has_news, seconds)

    def _has_news(self) -> bool:
        return self._frame is not None or self._over or self._closed

    def read(self) -> Frame | None:
        """The newest frame that was not given yet, waited for if need be; None at the end; SourceError."""
        with self._come:
            self._come.wait_for(self._has_news)
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise self._error
            return frame

    def close(self) -> None:
        """Ends the thread and lets the camera go; may be called again."""
        with self._come:
            if self._closed:
                return
            self._closed = True
            self._come.notify_all()
        self._thread.join(END_S)
        if not self._thread.is_alive():  # in the middle of a picture it may not be closed
            self._source.close()

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame
