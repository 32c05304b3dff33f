"""How many lines of play there are from a fixed position: by the engine, by its oracle, and as a number.

A position is a seeded deal after some moves that a seeded chooser made. Counted are the sequences of
1, 2, … legal actions from there, and how many of all these lines decide the deal. The card drawn in an
exchange of Savi koziriai is part of the action; the engine is asked about each.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from tests.engine.beating_tables import EngineSide, Oracle, both, draws
from tests.engine.test_against_brute_beating import Chooser


class Case(NamedTuple):
    game: str
    seats: int
    options: dict[str, str]
    seed: int
    moves: int
    counts: list[int]
    decided: int


CASES = [
    Case("durnius", 2, {}, 1, 0, [1, 1, 13, 51, 536], 0),
    Case("durnius", 2, {}, 1, 63, [2, 22, 37, 677, 822], 8),
    Case("durnius", 3, {}, 1, 0, [1, 2, 2, 12, 94, 372], 0),
    Case("durnius", 3, {}, 1, 59, [2, 22, 32, 532, 708], 5),
    Case("durnius", 3, {"trumps": "chosen"}, 1, 0, [4, 12, 24, 48, 48, 264, 1920], 0),
    Case("durnius", 3, {"trumps": "chosen"}, 1, 74, [3, 7, 86, 97, 1757], 6),
    Case("durnius", 4, {"trumps": "seen"}, 1, 0, [4, 12, 24, 24, 60, 114, 258, 1338], 0),
    Case("durnius", 4, {}, 1, 0, [1, 2, 2, 14, 46, 230, 466], 0),
    Case("azijietiskas", 2, {}, 1, 0, [12, 54, 594, 1831], 0),
    Case("azijietiskas", 2, {}, 1, 28, [2, 7, 107, 180, 2100], 77),
    Case("azijietiskas", 3, {}, 1, 0, [8, 30, 218, 700], 0),
    Case("azijietiskas", 4, {}, 1, 0, [6, 6, 36, 96, 480, 1345], 0),
    Case("azijietiskas", 4, {}, 1, 25, [9, 108, 148, 540, 640], 108),
    Case("vezimas", 2, {}, 1, 0, [12, 50, 373, 1823], 0),
    Case("vezimas", 2, {}, 1, 70, [5, 82, 164, 1824], 73),
    Case("vezimas", 3, {}, 1, 0, [8, 22, 107, 534], 0),
    Case("vezimas", 3, {}, 1, 49, [2, 9, 65, 80, 504], 19),
    Case("vezimas", 4, {}, 1, 0, [6, 17, 63, 242, 847], 0),
    Case("vezimas", 4, {}, 1, 53, [2, 15, 275, 416], 145),
    Case("kozirinis", 2, {"pack": "32"}, 1, 0, [12, 24, 192, 960], 0),
    Case("kozirinis", 2, {"pack": "32"}, 1, 12, [3, 9, 18, 51, 351, 478], 179),
    Case("kozirinis", 2, {"pack": "28", "next_dealer": "other"}, 1, 0, [12, 24, 168, 776], 0),
    Case("kozirinis", 2, {"pack": "28", "next_dealer": "other"}, 1, 12, [3, 14, 138, 364, 1948], 210),
    Case("kozirinis", 2, {"pack": "24"}, 1, 0, [12, 24, 144, 616], 0),
    Case("kozirinis", 2, {"pack": "24"}, 1, 6, [3, 9, 42, 57, 291, 357, 1614], 12),
    Case("dudakas", 2, {"pack": "32", "parankinis": "on"}, 1, 0, [24, 252, 1924], 0),
    Case("dudakas", 2, {"pack": "32", "parankinis": "on"}, 1, 30, [11, 291, 1490], 41),
    Case("dudakas", 3, {"pack": "24", "parankinis": "on"}, 1, 0, [20, 236, 1800], 0),
    Case("dudakas", 3, {"pack": "24", "parankinis": "on"}, 1, 22, [2, 5, 65, 315, 1573], 63),
    Case("dudakas", 4, {}, 1, 0, [22, 322], 0),
    Case("dudakas", 4, {}, 1, 25, [3, 18, 98, 666, 1335], 4),
    Case("savi_koziriai", 3, {"trumps": "lot"}, 1, 0, [12, 72, 144, 1728], 0),
    Case("savi_koziriai", 3, {"trumps": "lot"}, 1, 83, [2, 12, 332, 393], 65),
    Case("savi_koziriai", 4, {"parankinis": "on"}, 2, 0, [4, 12, 24, 24, 216, 1944], 0),
    Case("savi_koziriai", 4, {"parankinis": "on"}, 2, 118, [2, 21, 629, 770], 145),
    Case("savi_koziriai", 4, {"take": "all"}, 1, 0, [4, 12, 24, 24, 216, 1944], 0),
    Case("savi_koziriai", 4, {"take": "all"}, 1, 122, [2, 34, 1058, 1088], 34),
]


def position(case: Case) -> tuple[EngineSide, Oracle]:
    rng = random.Random(f"tree {case.game} {case.seats} {case.seed}")
    side, oracle = both(case.game, case.seats, rng.randint(1, case.seats), case.options, rng)
    chooser = Chooser(case.seats, rng)
    for _ in range(case.moves):
        seat, text = chooser.choose(oracle)
        drawn = chooser.drawn(oracle, text)
        side, oracle = side.apply(seat, text, drawn), oracle.apply(seat, text, drawn)
    return side, oracle


def actions_of_engine(side: EngineSide) -> list[tuple[int, str, str | None]]:
    found: list[tuple[int, str, str | None]] = []
    for seat, text in side.legal():
        if text.endswith("for ?"):
            owner = engine_owner(side, text[5])
            found += [
                (seat, text, card)
                for card in side.hand(owner)
                if side.is_legal(seat, text.replace("?", card))
            ]
        else:
            found.append((seat, text, None))
    return found


def engine_owner(side: EngineSide, suit: str) -> int:
    """The seat whose trump suit it is (only its cards can be drawn), from what the deal shows."""
    return next(named.seat for named in side.deal.named() if suit in map(str, named.suits) and named.seat)


def actions_of_oracle(oracle: Oracle) -> list[tuple[int, str, str | None]]:
    return [(seat, text, card) for seat, text in oracle.legal() for card in draws(oracle, text)]


def count_engine(side: EngineSide, counts: list[int], depth: int = 0) -> int:
    """Adds the lines that are one longer to `counts`; returns how many lines decide the deal."""
    if depth == len(counts):
        return 0
    decided = 0
    for seat, text, drawn in actions_of_engine(side):
        counts[depth] += 1
        after = side.apply(seat, text, drawn)
        decided += (after.outcome is not None) + count_engine(after, counts, depth + 1)
    return decided


def count_oracle(oracle: Oracle, counts: list[int], depth: int = 0) -> int:
    if depth == len(counts):
        return 0
    decided = 0
    for seat, text, drawn in actions_of_oracle(oracle):
        counts[depth] += 1
        after = oracle.apply(seat, text, drawn)
        decided += (after.outcome is not None) + count_oracle(after, counts, depth + 1)
    return decided


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.seats}-{case.moves}")
def test_as_many_lines_as_there_should_be(case: Case) -> None:
    side, oracle = position(case)
    by_engine, by_oracle = [0] * len(case.counts), [0] * len(case.counts)
    assert count_oracle(oracle, by_oracle) == case.decided
    assert by_oracle == case.counts
    assert count_engine(side, by_engine) == case.decided
    assert by_engine == case.counts
