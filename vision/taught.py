"""A taught deck: what each of its cards looks like, and which of them a flattened card is.

A card's picture is turned into its local contrast (vision.flat) and compared with every card's block by
block (vision.blocks), at a few small shifts and both ways up; where it does not lie exactly, it is laid on
the likeliest cards (vision.align) and compared again.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, NotationError, parse_card
from vision.align import aligned
from vision.blocks import (
    CORNERS,
    STRANGE,
    blocks,
    cost_of,
    distances,
    free_halved,
    free_of,
    print_of,
    shifted,
)
from vision.flat import (
    COLUMNS,
    EDGE,
    FLAT_HEIGHT,
    FLAT_WIDTH,
    ROWS,
    Floats,
    descriptor,
    halved,
    packed,
    unpacked,
)
from vision.types import Image

_VERSION = 1
_KIND = "kortstalis deck"
_SHORTLIST = 12  # cards that are compared in full
_SHARP = 9.0  # how much one block's distance counts in the logarithm of a probability
_EXACT = 0.045  # distance above which the picture is laid exactly on each of the likeliest cards
_DECIDED = 0.9999  # or confidence below which it is
_ALIGNED = 5  # cards, each way up counted, on which it is laid
_BLURRED = 0.05  # distance with which differences between cards say half as much


class DeckFileError(Exception):
    """A deck file that cannot be used; its text says which and why, in one line."""


@dataclass(frozen=True)
class Match:
    """What a taught deck says of a flattened card.

    `scores`: probabilities over the deck's cards, best first, given that it is one of them. `turned`: it
    lies head down in the picture. `seen`: the part of its printed blocks that look as the best card's do.
    `distance`: how far those are off, 0 to `STRANGE`. `worst`: the same of the block least like it.
    `corners`: where the card lies in the flattened picture, 4×2, its pixels, if it was laid exactly.
    """

    scores: tuple[tuple[Card, float], ...]
    turned: bool
    seen: float
    distance: float
    worst: float
    corners: Floats | None = None

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


@dataclass(frozen=True, eq=False)
class _Near:
    """How near a picture is to each card, each way up. `cost`: 2 × cards, less is nearer; `shift`: 2 × cards
    × 2, the rows and columns at which it is nearest; `off`: 2 × cards × blocks; `corners`:
    of the cards on which it was laid exactly, by way and number."""

    cost: Floats
    shift: NDArray[np.int_]
    off: Floats
    corners: dict[tuple[int, int], Floats] = field(default_factory=dict)

    @property
    def best(self) -> tuple[int, int]:
        """The way up and the number of the nearest card."""
        way, card = np.unravel_index(int(self.cost.argmin()), self.cost.shape)
        return int(way), int(card)


@dataclass(frozen=True, eq=False)
class TaughtDeck:
    """The art of a deck's cards. `cards[n]` looks like `art[n]`, a descriptor (uint8, 88×64×3, see
    `packed`); a card may be there more than once (three different Viziriai). `date`: as ISO 8601."""

    name: str
    date: str
    cards: tuple[Card, ...]
    art: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if not self.cards or self.art.shape != (len(self.cards), ROWS, COLUMNS, 3):
            raise ValueError(f"{len(self.cards)} cards with art of shape {self.art.shape}")

    @classmethod
    def of(cls, name: str, date: str, shown: Sequence[tuple[Card, Image]]) -> TaughtDeck:
        """From flattened pictures of its cards (ValueError for none)."""
        art = [packed(descriptor(flat)) for _, flat in shown]
        return cls(
            name, date, tuple(card for card, _ in shown), np.asarray(art).reshape(-1, ROWS, COLUMNS, 3)
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
        return np.ascontiguousarray(blocks(unpacked(self.art), 1).transpose(1, 0, 2))

    @cached_property
    def _coarse(self) -> Floats:
        return np.ascontiguousarray(blocks(halved(unpacked(self.art)), 2).transpose(1, 0, 2))

    @cached_property
    def rough(self) -> Floats:
        """The art four times smaller, one pixel every four millimetres: cards × 22 × 16 × 3."""
        return halved(halved(unpacked(self.art)))

    def match(
        self, flat: Image, whole: bool = True, covered: Floats | None = None, exact: bool = False
    ) -> Match:
        """Which card a flattened picture is, in a few milliseconds; twice that where it does not lie exactly.

        `whole`: nothing lies over it. `covered`: 8×8, from 0 to 1, how much of each part of it something
        lies over, where that is known; else parts that leave one corner free are tried. `exact`: lays it
        exactly in any case, so that `distance` is all that differs.
        """
        seen = descriptor(flat)
        free = CORNERS if covered is None and not whole else free_of(covered)
        near = self._nearest(np.stack([seen, seen[::-1, ::-1]]), free)
        unclear = self._fit(near, free)[1] > _EXACT or self._scores(near, free, whole)[0][1] < _DECIDED
        if (exact or unclear) and len(free) == 1:
            self._lay_exactly(near, flat, seen, free, covered)
        part, off = self._fit(near, free)
        ranked = self._scores(near, free, whole)
        return Match(
            ranked,
            bool(near.best[0]),
            part,
            off,
            float(near.off[near.best].max()),
            near.corners.get(near.best),
        )

    def _scores(self, near: _Near, free: Floats, whole: bool) -> tuple[tuple[Card, float], ...]:
        """The probabilities of the cards, the likeliest first."""
        # What is seen of a covered card may be another card's, and a blurred one is like many: the same
        # difference says less.
        sharp = (_SHARP if whole else _SHARP / 2) / (1 + self._fit(near, free)[1] / _BLURRED)
        cost = near.cost.min(axis=0)
        chances = np.exp(-sharp * (cost - cost.min()))
        scores: dict[Card, float] = {}
        for card, chance in zip(self.cards, chances / chances.sum(), strict=True):
            scores[card] = scores.get(card, 0.0) + float(chance)
        return tuple(sorted(scores.items(), key=lambda pair: -pair[1]))

    def _nearest(self, both: Floats, free: Floats) -> _Near:
        """How near a picture, given both ways up, is to every card, at the shifts that suit each best."""
        every = [(dy, dx) for dy in range(-2, 3) for dx in range(-2, 3)]
        rough = distances(shifted(halved(both), every, 1), self._coarse, 2)
        half, count = free_halved(free), len(every)
        ways = (free, free[:, ::-1])  # the picture head down has what covers it head down, too
        costs = np.stack([
            cost_of(rough[0][:count], rough[1][:count], half),
            cost_of(rough[0][count:], rough[1][count:], half[:, ::-1]),
        ])  # fmt: skip
        nearest = costs.min(axis=(0, 1))
        listed = np.argsort(nearest, kind="stable")[:_SHORTLIST]
        # Around where the shortlist fits best; the two likeliest both ways up: a five differs in one pip.
        near: dict[tuple[int, int, int], None] = {}
        for rank, n in enumerate(listed[:4]):
            upright = int(costs[:, :, n].min(axis=1).argmin())
            for up in (upright, 1 - upright)[: 2 if rank < 2 else 1]:
                dy, dx = every[int(costs[up, :, n].argmin())]
                near.update({(up, 2 * dy + y, 2 * dx + x): None for y in range(-1, 2) for x in range(-1, 2)})
        shifts = sorted(near)
        heads = sum(way == 0 for way, _, _ in shifts)
        queries = np.concatenate([shifted(both[way : way + 1], [(dy, dx)], EDGE) for way, dy, dx in shifts])
        far, printed = distances(queries, np.ascontiguousarray(self._fine[:, listed]), 1)
        cost = np.concatenate(
            [cost_of(far[:heads], printed[:heads], ways[0]), cost_of(far[heads:], printed[heads:], ways[1])]
        )  # shifts × listed
        found = _Near(costs.min(axis=1), np.zeros((2, len(nearest), 2), int),
                      np.full((2, len(nearest), len(self._fine)), STRANGE, np.float32))  # fmt: skip
        np.maximum(found.cost, float(cost.min(axis=0).max()), out=found.cost)
        for way, part in enumerate((slice(0, heads), slice(heads, None))):
            if not len(cost[part]):
                continue
            at_best = cost[part].argmin(axis=0)
            found.cost[way, listed] = cost[part].min(axis=0)
            found.shift[way, listed] = np.array(shifts[part])[at_best, 1:]
            found.off[way, listed] = far[part][at_best, :, np.arange(len(listed))]
        return found

    def _lay_exactly(
        self, near: _Near, flat: Image, seen: Floats, free: Floats, covered: Floats | None
    ) -> None:
        """Lays the picture exactly on each of the likeliest cards, and notes how near it comes."""
        likeliest = np.argsort(near.cost, axis=None, kind="stable")[:_ALIGNED]
        for way, n in np.stack(np.unravel_index(likeliest, near.cost.shape), 1).tolist():
            dy, dx = near.shift[way, n].tolist()
            turn = -1 if way else 1
            ours = np.ascontiguousarray(flat[::turn, ::turn])
            upright = np.ascontiguousarray(seen[::turn, ::turn])
            under = None if covered is None else np.ascontiguousarray(covered[::turn, ::turn])
            laid = aligned(ours, upright, unpacked(self.art[n]), (dx, dy), under)
            if laid is None:
                continue
            picture, corners = laid
            shifts = [(y, x) for y in range(-1, 2) for x in range(-1, 2)]
            moved = shifted(descriptor(picture)[None], shifts, EDGE)
            far, printed = distances(moved, np.ascontiguousarray(self._fine[:, n : n + 1]), 1)
            cost = cost_of(far, printed, free[:, ::turn])[:, 0]
            best = int(cost.argmin())
            if cost[best] < near.cost[way, n]:
                near.cost[way, n], near.off[way, n] = cost[best], far[best, :, 0]
                if way:  # as the picture was given
                    corners = np.roll(np.array([FLAT_WIDTH - 1, FLAT_HEIGHT - 1]) - corners, 2, axis=0)
                near.corners[way, n] = corners

    def _fit(self, near: _Near, free: Floats) -> tuple[float, float]:
        """How much of the nearest card's print, where known to be free, is seen; and how far it is off."""
        own, art = near.off[near.best], self._printed[:, near.best[1]]
        if len(free) == 1:
            art = art * (free[0, :: -1 if near.best[0] else 1] > 0)
        like = art * (own < STRANGE)
        part = float(like.sum() / max(1e-6, float(art.sum())))
        return part, float((like * own).sum() / max(1e-6, float(like.sum())))

    @cached_property
    def _printed(self) -> Floats:
        """How much is printed in each block: blocks × cards, 0 to 1."""
        return print_of(np.square(self._fine).mean(axis=2))
