"""The seat pods' serial port: found, opened for us alone, and opened again after it was unplugged.

What is said over it is `podlink.PodLink`.
"""

from __future__ import annotations

import errno
import glob
import os
import termios
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import serial

from appliance.language import Language
from appliance.podlink import LinkState, PodEvent, PodLink
from firmware import wire

BACKOFF_S = (0.2, 0.5, 1.0, 2.0)
ANSWER_S = 2.0  # after so long without an answer there is something to say
REOPEN_S = 6.0  # and after so long the port is opened anew: it may be another device's by now
PATTERNS = ("/dev/kortstalis-pods", "/dev/serial/by-id/usb-*MicroPython*", "/dev/serial/by-id/usb-*Pico*")


class Trouble(Enum):
    """What is wrong with the pods. `UNTRIED`: nothing yet, they have not had the time to answer."""

    UNTRIED = "untried"
    ABSENT = "absent"
    BLOCKED = "blocked"
    GONE = "gone"
    SILENT = "silent"
    REFUSED = "refused"


@dataclass(frozen=True)
class Problem:
    """What is wrong, and the path, version or system message that belongs to it."""

    trouble: Trouble
    detail: str = ""

    def text(self, say: Language) -> str:
        """One line for people."""
        if self.trouble is Trouble.ABSENT:
            return say("No seat pods are connected")
        if self.trouble is Trouble.BLOCKED:
            return say("The seat pods cannot be opened: {reason}").format(reason=self.detail)
        if self.trouble is Trouble.GONE:
            return say("The seat pods are gone; the game goes on without them")
        if self.trouble in (Trouble.SILENT, Trouble.UNTRIED):
            return say("The seat pods do not answer; the game goes on without them")
        return say(
            "The seat pods speak version {theirs} of the wire, this program {ours}: flash their firmware"
            " again (kortstalis firmware flash)"
        ).format(theirs=self.detail, ours=wire.PROTOCOL)


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
        try:
            self._serial = serial.serial_for_url(
                path, do_not_open=True, baudrate=115200, timeout=0, write_timeout=0.2
            )
            if "://" not in path:
                self._serial.exclusive = True
            self._serial.open()
        except OSError as error:
            raise OSError(_reason(path, error)) from None
        except (termios.error, ValueError) as error:  # of a device on its way out; of an unknown URL
            raise OSError(f"{path}: {error}") from None

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


def _reason(path: str, error: OSError) -> str:
    """Why a port cannot be opened, and what to do; pyserial says it twice, with numbers."""
    if error.errno in (errno.EWOULDBLOCK, errno.EBUSY):
        return f"{path}: another program uses it"
    if error.errno == errno.EACCES:
        return f"{path}: not permitted (group dialout)"
    if error.errno is not None:
        return f"{path}: {os.strerror(error.errno)}"
    return f"{path}: no serial device" if "configure" in str(error) else str(error)


def find_devices() -> list[str]:
    """The paths where pods may be, the likeliest first."""
    return [path for pattern in PATTERNS for path in sorted(glob.glob(pattern))]


def find_device() -> str | None:
    """The path of the pods' device, or None if it is not plugged in."""
    return next(iter(find_devices()), None)


class Pods:
    """The pods as the service sees them: `poll` often; a lost device comes back by itself.

    `path` None: look for the device. `problem`: what is wrong, None when nothing is. `known`: whether
    pods have ever answered, so that their absence is news.
    """

    def __init__(
        self,
        path: str | None = None,
        find: Callable[[], str | None] = find_device,
        open_port: Callable[[str], Port] = SerialPort,
    ) -> None:
        self.link = PodLink()
        self.problem: Problem | None = Problem(Trouble.UNTRIED)
        self.known = False
        self.device = ""
        self._path = path
        self._find = find
        self._open = open_port
        self._port: Port | None = None
        self._failures = 0
        self._next_try = float("-inf")
        self._good = float("-inf")  # when the link was last up, or the port opened
        self._opened = float("-inf")

    def poll(self, now: float) -> tuple[PodEvent, ...]:
        """The button events since the last call; keeps the link alive. `now`: seconds, never running back."""
        if self._port is None and not self._connect(now):
            return ()
        assert self._port is not None
        events: tuple[PodEvent, ...] = ()
        try:
            events = self.link.receive(self._port.read_waiting(), now)
            data = self.link.send(now)
            if data:
                self._port.write(data)
        except OSError as error:  # serial.SerialException is one
            self._lose(now, Problem(Trouble.GONE, str(error)))
            return events  # what was heard before it went counts: it is not sent again
        self._judge(now)
        return events

    def flush(self, now: float) -> None:
        """Sends what has become due since `poll`, so that nothing waits for the next frame."""
        if self._port is None:
            return
        try:
            data = self.link.send(now)
            if data:
                self._port.write(data)
        except OSError as error:
            self._lose(now, Problem(Trouble.GONE, str(error)))

    def close(self) -> None:
        """Lets go of the port."""
        if self._port is not None:
            self._port.close()
            self._port = None
            self.link.closed()

    def _judge(self, now: float) -> None:
        """Says what is wrong with an open port, and opens it anew when that lasts."""
        if self.link.state is LinkState.UP:
            self._failures = 0
            self.problem = None
            self.known = True
            self._good = now
            return
        silent = now - max(self._opened, self.link.heard)
        lasting = now - self._good
        if self.link.state is LinkState.REFUSED:
            self.problem = Problem(Trouble.REFUSED, str(self.link.refused_version))
        elif silent >= ANSWER_S or lasting >= 2 * ANSWER_S:
            self.problem = Problem(Trouble.SILENT)
        if lasting >= REOPEN_S and self.problem is not None:
            self._lose(now, self.problem)

    def _connect(self, now: float) -> bool:
        if now < self._next_try:
            return False
        path = self._path or self._find()
        if path is None:
            self._lose(now, Problem(Trouble.GONE if self.known else Trouble.ABSENT))
            return False
        try:
            self._port = self._open(path)
        except OSError as error:
            reason = str(error)
            self._lose(now, Problem(Trouble.GONE if self.known else Trouble.BLOCKED, reason))
            return False
        self.device = path
        if self.problem == Problem(Trouble.ABSENT):
            self.problem = Problem(Trouble.UNTRIED)
        self._good = self._opened = now
        self.link.opened()
        return True

    def _lose(self, now: float, problem: Problem) -> None:
        self.close()
        self.problem = problem
        self._next_try = now + BACKOFF_S[min(self._failures, len(BACKOFF_S) - 1)]
        self._failures += 1
