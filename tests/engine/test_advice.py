"""What sensible players do in positions set up for it, and that advice is worth something.

The hints of Durnius are the sources' (methodical hints 1 to 9); the positions are ours.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.actions import Action
from engine.advice import ADVICE
from engine.cards import mask_of, parse_card, parse_suit
from engine.deal import Deal, Setup
from engine.games import GAMES
from engine.places import OpenTable, closed
from engine.players import RandomPlayer, acting


def beating(
    game: str, hands: dict[int, str], pile: str, phase: str, turn: int = 1, trumps: str = "♣ ♠ ♥ ♦"
) -> tuple[Any, OpenTable]:
    """A position in mid-deal: hands by seat, the pile bottom first, what the seat to act has to do.

    No other cards are in play.
    """
    rules = GAMES[game]
    seats = len(hands)
    pack = tuple(map(parse_card, " ".join([*hands.values(), pile]).split()))
    deal: Any = rules.deal(Setup(seats, seats, rules.all_options({}), pack))
    deal.trumps = tuple(map(parse_suit, trumps.split()[:seats]))
    deal.open = False
    deal.held = tuple(len(hand.split()) for hand in hands.values())
    deal.pile = tuple((seats, parse_card(card)) for card in pile.split())
    deal.phase, deal.turn = phase, turn
    masks = {seat: mask_of(map(parse_card, hand.split())) for seat, hand in hands.items()}
    return deal, OpenTable(masks)


def advised(game: str, deal: Deal, table: OpenTable, seat: int = 1) -> str:
    return ADVICE[game](deal, seat, table.only(seat, closed(seat)), deal.legal(seat, table)).text


FOUR = {2: "♠9 ♣9 ♥V ♦T", 3: "♣10 ♠10 ♥D ♦9", 4: "♥9 ♣V ♦10 ♠V"}


def test_the_first_lead_is_a_low_free_card() -> None:
    """Hint 3: not a high card, no trump of the attacked player (♠)."""
    deal, table = beating("durnius", {1: "♠9 ♥10 ♥T ♣K", 2: "♥V ♦T ♠T", 3: "♥D ♦9", 4: "♥9 ♦10"}, "", "lead")
    assert advised("durnius", deal, table) == "play ♥10"


def test_low_cards_go_on_a_small_pile() -> None:
    """Hint 4."""
    deal, table = beating("durnius", {1: "♥K ♥T ♦V ♣K", **FOUR}, "♠K ♠T", "drag")
    assert advised("durnius", deal, table) == "play ♦V"


def test_a_big_pile_is_defended_with_what_asks_for_trumps() -> None:
    """Hints 1 and 2: ♥ is parankinis for seat 2 (♥ are the trumps of seat 3): only its spades beat ♥K."""
    deal, table = beating("durnius", {1: "♥K ♦V ♣K", **FOUR}, "♠K ♠T ♣T ♥T ♦K ♦D", "drag")
    assert advised("durnius", deal, table) == "play ♥K"


def test_one_who_is_nearly_out_is_held() -> None:
    """Hint 5: seat 2 has two cards; ♦K can be beaten only by ♦T or a spade, ♦9 by many."""
    deal, table = beating("durnius", {1: "♦9 ♦K ♣K", 2: "♠9 ♦T", 3: "♣10 ♠10 ♥D", 4: "♥9 ♦10 ♦V"}, "", "lead")
    assert advised("durnius", deal, table) == "play ♦K"


def test_one_who_is_nearly_out_is_let_out_to_attack_the_next() -> None:
    """Hint 5: with two high hearts in hand seat 3, whose trumps they are, is the prey."""
    hands = {1: "♦9 ♦K ♥T ♥K", 2: "♠9 ♦T", 3: "♣10 ♠10 ♥D", 4: "♥9 ♦10 ♦V"}
    deal, table = beating("durnius", hands, "", "lead")
    assert advised("durnius", deal, table) == "play ♦9"


def test_the_last_trump_is_not_spent_on_a_small_pile() -> None:
    """Hint 6: ♣K would beat ♦K, but it is the last club and three cards would be left."""
    deal, table = beating("durnius", {1: "♣K ♥9 ♥10 ♠9", **FOUR}, "♦K", "beat")
    assert advised("durnius", deal, table) == "take"
    deal, table = beating("durnius", {1: "♣K ♥9 ♥10 ♠9", **FOUR}, "♦T ♠T ♦K", "beat")
    assert advised("durnius", deal, table) == "play ♣K"


def test_the_king_throws_down_whose_highest_trump_is_the_queen() -> None:
    """Hint 9: seat 2's spades end with the queen; with four cards on the pile ♠K cannot be beaten."""
    deal, table = beating("durnius", {1: "♠K ♥9 ♣9 ♣10", 2: "♠D ♠9 ♥10 ♥V"}, "♦9 ♦10 ♦V ♦D", "drag")
    assert advised("durnius", deal, table) == "play ♠K"


def test_nobody_is_thrown_down_to_a_single_free_card() -> None:
    """Hint 8: with ♠T thrown down seat 2 would hold four trumps, some to force with, and five free cards."""
    hands = {1: "♠T ♥9 ♦9", 2: "♠K ♠9 ♥10 ♥V"}
    deal, table = beating("durnius", hands, "♠10 ♦10 ♦V ♦T", "drag")
    assert advised("durnius", deal, table) == "play ♥9"
    deal, table = beating("durnius", hands, "♠10 ♦10 ♦V ♠V", "drag")
    assert advised("durnius", deal, table) == "play ♠T"


def test_a_closed_card_is_turned_up_to_beat_and_not_to_lead() -> None:
    deal, table = beating("vezimas", {1: "♥9 ♥10 ♦9", 2: "♣9 ♣10 ♣V"}, "♠K", "beat")
    deal.trumps = (None, None)
    table.hands[closed(1)] = mask_of([parse_card("♦T")])
    assert advised("vezimas", deal, table) == "closed ♦T"
    deal, table = beating("vezimas", {1: "♥9 ♥10 ♦9", 2: "♣9 ♣10 ♣V"}, "", "lead")
    deal.trumps = (None, None)
    table.hands[closed(1)] = mask_of([parse_card("♦T")])
    assert advised("vezimas", deal, table) == "play ♥9"


def test_trumps_are_named_in_dudakas_when_nothing_else_beats() -> None:
    deal, table = beating("dudakas", {1: "♥9 ♥10 ♥V ♦9", 2: "♣9 ♣10 ♣V ♠9"}, "♠K", "beat")
    deal.trumps, deal.started = (None, None), True
    assert advised("dudakas", deal, table) == "trump ♥"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_advice_is_worth_something(game: str) -> None:
    """Over many deals sensible players (odd seats, then even) come out clearly better than random ones."""
    rules = GAMES[game]
    seats = 2 if 2 in rules.players else 4
    options = rules.all_options({})
    sensible = chance = 0
    for number in range(300 if game == "dezertyras" else 60):
        rng = random.Random(number)
        deal = rules.deal(Setup(seats, number % seats + 1, options, rules.pack(options)))
        table = OpenTable.deal(deal.setup.pack, deal.places(), rng)
        for fact in list(deal.opening(table)):
            deal.apply_fact(fact, table)
        for _ in range(1500):
            for fact in list(deal.turned_up(table)):
                deal.apply_fact(fact, table)
            turn = acting(deal, table)
            if turn is None:
                break
            seat, legal = turn
            wise = (seat + number // seats) % 2
            action: Action = (
                ADVICE[game](deal, seat, table.only(seat, closed(seat)), legal)
                if wise
                else RandomPlayer(rng).choose(deal, seat, table, legal)
            )
            deal.apply(action, table)
        if deal.outcome is not None:
            for seat, points in enumerate(deal.outcome.points, 1):
                if (seat + number // seats) % 2:
                    sensible += points
                else:
                    chance += points
    losses = rules.names_loser
    assert (chance > sensible * 1.5) if losses else (sensible > chance * 1.2), (sensible, chance)
