"""Whole random deals of the six beating games, the engine against its oracle, action by action."""

from __future__ import annotations

import random

import pytest

from engine.game import Game
from engine.games import GAMES
from tests.engine.beating_tables import BEATING, EngineSide, Oracle, both, draws

TABLES = [(game, seats) for game in BEATING for seats in GAMES[game].players]
_LONGEST = 600
_DEALS = 16


def any_options(game: Game, seats: int, rng: random.Random) -> dict[str, str]:
    while True:
        chosen = {name: rng.choice(option.values) for name, option in game.options.items()}
        if game.wrong_with(["?"] * seats, chosen) is None:
            return chosen


def chosen(oracle: Oracle, moves: list[tuple[int, str]], sharp: float, rng: random.Random) -> tuple[int, str]:
    """Any move; but mostly plays, and those that cannot be beaten, or deals would go on for ever."""
    plays = [move for move in moves if move[1].startswith("play")]
    if not plays or rng.random() > sharp:
        return rng.choice(moves)
    rng.shuffle(plays)
    for seat, text in plays:
        if not any(answer[1].startswith("play") for answer in oracle.apply(seat, text).legal()):
            return seat, text
    return plays[0]


def compare(side: EngineSide, oracle: Oracle, line: list[str]) -> list[tuple[int, str]]:
    moves = oracle.legal()
    assert side.legal() == moves, line
    assert side.outcome == oracle.outcome, line
    if oracle.stage.startswith("drag"):
        assert {seat: side.hand(seat) for seat in oracle.hands} == {
            seat: sorted(hand) for seat, hand in oracle.hands.items()
        }, line
    return sorted(moves)


def play_deal(side: EngineSide, oracle: Oracle, rng: random.Random) -> tuple[EngineSide, Oracle]:
    """Both sides to the end of the deal, or as far as patience goes."""
    line: list[str] = [f"{side.deal.setup}", f"{oracle.hands}"]
    sharp = rng.choice([0.3, 0.7, 0.95])
    for _ in range(_LONGEST):
        moves = compare(side, oracle, line)
        if not moves:
            break
        seat, text = chosen(oracle, moves, sharp, rng)
        drawn = rng.choice(draws(oracle, text))
        if drawn is not None:
            assert not side.is_legal(seat, text.replace("?", text.split()[1])), line  # the six itself
            assert side.is_legal(seat, text.replace("?", drawn)), line
        line.append(f"{seat} {text} {drawn or ''}")
        side, oracle = side.apply(seat, text, drawn), oracle.apply(seat, text, drawn)
    return side, oracle


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whole_deals_agree(game: str, seats: int) -> None:
    ended = 0
    for seed in range(_DEALS):
        rng = random.Random(f"{game} {seats} {seed}")
        options = any_options(GAMES[game], seats, rng)
        first = both(game, seats, rng.randint(1, seats), options, rng)
        first = play_deal(*first, rng)
        if first[1].outcome is None:
            continue
        second = both(game, seats, first[1].outcome["next_dealer"], options, rng, first)
        second = play_deal(*second, rng)
        ended += second[1].outcome is not None
    assert ended > _DEALS // 3
