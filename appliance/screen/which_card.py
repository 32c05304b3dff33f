"""Which card? The likeliest in the middle, the others to either side."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import cut, draw_frame, draw_picture, split
from appliance.screen.pages import AskCard


def draw_which_card(canvas: Canvas, asked: AskCard) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, asked.title, asked.hints)
    if asked.picture is not None:
        seen, box = split(canvas, box, 0.4 if theme.tall else 0.42)
        draw_picture(canvas, seen, asked.picture)
    box, place = cut(box, box.height - theme.px(50), theme.px(8))
    count = f"{asked.chosen + 1} / {len(asked.cards)}"
    canvas.text(count, place, 26, palette.quiet, align="middle")
    wide = min(box.width * 42 // 100, box.height * 10 // 14)
    middle = pygame.Rect(0, 0, wide, wide * 14 // 10)
    middle.center = box.center
    small = pygame.Rect(0, 0, wide * 6 // 10, wide * 84 // 100)
    for side in (-1, 1):
        n = (asked.chosen + side) % len(asked.cards)
        if len(asked.cards) > 1 and (side == 1 or len(asked.cards) > 2):
            small.center = (
                middle.centerx + side * (middle.width + small.width + theme.px(36)) // 2,
                box.centery,
            )
            _draw(canvas, small.clip(box), asked, n, 24)
            canvas.target(small.clip(box), "down" if side == 1 else "up")
    _draw(canvas, middle, asked, asked.chosen, 32)
    canvas.target(middle, "ok")


def _draw(canvas: Canvas, box: pygame.Rect, asked: AskCard, n: int, size: float) -> None:
    palette = canvas.theme.palette
    card, chosen = asked.cards[n], n == asked.chosen
    if card is not None:
        canvas.card(card, box, faded=not chosen, edge=palette.turn if chosen else None)
        return
    canvas.panel(box, palette.turn if chosen else palette.panel, palette.line, radius=10)
    colour = palette.ink if chosen else palette.text
    inside = box.inflate(-canvas.theme.px(14), -canvas.theme.px(14))
    canvas.text(asked.nothing, inside, size, colour, bold=True, align="middle", lines=5)
