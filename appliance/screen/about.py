"""What this machine is, and what works and what does not."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import draw_frame
from appliance.screen.pages import About


def fitting(canvas: Canvas, about: About) -> int:
    """How many lines have room."""
    return max(1, (canvas.theme.size[1] - canvas.theme.px(190)) // canvas.theme.px(66))


def draw_about(canvas: Canvas, about: About) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, about.title, about.hints)
    fit = min(fitting(canvas, about), len(about.checks))
    first = min(about.first, len(about.checks) - fit)
    each = theme.px(66)
    for n, check in enumerate(about.checks[first : first + fit]):
        row = pygame.Rect(box.left, box.top + n * each, box.width, each - theme.px(6))
        canvas.panel(row, palette.panel, radius=10)
        inside = row.inflate(-theme.px(32), -theme.px(4))
        mark = pygame.Rect(inside.left, inside.top, theme.px(44), inside.height)
        if check.good is not None:
            colour = palette.good if check.good else palette.wrong
            canvas.text("✓" if check.good else "✗", mark, 34, colour, bold=True, align="middle")
        part = (inside.width - mark.width) * 36 // 100
        label = pygame.Rect(mark.right + theme.px(10), inside.top, part, inside.height)
        value = pygame.Rect(label.right + theme.px(14), inside.top, 0, inside.height)
        value.width = inside.right - value.left
        canvas.text(check.label, label, 27, palette.quiet, lines=2)
        canvas.text(check.value, value, 27, palette.text, bold=True, lines=2)
