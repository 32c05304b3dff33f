"""How often readings are right at each confidence: `python -m bench.reading DIR [--wrong] [--sample N]`.

DIR holds labelled pictures: labels.csv with path, cards (as in `hA s10`), source and kind. No picture was
trained on, so every source is one that was left out. A reading is right if its card is in the picture,
each as often as it is there.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2

from engine.cards import parse_card
from vision.reader import Reader
from vision.sources import read_picture
from vision.types import Reading
from vision.whole import read_whole

BINS = (0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 1.01)
SURE = 0.95


@dataclass(frozen=True)
class Judged:
    """One reading that named a card."""

    source: str
    confidence: float
    right: bool


def judged(source: str, wanted: Iterable[str], readings: Iterable[Reading]) -> list[Judged]:
    """The readings of one picture against the cards that are in it; the surest claims a card first."""
    left = Counter(wanted)
    found = []
    for reading in sorted(readings, key=lambda r: -r.confidence):
        if reading.card is None:
            continue
        name = str(reading.card)
        found.append(Judged(source, reading.confidence, left[name] > 0))
        left[name] -= 1
    return found


def main() -> None:
    """Reads the pictures and prints both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.reading", description=__doc__.split("\n")[0])
    parser.add_argument("photos", type=Path, metavar="DIR")
    parser.add_argument("--sample", type=int, help="so many pictures of each source and kind")
    parser.add_argument("--wrong", action="store_true", help="name the pictures not read right")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    with (args.photos / "labels.csv").open() as labels:
        groups = defaultdict(list)
        for row in csv.DictReader(labels):
            groups[row["source"], row["kind"]].append(row)
    reader = Reader.load()
    everything: list[Judged] = []
    wanted_in_all = 0
    print(f"{'source':14}{'kind':9}{'cards':>6}{'recall':>8}{'precision':>10}{'sure':>7}{'sure wrong':>11}")
    for (source, kind), rows in sorted(groups.items()):
        if args.sample and len(rows) > args.sample:
            rows = random.Random(1).sample(rows, args.sample)
        here, wanted = [], 0
        for row in rows:
            cards = [str(parse_card(card)) for card in row["cards"].split()]
            answers = judged(source, cards, read_whole(reader, read_picture(args.photos / row["path"])))
            if args.wrong and (len(answers) != len(cards) or not all(a.right for a in answers)):
                wrong = [f"{a.confidence:.3f}" for a in answers if not a.right]
                print(f"  {row['path']}: {len(cards)} cards, {len(answers)} read, wrong {wrong}")
            here += answers
            wanted += len(cards)
        _show(source, kind, wanted, here)
        everything += here
        wanted_in_all += wanted
    _show("all", "", wanted_in_all, everything)
    reliability(everything)


def _show(source: str, kind: str, wanted: int, here: list[Judged]) -> None:
    right = sum(a.right for a in here)
    sure = [a.right for a in here if a.confidence >= SURE]
    print(
        f"{source:14}{kind:9}{wanted:6}{right / max(1, wanted):8.3f}{right / max(1, len(here)):10.3f}"
        f"{sum(sure) / max(1, wanted):7.3f}{len(sure) - sum(sure):11}"
    )


def reliability(everything: list[Judged]) -> None:
    """Readings by confidence, and how many of them were wrong, by source and over all."""
    sources = sorted({a.source for a in everything})
    print(f"\n{'confidence':16}{'mean':>7}{'right':>8}  readings (wrong)")
    print(f"{'':33}{''.join(f'{source:>14}' for source in ('all', *sources))}")
    for low, high in zip((0.0, *BINS), BINS, strict=False):
        inside = [a for a in everything if low <= a.confidence < high]
        if not inside:
            continue
        cells = []
        for source in (None, *sources):
            some = [a for a in inside if source in (None, a.source)]
            cells.append(f"{len(some):7} ({sum(not a.right for a in some)})".rjust(14))
        mean = sum(a.confidence for a in inside) / len(inside)
        right = sum(a.right for a in inside) / len(inside)
        print(f"{low:.2f} to {min(high, 1):.2f}    {mean:7.3f}{right:8.3f}  {''.join(cells)}")


if __name__ == "__main__":
    main()
