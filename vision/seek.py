"""Where a taught card lies, found by its art alone: no edge and no index is needed.

White cards on a heap of white cards have hardly an edge, and a deck without letters has no index. But what
each card looks like is known, and how large it is in the picture. So all cards of the deck, at all angles,
are laid over all places of a small copy of the picture, at four millimetres a pixel; where one fits best it
is compared in full (vision.taught).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.flat import Floats, covered_parts, flattened, local_contrast, unflattened
from vision.lying import same_place
from vision.taught import Match, TaughtDeck
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Outline

_MM = 2.0  # millimetres a pixel of the picture in which art is sought
_AROUND = 3.0  # sigma of the surroundings there, as in a card's descriptor
_STEP = 10  # degrees between the angles that are tried
_NUDGES = (0.0, -5.0, 5.0)  # degrees by which a place found is turned to be compared in full
_FLAT_INK = 0.3  # energy that blank paper has at most; blank is not like blank
_LEAST = 0.45  # likeness, 0 to 1, of a place that is compared in full
_ANOTHER = 0.3  # overlap (intersection over union) below which it is another card's place
_SEEN = 0.3  # the part of a card's print that must be seen
_FREE, _HIDDEN = 0.02, 0.75  # the part of a card under others below which it is whole, or not looked at
_PART_SEEN = 0.85  # the part of the print in sight that must look like the card's, where others lie over it
_PART_FIT, _PART_SURE = 0.1, 0.9  # distance and confidence with which it is taken for it
_PASSES = 8  # cards under cards under cards
_MOST = 6  # places that are
_WINDOWS = 200_000  # more places and angles than these are not tried: the picture is no part of a table


@dataclass(frozen=True, eq=False)
class Found:
    """A card found by its art, and how well it fits."""

    outline: Outline
    match: Match


@dataclass(frozen=True)
class _Place:
    """A place where a card may lie: its middle in millimetres of the small picture, its angle, how alike."""

    x: float
    y: float
    angle: float
    likeness: float


def sought(image: Image, deck: TaughtDeck, card_px: float, above: Sequence[Outline] = ()) -> list[Found]:
    """The cards of a deck found in a picture (H×W×3) in which cards are `card_px` high: those seen whole,
    then those partly under these and under cards known to lie there (`above`)."""
    mm = CARD_HEIGHT_MM / card_px  # of a pixel
    small = np.asarray(
        cv2.resize(image, None, fx=mm / _MM, fy=mm / _MM, interpolation=cv2.INTER_AREA), np.uint8
    )
    found: list[Found] = []
    for _ in range(_PASSES):
        new = _fitting(image, small, deck, card_px, [*above, *(each.outline for each in found)])
        if not new:
            break
        found += new
    return found


def _fitting(
    image: Image, small: Image, deck: TaughtDeck, card_px: float, above: Sequence[Outline]
) -> list[Found]:
    """All the cards seen whole, else the one partly under others that fits best."""
    whole: list[Found] = []
    partly: list[Found] = []
    corners = [outline.corners * (CARD_HEIGHT_MM / card_px / _MM) for outline in above]
    for place in _places(small, deck.rough, corners):
        for nudge in _NUDGES:
            outline = _outline(place, nudge, card_px)
            covered = covered_parts(outline, above)
            hidden = float(covered.mean())
            flat = flattened(image, outline)
            if hidden < _FREE:
                match = deck.match(flat, exact=True)
                if match.fits:
                    whole.append(Found(_exact(outline, match), match))
            elif hidden < _HIDDEN:
                match = deck.match(flat, False, covered, exact=True)
                sure = match.seen > _PART_SEEN and match.confidence > _PART_SURE
                if sure and match.distance < _PART_FIT:
                    exact = _exact(outline, match)
                    partly.append(Found(Outline(exact.corners, min(0.99, 1 - hidden)), match))
    if not whole:
        return [max(partly, key=lambda each: each.match.seen - each.match.distance)] if partly else []
    kept: list[Found] = []
    for found in sorted(whole, key=lambda each: each.match.distance - each.match.seen):
        if all(same_place(found.outline, other.outline) < _ANOTHER for other in kept):
            kept.append(found)
    return kept


def _exact(outline: Outline, match: Match) -> Outline:
    """The outline put right, where the card was laid exactly on its art."""
    return outline if match.corners is None else unflattened(match.corners, outline)


def _outline(place: _Place, nudge: float, card_px: float) -> Outline:
    """The card at a place, in pixels of the picture."""
    turn = np.radians(place.angle + nudge)
    right = np.array([np.cos(turn), np.sin(turn)]) * CARD_WIDTH_MM / 2
    down = np.array([-np.sin(turn), np.cos(turn)]) * CARD_HEIGHT_MM / 2
    middle = np.array([place.x, place.y])
    corners = np.stack([middle - right - down, middle + right - down, middle + right + down,
                        middle - right + down])  # fmt: skip
    return Outline((corners * card_px / CARD_HEIGHT_MM - 0.5).astype(np.float32))


def _places(small: Image, art: Floats, covered: Sequence[Floats]) -> Sequence[_Place]:
    """Where some card's art fits best, the likeliest first. `art`: cards × rows × columns × 3; `covered`: the
    corners of cards that lie there, whose print is not looked at."""
    count, rows, columns = art.shape[:3]
    # Head down, too: half the angles are enough.
    theirs = np.concatenate([art, art[:, ::-1, ::-1]])
    energies = np.square(theirs).sum(axis=3).reshape(2 * count, -1).T
    theirs = theirs.reshape(2 * count, -1).T.copy()
    energy = energies.sum(axis=0)
    least, most = _SEEN * float(energy.min()), 3 * float(energy.max())
    found: list[_Place] = []
    angles = range(0, 180, _STEP)
    height, width = small.shape[:2]
    if len(angles) * height * width / 4 > _WINDOWS:
        return []
    open_to_see = np.full((height, width), 255, np.uint8)
    for corners in covered:
        cv2.fillConvexPoly(open_to_see, np.rint(corners).astype(np.int32), (0,))
        cv2.polylines(open_to_see, [np.rint(corners).astype(np.int32)], True, (0,), 2)
    for angle in angles:
        turned, back = _turned(small, angle)
        free = cv2.warpAffine(open_to_see, cv2.invertAffineTransform(back), turned.shape[1::-1])
        contrast = local_contrast(turned, _AROUND) * (free[..., None] > 127)
        contrast, free = (
            np.asarray(cv2.resize(each, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
            for each in (contrast, free.astype(np.float32) / 255)
        )
        if contrast.shape[0] < rows or contrast.shape[1] < columns:
            continue
        own = _sums(np.square(contrast).sum(axis=2), rows, columns)
        ys, xs = np.nonzero((own > least) & (own < most))
        if not len(ys):
            continue
        windows = sliding_window_view(contrast.reshape(contrast.shape[0], -1), (rows, 3 * columns))
        common = windows[ys, 3 * xs].reshape(len(ys), theirs.shape[0]) @ theirs
        shown: Floats = energy[None]
        if covered:
            shown = sliding_window_view(free, (rows, columns))[ys, xs].reshape(len(ys), -1) @ energies
        like = 2 * common / (own[ys, xs, None] + shown + _FLAT_INK)
        best = np.zeros(own.shape, np.float32)
        best[ys, xs] = np.where(shown > _SEEN * energy, like, 0).max(axis=1)
        for _ in range(3):
            y, x = np.unravel_index(int(best.argmax()), best.shape)
            if best[y, x] < _LEAST:
                break
            at = np.array([2 * (x + columns / 2), 2 * (y + rows / 2), 1.0])
            middle = back @ at * _MM
            found.append(_Place(float(middle[0]), float(middle[1]), float(-angle), float(best[y, x])))
            best[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4] = 0
    found.sort(key=lambda place: -place.likeness)
    return _apart(found)[:_MOST]


def _sums(values: Floats, rows: int, columns: int) -> Floats:
    """The sum of the values in each window of so many rows and columns."""
    total = cv2.integral(values, sdepth=cv2.CV_64F)
    below, above = total[rows:], total[:-rows]
    inside = below[:, columns:] - below[:, :-columns] - above[:, columns:] + above[:, :-columns]
    return np.asarray(inside, np.float32)


def _turned(small: Image, angle: float) -> tuple[Image, Floats]:
    """A picture turned about its middle, nothing cut off; and 2×3, the way back."""
    height, width = small.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, 1.0)
    cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
    size = (int(np.ceil(width * cos + height * sin)), int(np.ceil(width * sin + height * cos)))
    turn[0, 2] += (size[0] - width) / 2
    turn[1, 2] += (size[1] - height) / 2
    picture = cv2.warpAffine(small, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, np.uint8), np.asarray(cv2.invertAffineTransform(turn), np.float32)


def _apart(places: Sequence[_Place]) -> list[_Place]:
    """Without those that are nearly the same as a likelier one."""
    kept: list[_Place] = []
    for place in places:
        if not any(
            np.hypot(place.x - other.x, place.y - other.y) < 12
            and abs((place.angle - other.angle + 90) % 180 - 90) <= _STEP
            for other in kept
        ):
            kept.append(place)
    return kept
