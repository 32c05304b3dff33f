"""Dezertyras by its rulings, DZ-1 … DZ-16; expectations worked out by hand from rulings.md."""

from __future__ import annotations

import random

import pytest

from engine.cards import PACK_24, parse_card
from engine.deal import Setup
from engine.games import GAMES
from engine.games.dezertyras import DezertyrasDeal
from engine.places import OpenTable
from engine.players import RandomPlayer, SimplePlayer, acting
from engine.record import DealLine, Header
from engine.referee import Match, judge

GAME = GAMES["dezertyras"]


def setup(dealer: int = 4, **options: str) -> Setup:
    return Setup(4, dealer, GAME.all_options(options), PACK_24)


def judged(lines: str, options: str = "") -> Match:
    head = "game: dezertyras\nplayers: A, B, C, D\ndealer: 4\n"
    return judge(head + options + "deal\n" + lines.replace("; ", "\n") + "\n")


@pytest.mark.parametrize(
    ("rank", "trick", "winner"),
    [
        ("9", "♥10 ♥T ♥K ♠T", 2),  # highest of the led suit (DZ-13)
        ("9", "♥10 ♠T ♠K ♠D", 1),
        ("9", "♥10 ♥T ♣9 ♠T", 3),  # a Seklys above all
        ("9", "♥10 ♠V ♥T ♠T", 2),  # the Dezertyras above the suit
        ("9", "♥10 ♠V ♦9 ♠T", 3),  # a Seklys above the Dezertyras
        ("9", "♦9 ♠V ♣9 ♥T", 2),  # two Sekliai are annulled (DZ-11)
        ("9", "♦9 ♠9 ♣9 ♥T", 3),  # the third stands
        ("9", "♦9 ♠9 ♣9 ♥9", 1),  # the fourth annuls it: nothing of the led suit is left (DZ-14)
        ("9", "♦9 ♠9 ♦10 ♥T", 3),  # the suit printed on the annulled lead decides
        ("9", "♦9 ♠9 ♠10 ♥T", 1),  # nobody played it: the leader
        ("9", "♥10 ♥9 ♣9 ♠T", 1),
        ("V", "♥V ♠V ♣V ♦V", 4),  # three jacks are Sekliai, ♠V is not (DZ-3): the third stands
        ("T", "♠10 ♠T ♣T ♠D", 4),  # two annulled Sekliai are no cards of their suit
        ("10", "♠K ♠10 ♠9 ♠D", 2),
    ],
)
def test_who_takes_the_trick(rank: str, trick: str, winner: int) -> None:
    plays = "; ".join(f"{seat} play {card}" for seat, card in enumerate(trick.split(), 1))
    match = judged(f"1 announce {rank}; {plays}")
    assert match.deal is not None and match.deal.tricks is not None
    assert [taken.winner for taken in match.deal.tricks] == [winner]


def test_annulled_plain_counts_as_a_card_of_its_suit() -> None:
    match = judged("1 announce T; 1 play ♥K; 2 play ♥T; 3 play ♦T; 4 play ♥D", "option annulled: plain\n")
    assert match.deal is not None and match.deal.tricks is not None
    assert match.deal.tricks[0].winner == 2
    match = judged("1 announce T; 1 play ♥K; 2 play ♥T; 3 play ♦T; 4 play ♥D")
    assert match.deal is not None and match.deal.tricks is not None
    assert match.deal.tricks[0].winner == 1


@pytest.mark.parametrize(
    ("trick", "own_capture", "points"),
    [
        ("♥10 ♠V ♥T ♠T", "1", (0, 1, 0, 1)),
        ("♦9 ♠V ♣9 ♥T", "1", (0, 2, 0, 2)),
        ("♦9 ♣9 ♠V ♥T", "1", (2, 0, 2, 0)),
        ("♥10 ♠V ♦9 ♠T", "1", (3, 0, 3, 0)),
        ("♥10 ♠V ♥T ♣9", "1", (0, 1, 0, 1)),
        ("♥10 ♠V ♥T ♣9", "0", (0, 0, 0, 0)),
        ("♥10 ♠V ♥T ♣9", "3", (0, 3, 0, 3)),
        ("♠9 ♦9 ♠V ♣9", "1", (0, 3, 0, 3)),
    ],
)
def test_points_of_a_deal(trick: str, own_capture: str, points: tuple[int, ...]) -> None:
    plays = "; ".join(f"{seat} play {card}" for seat, card in enumerate(trick.split(), 1))
    match = judged(f"1 announce 9; {plays}", f"option own_capture: {own_capture}\n")
    assert match.standing.score == points


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("♥K ♥9 ♠V ♠T", "♥10", "♥K"),  # DZ-7; ♥9 belongs to no suit
        ("♥9 ♠V ♠T", "♥10", "♥9 ♠V"),  # DZ-8
        ("♠T ♦K", "♥10", "♠T ♦K"),
        ("♥K ♠V ♠T", "♦9", "♥K ♠V ♠T"),  # DZ-9
        ("♠K ♠V", "♠10", "♠K"),  # the Dezertyras is no spade
        ("♥K ♣9 ♠T", "♥10 ♥T ♥V", "♥K"),
        ("♥K ♣9 ♠T", "♠V ♦9 ♥T", "♥K ♣9 ♠T"),
        ("♥K ♣9 ♠T", "♥10 ♠V ♦9", "♥K ♣9"),  # DZ-12: seat 4 rescues its pair's Dezertyras
        ("♥K ♣9 ♠T", "♥10 ♦9 ♠V", "♥K"),  # the other pair's Dezertyras, the own Seklys: nothing to rescue
        ("♥K ♣9 ♠T", "♥9 ♠V ♦9", "♥K ♣9 ♠T"),
        ("♥K ♥D", "", "♥K ♥D"),
        ("♠V ♥D", "", "♥D"),  # DZ-6
    ],
)
def test_legal_plays_of_a_known_hand(hand: str, trick: str, legal: str) -> None:
    laid = trick.split()
    deal = DezertyrasDeal(setup())
    cards = {seat: 1 << parse_card(card) for seat, card in enumerate(laid, 1)}
    seat = len(laid) + 1
    own = 0
    for card in hand.split():
        own |= 1 << parse_card(card)
    table = OpenTable({1: 0, 2: 0, 3: 0, 4: 0} | cards | {seat: own})
    first = deal.legal(1, table)
    deal.apply(next(action for action in first if str(action.rank) == "9"), table)
    for player, card in enumerate(laid, 1):
        deal.apply(next(a for a in deal.candidates(player, table) if str(a.card) == card), table)
    assert {str(action.card) for action in deal.legal(seat, table)} == set(legal.split())
    for action in deal.candidates(seat, table):
        assert deal.is_legal(action, table) == (str(action.card) in legal.split())


def test_the_dezertyras_is_led_only_as_the_last_card() -> None:
    match = judged("hand 1: ♠V ♥9 ♥T ♣10 ♦K ♦D; 1 announce 9; 1 play ♠V")
    assert (match.entries[1].verdict, match.entries[1].rule) == ("illegal", "DZ-6")


def test_rules_cited_for_refusals() -> None:
    match = judged("1 play ♥T; 2 announce 9; 1 announce 9; 1 announce K")
    assert [(entry.verdict, entry.rule) for entry in match.entries] == [
        ("illegal", "DZ-3"),
        ("illegal", "G-6"),
        ("legal", None),
        ("illegal", "G-6"),
    ]


@pytest.mark.parametrize("kind", ["random", "simple"])
def test_simulated_matches_end_and_cards_are_conserved(kind: str) -> None:
    rng = random.Random(3)
    player = RandomPlayer(rng) if kind == "random" else SimplePlayer("dezertyras")
    for number in range(30):
        match = Match(Header("dezertyras", ("A", "B", "C", "D"), number % 4 + 1))
        dealers = []
        while match.standing.winner is None:
            match.push(DealLine())
            assert match.deal is not None
            dealers.append(match.deal.setup.dealer)
            table = OpenTable.deal(PACK_24, match.deal.places(), rng)
            while (turn := acting(match.deal, table)) is not None:
                seat, legal = turn
                action = player.choose(match.deal, seat, table.only(seat), legal)
                assert not match.push(action).refused
                for card in action.cards:
                    table.leave(seat, card)
                assert match.progress is not None
                assert {s: match.progress.worlds.counts[s] for s in (1, 2, 3, 4)} == table.counts
            laid = sum(len(trick.cards) for trick in match.deal.tricks or ())
            assert laid + sum(table.counts.values()) == 24
            assert match.deal.outcome is not None
        assert dealers == [(number + at) % 4 + 1 for at in range(len(dealers))]
        score = match.standing.score
        assert score[0] == score[2] and score[1] == score[3] and max(score) >= 10
        assert not match.something_wrong
