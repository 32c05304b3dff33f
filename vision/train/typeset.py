"""Indices set anew over a deck's own: other letters, other fonts, other sizes.

No deck of the packages carries T K D V, few the Cyrillic or the German letters; here any deck can.
"""

from __future__ import annotations

import functools
import subprocess
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank
from vision.train.art import HEIGHT, WIDTH, ArtDeck
from vision.types import Image

ALPHABETS = ("AKQJ", "TKDV", "ТКДВ", "1RDV", "ARDV", "AKDB", "AKDB", "AKQJ")  # ace, king, queen, jack
_NOT_LETTERS = ("Emoji", "Symbol", "Math", "Music")


@dataclass(frozen=True)
class Style:
    """How a deck's indices are set. `suit_font` None: the deck's own suit signs stay."""

    alphabet: str
    font: str
    suit_font: str | None
    scale: float
    rank_part: float
    rank_aspect: float
    suit_aspect: float
    red: tuple[int, int, int]
    black: tuple[int, int, int]

    @classmethod
    def random(cls, rng: np.random.Generator) -> Style:
        """Any style; now and then jumbo indices."""
        large = float(rng.choice([1, 1, 1, 1.15, 1.4, 1.8])) if rng.random() < 0.5 else rng.uniform(0.8, 1.2)
        own_suits = rng.random() < 0.4 and large < 1.3
        suit_fonts = fonts_with("2660 2663 2665 2666")
        fonts = fonts_with("0414 0422 0041")
        grey = int(rng.integers(0, 55))
        return cls(
            ALPHABETS[rng.integers(len(ALPHABETS))],
            fonts[rng.integers(len(fonts))],
            None if own_suits else suit_fonts[rng.integers(len(suit_fonts))],
            float(large),
            float(rng.uniform(0.45, 0.65)),
            float(rng.uniform(0.65, 1.1)),
            float(rng.uniform(0.8, 1.1)),
            (int(rng.integers(10, 70)), int(rng.integers(0, 60)), int(rng.integers(150, 240))),
            (grey, grey, grey),
        )

    def letters(self, rank: Rank) -> str:
        """What stands for a rank."""
        return self.alphabet[Rank.ACE - rank] if rank > Rank.TEN else str(int(rank))


@functools.cache
def fonts_with(codepoints: str) -> tuple[str, ...]:
    """The installed font files that have these characters (RuntimeError if there is none)."""
    listed = subprocess.run(
        ["fc-list", f":charset={codepoints}", "file"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    files = sorted({line.strip().rstrip(":").strip() for line in listed})
    files = [f for f in files if f.endswith((".ttf", ".otf")) and not any(w in f for w in _NOT_LETTERS)]
    if not files:
        raise RuntimeError(
            "no fonts with the letters of card indices: install fonts-dejavu, fonts-freefont-ttf"
        )
    return tuple(files)


@functools.lru_cache(maxsize=4000)
def glyph(font: str, text: str) -> Image | None:
    """A text as a grey mask, cut close; None if the font draws nothing."""
    from PIL import Image as Pictures
    from PIL import ImageDraw, ImageFont

    sheet = Pictures.new("L", (400, 200), 0)
    ImageDraw.Draw(sheet).text((60, 40), text, font=ImageFont.truetype(font, 96), fill=255)
    mask = np.asarray(sheet, np.uint8)
    ys, xs = np.nonzero(mask > 60)
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] if len(ys) else None


Box = tuple[float, float, float, float]


def typeset(face: Image, card: Card, deck: ArtDeck, style: Style) -> tuple[Image, Box]:
    """The face with its indices in another style, and where the top left one now stands."""
    left, top, right, bottom = deck.index
    rank = glyph(style.font, style.letters(card.rank))
    if deck.gap is None or rank is None:
        return face, deck.index
    layer = np.zeros((HEIGHT, WIDTH), np.uint8)
    aspect = rank.shape[1] / rank.shape[0] * style.rank_aspect
    suit = glyph(style.suit_font, str(card.suit)) if style.suit_font is not None else None
    if suit is None:
        # The deck's suit sign stays; the rank is written into the old one's place.
        box = deck.index
        high = deck.gap - top - 2
        _put(layer, rank, (left + right) / 2, top, min(high * aspect, max((right - left) * 1.25, 20)), high)
        cleared_to = deck.gap
    else:
        high = (bottom - top) * style.scale
        wide = max(right - left, 14) * style.scale
        rank_high = high * style.rank_part
        rank_wide = min(rank_high * aspect, wide * (1.25 if card.rank == Rank.TEN else 1.1))
        x0, y0 = max(5.0, left - 1.5), max(5.0, top - 1.5)
        box = (x0, y0, x0 + max(rank_wide, wide), y0 + high)
        middle = (box[0] + box[2]) / 2
        suit_high = high * (0.94 - style.rank_part)
        _put(layer, rank, middle, y0, rank_wide, rank_high)
        _put(layer, suit, middle, y0 + rank_high + high * 0.06, suit_high * style.suit_aspect, suit_high)
        cleared_to = max(box[3], bottom) + 2
    clear = np.zeros((HEIGHT, WIDTH), bool)
    clear_left, clear_right = max(4, int(min(left, box[0]) - 3)), int(max(right, box[2]) + 3)
    clear[max(4, int(min(top, box[1]) - 3)) : int(cleared_to), clear_left:clear_right] = True
    colour = style.red if card.suit.red else style.black
    paper = np.median(face[20:330, 20:230, :3].reshape(-1, 3), axis=0)
    ends = [(layer, clear)]
    if deck.four:
        moved = np.zeros_like(layer)
        moved[:, WIDTH - clear_right : WIDTH - clear_left] = layer[:, clear_left:clear_right]
        ends.append((moved, clear[:, ::-1]))
    new = face.copy()
    for ink, empty in ends:
        _print(new, ink, empty, colour, paper)
        _print(new, ink[::-1, ::-1], empty[::-1, ::-1], colour, paper)
    return new, box


def _put(layer: Image, mask: Image, middle: float, top: float, wide: float, high: float) -> None:
    w, h = max(3, round(wide)), max(3, round(high))
    x, y = round(middle - w / 2), round(top)
    if x < 0 or y < 0 or x + w > WIDTH or y + h > HEIGHT:
        return
    scaled = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    layer[y : y + h, x : x + w] = np.maximum(layer[y : y + h, x : x + w], scaled)


def _print(
    face: Image, ink: Image, empty: NDArray[np.bool_], colour: tuple[int, int, int], paper: Any
) -> None:
    colours = face[..., :3].astype(np.float32)
    colours[empty] = paper
    part = (ink / 255.0)[..., None]
    face[..., :3] = (colours * (1 - part) + np.array(colour, np.float32) * part).astype(np.uint8)
