"""Teaching a deck: all its cards, those known marked; large what the camera sees and is taken for."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import cut, draw_cards, draw_frame, draw_picture, split
from appliance.screen.pages import Teach


def draw_teach(canvas: Canvas, teach: Teach) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, teach.title, teach.hints, small=teach.count)
    seen, cards = split(canvas, box, 0.42)
    seen, words = cut(seen, seen.height - theme.px(140), theme.px(12))
    if teach.card is None:
        if teach.picture is not None:
            draw_picture(canvas, seen, teach.picture)
    else:
        gap = theme.px(20)
        left = pygame.Rect(seen.left, seen.top, (seen.width - gap) // 2, seen.height)
        draw_picture(canvas, left, teach.picture)
        right = pygame.Rect(left.right + gap, seen.top, seen.right - left.right - gap, seen.height)
        draw_cards(canvas, right, (teach.card,), (palette.turn,))
    canvas.text(teach.text, words, 32, palette.text, bold=True, align="middle", lines=4)
    canvas.panel(cards, palette.panel, palette.line)
    edges = tuple(
        palette.turn if card == teach.card else palette.good if card in teach.taught else None
        for card in teach.cards
    )
    inside = cards.inflate(-theme.px(28), -theme.px(28))
    shown: list[object] = list(teach.cards)
    before = len(canvas.things)
    draw_cards(canvas, inside, shown, edges)
    for card_, (place, _) in zip(teach.cards, canvas.things[before:], strict=True):
        if card_ in teach.taught:
            _tick(canvas, place)
        if teach.card in teach.choices and card_ in teach.choices:
            now, wanted = teach.choices.index(teach.card), teach.choices.index(card_)
            canvas.target(place, *canvas.way(wanted, now, len(teach.choices)))


def _tick(canvas: Canvas, place: pygame.Rect) -> None:
    """A tick on a card that is known."""
    colour, size = canvas.theme.palette.good, place.width // 2
    middle = (place.centerx, place.centery + place.height // 8)
    pygame.draw.circle(canvas.surface, colour, middle, size // 2 + 1)
    x, y = middle
    step = max(2, size // 5)
    points = [(x - step, y), (x - step // 3, y + step), (x + step, y - step)]
    pygame.draw.lines(canvas.surface, (255, 255, 255), False, points, max(2, size // 8))
