"""The verdict: who, which card, the rule in full, the picture of the moment, and what can be done."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import (
    answers_height,
    cut,
    draw_answers,
    draw_cards,
    draw_frame,
    draw_picture,
    split,
)
from appliance.screen.model import Tone
from appliance.screen.pages import Evidence, Verdict


def draw_verdict(canvas: Canvas, verdict: Verdict) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    colour = palette.wrong if verdict.tone in (Tone.WRONG, Tone.PROVED) else palette.open
    box = draw_frame(canvas, verdict.title, verdict.hints, colour)
    height = answers_height(canvas, verdict.answers)
    box, answers = cut(box, box.height - height - theme.px(20), theme.px(20))
    draw_answers(canvas, answers, verdict.answers, verdict.chosen)
    seen, words = split(canvas, box, 0.4 if theme.tall else 0.46)
    draw_moments(canvas, seen, verdict.moments)
    draw_rule(canvas, words, verdict.rule, verdict.short, verdict.text)


def draw_rule(canvas: Canvas, box: pygame.Rect, rule: str | None, short: str, text: str) -> None:
    """A rule: its number, what it is in short, and its text."""
    theme, palette = canvas.theme, canvas.theme.palette
    head, box = cut(box, theme.px(88), theme.px(10))
    if rule is not None:
        chip = pygame.Rect(head.left, 0, theme.px(140), theme.px(62))
        chip.centery = head.centery
        canvas.panel(chip, palette.paper, palette.line, radius=10)
        canvas.text(rule, chip.inflate(-theme.px(12), 0), 34, palette.ink, bold=True, align="middle")
        head = pygame.Rect(
            chip.right + theme.px(20), head.top, head.right - chip.right - theme.px(20), head.height
        )
    canvas.text(short, head, 32, palette.text, bold=True, lines=3)
    paragraph(canvas, box, text, 28)


def paragraph(canvas: Canvas, box: pygame.Rect, text: str, size: float) -> None:
    """A text from the top of a box, smaller if it is long."""
    if not text:
        return
    while size > 14:
        font = canvas.theme.font(size)
        lines = canvas.lines(text, size, box.width)
        if lines * font.get_linesize() <= box.height:
            break
        size *= 0.95
    font = canvas.theme.font(size)
    lines = canvas.lines(text, size, box.width)
    part = pygame.Rect(box.left, box.top, box.width, min(box.height, lines * font.get_linesize() + 2))
    canvas.text(text, part, size, canvas.theme.palette.text, lines=max(lines, 1))


def draw_moments(canvas: Canvas, box: pygame.Rect, moments: tuple[Evidence, ...]) -> None:
    """Each moment's card, picture and words, below each other."""
    theme, palette = canvas.theme, canvas.theme.palette
    if not moments:
        return
    gap = theme.px(16)
    each = (box.height - gap * (len(moments) - 1)) // len(moments)
    for n, moment in enumerate(moments):
        cell = pygame.Rect(box.left, box.top + n * (each + gap), box.width, each)
        canvas.panel(cell, palette.panel, palette.line)
        inside = cell.inflate(-theme.px(24), -theme.px(20))
        inside, words = cut(inside, inside.height - theme.px(64), theme.px(6))
        canvas.text(moment.words, words, 25, palette.text, bold=True, align="middle", lines=2)
        if moment.picture is None:
            draw_cards(canvas, inside, moment.cards)
        elif not moment.cards:
            draw_picture(canvas, inside, moment.picture)
        else:
            card = pygame.Rect(inside.left, inside.top, inside.width * 3 // 10, inside.height)
            picture = pygame.Rect(
                card.right + gap, inside.top, inside.right - card.right - gap, inside.height
            )
            draw_cards(canvas, card, moment.cards)
            draw_picture(canvas, picture, moment.picture)
