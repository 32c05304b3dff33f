"""The appliance on a camera and a screen that are not there, for `bench.idle`: nothing else differs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from appliance import appliance
from appliance.cli import main
from appliance.screen.window import Screen
from vision.types import Frame

RATE = 15.0  # frames a second
PICTURES = 4  # no two in a row are alike
FILE = "pictures.npy"


class StillTable:
    """A camera above a table where nothing happens. `packed`: its pictures are JPEG, unpacked each time."""

    stills = False

    def __init__(self, folder: Path, packed: bool) -> None:
        self._pictures = np.load(folder / FILE)
        self._packed = [cv2.imencode(".jpg", picture)[1] for picture in self._pictures] if packed else []
        self._number, self._due = 0, time.monotonic()

    def read(self) -> Frame:
        """The next picture, when it is due."""
        self._due = max(self._due + 1 / RATE, time.monotonic() - 1 / RATE)
        time.sleep(max(0.0, self._due - time.monotonic()))
        n = self._number % PICTURES
        image = self._pictures[n]
        if self._packed:
            image = np.asarray(cv2.imdecode(self._packed[n], cv2.IMREAD_COLOR), np.uint8)
        self._number += 1
        return Frame(self._number / RATE, image, self._number)

    def close(self) -> None:
        """Nothing is held."""

    def __iter__(self) -> Iterator[Frame]:
        while True:
            yield self.read()


class UnseenScreen(Screen):
    """A screen that is drawn, but on nothing."""

    def __init__(self, size: tuple[int, int], *words: object, window: bool, **more: object) -> None:
        super().__init__(size, *words, window=False, **more)  # type: ignore[arg-type]


if __name__ == "__main__":
    folder, kind = sys.argv[1:]
    parts = vars(appliance)
    parts["open_source"] = lambda name: StillTable(Path(folder), kind == "packed")
    parts["Screen"] = UnseenScreen
    sys.exit(main(["run"]))
