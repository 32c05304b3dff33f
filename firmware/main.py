"""The seat pods on a Raspberry Pi Pico: boards, pins, the lamps, and the loop around `core.Core`.

`kortstalis firmware flash` copies `wire.py`, `debounce.py`, `core.py` and this file to the board (MicroPython
1.20 or newer). Pins are GP numbers; README.md has them too.
"""

import os
import select
import sys
import time

import machine  # type: ignore[import-not-found]
import micropython  # type: ignore[import-not-found]
import neopixel  # type: ignore[import-not-found]
import wire  # type: ignore[import-not-found]
from core import Core  # type: ignore[import-not-found]

PODS = 6
BUTTON_PINS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)  # pod 1 take, pod 1 call, pod 2 take …; to ground
LAMP_PIN = 16  # a chain of lamps, one a pod
LAMP_BYTES = 3  # the lamps' type: 3 WS2812 and its kin; 4 SK6812 with a white of its own, which stays dark
LIGHT_PIN = 17  # gate of the ring light's MOSFET
BUZZER_PIN = 18
LIGHT_HZ = 20_000  # above what a camera's rolling shutter shows as stripes
WATCHDOG_MS = 2_000
MAINTENANCE_FILE = "maintenance"


def run() -> None:
    """Runs for ever; the hardware watchdog restarts the board if the loop hangs.

    After a message `MAINTENANCE` the board restarts and stays in MicroPython's prompt, once: only so can
    `mpremote` write new files, since this program takes no Ctrl-C and its watchdog cannot be stopped.
    """
    if MAINTENANCE_FILE in os.listdir():
        os.remove(MAINTENANCE_FILE)
        return
    micropython.kbd_intr(-1)  # the wire is binary: a 0x03 in it is no Ctrl-C
    buttons = [machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP) for number in BUTTON_PINS]
    lamps = neopixel.NeoPixel(machine.Pin(LAMP_PIN), PODS, LAMP_BYTES)
    light = machine.PWM(machine.Pin(LIGHT_PIN))
    light.freq(LIGHT_HZ)
    buzzer = machine.PWM(machine.Pin(BUZZER_PIN))
    capabilities = wire.HAS_LAMPS | wire.HAS_LIGHT | wire.HAS_BUZZER
    boot = int.from_bytes(os.urandom(4), "big")
    core = Core(boot, PODS, capabilities, sys.implementation._machine)
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    now = 0
    last = time.ticks_ms()  # type: ignore[attr-defined]
    shown = None
    while True:
        watchdog.feed()
        ticks = time.ticks_ms()  # type: ignore[attr-defined]
        now += time.ticks_diff(ticks, last)  # type: ignore[attr-defined]
        last = ticks
        received = bytearray()
        while len(received) < 128 and poll.poll(0):
            received.extend(sys.stdin.buffer.read(1))  # more than one byte could block
        levels = 0
        for number, pin in enumerate(buttons):
            if not pin.value():
                levels |= 1 << number
        sent = core.step(now, bytes(received), levels)
        if sent and (core.host or received):
            # A Pico that prints after the host closed its port can freeze: speak when spoken to.
            sys.stdout.buffer.write(sent)
        if core.maintenance:
            open(MAINTENANCE_FILE, "w").close()
            machine.reset()
        outputs = (core.lamps, core.light, core.tone, phase(core.lamps, now))
        if outputs != shown:
            shown = outputs
            show(lamps, core.lamps, now)
            light.duty_u16(core.light * 257)
            hertz = wire.TONES_HZ[core.tone] if core.tone < len(wire.TONES_HZ) else 0
            if hertz:
                buzzer.freq(hertz)
            buzzer.duty_u16(32768 if hertz else 0)
        time.sleep_ms(1)  # type: ignore[attr-defined]


def phase(lamps: bytes, now: int) -> int:
    """What makes the lamps look different as time goes on: 0 when all are steady."""
    for at in range(3, len(lamps), 4):
        if lamps[at] != wire.STEADY:
            return now // 50
    return 0


def show(chain: neopixel.NeoPixel, lamps: bytes, now: int) -> None:
    """Puts the lamps' colours and patterns of this moment on the chain."""
    for pod in range(PODS):
        red, green, blue, pattern = lamps[4 * pod : 4 * pod + 4]
        strength = 256
        if pattern == wire.BLINK:
            strength = 256 if now // 250 % 2 else 0
        elif pattern == wire.PULSE:
            strength = abs(now // 4 % 512 - 256)
        colour = (red * strength >> 8, green * strength >> 8, blue * strength >> 8, 0)
        chain[pod] = colour[:LAMP_BYTES]
    chain.write()


if __name__ == "__main__":
    run()
