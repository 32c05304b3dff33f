"""Scenes to learn from: cards of art on made-up tables, lit, blurred and spoilt, every index known."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.train.art import HEIGHT, WIDTH, ArtDeck
from vision.train.typeset import Style, fonts_with, glyph, typeset
from vision.types import Image

SIDE = 256
"""Scenes are square, this many pixels a side."""
_GROUNDS = (
    (40, 90, 30), (60, 60, 60), (20, 20, 20), (200, 200, 200), (60, 90, 140), (40, 60, 110), (90, 50, 30),
    (120, 140, 160), (30, 30, 120), (235, 235, 235),
)  # fmt: skip
Floats = NDArray[np.float32]


@dataclass
class Label:
    """An index in a scene: its middle, height and up in pixels, its card, and how much of it is seen."""

    x: float
    y: float
    height: float
    up: tuple[float, float]
    card: Card
    shape: NDArray[np.bool_] = field(repr=False)
    area: int

    @property
    def visible(self) -> float:
        return float(self.shape.sum()) / max(1, self.area)


@dataclass(frozen=True)
class StyledDeck:
    """A deck of a scene. `style` None: as it is. `inverted`: black cards."""

    deck: ArtDeck
    style: Style | None
    inverted: bool

    @classmethod
    def random(cls, rng: np.random.Generator, decks: Sequence[ArtDeck]) -> StyledDeck:
        """One of the decks, six times in ten with indices of its own."""
        deck = decks[int(rng.integers(len(decks)))]
        return cls(deck, Style.random(rng) if rng.random() < 0.6 else None, rng.random() < 0.04)

    def draw(
        self, rng: np.random.Generator
    ) -> tuple[Image, Card | None, tuple[tuple[float, float, float, bool], ...]]:
        """A card's picture, the card, and its indices: x, y, height, whether head down."""
        if self.deck.others and rng.random() < 0.06:
            return self.deck.others[int(rng.integers(len(self.deck.others)))], None, ()
        cards = list(self.deck.faces)
        card = cards[int(rng.integers(len(cards)))]
        face, box = self.deck.faces[card], self.deck.index
        if self.style is not None:
            face, box = typeset(face, card, self.deck, self.style)
        if self.inverted:
            colours = face[..., :3]
            turned = np.full_like(colours[..., :1], True, bool)
            if card.suit.red:
                turned = colours.sum(axis=2, keepdims=True) > 600
            face = np.dstack([np.where(turned, 255 - colours, colours), face[..., 3]]).astype(np.uint8)
        x, y, high = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[3] - box[1]
        places = [(x, y, high, False), (WIDTH - x, HEIGHT - y, high, True)]
        if self.deck.four:
            places += [(WIDTH - x, y, high, False), (x, HEIGHT - y, high, True)]
        return face, card, tuple(places)


def scene(rng: np.random.Generator, decks: Sequence[ArtDeck]) -> tuple[Image, list[Label]]:
    """A scene and its indices, covered ones included (see `Label.visible`)."""
    picture = ground(rng)
    count = int(rng.choice(7, p=[0.03, 0.2, 0.2, 0.2, 0.17, 0.1, 0.1]))
    size = float(np.exp(rng.uniform(np.log(52), np.log(235))))
    deck = StyledDeck.random(rng, decks)
    fan, first_angle = rng.random() < 0.2, rng.uniform(0, 2 * np.pi)
    start = rng.uniform(0, SIDE, 2)
    labels: list[Label] = []
    for n in range(count):
        if rng.random() < 0.1:
            deck = StyledDeck.random(rng, decks)
        high = size * rng.uniform(0.93, 1.07)
        if fan:
            angle = first_angle + n * rng.uniform(0.1, 0.3)
            step = n * rng.uniform(0.1, 0.4, 2) * high
            at = start + step * (np.cos(first_angle), np.sin(first_angle)) + rng.normal(0, 2, 2)
        else:
            angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1 * SIDE, 1.1 * SIDE, 2)
        picture = _lay(rng, picture, labels, deck, high, angle, at)
    if rng.random() < 0.2:
        picture = _fingers(rng, picture, labels)
    return _photographed(rng, picture, size), labels


def _lay(
    rng: np.random.Generator, picture: Floats, labels: list[Label], deck: StyledDeck, high: float,
    angle: float, at: NDArray[np.float64],
) -> Floats:  # fmt: skip
    face, card, places = deck.draw(rng)
    wide = high * rng.uniform(0.68, 0.74)
    quad = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    quad += rng.normal(0, high * 0.015, (4, 2))
    if rng.random() < 0.5:  # seen from aside
        quad *= (1, rng.uniform(0.55, 1)) if rng.random() < 0.5 else (rng.uniform(0.6, 1), 1)
    cos, sin = np.cos(angle), np.sin(angle)
    quad = quad @ np.array([[cos, sin], [-sin, cos]]) + at
    edge = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(edge, quad.astype(np.float32))
    source, small = face, matrix
    if high / HEIGHT < 0.7:  # shrink first, against aliasing
        part = max(high / HEIGHT * 1.25, 0.15)
        source = np.asarray(cv2.resize(face, None, fx=part, fy=part, interpolation=cv2.INTER_AREA), np.uint8)
        small = matrix @ np.diag([WIDTH / source.shape[1], HEIGHT / source.shape[0], 1])
    warped = cv2.warpPerspective(source, small, (SIDE, SIDE), flags=cv2.INTER_LINEAR).astype(np.float32)
    cover = warped[..., 3:] / 255
    if rng.random() < 0.7:
        soft = cv2.GaussianBlur(warped[..., 3], (0, 0), max(0.8, high * 0.015))
        dx, dy = rng.normal(0, high * 0.02, 2)
        soft = cv2.warpAffine(soft, np.array([[1, 0, dx], [0, 1, dy]]), (SIDE, SIDE))
        picture = (picture * (1 - soft[..., None] / 255 * rng.uniform(0.1, 0.5))).astype(np.float32)
    paper = rng.uniform(0.82, 1.0) * np.array([rng.uniform(0.9, 1), rng.uniform(0.95, 1), 1])
    picture = np.asarray(picture * (1 - cover) + warped[..., :3] * paper * cover, np.float32)
    for label in labels:
        label.shape &= cover[..., 0] <= 0.5
    if card is not None:
        labels += [new for place in places if (new := _label(matrix, card, *place)) is not None]
    return picture


def _label(matrix: NDArray[Any], card: Card, x: float, y: float, high: float, down: bool) -> Label | None:
    half = -high / 2 if down else high / 2
    points = np.array([[[x, y]], [[x, y - half]], [[x, y + half]], [[x + high * 0.27, y]]], np.float32)
    middle, top, foot, side = cv2.perspectiveTransform(points, matrix).reshape(4, 2).astype(np.float64)
    aside = side - middle
    shape = np.array([top + aside, top - aside, foot - aside, foot + aside])
    if shape.min() < 1 or shape.max() > SIDE - 2:
        return None
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(mask, shape.round().astype(np.int32), (1,))
    height = float(np.hypot(*(top - foot)))
    up = (top - foot) / max(height, 1e-3)
    seen = mask.astype(bool)
    return Label(middle[0], middle[1], height, (float(up[0]), float(up[1])), card, seen, int(seen.sum()))


def ground(rng: np.random.Generator) -> Floats:
    """A table: a colour with cloth, wood, clutter and scribbles on it."""
    base = np.array(_GROUNDS[rng.integers(len(_GROUNDS))], np.float32) + rng.normal(0, 15, 3)
    picture = np.tile(base, (SIDE, SIDE, 1)).astype(np.float32)
    kind = rng.random()
    if kind < 0.6:
        picture += _clouds(rng) * rng.uniform(2, 25)
    if kind < 0.3:
        grain = rng.standard_normal((1, int(rng.integers(8, 80)))).astype(np.float32)
        grain = np.asarray(cv2.resize(grain, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)
        picture += (grain if rng.random() < 0.5 else grain.T)[..., None] * rng.uniform(5, 40)
    for _ in range(int(rng.integers(0, 7)) if rng.random() < 0.6 else 0):
        _thing(rng, picture)
    return picture


def _clouds(rng: np.random.Generator) -> Floats:
    total, strength = np.zeros((SIDE, SIDE, 3), np.float32), 1.0
    for octave in range(4):
        cells = min(SIDE, int(2 ** (octave + 1 + rng.integers(0, 3))))
        channels = 3 if rng.random() < 0.3 else 1
        rough = rng.standard_normal((cells, cells, channels)).astype(np.float32)
        total += strength * cv2.resize(rough, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC).reshape(
            SIDE, SIDE, -1
        )
        strength *= 0.6
    return total


def _thing(rng: np.random.Generator, picture: Floats) -> None:
    colour = tuple(float(v) for v in rng.integers(0, 255, 3))
    x0, y0, x1, y1 = (int(v) for v in rng.integers(-30, SIDE + 30, 4))
    filled = -1 if rng.random() < 0.5 else int(rng.integers(1, 8))
    match int(rng.integers(4)):
        case 0:
            cv2.rectangle(picture, (x0, y0), (x1, y1), colour, filled)
        case 1:
            cv2.circle(picture, (x0, y0), int(rng.integers(4, 70)), colour, filled)
        case 2:
            cv2.line(picture, (x0, y0), (x1, y1), colour, int(rng.integers(1, 14)))
        case _:
            letters = list("AKQJTDVBR0123456789abcdefghxyz")
            fonts = fonts_with("0414 0422 0041")
            mask = glyph(
                fonts[rng.integers(len(fonts))], "".join(rng.choice(letters, int(rng.integers(1, 9))))
            )
            if mask is None:
                return
            high = int(rng.integers(8, 50))
            ink = cv2.resize(
                mask, (max(2, mask.shape[1] * high // mask.shape[0]), high), interpolation=cv2.INTER_AREA
            )
            x, y = (int(v) for v in rng.integers(0, SIDE, 2))
            part = (ink[: SIDE - y, : SIDE - x] / 255.0)[..., None]
            spot = picture[y : y + part.shape[0], x : x + part.shape[1]]
            spot[:] = spot * (1 - part) + np.array(colour) * part


def _fingers(rng: np.random.Generator, picture: Floats, labels: Sequence[Label]) -> Floats:
    for _ in range(int(rng.integers(1, 4))):
        x0, y0, x1, y1 = (int(v) for v in rng.integers(0, SIDE, 4))
        mask = np.zeros((SIDE, SIDE), np.uint8)
        cv2.line(mask, (x0, y0), (x1, y1), (1,), int(rng.integers(8, 40)))
        skin = np.array([120, 150, 210]) * rng.uniform(0.5, 1.1) + rng.normal(0, 3, 3)
        picture = np.where(mask[..., None] > 0, skin, picture).astype(np.float32)
        for label in labels:
            label.shape &= mask == 0
    return picture


def _photographed(rng: np.random.Generator, picture: Floats, card_size: float) -> Image:
    """Light, glare, colour cast, exposure, blur, noise, compression."""
    yy, xx = np.mgrid[0:SIDE, 0:SIDE] / SIDE - 0.5
    gx, gy = rng.uniform(-1, 1, 2)
    light = 1 + rng.uniform(0, 0.5) * (xx * gx + yy * gy)
    if rng.random() < 0.15:  # the edge of a shadow
        a, b, c = rng.uniform(-0.7, 0.7, 3)
        light = light * np.where(a * xx + b * yy > c * 0.3, rng.uniform(0.4, 0.8), 1)
        light = cv2.GaussianBlur(light, (0, 0), rng.uniform(1, 8))
    image = picture * light[..., None]
    if rng.random() < 0.2:  # glare
        spot = np.zeros((SIDE, SIDE), np.float32)
        cx, cy = (int(v) for v in rng.integers(0, SIDE, 2))
        axes = (int(rng.integers(8, 50)), int(rng.integers(8, 50)))
        cv2.ellipse(spot, (cx, cy), axes, 0, 0, 360, (1,), -1)
        image = image + cv2.GaussianBlur(spot, (0, 0), rng.uniform(4, 20))[..., None] * rng.uniform(60, 220)
    cast = rng.random()
    if cast < 0.12:  # strong blue, as of a camera without white balance
        balance = np.array([rng.uniform(1, 1.3), rng.uniform(0.55, 0.8), rng.uniform(0.3, 0.6)])
    elif cast < 0.2:
        balance = np.array([rng.uniform(0.4, 0.75), rng.uniform(0.7, 0.95), 1.1])
    else:
        balance = np.exp(rng.normal(0, 0.08, 3))
    image = np.clip(image * balance * np.exp(rng.normal(-0.12, 0.28)), 0, 255)
    image = 255 * (image / 255) ** np.exp(rng.normal(0, 0.2))
    if rng.random() < 0.75:
        strength = rng.uniform(0.3, 1.0) * (1 if card_size < 110 else rng.uniform(1, 1.8))
        image = cv2.GaussianBlur(image, (0, 0), strength)
    if rng.random() < 0.08:  # something moved
        length = int(rng.integers(3, 7))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        image = cv2.filter2D(image, -1, kernel if rng.random() < 0.5 else np.ascontiguousarray(kernel.T))
    image = np.clip(image + rng.standard_normal(image.shape) * rng.uniform(0, 9), 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(35, 95))
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(image, np.uint8)


def render_pool(decks_file: Path, pool: Path, shards: int, worker: int, each: int = 400) -> None:
    """Renders shards of scenes into a folder, leaving those there are; a worker always makes the same."""
    decks = pickle.loads(decks_file.read_bytes())
    pool.mkdir(parents=True, exist_ok=True)
    for shard in range(shards):
        target = pool / f"{worker}_{shard:04d}.pickle"
        if target.exists():
            continue
        rng = np.random.default_rng((worker, shard))
        scenes = []
        for _ in range(each):
            image, labels = scene(rng, decks)
            packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes()
            seen = [
                (label.x, label.y, label.height, *label.up, int(label.card), label.visible > 0.86)
                for label in labels
                if label.visible > 0.25
            ]
            scenes.append((packed, seen))
        part = target.with_suffix(".part")
        part.write_bytes(pickle.dumps(scenes))
        part.rename(target)
