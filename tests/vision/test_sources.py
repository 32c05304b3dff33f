"""Sources: order, times, ends, and one clear line for what cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.sources import (
    CameraSource,
    FolderSource,
    PicameraSource,
    SourceError,
    VideoSource,
    natural_key,
    open_source,
)  # fmt: skip


def grey(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


def one_line(error: pytest.ExceptionInfo[SourceError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_natural_order() -> None:
    names = ["trick10.jpg", "Trick2.jpg", "trick1.jpg", "cover.jpg"]
    assert sorted(names, key=natural_key) == ["cover.jpg", "trick1.jpg", "Trick2.jpg", "trick10.jpg"]


def test_folder_gives_its_pictures_in_natural_order_a_second_apart(tmp_path: Path) -> None:
    for name, value in (("p10.png", 30), ("p2.PNG", 20), ("p1.jpg", 10)):
        cv2.imwrite(str(tmp_path / name.lower()), grey(value))
    (tmp_path / "p2.png").rename(tmp_path / "p2.PNG")
    (tmp_path / "labels.csv").write_text("p1.jpg,x\n")
    with FolderSource(tmp_path) as source:
        frames = list(source)
    assert source.stills
    assert [(frame.t, frame.number, int(frame.image[0, 0, 0])) for frame in frames] == [
        (0.0, 0, 10), (1.0, 1, 20), (2.0, 2, 30),
    ]  # fmt: skip


def test_a_single_picture_is_a_source(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), grey(7))
    frames = list(open_source(str(tmp_path / "one.png")))
    assert [frame.image.shape for frame in frames] == [(48, 64, 3)]


def test_folder_errors(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        FolderSource(tmp_path)
    assert one_line(error).endswith("no pictures in this folder")
    with pytest.raises(SourceError) as error:
        FolderSource(tmp_path / "nowhere")
    assert one_line(error).endswith("nowhere: No such file or directory")
    (tmp_path / "a.jpg").write_bytes(b"")
    with pytest.raises(SourceError) as error:
        FolderSource(tmp_path).read()
    assert one_line(error).endswith("a.jpg: the file is empty")
    (tmp_path / "a.jpg").write_bytes(bytes(range(256)) * 9)
    with pytest.raises(SourceError) as error:
        FolderSource(tmp_path).read()
    assert one_line(error).endswith("a.jpg: not a picture that can be read")


def test_film_gives_its_frames_and_their_times(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for value in (20, 80, 140):
        writer.write(grey(value))
    writer.release()
    with VideoSource(path) as source:
        frames = list(source)
    assert not source.stills
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert [round(float(frame.image.mean()), -1) for frame in frames] == [20, 80, 140]
    steps = np.diff([frame.t for frame in frames])
    assert np.allclose(steps, 0.1, atol=0.02)
    assert source.read() is None


@pytest.mark.parametrize(
    ("name", "content", "end"),
    [
        ("empty.mp4", b"", "the file is empty"),
        ("binary.mp4", bytes(range(256)) * 40, "not a film that can be read"),
        ("text.avi", b"not a film\n" * 50, "not a film that can be read"),
    ],
)
def test_film_errors(
    tmp_path: Path, name: str, content: bytes, end: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as error:
        open_source(str(tmp_path / name))
    assert one_line(error) == f"{tmp_path / name}: {end}"
    assert capfd.readouterr().err == ""  # no library speaks past the one line


def test_missing_film(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        open_source(str(tmp_path / "nowhere.mp4"))


class FakeCapture:
    """A capture device by script: pictures, or None for a read that fails."""

    def __init__(self, script: list[np.ndarray | None], opened: bool = True) -> None:
        self.script, self.opened, self.released = list(script), opened, 0
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:
        return self.opened

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        image = self.script.pop(0) if self.script else None
        return image is not None, image

    def release(self) -> None:
        self.released += 1


def test_camera_asks_for_its_size_and_times_its_pictures() -> None:
    capture = FakeCapture([grey(1), None, grey(2)])
    clock = iter([100.0, 100.5, 101.25])
    asked: list[Any] = []

    def opened(device: int | str) -> FakeCapture:
        asked.append(device)
        return capture

    source = CameraSource("/dev/video0", open_capture=opened, clock=lambda: next(clock))
    first, second = source.read(), source.read()
    assert asked == ["/dev/video0"]
    assert first is not None and second is not None
    assert (first.t, first.number, second.t, second.number) == (0.5, 0, 1.25, 1)  # one lost read is bridged
    assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert capture.settings[cv2.CAP_PROP_FRAME_HEIGHT] == 720
    with pytest.raises(SourceError, match=r"camera /dev/video0: gives no pictures any more"):
        source.read()
    source.close()
    source.close()
    assert capture.released == 1
    assert source.read() is None


def test_camera_that_cannot_be_opened() -> None:
    capture = FakeCapture([], opened=False)
    with pytest.raises(SourceError, match=r"^camera 3: cannot be opened"):
        CameraSource(3, open_capture=lambda _device: capture)
    assert capture.released == 1


def test_ribbon_camera_drops_a_fourth_channel() -> None:
    class FakePicamera:
        closed = False

        def capture_array(self, stream: str) -> np.ndarray:
            assert stream == "main"
            return np.full((48, 64, 4), 9, np.uint8)

        def close(self) -> None:
            self.closed = True

    camera, clock = FakePicamera(), iter([5.0, 6.0])
    source = PicameraSource(open_camera=lambda w, h, r: camera, clock=lambda: next(clock))
    frame = source.read()
    assert frame is not None and frame.image.shape == (48, 64, 3) and frame.t == 1.0
    source.close()
    assert camera.closed


def test_ribbon_camera_without_its_library() -> None:
    pytest.importorskip("cv2")
    try:
        import picamera2  # noqa: F401
    except ImportError:
        with pytest.raises(SourceError, match="picamera2 is missing"):
            open_source("csi")
    else:
        pytest.skip("this machine has picamera2")
