"""A rendered table under a camera that can be moved, watched by a reader that knows what lies there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.cards import PACK_52
from tests.vision.tabletop import distance
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.events import TableWatcher
from vision.geometry import TableGeometry, with_seats
from vision.look import CardReader
from vision.scene import Arm, LaidCard, Look, Mat, Scene
from vision.types import Frame, Image, Outline, Reading, TableEvent

Picture = Callable[[Image], Image]


def geometry_of(camera: Camera, seats: int = 4) -> TableGeometry:
    """The true geometry of a simulated camera."""
    plane = np.linalg.inv(camera.homography)
    rows = tuple(float(value) for value in (plane / plane[2, 2]).ravel())
    k1, k2 = camera.k1 / camera.focal**2, camera.k2 / camera.focal**4
    return with_seats(TableGeometry((camera.width, camera.height), rows, (), seats, k1, k2), seats)


class RenderedTable:
    """Frames at ten a second of a scene that changes, and what the watcher tells of them."""

    def __init__(
        self,
        look: Look | None = None,
        mat: Mat | None = None,
        camera: Camera | None = None,
        reader: CardReader | None = None,
    ) -> None:
        self.camera = camera or Camera()
        self.cards: tuple[LaidCard, ...] = ()
        self._look, self._mat = look or Look(), mat
        self._scene = Scene(DrawnDeck(), self.camera, self._look, mat)
        self._number = 0
        self.watcher = TableWatcher(geometry_of(self.camera), reader or self, PACK_52)
        self.show(6)

    def turn(self, **changed: Any) -> None:
        """The camera hangs otherwise from now on."""
        self.camera = replace(self.camera, **changed)
        self._scene = Scene(DrawnDeck(), self.camera, self._look, self._mat)

    def picture(self, arms: Sequence[Arm] = (), brightness: float = 1.0) -> Image:
        return self._scene.render(self.cards, arms, number=self._number, brightness=brightness)

    def show(
        self, count: int = 8, arms: Sequence[Arm] = (), brightness: float = 1.0,
        through: Picture = lambda image: image,
    ) -> list[TableEvent]:  # fmt: skip
        events: list[TableEvent] = []
        for _ in range(count):
            self._number += 1
            image = through(self.picture(arms, brightness))
            events += self.watcher.update(Frame(self._number / 10, image, self._number))
        return events

    def lay(self, *cards: LaidCard, through: Picture = lambda image: image) -> list[TableEvent]:
        """A hand from the near side comes, the cards are these when it leaves."""
        events = self.show(3, (Arm(0, 120),), through=through)
        self.cards = cards
        return events + self.show(2, (Arm(0, 170),), through=through) + self.show(8, through=through)

    def names(self) -> list[str]:
        return sorted(str(known.card) for known in self.watcher.cards)

    # The reader

    def read_card(self, image: Image, outline: Outline) -> Reading:
        for card in reversed(self.cards):
            true = Outline(self._scene.corners(card).astype(np.float32))
            if distance(outline, true) < 9:
                return Reading(outline, ((card.face, 0.99),)) if card.up else Reading(outline, (), "down")
        return Reading(outline, (), "unread")

    def read_picture(self, image: Image, card_px: float | None = None) -> tuple[Reading, ...]:
        return tuple(
            self.read_card(image, Outline(self._scene.corners(card).astype(np.float32)))
            for card in self.cards
        )  # fmt: skip
