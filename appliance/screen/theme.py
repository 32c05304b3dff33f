"""Colours and letters of the screen, scaled to its size."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

import pygame

Colour: TypeAlias = tuple[int, int, int]

FONTS = Path(__file__).parent.parent / "fonts"
FONTS_KEPT = 40
"""Sizes of letters that are kept: a page needs some twenty, each takes about a megabyte."""
_REFERENCE = (1280, 720)


@dataclass(frozen=True)
class Palette:
    """The colours of a look."""

    table: Colour
    panel: Colour
    line: Colour
    text: Colour
    quiet: Colour
    turn: Colour
    wrong: Colour
    open: Colour
    good: Colour
    paper: Colour
    ink: Colour
    red: Colour
    blue: Colour = (24, 84, 190)
    green: Colour = (0, 118, 62)


DARK = Palette(
    table=(18, 48, 42), panel=(11, 31, 28), line=(38, 78, 69), text=(240, 238, 226), quiet=(150, 176, 165),
    turn=(244, 190, 82), wrong=(186, 48, 44), open=(58, 84, 112), good=(60, 130, 84), paper=(250, 247, 238),
    ink=(26, 28, 34), red=(190, 28, 36),
)  # fmt: skip
LIGHT = Palette(
    table=(226, 234, 226), panel=(245, 245, 238), line=(190, 204, 192), text=(24, 40, 36),
    quiet=(92, 112, 104), turn=(196, 128, 8), wrong=(186, 48, 44), open=(80, 112, 148), good=(44, 120, 70),
    paper=(255, 253, 247),
    ink=(26, 28, 34), red=(190, 28, 36),
)  # fmt: skip


class Theme:
    """A palette, and fonts and lengths for a screen of a size."""

    def __init__(self, size: tuple[int, int], palette: Palette = DARK) -> None:
        self.size = size
        self.palette = palette
        self.tall = size[1] > size[0]
        """Whether the screen stands upright (turned by a quarter)."""
        long, short = max(size), min(size)
        self.scale = min(long / _REFERENCE[0], short / _REFERENCE[1])
        self._fonts: OrderedDict[tuple[int, bool], pygame.font.Font] = OrderedDict()

    def px(self, length: float) -> int:
        """A length given for 1280×720 in pixels of this screen, at least 1."""
        return max(1, round(length * self.scale))

    def pixels(self, size: float) -> int:
        """The height of letters of a size given for 1280×720."""
        return max(9, round(size * self.scale))

    def font(self, size: float, bold: bool = False) -> pygame.font.Font:
        """DejaVu Sans of a size given for 1280×720."""
        key = (self.pixels(size), bold)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(BytesIO(_file(bold)), key[0])
            if len(self._fonts) > FONTS_KEPT:
                self._fonts.popitem(last=False)
        self._fonts.move_to_end(key)
        return self._fonts[key]


@cache
def _file(bold: bool) -> bytes:
    """A font's file: read once, since every size of it would keep it open."""
    return (FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")).read_bytes()
