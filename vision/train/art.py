"""Card art to learn from: the sheets of Debian's card packages, cut into single cards.

A sheet is a drawing of 13×5 cards: clubs, diamonds, hearts, spades from the ace to the king, and in the
fifth row two jokers and a back. The packages are fetched by name, unpacked beside the pool, and
never become part of the project.
"""

from __future__ import annotations

import pickle
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, Suit
from vision.types import Image

PACKAGES = ("gnome-cards-data", "aisleriot")
WIDTH, HEIGHT = 250, 350
_SHEET_WIDTH = 13 * WIDTH
_ROWS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
# Not French-suited, without indices, or the same drawings under a second name.
_LEFT_OUT = frozenset(
    {"swiss-xvii", "simplistic", "gnomangelo_bitmap", "anglo_bitmap", "Атласные", "tango_nuevo", "ornamental"}
)
_NO_ACES = frozenset({"slavic_costumes"})  # their aces carry no index


@dataclass(frozen=True, eq=False)
class ArtDeck:
    """A deck of art: faces 350×250×4 (BGRA), and where their index stands, in pixels of the face.

    `index`: left, top, right, bottom of the index in the top left corner; `gap`: the height between
    its rank and its suit; `four`: there is one in every corner. `others`: jokers and the back.
    """

    name: str
    faces: dict[Card, Image]
    others: tuple[Image, ...]
    index: tuple[float, float, float, float]
    gap: float | None
    four: bool


def fetch(folder: Path) -> list[Path]:
    """The sheets of the packages, fetched with apt-get and unpacked; RuntimeError says what is missing."""
    for tool in ("apt-get", "dpkg-deb", "rsvg-convert"):
        if shutil.which(tool) is None:
            raise RuntimeError(
                f"{tool} is needed to fetch the card art (Debian package librsvg2-bin, apt, dpkg)"
            )
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.deb")):
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", str(package), str(folder / package.stem)], check=True)
    return sorted(path for path in folder.rglob("cards/*.svgz") if path.stem not in _LEFT_OUT)


def make(folder: Path) -> Path:
    """Fetches the art, cuts it up, and keeps it in one file."""
    decks = []
    for sheet in fetch(folder):
        picture = folder / f"{sheet.stem}.png"
        if not picture.exists():
            command = ["rsvg-convert", "--unlimited", "--keep-aspect-ratio", "-w", str(_SHEET_WIDTH)]
            subprocess.run([*command, str(sheet), "-o", str(picture)], check=True, stderr=subprocess.DEVNULL)
        deck = cut(sheet.stem, np.asarray(cv2.imread(str(picture), cv2.IMREAD_UNCHANGED), np.uint8))
        if deck is not None:
            decks.append(deck)
    target = folder / "decks.pickle"
    target.write_bytes(pickle.dumps(decks))
    return target


def cut(name: str, sheet: Image) -> ArtDeck | None:
    """The deck of a sheet; None if no index can be found on its twos and threes."""
    high, wide = sheet.shape[0] / 5, sheet.shape[1] / 13

    def cell(row: int, column: int) -> Image | None:
        part = sheet[
            round(row * high) : round((row + 1) * high), round(column * wide) : round((column + 1) * wide)
        ]
        ys, xs = np.nonzero(part[..., 3] > 128)
        if len(ys) < 500:
            return None
        part = part[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        return np.asarray(cv2.resize(part, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)

    faces = {}
    for row, suit in enumerate(_ROWS):
        for column in range(13):
            if column == 0 and name in _NO_ACES:
                continue
            face = cell(row, column)
            if face is not None:
                faces[Card.of(suit, Rank.ACE if column == 0 else Rank(column + 1))] = face
    others = tuple(face for face in (cell(4, column) for column in range(3)) if face is not None)
    plain = [faces[c] for s in _ROWS for r in (Rank.TWO, Rank.THREE) if (c := Card.of(s, r)) in faces]
    boxes = [box for box in map(index_box, plain) if box is not None]
    if len(faces) < 40 or len(boxes) < 4:
        return None
    left, top, right, bottom = (float(v) for v in np.median([box[:4] for box in boxes], axis=0))
    gaps = [box[4] for box in boxes if box[4] is not None]
    mirrored = [index_box(np.asarray(face[:, ::-1], np.uint8)) is not None for face in plain]
    return ArtDeck(
        name, faces, others, (left, top, right, bottom),
        float(np.median(gaps)) if len(gaps) >= 3 else None, sum(mirrored) > len(mirrored) / 2,
    )  # fmt: skip


def index_box(face: Image) -> tuple[float, float, float, float, float | None] | None:
    """Left, top, right, bottom and gap of the index of a two or a three: all the ink in its corner."""
    colours = face[..., :3].astype(int)
    paper = np.median(colours[10:340, 15:235].reshape(-1, 3), axis=0)
    ink = (np.abs(colours - paper).sum(axis=2) > 120) & (face[..., 3] > 200)
    ink[:6] = False
    ink[:, :5] = False
    corner: NDArray[np.bool_] = ink[:140, :75]
    _, _, stats, _ = cv2.connectedComponentsWithStats(corner.astype(np.uint8))
    parts = [
        (x, y, x + w, y + h)
        for x, y, w, h, area in stats[1:].tolist()
        if area > 25 and x + w < 74 and y + h < 138 and h < 90
    ]
    if not parts:
        return None
    left, top = min(p[0] for p in parts), min(p[1] for p in parts)
    right, bottom = max(p[2] for p in parts), max(p[3] for p in parts)
    empty = np.flatnonzero(~corner[top:bottom, left:right].any(axis=1))
    empty = empty[(empty > (bottom - top) * 0.3) & (empty < (bottom - top) * 0.8)]
    gap = float(top + empty.mean()) if len(empty) else None
    return float(left), float(top), float(right), float(bottom), gap
