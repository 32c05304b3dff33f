"""A camera that may be missing, freeze, go and come back: the table stays up and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from vision.newest import Beside
from vision.sources import Source, SourceError
from vision.types import Frame, Image

RETRY_S = 2.0
FROZEN_S = 5.0  # two pictures of a real sensor are never the same
WAIT_S = 0.1


class SteadyCamera:
    """A source that never fails: without a camera it repeats the last picture, and tries again.

    `state`: None while pictures come, else "missing" or "frozen". Times are its own clock's, so that
    they never run back when a camera is opened again.
    """

    stills = False

    def __init__(
        self,
        open_camera: Callable[[], Source],
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        self.state: str | None = None
        self.reason = ""
        self._open, self._clock, self._sleep = open_camera, clock, sleep
        self._source: Source | None = None
        self._start = clock()
        self._next_try = float("-inf")
        self._image: Image = np.full((size[1], size[0], 3), 90, np.uint8)
        self._number = 0
        self._changed = self._start

    def read(self) -> Frame:
        """The next picture, or the last one again after a short wait."""
        image = self._next()
        if image is None:
            self._sleep(WAIT_S)
        else:
            now = self._clock()
            if not np.array_equal(image[::8, ::8], self._image[::8, ::8]):
                self._changed = now
                self.state = None
            elif now - self._changed > FROZEN_S:
                self._lose("frozen", "the camera gives the same picture again and again", now)
            self._image = image
        frame = Frame(self._clock() - self._start, self._image, self._number)
        self._number += 1
        return frame

    def ready(self, seconds: float) -> bool:
        """Whether a picture is there, or what to do without one; waited for at most so long."""
        return self._source.ready(seconds) if isinstance(self._source, Beside) else True

    def _next(self) -> Image | None:
        now = self._clock()
        try:
            if self._source is None:
                if now < self._next_try:
                    return None
                self._source = self._open()
                self._changed = now
            frame = self._source.read()
        except SourceError as error:
            self._lose("missing", str(error), now)
            return None
        if frame is None:
            self._lose("missing", "the camera has ended", now)
            return None
        if self.state == "missing":
            self.state = None
        return frame.image

    def _lose(self, state: str, reason: str, now: float) -> None:
        self.close()
        self.state, self.reason = state, reason
        self._next_try = now + RETRY_S

    def close(self) -> None:
        """Lets the camera go."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def __iter__(self) -> Iterator[Frame]:
        while True:
            yield self.read()
