"""Fuzzing the record reader and the referee with atheris; `make fuzz` (not on every machine: an extra).

Half of the inputs are raw bytes, half are well-formed lines in any order. A record is judged, or refused
with one line of error; anything else, more than a second for an input, or 200 MB, is a crash. The
arguments are libFuzzer's, for instance `-max_total_time=600`.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["engine"]):
    from engine.games import GAMES
    from engine.record import RecordError, decode, write
    from engine.referee import judge
    from tests.engine.lines import some_line


FOUND = Path("build/fuzz")
"""Inputs that crashed are written there."""


def one(data: bytes) -> None:
    """Judges one input; AssertionError if it takes more than a second of the processor."""
    start = time.process_time()
    judge_bytes(data)
    assert time.process_time() - start < 1, "more than a second"


def judge_bytes(data: bytes) -> None:
    """An input as a record, judged twice."""
    provider = atheris.FuzzedDataProvider(data)
    if provider.ConsumeBool():
        text = decode_or_none(provider.ConsumeBytes(provider.remaining_bytes()))
        if text is None:
            return
    else:
        game = list(GAMES)[provider.ConsumeIntInRange(0, len(GAMES) - 1)]
        players = GAMES[game].players
        seats = players[provider.ConsumeIntInRange(0, len(players) - 1)]
        lines = [f"game: {game}", "players: " + ", ".join("ABCDEF"[:seats]), "deal"]
        while provider.remaining_bytes() >= 2 and len(lines) < 400:
            lines.append(some_line(random.Random(provider.ConsumeInt(2)), game, seats))
        text = "\n".join(lines)
    try:
        match = judge(text)
    except RecordError:
        return
    match.view()
    match.result()
    assert judge(write(match.record())).result()["match"] == match.result()["match"]


def decode_or_none(data: bytes) -> str | None:
    """The text of a file; None if it cannot be read."""
    try:
        return decode(data)
    except RecordError:
        return None


def main() -> None:
    """Runs until the time given is over, or something crashes."""
    FOUND.mkdir(parents=True, exist_ok=True)
    limits = ["-timeout=60", "-rss_limit_mb=200", "-max_len=4096", f"-artifact_prefix={FOUND}/"]
    atheris.Setup([sys.argv[0], *limits, *sys.argv[1:]], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
