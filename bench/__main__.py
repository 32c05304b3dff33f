"""Runs the benchmarks named on the command line, or all."""

from __future__ import annotations

import sys

from bench import engine, idle, latency, pods, vision

_ALL = {"engine": engine.run, "vision": vision.run, "table": latency.run, "pods": pods.run, "idle": idle.run}


def main() -> int:
    """Prints each benchmark's figures."""
    for name in sys.argv[1:] or _ALL:
        if name not in _ALL:
            print(f"bench: no {name!r}: there is {', '.join(_ALL)}", file=sys.stderr)
            return 2
        print(f"{name}")
        _ALL[name]()
    return 0


sys.exit(main())
