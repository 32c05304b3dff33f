"""Decks without letters for the bench of taught decks, as folders of faces: drawn here, nobody else's art."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from engine.cards import CARDS, Card
from vision.deck import DrawnDeck, card_size
from vision.types import Image

_PAPER = (244, 248, 250)
_INDEX = 0.3, 0.175  # of a card's height and width: what an index and its suit take up in a corner
_SHAPES = 9  # on one half of a picture card
_SCALE = 6.0  # pixels a millimetre


def without_letters(card: Card) -> Image:
    """Our own drawing with its indices painted out in all four corners: pips, courts and jokers are left."""
    image = DrawnDeck(pixels_per_mm=_SCALE).face(card).copy()
    high, wide = round(_INDEX[0] * image.shape[0]), round(_INDEX[1] * image.shape[1])
    for rows in (slice(0, high), slice(-high, None)):
        for columns in (slice(0, wide), slice(-wide, None)):
            image[rows, columns] = _PAPER
    return image


def picture(card: Card) -> Image:
    """A card that has neither rank nor suit on it: discs, bars and triangles of its own, alike both ways."""
    rng = np.random.default_rng([int(card), 88])
    width, height = card_size(_SCALE)
    image = np.full((height, width, 3), _PAPER, np.uint8)
    for _ in range(_SHAPES):
        x, y = rng.uniform(0.08, 0.92) * width, rng.uniform(0.05, 0.5) * height
        size, turn = rng.uniform(0.06, 0.16) * width, rng.uniform(0, 6.28)
        ink = tuple(int(value) for value in rng.choice([30, 110, 200], 3))
        corners = int(rng.choice([2, 3, 24]))
        ring = turn + np.linspace(0, 2 * np.pi, corners, endpoint=False)
        points = np.stack([x + size * np.cos(ring), y + size * np.sin(ring)], 1)
        if corners == 2:  # a bar
            one, other = points.astype(int).tolist()
            cv2.line(image, one, other, ink, 14, cv2.LINE_AA)
        else:
            cv2.fillPoly(image, [points.astype(np.int32)], ink, cv2.LINE_AA)
    half = height // 2
    image[-half:] = image[:half][::-1, ::-1]
    return image


ART = {"letterless": without_letters, "pictures": picture}


def write_faces(name: str, folder: Path) -> None:
    """The faces of one of these decks as a folder that `demo --faces` takes."""
    folder.mkdir(parents=True, exist_ok=True)
    for card in CARDS:
        cv2.imwrite(str(folder / f"{card.ascii}.png"), ART[name](card))
