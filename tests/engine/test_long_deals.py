"""Deals that go on and on: what is forgotten changes no verdict, and time and memory stay small."""

from __future__ import annotations

import random
import time
import tracemalloc

import pytest

from engine import progress
from engine.actions import Action
from engine.games import GAMES
from engine.places import OpenTable
from engine.players import acting
from engine.record import DealLine, Header, Record, write
from engine.referee import Match, judge


def endless(seed: int, size: int, after_draw: str) -> Record:
    """A deal of Velnio ratas between two who keep their last cards, of about this many bytes; some cheat."""
    rng = random.Random(seed)
    match = Match(Header("velnio_ratas", ("A", "B"), 2, {"after_draw": after_draw}))
    match.push(DealLine())
    assert match.deal is not None
    deal = GAMES["velnio_ratas"].deal(match.deal.setup)
    table = OpenTable.deal(deal.setup.pack, deal.places(), rng)
    for fact in deal.opening(table):
        match.push(fact)
        deal.apply_fact(fact, table)
    written = 0
    while written < size and (turn := acting(deal, table)) is not None:
        seat, legal = turn
        plays = [action for action in legal if action.verb == "play"]
        if rng.random() < 0.2:
            plays = [Action(seat, "play", (card,)) for card in table.cards(seat)]
        others = [action for action in legal if action.verb != "play"]
        action = rng.choice(plays) if plays and table.counts[seat] > 1 else rng.choice(others or legal)
        if action.verb == "draw":
            action = Action(seat, "draw")
        written += len(str(action).encode()) + 1
        if not match.push(action).refused:
            deal.apply(action, table)
    return match.record()


@pytest.mark.parametrize("after_draw", ["drawn", "any"])
def test_forgetting_changes_no_verdict(after_draw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6):
        text = write(endless(seed, 4000, after_draw))
        monkeypatch.setattr(progress, "TIDY_EVERY", 10**9)
        remembered = judge(text).result()
        monkeypatch.setattr(progress, "TIDY_EVERY", 0)
        assert judge(text).result() == remembered


def test_a_record_of_100_kb_takes_little_time_and_memory() -> None:
    text = write(endless(5, 100_000, "any"))
    start = time.process_time()
    judge(text)
    seconds = time.process_time() - start
    assert seconds < 4, "about half a second on the machine this was written on"
    text = text[: text.index("\n", 30_000) + 1]
    tracemalloc.start()
    judge(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000
