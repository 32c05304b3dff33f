"""Drawing on the screen: text that fits its box, panels, and playing cards."""

from __future__ import annotations

from typing import Literal, TypeAlias

import pygame

from appliance.screen.theme import Colour, Theme
from engine.cards import Card

Align: TypeAlias = Literal["left", "middle", "right"]
Letters: TypeAlias = Literal["TKDV", "AKQJ"]
_INTERNATIONAL = {"T": "A", "D": "Q", "V": "J"}


class Canvas:
    """A surface with a theme. Remembers every text box drawn, for the tests that look for clipped text."""

    def __init__(self, surface: pygame.Surface, theme: Theme, letters: Letters = "TKDV") -> None:
        self.surface = surface
        self.theme = theme
        self.letters = letters
        self.texts: list[tuple[str, pygame.Rect, pygame.Rect]] = []
        """(text, the box it was given, the box it took)"""
        self.shortened: list[str] = []
        """The texts that had no room even when small."""

    def fill(self, colour: Colour) -> None:
        """The whole surface in one colour."""
        self.surface.fill(colour)

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
        """A text in a box, in at most `lines` lines; made smaller until it fits, to a third at the least,
        then shortened with an ellipsis. Returns the box it takes."""  # fmt: skip
        wrapped, font = self._fitted(text, box, size, bold, lines)
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
        self.texts.append((text, box, took))
        return took

    def _fitted(
        self, text: str, box: pygame.Rect, size: float, bold: bool, lines: int
    ) -> tuple[list[str], pygame.font.Font]:
        smallest = size / 3
        while True:
            font = self.theme.font(size, bold)
            wrapped = _wrapped(text, font, box.width)
            high_enough = font.get_linesize() * len(wrapped) <= box.height + 2
            if len(wrapped) <= lines and high_enough and all(font.size(w)[0] <= box.width for w in wrapped):
                return wrapped, font
            if size <= smallest:
                self.shortened.append(text)
                return [_shortened(line, font, box.width) for line in wrapped[:lines]], font
            size *= 0.94

    def card(self, card: Card, box: pygame.Rect, *, faded: bool = False, edge: Colour | None = None) -> None:
        """A playing card: its index large, its suit large in the middle."""
        palette = self.theme.palette
        image = pygame.Surface(box.size, pygame.SRCALPHA)
        inside = image.get_rect()
        radius = max(3, box.width // 10)
        pygame.draw.rect(image, palette.paper, inside, border_radius=radius)
        colour = palette.red if not card.joker and card.suit.red else palette.ink
        if card.joker:
            self._blit(image, str(card), 0.3 * box.width, inside.center, colour)
        else:
            rank = str(card.rank)
            if self.letters == "AKQJ":
                rank = _INTERNATIONAL.get(rank, rank)
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
            image.set_alpha(120)
        self.surface.blit(image, box)

    def _blit(
        self, image: pygame.Surface, text: str, size: float, middle: tuple[int, int], colour: Colour
    ) -> None:
        drawn = self.theme.font(size / self.theme.scale, bold=True).render(text, True, colour)
        image.blit(drawn, drawn.get_rect(center=middle))


def _wrapped(text: str, font: pygame.font.Font, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and font.size(longer)[0] > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def _shortened(line: str, font: pygame.font.Font, width: int) -> str:
    if font.size(line)[0] <= width:
        return line
    while line and font.size(line + "…")[0] > width:
        line = line[:-1]
    return line + "…"
