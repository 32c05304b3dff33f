"""A rule of a game in full, with its example."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import cut, draw_frame
from appliance.screen.pages import RulePage
from appliance.screen.verdict import paragraph


def draw_rule_page(canvas: Canvas, page: RulePage) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, page.title, page.hints, small=page.place)
    chip, box = cut(box, theme.px(66), theme.px(18))
    chip = pygame.Rect(chip.left, chip.top, theme.px(170), chip.height)
    canvas.panel(chip, palette.paper, palette.line, radius=10)
    canvas.text(page.number, chip.inflate(-theme.px(14), 0), 40, palette.ink, bold=True, align="middle")
    text, example = cut(box, box.height * (74 if page.example else 100) // 100, theme.px(14))
    paragraph(canvas, text, page.text, 34)
    if page.example:
        canvas.panel(example, palette.panel, palette.line)
        inside = example.inflate(-theme.px(36), -theme.px(20))
        canvas.text(page.example, inside, 27, palette.text, lines=8)
