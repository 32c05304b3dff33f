"""One look at the settled table, with what was known to lie there: what landed, what is gone.

Cards that land on a heap have little or no outline of their own that is new; cards under others cannot be
seen to go. Both are told by reading anew where something has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np

from engine.cards import Card
from vision.bare import BareTable
from vision.geometry import TableGeometry, outline_at
from vision.landed import new_cards
from vision.light import Mask
from vision.lying import changed_part, covers, in_sight, polygon, same_place, still_there
from vision.settle import Settled
from vision.types import Face, Image, Outline, Reading

_SAME = 0.6  # overlap (intersection over union) of outlines that are one card's
_HINTED = 0.3  # the same where a card of that face is known to lie under others
_NAMED = 0.6  # confidence from which a face tells that two outlines are one card
_SLIPPED = 0.85  # below it a card has been moved
_BESIDE = 0.3  # from it another card lies in the way
_TOUCHED = 0.008  # the part of a card in sight that must differ before it is read anew
_OPEN = 0.5  # the part of a card in sight with which one can tell whether it lies there
_BARED = 0.2  # the part that must have come into sight for it to be asked
_CLEARED = 0.97  # with so much of it bare no print is there: not even a white card on a white table
_LIKELY_BARE = 0.4
_PRINT = 0.03  # the part of a card that print must take up to be one
_PART = 0.4  # of a card's width and height that its print spans
_WHOLE = 0.95  # the part of its sides in sight from which a card lies on top
_NEW = 0.8  # the part of it that must differ from before
_BARE = 0.6  # the part of an outline that must show the bare table to be no card
_LEFT = 0.02  # the probability from which the known face of a card half hidden is still thought of
_DOUBTFUL = 0.8  # below it a card where others have just gone is taken for what they left behind


class CardReader(Protocol):
    """What the watcher needs of the reader."""

    def read_card(self, image: Image, outline: Outline) -> Reading:
        """Reads the card inside an outline."""

    def read_picture(self, image: Image, card_px: float | None = None) -> tuple[Reading, ...]:
        """Finds and reads the cards in a picture; `card_px`: how high a card is in it, if that is known."""


@dataclass(frozen=True, eq=False)
class KnownCard:
    """A card that lies on the table. `card` None: face down, or not readable."""

    card: Face | None
    confidence: float
    reading: Reading
    area: str | None

    @property
    def outline(self) -> Outline:
        return self.reading.outline


@dataclass(frozen=True)
class Look:
    """`cards`: those known, the undermost first. `bare`: the table without cards, as far as it was seen."""

    settled: Settled
    geometry: TableGeometry
    cards: tuple[KnownCard, ...]
    reader: CardReader
    bare: BareTable
    _read: dict[int, Reading] = field(default_factory=dict)

    def _read_anew(self, n: int) -> Reading:
        """What lies now where the nth known card lay; read once a look."""
        if n not in self._read:
            self._read[n] = self.reader.read_card(self.settled.after, self.cards[n].outline)
        return self._read[n]

    def _bare_part(self, outline: Outline) -> float:
        return self.bare.part(self.settled.small, outline, self.settled.scale)

    def landed(self) -> list[Reading]:
        """The cards that have landed, the undermost first, those just where others lay included."""
        outlines = new_cards(self.settled, self.geometry)
        readings = [self.reader.read_card(self.settled.after, outline) for outline in reversed(outlines)]
        readings = [reading for reading in readings if not self._is_table(reading)]
        unread = [r for r in readings if r.side == "unread" and not self._lies_on_others(r)]
        strange = self._strange([reading for reading in readings if reading not in unread])
        width, height = (size / self.settled.scale for size in self.geometry.card_size_px)
        if not readings or cv2.countNonZero(strange) > _PRINT * width * height:
            found = self._by_indices()
            readings = [r for r in readings if r not in unread or not _beside(r, found)]
            readings += [each for each in found if not _beside(each, readings)]
        if not readings:
            readings = self._unexplained(strange)
        return self._with_those_beneath(self._with_the_same_spots(_each_once(readings)))

    def _with_those_beneath(self, readings: list[Reading]) -> list[Reading]:
        """The readings, and before them cards that landed just before them and lie under them, with little
        more in sight than an index: two were dropped on a heap."""
        rest = cv2.bitwise_and(self.settled.changed, cv2.bitwise_not(self.settled.hidden))
        lay = {known.card for known in self.cards}
        for reading in readings:
            if reading.card is None or reading.card not in lay:
                rest[polygon(reading.outline, self.settled, shrink=-0.08) > 0] = 0
        width, height = (size / self.settled.scale for size in self.geometry.card_size_px)
        if not readings or cv2.countNonZero(rest) < _PRINT * width * height:
            return readings
        known = lay | {reading.card for reading in readings}
        beneath = [
            seen
            for seen in self._by_indices()
            if _sure(seen) and seen.card not in known
            and cv2.countNonZero(cv2.bitwise_and(polygon(seen.outline, self.settled), rest))
        ]  # fmt: skip
        return _each_once(beneath) + readings

    def bared(self, readings: list[Reading]) -> tuple[set[int], list[Reading]]:
        """Known cards that lie where they lay and are only seen again, because what lay on them was taken;
        and the readings that are left. The outlines of covered ones are less exact."""
        bared, left = set(), []
        for reading in readings:
            same = [
                n
                for n, known in enumerate(self.cards)
                if reading.card is not None and known.card == reading.card and self._again(n, reading)
            ]
            bared.update(same)
            if not same:
                left.append(reading)
        return bared, left

    def _again(self, n: int, reading: Reading) -> bool:
        """Whether a reading of the nth card's face is of that card, where it lay."""
        under = _under_others(self.cards, n)
        agrees = same_place(self.cards[n].outline, reading.outline)
        return reading.confidence >= (_HINTED if under else _NAMED) and agrees > (
            _SAME if under else _SLIPPED
        )

    def gone(self, bared: set[int], fresh: list[Mask]) -> set[int]:
        """The known cards that are gone, by their number. `bared`: those seen again; `fresh`: the shapes of
        the cards that have landed."""
        outlines = [known.outline for known in self.cards]
        gone = {
            n
            for n in range(len(outlines))
            if n not in bared
            and not still_there(self.settled, outlines, n, fresh)
            and not self._reads_there(n)
        } | self._once_above(bared)
        return gone | self._uncovered_and_gone(gone, bared, fresh)

    def _reads_there(self, n: int) -> bool:
        """Whether the nth known card is read where it lay, whatever has changed there: another lies on it."""
        if self._bare_part(self.cards[n].outline) > _CLEARED:
            return False
        reading = self._read_anew(n)
        return _sure(reading) and reading.card == self.cards[n].card

    def _by_indices(self) -> list[Reading]:
        """Cards of which only the print differs from the table, as white ones on white cloth: found by
        the indices in what has changed."""
        ys, xs = np.nonzero(self.settled.changed)
        if len(xs) == 0:
            return []
        reach = max(self.geometry.card_size_px)
        height, width = self.settled.after.shape[:2]
        left = max(0, int(xs.min() * self.settled.scale - reach))
        top = max(0, int(ys.min() * self.settled.scale - reach))
        right = min(width, int((xs.max() + 1) * self.settled.scale + reach))
        bottom = min(height, int((ys.max() + 1) * self.settled.scale + reach))
        if (right - left) * (bottom - top) > 0.5 * width * height:
            return []
        found = []
        offset = np.array([left, top], np.float32)
        part = np.ascontiguousarray(self.settled.after[top:bottom, left:right])
        for seen in self.reader.read_picture(part, reach):
            outline = _card_shaped(
                Outline(seen.outline.corners + offset, seen.outline.visible), self.geometry
            )
            changed = cv2.countNonZero(cv2.bitwise_and(polygon(outline, self.settled), self.settled.changed))
            known = any(
                same_place(card.outline, outline) > _SAME and _may_be(seen, card.card) for card in self.cards
            )
            if seen.confidence >= _NAMED and changed and not known:
                found.append(replace(seen, outline=outline))
        return found

    def _strange(self, readings: Sequence[Reading]) -> Mask:
        """What has changed, is not the bare table, and belongs to none of these cards nor a known one."""
        strange = np.asarray(
            cv2.bitwise_and(self.settled.changed, self.bare.strange(self.settled.small)), np.uint8
        )
        for outline in (*(known.outline for known in self.cards), *(each.outline for each in readings)):
            strange[polygon(outline, self.settled, shrink=-0.08) > 0] = 0
        strange[self.settled.hidden > 0] = 0
        return strange

    def _unexplained(self, strange: Mask) -> list[Reading]:
        """Something the size of a card that lies where nothing lay, without an outline or an index to be
        seen, as a white joker on white cloth: a card that cannot be read."""
        width, height = (size / self.settled.scale for size in self.geometry.card_size_px)
        if cv2.countNonZero(strange) < _PRINT * width * height:
            return []
        (x, y), sides, angle = cv2.minAreaRect(cv2.findNonZero(strange))
        if sides[0] > sides[1]:
            sides, angle = (sides[1], sides[0]), angle + 90
        if not (_PART * width < sides[0] < 1.15 * width and _PART * height < sides[1] < 1.15 * height):
            return []
        middle = self.geometry.to_table(np.array([[x, y]]) * self.settled.scale)[0]
        return [Reading(outline_at(self.geometry, float(middle[0]), float(middle[1]), angle), (), "unread")]

    def _lies_on_others(self, reading: Reading) -> bool:
        """Whether something without a face to be read lies on the cards that are read beside it: all of it is
        seen and new, and no card lay just there, which might have been taken off what is seen now."""
        if reading.side == "up" or reading.outline.visible < _WHOLE:
            return False
        shape = polygon(reading.outline, self.settled, shrink=0.06)
        there = any(same_place(known.outline, reading.outline) > _SLIPPED for known in self.cards)
        return not there and covers([self.settled.changed], shape) > _NEW

    def _is_table(self, reading: Reading) -> bool:
        """Whether what looked like a card is the table again, where cards were taken away."""
        return not _sure(reading) and self._bare_part(reading.outline) > _BARE

    def _with_the_same_spots(self, readings: list[Reading]) -> list[Reading]:
        """The readings, and those of cards that lie now just where known ones lay in sight: laid on them or
        turned up, with no outline of their own that is new, or bared when the upper one was taken."""
        outlines = [known.outline for known in self.cards]
        sure = [reading for reading in readings if _sure(reading)]
        fresh = [polygon(reading.outline, self.settled) for reading in sure]
        found: list[Reading] = []
        unclear = False
        for n in reversed(range(len(outlines))):
            if changed_part(self.settled, outlines, n, fresh) < _TOUCHED:
                continue
            taken = [reading.outline for reading in (*sure, *found)]
            if any(same_place(outline, outlines[n]) > _BESIDE for outline in taken):
                continue
            if self._bare_part(outlines[n]) > _CLEARED:
                continue
            reading = self._read_anew(n)
            beside = any(
                known.card == reading.card and 0 < same_place(known.outline, outlines[n]) < _SAME
                for known in self.cards
            )
            if _sure(reading) and not beside:  # else a corner of a card that is known to lie there
                found.insert(0, reading)
            unclear |= not _sure(reading)
        if unclear:  # two cards' indices there: each for itself
            seen = [reading for reading in self._by_indices() if _sure(reading)]
            found += [reading for reading in seen if not _beside(reading, [*sure, *found])]
        kept = [
            reading
            for reading in readings
            if _sure(reading) or self._lies_on_others(reading) or not _beside(reading, found)
        ]
        return kept + found

    def _once_above(self, bared: set[int]) -> set[int]:
        """The cards that must be gone, for those they lay on are seen and they are not."""
        above = {
            m
            for n in bared
            for m in range(n + 1, len(self.cards))
            if m not in bared and same_place(self.cards[m].outline, self.cards[n].outline) > 0.5
        }
        read = {m: self._read_anew(m) for m in above}
        return {
            m for m, reading in read.items() if not (_sure(reading) and reading.card == self.cards[m].card)
        }

    def _uncovered_and_gone(self, gone: set[int], bared: set[int], fresh: list[Mask]) -> set[int]:
        """Cards that were hidden under those that are gone now, and went with them."""
        went: set[int] = set()
        outlines = [known.outline for known in self.cards]
        for n in reversed(range(len(self.cards))):  # what lies on a card is decided before it is asked
            before = in_sight(self.settled, outlines, n, fresh)
            if n in gone or n in bared or before > _OPEN:
                continue
            left = [
                m for m in range(len(self.cards)) if m == n or (m > n and m not in gone and m not in went)
            ]
            now = in_sight(self.settled, [outlines[m] for m in left], left.index(n), fresh)
            if now < _OPEN or now - before < _BARED:
                continue
            bare = self._bare_part(outlines[n])
            if bare < _CLEARED:
                reading = self._read_anew(n)
                # A card that lies beside it and was known before tells nothing.
                stay = {self.cards[m].card for m in left}
                if reading.card in stay if _sure(reading) else bare < _LIKELY_BARE:
                    continue
            went.add(n)
        return went


def _sure(reading: Reading) -> bool:
    return reading.side == "up" and reading.confidence >= _DOUBTFUL


def _may_be(seen: Reading, card: Face | None) -> bool:
    """Whether a card found by its indices may be the one that is known to lie there. Of an index that is seen
    alone half the sign may be covered: the two suits of a colour are alike in half."""
    read = seen.card
    if read == card or not _sure(seen):
        return True
    if seen.outline.visible == 1.0:
        return False
    if any(face == card and score >= _LEFT for face, score in seen.scores):
        return True
    if not (isinstance(read, Card) and isinstance(card, Card)) or read.joker or card.joker:
        return False
    return (read.rank, read.suit.red) == (card.rank, card.suit.red)


def _under_others(known: Sequence[KnownCard], n: int) -> bool:
    return any(same_place(other.outline, known[n].outline) > _BESIDE for other in known[n + 1 :])


def _beside(reading: Reading, others: Sequence[Reading]) -> bool:
    """Whether one of the others lies where this one does, more or less."""
    return any(same_place(reading.outline, other.outline) > _BESIDE for other in others)


def _card_shaped(outline: Outline, geometry: TableGeometry) -> Outline:
    """An outline deduced from indices, put right: the same middle and direction, a card's true size."""
    corners = geometry.to_table(outline.corners)
    x, y = corners.mean(axis=0)
    right, down = (
        corners[1] - corners[0] + corners[2] - corners[3],
        corners[3] - corners[0] + corners[2] - corners[1],
    )
    angle = np.degrees(np.arctan2(right[1] - down[0], right[0] + down[1]))
    exact = outline_at(geometry, float(x), float(y), float(angle))
    return Outline(exact.corners, outline.visible)


def _each_once(readings: Sequence[Reading]) -> list[Reading]:
    """Without outlines that are one card found twice: the same place and the same face, the surer kept."""
    kept: list[Reading] = []
    for reading in sorted(readings, key=lambda each: (-each.confidence, -each.outline.visible)):
        twice = any(
            other.side == reading.side
            and other.card == reading.card
            and same_place(other.outline, reading.outline) > _SAME
            for other in kept
        )
        if not twice:
            kept.append(reading)
    return [reading for reading in readings if any(reading is other for other in kept)]
