"""A container that boots systemd, for the tests of the service: systemd-nspawn on a root made by debootstrap.

Only root can run one, with the packages systemd-container and debootstrap. The root of a release is made
once and kept in a folder of its name (in `KORTSTALIS_CONTAINERS`, else in the cache); that takes the network
and two minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
INCLUDE = (
    "systemd-sysv,udev,dbus,procps,git,ca-certificates,python3,python3-venv,libdrm2,libgbm1,libegl1,libgles2"
)
LONGEST_BOOT_S = 60.0


def why_not() -> str:
    """Why there can be no container here; empty if there can."""
    if os.geteuid() != 0:
        return "a container that boots systemd needs root"
    missing = [name for name in ("systemd-nspawn", "debootstrap", "nsenter") if shutil.which(name) is None]
    return f"{', '.join(missing)} missing: apt-get install systemd-container debootstrap" if missing else ""


def made_root(release: str) -> Path:
    """A root of such a Debian, made if there is none yet."""
    folder = Path(os.environ.get("KORTSTALIS_CONTAINERS", "/var/cache/kortstalis-tests")) / release
    if not (folder / "sbin/init").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={INCLUDE}", release, folder, MIRROR], check=True
        )
    return folder


class Container:
    """A running one. `shared`: folders and files of this machine that are seen in it, at their own places."""

    def __init__(self, root: Path, shared: tuple[str, ...] = (), environment: Mapping[str, str] = {}) -> None:
        self.root = root
        self._environment = environment
        for path in shared:
            place = root / path.lstrip("/")
            (place if Path(path).is_dir() else place.parent).mkdir(parents=True, exist_ok=True)
            if not place.is_dir():
                place.touch()
        binds = [f"--bind-ro={path}" for path in shared]
        self._nspawn = subprocess.Popen(
            ["systemd-nspawn", "-q", "-b", "-D", root, "--register=no", "--keep-unit", *binds],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        self._leader = ""
        end = time.monotonic() + LONGEST_BOOT_S
        while not self._up():
            if time.monotonic() > end:
                self.stop()
                raise TimeoutError("the container does not come up")
            time.sleep(0.3)

    def _up(self) -> bool:
        pid = self._nspawn.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self._leader = children[0] if children else ""
        state = self.run("systemctl", "is-system-running", check=False) if self._leader else ""
        return state.strip() in ("running", "degraded")

    def run(self, *words: str, check: bool = True) -> str:
        """Runs a command in it; what it prints."""
        usual = {"HOME": "/root", "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        done = subprocess.run(
            ["nsenter", "-t", self._leader, "-a", *words],
            env={**usual, **self._environment}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def unit(self, *properties: str) -> list[str]:
        """Properties of the service."""
        said = self.run("systemctl", "show", "kortstalis", *(f"-p{name}" for name in properties))
        values = dict(line.split("=", 1) for line in said.splitlines())
        return [values[name] for name in properties]

    def stop(self) -> None:
        """Ends it."""
        self._nspawn.terminate()
        try:
            self._nspawn.wait(20)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait()
