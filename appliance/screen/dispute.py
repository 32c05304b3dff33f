"""The dispute: the deal gone through again, action by action, each with its verdict and its rule."""

from __future__ import annotations

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.frame import WHITE, cut, draw_frame, split
from appliance.screen.pages import Dispute
from appliance.screen.theme import Colour
from appliance.screen.verdict import draw_moments, draw_rule, paragraph

_MARKS = {"legal": "✓", "illegal": "✗", "open": "?", "back": "↶"}


def draw_dispute(canvas: Canvas, dispute: Dispute) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    colour: Colour = {"legal": palette.good, "illegal": palette.wrong}.get(dispute.standing, palette.open)
    box = draw_frame(canvas, dispute.title, dispute.hints, small=dispute.place)
    seen, words = split(canvas, box, 0.38 if theme.tall else 0.44)
    draw_moments(canvas, seen, (dispute.moment,))
    who, words = cut(words, theme.px(50), theme.px(8))
    canvas.text(dispute.who, who, 34, palette.text, bold=True)
    high = theme.px(112 if dispute.answer else 84)
    banner, words = cut(words, high, theme.px(14))
    canvas.panel(banner, colour, radius=12)
    inside = banner.inflate(-theme.px(28), -theme.px(8))
    mark = pygame.Rect(inside.left, inside.top, theme.px(52), inside.height)
    canvas.text(_MARKS[dispute.standing], mark, 44, WHITE, bold=True, align="middle")
    text = pygame.Rect(
        mark.right + theme.px(14), inside.top, inside.right - mark.right - theme.px(14), inside.height
    )
    said = dispute.answer or dispute.verdict
    canvas.text(said, text, 36 if dispute.answer else 30, WHITE, bold=True, lines=3)
    if dispute.rule is not None:
        rule, words = cut(words, words.height * (60 if dispute.proof else 100) // 100, theme.px(8))
        short, _, full = dispute.rule_text.partition("\n")
        draw_rule(canvas, rule, dispute.rule, short, full)
    if dispute.proof:
        paragraph(canvas, words, dispute.proof, 26)
