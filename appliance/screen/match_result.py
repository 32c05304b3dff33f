"""How a match came out, with the course of the scores over its deals."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.deal_result import draw_sides
from appliance.screen.frame import answers_height, cut, draw_answers, draw_frame, split
from appliance.screen.pages import MatchResult
from appliance.screen.theme import Colour

LINES: tuple[Colour, ...] = (
    (230, 159, 0), (86, 180, 233), (0, 158, 115), (213, 94, 0), (204, 121, 167), (240, 228, 66),
)  # fmt: skip
"""Colours that people who do not see red and green tell apart; the marks differ too."""


def draw_match_result(canvas: Canvas, result: MatchResult) -> None:
    """Draws the view."""
    theme = canvas.theme
    box = draw_frame(canvas, result.title, result.hints, theme.palette.good)
    box, answers = cut(box, box.height - answers_height(canvas, result.answers) - theme.px(20), theme.px(20))
    draw_answers(canvas, answers, result.answers, result.chosen)
    sides, graph = split(canvas, box, 0.45)
    for n, place in enumerate(draw_sides(canvas, sides, result.sides, theme.px(30))):
        _mark(canvas, place.center, n, LINES[n % len(LINES)])
    _draw_graph(canvas, graph, result)


def _draw_graph(canvas: Canvas, box: pygame.Rect, result: MatchResult) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    canvas.panel(box, palette.panel, palette.line)
    inside = box.inflate(-theme.px(32), -theme.px(24))
    inside, foot = cut(inside, inside.height - theme.px(34))
    values = [value for line in result.course for value in line] or [0]
    low, high = min(0, *values), max(1, *values)
    left = pygame.Rect(inside.left, inside.top, theme.px(62), inside.height)
    plot = pygame.Rect(
        left.right + theme.px(10), inside.top + theme.px(14), inside.right - left.right - theme.px(30), 0
    )
    plot.height = inside.bottom - plot.top - theme.px(14)

    def at(deal: float, value: float, deals: int) -> tuple[int, int]:
        x = plot.left + plot.width * deal / max(1, deals)
        return round(x), round(plot.bottom - plot.height * (value - low) / (high - low))

    for value in sorted({low, 0, high}):
        y = at(0, value, 1)[1]
        pygame.draw.line(canvas.surface, palette.line, (plot.left, y), (plot.right, y), theme.px(2))
        label = pygame.Rect(left.left, y - theme.px(14), left.width, theme.px(28))
        if value in (low, high) or min(abs(at(0, v, 1)[1] - y) for v in (low, high)) > theme.px(34):
            canvas.text(str(value), label, 22, palette.quiet, align="right")
    canvas.text(result.axis, foot, 22, palette.quiet, align="middle")
    for n, line in enumerate(result.course):
        points = [at(deal, value, len(line) - 1) for deal, value in enumerate(line)]
        colour = LINES[n % len(LINES)]
        if len(points) > 1:
            pygame.draw.lines(canvas.surface, colour, False, points, theme.px(4))
        many = len(points) > 40
        for point in points[-1:] if many else points:
            _mark(canvas, point, n, colour)


def _mark(canvas: Canvas, at: tuple[int, int], n: int, colour: Colour) -> None:
    """A mark for each line: round, square, pointed."""
    size = canvas.theme.px(9)
    x, y = at
    if n % 3 == 0:
        pygame.draw.circle(canvas.surface, colour, at, size)
    elif n % 3 == 1:
        pygame.draw.rect(canvas.surface, colour, pygame.Rect(x - size, y - size, 2 * size, 2 * size))
    else:
        pygame.draw.polygon(
            canvas.surface, colour, [(x, y - size), (x + size, y + size), (x - size, y + size)]
        )
