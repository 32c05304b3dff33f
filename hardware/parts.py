"""The numbers of the printed parts, once: for `numbers.scad`, which their sources include, and the tests.

Millimetres. Camera Module 3 by its mechanical drawing (datasheets.raspberrypi.com): a board of 25 × 24, four
holes of 2.2, 21 apart along the long side and 12.5 along the short one.
"""

from __future__ import annotations

from collections.abc import Mapping

NUMBERS: Mapping[str, float] = {
    # Printing
    "wall": 2.4,  # six lines of a 0.4 nozzle
    "gap": 0.3,  # between parts that go into each other
    "screw_hole": 2.6,  # an M3 screw cuts its own thread into it
    "screw_free": 3.4,  # an M3 screw goes through it
    # The seat pod: two push buttons and a lamp
    "pod_length": 76.0,
    "pod_width": 36.0,
    "pod_height": 26.0,
    "button_hole": 12.2,  # push buttons with a thread of 12
    "button_nut": 16.5,  # across the corners of their nuts
    "button_apart": 30.0,
    "button_deep": 19.0,  # behind the panel, with its pins
    "lamp_hole": 8.2,  # a WS2812B of 8
    "cable_wide": 8.0,  # flat cable of five wires
    "cable_high": 2.0,
    # The head of the camera arm: it is pushed over the end of the batten and holds the camera's board
    "batten_wide": 40.0,
    "batten_high": 20.0,
    "head_long": 60.0,
    "board_long": 25.0,
    "board_short": 24.0,
    "board_hole": 2.2,
    "board_edge": 2.0,  # from its edge without a plug to the middle of the first holes
    "holes_long": 21.0,
    "holes_short": 12.5,
    "stand_off": 2.0,  # of the board from the plate: small parts lie on its face
    "window_long": 13.0,  # for the lens, wherever it sits between the holes
    "window_short": 16.0,
}


def scad() -> str:
    """`numbers.scad`."""
    lines = ["// Made by `make drawings` from hardware/parts.py. Millimetres."]
    return "\n".join([*lines, *(f"{name} = {value:g};" for name, value in NUMBERS.items())]) + "\n"
