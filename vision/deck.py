"""Card art for the simulated table: our own drawn deck, or a folder of photographed faces.

Images are OpenCV's (BGR, uint8), upright, cut to the card's shape of 63×88 mm with square corners;
`card_mask` rounds them. Nothing here is read from a package: the demo needs no card art of others.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import cv2
import numpy as np

from engine.cards import CARDS, IMP, VIZ, Card, Rank
from vision.courts import BLACK, BLUE, RED, WHITE, draw_court, draw_joker
from vision.glyphs import Colour, draw_line, draw_polygon, draw_sign, draw_text, outline, text_width
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Face, Image, Joker

Letters: TypeAlias = Literal["TKDV", "AKQJ"]
CORNER_MM = 3.0  # radius of a card's rounded corners
_DRAWN = 10.0  # pixels per millimetre our cards are drawn at, before they are scaled
_LETTERS: dict[Letters, dict[Rank, str]] = {
    letters: dict(zip((Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK), letters, strict=True))
    for letters in ("TKDV", "AKQJ")
}
_JOKERS_TOO: tuple[Face, ...] = (*CARDS, Joker.JOKER)
# Pips by column and row: columns -1 0 1, rows 0 (top) to 1; those below the middle stand on their heads.
_SIDE = {2: (), 3: (), 4: (0.0, 1.0), 5: (0.0, 1.0), 6: (0.0, 0.5, 1.0), 7: (0.0, 0.5, 1.0),
         8: (0.0, 0.5, 1.0),
         9: (0.0, 1 / 3, 2 / 3, 1.0), 10: (0.0, 1 / 3, 2 / 3, 1.0)}  # fmt: skip
_CENTRE = {2: (0.0, 1.0), 3: (0.0, 0.5, 1.0), 4: (), 5: (0.5,), 6: (), 7: (0.25,), 8: (0.25, 0.75),
           9: (0.5,), 10: (1 / 6, 5 / 6)}  # fmt: skip


class DeckError(Exception):
    """Card art that cannot be used; its text says why, in one line."""


class Deck(Protocol):
    """The art of a pack of cards."""

    def face(self, face: Face) -> Image:
        """A card's face, upright; DeckError if the deck lacks it."""

    def back(self) -> Image:
        """The back all its cards share."""


def card_size(pixels_per_mm: float) -> tuple[int, int]:
    """A card's width and height in whole pixels."""
    return max(1, round(CARD_WIDTH_MM * pixels_per_mm)), max(1, round(CARD_HEIGHT_MM * pixels_per_mm))


@lru_cache(maxsize=8)
def card_mask(width: int, height: int) -> Image:
    """A card's shape with rounded corners, height×width, 255 on the card."""
    radius = CORNER_MM / CARD_WIDTH_MM * width
    mask = np.zeros((height, width), np.uint8)
    turn = np.radians(np.arange(0, 90, 6))
    arc = np.stack([np.cos(turn), np.sin(turn)], 1) * radius
    reach = np.array([width - 1, height - 1]) / 2
    quarter = reach - radius + arc
    ring = np.vstack([quarter, quarter[::-1] * (-1, 1), -quarter, quarter[::-1] * (1, -1)]) + reach
    cv2.fillPoly(mask, [np.round(ring * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    mask.setflags(write=False)
    return mask


class DrawnDeck:
    """Our own deck. `letters`: the court's indices; `corners`: indices in two corners, or all four."""

    def __init__(
        self, letters: Letters = "TKDV", corners: Literal[2, 4] = 2, pixels_per_mm: float = 6.0
    ) -> None:
        self.letters, self.corners, self.pixels_per_mm = letters, corners, pixels_per_mm
        self._faces: dict[Face, Image] = {}
        self._back: Image | None = None

    def face(self, face: Face) -> Image:
        if face not in self._faces:
            self._faces[face] = self._scaled(self._draw(face))
        return self._faces[face]

    def back(self) -> Image:
        if self._back is None:
            self._back = self._scaled(_draw_back())
        return self._back

    def _scaled(self, drawn: Image) -> Image:
        image = np.asarray(
            cv2.resize(drawn, card_size(self.pixels_per_mm), interpolation=cv2.INTER_AREA), np.uint8
        )
        image.setflags(write=False)
        return image

    def _draw(self, face: Face) -> Image:
        card = _blank()
        if isinstance(face, Joker) or face.joker:
            ink = BLACK if face is VIZ else RED
            draw_joker(card, _DRAWN, ink, crowned=face is IMP)
        else:
            ink = RED if face.suit.red else BLACK
            if Rank.JACK <= face.rank <= Rank.KING:
                draw_court(card, _DRAWN, face.suit, face.rank, ink)
            else:
                _draw_pips(card, face, ink)
        for _end in range(2):
            if isinstance(face, Joker) or face.joker:
                _joker_index(card, ink)
            else:
                self._index(card, face, ink)
            card = np.ascontiguousarray(card[::-1, ::-1])
        return card

    def _index(self, card: Image, face: Card, ink: Colour) -> None:
        text = _LETTERS[self.letters].get(face.rank, str(int(face.rank)))
        height = 9.6 * _DRAWN
        squeeze = min(1.0, 7.2 * _DRAWN / text_width(text, height))
        width = text_width(text, height) * squeeze
        for x in (6.0, CARD_WIDTH_MM - 6.0)[: self.corners // 2]:
            draw_text(
                card, text, x * _DRAWN - width / 2, 3.6 * _DRAWN, height, ink, weight=0.14, squeeze=squeeze
            )
            draw_sign(card, face.suit, x * _DRAWN, 18.6 * _DRAWN, 7.2 * _DRAWN, ink)


def _blank() -> Image:
    width, height = card_size(_DRAWN)
    return np.full((height, width, 3), WHITE, np.uint8)


def _joker_index(card: Image, ink: Colour) -> None:
    for row, letter in enumerate("JOKER"):
        height = 5.6 * _DRAWN
        x = 5.4 * _DRAWN - text_width(letter, height) / 2
        draw_text(card, letter, x, (3.8 + 6.8 * row) * _DRAWN, height, ink, weight=0.17)


def _draw_pips(card: Image, face: Card, ink: Colour) -> None:
    if face.rank is Rank.ACE:
        draw_sign(card, face.suit, 31.5 * _DRAWN, 44 * _DRAWN, 27 * _DRAWN, ink)
        return
    pips = [(x, row) for x in (19.5, 43.5) for row in _SIDE[face.rank]]
    pips += [(31.5, row) for row in _CENTRE[face.rank]]
    for x, row in pips:
        y = 16.0 + 56.0 * row
        draw_sign(card, face.suit, x * _DRAWN, y * _DRAWN, 12.6 * _DRAWN, ink, turned=row > 0.5)


def _draw_back() -> Image:
    card = _blank()
    edge = outline([(4, 4), (59, 4), (59, 84), (4, 84)])
    draw_polygon(card, edge * _DRAWN, BLUE)
    for x in np.arange(-84, 63, 5.0):
        for line in ([(x, 4), (x + 80, 84)], [(x + 80, 4), (x, 84)]):
            draw_line(card, outline(line) * _DRAWN, (214, 170, 130), 0.7 * _DRAWN)
    margin = np.ones(card.shape[:2], bool)
    inner = slice(round(4 * _DRAWN), round(84 * _DRAWN)), slice(round(4 * _DRAWN), round(59 * _DRAWN))
    margin[inner] = False
    card[margin] = WHITE
    draw_line(card, np.vstack([edge, edge[:1]]) * _DRAWN, BLUE, 0.8 * _DRAWN)
    return card


class PhotographedDeck:
    """Photographed faces stretched to the card's shape, with our own back.

    A face that was not photographed is our own drawing (`filled`): as if a card that was lost had been
    replaced from another deck.
    """

    def __init__(self, faces: dict[Face, Image]) -> None:
        self._faces = faces
        self._own = DrawnDeck(letters="AKQJ")

    def face(self, face: Face) -> Image:
        return self._faces[face] if face in self._faces else self._own.face(face)

    def back(self) -> Image:
        return self._own.back()

    def filled(self, pack: Iterable[Face]) -> tuple[Face, ...]:
        """The faces of a pack that are our own drawings."""
        return tuple(face for face in dict.fromkeys(pack) if face not in self._faces)


def _file_stem(face: Face) -> str:
    return face.value if isinstance(face, Joker) else face.ascii


def load_faces(folder: Path, pixels_per_mm: float = 6.0) -> PhotographedDeck:
    """Reads the faces of a folder: `hA.jpg`, `s10.png` …, `IMP.jpg`, `VIZ.jpg`, `JOKER.jpg`.

    Other files are left alone. DeckError in one line: not a folder, no face in it, or a picture that
    cannot be read.
    """
    if not folder.is_dir():
        raise DeckError(f"{folder}: not a folder of card faces")
    stems: dict[str, Face] = {_file_stem(face).lower(): face for face in _JOKERS_TOO}
    faces: dict[Face, Image] = {}
    for path in sorted(folder.iterdir()):
        face = stems.get(path.stem.lower())
        if face is None or path.suffix.lower() not in (".jpg", ".jpeg", ".png"):
            continue
        try:
            data = np.frombuffer(path.read_bytes(), np.uint8)
        except OSError as error:
            raise DeckError(f"{path}: {error.strerror or error}") from None
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if image is None:
            raise DeckError(f"{path}: not a picture that can be read")
        faces[face] = np.asarray(
            cv2.resize(image, card_size(pixels_per_mm), interpolation=cv2.INTER_AREA), np.uint8
        )
    if not faces:
        raise DeckError(f"{folder}: no card faces in it (hA.jpg, s10.png …)")
    return PhotographedDeck(faces)
