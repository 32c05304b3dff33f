"""A chain of lamps that shows what it was last told."""

import machine


class NeoPixel:
    def __init__(self, pin, count, bpp=3):
        self._lamps = [(0,) * bpp] * count

    def __setitem__(self, place, colour):
        self._lamps[place] = colour

    def write(self):
        machine.chain = b"".join(bytes(lamp) for lamp in self._lamps)
