"""How a benchmark takes and prints its figures."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


def milliseconds(
    work: Callable[[], object], times: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """How long each of some runs took, in milliseconds of such a clock.

    By `time.process_time` it is what one core has to do, whatever else the machine is busy with.
    """
    taken = []
    for _ in range(times):
        start = clock()
        work()
        taken.append((clock() - start) * 1000)
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
