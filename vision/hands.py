"""Hands over the table: what comes in over the picture's border, and which of them reached a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Mask

_LEAST = 0.004  # of the picture: smaller things that come in over its border are no hands
_APART = 0.06  # of the border: between two places where things come in that far apart lies nothing of one arm
_NEAR = 0.25  # of the picture's width: hands that come in nearer to each other are one
_OVER = 0.1  # the part of a card that a hand must have been over to have laid it


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand seen since the last settled picture.

    `point`: where on the picture's border it came in, in pixels. `reach`: where it has been, a mask
    of the small picture (255), `scale` times smaller than the picture.
    """

    point: tuple[float, float]
    reach: Mask
    scale: float


def from_border(changed: Mask, scale: float) -> tuple[list[Hand], Mask]:
    """The changed regions that come in over the picture's border, and all of them as one mask. Arms that
    touch each other are as many as the places where they come in; each part of them is the nearest one's."""
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    height, width = changed.shape
    hands: list[Hand] = []
    everything = np.zeros_like(changed)
    for n in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[n])
        touches = left <= 1 or top <= 1 or left + wide >= width - 1 or top + high >= height - 1
        if not touches or area < _LEAST * changed.size:
            continue
        ys, xs = np.nonzero(labels[top : top + high, left : left + wide] == n)
        xs, ys = xs + left, ys + top
        edge = (xs <= 1) | (ys <= 1) | (xs >= width - 2) | (ys >= height - 2)
        if edge.sum() < 4:
            continue
        everything[ys, xs] = 255
        points = _entrances(xs[edge], ys[edge], width, height)
        nearest = np.argmin([(xs - x) ** 2 + (ys - y) ** 2 for x, y in points], axis=0)
        for k, (x, y) in enumerate(points):
            reach = np.zeros_like(changed)
            reach[ys[nearest == k], xs[nearest == k]] = 255
            hands.append(Hand((x * scale, y * scale), reach, scale))
    return hands, everything


def _entrances(
    xs: NDArray[np.intp], ys: NDArray[np.intp], width: int, height: int
) -> list[tuple[float, float]]:
    """The middles of the places on the border where some points of it lie, far from each other."""
    along = np.where(ys <= 1, xs, np.where(xs >= width - 2, width + ys, 0))
    along = np.where((ys >= height - 2) & (ys > 1), 2 * width + height - xs, along)
    along = np.where((xs <= 1) & (ys > 1) & (ys < height - 2), 2 * (width + height) - ys, along)
    order = np.argsort(along)
    gaps = np.diff(along[order], append=along[order[0]] + 2 * (width + height))
    ends = np.flatnonzero(gaps > _APART * 2 * (width + height))
    if len(ends) < 2:
        return [(float(xs.mean()), float(ys.mean()))]
    rolled = np.roll(order, -(ends[-1] + 1))
    parts = np.split(rolled, np.cumsum(np.diff(ends, prepend=ends[-1] - len(order)))[:-1])
    found = [(float(xs[part].mean()), float(ys[part].mean())) for part in parts if len(part) >= 4]
    return found or [(float(xs.mean()), float(ys.mean()))]


def remember(hands: list[Hand], hand: Hand) -> None:
    """Adds what one frame shows of a hand to those seen before, the first to come first."""
    width = hand.reach.shape[1]
    for n, known in enumerate(hands):
        near = np.hypot(known.point[0] - hand.point[0], known.point[1] - hand.point[1])
        if near < _NEAR * width * hand.scale:
            bigger = cv2.countNonZero(hand.reach) >= cv2.countNonZero(known.reach) * 0.5
            reach = np.asarray(cv2.bitwise_or(known.reach, hand.reach), np.uint8)
            hands[n] = Hand(hand.point if bigger else known.point, reach, hand.scale)
            return
    hands.append(hand)


def reached_by(hands: Sequence[Hand], shapes: Sequence[Mask]) -> list[int | None]:
    """Which hand each of some cards that landed, the undermost first, is of: by the hand's number; None if
    none was over it and there are several.

    It is the hand that was most over it. But where several were over the same cards, as over a heap, and are
    as many as those, the first to come laid the undermost.
    """
    over = np.array(
        [[cv2.countNonZero(cv2.bitwise_and(hand.reach, shape)) for hand in hands] for shape in shapes]
    ).reshape(len(shapes), len(hands))
    sizes = np.array([max(1, cv2.countNonZero(shape)) for shape in shapes])
    over_it = over > _OVER * sizes[:, None]
    owners: list[int | None] = [
        int(np.argmax(over[n])) if over_it[n].any() or len(hands) == 1 else None for n in range(len(shapes))
    ]
    doubtful = [n for n in range(len(shapes)) if over_it[n].sum() > 1]
    able = sorted({int(hand) for n in doubtful for hand in np.flatnonzero(over_it[n])})
    if len(doubtful) > 1 and len(able) == len(doubtful) and over_it[np.ix_(doubtful, able)].all():
        for n, hand in zip(doubtful, able, strict=True):
            owners[n] = hand
    return owners
