"""From a card at rest to its verdict on the screen, with a camera of 15 frames a second, on one core.

`python -m bench.latency [--games G …] [--deals N]`. The simulated table films whole deals; the real vision,
referee, console and screen are at work. Every frame comes when a camera's would, is taken up when the frames
before it are done with, and takes the processor time that it really took here (without filming it, which a
camera does): so the figures are those of one core that does nothing else, on a busy machine too.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass, field

import cv2

from appliance.demo import Demo, DemoSettings
from appliance.language import Language
from appliance.screen.pages import Page
from appliance.screen.window import Screen
from appliance.simulated import SimulatedTable
from bench.figures import spread
from engine.referee import Report
from vision.types import Frame, Image

RATE = 15.0
MEDIAN_S, MOST_S = 0.4, 1.0  # from a card at rest to its verdict: the median, the 99th percentile
SCREEN_RATE = 30.0
GAMES = ("dezertyras", "durnius", "velnio_ratas")


class _Table(SimulatedTable):
    """A table filmed at the camera's rate; `filming`: the seconds of processor time that took."""

    filming = 0.0

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs, rate=RATE)  # type: ignore[arg-type]

    def read(self) -> Frame:
        start = time.process_time()
        frame = super().read()
        self.filming += time.process_time() - start
        return frame


class _Screen(Screen):
    """A screen that tells how long its pictures took (seconds of processor time)."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size, Language("lt"), window=False)
        self.drawing: list[float] = []

    def show(self, shown: Page, picture: Image | None = None) -> None:
        start = time.process_time()
        super().show(shown)
        self.drawing.append(time.process_time() - start)
        self._drawn = None  # each frame is drawn anew: that is what the screen's rate is about


@dataclass
class Timed:
    """What was measured, in seconds: from the hand gone, and from the card laid, to the verdict shown; the
    work of each frame; the pictures on the screen; whether all was seen as it was done."""

    from_hand: list[float] = field(default_factory=list)
    from_card: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    drawing: list[float] = field(default_factory=list)
    agrees: bool = True

    @property
    def screen_rate(self) -> float:
        """Pictures a second that the screen could draw in the time that the camera's frames leave it."""
        vision = sum(self.work) - sum(self.drawing)
        free = max(0.0, 1 - vision * RATE / len(self.work))
        return free * len(self.drawing) / sum(self.drawing)

    @property
    def good(self) -> bool:
        """Whether all is as fast as it should be, and right."""
        ordered = sorted(self.from_hand)
        late = ordered[min(len(ordered) - 1, round(0.99 * len(ordered)))]
        quick = statistics.median(ordered) < MEDIAN_S and late < MOST_S
        return self.agrees and quick and self.screen_rate >= SCREEN_RATE


def done(before: float, came: float, work: float) -> float:
    """When one core is done with a frame that `came` then: it begins when it is done with the one before."""
    return max(before, came) + work


def timed(settings: DemoSettings, size: tuple[int, int] = (1280, 720)) -> Timed:
    """Plays a demo by the clock of one core."""
    cv2.setNumThreads(1)
    screen = _Screen(size)
    demo = Demo(settings, None, screen=screen, table=_Table)
    table, service, session = demo.table, demo.service, demo.session
    assert isinstance(table, _Table)
    reports: list[Report] = []
    heard = session._listen

    def listen(report: Report) -> None:
        reports.append(report)
        heard(report)

    session._listen = listen
    found = Timed(drawing=screen.drawing)
    step, now = service.step, 0.0
    laid_at = gone_at = 0.0
    laid: frozenset[int] = frozenset()

    def clocked() -> bool:
        nonlocal now, laid_at, gone_at, laid
        known, busy, filming = len(reports), table.busy, table.filming
        start = time.process_time()
        going = step()
        work = time.process_time() - start - (table.filming - filming)
        came = service.t
        now = done(now, came, work)
        found.work.append(work)
        lying = frozenset(id(card) for card in table._cards)
        if lying - laid:
            laid_at = came
        laid = lying
        if busy:
            gone_at = came  # the last frame of what happens shows the hand gone
        new = [report for report in reports[known:] if report.entries]
        if new and not table.busy:
            found.from_hand.append(now - gone_at)
            found.from_card.append(now - laid_at)
        return going

    service.step = clocked  # type: ignore[method-assign]
    found.agrees = demo.play()
    return found


def measure(games: tuple[str, ...] = GAMES, deals: int = 1, seed: int = 3) -> bool:
    """Prints the figures; whether they are as they should be."""
    whole = Timed()
    for n, game in enumerate(games):
        found = timed(DemoSettings(game=game, seed=seed + n, deals=deals))
        for name in ("from_hand", "from_card", "work", "drawing"):
            getattr(whole, name).extend(getattr(found, name))
        whole.agrees &= found.agrees
    spread("hand gone → verdict on the screen", [1000 * each for each in whole.from_hand])
    spread("card laid → verdict on the screen", [1000 * each for each in whole.from_card])
    spread("work of a frame, its picture drawn", [1000 * each for each in whole.work])
    spread("… of which the screen, drawn anew", [1000 * each for each in whole.drawing])
    beside = f"screen beside a camera of {RATE:.0f} frames/s"
    print(f"  {beside:44} {whole.screen_rate:12,.0f} frames/s on one core")
    print(f"  {'seen as done':44} {whole.agrees}; within 0.4 s, 1 s and 30 frames/s: {whole.good}")
    return whole.good


def run() -> None:
    """Prints the figures (as the other benchmarks)."""
    measure()


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.latency", description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), metavar="G")
    parser.add_argument("--deals", type=int, default=1, metavar="N")
    parser.add_argument("--seed", type=int, default=3, metavar="N")
    args = parser.parse_args()
    return int(not measure(tuple(args.games), args.deals, args.seed))


if __name__ == "__main__":
    raise SystemExit(main())
