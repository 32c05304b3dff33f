"""Whole deals by the engine and by a brute force that knows every card and only the rulings' text.

vepla, suo, velnio_ratas, dezertyras, imperatorius: after every action both must allow the same
actions, and at the end the deal must have come out the same. The other games: another file.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine.games import GAMES
from tests.engine.brute import imperatorius
from tests.engine.brute.lockstep_other import BRUTES, Lockstep, action, engine_legal

WITHOUT_EFFECT = ("violation", "deals", "target")
"""Options of the match, or of breaches; none of the deals here has any."""
LONGEST = 400
SAMPLES = {"vepla": 8, "suo": 2, "velnio_ratas": 3, "dezertyras": 8, "imperatorius": 4}


def kinds(game: str) -> list[tuple[int, dict[str, str]]]:
    """Every number of players with every value of every option that tells."""
    options = {name: o.values for name, o in GAMES[game].options.items() if name not in WITHOUT_EFFECT}
    return [
        (seats, dict(zip(options, values, strict=True)))
        for seats in GAMES[game].players
        for values in product(*options.values())
    ]


CASES = [
    pytest.param(game, seats, options, n, id="-".join([game, str(seats), *options.values(), str(n)]))
    for game in BRUTES
    for seats, options in kinds(game)
    for n in range(SAMPLES[game])
]


def agree(both: Lockstep) -> list[tuple[int, str]]:
    """Both allow the same; returned in a fixed order."""
    legal = both.brute.legal()
    assert engine_legal(both.deal, both.table) == legal, both.lines
    return sorted(legal)


def agree_on_all(both: Lockstep) -> None:
    """Whatever else the cards would allow is judged alike."""
    legal = both.brute.legal()
    # A call on a joker means nothing (IM-6).
    legal |= {(seat, text + " !") for seat, text in legal if text in ("play IMP", "play VIZ")}
    for seat, text in sorted(both.conceivable()):
        by_engine = both.deal.is_legal(action(seat, text), both.table)
        assert by_engine == ((seat, text) in legal), (both.lines, seat, text)


def weighted(rng: random.Random, legal: list[tuple[int, str]]) -> tuple[int, str]:
    """An action at random, a take less often than a card, that deals may end."""
    plays = [line for line in legal if line[1] not in ("take", "pass")]
    return rng.choice(plays if plays and rng.random() < 0.8 else legal)


@pytest.mark.parametrize(("game", "seats", "options", "n"), CASES)
def test_whole_deals(game: str, seats: int, options: dict[str, str], n: int) -> None:
    rng = random.Random(f"{game} {seats} {options} {n}")
    both = Lockstep(game, seats, rng.randint(1, seats), options, rng.random())
    legal = agree(both)
    while legal and len(both.lines) < LONGEST:
        if rng.random() < 0.15:
            agree_on_all(both)
        both.step(*weighted(rng, legal))
        legal = agree(both)
    if not legal:
        both.show_laid()
        assert both.brute.outcome is not None
    assert both.outcome() == both.brute.outcome, both.lines


@pytest.mark.parametrize("n", range(25))
def test_oversights_in_vepla(n: int) -> None:
    """VP-5: a draw too early, or a drawn card kept that fitted, stands and is punished."""
    rng = random.Random(f"oversights {n}")
    seats = n % 5 + 2
    both = Lockstep("vepla", seats, rng.randint(1, seats), {}, rng.random())
    legal = agree(both)
    while legal and len(both.lines) < LONGEST:
        line = weighted(rng, legal)
        if line[1].startswith("put on ") and line[1] != "put on self" and rng.random() < 0.5:
            drawn = both.brute.drawn is not None
            line = line[0], "put on self" if drawn else f"draw {both.brute.stock[0]}"
            objections = both.deal.objections(action(*line))
            assert [(o.rule, o.condition, o.stands) for o in objections] == [("VP-5", None, True)], both.lines
        both.step(*line)
        legal = agree(both)
    assert both.outcome() == both.brute.outcome, both.lines


@pytest.mark.parametrize("n", range(12))
def test_wrong_lay_aways_in_imperatorius(n: int) -> None:
    """IM-13: any cards may lie face down; the wrong ones cost fifty points, if they are wrong at all."""
    rng = random.Random(f"wrong {n}")
    seats = n % 3 + 2
    both = Lockstep("imperatorius", seats, rng.randint(1, seats), {}, rng.random())
    legal = agree(both)
    while legal:
        seat, text = rng.choice(legal)
        wrongly = None
        if text.startswith("away"):
            wrongly = rng.choice(imperatorius.choices_of_away(both.brute.hands[seat], int(text[-1])))
        both.step(seat, text, wrongly)
        legal = agree(both)
    both.show_laid()
    assert both.outcome() == both.brute.outcome, both.lines
