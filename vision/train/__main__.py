"""`python -m vision.train`: makes the networks again, from packages alone. Hours on two cores.

art      fetches and cuts the card art
render   renders the pool of scenes
train    trains both networks, one after the other
export   writes vision/weights/*.onnx
all      everything
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.reader import WEIGHTS
from vision.train.art import make
from vision.train.learn import train_finder, train_index
from vision.train.networks import FinderNetwork, IndexNetwork, export
from vision.train.scenes import render_pool


def main() -> None:
    """Runs one step, or all."""
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=("art", "render", "train", "export", "all"))
    parser.add_argument(
        "--work", type=Path, default=Path("art"), help="where art, scenes and weights are kept"
    )
    parser.add_argument("--shards", type=int, default=150, help="shards of 400 scenes")
    parser.add_argument("--worker", type=int, default=1, help="render: which scenes (two workers, two cores)")
    parser.add_argument("--minutes", type=float, default=60, help="train: of each network")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="export: where to")
    args = parser.parse_args()
    work: Path = args.work
    if args.step in ("art", "all"):
        print(f"art: {make(work)}")
    if args.step in ("render", "all"):
        render_pool(work / "decks.pickle", work / "pool", args.shards, args.worker)
    if args.step in ("train", "all"):
        train_finder(work / "pool", work / "finder.pt", args.minutes)
        train_index(work / "pool", work / "index.pt", args.minutes)
    if args.step in ("export", "all"):
        finder, index = FinderNetwork(), IndexNetwork()
        finder.load_state_dict(torch.load(work / "finder.pt"))
        index.load_state_dict(torch.load(work / "index.pt"))
        args.weights.mkdir(parents=True, exist_ok=True)
        export(finder, index, args.weights)


if __name__ == "__main__":
    main()
