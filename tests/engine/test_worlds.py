"""The worlds against a brute-force enumeration of everything that could have happened."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import VIZ, Card, parse_card
from engine.conditions import Holds, none, some
from engine.places import STOCK, VIZ_TOKENS
from engine.worlds import Impossible, Sight, Worlds

PACK = (*tuple(map(parse_card, ["♠T", "♠K", "♥T", "♥K", "♦T", "♦K"])), VIZ, VIZ)
PLACES = {1: 2, 2: 2, 3: 2, STOCK: 2}

# A universe: what lies where (as sorted tuples, so that Viziriai are alike), and the answers that
# the questions asked on the way had in it.
Universe = tuple[tuple[tuple[int, tuple[Card, ...]], ...], tuple[bool, ...]]


def universe(places: dict[int, tuple[Card, ...]], answers: tuple[bool, ...]) -> Universe:
    return tuple(sorted((place, tuple(sorted(cards))) for place, cards in places.items())), answers


def deals(left: tuple[Card, ...], places: dict[int, int]) -> Iterator[dict[int, tuple[Card, ...]]]:
    if not places:
        yield {}
        return
    (place, count), *rest = places.items()
    for chosen in combinations(range(len(left)), count):
        others = tuple(card for at, card in enumerate(left) if at not in chosen)
        for deal in deals(others, dict(rest)):
            yield {place: tuple(left[at] for at in chosen), **deal}


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


class Enumeration:
    """All universes that agree with what was seen. `top`: the card known to lie on top of the stock."""

    def __init__(self) -> None:
        self.universes = {universe(deal, ()) for deal in deals(PACK, PLACES)}
        self.top: Card | None = None

    def leave(self, place: int, card: Card) -> None:
        if place == STOCK:
            self.top = None
        self.universes = {
            universe({**dict(u), place: without(dict(u)[place], card)}, answers)
            for u, answers in self.universes
            if card in dict(u)[place]
        }

    def see(self, place: int, cards: tuple[Card, ...], whole: bool) -> None:
        def agrees(held: tuple[Card, ...]) -> bool:
            enough = all(held.count(card) >= cards.count(card) for card in cards)
            return enough and (not whole or len(held) == len(cards))

        self.universes = {(u, answers) for u, answers in self.universes if agrees(dict(u)[place])}

    def add(self, place: int, cards: tuple[Card, ...]) -> None:
        self.universes = {
            universe({**dict(u), place: dict(u)[place] + cards}, answers) for u, answers in self.universes
        }

    def move(self, source: int, target: int) -> None:
        moved = set()
        for u, answers in self.universes:
            places = dict(u)
            for card in set(places[source]) if source != STOCK or self.top is None else {self.top}:
                after = {**places, source: without(places[source], card)}
                moved.add(universe({**after, target: after[target] + (card,)}, answers))
        if source == STOCK:
            self.top = None
        self.universes = moved

    def ask(self, place: int, cards: tuple[Card, ...]) -> None:
        self.universes = {
            (u, (*answers, any(card in dict(u)[place] for card in cards))) for u, answers in self.universes
        }

    def could_be(self, cards: tuple[Card, ...], place: int, whole: bool) -> bool:
        if place == STOCK and self.top is not None and cards != (self.top,):
            return False
        before = self.universes
        self.see(place, cards, whole)
        found, self.universes = bool(self.universes), before
        return found


def tokens(cards: tuple[Card, ...]) -> int:
    mask = 0
    for card in cards:
        mask |= VIZ_TOKENS if card == VIZ else 1 << card
    return mask


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9))
def test_worlds_equal_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    worlds, every = Worlds(PACK, PLACES), Enumeration()
    truth = list(PACK)
    rng.shuffle(truth)
    lies = {place: truth[at * 2 : at * 2 + 2] for at, place in enumerate(PLACES)}  # stock: top first
    opened: list[Card] = []
    questions = []
    for _ in range(rng.randint(1, 9)):
        event = rng.choice(("leave", "leave", "expose", "show", "take", "move", "turn", "ask", "ask", "peek"))
        place = rng.choice((1, 2, 3))
        if event == "ask":
            cards = tuple(rng.sample(sorted(set(PACK)), rng.randint(1, 3)))
            every.ask(place, cards)
            questions.append(Holds(place, tokens(cards)).ask(worlds))
        elif event == "leave" and lies[place]:
            card = rng.choice(lies[place])
            every.leave(place, card)
            worlds.leave(place, card)
            lies[place].remove(card)
            opened.append(card)
        elif event == "expose" and lies[place]:
            cards = tuple(rng.sample(lies[place], rng.randint(1, len(lies[place]))))
            every.see(place, cards, False)
            worlds.see((Sight(place, cards),))
        elif event == "show" and lies[place]:
            every.see(place, tuple(lies[place]), True)
            worlds.see((Sight(place, tuple(lies[place]), True),))
        elif event == "take" and opened:
            cards = tuple(rng.sample(opened, rng.randint(1, len(opened))))
            for card in cards:
                opened.remove(card)
            every.add(place, cards)
            worlds.take_up(place, cards)
            lies[place] += cards
        elif event == "peek" and lies[STOCK] and every.top is None:
            card = lies[STOCK][0]
            every.see(STOCK, (card,), False)
            every.top = card
            worlds.see((Sight(STOCK, (card,)),))
        elif event == "move":
            source = rng.choice((1, 2, 3, STOCK, STOCK))
            if source == place or not lies[source]:
                continue
            card = lies[source][0] if source == STOCK else rng.choice(lies[source])
            every.move(source, place)
            worlds.move(source, place)
            lies[source].remove(card)
            lies[place].append(card)
        elif event == "turn" and opened and VIZ not in opened and every.top is None:
            every.add(STOCK, tuple(opened))
            worlds.turn(opened, STOCK)
            rng.shuffle(opened)
            lies[STOCK] += opened
            opened = []
        assert every.universes, "the truth is among the universes"
        for at, question in enumerate(questions):
            answers = {answers[at] for _, answers in every.universes}
            assert some(worlds, question) == (True in answers)
            assert none(worlds, [question]) == (False in answers)
        assert none(worlds, questions) == any(not any(answers) for _, answers in every.universes)
        for where in PLACES:
            for count in (1, 2):
                cards = tuple(rng.sample(PACK, count))
                if where != STOCK or count == 1:
                    assert worlds.can_see((Sight(where, cards),)) == every.could_be(cards, where, False)
                if where != STOCK:
                    assert worlds.can_see((Sight(where, cards, True),)) == every.could_be(cards, where, True)


def test_a_card_seen_elsewhere_cannot_be_in_a_hand() -> None:
    worlds = Worlds(PACK, PLACES)
    ace = parse_card("♠T")
    worlds.leave(1, ace)
    assert not worlds.can_see((Sight(2, (ace,)),))
    with pytest.raises(Impossible):
        worlds.see((Sight(2, (ace,)),))


def test_counting_over_all_places_together() -> None:
    """Hands 1 and 2 are shown, hand 3 shows two Viziriai: both spades are in the stock."""
    worlds = Worlds(PACK, PLACES)
    king = parse_card("♠K")
    worlds.see((Sight(1, (parse_card("♥T"), parse_card("♥K")), True),))
    worlds.see((Sight(2, (parse_card("♦T"), parse_card("♦K")), True),))
    assert worlds.can_see((Sight(3, (king,)),))
    worlds.see((Sight(3, (VIZ, VIZ)),))
    assert not worlds.can_see((Sight(3, (king,)),))
    assert not none(worlds, [Holds(STOCK, 1 << king).ask(worlds)])
