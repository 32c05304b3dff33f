"""What the service tells systemd (sd_notify): a datagram to the socket named in the environment."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Mapping


class Notifier:
    """Talks to the service manager; says nothing where there is none."""

    def __init__(self, environment: Mapping[str, str], pid: int) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        micros = environment.get("WATCHDOG_USEC", "")
        for_us = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        self.watchdog_s = int(micros) / 1e6 if micros.isdecimal() and int(micros) > 0 and for_us else None

    @property
    def active(self) -> bool:
        """Whether somebody listens."""
        return bool(self._address)

    def send(self, *lines: str) -> None:
        """Sends assignments as `READY=1`; a message that cannot be delivered is lost."""
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto("\n".join(lines).encode(), self._address)

    def ready(self) -> None:
        """The table can be used."""
        self.send("READY=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self.send("STATUS=" + text.replace("\n", " "))

    def feed(self) -> None:
        """Keeps the watchdog quiet for another while."""
        self.send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service ends on purpose."""
        self.send("STOPPING=1")
