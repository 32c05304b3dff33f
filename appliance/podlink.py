"""The host's end of the wire to the seat pods: bytes and time in, events and bytes out.

It owns no port and no clock; `appliance/pods.py` does. The wire is firmware/wire.py and firmware/README.md.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum

from firmware import wire

BEAT_S = 0.5
SILENCE_S = 3.0
RESEND_S = 0.05


class LinkState(Enum):
    """How the link stands."""

    AWAY = "away"
    GREETING = "greeting"
    UP = "up"
    REFUSED = "refused"


@dataclass(frozen=True)
class PodEvent:
    """A button of a pod went down or up. `pod` counts from 0; `age` in seconds when it arrived."""

    pod: int
    button: int
    down: bool
    age: float


@dataclass(frozen=True)
class Lamp:
    """A lamp's colour, 0–255 each, and its pattern (`wire.STEADY`, `BLINK`, `PULSE`)."""

    red: int = 0
    green: int = 0
    blue: int = 0
    pattern: int = wire.STEADY


@dataclass(frozen=True)
class Outputs:
    """What the pods should show: ring light 0–255, buzzer tone (0 silent), a lamp for each pod."""

    light: int = 128
    tone: int = 0
    lamps: tuple[Lamp, ...] = ()

    def lamp_bytes(self) -> bytes:
        """The lamps as the wire carries them: four bytes a pod, dark where there is none."""
        lamps = b"".join(bytes((lamp.red, lamp.green, lamp.blue, lamp.pattern)) for lamp in self.lamps)
        return lamps[: 4 * wire.PODS].ljust(4 * wire.PODS, b"\0")


@dataclass
class PodLink:
    """The host's end of the wire. Times are seconds of a clock that never runs back.

    Events are delivered once and in order: the pods number them since their start (`boot`), and only
    the next number is taken. Outputs are a state, sent again until the pods acknowledge its revision;
    revisions start anywhere, so that those of a host that ran before are not taken for ours.
    """

    state: LinkState = LinkState.AWAY
    board: str = ""
    pods: int = 0
    capabilities: int = 0
    refused_version: int = 0
    heard: float = float("-inf")
    _receiver: wire.Receiver = field(default_factory=wire.Receiver)
    _sequence: int = 0
    _boot: int | None = None
    _last_event: int = 0
    _outputs: Outputs | None = None
    _revision: int = field(default_factory=lambda: random.getrandbits(31) + 1)
    _done: int = 0
    _asked: float = float("-inf")
    _beat: float = float("-inf")
    _sent_outputs: float = float("-inf")
    _acknowledge: bool = False
    _clock: int = 0
    _maintenance: bool = False

    @property
    def settled(self) -> bool:
        """Whether the pods have acknowledged what they should show."""
        return self.state is LinkState.UP and self._outputs is not None and self._done == self._revision

    @property
    def boot(self) -> int | None:
        """Which start of the board this is; None before its first answer."""
        return self._boot

    def maintain(self) -> None:
        """Asks the pods to restart without their program, for new firmware; sent until the link is gone."""
        self._maintenance = True

    def show(self, outputs: Outputs) -> None:
        """What the pods should show from now on; it reaches them also after a link that was lost."""
        if outputs != self._outputs:
            self._outputs = outputs
            self._revision += 1

    def opened(self) -> None:
        """The port was opened (again): greet anew. Events already taken stay taken."""
        self._receiver.clear()
        self.state = LinkState.GREETING
        self._asked = self._beat = self._sent_outputs = self.heard = float("-inf")
        self._done = 0

    def closed(self) -> None:
        """The port is gone."""
        self._receiver.clear()
        self.state = LinkState.AWAY

    def receive(self, data: bytes, now: float) -> tuple[PodEvent, ...]:
        """The button events that these bytes complete."""
        events: list[PodEvent] = []
        for _, payload in self._receiver.feed(data):
            message = wire.unpack(payload)
            if message is not None:
                self.heard = now
                self._take(*message, events)
        return tuple(events)

    def send(self, now: float) -> bytes:
        """The bytes to send now: a greeting, acknowledgements, outputs not acknowledged yet, a heartbeat."""
        if self.state is LinkState.REFUSED and self._maintenance:
            return self._frame(wire.MAINTENANCE, {"boot": self._boot or 0})
        if self.state in (LinkState.AWAY, LinkState.REFUSED):
            return b""
        out = b""
        if self.state is LinkState.UP and now - self.heard > SILENCE_S:
            self.state = LinkState.GREETING
        if self.state is LinkState.GREETING:
            if now - self._asked >= BEAT_S:
                self._asked = now
                out += self._frame(wire.HELLO_PLEASE, {"protocol": wire.PROTOCOL})
            return out
        if self._acknowledge:
            self._acknowledge = False
            out += self._frame(wire.EVENT_SEEN, {"boot": self._boot or 0, "number": self._last_event})
        if self._maintenance:
            return out + self._frame(wire.MAINTENANCE, {"boot": self._boot or 0})
        shown = self._outputs
        if shown is not None and self._done != self._revision and now - self._sent_outputs >= RESEND_S:
            self._sent_outputs = now
            fields: dict[str, int | bytes | str] = {
                "revision": self._revision,
                "light": shown.light,
                "tone": shown.tone,
                "lamps": shown.lamp_bytes(),
            }
            out += self._frame(wire.OUTPUT, fields)
        if now - self._beat >= BEAT_S:
            self._beat = now
            beat: dict[str, int | bytes | str] = {"boot": self._boot or 0, "revision": self._revision}
            beat["time"] = int(now * 1000) & 0xFFFFFFFF
            out += self._frame(wire.BEAT, beat)
        return out

    def _take(self, kind: int, fields: dict[str, int | bytes | str], events: list[PodEvent]) -> None:
        if kind == wire.HELLO:
            self._greet(fields)
        elif self.state is not LinkState.UP or fields.get("boot") != self._boot:
            # A heartbeat of another start: the board was reset while the port stayed open.
            if self.state is LinkState.UP and kind == wire.BEAT:
                self.state = LinkState.GREETING
        elif kind == wire.BEAT:
            self._clock = int(fields["time"])
            self._done = int(fields["revision"])
        elif kind == wire.EVENT:
            self._acknowledge = True
            if fields["number"] == self._last_event + 1:
                self._last_event += 1
                age = (self._clock - int(fields["time"])) & 0xFFFFFFFF
                if age >= 1 << 31:  # newer than the last heartbeat
                    age = 0
                pod, button = int(fields["pod"]), int(fields["button"])
                if pod < wire.PODS and button in (wire.TAKE, wire.CALL):  # there are no others to press
                    events.append(PodEvent(pod, button, bool(fields["down"]), age / 1000))
        elif kind == wire.OUTPUT_DONE and fields["revision"] == self._revision:
            self._done = self._revision

    def _greet(self, fields: dict[str, int | bytes | str]) -> None:
        if fields["protocol"] != wire.PROTOCOL:
            self.state = LinkState.REFUSED
            self.refused_version = int(fields["protocol"])
            self._boot = int(fields["boot"])
            return
        if fields["boot"] != self._boot:
            self._boot = int(fields["boot"])
            self._last_event = int(fields["first"]) - 1  # what was taken by a host before us stays taken
        self._clock = int(fields["time"])
        self.board = "".join(letter if letter.isprintable() else "?" for letter in str(fields["text"]))
        self.pods = min(int(fields["pods"]), wire.PODS)
        self.capabilities = int(fields["capabilities"])
        self.state = LinkState.UP
        self._done = 0
        self._acknowledge = True

    def _frame(self, kind: int, fields: dict[str, int | bytes | str]) -> bytes:
        self._sequence = (self._sequence + 1) & 0xFF
        return wire.frame(self._sequence, wire.pack(kind, fields))
