"""All that lies in a picture: the cards that are read, and those that are seen but not read.

A card without a readable index still has an outline. Each outline that holds no read card is looked at
upright: what is read there counts, a back lies face down, all else is a card not read, if it is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.belief import with_twins_lowered
from vision.outline import find_outlines
from vision.reader import Reader
from vision.types import Image, Outline, Reading

_LONGEST = 4000  # pixels
_SHORTEST = 30  # pixels: a card is at least 55 high, 39 wide
NAMED = 0.5
"""A reading below this confidence is more likely wrong than right: the card is seen but not read."""
_WORK = 800  # pixels: outlines are looked for in a picture no longer than this
_SHARED = 0.2  # the part of its ground an outline may share with a card that was read
_UNLIKE = 1.5  # how many times larger or smaller it may be than those
_LARGEST = 0.9  # an outline of more than this part of the picture is the picture's own
_MEND = 0.9  # below it a reading is looked at again in the outline it lies in
_ALONE = 0.75  # from here on an outline is read in which no index had been found before
_FITS = 0.6  # intersection over union of a reading's outline and the one it lies in


def read_whole(reader: Reader, image: Image) -> tuple[Reading, ...]:
    """The cards read, then those seen but not read: with no name, face down or unread.

    Very large pictures are read at a smaller size, one too small for any card not at all.
    """
    longest, shortest = max(image.shape[:2]), min(image.shape[:2])
    if longest > _LONGEST:
        scale = _LONGEST / longest
        if shortest * scale < _SHORTEST:
            return ()
        small = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        return tuple(
            replace(
                r, outline=Outline((r.outline.corners + 0.5) / np.float32(scale) - 0.5, r.outline.visible)
            )
            for r in read_whole(reader, small)
        )
    if shortest < _SHORTEST:
        return ()
    readings = list(reader.read_picture(image))
    outlines = _outlines(image)
    readings = [_looked_again(reader, image, r, outlines) if r.confidence < _MEND else r for r in readings]
    for outline in outlines:
        if any(_common(outline, r.outline) > _SHARED for r in readings):
            continue
        known = [_size(r.outline) for r in readings if r.confidence >= _MEND]
        if known and not min(known) / _UNLIKE**2 < _size(outline) < max(known) * _UNLIKE**2:
            continue
        reading = reader.read_card(image, outline)
        hardly = reading.side == "up" and reading.confidence < _ALONE
        readings.append(replace(reading, side="unread") if hardly else reading)
    readings = with_twins_lowered(readings)
    named = [r if r.side == "down" or r.confidence >= NAMED else replace(r, side="unread") for r in readings]
    return tuple(sorted(named, key=lambda r: -r.confidence))


def _outlines(image: Image) -> list[Outline]:
    """The outlines seen whole, precise enough to look inside them."""
    scale = min(1.0, _WORK / max(image.shape[:2]))
    small = image
    if scale < 1:
        small = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    return [
        Outline(((o.corners + 0.5) / scale - 0.5).astype(np.float32), o.visible)
        for o in find_outlines(small, covered=False)
        if _size(o) < _LARGEST * _size_of(small)
    ]


def _looked_again(reader: Reader, image: Image, reading: Reading, outlines: Sequence[Outline]) -> Reading:
    """A doubtful reading, or the better one inside the outline that fits it."""
    for outline in outlines:
        common = _common(outline, reading.outline) * min(_size(outline), _size(reading.outline))
        if common > _FITS * (_size(outline) + _size(reading.outline) - common):
            again = reader.read_card(image, outline)
            if again.confidence > reading.confidence:
                return again
    return reading


def _size(outline: Outline) -> float:
    return float(cv2.contourArea(outline.corners.astype(np.float32)))


def _size_of(image: Image) -> float:
    return float(image.shape[0] * image.shape[1])


def _common(a: Outline, b: Outline) -> float:
    """Common ground of two outlines as a part of the smaller."""
    common, _ = cv2.intersectConvexConvex(a.corners.astype(np.float32), b.corners.astype(np.float32))
    return float(common) / max(1.0, min(_size(a), _size(b)))
