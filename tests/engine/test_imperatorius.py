"""Imperatorius: laying away and pairs against brute force over whole worlds; tricks, scores, the match."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import VIZ, Card, Suit, parse_card
from engine.conditions import Remembered, none, some
from engine.deal import Outcome, Setup
from engine.games.imperatorius import Played, match_winner, winner_of_trick, worth_of_trick
from engine.games.kept_pairs import BreaksPair, HasPair
from engine.games.lay_away import LayAway, WrongLayAway
from engine.games.pairs import HONOURS, fewest_offending, offending, suits_with_pair, wrong
from engine.places import away
from engine.worlds import Sight, Worlds


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def mask(text: str) -> int:
    return sum(1 << card for card in cards(text))


# Brute force of IM-3, written from the ruling: every choice of pairs, every choice of cards


def choice_of_pairs(kept: frozenset[Card], number: int) -> bool:
    """Whether `number` disjoint pairs K+D or D+V are among the cards."""
    pairs = [
        (a, b) for a, b in combinations(sorted(c for c in kept if not c.joker), 2)
        if a.suit == b.suit and (a.rank, b.rank) in ((12, 13), (11, 12))
    ]  # fmt: skip
    choices = combinations(pairs, number)
    return any(len({card for pair in chosen for card in pair}) == 2 * number for chosen in choices)


def to_return(laid: frozenset[Card], trump: Suit) -> int:
    """The fewest cards whose return would make it lawful, tried one number after the other."""
    for number in range(len(laid) + 1):
        for back in combinations(sorted(laid), number):
            left = [card for card in laid if card not in back and not card.joker]
            figures = [card for card in left if 11 <= card.rank <= 13]
            if len(figures) <= 2 and not any(c.rank == 14 for c in left) and \
                    not any(card.suit == trump for card in figures):  # fmt: skip
                return number
    raise AssertionError


HANDS = [
    ("♠T ♣T ♥T ♦T ♠K ♠V ♣K ♣V ♥K ♥V ♠4 ♣5 ♥6 ♦7", Suit.SPADES),
    ("♠T ♣T ♥T ♦T ♠K ♠D ♠V ♣K ♥K ♦K ♠4 ♣5 ♥6 ♦7", Suit.SPADES),
    ("♠T ♣T ♥T ♦T ♠K ♠D ♠V ♣K ♣D ♣V ♥K ♥D ♥V ♦K", Suit.SPADES),
    ("♠T ♣T ♥T ♦T ♠K ♠D ♠V ♣K ♣D ♣V ♥K ♥D ♥V ♦K", Suit.DIAMONDS),
    ("♠K ♠D ♥D ♥V ♣2 ♣3 ♣4 ♣5 ♣6 ♦2 ♦3 ♦4 ♦5 ♦6", Suit.SPADES),
    ("♠T ♣T ♥T ♦T ♠K ♠D ♣K ♥K ♥D ♦K ♦D ♣5 ♥6 ♦7", Suit.CLUBS),
]


@pytest.mark.parametrize(("text", "trump"), HANDS)
def test_the_fewest_offences_of_a_hand(text: str, trump: Suit) -> None:
    hand = frozenset(cards(text))
    # Only honours matter: leaving the others out of what is kept is never worse, so small choices do.
    honours = frozenset(card for card in hand if 1 << card & HONOURS)
    best = None
    for pairs in range(5):
        for size in range(len(honours) + 1):
            room = 7 + pairs
            if size > room or len(honours) - size > 14 - room or len(hand) - len(honours) < room - size:
                continue
            for kept in combinations(sorted(honours), size):
                if choice_of_pairs(frozenset(kept), pairs):
                    plain = sum(1 for c in honours - set(kept) if c.rank != 14 and c.suit != trump)
                    bad = len(honours) - size - plain + max(0, plain - 2)
                    best = bad if best is None else min(best, bad)
    assert fewest_offending(mask(text) & HONOURS, trump) == best


def test_the_worked_fewest() -> None:
    """Four aces, two own figures, four others: ten honours, two figures may go, seven places: one offends."""
    assert fewest_offending(mask("♠T ♣T ♥T ♦T ♠K ♠V ♣K ♣V ♥K ♥V"), Suit.SPADES) == 1
    assert fewest_offending(mask("♠T ♣T ♥T ♦T ♠K ♠D ♠V ♣K ♥K ♦K"), Suit.SPADES) == 0
    assert fewest_offending(mask("♠T ♣T ♥T ♦T ♠K ♠D ♠V ♣K ♥K ♦K"), Suit.SPADES, 0) == 1
    assert offending(mask("♠T ♣K ♥K ♦K ♦V"), Suit.SPADES) == 3
    assert offending(mask("♠V ♣K ♥K"), Suit.SPADES) == 1
    assert not wrong(mask("♠K ♠D ♥2"), mask("♣K ♥K"), Suit.SPADES, 1)
    assert wrong(mask("♠K ♥D ♥2"), mask("♣K ♥K"), Suit.SPADES, 1)


# Worlds: a small pack, two hands and a rest; one hand lays away

SMALL = cards("♠T ♠K ♠D ♠V ♥T ♥K ♥D ♥V ♦2")
SEEN = cards("♣T ♣K ♣D ♣V ♦T ♦K ♦D ♦V")
"""Honours seen at once in the other hand."""


def every_world(known: frozenset[Card], not_there: frozenset[Card], size: int, away_count: int) -> list[
    tuple[frozenset[Card], frozenset[Card]]
]:  # fmt: skip
    """(kept, laid) of seat 1 in every world."""
    free = [card for card in SMALL if card not in not_there]
    found = []
    for hand in combinations(free, size):
        if known <= set(hand):
            for laid in combinations(hand, away_count):
                found.append((frozenset(hand) - set(laid), frozenset(laid)))
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_laying_away_and_breaks_equal_enumeration(seed: int) -> None:
    """IM-3 and IM-10a asked of worlds, while cards are seen, against every hand and every choice.

    Seat 1 holds five or six of nine cards and lays some away; the other hand shows cards, seat 1 plays.
    """
    rng = random.Random(seed)
    size = rng.choice((5, 6))
    count = rng.randint(1, 3)
    pairs = rng.randint(0, 2)
    trump = rng.choice((Suit.SPADES, Suit.HEARTS))
    worlds = Worlds((*SMALL, *SEEN), {1: size, 2: len(SMALL) - size + len(SEEN)})
    worlds.see((Sight(2, SEEN),))
    deal = list(SMALL)
    rng.shuffle(deal)
    hand, other = deal[:size], deal[size:]
    known: frozenset[Card] = frozenset()
    if rng.random() < 0.3:
        seen = tuple(rng.sample(hand, rng.randint(1, size)))
        worlds.see((Sight(1, seen, len(seen) == size),))
        known = frozenset(seen)
    worlds.move(1, away(1), count)
    kept = rng.sample(hand, size - count)
    laid = [card for card in hand if card not in kept]
    lay = LayAway(worlds.at(1), worlds.at(away(1)), trump, pairs, Remembered())
    all_worlds = every_world(known, frozenset(), size, count)
    elsewhere: set[Card] = set()
    breaks = []
    plays: tuple[tuple[Card, ...], ...] = ()
    for _ in range(rng.randint(0, 6)):
        event = rng.choice(("play", "play", "show other", "peek kept", "show laid"))
        if event == "play" and len(kept) > sum(len(p) for p in plays):
            hold = [card for card in kept if card not in {c for p in plays for c in p}]
            card = rng.choice(hold)
            worlds.see((Sight(1, (card,)),))
            all_worlds = [(k, away_) for k, away_ in all_worlds if card in k]
            if pairs and 11 <= card.rank <= 13:
                question = BreaksPair(1, card, pairs, plays).ask(worlds)
                singles = {p[0] for p in plays}
                breaks.append((question, card, frozenset(singles)))
            plays = (*plays, (card,))
            worlds.leave(1, card)
        elif event == "show other":
            card = rng.choice(other)
            if card not in elsewhere:
                elsewhere.add(card)
                worlds.see((Sight(2, (card,)),))
                all_worlds = [(k, a) for k, a in all_worlds if card not in k | a]
        elif event == "peek kept":
            hold = [card for card in kept if card not in {c for p in plays for c in p}]
            if hold:
                card = rng.choice(hold)
                worlds.see((Sight(1, (card,)),))
                all_worlds = [(k, a) for k, a in all_worlds if card in k]
        elif event == "show laid" and rng.random() < 0.3:
            worlds.see((Sight(away(1), tuple(laid), True),))
            all_worlds = [(k, a) for k, a in all_worlds if a == frozenset(laid)]
        assert (frozenset(kept), frozenset(laid)) in all_worlds
        answers = {wrong_by_force(k, a, trump, pairs) for k, a in all_worlds}
        assert some(worlds, lay) == (True in answers)
        assert none(worlds, [lay]) == (False in answers)
        for question, card, before in breaks:
            broken = {
                choice_of_pairs(k - before, pairs) and not choice_of_pairs(k - before - {card}, pairs)
                for k, _ in all_worlds
            }
            assert some(worlds, question) == (True in broken)
            assert none(worlds, [question]) == (False in broken)
        if breaks:
            asked = [question for question, _, _ in breaks]
            clean = any(
                not any(
                    choice_of_pairs(k - before, pairs) and not choice_of_pairs(k - before - {card}, pairs)
                    for _, card, before in breaks
                )
                for k, _ in all_worlds
            )
            assert none(worlds, asked) == clean
        played = {c for p in plays for c in p}
        pair_possible = any(choice_of_pairs(k - played, 1) for k, _ in all_worlds)
        assert some(worlds, HasPair(1).ask(worlds)) == pair_possible


def wrong_by_force(kept: frozenset[Card], laid: frozenset[Card], trump: Suit, pairs: int) -> bool:
    """IM-3 for these cards; the fewest offences by the ruling's own count of a hand of seven tricks."""
    if not choice_of_pairs(kept, pairs):
        return True
    over = to_return(laid, trump)
    if over == 0:
        return False
    honours = sum(1 << card for card in kept | laid) & HONOURS
    fewest = fewest_offending(honours, trump)
    assert fewest is not None
    return over > fewest


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**9))
def test_a_known_hand_full_of_honours(seed: int) -> None:
    """14 known cards with 10 to 14 honours: wrong in some choice, right in some, as enumeration says."""
    rng = random.Random(seed)
    pack = tuple(Card.of(suit, rank) for suit in Suit for rank in (14, 13, 12, 11, 2, 3, 4))  # type: ignore[arg-type]
    honours = [card for card in pack if card.rank > 10]
    number = rng.randint(10, 14)
    hand = rng.sample(honours, number) + rng.sample([c for c in pack if c.rank <= 10], 14 - number)
    count = rng.randint(5, 7)
    trump = rng.choice(list(Suit))
    worlds = Worlds(pack, {1: 14, 2: 14})
    worlds.see((Sight(1, tuple(hand), True),))
    answers = set()
    whole = sum(1 << card for card in hand)
    for laid in combinations(hand, count):
        bits = sum(1 << card for card in laid)
        answers.add(wrong(whole & ~bits, bits, trump, 7 - count))
    question = WrongLayAway(1, trump, count).ask(worlds)
    assert some(worlds, question) == (True in answers)
    assert none(worlds, [question]) == (False in answers)


# Tricks


def laid(*plays: str) -> list[Played]:
    """`♥T`, `♥D !`, `♥K+♥D`: seats from 1."""
    found = []
    for seat, text in enumerate(plays, 1):
        word, _, called = text.partition(" ")
        found.append(Played(seat, cards(word.replace("+", " ")), bool(called) and not word.endswith("Z")))
    return found


@pytest.mark.parametrize(
    ("plays", "one_suit", "no_foreign_trump"),
    [
        (("♥T", "♥8", "♥D !", "♥10"), 1, 1),
        (("♥T", "♠4", "♥D !", "♥10"), 3, 1),
        (("♥T", "♣10 !", "♥D !", "♥10"), 3, 3),
        (("♥9", "♥T", "♥D !", "♥10"), 3, 3),
        (("♥D", "♥K", "♥V !", "♥5"), 2, 2),
        (("♥T", "VIZ", "♥D !", "♥10"), 2, 2),
        (("♥K+♥D", "♥V !", "♥5"), 2, 2),
        (("♥T", "♥K+♥D !", "♥5"), 2, 2),
        (("♠D+♠V !", "♥K+♥D !", "♣T !"), 1, 1),
        (("♠D+♠V !", "VIZ", "IMP"), 3, 3),
        (("VIZ", "VIZ", "♠2"), 1, 1),
        (("♠K !", "♣K !", "♥8 !", "♦D !"), 1, 1),
        (("♥2", "♣T", "♦T", "♠T"), 1, 1),
    ],
)
def test_who_takes_a_trick(plays: tuple[str, ...], one_suit: int, no_foreign_trump: int) -> None:
    assert winner_of_trick(laid(*plays), "one_suit") == one_suit
    assert winner_of_trick(laid(*plays), "no_foreign_trump") == no_foreign_trump


def test_what_a_trick_is_worth() -> None:
    assert worth_of_trick(laid("♥2", "♥3")) == 10
    assert worth_of_trick(laid("♥T", "♥K", "♥D", "♥V")) == 24
    assert worth_of_trick(laid("♠K+♠D !", "♥D+♥V !", "VIZ", "IMP")) == 37
    assert worth_of_trick(laid("♠K+♠D", "♥D+♥V")) == 28


def test_three_hundred_and_a_shared_lead() -> None:
    setup = Setup(2, 1, {}, ())
    assert match_winner([Outcome((299, 10))], setup) is None
    assert match_winner([Outcome((300, 310))], setup) == (2,)
    assert match_winner([Outcome((300, 300))], setup) is None
    assert match_winner([Outcome((300, 300)), Outcome((1, 0))], setup) == (1,)


def test_viziriai_are_alike() -> None:
    """Two of three Viziriai are seen with others: seat 1 may hold the third, and then no other."""
    pack = (*SMALL[:6], VIZ, VIZ, VIZ)
    worlds = Worlds(pack, {1: 3, 2: 6})
    worlds.move(1, away(1), 1)
    worlds.see((Sight(2, (VIZ, VIZ)),))
    assert worlds.can_see((Sight(1, (VIZ,)),))
    assert not worlds.can_see((Sight(1, (VIZ, VIZ)),))
    worlds.leave(1, VIZ)
    assert not worlds.can_see((Sight(away(1), (VIZ,)),))
    assert suits_with_pair(mask("♠K ♠D ♠V")) == 1
