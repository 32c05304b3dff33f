"""The whole appliance: from a card at rest to its verdict, on the simulated table at 15 frames a second."""

from __future__ import annotations

import statistics
import time

import cv2

from appliance.demo import Demo, DemoSettings
from bench.figures import spread
from engine.referee import Report


def run() -> None:
    """Prints the time from the first frame that shows a card at rest to its verdict.

    Simulated time (the frames that the settling waits for) and the work of the frames are added up.
    """
    cv2.setNumThreads(1)
    demo = Demo(DemoSettings(seed=3, deals=3), None)
    waits, works = [], []
    table, service = demo.table, demo.service
    reports: list[Report] = []
    demo.session._listen = reports.append
    step = service.step
    rest: list[float] = []

    def timed() -> bool:
        known = len(reports)
        busy = table.busy
        start = time.perf_counter()
        going = step()
        work = time.perf_counter() - start
        if busy:
            rest.clear()
        rest.append(work)
        if len(reports) > known and reports[-1].entries and len(rest) > 1:
            waits.append((len(rest) - 1) * 100.0)
            works.append(work * 1000)
        return going

    service.step = timed  # type: ignore[method-assign]
    demo.play()
    spread("card at rest → verdict (simulated frames)", waits)
    spread("… of which work in the last frame", works)
    print(
        f"  {'plays':44} {len(waits)}, seen as done: {demo.agrees()}, "
        f"mean wait {statistics.mean(waits):.0f} ms"
    )
