"""A Pico's `machine` for MicroPython's unix port: the loop of main.py, turn by turn.

At each `WDT.feed` the turn's outputs go out as a line on descriptor PICO_OUT, "LAMPS LIGHT TONE TAKEN HEAP"
(microseconds, bytes), and the next turn begins with a line from descriptor PICO_IN, "NOW LEVELS"
(milliseconds, the bits of the buttons that are held). The wire itself is standard input and output.
"""

import gc
import os

import utime

now = 0
levels = 0
chain = b""
pwm = {}
_buttons = []
_began = None
_commands = open("/dev/fd/" + os.getenv("PICO_IN"), "rb")  # noqa: SIM115
_outputs = open("/dev/fd/" + os.getenv("PICO_OUT"), "wb")  # noqa: SIM115


def say(line):
    _outputs.write(line + "\n")


def reset():
    say("reset")
    raise SystemExit


class Pin:
    IN, PULL_UP = 0, 1

    def __init__(self, number, *how):
        self.number = number
        self.place = len(_buttons)
        if how:
            _buttons.append(self)

    def value(self):
        return 1 - (levels >> self.place & 1)


class PWM:
    def __init__(self, pin):
        self.frequency = self.duty = 0
        pwm[pin.number] = self

    def freq(self, hertz):
        self.frequency = hertz

    def duty_u16(self, duty):
        self.duty = duty


class WDT:
    def __init__(self, timeout):
        pass

    def feed(self):
        global now, levels, _began
        if _began is not None:
            taken = utime.ticks_diff(utime.ticks_us(), _began)
            light, buzzer = pwm[17], pwm[18]
            tone = buzzer.frequency if buzzer.duty else 0
            say(f"{chain.hex()} {light.duty} {tone} {taken} {gc.mem_alloc()}")
        line = _commands.readline()
        if not line:
            raise SystemExit
        now, levels = (int(word) for word in line.split())
        _began = utime.ticks_us()
