"""The seat pods' serial port: found, opened for us alone, and opened again after it was unplugged.

What is said over it is `podlink.PodLink`.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import termios
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import serial

from appliance.language import Language
from appliance.podlink import LinkState, PodEvent, PodLink
from firmware import wire

BACKOFF_S = (0.2, 0.5, 1.0, 2.0)
ANSWER_S = 2.0  # after so long without an answer there is something to say
LOOK_S = 1.0  # between two looks for another device while the one that is open is no good
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
        except (TypeError, LookupError) as error:  # pyserial's, of a URL that is not all there
            raise OSError(f"{path}: no serial device (a URL is as socket://HOST:PORT)") from error

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
    if (
        "://" in path and error.errno is None and not re.search(r"\[Errno|timed out", str(error))
    ):  # it stumbled
        return f"{path}: no serial device (a URL is as socket://HOST:PORT)"
    if error.errno is not None:
        return f"{path}: {os.strerror(error.errno)}"
    return f"{path}: no serial device" if "configure" in str(error) else str(error)


def find_devices() -> list[str]:
    """The paths where pods may be, the likeliest first; each device once, under its first name."""
    found: dict[str, str] = {}
    for pattern in PATTERNS:
        for path in sorted(glob.glob(pattern)):
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())


class Pods:
    """The pods as the service sees them: `poll` often; a lost device comes back by itself.

    `path` None: look for the device; where several may be pods, one that is silent or refused for its time
    is passed over for the next, round and round. `problem`: what is wrong, None when nothing is. `known`:
    whether pods have ever answered, so that their absence is news.
    """

    def __init__(
        self,
        path: str | None = None,
        find: Callable[[], Sequence[str]] = find_devices,
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
        self._passed: set[str] = set()  # the devices tried in this round
        self._refused: dict[str, Problem] = {}  # those that speak another version, and what is said of it
        self._next_look = float("-inf")  # for another device than the one that is open

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
            self._passed.discard(self.device)
            self._refused.pop(self.device, None)
            return
        silent = now - max(self._opened, self.link.heard)
        lasting = now - self._good
        if self.link.state is LinkState.REFUSED:
            self.problem = Problem(Trouble.REFUSED, str(self.link.refused_version))
            self._refused[self.device] = self.problem
        elif silent >= ANSWER_S or lasting >= 2 * ANSWER_S:
            self._refused.pop(self.device, None)
            # Pods of another version are news, a device that may be no pods at all is none.
            self.problem = next(iter(self._refused.values()), Problem(Trouble.SILENT))
        else:
            return
        if now >= self._next_look:
            self._next_look = now + LOOK_S
            self._passed.add(self.device)
            if any(path not in self._passed for path in self._candidates()):
                self._lose(now, self.problem)
                self._next_try = now
                return
        if lasting >= REOPEN_S:
            self._lose(now, self.problem)

    def _candidates(self) -> Sequence[str]:
        return (self._path,) if self._path else self._find()

    def _candidate(self) -> str | None:
        """The device to try now: the first that was not tried in this round; None if there is none."""
        found = self._candidates()
        fresh = [path for path in found if path not in self._passed]
        if not fresh:
            self._passed.clear()
        self._refused = {path: problem for path, problem in self._refused.items() if path in found}
        return next(iter(fresh or found), None)

    def _connect(self, now: float) -> bool:
        if now < self._next_try:
            return False
        path = self._candidate()
        if path is None:
            self._lose(now, Problem(Trouble.GONE if self.known else Trouble.ABSENT))
            return False
        try:
            self._port = self._open(path)
        except OSError as error:
            self._lose(now, Problem(Trouble.GONE if self.known else Trouble.BLOCKED, str(error)))
            self._passed.add(path)
            return False
        self.device = path
        self._next_look = now
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
