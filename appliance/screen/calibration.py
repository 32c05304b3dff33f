"""The calibration: the camera's picture, and whether the table was found in it."""

from __future__ import annotations

from appliance.screen.canvas import Canvas
from appliance.screen.frame import WHITE, cut, draw_frame, draw_picture
from appliance.screen.pages import Calibration


def draw_calibration(canvas: Canvas, calibration: Calibration) -> None:
    """Draws the view."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = draw_frame(canvas, calibration.title, calibration.hints)
    text, box = cut(box, theme.px(112), theme.px(20))
    colour = {None: palette.open, True: palette.good, False: palette.wrong}[calibration.good]
    canvas.panel(text, colour, radius=12)
    inside = text.inflate(-theme.px(36), -theme.px(10))
    canvas.text(calibration.text, inside, 30, WHITE, bold=True, lines=4 if theme.tall else 3)
    if calibration.picture is not None:
        draw_picture(canvas, box, calibration.picture)
    else:
        canvas.panel(box, palette.panel, palette.line)
        canvas.text(
            calibration.no_picture, box.inflate(-theme.px(40), 0), 30, palette.quiet, align="middle", lines=3
        )
