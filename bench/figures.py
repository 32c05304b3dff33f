"""How a benchmark takes and prints its figures."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


def milliseconds(work: Callable[[], object], times: int) -> list[float]:
    """How long each of some runs took."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def spread(name: str, taken: Sequence[float]) -> None:
    """Prints the median, the 99th percentile and the maximum of some milliseconds."""
    ordered = sorted(taken)
    percentile = ordered[min(len(ordered) - 1, round(0.99 * len(ordered)))]
    print(
        f"  {name:44} median {statistics.median(ordered):9.3f} ms   "
        f"99 % {percentile:9.3f} ms   most {ordered[-1]:9.3f} ms   n {len(ordered)}"
    )


def rate(name: str, count: int, seconds: float) -> None:
    """Prints a rate."""
    print(f"  {name:44} {count / seconds:12,.0f} /s   n {count}")
