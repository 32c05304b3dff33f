"""Cards, packs and notation (contract, section 1)."""

from __future__ import annotations

import copy
import pickle

import pytest

from engine.cards import (
    CARDS,
    IMP,
    PACK_24,
    PACK_28,
    PACK_32,
    PACK_36,
    PACK_52,
    PACK_56,
    VIZ,
    Card,
    NotationError,
    Rank,
    Suit,
    cards_in,
    mask_of,
    parse_card,
    parse_rank,
    parse_suit,
)  # fmt: skip


@pytest.mark.parametrize(
    ("read", "written"),
    [("♠V", "♠V"), ("♥T", "♥T"), ("hA", "♥T"), ("♥A", "♥T"), ("s10", "♠10"), ("dQ", "♦D"), ("cJ", "♣V"),
     ("hK", "♥K"), ("♥D", "♥D"), ("♥Q", "♥D"), ("IMP", "IMP"), ("VIZ", "VIZ"), ("c2", "♣2")],
)  # fmt: skip
def test_both_notations_are_read_and_one_is_written(read: str, written: str) -> None:
    assert str(parse_card(read)) == written


@pytest.mark.parametrize("text", ["hT", "hD", "hV", "sT", "cD", "dV"])
def test_a_lithuanian_rank_after_a_letter_is_ambiguous(text: str) -> None:
    with pytest.raises(NotationError, match="ambiguous card"):
        parse_card(text)


@pytest.mark.parametrize("text", ["", "h", "♥", "h1", "h11", "xA", "hh", "♥TT", "imp", "10h", "♥ T"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="unknown card"):
        parse_card(text)


def test_ranks_and_suits_alone() -> None:
    assert [parse_rank(text) for text in ("T", "A", "D", "Q", "V", "J", "10", "2")] == [
        14,
        14,
        12,
        12,
        11,
        11,
        10,
        2,
    ]
    assert [parse_suit(text) for text in "♠c♥d"] == [Suit.SPADES, Suit.CLUBS, Suit.HEARTS, Suit.DIAMONDS]
    with pytest.raises(NotationError, match="unknown rank"):
        parse_rank("1")


def test_packs_have_their_sizes() -> None:
    packs = (PACK_24, PACK_28, PACK_32, PACK_36, PACK_52, PACK_56)
    assert [len(pack) for pack in packs] == [24, 28, 32, 36, 52, 56]
    assert PACK_56.count(VIZ) == 3
    assert [str(card) for card in PACK_24[:6]] == ["♠T", "♠K", "♠D", "♠V", "♠10", "♠9"]


def test_masks_come_back_as_cards() -> None:
    cards = [parse_card(text) for text in ("♠9", "♥T", "♦2")]
    assert sorted(cards_in(mask_of(cards))) == sorted(cards)


@pytest.mark.parametrize("card", [parse_card("♠V"), IMP, VIZ])
def test_copies_and_pickles_are_the_same_object(card: Card) -> None:
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy([card])[0] is card


def test_every_card_is_read_back_from_both_spellings() -> None:
    for card in CARDS:
        assert parse_card(str(card)) is card
        assert parse_card(card.ascii) is card


def test_a_joker_has_no_suit_and_no_rank() -> None:
    for joker in (IMP, VIZ):
        with pytest.raises(ValueError, match="has no suit"):
            _ = joker.suit
        with pytest.raises(ValueError, match="has no rank"):
            _ = joker.rank
    assert Card.of(Suit.HEARTS, Rank.ACE) is parse_card("hA")
