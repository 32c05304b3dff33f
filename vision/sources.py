"""Where pictures come from: a folder of pictures, a film, a camera.

The simulated camera is appliance.simulated. A source is read until it gives None; whatever is wrong
with it is a SourceError of one line.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import cv2
import numpy as np

from vision.types import Frame, Image

# FFmpeg reads this once, at its first use in a process; it would add lines of its own to our one.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


class SourceError(Exception):
    """A source that cannot be opened or read; its text says which and why, in one line."""


class Source(Protocol):
    """Anything that gives one frame after another.

    `stills`: each picture is a settled moment of its own, as in a folder, so that nothing has to
    come to rest first.
    """

    @property
    def stills(self) -> bool: ...

    def read(self) -> Frame | None:
        """The next frame, waited for if need be, or None at the end; SourceError if it cannot be had."""

    def close(self) -> None:
        """Lets the device or file go; may be called again."""

    def __iter__(self) -> Iterator[Frame]: ...


class _Reading:
    """Iteration and `with` for the sources here."""

    def read(self) -> Frame | None:
        raise NotImplementedError

    def close(self) -> None:
        return

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts names as people count: `trick2` before `trick10`."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts)


def read_picture(path: Path) -> Image:
    """A picture file, turned as its EXIF says; SourceError if it cannot be read as one."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from None
    if not data.size:
        raise SourceError(f"{path}: the file is empty")
    with _quiet():
        try:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error:  # more pixels than OpenCV takes
            image = None
    if image is None:
        raise SourceError(f"{path}: not a picture that can be read")
    return np.asarray(image, np.uint8)


class FolderSource(_Reading):
    """The pictures of a folder in natural order of their names, or one picture; a second apart.

    `unreadable`: told of a picture that cannot be read, which is then passed over; without it that is the
    end.
    """

    stills = True

    def __init__(self, path: Path, seconds: float = 1.0) -> None:
        self._seconds, self._number = seconds, 0
        self.unreadable: Callable[[SourceError], None] | None = None
        if path.is_file():
            self.paths: tuple[Path, ...] = (path,)
            return
        try:
            files = [each for each in path.iterdir() if each.suffix.lower() in PICTURE_SUFFIXES]
        except OSError as error:
            raise SourceError(f"{path}: {error.strerror or error}") from None
        self.paths = tuple(sorted(files, key=lambda each: natural_key(each.name)))
        if not self.paths:
            raise SourceError(f"{path}: no pictures in this folder")

    def read(self) -> Frame | None:
        while self._number < len(self.paths):
            number = self._number
            self._number += 1
            try:
                return Frame(number * self._seconds, read_picture(self.paths[number]), number)
            except SourceError as error:
                if self.unreadable is None:
                    raise
                self.unreadable(error)
        return None


class VideoSource(_Reading):
    """A film. Times are the film's own where it has them, else counted by its frame rate."""

    stills = False

    def __init__(self, path: Path) -> None:
        self._number, self._last = 0, -1.0
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        if not path.stat().st_size:
            raise SourceError(f"{path}: the file is empty")
        self._capture = _quiet_capture(str(path))
        if self._capture is None:
            raise SourceError(f"{path}: not a film that can be read")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._rate = rate if 0.1 <= rate <= 1000 else 25.0
        self._first = self._grab()
        if self._first is None:
            self._capture.release()
            raise SourceError(f"{path}: no picture in it that can be read")

    def _grab(self) -> tuple[float, Image] | None:
        if self._capture is None:
            return None
        got, image = self._capture.read()
        if not got or image is None:
            return None
        counted = self._number / self._rate
        told = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        # Some containers tell no times, or the same one twice; a film never runs backwards.
        t = told if told > self._last else max(counted, self._last + 1 / self._rate)
        self._last = t
        return t, np.asarray(image, np.uint8)

    def read(self) -> Frame | None:
        grabbed, self._first = (self._first or self._grab()), None
        if grabbed is None:
            return None
        frame = Frame(grabbed[0], grabbed[1], self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without OpenCV's and FFmpeg's own complaints on standard error."""
    # The home of the log level has moved between OpenCV's versions.
    logging = getattr(getattr(cv2, "utils", None), "logging", cv2)
    level = logging.getLogLevel() if hasattr(logging, "getLogLevel") else None
    if level is not None:
        logging.setLogLevel(0)
    try:
        yield
    finally:
        if level is not None:
            logging.setLogLevel(level)


def _quiet_capture(name: str) -> Any:
    """An open cv2.VideoCapture, or None."""
    with _quiet():
        try:
            capture = cv2.VideoCapture(name)
            return capture if capture.isOpened() else None
        except cv2.error:
            return None


def _open_v4l2(device: int | str) -> Any:
    with _quiet():
        return cv2.VideoCapture(device, cv2.CAP_V4L2)


class CameraSource(_Reading):
    """A USB camera by V4L2: an index, or a path as `/dev/v4l/by-id/…`, which survives replugging.

    `open_capture` and `clock` are there to be replaced in tests.
    """

    stills = False
    _PATIENCE = 5  # pictures in a row that may fail before the camera counts as gone

    def __init__(
        self,
        device: int | str = 0,
        *,
        width: int = 1280,
        height: int = 720,
        rate: float = 15.0,
        open_capture: Callable[[int | str], Any] = _open_v4l2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.device, self._clock, self._number = device, clock, 0
        self._capture = open_capture(device)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"camera {device}: cannot be opened (is it plugged in, is it in use?)")
        # Motion JPEG: raw pictures of this size do not fit through USB 2 at this rate.
        self._capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, float(width))
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, float(height))
        self._capture.set(cv2.CAP_PROP_FPS, rate)
        # The newest picture matters, not the oldest one waiting.
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)
        self._start = clock()

    def read(self) -> Frame | None:
        if self._capture is None:
            return None
        for _attempt in range(self._PATIENCE):
            got, image = self._capture.read()
            if got and image is not None and image.size:
                frame = Frame(self._clock() - self._start, np.asarray(image, np.uint8), self._number)
                self._number += 1
                return frame
        raise SourceError(f"camera {self.device}: gives no pictures any more")

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def _open_picamera(width: int, height: int, rate: float) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError:
        raise SourceError("camera csi: picamera2 is missing (apt install python3-picamera2)") from None
    try:
        camera = Picamera2()
        # picamera2 calls the byte order BGR, as in OpenCV, "RGB888".
        camera.configure(
            camera.create_video_configuration(
                main={"size": (width, height), "format": "RGB888"}, controls={"FrameRate": rate}
            )
        )
        camera.start()
    except (RuntimeError, IndexError, OSError) as error:
        raise SourceError(
            f"camera csi: {str(error).splitlines()[0] if str(error) else 'not found'}"
        ) from None
    return camera


class PicameraSource(_Reading):
    """A camera on the Pi's ribbon connector, by picamera2."""

    stills = False

    def __init__(
        self,
        *,
        width: int = 1280,
        height: int = 720,
        rate: float = 15.0,
        open_camera: Callable[[int, int, float], Any] = _open_picamera,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._number = clock, 0
        self._camera = open_camera(width, height, rate)
        self._start = clock()

    def read(self) -> Frame | None:
        if self._camera is None:
            return None
        try:
            image = self._camera.capture_array("main")
        except (RuntimeError, OSError) as error:
            raise SourceError(f"camera csi: gives no pictures any more ({error})") from None
        frame = Frame(
            self._clock() - self._start, np.ascontiguousarray(image[..., :3], np.uint8), self._number
        )
        self._number += 1
        return frame

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None


def open_source(name: str) -> Source:
    """The source a name means: a camera's index or device, `csi`, a folder, a picture, else a film."""
    if name.isdecimal():
        return CameraSource(int(name))
    if name.startswith("/dev/"):
        return CameraSource(name)
    if name == "csi":
        return PicameraSource()
    path = Path(name)
    if path.is_dir() or path.suffix.lower() in PICTURE_SUFFIXES:
        return FolderSource(path)
    return VideoSource(path)
