"""A name spelt letter by letter."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import cut, draw_frame
from appliance.screen.pages import Spelling


def draw_spelling(canvas: Canvas, spelling: Spelling) -> None:
    """Draws the view: what has been spelt, and the letters in rows."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, spelling.title, spelling.hints)
    word, box = cut(box, theme.px(110), theme.px(18))
    canvas.panel(word, palette.panel, palette.line)
    text = spelling.text + "_"
    canvas.text(text, word.inflate(-theme.px(40), -theme.px(10)), 60, palette.text, bold=True)
    columns = 6 if theme.tall else 10
    rows = -(-len(spelling.letters) // columns)
    width, height = box.width // columns, box.height // rows
    for n, letter in enumerate(spelling.letters):
        cell = pygame.Rect(box.left + n % columns * width, box.top + n // columns * height, width, height)
        cell = cell.inflate(-theme.px(8), -theme.px(8))
        chosen = n == spelling.chosen
        canvas.panel(cell, palette.turn if chosen else palette.panel, radius=10)
        canvas.choice(cell, n, spelling.chosen, len(spelling.letters))
        colour = palette.ink if chosen else palette.text
        inside = cell.inflate(-theme.px(4), 0)
        canvas.text("␣" if letter == " " else letter, inside, 38, colour, bold=True, align="middle")
