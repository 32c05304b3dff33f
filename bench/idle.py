"""The appliance at rest: a still table at 15 frames a second, in the middle of a match, for some seconds.

It runs as the service manager runs it, in a process of its own: how long until the table can be used, how
much of one core it takes from then on, and its memory. The camera gives pictures of a rendered table with
the noise of a sensor, made beforehand; once as they are, once as JPEG, the way most USB cameras send them.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance.config import Config
from appliance.demo import DemoSettings, simulated_scene
from appliance.journal import Journal
from bench.idle_table import FILE, PICTURES
from engine.actions import Action
from engine.cards import Rank
from engine.games import GAMES
from engine.record import DealLine, Header

_NOISE = 3.0  # grey levels, standard deviation
_WARM_UP_S = 8.0
_HOMES = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")


@dataclass(frozen=True)
class Rest:
    """`start`: seconds from the start of the process until the table can be used; `share`: of one core;
    `rss`: MB held, `most`: at any time."""

    start: float
    share: float
    rss: float
    most: float

    def wrong(self) -> list[str]:
        """What is more than it may be."""
        found = []
        if self.start > 5.0:
            found.append(f"the start took {self.start:.1f} s, 5 are allowed")
        if self.share > 0.15:
            found.append(f"{self.share:.1%} of a core at rest, 15 % are allowed")
        if self.most > 350.0:
            found.append(f"{self.most:.0f} MB held, 350 are allowed")
        return found


def make_pictures(folder: Path) -> None:
    """A table with its mat, as a sensor sees it again and again."""
    game = GAMES["dezertyras"]
    scene = simulated_scene(DemoSettings(), game.pack(game.all_options({})))
    still = scene.render((), (), number=0)
    rng = np.random.default_rng(0)
    noisy = [np.clip(still + rng.normal(0, _NOISE, still.shape), 0, 255) for _ in range(PICTURES)]
    np.save(folder / FILE, np.asarray(noisy, np.uint8))


def begin_match(table: Path) -> None:
    """A match in the middle of which the appliance is started."""
    config = Config()
    with Journal.open(table / "journal.sqlite") as journal:
        number = journal.begin(Header(config.game, config.players), "bench", {})
        for content in (DealLine(), Action(1, "announce", rank=Rank.NINE)):
            journal.append(number, content)


def measure(seconds: float, packed: bool) -> Rest:
    """Runs the appliance and looks at it for so many seconds."""
    with tempfile.TemporaryDirectory(prefix="kortstalis-idle-") as folder:
        table = Path(folder) / "kortstalis"
        table.mkdir()
        (table / "kortstalis.toml").write_text('camera = "0"\npods = "off"\ngpio = "off"\n')
        make_pictures(table)
        begin_match(table)
        notify = f"{folder}/notify"
        environment = {
            **os.environ, **dict.fromkeys(_HOMES, folder), "SDL_AUDIODRIVER": "dummy",
            "NOTIFY_SOCKET": notify, "WATCHDOG_USEC": "12000000",
        }  # fmt: skip
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
            heard.bind(notify)
            heard.settimeout(60)
            begin = time.monotonic()
            words = [sys.executable, "-m", "bench.idle_table", str(table), "packed" if packed else "plain"]
            with subprocess.Popen(words, env=environment) as running:
                try:
                    while heard.recv(1000) != b"READY=1":
                        pass
                    started = time.monotonic() - begin
                    time.sleep(_WARM_UP_S)
                    share = _share(running.pid, seconds)
                    rss, most = _held(running.pid)
                finally:
                    running.terminate()
        return Rest(started, share, rss, most)


def _share(pid: int, seconds: float) -> float:
    """How much of one core a process takes for so many seconds."""

    def used() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before, begin = used(), time.monotonic()
    time.sleep(seconds)
    return (used() - before) / (time.monotonic() - begin)


def _held(pid: int) -> tuple[float, float]:
    """MB of memory that a process holds, and that it has held at most."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    held = {name: rest.split() for name, _, rest in (line.partition(":") for line in lines)}
    return int(held["VmRSS"][0]) / 1024, int(held["VmHWM"][0]) / 1024


def run(seconds: float = 20.0) -> None:
    """Prints the figures."""
    for packed, name in ((False, "plain pictures"), (True, "JPEG pictures")):
        rest = measure(seconds, packed)
        print(
            f"  {name:44} usable after {rest.start:5.2f} s   at rest {rest.share:6.1%} of a core   "
            f"RSS {rest.rss:5.0f} MB (most {rest.most:.0f})"
        )


def main() -> int:
    """The exit status: 1 if something is more than it may be."""
    parser = argparse.ArgumentParser(prog="python -m bench.idle", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="to look at it")
    parser.add_argument("--packed", action="store_true", help="unpack each picture from JPEG")
    args = parser.parse_args()
    rest = measure(args.seconds, args.packed)
    print(rest)
    for line in rest.wrong():
        print(f"idle: {line}", file=sys.stderr)
    return 1 if rest.wrong() else 0


if __name__ == "__main__":
    sys.exit(main())
