"""Drawing on the screen: text that fits its box, panels, and playing cards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
import pygame

from appliance.screen.theme import Colour, Theme
from engine.cards import Card, Suit
from vision.types import Image

Align: TypeAlias = Literal["left", "middle", "right"]
Letters: TypeAlias = Literal["TKDV", "AKQJ"]
_PIECE = re.compile(r"[^ -]*(?:-(?=\w)|-? +|-?$)|-")
"""What a line may be broken behind: a space, or a hyphen in a word."""
_INTERNATIONAL = {"T": "A", "D": "Q", "V": "J"}


@dataclass(frozen=True)
class Written:
    """A text that was drawn: the box it was given, the box it took, the height of its letters, and how
    many veils lay under it."""

    text: str
    box: pygame.Rect
    took: pygame.Rect
    pixels: int
    layer: int


class Canvas:
    """A surface with a theme. Remembers every text and card drawn, for the tests that look for clipped
    text. `four_colours`: every suit has a colour of its own."""

    def __init__(
        self, surface: pygame.Surface, theme: Theme, letters: Letters = "TKDV", four_colours: bool = False
    ) -> None:
        self.surface = surface
        self.theme = theme
        self.letters = letters
        self.four_colours = four_colours
        self.layer = 0
        self.texts: list[Written] = []
        self.things: list[tuple[pygame.Rect, int]] = []
        """Where cards and pictures lie, and on which layer."""
        self.targets: list[tuple[pygame.Rect, tuple[str, ...]]] = []
        """Where a finger may point, and which buttons do the same; the later lies on the earlier."""
        self.shortened: list[str] = []
        """The texts that had no room even when small."""

    def fill(self, colour: Colour) -> None:
        """The whole surface in one colour."""
        self.surface.fill(colour)

    def veil(self) -> None:
        """Darkens all there is, for something to be laid over it."""
        shade = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        shade.fill((*self.theme.palette.table, 215))
        self.surface.blit(shade, (0, 0))
        self.layer += 1
        self.targets.clear()

    def target(self, box: pygame.Rect, *buttons: str) -> None:
        """A finger here does what these buttons do, one after the other."""
        self.targets.append((box.copy(), buttons))

    def choice(self, box: pygame.Rect, n: int, chosen: int, count: int) -> None:
        """A finger here takes one of `count` answers, of which `chosen` is the one the buttons are at."""
        self.target(box, *self.way(n, chosen, count), "ok")

    @staticmethod
    def way(n: int, chosen: int, count: int) -> tuple[str, ...]:
        """The presses from one of `count` answers to another; the shorter way round."""
        down = (n - chosen) % count
        return ("down",) * down if down <= count - down else ("up",) * (count - down)

    def touched(self, point: tuple[int, int]) -> tuple[str, ...]:
        """The buttons that do what lies at a point; none if nothing does."""
        return next((does for box, does in reversed(self.targets) if box.collidepoint(point)), ())

    def panel(self, box: pygame.Rect, colour: Colour, edge: Colour | None = None, radius: float = 14) -> None:
        """A rounded panel."""
        pygame.draw.rect(self.surface, colour, box, border_radius=self.theme.px(radius))
        if edge is not None:
            pygame.draw.rect(self.surface, edge, box, self.theme.px(2), border_radius=self.theme.px(radius))

    def text(
        self,
        text: str,
        box: pygame.Rect,
        size: float,
        colour: Colour,
        *,
        bold: bool = False,
        align: Align = "left",
        lines: int = 1,
    ) -> pygame.Rect:
        """A text in a box, in at most `lines` lines; made smaller until it fits, then with long words
        broken, then smaller yet, to a third at the least, then shortened with an ellipsis. Returns the box
        it takes."""  # fmt: skip
        wrapped, font, pixels = self._fitted(text, box, size, bold, lines)
        height = font.get_linesize()
        top = box.centery - height * len(wrapped) // 2
        took: pygame.Rect | None = None
        for n, line in enumerate(wrapped):
            image = font.render(line, True, colour)
            place = image.get_rect(top=top + n * height)
            if align == "left":
                place.left = box.left
            elif align == "right":
                place.right = box.right
            else:
                place.centerx = box.centerx
            self.surface.blit(image, place)
            took = place if took is None else took.union(place)
        took = took or pygame.Rect(box.topleft, (0, 0))
        if text:
            self.texts.append(Written(text, box.copy(), took.copy(), pixels, self.layer))
        return took

    def lines(self, text: str, size: float, width: int) -> int:
        """In how many lines a text of a size fits this width."""
        return len(_wrapped(text, self.theme.font(size), width))

    def _fitted(
        self, text: str, box: pygame.Rect, size: float, bold: bool, lines: int
    ) -> tuple[list[str], pygame.font.Font, int]:
        for smallest, broken in ((size * 0.6, False), (size * 0.42, True), (size / 3, False)):
            now = size if not broken else size * 0.8
            while now > smallest:
                font = self.theme.font(now, bold)
                wrapped = _wrapped(text, font, box.width, broken)
                high_enough = font.get_linesize() * len(wrapped) <= box.height + 2
                if (
                    len(wrapped) <= lines
                    and high_enough
                    and all(font.size(w)[0] <= box.width for w in wrapped)
                ):
                    return wrapped, font, self.theme.pixels(now)
                now *= 0.94
        self.shortened.append(text)
        font = self.theme.font(size / 3, bold)
        lines_ = _wrapped(text, font, box.width)[:lines]
        return [_shortened(line, font, box.width) for line in lines_], font, self.theme.pixels(size / 3)

    def picture(self, image: Image, box: pygame.Rect) -> pygame.Rect:
        """A picture as large as the box allows. Returns the box it takes."""
        height, width = image.shape[:2]
        scale = min(box.width / width, box.height / height)
        place = pygame.Rect(0, 0, max(1, round(width * scale)), max(1, round(height * scale)))
        place.center = box.center
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = np.ascontiguousarray(cv2.resize(image, place.size, interpolation=way)[..., ::-1])
        self.surface.blit(pygame.image.frombuffer(small.tobytes(), place.size, "RGB"), place)
        pygame.draw.rect(self.surface, self.theme.palette.line, place, self.theme.px(2))
        self.things.append((place.copy(), self.layer))
        return place

    def rank(self, rank: str) -> str:
        """A rank's index as the cards here carry it."""
        return _INTERNATIONAL.get(rank, rank) if self.letters == "AKQJ" else rank

    def suit_colour(self, suit: Suit) -> Colour:
        """The colour of a suit on paper."""
        palette = self.theme.palette
        if self.four_colours and suit in (Suit.CLUBS, Suit.DIAMONDS):
            return palette.green if suit is Suit.CLUBS else palette.blue
        return palette.red if suit.red else palette.ink

    def back(self, box: pygame.Rect) -> None:
        """A card face down."""
        palette = self.theme.palette
        radius = max(3, box.width // 10)
        pygame.draw.rect(self.surface, palette.paper, box, border_radius=radius)
        inside = box.inflate(-box.width // 6, -box.width // 6)
        pygame.draw.rect(self.surface, palette.open, inside, border_radius=radius)
        pygame.draw.rect(self.surface, (120, 120, 116), box, self.theme.px(1), border_radius=radius)
        self.things.append((box.copy(), self.layer))

    def card(self, card: Card, box: pygame.Rect, *, faded: bool = False, edge: Colour | None = None) -> None:
        """A playing card: its index large, its suit large in the middle."""
        palette = self.theme.palette
        self.things.append((box.copy(), self.layer))
        image = pygame.Surface(box.size, pygame.SRCALPHA)
        inside = image.get_rect()
        radius = max(3, box.width // 10)
        pygame.draw.rect(image, palette.paper, inside, border_radius=radius)
        colour = palette.ink if card.joker else self.suit_colour(card.suit)
        if card.joker:
            self._blit(image, str(card), 0.3 * box.width, inside.center, colour)
        else:
            rank = self.rank(str(card.rank))
            corner = (round(box.width * 0.27), round(box.height * 0.17))
            self._blit(image, rank, (0.36 if rank == "10" else 0.44) * box.width, corner, colour)
            below = (corner[0], round(box.height * 0.39))
            self._blit(image, str(card.suit), 0.34 * box.width, below, colour)
            middle = (round(box.width * 0.66), round(box.height * 0.7))
            self._blit(image, str(card.suit), 0.72 * box.width, middle, colour)
        pygame.draw.rect(
            image, edge or (120, 120, 116), inside, self.theme.px(4 if edge else 1), border_radius=radius
        )
        if faded:
            pygame.draw.rect(self.surface, palette.table, box, border_radius=radius)
            image.set_alpha(120)
        self.surface.blit(image, box)

    def _blit(
        self, image: pygame.Surface, text: str, size: float, middle: tuple[int, int], colour: Colour
    ) -> None:
        drawn = self.theme.font(size / self.theme.scale, bold=True).render(text, True, colour)
        image.blit(drawn, drawn.get_rect(center=middle))


def _wrapped(text: str, font: pygame.font.Font, width: int, broken: bool = False) -> list[str]:
    """The lines of a text; `broken`: a word that is too long is broken with a hyphen."""
    if "\n" in text:
        return [line for part in text.split("\n") for line in _wrapped(part, font, width, broken)]
    lines: list[str] = []
    line = ""
    for piece in _PIECE.findall(text):
        longer = line + piece
        if line and font.size(longer.rstrip())[0] > width:
            lines.append(line.rstrip())
            line = piece
        else:
            line = longer
        while broken and font.size(line.rstrip())[0] > width and len(line) > 4:
            fit = max(n for n in range(2, len(line)) if n == 2 or font.size(line[:n] + "-")[0] <= width)
            lines.append(line[:fit] + "-")
            line = line[fit:]
    return [*lines, line.rstrip()]


def _shortened(line: str, font: pygame.font.Font, width: int) -> str:
    if font.size(line)[0] <= width:
        return line
    while line and font.size(line + "…")[0] > width:
        line = line[:-1]
    return line + "…"
