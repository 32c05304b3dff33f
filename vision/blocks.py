"""Descriptors of cards (vision.flat) compared block by block: how far each of 8×8 blocks is off, and what a
picture costs as each card.

A block that is like neither card (another card lies over it, a finger, glare) costs no more than a fixed
amount, so what can be seen decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.flat import ACROSS, BLOCK_COLUMNS, BLOCK_ROWS, DOWN, Floats

STRANGE = 0.5  # a block further off than this is not this card's, or covered; 1: nothing in common
_NOISE = 0.03  # contrast that a block of blank paper may have
_PRINT = 0.02  # mean square contrast of a block that counts as printed in full
_ALIKE = 0.3  # blocks less far off than this speak for a card of which only a part is seen
_INDEX = 2.0  # how much more the corners count there, where the indices are
_SMALL = 240_000  # multiplications of a matrix product


def blocks(pictures: Floats, halved: int) -> Floats:
    """N×rows×columns×3 as N × blocks × values of a block. Halved pictures have blocks of twice the height."""
    n, rows, columns, _ = pictures.shape
    high, wide = BLOCK_ROWS, BLOCK_COLUMNS // halved
    cut = pictures.reshape(n, rows // high, high, columns // wide, wide, 3)
    return np.asarray(cut.transpose(0, 1, 3, 2, 4, 5).reshape(n, -1, high * wide * 3), np.float32)


def shifted(pictures: Floats, shifts: Sequence[tuple[int, int]], edge: int) -> Floats:
    """Each picture moved by each shift (rows, columns), its border blanked: (N·shifts)×rows×columns×3."""
    n, rows, columns, _ = pictures.shape
    reach = max(max(abs(dy), abs(dx)) for dy, dx in shifts)
    wide = np.pad(pictures, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    moved = np.stack(
        [wide[:, reach + dy : reach + dy + rows, reach + dx : reach + dx + columns] for dy, dx in shifts], 1
    ).reshape(n * len(shifts), rows, columns, 3)
    moved[:, :edge] = moved[:, -edge:] = 0
    moved[:, :, :edge] = moved[:, :, -edge:] = 0
    return moved


def distances(pictures: Floats, art: Floats, halved: int) -> tuple[Floats, Floats]:
    """How far each block is off: pictures × blocks × cards; 0 alike, 1 nothing in common, 2 the opposite.
    And how much is printed in each block, in the picture or on the card: the same shape.

    `art`: blocks × cards × values. Blank paper is at no distance from blank paper.
    """
    cut = np.ascontiguousarray(blocks(pictures, halved).transpose(1, 0, 2))
    turned = art.transpose(0, 2, 1)
    step = max(1, _SMALL // (cut.shape[2] * art.shape[1]))
    common = np.concatenate([cut[:, n : n + step] @ turned for n in range(0, cut.shape[1], step)], 1)
    own = np.square(cut).sum(axis=2)
    theirs = np.square(art).sum(axis=2)[:, None, :]
    total = own[:, :, None] + theirs
    apart = np.maximum(total - 2 * common, 0) / (total + cut.shape[2] * _NOISE**2)
    printed = print_of(np.maximum(own[:, :, None], theirs) / cut.shape[2])
    return _pictures_first(apart), _pictures_first(printed)


def _pictures_first(values: Floats) -> Floats:
    return np.asarray(values.transpose(1, 0, 2), np.float32)


def print_of(energy: Floats) -> Floats:
    """How much print there is in blocks of a mean square contrast: 0 for blank paper, at most 1."""
    return np.asarray(np.minimum(1.0, energy / _PRINT), np.float32)


def cost_of(distances: Floats, printed: Floats, free: Floats) -> Floats:
    """Pictures × cards: how badly each card fits, in blocks. `free` (any number × blocks): what of the card
    may be seen.

    Where that is known, the distance of each block seen counts, though none more than a strange one. Where
    it is not, blocks with print alike speak for a card, others against it, blank ones not at all, and of
    the parts that may be seen the one that fits best counts.
    """
    pictures, blocks, cards = distances.shape
    if not pictures:
        return np.zeros((0, cards), np.float32)
    if len(free) == 1:
        return np.asarray(np.einsum("pbc,b->pc", np.minimum(distances, STRANGE), free[0]), np.float32)
    gain = (printed * (_ALIKE - distances)).transpose(1, 0, 2).reshape(blocks, -1)
    return np.asarray(-_product(free, gain).max(axis=0).reshape(pictures, cards), np.float32)


def _product(a: Floats, b: Floats) -> Floats:
    """a @ b in pieces so small that numpy does not share them out to threads, which take longer to start."""
    step = max(1, _SMALL // a.size)
    return np.concatenate([a @ b[:, n : n + step] for n in range(0, b.shape[1], step)], axis=1)


def _corner_parts() -> Floats:
    """What is free of a card on which another lies, one corner at least: parts × blocks, in 8×8."""
    parts = []
    for high in (0, 2, 3, 4, 5):
        for wide in (0, 1, 2, 3, 4, 5):
            if high or wide:
                free = np.zeros((DOWN, ACROSS), np.float32)
                free[:high] = free[:, :wide] = 1
                parts += [free, free[::-1], free[:, ::-1], free[::-1, ::-1]]
    return np.asarray(parts, np.float32).reshape(len(parts), -1) * _WEIGHTS


def _weights() -> Floats:
    """1 × blocks: how much each counts on a card partly covered: the corners, where the indices are, more."""
    weights = np.ones((DOWN, ACROSS), np.float32)
    for rows in (slice(0, 3), slice(-3, None)):
        for columns in (slice(0, 1), slice(-1, None)):
            weights[rows, columns] = _INDEX
    return weights.reshape(1, -1)


def free_of(covered: Floats | None) -> Floats:
    """1 × blocks: how much each block counts; what is half covered counts little."""
    if covered is None:
        return _WHOLE
    return np.asarray(np.clip(1 - 2 * covered, 0, 1), np.float32).reshape(1, -1) * _WEIGHTS


def free_halved(free: Floats) -> Floats:
    """Parts of 8×8 blocks for blocks of twice the height."""
    return np.asarray(free.reshape(len(free), DOWN // 2, 2, ACROSS).min(axis=2), np.float32).reshape(
        len(free), -1
    )


_WHOLE: Floats = np.ones((1, DOWN * ACROSS), np.float32)
_WEIGHTS: Floats = _weights()
CORNERS: Floats = _corner_parts()
