"""Any well-formed lines in any order, in every game: verdicts, or one line of error; never anything else."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import GAMES
from engine.places import OpenTable
from engine.players import Cheat, RandomPlayer, acting
from engine.record import DealLine, Header, RecordError, Takeback, write
from engine.referee import Match, judge
from tests.engine.lines import some_line
from tests.shared import ROOT


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_any_lines_in_any_order(game: str, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice(GAMES[game].players)
    lines = [f"game: {game}", "players: " + ", ".join("ABCDEF"[:seats]), "deal"]
    lines += [some_line(rng, game, seats) for _ in range(40)]
    try:
        match = judge("\n".join(lines))
    except RecordError as error:
        assert "undo" in error.text
        return
    match.view()
    again = judge(write(match.record()))
    assert again.result()["match"] == match.result()["match"]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_played_deals_and_takeback_to_the_start(game: str, seed: int) -> None:
    """Legal play is never refused or found illegal, the cards are conserved, takeback undoes it all."""
    rng = random.Random(seed)
    seats = rng.choice(GAMES[game].players)
    match = Match(Header(game, tuple("ABCDEF"[:seats])))
    match.push(DealLine())
    start, first = match.result(), match.view()
    assert match.deal is not None
    deal = GAMES[game].deal(match.deal.setup)
    table = OpenTable.deal(deal.setup.pack, deal.places(), rng)
    accepted = 0
    for fact in deal.opening(table):
        assert not match.push(fact).refused
        deal.apply_fact(fact, table)
        accepted += 1
    player = Cheat(RandomPlayer(rng), rng.choice([0.0, 0.1]), rng)
    while accepted < 300 and (turn := acting(deal, table)) is not None:
        seat, legal = turn
        action = player.choose(deal, seat, table.only(seat), legal)
        report = match.push(action)
        if action in legal:
            assert not report.refused, report
        if not report.refused:
            deal.apply(action, table)
            accepted += 1
            assert match.progress is not None
            counts = match.progress.worlds.counts
            assert {place: counts[place] for place in table.counts} == table.counts
    for _ in range(accepted):
        match.push(Takeback())
    result = match.result()
    actions = result["deals"][0].pop("actions")
    assert sum(action.get("taken_back", False) for action in actions) >= 1
    start["deals"][0].pop("actions")
    assert result == start
    assert match.view() == first


@pytest.mark.slow
def test_two_minutes_of_atheris() -> None:
    """Coverage-guided, with limits of a second and 200 MB for an input; see `tests/engine/fuzz.py`."""
    pytest.importorskip("atheris", reason="the extra `fuzz` is not installed")
    command = [sys.executable, "-m", "tests.engine.fuzz", "-max_total_time=120"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
