"""Which wire goes where: from the configuration's and the firmware's numbers to pins that can be counted."""

from __future__ import annotations

import ast
from pathlib import Path

from appliance.config import Config

FIRMWARE = Path(__file__).parent.parent / "firmware" / "main.py"

# The 40-pin header of the Pi: physical pin of each GPIO number, and the grounds.
PI_PINS = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
PI_GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)

# The Pico: physical pin of each GP number, and the grounds.
PICO_PINS = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19,
    15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
PICO_GROUNDS = (3, 8, 13, 18, 23, 28, 38)
PICO_VBUS = 40

# Milliamperes at 5 V at the most: what hangs on the Pi's supply.
CURRENTS = {
    "Raspberry Pi 4, busy": 1300,
    "camera": 250,
    "pods: Pico": 50,
    "pods: six lamps, white": 6 * 60,
    "pods: buzzer": 10,
    "speaker": 300,
}
# In series with each lamp (LED), with each passive piezo and with the data of the pods' lamps, ohms: a pin at
# 3.3 V gives no more than 10 mA then, whatever hangs on it.
SERIES_OHM = 330

RING_MA = 500  # the ring light has a supply of its own
SUPPLY_MA = 3000
USB_MA = 1200  # all USB sockets of a Pi 4 together; a Pi 5 gives 1600 with its 5 A supply, else 600


def firmware_pins() -> dict[str, int | tuple[int, ...]]:
    """The constants whose names end in PIN or PINS in the pods' firmware."""
    found = {}
    for node in ast.parse(FIRMWARE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name.endswith(("_PIN", "_PINS")):
                found[name] = ast.literal_eval(node.value)
    return found


def nearest(pin: int, grounds: tuple[int, ...]) -> int:
    """The ground pin nearest to a pin."""
    return min(grounds, key=lambda ground: (abs(ground - pin), ground))


def console_rows() -> list[tuple[str, int, int, int]]:
    """Button, GPIO number, pin of the header, ground pin beside it."""
    rows = []
    for name, gpio in Config().pins.buttons().items():
        rows.append((name, gpio, PI_PINS[gpio], nearest(PI_PINS[gpio], PI_GROUNDS)))
    return rows


def signal_rows() -> list[tuple[str, int, int, int]]:
    """Lamp or buzzer, GPIO number, pin of the header, ground pin near it."""
    pins = Config().pins
    named = {name if name == "buzzer" else f"lamp {name}": gpio for name, gpio in pins.lamps().items()}
    named |= {f"lamp, {name}": gpio for name, gpio in pins.turns().items()}
    return [
        (name, gpio, PI_PINS[gpio], nearest(PI_PINS[gpio], PI_GROUNDS))
        for name, gpio in named.items()
        if gpio
    ]


def pod_rows() -> list[tuple[str, int, int]]:
    """What, GP number, pin of the Pico."""
    pins = firmware_pins()
    buttons = pins["BUTTON_PINS"]
    assert isinstance(buttons, tuple)
    rows = []
    for number, gp in enumerate(buttons):
        rows.append((f"pod {number // 2 + 1}, {('take', 'call')[number % 2]}", gp, PICO_PINS[gp]))
    names = {"LAMP_PIN": "lamps, data", "LIGHT_PIN": "ring light, gate", "BUZZER_PIN": "buzzer"}
    for name, what in names.items():
        single = pins[name]
        assert isinstance(single, int)
        rows.append((what, single, PICO_PINS[single]))
    return rows
