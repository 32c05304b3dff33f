"""The score beside the table: the game, the deal, a row for each player or pair, what has failed."""

from __future__ import annotations

import pygame

from appliance.language import Language
from appliance.screen.canvas import Canvas
from appliance.screen.frame import WHITE, cut
from appliance.screen.model import Shown
from appliance.spoken import spoken_rank
from engine.view import View


def draw_score(canvas: Canvas, box: pygame.Rect, shown: Shown, language: Language) -> None:
    """Draws it, a column; on an upright screen a band."""
    theme, palette, view = canvas.theme, canvas.theme.palette, shown.view
    pygame.draw.rect(canvas.surface, palette.panel, box)
    inner = box.inflate(-theme.px(36), -theme.px(28))
    text = language("Deal {number}").format(number=view.deal) if view.deal else language("No deal yet")
    if theme.tall:
        head, inner = cut(inner, theme.px(44), theme.px(8))
        deal = pygame.Rect(head.left + head.width * 64 // 100, head.top, head.width * 36 // 100, head.height)
        head.width = head.width * 62 // 100
        canvas.text(text, deal, 24, palette.quiet, align="right")
        canvas.text(shown.game_name, head, 34, palette.text, bold=True)
    else:
        name, inner = cut(inner, theme.px(50))
        deal, inner = cut(inner, theme.px(30), theme.px(14))
        canvas.text(shown.game_name, name, 34, palette.text, bold=True, lines=2)
        canvas.text(text, deal, 22, palette.quiet)
    inner, troubles = cut(inner, inner.height - theme.px(46) * len(shown.troubles))
    for n, trouble in enumerate(shown.troubles):
        row = pygame.Rect(troubles.left, troubles.top + theme.px(46) * n, troubles.width, theme.px(44))
        canvas.text("⚠ " + trouble, row, 20, palette.turn, lines=2)
    sides = view.teams or tuple((seat,) for seat in range(1, len(view.players) + 1))
    columns = 2 if theme.tall and len(sides) > 1 else 1
    rows, gap = -(-len(sides) // columns), theme.px(10)
    height = min(theme.px(170), (inner.height - gap * (rows - 1)) // rows)
    width = (inner.width - gap * (columns - 1)) // columns
    for n, side in enumerate(sides):
        left, top = inner.left + n % columns * (width + gap), inner.top + n // columns * (height + gap)
        _draw_side(canvas, pygame.Rect(left, top, width, height), view, side, language)


def _draw_side(
    canvas: Canvas, box: pygame.Rect, view: View, side: tuple[int, ...], language: Language
) -> None:
    """One pair's or player's row: the names, below them the last deal's points or a note, the total large."""
    theme, palette = canvas.theme, canvas.theme.palette
    won = view.winner is not None and set(side) <= set(view.winner)
    canvas.panel(box, palette.good if won else palette.table, palette.turn if won else palette.line)
    inside = box.inflate(-theme.px(24), -theme.px(8))
    names = " + ".join(view.players[seat - 1] for seat in side)
    total = view.score.get(side[0], 0)
    part = inside.width * 28 // 100
    number = pygame.Rect(inside.right - part, inside.top, part, inside.height)
    inside.width -= part + theme.px(8)
    colour, accent = (WHITE, WHITE) if won else (palette.text, palette.turn)
    size = min(84.0, number.height / theme.scale * 0.75)
    canvas.text(str(total), number, size, colour, bold=True, align="right")
    note = _note(view, side, total, language)
    if note:
        inside, below = cut(inside, inside.height * 64 // 100)
        canvas.text(note, below, 24, accent, lines=2)
    canvas.text(names, inside, 27, colour, bold=True, lines=4)


def _note(view: View, side: tuple[int, ...], total: int, language: Language) -> str:
    said = []
    gained = 0 if view.last_points is None else view.last_points.get(side[0], 0)
    if gained:
        said.append(f"{gained:+d}")
    if view.stars and total > 0:
        said.append(f"★ {spoken_rank(total, language)}")
    if view.last_barks is not None and view.last_barks[0] in side:
        said.append(language.count("barks {n} time", "barks {n} times", view.last_barks[1]))
    return " · ".join(said)
