"""What is out of the ordinary on the table: glare on a card, a thing that is no card, a card partly outside.

Each state has an event with which it begins and one with which it ends. None of them is about a play: they
tell people what keeps the table from being read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bare import moved_mask
from vision.light import Mask
from vision.types import EventName, Image, Outline, Reading, TableEvent

ENDS: dict[EventName, EventName] = {
    "glare": "glare_gone", "object": "object_gone", "card_outside": "card_inside",
}  # fmt: skip
_EVERY_S = 0.5  # how often cards are looked at for glare
_BLOWN = 250  # the level of the darkest channel from which on a pixel holds nothing
_PAPER = 244  # paper this bright is over-exposed everywhere: no glare, and the print is read
_GLARE = 0.04  # of a card
_WHOLE = 0.85  # of a card: all of it is over-exposed
_OUTSIDE = 0.03  # of a card
_THING = 0.12  # of a card: smaller things are crumbs
_STAYS = 0.4  # the part of a thing that must still be strange
_CARD_PART = (0.1, 1.05)  # of a card: what reaches in over the border can be one
_SOLID = 0.92  # of its hull: an arm with a hand has dents
_HALF = 0.5
_SHINES = 0.3
_LARGER = 1.4  # than the outline of a card
_WHITE = 0.35  # of it is paper


class TableStates:
    """Keeps which states hold; each look gives the events with which some began or ended."""

    def __init__(self) -> None:
        self._now: set[EventName] = set()
        self._things: list[tuple[Mask, int]] = []  # where, and how many pixels were strange there at first
        self._at_border = False
        self._next = float("-inf")

    @property
    def now(self) -> frozenset[EventName]:
        """What holds, by the event with which it began."""
        return frozenset(self._now)

    @property
    def things(self) -> Mask | None:
        """Where things lie that are no cards: a mask of the small picture, 255; None without any."""
        if not self._things:
            return None
        mask: Mask = np.bitwise_or.reduce([thing for thing, _ in self._things])
        return mask

    def no_card(self, reading: Reading, picture: Image, changed: Mask) -> bool:
        """Whether what was not read lies, for the larger part, where a thing lies (a phone that lights up),
        or is but a lamp that shines on the table, or a part of something larger. `changed`: what is new and
        no card that was read, in the small picture."""
        if reading.side == "down":
            return False
        scale = picture.shape[1] / changed.shape[1]
        if _shines(picture, changed, reading.outline) or _of_a_thing(picture, changed, reading.outline):
            return True
        things = self.things
        if things is None:
            return False
        inside = np.zeros_like(things)
        cv2.fillConvexPoly(inside, (reading.outline.corners / scale).round().astype(np.int32), (255,))
        both = cv2.countNonZero(cv2.bitwise_and(inside, things))
        return both > _HALF * max(1, cv2.countNonZero(inside))

    def follow(self, moved: Callable[[Image], Image], size: tuple[int, int]) -> None:
        """The camera moved (see `BareTable.follow`)."""
        self._things = [(moved_mask(thing, moved, size), first) for thing, first in self._things]

    def settled(
        self,
        t: float,
        strange: Mask,
        changed: Mask,
        hidden: Mask,
        picture: Image,
        card_px: tuple[float, float],
    ) -> list[TableEvent]:
        """A settled picture. `strange`: where it shows neither the bare table nor a card; `changed`: what is
        new; `hidden`: what lies there over the border. All masks of the small picture."""
        scale = picture.shape[1] / strange.shape[1]
        strange = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        card = card_px[0] * card_px[1] / scale**2
        there = np.asarray(cv2.bitwise_or(strange, hidden), np.uint8)
        self._things = [
            (thing, first)
            for thing, first in self._things
            if cv2.countNonZero(cv2.bitwise_and(thing, there)) > _STAYS * first
        ]
        changed = np.asarray(cv2.dilate(changed, np.ones((5, 5), np.uint8)), np.uint8)
        for region in _regions(np.asarray(cv2.bitwise_and(strange, changed), np.uint8), _THING * card):
            thing = np.asarray(cv2.dilate(region, np.ones((7, 7), np.uint8)), np.uint8)
            if all(not cv2.bitwise_and(region, other).any() for other, _ in self._things):
                self._things.append((thing, cv2.countNonZero(region)))
        self._at_border = any(
            _like_a_card(region, card, picture)
            for region in _regions(hidden, _CARD_PART[0] * card)
        )  # fmt: skip
        return self._turned("object", bool(self._things), t)

    def still(self, t: float, picture: Image, cards: Sequence[Outline], at_border: bool) -> list[TableEvent]:
        """A picture of a table at rest with the cards known to lie there; looked at twice a second.
        `at_border`: whether something still lies over the picture's border."""
        self._at_border &= at_border
        if t < self._next:
            return []
        self._next = t + _EVERY_S
        height, width = picture.shape[:2]
        outside = self._at_border or any(_outside(card, (width, height)) > _OUTSIDE for card in cards)
        glare = any(_glare(picture, card) > _GLARE for card in cards)
        return self._turned("card_outside", outside, t) + self._turned("glare", glare, t)

    def _turned(self, state: EventName, holds: bool, t: float) -> list[TableEvent]:
        if holds == (state in self._now):
            return []
        (self._now.add if holds else self._now.discard)(state)
        return [TableEvent(t, state if holds else ENDS[state])]


def _regions(mask: Mask, least: float) -> list[Mask]:
    """The connected regions of a mask, gaps of a few pixels closed, from a size on."""
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    large = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= least]
    return [np.where(labels == n, np.uint8(255), np.uint8(0)) for n in large]


def _outside(card: Outline, size: tuple[int, int]) -> float:
    """The part of a card that lies outside the picture."""
    width, height = size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    corners = card.corners.astype(np.float32)
    inside, _ = cv2.intersectConvexConvex(corners, frame)
    return 1 - float(inside) / max(1.0, float(cv2.contourArea(corners)))


def _shines(picture: Image, changed: Mask, outline: Outline) -> bool:
    """Whether what is new in an outline is so bright, for the larger part, that nothing of it is left: the
    table differs there only where the lamp shines, while a card with glare on it is new all over."""
    blown = np.where(picture.min(axis=2) >= _BLOWN, np.uint8(255), np.uint8(0))
    small = cv2.resize(blown, changed.shape[::-1], interpolation=cv2.INTER_AREA)
    inside = np.zeros_like(changed)
    scale = picture.shape[1] / changed.shape[1]
    cv2.fillConvexPoly(inside, (outline.corners / scale).round().astype(np.int32), (255,))
    new = (changed > 0) & (inside > 0)
    return bool(((small > 127) & new).sum() > _SHINES * max(1, new.sum()))


def _of_a_thing(picture: Image, changed: Mask, outline: Outline) -> bool:
    """Whether what is new in an outline goes on far beyond it and is not paper: two cards fit a phone."""
    scale = picture.shape[1] / changed.shape[1]
    inside = np.zeros_like(changed)
    cv2.fillConvexPoly(inside, (outline.corners / scale).round().astype(np.int32), (255,))
    for region in _regions(changed, _LARGER * cv2.countNonZero(inside)):
        if cv2.countNonZero(cv2.bitwise_and(region, inside)) > _HALF * cv2.countNonZero(inside):
            return _paper(picture, region) < _WHITE
    return False


def _paper(picture: Image, region: Mask) -> float:
    """The part of a region of the small picture that is as white as the brightest of the picture, or half."""
    small = cv2.resize(picture, region.shape[::-1], interpolation=cv2.INTER_AREA).astype(int)
    low, high = small.min(axis=2), small.max(axis=2)
    white = (low > max(60.0, 0.5 * float(np.percentile(low, 99.5)))) & (low > 0.75 * high)
    return float(white[region > 0].mean())


def _inside(picture: Image, card: Outline) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """The upright box around an outline: what lies in the outline, and each pixel's darkest channel."""
    height, width = picture.shape[:2]
    corners = card.corners.round().astype(int)
    left, top = np.clip(corners.min(axis=0), 0, (width - 1, height - 1))
    right, bottom = np.clip(corners.max(axis=0) + 1, (left + 1, top + 1), (width, height))
    inside = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(inside, (corners - [left, top]).astype(np.int32), (255,))
    return inside > 0, picture[top:bottom, left:right].min(axis=2)


def _glare(picture: Image, card: Outline) -> float:
    """The part of a card that is blown out while its paper is not."""
    inside, part = _inside(picture, card)
    blown = np.where((part >= _BLOWN) & inside, np.uint8(255), np.uint8(0))
    blown = np.asarray(cv2.morphologyEx(blown, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    share = cv2.countNonZero(blown) / max(1, int(inside.sum()))
    if not _GLARE < share < _WHOLE:
        return 0.0
    away = cv2.dilate(blown, np.ones((25, 25), np.uint8))
    rest = part[inside & (away == 0)]
    return share if len(rest) < 0.1 * inside.sum() or np.percentile(rest, 70) < _PAPER else 0.0


def _like_a_card(region: Mask, card: float, picture: Image) -> bool:
    """Whether what lies over the border may be a card: no larger, without dents, mostly paper. `card`: the
    area of one in the small picture."""
    ys, xs = np.nonzero(region)
    if len(xs) > _CARD_PART[1] * card:
        return False
    hull = cv2.convexHull(np.column_stack([xs, ys]).astype(np.int32))
    if len(xs) < _SOLID * cv2.contourArea(hull):
        return False
    return _paper(picture, region) > _WHITE
