"""Debouncing of buttons: the same code on the Pico and for the console buttons on the Pi's GPIO.

A level counts once it has lasted `SETTLE_MS` without a break. So contact bounce of any pattern gives
one edge, and an interference spike shorter than that gives none.
"""

# Longer than the 5 ms in which the contacts of common tactile switches bounce. Nothing that tells a press
# from a spike of 5 ms can know it sooner; the sixth is the clock's grain: two readings 5 ms apart may be
# little more than 4 ms apart in truth.
SETTLE_MS = 6
STUCK_MS = 30_000  # nobody presses a button for half a minute


class Debounce:
    """One button. `down`: what counts now; `stuck`: it has been down for longer than anybody presses."""

    def __init__(self) -> None:
        self.down = False
        self.stuck = False
        self._raw = False
        self._since = 0
        self._down_since = 0

    def sample(self, now: int, raw: bool) -> bool:
        """Takes the raw level at `now` (milliseconds, never running back); True when `down` has changed.

        Levels that lasted between two samples are unseen, so sample more often than every 5 ms or at
        every edge of the pin.
        """
        if raw != self._raw:
            self._raw = raw
            self._since = now
        if self._raw != self.down and now - self._since >= SETTLE_MS:
            self.down = self._raw
            self._down_since = now
            self.stuck = False
            return True
        if self.down and now - self._down_since >= STUCK_MS:
            self.stuck = True
        return False
