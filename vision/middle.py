"""The large sign in the middle of an ace against its index: which suit its outline has.

An ace's index is small and, on many decks, fine; the ornate ♠T with pale indices is what is most easily taken
for ♣T. The sign in the middle is filled to its outline, set below a drawn A as an index has it, and shown
to the index network, either way up.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import CARDS, Suit
from vision.indices import PATCH_HEIGHT, PATCH_WIDTH, IndexReader
from vision.types import Image

ACE = 14
_LEAST = (12, 14)  # pixels, width and height, of a sign in a card 192 pixels high
_OFF = 14.0  # pixels a sign's middle may be from the card's
_SURE = 0.9  # how likely one suit must be for the outline to count
_WEIGHT = 30.0  # how many times likelier the suit of the outline becomes than its twin at most
_PAPER, _SIGN = 225, 14  # the drawn index: its paper, and how high its sign is, pixels


def reweighed(
    network: IndexReader, upright: Callable[[], Image], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The 52 probabilities of a card, `upright` its picture 208 pixels high, given the sign in its middle.

    Only an ace's, and only between the two suits of one colour: the outline knows no colour.
    """
    best = CARDS[int(scores.argmax())]
    if best.rank != ACE:
        return scores
    sign = _sign(upright())
    if sign is None:
        return scores
    ink = (40, 30, 190) if best.suit.red else (30, 30, 30)
    ways = [_index_with(turned, ink) for turned in (sign, sign[::-1, ::-1])]
    suits = network.suits(ways)
    pair = (Suit.HEARTS, Suit.DIAMONDS) if best.suit.red else (Suit.SPADES, Suit.CLUBS)
    likely = max(suits[:, list(pair)], key=max)
    if max(likely) < _SURE:
        return scores
    odds = np.clip(likely[0] / likely[1], 1 / _WEIGHT, _WEIGHT) ** np.array([0.5, -0.5])
    new = scores.copy()
    cards = [next(card for card in CARDS[:52] if (card.suit, card.rank) == (suit, ACE)) for suit in pair]
    new[cards] *= odds
    new[cards] *= scores[cards].sum() / new[cards].sum()
    return new


def _sign(upright: Image) -> Image | None:
    """The filled outline of the sign in a card's middle, 255 inside; None if there is none."""
    height, width = upright.shape[:2]
    part = upright[int(0.2 * height) : int(0.8 * height), int(0.18 * width) : int(0.82 * width)]
    paper = np.percentile(upright.reshape(-1, 3), 85, axis=0)
    ink = np.clip(np.abs(part.astype(np.float32) - paper).max(axis=2), 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(ink, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    mask = np.where(ink > 0.7 * level, np.uint8(255), np.uint8(0))
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    largest = None
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        x, y, wide, high = cv2.boundingRect(contour)
        off = np.hypot(x + (wide - part.shape[1]) / 2, y + (high - part.shape[0]) / 2)
        if wide < _LEAST[0] or high < _LEAST[1] or off > _OFF:
            continue
        if largest is None or cv2.contourArea(contour) > cv2.contourArea(largest):
            largest = contour
    if largest is None:
        return None
    x, y, wide, high = cv2.boundingRect(largest)
    filled = np.zeros((high + 4, wide + 4), np.uint8)
    cv2.drawContours(filled, [largest - np.array([x - 2, y - 2])], -1, (255,), -1)
    return filled


def _index_with(sign: Image, ink: tuple[int, int, int]) -> Image:
    """A drawn index of an ace with this sign, as the index network looks at one."""
    index = np.full((PATCH_HEIGHT, PATCH_WIDTH, 3), _PAPER, np.uint8)
    for start, end in (((10, 26), (16, 8)), ((22, 26), (16, 8)), ((13, 20), (19, 20))):
        cv2.line(index, start, end, ink, 2, cv2.LINE_AA)
    wide = int(np.clip(round(_SIGN * sign.shape[1] / sign.shape[0]), 6, 18))
    cover = cv2.resize(sign, (wide, _SIGN), interpolation=cv2.INTER_AREA)[:, :, None] / 255.0
    left, top = PATCH_WIDTH // 2 - wide // 2, 28
    under = index[top : top + _SIGN, left : left + wide]
    index[top : top + _SIGN, left : left + wide] = np.rint(under * (1 - cover) + np.array(ink) * cover)
    return index
