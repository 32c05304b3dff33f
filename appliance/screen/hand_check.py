"""The hand check: a hand spread under the camera, card by card as it is seen."""

from __future__ import annotations

from appliance.screen.canvas import Canvas
from appliance.screen.frame import WHITE, cut, draw_cards, draw_frame
from appliance.screen.pages import HandCheck


def draw_hand_check(canvas: Canvas, check: HandCheck) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, check.title, check.hints)
    text, box = cut(box, theme.px(104), theme.px(20))
    canvas.panel(text, palette.good if check.complete else palette.open, radius=12)
    canvas.text(check.text, text.inflate(-theme.px(36), -theme.px(10)), 32, WHITE, bold=True, lines=3)
    missing: tuple[object, ...] = (None,) * max(0, check.places - len(check.cards))
    draw_cards(canvas, box, (*check.cards, *missing))
