"""Renders a table of cards as the camera above it would see it.

The table, its light and the cards at rest are painted once; a frame then costs a copy, the arms in it
and the sensor's noise. Everything follows from the camera, the look, the deck and a frame's number:
the same calls give the same pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arm import ARM_PIXELS_PER_MM, TIP_X_MM, TIP_Y_MM, arm_picture, arm_shade
from vision.camera import Camera
from vision.cloth import TABLE_TOPS, TableTop, paint_table
from vision.deck import Deck, card_mask, card_size
from vision.mat import PAPERS_MM, Paper, marker_places, mat_image
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Face, Image, Points

_GAIN_ONE = 160  # the value of the light map that leaves a colour as it is
_TABLE_MM = (1500.0, 1000.0)
_TABLE_SCALE = 1.6
_COARSE = 16  # pixels between the points that tell where a thing lies in the picture
_QUIET_MM = 7.0  # white paper left around a marker that was cut out
_NO_MAP: Any = None  # the other half of a two-channel map; an empty array is misread by OpenCV 5
_SHADE_MARGIN_MM = 8.0
_SHADE_SCALE = 1.0


@dataclass(frozen=True)
class LaidCard:
    """A card on the table: its middle in mm, its angle in degrees clockwise (0: its index upright in the
    picture), face up or down. Which card lies on which follows from their order in a sequence."""

    face: Face
    x: float
    y: float
    angle: float = 0.0
    up: bool = True

    @property
    def corners(self) -> NDArray[np.float64]:
        """4×2 in mm, clockwise from the card's top left as its index reads."""
        w, h = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        turn = np.array([(c, s), (-s, c)])
        return np.asarray(
            np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) @ turn + (self.x, self.y), np.float64
        )


@dataclass(frozen=True)
class Arm:
    """A forearm over the table. (x, y): the fingertips, mm; `angle`: as a card's, 0 for an arm that comes
    from the near side (the bottom of the picture); `height` above the table, mm; `held`: the cards in the
    hand, where they would lie if they were let go straight down."""

    x: float
    y: float
    angle: float = 0.0
    height: float = 30.0
    person: int = 0
    held: tuple[LaidCard, ...] = ()


@dataclass(frozen=True)
class Look:
    """Light, table and sensor. `unevenness`: how much darker the far corner is than the lamp's spot;
    `warmth`: -1 bluish to 1 yellowish; `noise`: deviation in grey levels; `blur`: sigma in pixels;
    `shadow`: how dark shadows are, 0 to 1; `lamp`: where the light falls from, mm aside per mm of height."""

    table: TableTop = "felt"
    exposure: float = 1.0
    unevenness: float = 0.3
    warmth: float = 0.1
    noise: float = 2.5
    blur: float = 0.65
    shadow: float = 0.45
    lamp: tuple[float, float] = (-0.35, -0.5)
    seed: int = 0

    @classmethod
    def random(cls, rng: np.random.Generator) -> Look:
        """An evening's look: any table top, decent but uneven light."""
        direction = rng.uniform(0, math.tau)
        slant = rng.uniform(0.2, 0.7)
        return cls(
            table=TABLE_TOPS[int(rng.integers(len(TABLE_TOPS)))],
            exposure=float(rng.uniform(0.82, 1.08)),
            unevenness=float(rng.uniform(0.1, 0.4)),
            warmth=float(rng.uniform(-0.4, 0.6)),
            noise=float(rng.uniform(1.5, 3.5)),
            blur=float(rng.uniform(0.5, 0.8)),
            shadow=float(rng.uniform(0.3, 0.55)),
            lamp=(slant * math.cos(direction), slant * math.sin(direction)),
            seed=int(rng.integers(2**31)),
        )


@dataclass(frozen=True, eq=False)
class Mat:
    """Something printed lying in the middle of the table: its picture (BGR, or BGRA where it has been
    cut out) and its size in mm."""

    image: Image
    width_mm: float
    height_mm: float

    @classmethod
    def printed(cls, paper: Paper = "A2", *, cut: bool = True) -> Mat:
        """The table mat of vision.mat; `cut`: only its markers, cut out and stuck to the table."""
        image = mat_image(paper, dpi=60)
        width, height = PAPERS_MM[paper]
        if cut:
            mask = np.zeros(image.shape[:2], np.uint8)
            scale = image.shape[1] / width
            for corners in marker_places(paper).values():
                low, high = corners.min(axis=0) - _QUIET_MM, corners.max(axis=0) + _QUIET_MM
                middle = np.array([width, height]) / 2
                left, top = np.round((low + middle) * scale).astype(int)
                right, bottom = np.round((high + middle) * scale).astype(int)
                mask[max(0, top) : bottom, max(0, left) : right] = 255
            image = np.dstack([image, mask])
        return cls(image, width, height)


@dataclass(eq=False)
class Scene:
    """A camera above a table; `render` takes its pictures."""

    deck: Deck
    camera: Camera = field(default_factory=Camera)
    look: Look = field(default_factory=Look)
    mat: Mat | None = None

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.look.seed)
        self._map = self.camera.table_map
        self._coarse = np.ascontiguousarray(self._map[::_COARSE, ::_COARSE])
        self._light = self._paint_light()
        self._empty = self._paint_empty()
        self._noise = self._paint_noise()
        self._sprites: dict[tuple[Face | None, bool], Image] = {}
        self._shade = _card_shade()
        self._settled: tuple[LaidCard, ...] = ()
        self._canvas = self._empty

    def corners(self, card: LaidCard) -> Points:
        """Where a card's corners truly are in the picture, 4×2 pixels, clockwise from its top left."""
        return self.camera.to_picture(card.corners)

    def render(
        self, cards: Sequence[LaidCard], arms: Sequence[Arm] = (), *, number: int = 0, brightness: float = 1.0
    ) -> Image:
        """The picture number `number`: cards at rest, the lowest first, and arms above them.

        `brightness` dims or lifts the whole picture (a lamp going out, mains flicker).
        """
        picture = self._settle(tuple(cards)).copy()
        for arm in arms:
            self._paint_arm(picture, arm)
        rng = np.random.default_rng((self.look.seed, number))
        dy, dx = rng.integers(
            0, (self._noise.shape[0] - picture.shape[0], self._noise.shape[1] - picture.shape[1])
        )
        grain = self._noise[dy : dy + picture.shape[0], dx : dx + picture.shape[1]]
        gain = brightness * (1 + 0.003 * float(rng.standard_normal()))
        cv2.addWeighted(picture, gain, grain, 1.0, -128.0, dst=picture)
        return picture

    def _settle(self, cards: tuple[LaidCard, ...]) -> Image:
        if cards != self._settled:
            known = len(self._settled)
            extends = cards[:known] == self._settled
            canvas = (self._canvas if extends else self._empty).copy()
            for card in cards[known:] if extends else cards:
                self._paint_card(canvas, card, 0.0)
            self._settled, self._canvas = cards, canvas
        return self._canvas

    def _paint_light(self) -> Image:
        look, (height, width) = self.look, self._map.shape[:2]
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        x, y = (x - width / 2) / width, (y - height / 2) / width
        spot = 0.18 * np.array(look.lamp) / max(0.2, math.hypot(*look.lamp))
        falloff = 1 - look.unevenness * 1.6 * np.clip((x - spot[0]) ** 2 + (y - spot[1]) ** 2, 0, 1)
        vignette = 1 - 0.35 * (x**2 + y**2)
        gain = look.exposure * falloff * vignette
        tint = np.array(
            [1 - 0.14 * look.warmth, 1 - 0.02 * abs(look.warmth), 1 + 0.06 * look.warmth], np.float32
        )
        return np.asarray(np.clip(gain[..., None] * tint * _GAIN_ONE, 0, 255), np.uint8)

    def _paint_empty(self) -> Image:
        width, height = (round(side * _TABLE_SCALE) for side in _TABLE_MM)
        table = paint_table(self.look.table, width, height, _TABLE_SCALE, self._rng)
        if self.mat is not None:
            size = round(self.mat.width_mm * _TABLE_SCALE), round(self.mat.height_mm * _TABLE_SCALE)
            sheet = cv2.resize(self.mat.image, size, interpolation=cv2.INTER_AREA)
            left, top = (width - size[0]) // 2, (height - size[1]) // 2
            under = table[top : top + size[1], left : left + size[0]]
            # Paper and ink are never quite white and black.
            printed = cv2.convertScaleAbs(sheet[..., :3], alpha=0.84, beta=22)
            lies = np.full(under.shape[:2], 255, np.uint8) if sheet.shape[2] == 3 else sheet[..., 3]
            np.copyto(under, printed, where=lies[..., None] > 127)
        spots = (self._map + np.array(_TABLE_MM, np.float32) / 2) * _TABLE_SCALE - 0.5
        seen = cv2.remap(
            table, spots.astype(np.float32), _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        lit = cv2.multiply(seen, self._light, scale=1 / _GAIN_ONE)
        return np.asarray(cv2.GaussianBlur(lit, (0, 0), self.look.blur), np.uint8)

    def _paint_noise(self) -> Image:
        height, width = self._map.shape[:2]
        grain = self._rng.standard_normal((height + 64, width + 96, 3)).astype(np.float32)
        # A sensor's noise is blotched by its colour filter and the camera's smoothing.
        smooth = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32)
        level = 128 + smooth * (self.look.noise / float(smooth.std()))
        return np.asarray(np.clip(level, 0, 255), np.uint8)

    def _paint_arm(self, picture: Image, arm: Arm) -> None:
        lamp = np.array(self.look.lamp) * arm.height
        for card in arm.held:
            away = LaidCard(card.face, card.x - lamp[0], card.y - lamp[1], card.angle, card.up)
            self._darken(picture, self._shade, _shade_transform(away), 0.0, 0.6)
        shade = arm_shade(arm.person)
        down = _into(arm.x - lamp[0], arm.y - lamp[1], arm.angle, ARM_PIXELS_PER_MM / 4, TIP_X_MM, TIP_Y_MM)
        self._darken(picture, shade, down, 0.0, 1.0)
        for card in arm.held:
            self._paint_card(picture, card, arm.height)
        over = _into(arm.x, arm.y, arm.angle, ARM_PIXELS_PER_MM, TIP_X_MM, TIP_Y_MM)
        self._blend(picture, arm_picture(arm.person), over, arm.height + 10)

    def _paint_card(self, picture: Image, card: LaidCard, height: float) -> None:
        if height == 0.0:
            side = np.array(self.look.lamp) / max(0.2, math.hypot(*self.look.lamp))
            under = LaidCard(card.face, card.x - side[0] * 0.9, card.y - side[1] * 0.9, card.angle, card.up)
            self._darken(picture, self._shade, _shade_transform(under), 0.0, 1.0)
        sprite = self._sprite(card)
        scale = sprite.shape[1] / CARD_WIDTH_MM
        onto = _into(card.x, card.y, card.angle, scale, CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
        self._blend(picture, sprite, onto, height)

    def _sprite(self, card: LaidCard) -> Image:
        """A card's art at the picture's scale: BGRA, premultiplied."""
        key = (card.face, True) if card.up else (None, False)
        if key not in self._sprites:
            size = card_size(self.camera.pixels_per_mm * 1.4)
            art = self.deck.face(card.face) if card.up else self.deck.back()
            art = np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)
            mask = card_mask(*size)
            # Paper sends back some nine tenths of the light: no card outshines the sensor.
            inked = cv2.multiply(art, cv2.merge([mask, mask, mask]), scale=0.9 / 255)
            self._sprites[key] = np.dstack([inked, mask])
        return self._sprites[key]

    def _place(
        self, into: NDArray[np.float64], height: float, size: tuple[int, int]
    ) -> tuple[slice, slice] | None:
        """The part of the picture that a thing of `size` (width, height) pixels can cover."""
        spots = cv2.transform(self._coarse, self._raised(into, height))
        reach = _COARSE * into_scale(into) / self.camera.pixels_per_mm * 1.5
        inside = (
            (spots[..., 0] > -reach) & (spots[..., 0] < size[0] + reach)
            & (spots[..., 1] > -reach) & (spots[..., 1] < size[1] + reach)
        )  # fmt: skip
        rows, columns = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
        if not len(rows):
            return None
        return (
            slice(max(0, (rows[0] - 1) * _COARSE), (rows[-1] + 1) * _COARSE + 1),
            slice(max(0, (columns[0] - 1) * _COARSE), (columns[-1] + 1) * _COARSE + 1),
        )

    def _raised(self, into: NDArray[np.float64], height: float) -> NDArray[np.float64]:
        """`into` for a plane `height` above the table: the pixel that shows P there shows k·C + (1-k)·P0."""
        k = height / -self.camera.position[2]
        lift = np.array(
            [[1 - k, 0, k * self.camera.position[0]], [0, 1 - k, k * self.camera.position[1]], [0, 0, 1]]
        )
        return np.asarray(into @ lift, np.float64)

    def _warped(
        self, sprite: Image, into: NDArray[np.float64], height: float
    ) -> tuple[tuple[slice, slice], Image] | None:
        place = self._place(into, height, (sprite.shape[1], sprite.shape[0]))
        if place is None:
            return None
        spots = cv2.transform(self._map[place], self._raised(into, height))
        warped = cv2.remap(
            sprite, spots, _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0
        )
        return place, np.asarray(warped, np.uint8)

    def _darken(
        self, picture: Image, shade: Image, into: NDArray[np.float64], height: float, part: float
    ) -> None:
        warped = self._warped(shade, into, height)
        if warped is not None:
            place, cover = warped
            keep = cv2.convertScaleAbs(cover, alpha=-self.look.shadow * part, beta=255)
            picture[place] = cv2.multiply(picture[place], cv2.merge([keep, keep, keep]), scale=1 / 255)

    def _blend(self, picture: Image, sprite: Image, into: NDArray[np.float64], height: float) -> None:
        warped = self._warped(sprite, into, height)
        if warped is not None:
            place, art = warped
            art = np.asarray(cv2.GaussianBlur(art, (0, 0), self.look.blur), np.uint8)
            colours = cv2.multiply(art[..., :3], self._light[place], scale=1 / _GAIN_ONE)
            keep = cv2.bitwise_not(art[..., 3])
            beneath = cv2.multiply(picture[place], cv2.merge([keep, keep, keep]), scale=1 / 255)
            picture[place] = cv2.add(beneath, colours)


def _into(
    x: float, y: float, angle: float, scale: float, hold_x: float, hold_y: float
) -> NDArray[np.float64]:
    """2×3: from table mm to the pixels of a sprite whose point (hold_x, hold_y) mm is at (x, y)."""
    c, s = math.cos(math.radians(angle)) * scale, math.sin(math.radians(angle)) * scale
    half = 0.5  # the sprite's first pixel begins at its edge, and its middle is half a pixel in
    return np.array([
        [c, s, hold_x * scale - half - c * x - s * y],
        [-s, c, hold_y * scale - half + s * x - c * y],
    ])  # fmt: skip


def into_scale(into: NDArray[np.float64]) -> float:
    """The pixels per millimetre of a transform made by `_into`."""
    return math.hypot(into[0, 0], into[0, 1])


def _shade_transform(card: LaidCard) -> NDArray[np.float64]:
    middle = CARD_WIDTH_MM / 2 + _SHADE_MARGIN_MM, CARD_HEIGHT_MM / 2 + _SHADE_MARGIN_MM
    return _into(card.x, card.y, card.angle, _SHADE_SCALE, *middle)


def _card_shade() -> Image:
    """A card's soft shadow, with a margin round it."""
    mask = card_mask(*card_size(_SHADE_SCALE))
    margin = round(_SHADE_MARGIN_MM * _SHADE_SCALE)
    wide = cv2.copyMakeBorder(mask, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(cv2.GaussianBlur(wide, (0, 0), 1.3 * _SHADE_SCALE), np.uint8)
