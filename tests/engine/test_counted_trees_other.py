"""How many legal sequences of actions there are from fixed deals: by the engine, by brute force, as written.

vepla, suo, velnio_ratas, dezertyras, imperatorius, every card known. The other games: another file.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.deal import Deal
from engine.places import OpenTable
from tests.engine.brute import imperatorius
from tests.engine.brute.lockstep_other import Lockstep, action, copied, engine_legal

# game, seats, options, seed, how many actions have been made, sequences of 1, 2, ... actions from there
TREES: list[tuple[str, int, dict[str, str], int, int, list[int]]] = [
    ("vepla", 2, {}, 2, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ("vepla", 2, {}, 11, 75, [19, 85, 1266]),
    ("vepla", 3, {}, 21, 66, [1, 1, 1, 1, 1, 1, 1, 16, 60, 254, 1760]),
    ("vepla", 3, {}, 31, 80, [4, 16, 47, 264, 1521]),
    ("vepla", 4, {}, 55, 20, [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3]),
    ("vepla", 4, {}, 61, 70, [2, 11, 50, 175, 605]),
    ("vepla", 6, {}, 71, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ("vepla", 6, {}, 82, 20, [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 4]),
    ("vepla", 6, {}, 91, 60, [1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 20, 64]),
    ("suo", 2, {}, 131, 30, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7]),
    ("suo", 2, {}, 141, 45, [1, 9, 17, 152, 380]),
    ("suo", 3, {"trump": "last"}, 202, 40, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 11]),
    ("suo", 4, {"lead": "last"}, 214, 12, [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3]),
    ("suo", 4, {"lead": "last"}, 221, 30, [1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 8]),
    ("suo", 6, {"trump": "last", "lead": "last"}, 231, 6, [1, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4]),
    ("suo", 6, {"trump": "last", "lead": "last"}, 241, 24, [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]),
    ("velnio_ratas", 2, {}, 251, 0, [3, 10, 32, 93, 210, 510, 1208]),
    ("velnio_ratas", 2, {}, 261, 11, [2, 4, 17, 35, 74, 161, 333, 737]),
    ("velnio_ratas", 3, {"after_draw": "any"}, 271, 0, [4, 16, 61, 209, 711]),
    ("velnio_ratas", 3, {"after_draw": "any"}, 281, 17, [2, 4, 5, 15, 54, 171, 533, 1555]),
    ("velnio_ratas", 4, {"stock_out": "pass"}, 291, 5, [3, 10, 28, 80, 215, 619]),
    ("velnio_ratas", 4, {"stock_out": "pass"}, 301, 70, [2, 5, 10, 22, 47, 85, 142, 278, 535, 1091]),
    (
        "velnio_ratas",
        2,
        {"stock_out": "pass", "after_draw": "any"},
        312,
        95,
        [3, 6, 7, 7, 14, 26, 41, 71, 169, 325, 714],
    ),
    ("velnio_ratas", 6, {}, 321, 3, [1, 3, 10, 28, 80, 192, 446, 1218]),
    ("dezertyras", 4, {}, 331, 0, [6, 36, 101, 359, 1517]),
    ("dezertyras", 4, {}, 341, 1, [6, 13, 49, 230, 943]),
    ("dezertyras", 4, {}, 351, 9, [4, 4, 16, 32, 80, 168, 312, 648, 432, 624]),
    ("dezertyras", 4, {}, 361, 13, [3, 9, 21, 51, 48, 78, 116, 160, 80, 80, 80, 80]),
    ("dezertyras", 4, {"annulled": "plain"}, 371, 1, [6, 18, 79, 439, 1825]),
    ("dezertyras", 4, {"annulled": "plain"}, 384, 13, [2, 5, 5, 8, 15, 24, 42, 68, 36, 36, 36, 36]),
    ("dezertyras", 4, {"own_capture": "3"}, 432, 17, [2, 3, 6, 12, 6, 6, 6, 6]),
    ("imperatorius", 2, {}, 441, 0, [4, 12, 48, 72]),
    ("imperatorius", 2, {}, 451, 4, [9, 24, 176, 400]),
    ("imperatorius", 2, {}, 461, 10, [4, 8, 26, 52, 104, 192, 192, 192]),
    ("imperatorius", 3, {"shield": "no_foreign_trump"}, 472, 3, [5, 16, 24]),
    ("imperatorius", 3, {"shield": "no_foreign_trump"}, 481, 6, [6, 34, 160, 1058]),
    ("imperatorius", 3, {"shield": "no_foreign_trump"}, 491, 15, [5, 20, 20, 68, 140, 224, 464, 880]),
    ("imperatorius", 4, {}, 501, 4, [4, 12, 24, 24]),
    ("imperatorius", 4, {}, 511, 8, [9, 19, 26, 112, 846]),
    ("imperatorius", 4, {}, 521, 24, [5, 15, 45, 90, 195, 420, 492, 864]),
    ("imperatorius", 4, {"laid_away": "trickless"}, 531, 28, [2, 4, 8, 16, 16, 16, 16, 16]),
]


def by_engine(deal: Deal, table: OpenTable, depth: int) -> int:
    """The legal sequences of so many actions."""
    legal = engine_legal(deal, table)
    if depth == 1:
        return len(legal)
    total = 0
    for seat, text in legal:
        next_deal, next_table = deal.copy(), copied(table)
        next_deal.apply(action(seat, text), next_table)
        total += by_engine(next_deal, next_table, depth - 1)
    return total


def by_brute_force(brute: Any, depth: int) -> int:
    """The legal sequences of so many actions. What is laid away (IM) is any lawful choice."""
    legal = brute.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for seat, text in legal:
        laid = lawful(brute.hands[seat], int(text[-1]), brute.trumps[seat]) if "away" in text else None
        total += by_brute_force(brute.apply(seat, text, laid), depth - 1)
    return total


def lawful(hand: list[str], count: int, trump: str) -> list[str]:
    """So many cards to lay away, with the fewest offending."""
    return min(
        imperatorius.choices_of_away(hand, count), key=lambda away: imperatorius.offending(away, trump)
    )


def position(game: str, seats: int, options: dict[str, str], seed: int, made: int) -> Lockstep:
    """The deal of a seed after so many legal actions, which the seed chooses too."""
    both = Lockstep(game, seats, seats, options, seed)
    rng = random.Random(seed)
    for _ in range(made):
        both.step(*rng.choice(sorted(both.brute.legal())))
    return both


@pytest.mark.parametrize(("game", "seats", "options", "seed", "made", "counts"), TREES)
def test_counted_trees(
    game: str, seats: int, options: dict[str, str], seed: int, made: int, counts: list[int]
) -> None:
    both = position(game, seats, options, seed, made)
    depths = range(1, len(counts) + 1)
    assert [by_engine(both.deal, both.table, depth) for depth in depths] == counts
    assert [by_brute_force(both.brute, depth) for depth in depths] == counts
