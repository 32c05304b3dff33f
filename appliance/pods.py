"""The seat pods, from the Pi's side: the link over the wire, and the serial port under it.

`PodLink` is pure: bytes and time in, events and bytes out. `Pods` owns the port, finds the device,
opens it for itself alone and opens it again after it was unplugged. The wire is firmware/wire.py.
"""

from __future__ import annotations

import glob
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import serial

from firmware import wire

BEAT_S = 0.5
SILENCE_S = 3.0
RESEND_S = 0.05
BACKOFF_S = (0.2, 0.5, 1.0, 2.0)
PATTERNS = ("/dev/kortstalis-pods", "/dev/serial/by-id/usb-*MicroPython*", "/dev/serial/by-id/usb-*Pico*")


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
    the next number is taken. Outputs are a state, sent again until the pods acknowledge its revision.
    """

    state: LinkState = LinkState.AWAY
    board: str = ""
    pods: int = 0
    capabilities: int = 0
    refusal: str = ""
    _receiver: wire.Receiver = field(default_factory=wire.Receiver)
    _sequence: int = 0
    _boot: int | None = None
    _last_event: int = 0
    _outputs: Outputs = field(default_factory=Outputs)
    _revision: int = 1
    _done: int = 0
    _heard: float = float("-inf")
    _asked: float = float("-inf")
    _beat: float = float("-inf")
    _sent_outputs: float = float("-inf")
    _acknowledge: bool = False
    _clock: int = 0

    def show(self, outputs: Outputs) -> None:
        """What the pods should show from now on; it reaches them also after a link that was lost."""
        if outputs != self._outputs:
            self._outputs = outputs
            self._revision += 1

    def opened(self) -> None:
        """The port was opened (again): greet anew. Events already taken stay taken."""
        self._receiver.clear()
        self.state = LinkState.GREETING
        self._asked = self._beat = self._sent_outputs = self._heard = float("-inf")
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
                self._heard = now
                self._take(*message, events)
        return tuple(events)

    def send(self, now: float) -> bytes:
        """The bytes to send now: a greeting, acknowledgements, outputs not acknowledged yet, a heartbeat."""
        if self.state in (LinkState.AWAY, LinkState.REFUSED):
            return b""
        out = b""
        if self.state is LinkState.UP and now - self._heard > SILENCE_S:
            self.state = LinkState.GREETING
        if self.state is LinkState.GREETING:
            if now - self._asked >= BEAT_S:
                self._asked = now
                out += self._frame(wire.HELLO_PLEASE, {"protocol": wire.PROTOCOL})
            return out
        if self._acknowledge:
            self._acknowledge = False
            out += self._frame(wire.EVENT_SEEN, {"boot": self._boot or 0, "number": self._last_event})
        if self._done != self._revision and now - self._sent_outputs >= RESEND_S:
            self._sent_outputs = now
            shown = self._outputs
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
                age = ((self._clock - int(fields["time"])) & 0xFFFFFFFF) / 1000
                age = age if age < 3600 else 0.0  # newer than the last heartbeat
                events.append(PodEvent(int(fields["pod"]), int(fields["button"]), bool(fields["down"]), age))
        elif kind == wire.OUTPUT_DONE and fields["revision"] == self._revision:
            self._done = self._revision

    def _greet(self, fields: dict[str, int | bytes | str]) -> None:
        if fields["protocol"] != wire.PROTOCOL:
            self.state = LinkState.REFUSED
            self.refusal = (
                f"the pods speak version {int(fields['protocol'])} of the wire, this program {wire.PROTOCOL}:"
                " flash their firmware again (kortstalis firmware flash)"
            )
            return
        if fields["boot"] != self._boot:
            self._boot = int(fields["boot"])
            self._last_event = 0
        self.board, self.pods = str(fields["text"]), int(fields["pods"])
        self.capabilities = int(fields["capabilities"])
        self.state = LinkState.UP
        self._done = 0
        self._acknowledge = True

    def _frame(self, kind: int, fields: dict[str, int | bytes | str]) -> bytes:
        self._sequence = (self._sequence + 1) & 0xFF
        return wire.frame(self._sequence, wire.pack(kind, fields))


class Port(Protocol):
    """What `Pods` needs of an open serial port."""

    def read_waiting(self) -> bytes:
        """The bytes that have come, without waiting (OSError when the device is gone)."""

    def write(self, data: bytes) -> None:
        """Sends (OSError when the device is gone)."""

    def close(self) -> None:
        """Lets go of the port; never raises."""


class SerialPort:
    """A serial port that nobody else can open meanwhile."""

    def __init__(self, path: str) -> None:
        self._serial = serial.serial_for_url(
            path, do_not_open=True, baudrate=115200, timeout=0, write_timeout=0.2
        )
        if not path.startswith("socket:"):
            self._serial.exclusive = True
        self._serial.open()

    def read_waiting(self) -> bytes:
        data = self._serial.read(4096)
        return bytes(data)

    def write(self, data: bytes) -> None:
        self._serial.write(data)

    def close(self) -> None:
        try:
            self._serial.close()
        except OSError:
            return


def find_device() -> str | None:
    """The path of the pods' device, or None if it is not plugged in."""
    for pattern in PATTERNS:
        found = sorted(glob.glob(pattern))
        if found:
            return found[0]
    return None


class Pods:
    """The pods as the service sees them: `poll` often; a lost device comes back by itself.

    `path` None: look for the device. `problem`: one line for the screen while something is wrong.
    """

    def __init__(
        self,
        path: str | None = None,
        find: Callable[[], str | None] = find_device,
        open_port: Callable[[str], Port] = SerialPort,
    ) -> None:
        self.link = PodLink()
        self.problem: str | None = "no seat pods are connected"
        self._path = path
        self._find = find
        self._open = open_port
        self._port: Port | None = None
        self._failures = 0
        self._next_try = float("-inf")

    def poll(self, now: float) -> tuple[PodEvent, ...]:
        """The button events since the last call; keeps the link alive. `now`: seconds, never running back."""
        if self._port is None and not self._connect(now):
            return ()
        assert self._port is not None
        try:
            events = self.link.receive(self._port.read_waiting(), now)
            data = self.link.send(now)
            if data:
                self._port.write(data)
        except OSError as error:  # serial.SerialException is one
            self._lose(now, f"the seat pods are gone: {error}")
            return ()
        if self.link.state is LinkState.UP:
            self._failures = 0
            self.problem = None
        elif self.link.state is LinkState.REFUSED:
            self.problem = self.link.refusal
        return events

    def close(self) -> None:
        """Lets go of the port."""
        if self._port is not None:
            self._port.close()
            self._port = None
            self.link.closed()

    def _connect(self, now: float) -> bool:
        if now < self._next_try:
            return False
        path = self._path or self._find()
        if path is None:
            self._lose(now, "no seat pods are connected")
            return False
        try:
            self._port = self._open(path)
        except OSError as error:
            self._lose(now, f"cannot open {path}: {error}")
            return False
        self.link.opened()
        return True

    def _lose(self, now: float, problem: str) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None
        self.link.closed()
        self.problem = problem
        self._next_try = now + BACKOFF_S[min(self._failures, len(BACKOFF_S) - 1)]
        self._failures += 1
