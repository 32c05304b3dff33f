"""Imperatorius, sensibly: the strongest suit becomes trump, what cannot be laid away decides the count, pairs
are kept; lead high, take a trick as cheaply as it can be taken, else throw off the lowest card.
"""

from __future__ import annotations

from engine.actions import Action
from engine.cards import Card, Rank, Suit
from engine.games.imperatorius import FIGURES, SUIT_MASKS, ImperatoriusDeal, Played, winner_of_trick
from engine.games.pairs import suits_with_pair
from engine.places import OpenTable


def advise(deal: ImperatoriusDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    hand = table.hands.get(seat, 0)
    stage = deal.stage
    if stage == "trumps":
        return max(legal, key=lambda action: _strength(hand, action.suits[0]))
    if stage == "away":
        # A pair earns more than the card it costs: keep them all if that is lawful.
        return min(legal, key=lambda action: action.count or 0)
    if stage == "laid":
        return legal[0]
    own = deal.trump(seat)
    plays = [action for action in legal if action.called or not _own(action.card, own)] or legal
    if not deal.trick:
        return max(plays, key=lambda action: _lead(action, own))
    taking = [action for action in plays if _takes(deal, action)]
    if taking and (len(deal.trick) == deal.setup.seats - 1 or _worth(deal) > 0):
        return min(taking, key=_cost)
    losing = [action for action in plays if action not in taking]
    return min(losing or taking, key=_cost)


def _strength(hand: int, suit: Suit) -> tuple[int, int]:
    there = hand & SUIT_MASKS[suit]
    return there.bit_count() + 2 * suits_with_pair(there), there


def _own(card: Card, own: Suit) -> bool:
    return not card.joker and card.suit == own


def _cost(action: Action) -> int:
    """What it costs to part with: jokers most, then called trumps, then pairs and high cards."""
    if action.card.joker:
        return 100 + action.card
    return (30 if action.called else 0) + (16 if len(action.cards) == 2 else int(action.card.rank))


def _lead(action: Action, own: Suit) -> int:
    """Aces and trump pairs first; jokers and plain pairs last."""
    if action.card.joker:
        return 3
    if len(action.cards) == 2:
        return 20 if action.called else 2
    return int(action.card.rank) + (5 if action.card.rank == Rank.ACE else 0) - (4 if action.called else 0)


def _takes(deal: ImperatoriusDeal, action: Action) -> bool:
    """Whether the trick, as it would lie then, goes to this play."""
    trick = (*deal.trick, Played(action.seat, action.cards, action.called and not action.card.joker))
    return winner_of_trick(trick, deal.setup.options["shield"]) == action.seat


def _worth(deal: ImperatoriusDeal) -> int:
    """How many figures, aces and pairs lie in the trick."""
    return sum(
        len(played.cards) == 2 or (not card.joker and (card.rank == Rank.ACE or card.rank in FIGURES))
        for played in deal.trick
        for card in played.cards[:1]
    )
