"""Vision at 1280×720 on one core: an unchanged frame, a frame with a new card, reading a picture."""

from __future__ import annotations

import random
from functools import partial

import cv2
import numpy as np

from bench.figures import milliseconds, spread
from engine.cards import PACK_24
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.events import TableWatcher
from vision.mat import geometry_from_markers
from vision.reader import Reader
from vision.scene import LaidCard, Look, Mat, Scene
from vision.types import Frame, Image


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
    spread("read, 1600 pixels, five cards", milliseconds(lambda: reader.read_picture(picture), 12))


def _five_cards(scene: Scene, rng: random.Random) -> Image:
    cards = [
        LaidCard(card, -220 + 110 * n, rng.uniform(-60, 60), rng.uniform(0, 360))
        for n, card in enumerate(rng.sample(PACK_24, 5))
    ]
    wide = Scene(scene.deck, Camera(width=1600, height=900, pixels_per_mm=1.75), scene.look)
    return np.asarray(wide.render(cards), np.uint8)
