"""Durnius by the nine hints that the sources give to players; each is named where it is followed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Action
from engine.advice.beating import BIG_PILE, Standing, beat_or_lay, standing
from engine.cards import Card, Rank, Suit, cards_in
from engine.games.beating import LEAD
from engine.games.durnius import DurniusDeal
from engine.places import OpenTable

_FEW = 2
_WORTH_THROWING = 4
_HIGH = Rank.QUEEN


def advise(deal: DurniusDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    now = standing(deal, seat, table)
    if legal[0].verb == "trump":
        return max(legal, key=lambda action: _strength(now.hand, action.suits[0]))
    if legal[0].verb in ("throw", "give"):
        return legal[0]
    return beat_or_lay(now, legal, _against_one if len(deal.players()) == 2 else lay)


def _strength(hand: int, suit: Suit) -> int:
    return sum(card.rank for card in cards_in(hand) if card.suit == suit)


def lay(now: Standing, cards: Sequence[Card]) -> Card:
    """The card to lead or drag."""
    held = now.deal.held[now.next - 1]
    if held <= _FEW:
        if _attacks_beyond(now):
            return min(cards, key=now.cost)  # hint 5: let this one out, the one behind is the prey
        return min(cards, key=lambda card: _hardness(now, card))  # hint 5: hold the one who is nearly out
    if len(now.deal.pile) >= BIG_PILE:
        return min(cards, key=lambda card: _hardness(now, card))
    # Hints 3 and 4: at first low cards of free suits, nines and tens; no trumps of the attacked player.
    return min(cards, key=lambda card: (now.own_trump(card), now.trump_of_next(card), card.rank))


def _hardness(now: Standing, card: Card) -> tuple[bool, int, int, int]:
    """How easily a card is beaten, hard ones first (hints 1, 2 and 6).

    Hardest is what only the next player's own trumps beat (parankinis, high cards, and low ones whose
    higher fellows are gone), and among those what few of them beat; own trumps are kept.
    """
    beaters = now.beaters(card)
    plain = [other for other in beaters if not now.trump_of_next(other)]
    return now.own_trump(card), len(plain), len(beaters), card.rank


def _attacks_beyond(now: Standing) -> bool:
    """Whether one holds two high trumps of the player behind the next (hint 5)."""
    beyond = now.deal.next_seat(now.next)
    if beyond is None or beyond == now.seat:
        return False
    suit = now.deal.trumps[beyond - 1]
    return sum(card.suit == suit and card.rank >= _HIGH for card in cards_in(now.hand)) >= 2


def _against_one(now: Standing, cards: Sequence[Card]) -> Card:
    """With two players left everybody knows what the other holds (hints 7, 8 and 9)."""
    if now.deal.phase != LEAD and len(now.deal.pile) >= _WORTH_THROWING:
        down = [card for card in cards if not now.beaters(card) and _pays(now, card)]
        if down:
            # The other must take. With the queen as its highest trump the king does it (hint 9).
            return min(down, key=now.cost)
    # Hint 7: what goes into a small pile are plain low cards, so that the other's trumps do not prevail.
    return lay(now, cards)


def _pays(now: Standing, card: Card) -> bool:
    """Hint 8: not if the other, having taken, can force and has one free card more than trumps."""
    after = [*cards_in(now.others), *(lies for _, lies in now.deal.pile), card]
    trumps = sum(map(now.trump_of_next, after))
    rule = now.deal.beat_rule
    mine = [own for own in cards_in(now.hand) if own != card]
    forces = any(
        now.trump_of_next(other) and all(rule(now.seat, own, other) is not None for own in mine)
        for other in after
    )
    return not (forces and trumps == len(after) - trumps - 1)
