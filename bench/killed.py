"""Tables that are killed with `kill -9` at random moments, and started again."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance.journal import PARTS, Journal
from bench.evening import examine, play
from engine.actions import Action

AT_START = 0.2  # of the kills: within the first moments, while the journal is being opened
LONG_S = 10.0  # what a start may take
_MOST_LINES = 12  # between a start and its kill
_A_JOURNAL = 250  # kills, before another journal is begun; its log is moved into it meanwhile


@dataclass
class Killed:
    """How it went. `shown`: lines that were shown in all; `unshown`: found though the kill came before they
    were shown; `slowest`: start in seconds."""

    kills: int = 0
    shown: int = 0
    unshown: int = 0
    slowest: float = 0.0
    wrong: tuple[str, ...] = ()


def kill(kills: int, seed: int, folder: Path, say: Callable[[str], None] = print) -> Killed:
    """Kills so many tables."""
    result, rng = Killed(), random.Random(f"{seed} kills")
    path, evening = folder / "journal.sqlite", seed
    known: dict[int, int] = {}
    for number in range(1, kills + 1):
        if number % _A_JOURNAL == 1:
            evening = seed * 1000 + number
            path, known = folder / f"journal-{number}.sqlite", {}
        shown, started = _one(path, evening, rng)
        result.shown += sum(count - known.get(match, 0) for match, count in shown.items())
        result.slowest = max(result.slowest, started)
        begin = time.monotonic()
        found = examine(_copy(path), evening, {**known, **shown})
        result.slowest = max(result.slowest, time.monotonic() - begin)
        result.unshown += sum(found.lines.values()) - sum({**known, **shown}.values())
        result.kills = number
        if found.wrong or found.rescue is not None:
            said = found.wrong or (f"rescued: {found.rescue}",)
            result.wrong += tuple(f"kill {number} of seed {seed}: {line}" for line in said)
        known = found.lines
        if number % 100 == 0:
            say(f"  {number} kills, {result.shown} lines shown, {len(result.wrong)} wrong")
    return result


def kill_demos(demos: int, seed: int, folder: Path, say: Callable[[str], None] = print) -> Killed:
    """Kills so many whole demos, each twice: when it is played, and when it goes on; then lets it end."""
    result, rng = Killed(), random.Random(f"{seed} demos")
    for number in range(1, demos + 1):
        here = folder / f"demo-{number}"
        here.mkdir()
        shown: list[str] = []
        options = ("--headless", "--fast", "--json")
        for words in (
            ("demo", *options, "--deals", "1", "--seed", str(seed + number)), ("matches", "resume", *options)
        ):  # fmt: skip
            started = _demo(here, words, rng.randint(1, 8), shown)
            result.slowest = max(result.slowest, started)
            result.kills += 1
        if _demo(here, ("matches", "resume", *options), None, shown) < 0:
            result.wrong += (f"demo {number}: does not go on to its end",)
        with Journal.open(here / "kortstalis" / "journal.sqlite") as journal:
            matches = journal.matches()
            contents = journal.record(matches[0].id).contents
        told = [f"{content.seat} {content.text}" for content in contents if isinstance(content, Action)]
        result.shown += len(shown)
        result.unshown += len(told) - len(shown)
        rest = iter(told)
        if len(matches) != 1 or not all(line in rest for line in shown):  # in this order
            result.wrong += (f"demo {number}: the record is not what was shown",)
        say(f"  demo {number}: {len(shown)} actions shown, {len(told)} in the record")
    return result


def _demo(folder: Path, words: tuple[str, ...], kill_after: int | None, shown: list[str]) -> float:
    """Runs a command of the demo and kills it after so many actions, which are added to `shown`; how long it
    took to its first line in seconds, below 0 if it ended badly."""
    homes = {f"XDG_{name}_HOME": str(folder) for name in ("DATA", "STATE", "CONFIG")}
    begin, started, heard = time.monotonic(), 0.0, 0
    with subprocess.Popen(
        [sys.executable, "-m", "appliance", *words], stdout=subprocess.PIPE, text=True,
        env={**os.environ, **homes, "PYTHONUNBUFFERED": "1", "PYTHONPATH": os.getcwd()},
    ) as demo:  # fmt: skip
        assert demo.stdout is not None
        for line in demo.stdout:
            started = started or time.monotonic() - begin
            if not line.endswith("\n"):
                break  # it was killed in the middle of it
            event = json.loads(line)
            settled = event.get("final", "open") != "open"  # an earlier action is told again
            if event.get("event") == "action" and event["seat"] is not None and not settled:
                shown.append(f"{event['seat']} {event['action']}")
                heard += 1
            if heard == kill_after:
                demo.kill()
                kill_after = None
                heard = -1_000_000
    return started if demo.returncode in (0, -signal.SIGKILL) else -1.0


def _copy(path: Path) -> Path:
    """A copy to look into: the next table is to find what the kill has left."""
    copy = path.with_name("copy.sqlite")
    for part in PARTS[:2]:
        Path(f"{copy}{part}").unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{path}{part}", f"{copy}{part}")
    return copy


def _one(path: Path, evening: int, rng: random.Random) -> tuple[dict[int, int], float]:
    """Starts a table and kills it; the lines of each match that it showed, and how long its start took."""
    pipe, end = os.pipe()
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(pipe)
        try:
            play(path, evening, lambda match, lines: _tell(end, f"{match} {lines}\n"))
        except BaseException as error:
            print(f"  the table fell over: {error!r}", file=sys.stderr)
        finally:
            os._exit(1)
    os.close(end)
    heard, started = b"", 0.0
    after = 0 if rng.random() < AT_START else rng.randint(1, _MOST_LINES)
    while heard.count(b"\n") < after and (some := os.read(pipe, 4096)):
        started = started or time.monotonic() - begin
        heard += some
    time.sleep(rng.random() * (0.03 if after == 0 else 0.004))  # in the middle of whatever it does then
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while some := os.read(pipe, 4096):
        heard += some
    os.close(pipe)
    shown: dict[int, int] = {}
    for line in heard.decode().splitlines():
        match, lines = map(int, line.split())
        shown[match] = lines
    return shown, started


def _tell(end: int, line: str) -> None:
    os.write(end, line.encode())  # short enough for the pipe to take it whole
