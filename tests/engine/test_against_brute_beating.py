"""Whole random deals of the six beating games, the engine against its oracle, action by action."""

from __future__ import annotations

import random

import pytest

from engine.game import Game
from engine.games import GAMES
from tests.engine.beating_tables import BEATING, EngineSide, Oracle, both, draws
from tests.engine.brute.beating import rank_of

TABLES = [(game, seats) for game in BEATING for seats in GAMES[game].players]
LAST_CHANCES = [
    *(("durnius", 2, seed) for seed in (116, 132, 52, 71)),
    *(("durnius", 3, seed) for seed in (680, 908, 130)),
    *(("durnius", 4, seed) for seed in (1339, 2423, 3942)),
    *(("vezimas", 2, seed) for seed in (203, 239, 21)),
    *(("vezimas", 3, seed) for seed in (289, 329, 314)),
    *(("vezimas", 4, seed) for seed in (1413, 1422, 96)),
    *(("dudakas", 2, seed) for seed in (262, 300, 17)),
    *(("dudakas", 3, seed) for seed in (599, 1012, 27)),
    *(("dudakas", 4, seed) for seed in (73, 964)),
]
"""Seeds of deals at whose end the last player has one card and the last chance to beat (DU-11)."""
_LONGEST = 400
_DEALS = 20


def any_options(game: Game, seats: int, rng: random.Random) -> dict[str, str]:
    while True:
        chosen = {name: rng.choice(option.values) for name, option in game.options.items()}
        if game.wrong_with(["?"] * seats, chosen) is None:
            return chosen


class Chooser:
    """Any move now and then; else low cards or any cards, and perhaps a seat that mostly takes.

    Deals among players all alike hardly end.
    """

    def __init__(self, seats: int, rng: random.Random) -> None:
        self.random = rng
        self.low = rng.random() < 0.5
        self.weak = rng.randint(0, seats)

    def choose(self, oracle: Oracle) -> tuple[int, str]:
        moves = sorted(oracle.legal())
        plays = [move for move in moves if move[1].startswith("play")]
        if not plays or self.random.random() < 0.08:
            return self.random.choice(moves)
        if (self.weak, "take") in moves and self.random.random() < 0.8:
            return self.weak, "take"
        if self.low:
            return min(plays, key=lambda move: (move[1][5] in oracle.trumps.values(), rank_of(move[1][5:])))
        return self.random.choice(plays)

    def drawn(self, oracle: Oracle, text: str) -> str | None:
        return self.random.choice(draws(oracle, text))


def compare(side: EngineSide, oracle: Oracle, line: list[str]) -> None:
    assert side.legal() == oracle.legal(), line
    assert side.outcome == oracle.outcome, line
    if oracle.stage.startswith("drag"):
        hands = {seat: sorted(hand) for seat, hand in oracle.hands.items()}
        assert {seat: side.hand(seat) for seat in oracle.hands} == hands, line


def play_deal(side: EngineSide, oracle: Oracle, rng: random.Random) -> tuple[EngineSide, Oracle, list[str]]:
    """Both sides to the end of the deal, or as far as patience goes."""
    line = [f"{side.deal.setup}", f"{oracle.hands}"]
    chooser = Chooser(side.deal.setup.seats, rng)
    compare(side, oracle, line)
    while oracle.legal() and len(line) < _LONGEST:
        seat, text = chooser.choose(oracle)
        drawn = chooser.drawn(oracle, text)
        if drawn is not None:
            assert not side.is_legal(seat, text.replace("?", text.split()[1])), line  # the six itself
            assert side.is_legal(seat, text.replace("?", drawn)), line
        line.append(f"{seat} {text}" if drawn is None else f"{seat} {text.replace('?', drawn)}")
        side, oracle = side.apply(seat, text, drawn), oracle.apply(seat, text, drawn)
        compare(side, oracle, line)
    return side, oracle, line


def start(game: str, seats: int, seed: int) -> tuple[EngineSide, Oracle, random.Random]:
    rng = random.Random(f"{game} {seats} {seed}")
    side, oracle = both(game, seats, rng.randint(1, seats), any_options(GAMES[game], seats, rng), rng)
    return side, oracle, rng


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whole_deals_agree(game: str, seats: int) -> None:
    ended = 0
    for seed in range(_DEALS):
        side, oracle, rng = start(game, seats, seed)
        side, oracle, _ = play_deal(side, oracle, rng)
        if oracle.outcome is not None:  # and the match goes on: trumps stay, the dealer follows
            ended += 1
            options = dict(side.deal.setup.options)
            play_deal(*both(game, seats, oracle.outcome["next_dealer"], options, rng, (side, oracle)), rng)
    assert ended > _DEALS // 2


@pytest.mark.parametrize(("game", "seats", "seed"), LAST_CHANCES)
def test_last_chances_agree(game: str, seats: int, seed: int) -> None:
    side, oracle, rng = start(game, seats, seed)
    _, oracle, line = play_deal(side, oracle, rng)
    assert oracle.outcome is not None
    assert oracle.outcome["loser"] is None or line[-1].endswith("take")
