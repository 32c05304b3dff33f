"""The pods' core: time, bytes and raw button levels go in; bytes, lamps, light and tone come out.

It owns no pin and never waits, so the same file runs on the Pico, under MicroPython's ports and
under CPython. `main.py` calls `step` in a loop.
"""

try:
    from firmware import wire
    from firmware.debounce import Debounce
except ImportError:  # on the board the files lie side by side
    import wire  # type: ignore[no-redef, import-not-found]
    from debounce import Debounce  # type: ignore[no-redef, import-not-found]

VERSION = "0.1"
BEAT_MS = 500
SILENCE_MS = 3000  # the host counts as gone after this long without a good frame
RESEND_MS = 50
KEPT_EVENTS = 64
AT_ONCE = 4  # events in flight; the rest follow as they are acknowledged
LONGEST_NAME = 40  # letters of the board's name: a HELLO holds no more
NO_HOST = bytes((48, 24, 0, wire.PULSE))  # every lamp, dim amber


class Core:
    """The state of the pods. Times are milliseconds that never run back.

    `lamps`: per pod red, green, blue, pattern; `light`: 0–255, the ring light; `tone`: the buzzer's
    tone, 0 silent; `host`: whether the host has been heard within `SILENCE_MS`; `maintenance`: the host
    has asked for a start without this program.
    """

    def __init__(self, boot: int, pods: int, capabilities: int, board: str, light: int = 128) -> None:
        self.boot = boot
        self.pods = pods
        self.capabilities = capabilities
        self.board = board[:LONGEST_NAME]
        self.light = light
        self.tone = 0
        self.lamps = NO_HOST * wire.PODS
        self.host = False
        self.maintenance = False
        self.lost_events = 0
        self._receiver = wire.Receiver()
        self._buttons = [Debounce() for _ in range(2 * pods)]
        self._events: list[tuple[int, bytes]] = []
        self._numbered = 0
        self._revision = 0  # of the outputs shown; 0: the host's are not shown
        self._sequence = 0
        self._heard = -SILENCE_MS
        self._sent_beat = -BEAT_MS
        self._sent_events = -RESEND_MS
        self._out = bytearray()
        self._now = 0

    def step(self, now: int, received: bytes, levels: int) -> bytes:
        """One turn: the bytes received since the last, and the raw levels (bit 2·pod + button, 1 pressed).

        Returns the bytes to send now.
        """
        self._out = bytearray()
        self._now = now
        if received:
            for _, payload in self._receiver.feed(received):
                message = wire.unpack(payload)
                if message is not None:
                    self._heard = now
                    self._take(message[0], message[1])
        host = now - self._heard < SILENCE_MS
        if self.host and not host:
            self.lamps = NO_HOST * wire.PODS  # the ring light stays as it is: people still see their cards
            self.tone = 0
            self._revision = 0
            self._receiver.clear()
        self.host = host
        fresh = self._press(now, levels)
        if fresh or (self._events and now - self._sent_events >= RESEND_MS):
            self._sent_events = now
            for _, payload in self._events[:AT_ONCE]:
                self._send(payload)
        if now - self._sent_beat >= BEAT_MS:
            self._sent_beat = now
            beat: dict[str, int | bytes | str] = {"boot": self.boot, "time": now & 0xFFFFFFFF}
            beat["revision"] = self._revision
            self._send(wire.pack(wire.BEAT, beat))
        return bytes(self._out)

    @property
    def waiting(self) -> int:
        """How many events the host has not acknowledged yet."""
        return len(self._events)

    def _press(self, now: int, levels: int) -> bool:
        fresh = False
        for number, button in enumerate(self._buttons):
            if not button.sample(now, bool(levels >> number & 1)):
                continue
            if len(self._events) >= KEPT_EVENTS:
                self.lost_events += 1  # nobody has listened for 64 presses
                continue
            self._numbered += 1
            fields: dict[str, int | bytes | str] = {
                "boot": self.boot,
                "number": self._numbered,
                "time": now & 0xFFFFFFFF,
                "pod": number // 2,
                "button": number % 2,
                "down": int(button.down),
            }
            self._events.append((self._numbered, wire.pack(wire.EVENT, fields)))
            fresh = len(self._events) <= AT_ONCE or fresh
        return fresh

    def _take(self, kind: int, fields: dict[str, int | bytes | str]) -> None:
        if kind == wire.HELLO_PLEASE:
            self._send(
                wire.pack(
                    wire.HELLO,
                    {
                        "protocol": wire.PROTOCOL,
                        "boot": self.boot,
                        "time": self._now & 0xFFFFFFFF,
                        "first": self._events[0][0] if self._events else self._numbered + 1,
                        "pods": self.pods,
                        "capabilities": self.capabilities,
                        "text": self.board + " " + VERSION,
                    },
                )
            )
        elif kind == wire.EVENT_SEEN and fields["boot"] == self.boot:
            seen = int(fields["number"])
            while self._events and self._events[0][0] <= seen:
                self._events.pop(0)
        elif kind == wire.OUTPUT:
            lamps = fields["lamps"]
            assert isinstance(lamps, bytes)
            self.light, self.tone, self.lamps = int(fields["light"]), int(fields["tone"]), lamps
            self._revision = int(fields["revision"])
            self._send(wire.pack(wire.OUTPUT_DONE, {"boot": self.boot, "revision": self._revision}))

        elif kind == wire.MAINTENANCE and fields["boot"] == self.boot:
            self.maintenance = True

    def _send(self, payload: bytes) -> None:
        self._sequence = (self._sequence + 1) & 0xFF
        self._out.extend(wire.frame(self._sequence, payload))
