"""Whole random deals of the six beating games, the engine against its oracle, action by action."""

from __future__ import annotations

import random

import pytest

from engine.game import Game
from engine.games import GAMES
from tests.engine.beating_tables import BEATING, EngineSide, Oracle, both, draws
from tests.engine.brute.beating import rank_of

TABLES = [(game, seats) for game in BEATING for seats in GAMES[game].players]
WITH_LAST_CHANCES = [
    ("durnius", 2, 2),
    ("durnius", 3, 0),
    ("durnius", 4, 11),
    ("vezimas", 2, 8),
    ("vezimas", 3, 1),
    ("vezimas", 4, 4),
    ("dudakas", 2, 0),
    ("dudakas", 3, 0),
    ("dudakas", 4, 0),
    ("savi_koziriai", 3, 5),
    ("savi_koziriai", 4, 9),
]
"""Seeds of deals in which `last_chances` finds both kinds."""
Line = list[tuple[int, str, str | None]]
_LONGEST = 400
_DEALS = 15


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


def step(
    side: EngineSide, oracle: Oracle, move: tuple[int, str, str | None], line: list[str]
) -> tuple[EngineSide, Oracle]:
    """The same move on both sides."""
    seat, text, drawn = move
    if drawn is not None:
        assert not side.is_legal(seat, text.replace("?", text.split()[1])), line  # the six itself
        assert side.is_legal(seat, text.replace("?", drawn)), line
    line.append(f"{seat} {text}" if drawn is None else f"{seat} {text.replace('?', drawn)}")
    side, oracle = side.apply(*move), oracle.apply(*move)
    compare(side, oracle, line)
    return side, oracle


def play_deal(side: EngineSide, oracle: Oracle, rng: random.Random) -> tuple[EngineSide, Oracle]:
    """Both sides to the end of the deal, or as far as patience goes."""
    line = [f"{side.deal.setup}", f"{oracle.hands}"]
    chooser = Chooser(side.deal.setup.seats, rng)
    compare(side, oracle, line)
    while oracle.legal() and len(line) < _LONGEST:
        seat, text = chooser.choose(oracle)
        side, oracle = step(side, oracle, (seat, text, chooser.drawn(oracle, text)), line)
    return side, oracle


def last_chances(oracle: Oracle, seats: int, rng: random.Random) -> dict[str, Line]:
    """Lines at whose end the last player has one card and the chance to beat with it (DU-11).

    "beat" and "take" are what the player does. Found by keeping, move by move, the positions with
    the fewest cards in hands.
    """
    found: dict[str, Line] = {}
    level: list[tuple[Oracle, Line]] = [(oracle, [])]
    for _ in range(60):
        following: list[tuple[Oracle, Line]] = []
        for before, line in level:
            moves = sorted(before.legal())
            for seat, text in moves:
                if text == "take" and len(moves) > 1 and rng.random() < 0.85:
                    continue
                drawn = rng.choice(draws(before, text))
                after = before.apply(seat, text, drawn)
                longer: Line = [*line, (seat, text, drawn)]
                if after.outcome is None:
                    following.append((after, longer))
                elif after.outcome["loser"] is None:
                    found.setdefault("beat", longer)
                elif text == "take":
                    found.setdefault("take", longer)
        if len(found) == 2:
            break
        rng.shuffle(following)
        following.sort(key=lambda one: sum(one[0].held(seat) for seat in range(1, seats + 1)))
        level = following[:60]
    return found


def start(game: str, seats: int, seed: int) -> tuple[EngineSide, Oracle, random.Random]:
    rng = random.Random(f"{game} {seats} {seed}")
    side, oracle = both(game, seats, rng.randint(1, seats), any_options(GAMES[game], seats, rng), rng)
    return side, oracle, rng


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whole_deals_agree(game: str, seats: int) -> None:
    ended = 0
    for seed in range(_DEALS):
        side, oracle, rng = start(game, seats, seed)
        side, oracle = play_deal(side, oracle, rng)
        if oracle.outcome is not None:  # and the match goes on: trumps stay, the dealer follows
            ended += 1
            options = dict(side.deal.setup.options)
            play_deal(*both(game, seats, oracle.outcome["next_dealer"], options, rng, (side, oracle)), rng)
    assert ended > _DEALS // 2


@pytest.mark.parametrize(("game", "seats", "seed"), WITH_LAST_CHANCES)
def test_last_chances_agree(game: str, seats: int, seed: int) -> None:
    dealt, oracle_dealt, rng = start(game, seats, seed)
    found = last_chances(oracle_dealt, seats, rng)
    assert set(found) == {"beat", "take"}
    for moves in found.values():
        side, oracle, line = dealt, oracle_dealt, [f"{dealt.deal.setup}", f"{oracle_dealt.hands}"]
        for move in moves:
            side, oracle = step(side, oracle, move, line)
        assert side.outcome is not None
