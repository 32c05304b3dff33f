"""A camera that is read beside the rest: nobody waits for it, the newest counts, nothing is left over."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from vision.newest import Beside, NewestFrame
from vision.sources import SourceError
from vision.types import Frame

IMAGE = np.zeros((4, 4, 3), np.uint8)
LONG = 20.0  # seconds; nothing here takes so long unless it fails


class Camera:
    """Gives the frames that the test hands it, in the thread that reads; an error; or the end (None)."""

    stills = False

    def __init__(self) -> None:
        self.coming: queue.Queue[int | SourceError | None] = queue.Queue()
        self.asked = 0
        self.closed = 0
        self.asking = threading.Condition()

    def read(self) -> Frame | None:
        with self.asking:
            self.asked += 1
            self.asking.notify_all()
        what = self.coming.get(timeout=LONG)
        if isinstance(what, SourceError):
            raise what
        return None if what is None else Frame(float(what), IMAGE, what)

    def taken(self, count: int) -> None:
        """Waits until so many frames have been read (and the next one is asked for)."""
        with self.asking:
            assert self.asking.wait_for(lambda: self.asked > count, LONG)

    def close(self) -> None:
        self.closed += 1

    def __iter__(self) -> Iterator[Frame]:
        raise NotImplementedError


def test_nobody_waits_for_a_frame_that_is_not_there() -> None:
    camera = Camera()
    source = NewestFrame(camera)
    assert isinstance(source, Beside)
    assert not source.ready(0.0)
    camera.coming.put(1)
    assert source.ready(LONG)
    frame = source.read()
    assert frame is not None
    assert frame.number == 1
    assert not source.ready(0.0)  # each is given once
    camera.coming.put(None)
    assert source.ready(LONG)
    assert source.read() is None
    source.close()


def test_of_several_frames_the_newest_counts() -> None:
    camera = Camera()
    source = NewestFrame(camera)
    for number in (1, 2, 3):
        camera.coming.put(number)
    camera.taken(3)
    frame = source.read()
    assert frame is not None
    assert frame.number == 3
    assert not source.ready(0.0)
    camera.coming.put(None)
    source.close()


def test_what_goes_wrong_is_told_where_it_is_read_after_the_last_frame() -> None:
    camera = Camera()
    source = NewestFrame(camera)
    camera.coming.put(1)
    camera.coming.put(SourceError("camera 0: gives no pictures any more"))
    camera.taken(1)
    frame = source.read()
    assert frame is not None
    assert frame.number == 1
    for _ in range(2):
        with pytest.raises(SourceError, match="gives no pictures any more"):
            source.read()
    source.close()


def test_nothing_is_left_over() -> None:
    before = threading.active_count()
    camera = Camera()
    source = NewestFrame(camera)
    camera.taken(0)
    camera.coming.put(1)
    camera.coming.put(2)  # what it may be waiting for when it is closed
    source.close()
    source.close()
    assert (camera.closed, threading.active_count()) == (1, before)


def test_a_camera_that_hangs_is_not_closed_under_its_own_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.newest.END_S", 0.0)
    camera = Camera()
    source = NewestFrame(camera)
    camera.taken(0)
    source.close()
    assert camera.closed == 0
    assert source.ready(0.0)
    assert source.read() is None
    camera.coming.put(None)  # the thread ends when the camera lets it
