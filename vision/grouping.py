"""Which indices belong to one card, and where that card lies.

The two indices of a card stand upside down to each other at its ends, on the left of each end as it
reads; decks with four indices have two more on the right. Cards of the same picture share their size,
so a card of which one corner is seen takes its outline from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.finder import Index
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Points

_ASPECT = CARD_WIDTH_MM / CARD_HEIGHT_MM
_TYPICAL = 5.2  # heights of a card in heights of its index, for want of better knowledge
_INSET = 0.045  # the index's top lies this part of the card's height below its edge
_CENTRE_ASIDE = 0.11  # and its middle this part of the width from the side


@dataclass(frozen=True, eq=False)
class Group:
    """The indices of one card: their numbers in the list, and the card's corners 4×2 (deduced)."""

    members: tuple[int, ...]
    corners: Points

    @property
    def whole(self) -> bool:
        """Whether two indices say which card it is: of both ends, or of one end with four to a card."""
        return len(self.members) > 1


def relation(a: Index, b: Index) -> tuple[float, float, float]:
    """b seen from a: to the right and down in heights of a's index, and the cosine between their ups."""
    dx, dy = b.x - a.x, b.y - a.y
    up_x, up_y = a.up
    right = (-up_y * dx + up_x * dy) / a.height
    down = -(up_x * dx + up_y * dy) / a.height
    return right, down, a.up[0] * b.up[0] + a.up[1] * b.up[1]


def opposite(a: Index, b: Index) -> bool:
    """Whether b may be the index at the other end of a's card."""
    if not 0.6 < a.height / b.height < 1.67:
        return False
    right, down, cosine = relation(a, b)
    return cosine < -0.9 and 1.0 < right < 6.0 and 1.6 < down < 7.5 and 0.35 < right / down < 1.6


def beside(a: Index, b: Index) -> bool:
    """Whether b may be the index at the same end of a's card, in its other corner."""
    if not 0.6 < a.height / b.height < 1.67:
        return False
    right, down, cosine = relation(a, b)
    return cosine > 0.9 and 1.0 < abs(right) < 6.0 and abs(down) < 0.25 * abs(right)


def grouped(indices: Sequence[Index], alike: Callable[[int, int], bool]) -> list[Group]:
    """The cards of a picture; `alike`: whether two indices, by number, may read the same card."""
    free = set(range(len(indices)))
    pairs: list[tuple[float, int, int]] = []
    for i in free:
        for j in free:
            if i < j and opposite(indices[i], indices[j]) and alike(i, j):
                a, b = indices[i], indices[j]
                distance = float(np.hypot(a.x - b.x, a.y - b.y)) / (a.height + b.height)
                pairs.append((distance, i, j))
    groups: list[list[int]] = []
    for _, i, j in sorted(pairs):
        if i in free and j in free:
            free -= {i, j}
            groups.append([i, j])
    for i in sorted(free):
        home = next(
            (
                group
                for group in groups
                if any(beside(indices[k], indices[i]) for k in group) and alike(group[0], i)
            ),
            None,
        )
        if home is not None:
            home.append(i)
        else:
            groups.append([i])
    ratio = _card_per_index(indices, groups)
    return [Group(tuple(group), _corners(indices, group, ratio)) for group in groups]


def _card_per_index(indices: Sequence[Index], groups: Sequence[Sequence[int]]) -> float:
    """The height of a card in heights of its index, from the cards seen whole."""
    found = []
    for group in groups:
        if len(group) > 1 and not beside(indices[group[0]], indices[group[1]]):
            a, b = indices[group[0]], indices[group[1]]
            height = (a.height + b.height) / 2
            _, down, _ = relation(a, b)
            found.append((down * a.height / height + 1) / (1 - 2 * _INSET))
    return float(np.median(found)) if found else _TYPICAL


def _corners(indices: Sequence[Index], group: Sequence[int], ratio: float) -> Points:
    a = indices[group[0]]
    up = np.array(a.up)
    right = np.array((-up[1], up[0]))
    b = indices[group[1]] if len(group) > 1 else a
    if len(group) > 1 and beside(a, b):
        # Both at one end: they tell the width, and which way is up better than each alone.
        left, other = (a, b) if relation(a, b)[0] > 0 else (b, a)
        across = np.array((other.x - left.x, other.y - left.y))
        index = (a.height + b.height) / 2
        right = across / max(float(np.hypot(*across)), 1e-6)
        up = np.array((right[1], -right[0]))
        height = index * ratio
        width = float(np.hypot(*across)) / (1 - 2 * _CENTRE_ASIDE)
        width = float(np.clip(width, 0.5 * height * _ASPECT, 1.6 * height * _ASPECT))
        middle = np.array((a.x + b.x, a.y + b.y)) / 2 + up * (index / 2 + (_INSET - 0.5) * height)
    elif len(group) > 1:
        up = up - np.array(b.up)
        up = up / max(float(np.hypot(*up)), 1e-6)
        right = np.array((-up[1], up[0]))
        between = np.array((b.x - a.x, b.y - a.y))
        index = (a.height + b.height) / 2
        height = (float(-between @ up) + index) / (1 - 2 * _INSET)
        width = float(between @ right) / (1 - 2 * _CENTRE_ASIDE)
        width = float(np.clip(width, 0.5 * height * _ASPECT, 1.6 * height * _ASPECT))
        middle = np.array((a.x + b.x, a.y + b.y)) / 2
    else:
        height = a.height * ratio
        width = height * _ASPECT
        corner = np.array((a.x, a.y)) + up * (a.height / 2 + _INSET * height) - right * _CENTRE_ASIDE * width
        middle = corner + right * width / 2 - up * height / 2
    return _rectangle(middle, right * width / 2, up * height / 2)


def _rectangle(middle: NDArray[np.float64], right: NDArray[np.float64], up: NDArray[np.float64]) -> Points:
    corners = [middle - right + up, middle + right + up, middle + right - up, middle - right - up]
    return np.asarray(corners, np.float32)
