"""Lines to choose among: the start, the games, players, options, settings."""

from __future__ import annotations

from appliance.screen.canvas import Canvas
from appliance.screen.frame import cut, draw_frame, draw_rows
from appliance.screen.pages import Menu


def draw_menu(canvas: Canvas, menu: Menu) -> None:
    """Draws the view."""
    theme = canvas.theme
    box = draw_frame(canvas, menu.title, menu.hints)
    if menu.text:
        text, box = cut(box, theme.px(76), theme.px(14))
        canvas.text(menu.text, text, 27, theme.palette.quiet, lines=3 if theme.tall else 2)
    draw_rows(canvas, box, [(row.label, row.value) for row in menu.rows], menu.chosen)
