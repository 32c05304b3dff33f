"""The figures of our own deck's court cards and jokers: plain geometry, the same upside down.

Everything is in millimetres of the card (63×88, origin at its top left) times `scale`.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from engine.cards import Rank, Suit
from vision.glyphs import Colour, Floats, draw_line, draw_polygon, draw_sign, outline
from vision.types import Image

RED: Colour = (40, 30, 200)
BLACK: Colour = (28, 26, 26)
BLUE: Colour = (150, 80, 30)
GOLD: Colour = (60, 190, 235)
SKIN: Colour = (190, 214, 240)
WHITE: Colour = (248, 250, 250)

LEFT, TOP, RIGHT, BOTTOM = 12.0, 8.0, 51.0, 80.0
_MIDDLE_X = (LEFT + RIGHT) / 2
_ROBES: dict[Suit, tuple[Colour, Colour]] = {
    Suit.SPADES: (BLUE, RED), Suit.CLUBS: (RED, BLUE), Suit.HEARTS: (RED, GOLD), Suit.DIAMONDS: (BLUE, GOLD),
}  # fmt: skip
_HAIR: dict[Rank, Colour] = {Rank.KING: (190, 190, 190), Rank.QUEEN: (40, 110, 190), Rank.JACK: (30, 60, 110)}


def _ellipse(x: float, y: float, rx: float, ry: float, start: float = 0, end: float = 360) -> Floats:
    turn = np.radians(np.linspace(start, end, 48))
    return np.stack([x + rx * np.cos(turn), y + ry * np.sin(turn)], 1)


def _shape(image: Image, scale: float, points: Floats, fill: Colour, edge: float = 0.35) -> None:
    draw_polygon(image, points * scale, fill)
    draw_line(image, np.vstack([points, points[:1]]) * scale, BLACK, edge * scale)


def _robe(image: Image, scale: float, suit: Suit, rank: Rank) -> None:
    robe, trim = _ROBES[suit]
    mid = (TOP + BOTTOM) / 2
    wide = {Rank.KING: 18.0, Rank.QUEEN: 15.0, Rank.JACK: 16.5}[rank]
    x = _MIDDLE_X
    body = outline(
        [(x - wide, mid), (x - wide + 1, 36), (x - 6, 29), (x + 6, 29), (x + wide - 1, 36), (x + wide, mid)]
    )
    _shape(image, scale, body, robe)
    for step in range(-3, 4):
        if rank is Rank.KING:
            diamond = outline(
                [(x + step * 5, 36), (x + step * 5 + 2, 39.5), (x + step * 5, 43), (x + step * 5 - 2, 39.5)]
            )
            _shape(image, scale, diamond, trim, 0.25)
        elif rank is Rank.QUEEN:
            _shape(image, scale, _ellipse(x + step * 4.4, 40, 1.5, 1.5), trim, 0.25)
        else:
            draw_line(
                image,
                outline([(x + step * 4.6, 32 + abs(step)), (x + step * 4.6 + 2.2, mid)]) * scale,
                trim,
                1.2 * scale,
            )
    _shape(
        image,
        scale,
        outline([(x - 5, 28), (x + 5, 28), (x + 2.6, mid), (x - 2.6, mid)]),
        GOLD if trim != GOLD else WHITE,
    )
    for y in (32.0, 36.0, 40.0):
        _shape(image, scale, _ellipse(x, y, 0.8, 0.8), BLACK, 0.1)


def _head(image: Image, scale: float, rank: Rank, suit: Suit) -> None:
    x, hair = _MIDDLE_X, _HAIR[rank]
    if rank is Rank.QUEEN:
        _shape(image, scale, _ellipse(x, 23, 7.4, 8.6), hair)
    else:
        _shape(image, scale, _ellipse(x, 21.5, 6.6, 6.6), hair)
    _shape(image, scale, _ellipse(x, 22, 4.8, 6.2), SKIN)
    for side in (-1, 1):
        _shape(image, scale, _ellipse(x + side * 1.9, 20.8, 0.5, 0.45), BLACK, 0.1)
        draw_line(
            image, outline([(x + side * 1.1, 19.5), (x + side * 2.8, 19.6)]) * scale, BLACK, 0.3 * scale
        )
    draw_line(image, outline([(x, 21), (x - 0.6, 23.6), (x + 0.3, 23.7)]) * scale, BLACK, 0.25 * scale)
    draw_line(image, outline([(x - 1.3, 25.4), (x + 1.3, 25.4)]) * scale, RED, 0.55 * scale)
    if rank is Rank.KING:
        beard = np.vstack([_ellipse(x, 24.5, 4.8, 6.4, 10, 170), _ellipse(x, 24.6, 2.6, 2.4, 170, 10)])
        _shape(image, scale, beard, hair, 0.25)
        crown = [(x - 7, 17.5), (x - 8, 11), (x - 4, 14), (x, 9.8), (x + 4, 14), (x + 8, 11), (x + 7, 17.5)]
        _shape(image, scale, outline(crown), GOLD)
        for tip in (crown[1], crown[3], crown[5]):
            _shape(image, scale, _ellipse(*tip, 0.9, 0.9), RED, 0.2)
    elif rank is Rank.QUEEN:
        _shape(
            image,
            scale,
            outline(
                [
                    (x - 5.6, 17),
                    (x - 6.4, 12.6),
                    (x - 2.6, 14.4),
                    (x, 11.4),
                    (x + 2.6, 14.4),
                    (x + 6.4, 12.6),
                    (x + 5.6, 17),
                ]
            ),
            GOLD,
        )
        _shape(image, scale, _ellipse(x, 10.8, 1.0, 1.0), _ROBES[suit][0], 0.2)
    else:
        cap, feather = _ROBES[suit]
        _shape(
            image,
            scale,
            outline([(x - 7.4, 17.4), (x - 6, 12), (x + 5, 10.6), (x + 7.8, 15), (x + 6.6, 17.4)]),
            cap,
        )
        _shape(image, scale, outline([(x - 6, 15), (x - 12, 9.6), (x - 10.6, 14.4)]), feather, 0.25)


def _held(image: Image, scale: float, rank: Rank, suit: Suit) -> None:
    """What the figure holds, on the side away from the sign: sword, flower or halberd."""
    x = RIGHT - 5.2
    if rank is Rank.KING:
        draw_line(image, outline([(x, 40), (x, 12)]) * scale, (150, 150, 150), 1.5 * scale)
        draw_line(image, outline([(x - 3, 33), (x + 3, 33)]) * scale, GOLD, 1.4 * scale)
    elif rank is Rank.QUEEN:
        draw_line(image, outline([(x - 2, 40), (x, 20)]) * scale, (60, 130, 40), 0.9 * scale)
        for petal in range(5):
            angle = petal * math.tau / 5
            _shape(
                image,
                scale,
                _ellipse(x + 2 * math.cos(angle), 17.5 + 2 * math.sin(angle), 1.5, 1.5),
                RED,
                0.2,
            )
        _shape(image, scale, _ellipse(x, 17.5, 1.2, 1.2), GOLD, 0.2)
    else:
        draw_line(image, outline([(x, 42), (x, 11)]) * scale, (40, 90, 140), 1.2 * scale)
        _shape(image, scale, outline([(x, 14), (x + 3.6, 12), (x + 3.6, 21), (x, 19)]), (190, 190, 190), 0.3)
    _shape(image, scale, _ellipse(x - 0.4, 35.5, 2.0, 1.7), SKIN, 0.25)


def draw_court(card: Image, scale: float, suit: Suit, rank: Rank, ink: Colour) -> None:
    """Draws a king, queen or jack with its frame into a card, in place."""
    middle = round((TOP + BOTTOM) / 2 * scale)
    frame = outline([(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)])
    _robe(card, scale, suit, rank)
    _head(card, scale, rank, suit)
    _held(card, scale, rank, suit)
    draw_sign(card, suit, (LEFT + 5.6) * scale, (TOP + 6.6) * scale, 9.5 * scale, ink)
    upper = card[:middle]
    card[card.shape[0] - middle :] = cv2.rotate(upper, cv2.ROTATE_180)
    draw_line(card, outline([(LEFT, 44), (RIGHT, 44)]) * scale, BLACK, 0.4 * scale)
    draw_line(card, np.vstack([frame, frame[:1]]) * scale, BLUE, 0.45 * scale)


def draw_joker(card: Image, scale: float, colour: Colour, *, crowned: bool) -> None:
    """Draws a jester, or for `crowned` a great crown over a sun, in place."""
    x, y = 31.5, 44.0
    if crowned:
        for ray in range(24):
            angle = ray * math.tau / 24
            tip = (x + 21 * math.cos(angle), y + 21 * math.sin(angle))
            base = [(x + 10 * math.cos(angle + d), y + 10 * math.sin(angle + d)) for d in (-0.13, 0.13)]
            draw_polygon(card, outline([tip, *base]) * scale, GOLD)
        _shape(card, scale, _ellipse(x, y, 14, 14), WHITE)
        crown = [
            (x - 10, y + 7),
            (x - 12, y - 6),
            (x - 5, y),
            (x, y - 10),
            (x + 5, y),
            (x + 12, y - 6),
            (x + 10, y + 7),
        ]
        _shape(card, scale, outline(crown), colour)
        for tip in (crown[1], crown[3], crown[5]):
            _shape(card, scale, _ellipse(*tip, 1.6, 1.6), GOLD)
        return
    for side in (-1, 0, 1):
        horn = [(x - 7, y + 2), (x + side * 17, y - 18 + abs(side) * 6), (x + 7, y + 2)]
        _shape(card, scale, outline(horn), colour if side else WHITE)
        _shape(card, scale, _ellipse(x + side * 17, y - 18 + abs(side) * 6, 2, 2), GOLD)
    _shape(card, scale, _ellipse(x, y + 8, 8, 9.5), WHITE)
    for side in (-1, 1):
        _shape(card, scale, _ellipse(x + side * 3, y + 5.5, 0.9, 1.2), BLACK, 0.1)
    draw_line(card, _ellipse(x, y + 8.5, 4.4, 4.4, 20, 160) * scale, colour, 0.8 * scale)
    for step in range(-2, 3):
        points = [(x + step * 5 - 3, y + 17), (x + step * 5 + 3, y + 17), (x + step * 5, y + 24)]
        _shape(card, scale, outline(points), colour if step % 2 else WHITE)
