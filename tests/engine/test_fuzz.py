"""Any well-formed lines in any order, in every game: verdicts, or one line of error; never anything else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import GAMES
from engine.places import OpenTable
from engine.players import Cheat, RandomPlayer, acting
from engine.record import DealLine, Header, RecordError, Takeback, write
from engine.referee import Match, judge

FORMS = {
    "announce": "{s} announce {r}", "trump": "{s} trump {u}", "trump two": "{s} trump {u} {u2}",
    "away": "{s} away {n}", "throw": "{s} throw {c}", "give": "{s} give {c}",
    "give for": "{s} give {c} for {c2}", "closed": "{s} closed {c}", "play": "{s} play {c}",
    "play !": "{s} play {c} !", "play pair": "{s} play {p}", "take": "{s} take", "draw": "{s} draw",
    "draw card": "{s} draw {c}", "pass": "{s} pass", "put": "{s} put on {t}",
    "put center": "{s} put on center",
    "penalty": "{s} penalty {c}", "call": "{s} call", "laid": "{s} laid {c} {c2}", "hand": "hand {s}: {many}",
    "start": "start: {c}", "fund": "fund {s}: {c}", "center": "center: {c}", "spread": "spread: {many}",
    "show": "{s} show {c}", "expose": "{s} expose {c}",
}  # fmt: skip
OTHERS = ["takeback", "end", "deal", "ruling stand", "ruling void"]


def some_line(rng: random.Random, game: str, seats: int) -> str:
    pack = GAMES[game].pack(GAMES[game].all_options({}))
    forms = [form for form in FORMS if GAMES[game].has_line(form, seats)]
    if rng.random() < 0.12:
        return rng.choice(OTHERS)
    form = FORMS[rng.choice([*forms, *(form for form in forms if form in ("play", "take", "draw"))])]
    suited = [card for card in pack if not card.joker]
    suit, other = rng.sample("♠♣♥♦", 2)
    return form.format(
        s=rng.randint(1, seats), t=rng.choice(["self", *map(str, range(1, seats + 1))]), c=rng.choice(pack),
        c2=rng.choice(["?", rng.choice(pack)]) if "for" in form else rng.choice(pack), u=suit, u2=other,
        n=rng.randint(3, 7), p=rng.choice(["♥K+♥D", "♠D+♠V", "♣K+♣D"]), r=rng.choice(suited).rank,
        many=" ".join(map(str, rng.sample(pack, rng.choice([4, 5, 6, 8, 12, 14, 16])))),
    )  # fmt: skip


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
