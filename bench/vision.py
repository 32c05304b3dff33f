"""Vision at 1280×720 on one core: an unchanged frame, a frame with a new card, reading a picture.

The milliseconds are of processor time, all threads together: what one core needs, on a busy machine too.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib.util import find_spec

import cv2
import numpy as np

from bench.figures import milliseconds as milliseconds_of
from bench.figures import spread
from engine.cards import PACK_24
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.events import TableWatcher
from vision.mat import geometry_from_markers
from vision.network import Network
from vision.reader import WEIGHTS, Reader
from vision.scene import LaidCard, Look, Mat, Scene
from vision.types import Frame, Image
from vision.whole import read_whole

# The peak of its own memory, kB: getrusage would count what this process had when it started the other.
_WATCH = """
import sys
from pathlib import Path
from appliance.cli import main
main(["watch", sys.argv[1], "--json"])
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(peak.split()[1])
"""

milliseconds = partial(milliseconds_of, clock=time.process_time)


def run() -> None:
    """Prints milliseconds a frame and a picture."""
    cv2.setNumThreads(1)
    scene = Scene(DrawnDeck(), Camera(), Look(), Mat.printed())
    rng = random.Random(1)
    reader = Reader.load()
    geometry = geometry_from_markers(scene.render([]))
    still, placed = [], []
    for _ in range(6):
        watcher = TableWatcher(geometry, reader, PACK_24)
        cards: list[LaidCard] = []
        number = 0
        for card in rng.sample(PACK_24, 4):
            for _ in range(10):
                frame = Frame(number / 10, scene.render(cards, number=number), number)
                still += milliseconds(partial(watcher.update, frame), 1)
                number += 1
            cards.append(LaidCard(card, rng.uniform(-150, 150), rng.uniform(-90, 90), rng.uniform(0, 360)))
            # The frame in which the table has come to rest with the new card is the one that reads it.
            took = []
            for _ in range(5):
                frame = Frame(number / 10, scene.render(cards, number=number), number)
                took += milliseconds(partial(watcher.update, frame), 1)
                number += 1
            placed.append(max(took))
    spread("unchanged frame", [t for t in still if t < 12])
    spread("frame that reads a new card", placed)
    picture = _five_cards(scene, rng)
    spread("read, 1600 pixels, five cards", milliseconds(lambda: read_whole(reader, picture), 12))
    spread("… of which cards with an index", milliseconds(lambda: reader.read_picture(picture), 12))
    outline = reader.read_picture(picture)[0].outline
    spread("read_card", milliseconds(lambda: reader.read_card(picture, outline), 30))
    _networks()
    print(f"  {'watch, 40 pictures of 1280×720':44} peak memory {_watched():.0f} MB")


def _networks() -> None:
    """Both networks, with OpenCV and, where it is installed, with onnxruntime."""
    rng = np.random.default_rng(1)
    runs = {"OpenCV": False} | ({"onnxruntime": True} if find_spec("onnxruntime") else {})
    for name, shape in (("finder", (1, 3, 464, 800)), ("index", (50, 3, 48, 32))):
        blob = rng.random(shape, dtype=np.float32)
        for run, fast in runs.items():
            network = Network(WEIGHTS / f"{name}.onnx", fast)
            network.forward(blob)
            spread(f"{name} network, {run}", milliseconds(partial(network.forward, blob), 12))


def _watched() -> float:
    """The peak of memory of `watch` over pictures of a table that fills, in MB."""
    scene = Scene(DrawnDeck(), Camera(), Look())
    cards: list[LaidCard] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(40):
            if number % 4 == 0:
                cards.append(LaidCard(PACK_24[number // 4], -250 + 50 * (number // 4), 0, number))
            cv2.imwrite(f"{folder}/{number}.png", scene.render(cards, number=number))
        done = subprocess.run(
            [sys.executable, "-c", _WATCH, folder], capture_output=True, text=True, check=False
        )
    return float(done.stdout.splitlines()[-1]) / 1024


def _five_cards(scene: Scene, rng: random.Random) -> Image:
    cards = [
        LaidCard(card, -220 + 110 * n, rng.uniform(-60, 60), rng.uniform(0, 360))
        for n, card in enumerate(rng.sample(PACK_24, 5))
    ]
    wide = Scene(scene.deck, Camera(width=1600, height=900, pixels_per_mm=1.75), scene.look)
    return np.asarray(wide.render(cards), np.uint8)
