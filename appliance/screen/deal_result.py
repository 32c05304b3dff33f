"""How a deal came out: what everybody gained, and where the match stands."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import cut, draw_frame
from appliance.screen.pages import DealResult, Side


def draw_deal_result(canvas: Canvas, result: DealResult) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, result.title, result.hints, palette.good, result.deal)
    if result.text:
        box, text = cut(box, box.height - theme.px(76), theme.px(12))
        canvas.text(result.text, text, 34, palette.turn, bold=True, align="middle", lines=2)
    draw_sides(canvas, box, result.sides)


def draw_sides(canvas: Canvas, box: pygame.Rect, sides: tuple[Side, ...], mark: int = 0) -> list[pygame.Rect]:
    """A row for each player or pair. Returns the place left for a mark of this width in each."""
    marks = []
    theme = canvas.theme
    gap = theme.px(10)
    each = min(theme.px(120), (box.height - gap * (len(sides) - 1)) // len(sides))
    for n, side in enumerate(sides):
        row = pygame.Rect(box.left, box.top + n * (each + gap), box.width, each)
        _draw_side(canvas, row, side, mark)
        marks.append(pygame.Rect(row.left + theme.px(14), row.top, mark, row.height))
    return marks


def _draw_side(canvas: Canvas, row: pygame.Rect, side: Side, mark: int) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    canvas.panel(row, palette.good if side.won else palette.panel, palette.line)
    inside = row.inflate(-theme.px(36), -theme.px(8))
    inside.left, inside.width = inside.left + mark, inside.width - mark
    colour = (255, 255, 255) if side.won else palette.text
    part = inside.width * 17 // 100
    total = pygame.Rect(inside.right - part, inside.top, part, inside.height)
    gained = pygame.Rect(total.left - part, inside.top, part - theme.px(10), inside.height)
    canvas.text(str(side.total), total, 56, colour, bold=True, align="right")
    if side.gained:
        canvas.text(f"{side.gained:+d}", gained, 38, colour if side.won else palette.turn, align="right")
    name = pygame.Rect(inside.left, inside.top, gained.left - inside.left - theme.px(10), inside.height)
    if side.stars and side.total > 0 and side.rank:
        name, rank = cut(name, name.height * 55 // 100)
        stars = "★" * side.total if side.total <= 6 else f"★ × {side.total}"
        canvas.text(f"{stars} {side.rank}", rank, 24, colour if side.won else palette.turn)
    canvas.text(side.name, name, 36, colour, bold=True, lines=3)
