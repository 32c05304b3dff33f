"""A taught deck: what each of its cards looks like, and which of them a flattened card is.

A card's picture is turned into its local contrast: each channel against its own surroundings. Exposure,
tint and uneven light fall out of that, what is printed stays. Two such pictures are compared block by
block, at a few small shifts and both ways up. A block that is like neither card (another card lies over
it, a finger, glare) costs no more than a fixed amount, so what can be seen decides.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, NotationError, parse_card
from vision.types import Image, Outline

Floats: TypeAlias = NDArray[np.float32]

FLAT_WIDTH, FLAT_HEIGHT = 128, 176  # pixels of a flattened card: two a millimetre, a little wider than true
_VERSION = 1
_KIND = "kortstalis deck"
_ROWS, _COLUMNS = 88, 64  # of a descriptor: one pixel a millimetre
_BLOCK_ROWS, _BLOCK_COLUMNS = 11, 8  # of it: 8×8 blocks; a rank fills one, its suit the one below
_DOWN, _ACROSS = _ROWS // _BLOCK_ROWS, _COLUMNS // _BLOCK_COLUMNS
_EDGE = 2  # descriptor pixels at the border that are not compared: the table, or the card's own shadow
_REACH = 3  # descriptor pixels that an outline may be off
_AROUND = 6.0  # sigma of the surroundings, descriptor pixels: about a pip
_SHORTLIST = 12  # cards that are compared in full
_NOISE = 0.03  # contrast that a block of blank paper may have
_PRINT = 0.02  # mean square contrast of a block that counts as printed in full
_STRANGE = 0.5  # a block further off than this is not this card's, or covered; 1: nothing in common
_ALIKE = 0.3  # blocks less far off than this speak for a card of which only a part is seen
_INDEX = 2.0  # how much more the corners count there, where the indices are
_SMALL = 240_000  # multiplications of a matrix product
_SHARP = 9.0  # how much one block's distance counts in the logarithm of a probability


class DeckFileError(Exception):
    """A deck file that cannot be used; its text says which and why, in one line."""


@dataclass(frozen=True)
class Match:
    """What a taught deck says of a flattened card.

    `scores`: probabilities over the deck's cards, best first, given that it is one of them. `turned`: it
    lies head down in the picture. `seen`: the part of its printed blocks that look as the best card's do.
    `distance`: how far those are off, 0 to `_STRANGE`. `worst`: the same of the block least like it.
    """

    scores: tuple[tuple[Card, float], ...]
    turned: bool
    seen: float
    distance: float
    worst: float

    @property
    def fits(self) -> bool:
        """Whether nearly all of it looks like the best card: then it is a card of this deck, seen whole."""
        return self.seen > 0.8 and self.distance < 0.2

    @property
    def fits_well(self) -> bool:
        """The same, so well that it tells that an outline is a card's at all."""
        return self.seen > 0.9 and self.distance < 0.13

    @property
    def fits_partly(self) -> bool:
        """Whether enough looks like the best card to say that it is one of this deck."""
        return self.seen > 0.25 and self.distance < 0.22

    @property
    def card(self) -> Card:
        return self.scores[0][0]

    @property
    def confidence(self) -> float:
        return self.scores[0][1]


def flattened(image: Image, outline: Outline) -> Image:
    """The card inside an outline as a picture of 176×128 pixels, whichever end is the top."""
    size = np.array([FLAT_WIDTH, FLAT_HEIGHT], np.float32)
    target = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size - 0.5
    source = np.asarray(outline.corners, np.float32)
    sides = np.linalg.norm(source - np.roll(source, 1, axis=0), axis=1)
    shrink = float(sides.max()) / FLAT_HEIGHT
    if shrink > 1.5:  # much larger than what is looked at: shrink the picture first, against aliasing
        left, top = np.maximum(np.floor(source.min(axis=0)).astype(int) - 4, 0)
        right, bottom = np.ceil(source.max(axis=0)).astype(int) + 5
        part = image[top:bottom, left:right]
        if part.size:
            factor = 1.0 / shrink
            image = np.asarray(
                cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
            )
            source = (source - (left, top) + 0.5).astype(np.float32) * np.float32(factor) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    flat = cv2.warpPerspective(
        image, matrix, (FLAT_WIDTH, FLAT_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)


def covered_parts(outline: Outline, above: Sequence[Outline]) -> Floats:
    """8×8, from 0 to 1: how much of each part of a card lies under other cards."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (_COLUMNS, _ROWS)
    onto = cv2.getPerspectiveTransform(
        np.asarray(outline.corners, np.float32), np.asarray(unit - 0.5, np.float32)
    )
    cover = np.zeros((_ROWS, _COLUMNS), np.uint8)
    for other in above:
        corners = cv2.perspectiveTransform(np.asarray(other.corners, np.float32)[None], onto)[0]
        shape = np.clip(np.rint(corners), -2000, 2000).astype(np.int32)
        cv2.fillConvexPoly(cover, shape, (1,))
        cv2.polylines(cover, [shape], True, (1,), 2)  # its shadow, and what its outline may be off
    parts = cover.reshape(_DOWN, _BLOCK_ROWS, _ACROSS, _BLOCK_COLUMNS).mean(axis=(1, 3))
    return np.asarray(parts, np.float32)


def descriptor(flat: Image) -> Floats:
    """The local contrast of a flattened card, 88×64×3, 0 on the border; -1 is black on white."""
    small = cv2.resize(flat, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    inner = small[_EDGE:-_EDGE, _EDGE:-_EDGE] + np.float32(0.06)
    # Blurring first makes sharp and soft pictures of one card alike.
    inner = np.asarray(cv2.GaussianBlur(inner, (0, 0), 0.8), np.float32)
    around = cv2.GaussianBlur(inner, (0, 0), _AROUND, borderType=cv2.BORDER_REFLECT)
    contrast = np.clip(inner / around - 1, -1, 1)
    framed = cv2.copyMakeBorder(contrast, _EDGE, _EDGE, _EDGE, _EDGE, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(framed, np.float32)


@dataclass(frozen=True, eq=False)
class TaughtDeck:
    """The art of a deck's cards. `cards[n]` looks like `art[n]`, a descriptor (uint8, 88×64×3, see
    `_packed`); a card may be there more than once (three different Viziriai). `date`: as ISO 8601."""

    name: str
    date: str
    cards: tuple[Card, ...]
    art: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if not self.cards or self.art.shape != (len(self.cards), _ROWS, _COLUMNS, 3):
            raise ValueError(f"{len(self.cards)} cards with art of shape {self.art.shape}")

    @classmethod
    def of(cls, name: str, date: str, shown: Sequence[tuple[Card, Image]]) -> TaughtDeck:
        """From flattened pictures of its cards (ValueError for none)."""
        art = [_packed(descriptor(flat)) for _, flat in shown]
        return cls(
            name, date, tuple(card for card, _ in shown), np.asarray(art).reshape(-1, _ROWS, _COLUMNS, 3)
        )

    def save(self) -> bytes:
        """The content of a `.deck` file."""
        out = io.BytesIO()
        texts = {"kind": _KIND, "version": str(_VERSION), "name": self.name, "date": self.date}
        np.savez_compressed(
            out,
            art=self.art,
            cards=np.array([card.ascii for card in self.cards]),
            about=np.array([f"{key}={value}" for key, value in texts.items()]),
        )
        return out.getvalue()

    @classmethod
    def load(cls, path: Path) -> TaughtDeck:
        """Reads a `.deck` file; DeckFileError in one line for anything else."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise DeckFileError(f"{path}: {error.strerror or error}") from None
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as stored:
                about = dict(str(line).split("=", 1) for line in stored["about"])
                names, art = [str(name) for name in stored["cards"]], stored["art"]
        except (ValueError, KeyError, OSError, EOFError, TypeError, zipfile.BadZipFile):
            raise DeckFileError(f"{path}: not a taught deck (kortstalis enroll makes one)") from None
        except Exception as error:  # a damaged archive fails in as many ways as zlib and zipfile know
            raise DeckFileError(f"{path}: damaged: {str(error).splitlines()[0]}") from None
        if about.get("kind") != _KIND:
            raise DeckFileError(f"{path}: not a taught deck (kortstalis enroll makes one)")
        if about.get("version") != str(_VERSION):
            raise DeckFileError(f"{path}: made by another version ({about.get('version')}): teach it again")
        try:
            cards = tuple(parse_card(name) for name in names)
            if art.dtype != np.uint8:
                raise ValueError("art of another kind")
            return cls(about.get("name", ""), about.get("date", ""), cards, art)
        except (NotationError, ValueError) as error:
            raise DeckFileError(f"{path}: damaged: {error}") from None

    @cached_property
    def _fine(self) -> Floats:
        """The art as blocks: blocks × cards × values of a block."""
        return np.ascontiguousarray(_blocks(_unpacked(self.art), 1).transpose(1, 0, 2))

    @cached_property
    def _coarse(self) -> Floats:
        return np.ascontiguousarray(_blocks(_halved(_unpacked(self.art)), 2).transpose(1, 0, 2))

    def match(self, flat: Image, whole: bool = True, covered: Floats | None = None) -> Match:
        """Which card a flattened picture is, in a few milliseconds.

        `whole`: nothing lies over it. `covered`: 8×8, from 0 to 1, how much of each part of it something
        lies over, where that is known; else parts that leave one corner free are tried.
        """
        seen = descriptor(flat)
        both = np.stack([seen, seen[::-1, ::-1]])
        every = [(dy, dx) for dy in range(-2, 3) for dx in range(-2, 3)]
        free = _CORNERS if covered is None and not whole else _free_of(covered)
        rough = _distances(_shifted(_halved(both), every, 1), self._coarse, 2)
        half, count = _free_halved(free), len(every)
        ways = (free, free[:, ::-1])  # the picture head down has what covers it head down, too
        costs = np.stack([
            _cost(rough[0][:count], rough[1][:count], half),
            _cost(rough[0][count:], rough[1][count:], half[:, ::-1]),
        ])  # fmt: skip
        nearest = costs.min(axis=(0, 1))
        listed = np.argsort(nearest, kind="stable")[:_SHORTLIST]
        # Around where the shortlist fits best, both ways up.
        near: dict[tuple[int, int, int], None] = {}
        for n in listed[:4]:
            way, at = np.unravel_index(int(costs[:, :, n].argmin()), costs.shape[:2])
            dy, dx = every[int(at)]
            for y in range(-1, 2):
                for x in range(-1, 2):
                    near[int(way), 2 * dy + y, 2 * dx + x] = None
        shifts = sorted(near)
        heads = sum(way == 0 for way, _, _ in shifts)
        queries = np.concatenate([_shifted(both[way : way + 1], [(dy, dx)], _EDGE) for way, dy, dx in shifts])
        far, printed = _distances(queries, np.ascontiguousarray(self._fine[:, listed]), 1)
        cost = np.concatenate(
            [_cost(far[:heads], printed[:heads], ways[0]), _cost(far[heads:], printed[heads:], ways[1])]
        )  # shifts × listed
        best_shift = cost.argmin(axis=0)
        least = cost.min(axis=0)
        winner = int(least.argmin())
        every_cost = np.maximum(nearest, float(least.max()))
        every_cost[listed] = least
        # What is seen of a covered card may be another card's: the same difference says less.
        sharp = _SHARP if whole else _SHARP / 2
        logs = -sharp * (every_cost - every_cost.min())
        chances = np.exp(logs)
        scores: dict[Card, float] = {}
        for card, chance in zip(self.cards, chances / chances.sum(), strict=True):
            scores[card] = scores.get(card, 0.0) + float(chance)
        own = far[int(best_shift[winner]), :, winner]
        art = self._printed[:, int(listed[winner])]
        like = art * (own < _STRANGE)
        part = float(like.sum() / max(1e-6, float(art.sum())))
        off = float((like * own).sum() / max(1e-6, float(like.sum())))
        ranked = tuple(sorted(scores.items(), key=lambda pair: -pair[1]))
        return Match(ranked, bool(shifts[int(best_shift[winner])][0]), part, off, float(own.max()))

    @cached_property
    def _printed(self) -> Floats:
        """How much is printed in each block: blocks × cards, 0 to 1."""
        return _print_of(np.square(self._fine).mean(axis=2))


def _print_of(energy: Floats) -> Floats:
    """How much print there is in blocks of a mean square contrast: 0 for blank paper, at most 1."""
    return np.asarray(np.minimum(1.0, energy / _PRINT), np.float32)


def _cost(distances: Floats, printed: Floats, free: Floats) -> Floats:
    """Pictures × cards: how badly each card fits, in blocks. `free` (any number × blocks): what of the card
    may be seen.

    Where that is known, the distance of each block seen counts, though none more than a strange one. Where
    it is not, blocks with print alike speak for a card, others against it, blank ones not at all, and of
    the parts that may be seen the one that fits best counts.
    """
    pictures, blocks, cards = distances.shape
    if not pictures:
        return np.zeros((0, cards), np.float32)
    if len(free) == 1:
        return np.asarray(np.einsum("pbc,b->pc", np.minimum(distances, _STRANGE), free[0]), np.float32)
    gain = (printed * (_ALIKE - distances)).transpose(1, 0, 2).reshape(blocks, -1)
    return np.asarray(-_product(free, gain).max(axis=0).reshape(pictures, cards), np.float32)


def _product(a: Floats, b: Floats) -> Floats:
    """a @ b in pieces so small that numpy does not share them out to threads, which take longer to start."""
    step = max(1, _SMALL // a.size)
    return np.concatenate([a @ b[:, n : n + step] for n in range(0, b.shape[1], step)], axis=1)


def _corner_parts() -> Floats:
    """What is free of a card on which another lies, one corner at least: parts × blocks, in 8×8."""
    parts = []
    for high in (0, 2, 3, 4, 5):
        for wide in (0, 1, 2, 3, 4, 5):
            if high or wide:
                free = np.zeros((_DOWN, _ACROSS), np.float32)
                free[:high] = free[:, :wide] = 1
                parts += [free, free[::-1], free[:, ::-1], free[::-1, ::-1]]
    return np.asarray(parts, np.float32).reshape(len(parts), -1) * _WEIGHTS


def _weights() -> Floats:
    """1 × blocks: how much each counts on a card partly covered: the corners, where the indices are, more."""
    weights = np.ones((_DOWN, _ACROSS), np.float32)
    for rows in (slice(0, 3), slice(-3, None)):
        for columns in (slice(0, 1), slice(-1, None)):
            weights[rows, columns] = _INDEX
    return weights.reshape(1, -1)


def _free_of(covered: Floats | None) -> Floats:
    """1 × blocks: how much each block counts; what is half covered counts little."""
    if covered is None:
        return _WHOLE
    return np.asarray(np.clip(1 - 2 * covered, 0, 1), np.float32).reshape(1, -1) * _WEIGHTS


def _free_halved(free: Floats) -> Floats:
    """Parts of 8×8 blocks for blocks of twice the height."""
    return np.asarray(free.reshape(len(free), _DOWN // 2, 2, _ACROSS).min(axis=2), np.float32).reshape(
        len(free), -1
    )


def _packed(contrast: Floats) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.rint(contrast * 127 + 128), 0, 255), np.uint8)


def _unpacked(art: NDArray[np.uint8]) -> Floats:
    return (art.astype(np.float32) - np.float32(128)) / np.float32(127)


def _halved(pictures: Floats) -> Floats:
    """N×88×64×3 as N×44×32×3."""
    n, rows, columns, _ = pictures.shape
    return np.asarray(pictures.reshape(n, rows // 2, 2, columns // 2, 2, 3).mean(axis=(2, 4)), np.float32)


def _blocks(pictures: Floats, halved: int) -> Floats:
    """N×rows×columns×3 as N × blocks × values of a block. Halved pictures have blocks of twice the height."""
    n, rows, columns, _ = pictures.shape
    high, wide = _BLOCK_ROWS, _BLOCK_COLUMNS // halved
    cut = pictures.reshape(n, rows // high, high, columns // wide, wide, 3)
    return np.asarray(cut.transpose(0, 1, 3, 2, 4, 5).reshape(n, -1, high * wide * 3), np.float32)


def _shifted(pictures: Floats, shifts: Sequence[tuple[int, int]], edge: int) -> Floats:
    """Each picture moved by each shift (rows, columns), its border blanked: (N·shifts)×rows×columns×3."""
    n, rows, columns, _ = pictures.shape
    reach = max(max(abs(dy), abs(dx)) for dy, dx in shifts)
    wide = np.pad(pictures, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    moved = np.stack(
        [wide[:, reach + dy : reach + dy + rows, reach + dx : reach + dx + columns] for dy, dx in shifts], 1
    ).reshape(n * len(shifts), rows, columns, 3)
    moved[:, :edge] = moved[:, -edge:] = 0
    moved[:, :, :edge] = moved[:, :, -edge:] = 0
    return moved


def _distances(pictures: Floats, art: Floats, halved: int) -> tuple[Floats, Floats]:
    """How far each block is off: pictures × blocks × cards; 0 alike, 1 nothing in common, 2 the opposite.
    And how much is printed in each block, in the picture or on the card: the same shape.

    `art`: blocks × cards × values. Blank paper is at no distance from blank paper.
    """
    blocks = np.ascontiguousarray(_blocks(pictures, halved).transpose(1, 0, 2))
    turned = art.transpose(0, 2, 1)
    step = max(1, _SMALL // (blocks.shape[2] * art.shape[1]))
    common = np.concatenate([blocks[:, n : n + step] @ turned for n in range(0, blocks.shape[1], step)], 1)
    own = np.square(blocks).sum(axis=2)
    theirs = np.square(art).sum(axis=2)[:, None, :]
    total = own[:, :, None] + theirs
    apart = np.maximum(total - 2 * common, 0) / (total + blocks.shape[2] * _NOISE**2)
    printed = _print_of(np.maximum(own[:, :, None], theirs) / blocks.shape[2])
    return _pictures_first(apart), _pictures_first(printed)


def _pictures_first(values: Floats) -> Floats:
    return np.asarray(values.transpose(1, 0, 2), np.float32)


_WHOLE: Floats = np.ones((1, _DOWN * _ACROSS), np.float32)
_WEIGHTS: Floats = _weights()
_CORNERS: Floats = _corner_parts()
