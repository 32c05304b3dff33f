"""Trains the two networks on a pool of scenes. One thread each; what they reach after so many minutes."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from engine.cards import CARDS
from vision.finder import STRIDE, UNIT_HEIGHT, Index
from vision.indices import patch
from vision.train.networks import FinderNetwork, IndexNetwork
from vision.train.scenes import SIDE
from vision.types import Image

Seen: TypeAlias = tuple[float, float, float, float, float, int, bool]
"""x, y, height, up x, up y, card, whole"""

_LEAST = 8.5  # pixels; lower indices cannot be read
_CELLS = SIDE // STRIDE
_NO_RANK, _NO_SUIT = 13, 4


def scenes(pool: Path, rng: np.random.Generator) -> Iterator[tuple[Image, list[Seen]]]:
    """Scenes of the pool for ever, shard by shard in random order (RuntimeError for an empty pool)."""
    while True:
        shards = sorted(pool.glob("*.pickle"))
        if not shards:
            raise RuntimeError(f"{pool}: no scenes; render them first")
        shard = pickle.loads(shards[rng.integers(len(shards))].read_bytes())
        for n in rng.permutation(len(shard)):
            packed, seen = shard[n]
            image = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR)
            yield np.asarray(image, np.uint8), seen


def _rate(step: int, part: float, highest: float) -> float:
    return highest * min(1, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * min(1, part))) + 0.01)


def train_finder(pool: Path, target: Path, minutes: float, seed: int = 1) -> None:
    """Trains the finder for some minutes; the weights go to `target`."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    network = FinderNetwork()
    optimiser = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=1e-4)
    start, step, source = time.monotonic(), 0, scenes(pool, rng)
    while (part := (time.monotonic() - start) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = _rate(step, part, 1e-3)
        batch = [_targets(*next(source), int(rng.integers(4))) for _ in range(12)]
        pictures, heat, geometry, weight, counts = (
            torch.from_numpy(np.stack(a)) for a in zip(*batch, strict=True)
        )
        loss = _finder_loss(network(pictures), heat, geometry, weight, counts)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimiser.step()
        step += 1
        if step % 100 == 0:
            print(f"finder {step}: loss {loss.item():.3f}", flush=True)
    torch.save(network.state_dict(), target)


def _targets(image: Image, seen: list[Seen], turns: int) -> tuple[NDArray[np.float32], ...]:
    """Picture, heat, geometry (up, height, offset), its weight, and where heat counts; turned by quarters."""
    image = np.ascontiguousarray(np.rot90(image, turns))
    yy, xx = np.mgrid[0:_CELLS, 0:_CELLS]
    heat = np.zeros((_CELLS, _CELLS), np.float32)
    geometry = np.zeros((5, _CELLS, _CELLS), np.float32)
    weight = np.zeros_like(heat)
    counts = np.ones_like(heat)
    for x, y, height, up_x, up_y, _, whole in seen:
        for _ in range(turns):
            x, y, up_x, up_y = y, SIDE - 1 - x, up_y, -up_x
        cx, cy = (x - 1.5) / STRIDE, (y - 1.5) / STRIDE
        distance = (xx - cx) ** 2 + (yy - cy) ** 2
        if not whole or height < _LEAST:
            counts[distance < (height / STRIDE * 0.7) ** 2] = 0
            continue
        spread = max(0.8, height / STRIDE / 5)
        heat = np.maximum(heat, np.exp(-distance / (2 * spread * spread))).astype(np.float32)
        column, row = round(cx), round(cy)
        if 0 <= column < _CELLS and 0 <= row < _CELLS:
            heat[row, column] = 1
        near = distance < max(1.3, spread * 1.2) ** 2
        for n, value in enumerate((up_x, up_y, math.log(height / UNIT_HEIGHT))):
            geometry[n][near] = value
        geometry[3][near] = (cx - xx)[near]
        geometry[4][near] = (cy - yy)[near]
        weight[near] = 1
    picture = np.asarray(image.transpose(2, 0, 1) / 255, np.float32)
    return picture, heat, geometry, weight, counts


def _finder_loss(out: Any, heat: Any, geometry: Any, weight: Any, counts: Any) -> Any:
    """The focal loss of "Objects as Points" for the heat, a rounded absolute error for the geometry."""
    likely = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    middle = (heat == 1).float()
    missed = (middle * (1 - likely) ** 2 * torch.log(likely)).sum()
    false = ((1 - middle) * (1 - heat) ** 4 * likely**2 * torch.log(1 - likely) * counts).sum()
    error = (out[:, 1:] - geometry).abs()
    error = torch.where(error < 0.1, 5 * error * error, error - 0.05)
    scale = torch.tensor([1.0, 1.0, 1.0, 0.5, 0.5])[None, :, None, None]
    return -(missed + false) / (middle.sum() + 1) + (error * weight[:, None] * scale).sum() / (
        weight.sum() + 1
    )


def train_index(pool: Path, target: Path, minutes: float, seed: int = 2) -> None:
    """Trains the index network for some minutes; the weights go to `target`."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    network = IndexNetwork()
    optimiser = torch.optim.AdamW(network.parameters(), 1.5e-3, weight_decay=5e-4)
    start, step, source = time.monotonic(), 0, scenes(pool, rng)
    kept: list[tuple[Image, int, int]] = []
    while (part := (time.monotonic() - start) / 60 / minutes) < 1:
        while len(kept) < 4096:
            kept += samples(rng, *next(source))
        order = rng.permutation(len(kept))
        for first in range(0, 2048, 128):
            for group in optimiser.param_groups:
                group["lr"] = _rate(step, part, 1.5e-3)
            chosen = [kept[n] for n in order[first : first + 128]]
            patches = np.stack([p for p, _, _ in chosen]).transpose(0, 3, 1, 2).astype(np.float32) / 255
            answers = torch.tensor([(rank, suit) for _, rank, suit in chosen])
            out = network(torch.from_numpy(patches))
            loss = functional.cross_entropy(out[:, :14], answers[:, 0], label_smoothing=0.02)
            loss = loss + functional.cross_entropy(out[:, 14:], answers[:, 1], label_smoothing=0.02)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            step += 1
        print(f"index {step}: loss {loss.item():.3f}", flush=True)
        kept = [kept[n] for n in order[2048:]]
    torch.save(network.state_dict(), target)


def samples(rng: np.random.Generator, image: Image, seen: list[Seen]) -> Iterator[tuple[Image, int, int]]:
    """Patches of a scene with their rank and suit: indices a little off, and things that are no index."""
    for x, y, height, up_x, up_y, number, whole in seen:
        if height < _LEAST:
            continue
        if whole:
            card = CARDS[number]
            for _ in range(2):
                yield patch(image, _jittered(rng, x, y, height, up_x, up_y)), card.rank - 2, int(card.suit)
        kind = rng.random()
        if kind < 0.25:  # the index lying on a side, or head down
            turned = ((-up_y, up_x), (-up_x, -up_y), (up_y, -up_x))[rng.integers(3)]
            dx, dy = rng.normal(0, 0.1, 2) * height
            yield (
                patch(image, Index(x + dx, y + dy, height * _factor(rng, 0.2), turned, 1)),
                _NO_RANK,
                _NO_SUIT,
            )
        elif kind < 0.5:  # beside it
            angle, far = rng.uniform(0, 2 * np.pi), height * rng.uniform(0.8, 2.5)
            at = (x + math.cos(angle) * far, y + math.sin(angle) * far)
            yield patch(image, Index(*at, height * _factor(rng, 0.3), (up_x, up_y), 1)), _NO_RANK, _NO_SUIT
    for _ in range(4):  # anywhere
        angle = rng.uniform(0, 2 * np.pi)
        x, y = rng.uniform(10, SIDE - 10, 2)
        height = math.exp(rng.uniform(math.log(9), math.log(45)))
        yield patch(image, Index(x, y, height, (math.cos(angle), math.sin(angle)), 1)), _NO_RANK, _NO_SUIT


def _jittered(rng: np.random.Generator, x: float, y: float, height: float, up_x: float, up_y: float) -> Index:
    angle = rng.normal(0, 0.09)
    cos, sin = math.cos(angle), math.sin(angle)
    dx, dy = rng.normal(0, 0.06, 2) * height
    up = (cos * up_x - sin * up_y, sin * up_x + cos * up_y)
    return Index(x + dx, y + dy, height * _factor(rng, 0.1), up, 1)


def _factor(rng: np.random.Generator, deviation: float) -> float:
    return math.exp(rng.normal(0, deviation))
