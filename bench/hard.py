"""Readings of cards that nobody trained on, seen badly: `python -m bench.hard [--pictures N] [--seed S]
[--faces DIR ...] [--wrong] [--to FILE]`.

Our own drawings with two alphabets and each folder of faces in the folders `--faces` (else in `faces` of the
shared material) lie scattered on made-up tables; one or two things are bad in each picture: it is blurred,
glared, tinted, too dark, small and compressed, or the cards are in sleeves. Prints how often readings were
right at each confidence, as `bench.reading` does for photographs, and how many sure ones were wrong, with the
rate under which they lie with 95 % certainty. With `--to` what was read is appended to FILE.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from bench.reading import SURE, Judged, judged, reliability
from engine.cards import PACK_52, Card
from vision.camera import Camera
from vision.deck import Deck, DrawnDeck, load_faces
from vision.reader import Reader
from vision.scene import LaidCard, Look, Scene
from vision.types import Image, Points
from vision.whole import read_whole

_SHARED = Path(os.environ.get("KORTSTALIS_SHARED", "../shared")) / "faces"
_PLACES = [(x, y) for y in (-130.0, 0.0, 130.0) for x in (-330.0, -220.0, -110.0, 0.0, 110.0, 220.0, 330.0)]
_CARDS = 7  # in a picture
_SAME_TABLE = 6  # pictures that are taken of one table


def blurred(image: Image, rng: np.random.Generator) -> Image:
    """Out of focus, or moved."""
    if rng.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.4)), np.uint8)
    length, angle = int(rng.integers(3, 10)), rng.uniform(0, math.pi)
    kernel = np.zeros((length, length), np.float32)
    middle, reach = (length - 1) / 2, np.array([math.cos(angle), math.sin(angle)]) * (length - 1) / 2
    one, other = np.rint([middle - reach, middle + reach]).astype(int).tolist()
    cv2.line(kernel, one, other, (1.0,))
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def glared(image: Image, rng: np.random.Generator) -> Image:
    """A lamp mirrored in some places."""
    height, width = image.shape[:2]
    light = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(3, 9))):
        at = int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.9) * height)
        size = int(rng.uniform(15, 70)), int(rng.uniform(10, 40))
        cv2.ellipse(light, at, size, rng.uniform(0, 180), 0, 360, (float(rng.uniform(90, 240)),), -1)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), rng.uniform(5, 18)), np.float32)
    return np.asarray(np.clip(image + light[..., None], 0, 255), np.uint8)


def tinted(image: Image, rng: np.random.Generator) -> Image:
    """Coloured light."""
    return np.clip(image * rng.uniform(0.45, 1.0, 3), 0, 255).astype(np.uint8)


def dark(image: Image, rng: np.random.Generator) -> Image:
    """Underexposed, with the noise that comes of lifting it."""
    seen = image * rng.uniform(0.12, 0.45) + rng.normal(0, rng.uniform(1, 4), image.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


def sleeved(image: Image, rng: np.random.Generator) -> Image:
    """A film over all: less contrast, a milky shine along a slope."""
    height, width = image.shape[:2]
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    angle, waves = rng.uniform(0, 2 * math.pi), rng.uniform(2, 7)
    shine = 0.5 + 0.5 * np.sin(2 * math.pi * waves * (x * math.cos(angle) + y * math.sin(angle)))
    milk = rng.uniform(0.15, 0.4) * (0.5 + 0.5 * shine)[..., None]
    return np.clip(image * (1 - milk) + 215 * milk, 0, 255).astype(np.uint8)


def small(image: Image, rng: np.random.Generator) -> Image:
    """Seen from farther off, and compressed."""
    part = rng.uniform(0.55, 0.9)
    less = cv2.resize(image, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", less, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


HARD: Mapping[str, Callable[[Image, np.random.Generator], Image]] = {
    "blur": blurred, "glare": glared, "tint": tinted, "dark": dark, "sleeve": sleeved, "small": small,
}  # fmt: skip


def upper_bound(wrong: int, of: int, certainty: float = 0.95) -> float:
    """Under which rate the true one lies with that certainty, `wrong` having been seen (Clopper-Pearson)."""
    if of == 0 or wrong >= of:
        return 1.0
    low, high = wrong / of, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        logs = [
            math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1)
            + k * math.log(rate) + (of - k) * math.log1p(-rate)
            for k in range(wrong + 1)
        ]  # fmt: skip
        low, high = (rate, high) if sum(map(math.exp, logs)) > 1 - certainty else (low, rate)
    return high


def decks(roots: Sequence[Path]) -> dict[str, Deck]:
    """Decks that no network learned from, by name."""
    own: dict[str, Deck] = {"TKDV": DrawnDeck("TKDV"), "AKQJ": DrawnDeck("AKQJ", corners=4)}
    folders = [each for root in roots if root.is_dir() for each in sorted(root.iterdir()) if each.is_dir()]
    return own | {folder.name: load_faces(folder) for folder in folders}


def pictures(deck: Deck, rng: np.random.Generator, count: int) -> list[tuple[Image, list[Card], str]]:
    """Pictures of one table, the cards in each, and what is bad in it."""
    scene, taken = Scene(deck, Camera.random(rng), Look.random(rng)), []
    for number in range(count):
        cards = [PACK_52[n] for n in rng.choice(52, _CARDS, replace=False)]
        places = [_PLACES[n] for n in rng.choice(len(_PLACES), _CARDS, replace=False)]
        laid = [LaidCard(card, x, y, rng.uniform(0, 360)) for card, (x, y) in zip(cards, places, strict=True)]
        image, kinds = scene.render(laid, number=number), rng.permutation(list(HARD))[: rng.integers(1, 3)]
        for kind in kinds:
            image = HARD[kind](image, rng)
        inside = [
            card for card, each in zip(cards, laid, strict=True)
            if _in_sight(scene.corners(each), scene.render([], number=0).shape)
        ]  # fmt: skip
        taken.append((image, inside, "+".join(sorted(kinds))))
    return taken


def _in_sight(corners: Points, shape: tuple[int, ...]) -> bool:
    return bool((corners > 0).all() and (corners < (shape[1], shape[0])).all())


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders, reads, and prints both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.hard", description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--faces", type=Path, nargs="+", default=[_SHARED], metavar="DIR")
    parser.add_argument("--wrong", action="store_true", help="keep the pictures with a sure wrong reading")
    parser.add_argument("--to", type=Path, metavar="FILE", help="a line of JSON a reading")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader, there = Reader.load(), decks(args.faces)
    everything: list[Judged] = []
    wanted = 0
    for start in range(0, args.pictures, _SAME_TABLE):
        rng = np.random.default_rng([args.seed, start])
        name = list(there)[start // _SAME_TABLE % len(there)]
        for image, cards, kind in pictures(there[name], rng, min(_SAME_TABLE, args.pictures - start)):
            here = judged(name, map(str, cards), read_whole(reader, image))
            everything, wanted = everything + here, wanted + len(cards)
            sure_wrong = [each for each in here if each.confidence >= SURE and not each.right]
            if sure_wrong and args.wrong:
                path = f"hard-{args.seed}-{start}-{kind}.png"
                cv2.imwrite(path, image)
                print(f"{path}: {name}, {' '.join(map(str, cards))}: {sure_wrong}")
            if args.to is not None:
                with args.to.open("a") as file:
                    file.writelines(json.dumps(asdict(each)) + "\n" for each in here)
    reliability(everything)
    sure = [each for each in everything if each.confidence >= SURE]
    wrong = sum(not each.right for each in sure)
    right = sum(each.right for each in everything)
    print(
        f"\n{wanted} cards, {len(everything)} read, {right} rightly; {len(sure)} for sure, {wrong} of these"
    )
    print(f"wrong: under {1000 * upper_bound(wrong, len(sure)):.2f} in a thousand with 95 % certainty")


if __name__ == "__main__":
    main()
