"""Verdicts of whole small deals equal those found by trying every way in which the hidden cards could lie.

A world is a deal and a table on which every card is known; a card drawn blind makes a world into several.
What was seen throws worlds out; in each that is left an action was right or wrong. For every kind of
hidden information: hands, nines and sixes kept, cards drawn blind, closed cards, a stock.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from engine.actions import Action
from engine.cards import Card, Suit, parse_card
from engine.deal import Deal, Setup, Sight
from engine.games import GAMES
from engine.places import STOCK, OpenTable, cards_of
from engine.progress import DealInProgress

SMALL = {
    "durnius": ("♠9 ♣9 ♥9 ♦9 ♠T ♣T ♥T ♦T", 2, (Suit.CLUBS, Suit.SPADES)),
    "durnius of three": ("♠9 ♣9 ♥9 ♦9 ♠T ♣T ♥T ♦T ♦K", 3, (Suit.CLUBS, Suit.SPADES, Suit.HEARTS)),
    "savi_koziriai": ("♠6 ♣6 ♥6 ♦6 ♠T ♣T ♥T ♦T ♦K", 3, (Suit.SPADES, Suit.CLUBS, Suit.HEARTS)),
    "vezimas": ("♠9 ♣9 ♥9 ♦9 ♠T ♣T ♥T ♦T", 2, None),
    "velnio_ratas": ("♠2 ♠5 ♠9 ♠V ♠T ♥2 ♥5 ♥9 ♥V ♥T ♦7 ♦D", 2, None),
}  # fmt: skip


class Drawing(OpenTable):
    """A table on which it is said beforehand which card is drawn blind."""

    drawn: int = 0

    def move(self, source: int, target: int, count: int = 1) -> int:
        if source == STOCK:
            return super().move(source, target, count)
        self.move_these(source, target, self.drawn)
        return self.drawn


@dataclass
class World:
    """One way the cards lie. `wrong`: the entries, by line and seat, in which a rule was broken."""

    deal: Deal
    table: Drawing
    wrong: dict[tuple[int, int], bool] = field(default_factory=dict)

    def copy(self) -> World:
        table = Drawing(dict(self.table.hands), self.table.stock)
        table.counts = dict(self.table.counts)
        return World(self.deal.copy(), table, dict(self.wrong))


def dealt(pack: Sequence[Card], places: dict[int, int]) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Every distribution of a pack; of a stock every order of (at most two) cards."""
    if not places:
        yield {}, []
        return
    place, count = next(iter(places.items()))
    rest = {other: n for other, n in places.items() if other != place}
    for chosen in combinations(pack, count):
        left = [card for card in pack if card not in chosen]
        for hands, stock in dealt(left, rest):
            if place != STOCK:
                yield {**hands, place: sum(1 << card for card in chosen)}, stock
                continue
            for order in (chosen, chosen[::-1]) if count == 2 else (chosen,):
                yield hands, [int(card) for card in order]


class Enumeration:
    """A deal with the engine's verdicts beside all the worlds that agree with what was seen."""

    def __init__(self, name: str, rng: random.Random) -> None:
        cards, seats, trumps = SMALL[name]
        game = GAMES[name.partition(" ")[0]]
        pack = tuple(map(parse_card, cards.split()))
        setup = Setup(seats, seats, game.all_options({}), pack, trumps)
        self.progress = DealInProgress(game.deal(setup), "stand")
        first = game.deal(setup)
        self.worlds = [
            World(game.deal(setup), Drawing(hands, stock)) for hands, stock in dealt(pack, first.places())
        ]
        truth = rng.choice(self.worlds).copy()
        self.truth = truth
        self.line = 0
        self.exchanges: dict[int, list[int]] = {}
        for fact in list(truth.deal.opening(truth.table)):
            self.line += 1
            self.progress.take(fact, self.line)
            self.worlds = [w for w in self.worlds if w.table.stock and w.table.stock[0] == fact.cards[0]]
            for world in (*self.worlds, truth):
                world.deal.apply_fact(fact, world.table)

    def act(self, action: Action, drawn: int) -> None:
        """An action of the true deal; `drawn`: the card that is drawn blind for it, as a mask."""
        self.line += 1
        before = self.progress.deal.copy()
        worlds_then = self.progress.worlds.copy()
        made, _ = self.progress.take(action, self.line)
        entry = next(each for each in made if each.action == action.text)
        evidence = action.verb in ("show", "expose")
        sights = Deal.sees(before, action, worlds_then) if evidence else before.sees(action, worlds_then)
        agreeing = [world for world in self.worlds if all(seen(world, sight) for sight in sights)]
        if not agreeing:
            assert entry.verdict == "impossible"
            return
        assert entry.verdict != "impossible", (action.text, entry)
        self.worlds = agreeing
        if evidence:
            return
        refused = entry.verdict == "illegal"
        for world in self.worlds:
            said = world.deal.objections(action)
            world.wrong[self.line, action.seat] = any(
                o.condition is None or o.condition.met(world.table) for o in said
            )
        if refused:
            assert all(w.wrong[self.line, action.seat] for w in self.worlds), (action.text, entry)
            return
        self._close(action, before)
        if action.verb in ("throw", "give"):
            self.exchanges.setdefault(action.seat, []).append(self.line)
        after: list[World] = []
        for world in self.worlds:
            for token in self._draws(world, action):
                branch = world.copy()
                branch.table.drawn = token
                branch.deal.apply(action, branch.table)
                after.append(branch)
        self.worlds = after
        self.truth.table.drawn = drawn
        self.truth.deal.apply(action, self.truth.table)

    def _close(self, action: Action, before: Deal) -> None:
        for duty in before.duties(action, self.progress.worlds):
            own = self.exchanges.get(duty.seat, [])
            key = (own[-1] if own else self.line * 1000 + duty.seat, duty.seat)
            for world in self.worlds:
                still = any(o.condition is not None and o.condition.met(world.table) for o in duty.objections)
                world.wrong[key] = world.wrong.get(key, False) or still

    def _draws(self, world: World, action: Action) -> list[int]:
        if not action.blind:
            return [0]
        deal: Any = world.deal
        receiver = deal.trumps.index(action.card.suit) + 1
        return [1 << card for card in cards_of(world.table.hands[receiver])]

    def check(self) -> None:
        """Every entry as it stands now is as the worlds say."""
        for entry in self.progress.entries():
            if entry.verdict in ("illegal", "impossible") or entry.action.startswith(("show", "expose")):
                continue
            if entry.action.startswith(("throw", "give")) and self.progress.deal.stage == "exchange":
                continue  # judged when the exchange closes (G-9)
            assert entry.seat is not None
            extra = entry.action == "exchange"
            key = (entry.line * 1000 + entry.seat if extra else entry.line, entry.seat)
            assert entry.final == self._final(key), (entry, len(self.worlds))

    def _final(self, key: tuple[int, int]) -> str:
        found = {world.wrong[key] for world in self.worlds}
        return "open" if len(found) == 2 else "illegal" if found == {True} else "legal"


def seen(world: World, sight: Sight) -> bool:
    """Whether this can be seen in a world."""
    there = lies(world, sight.place)
    return set(sight.cards) == set(there) if sight.whole else set(sight.cards) <= set(there)


def lies(world: World, place: int) -> tuple[Card, ...]:
    return (
        cards_of(1 << world.table.stock[0])
        if place == STOCK and world.table.stock
        else world.table.cards(place)
    )


def something(deal: Enumeration, rng: random.Random) -> tuple[Action, int] | None:
    """What somebody does next in the true deal: what its cards allow, lawful or not."""
    table, truth = deal.truth.table, deal.truth.deal
    seats = range(1, truth.setup.seats + 1)
    if rng.random() < 0.12:
        seat = rng.choice([s for s in seats if table.hands.get(s)] or [0])
        cards = table.cards(seat) if seat else ()
        if cards:
            return Action(seat, "expose", (rng.choice(cards),)), 0
    options = [a for seat in seats for a in truth.candidates(seat, table)]
    turn = [action for action in options if action.seat == truth.turn]
    if not options:
        return None
    action = rng.choice(turn if turn and rng.random() < 0.85 else options)
    if action.verb == "throw" and action.cards and rng.random() < 0.5:
        action = Action(action.seat, "throw", action.cards[:1])
    if action.blind:
        if action.card.suit not in truth.trumps:  # type: ignore[attr-defined]
            return None
        receiver = truth.trumps.index(action.card.suit) + 1  # type: ignore[attr-defined]
        others = [card for card in table.cards(receiver) if receiver != action.seat]
        if not others:
            return None
        return action, 1 << rng.choice(others)
    return action, 0


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(12))
def test_every_verdict_is_that_of_all_worlds(name: str, seed: int) -> None:
    rng = random.Random(f"{name} {seed}")
    deal = Enumeration(name, rng)
    for _ in range(14):
        if deal.truth.deal.outcome is not None:
            break
        chosen = something(deal, rng)
        if chosen is None:
            continue
        deal.act(*chosen)
        deal.check()
