"""Cards that are shown to the camera one at a time, to be learned: one flattened card a settled picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.flat import flattened
from vision.geometry import from_card
from vision.landed import new_cards
from vision.lying import same_place
from vision.outline import find_outlines
from vision.reader import Reader
from vision.settle import Settled, Settler
from vision.sources import FolderSource, Source
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Frame, Image, Outline, Reading

_ASPECT = CARD_WIDTH_MM / CARD_HEIGHT_MM
_CHANGED = 0.25  # the part of a card's outline that must be new for it to be the card now shown

_DIFFERS = 22  # grey levels from what lay there before
_FULL = 0.85  # the part of a rectangle that must differ for it to be a card's
_TAKEN = 0.6  # overlap (intersection over union) with where a card lay
_LIKE_A_CARD = 0.12  # how far the ratio of its sides may be off


@dataclass(frozen=True, eq=False)
class Held:
    """One picture of a lesson. `name`: its file's, else the seconds at which it settled. `flat`: the card,
    176×128×3, None where no card was found. `reading`: what the networks read on it. `moving`: it is from
    a film or camera, where the same card may settle more than once."""

    name: str
    flat: Image | None
    reading: Reading | None
    moving: bool


def held_cards(source: Source, reader: Reader) -> Iterator[Held]:
    """The cards that are shown in a source, in their order; `reader` has no taught deck."""
    if source.stills:
        paths = source.paths if isinstance(source, FolderSource) else ()
        for frame in source:
            name = paths[frame.number].name if frame.number < len(paths) else str(frame.number)
            yield _held(name, frame.image, the_card(frame.image, reader), reader, False)
        return
    showing = Showing(reader)
    for frame in source:
        held = showing.update(frame)
        if held is not None:
            yield held


class Showing:
    """The cards that are shown to a camera, one frame at a time; `reader` has no taught deck."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._settler = Settler()
        self._there: Outline | None = None  # the card that lies there

    def update(self, frame: Frame) -> Held | None:
        """The card that has come to rest in this frame, if one has."""
        settled = self._settler.update(frame).settled
        if settled is None:
            return None
        outline = self._there = _newest(settled) or _by_difference(settled, self._there)
        if outline is None:
            return None
        return _held(f"{settled.t:.1f} s", settled.after, outline, self._reader, True)


def _held(name: str, image: Image, outline: Outline | None, reader: Reader, moving: bool) -> Held:
    if outline is None:
        return Held(name, None, None, moving)
    reading = reader.read_card(image, outline)
    if reading.card is None:  # a second look, at other sizes
        looks = [seen for seen in reader.read_picture(image) if same_place(seen.outline, outline) > 0.5]
        reading = max(looks, key=lambda seen: seen.confidence, default=reading)
    return Held(name, flattened(image, outline), reading, moving)


def the_card(image: Image, reader: Reader) -> Outline | None:
    """The card in a picture of one card: the largest that is seen whole. A picture that has a card's shape
    and shows none lying in it is the card itself, as a scanner or a phone's document camera gives it."""
    height, width = image.shape[:2]
    whole = [outline for outline in find_outlines(image) if outline.visible == 1.0]
    if whole:
        largest = max(whole, key=_area)
        if _area(largest) > 0.002 * width * height and not _frame_of(largest, width, height):
            return largest
    if abs(width / height / _ASPECT - 1) < 0.05:
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        return Outline(corners.astype(np.float32))
    read = [reading for reading in reader.read_picture(image) if reading.outline.visible == 1.0]
    return max((reading.outline for reading in read), key=_area, default=None)


def _frame_of(outline: Outline, width: int, height: int) -> bool:
    """Whether an outline in a card-shaped picture is what is printed on the card, as the frame of a king."""
    if abs(width / height / _ASPECT - 1) > 0.05:
        return False
    middle = outline.corners.mean(axis=0) - (width / 2, height / 2)
    return bool(np.hypot(*middle) < 0.08 * height and _area(outline) > 0.3 * width * height)


def _area(outline: Outline) -> float:
    return float(cv2.contourArea(outline.corners.astype(np.float32)))


def _newest(settled: Settled) -> Outline | None:
    """The whole card that most of the change is in; in the first picture, the surest."""
    found = [outline for outline in find_outlines(settled.after) if outline.visible == 1.0]
    if settled.before is settled.after:
        return found[0] if found else None
    best, most = None, _CHANGED
    for outline in found:
        mask = np.zeros(settled.changed.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(outline.corners / settled.scale).astype(np.int32), (255,))
        part = cv2.countNonZero(cv2.bitwise_and(mask, settled.changed)) / max(1, cv2.countNonZero(mask))
        if part > most:
            best, most = outline, part
    return best


def _by_difference(settled: Settled, there: Outline | None) -> Outline | None:
    """A single card that was laid where nothing lay, its edges too faint on the table to be found alone.
    `there`: the card shown before; where it lay and differs now, it was taken away."""
    apart = cv2.absdiff(settled.before, settled.after).max(axis=2)
    mask = cv2.threshold(apart, _DIFFERS, 255, cv2.THRESH_BINARY)[1]
    near = cv2.resize(settled.changed, mask.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    mask = cv2.bitwise_and(mask, cv2.dilate(near, np.ones((9, 9), np.uint8)))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    corners = cv2.boxPoints(cv2.minAreaRect(largest))
    if cv2.contourArea(largest) < _FULL * cv2.contourArea(corners):
        return None
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    if sides[0] > sides[1]:  # the card's width first
        corners = np.roll(corners, -1, axis=0)
    if abs(float(sides[:2].min() / sides[:2].max()) / _ASPECT - 1) > _LIKE_A_CARD:
        return None
    rough = Outline(corners.astype(np.float32))
    if there is not None and same_place(rough, there) > _TAKEN:
        return None
    height, width = settled.after.shape[:2]
    exact = new_cards(settled, from_card(rough, (width, height)), 1)
    return exact[0] if exact and same_place(exact[0], rough) > 0.8 else rough
