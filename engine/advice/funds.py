"""Vėpla and Šuo, sensibly: in the second stage every hand is known; lead what the next player cannot beat,
beat as cheaply as can be. In the first stage there is hardly a choice: low cards go to others.
"""

from __future__ import annotations

from engine.actions import Action
from engine.cards import Card, cards_in
from engine.games.funds import FundsDeal
from engine.places import OpenTable


def advise(deal: FundsDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    if deal.givers:
        return min(legal, key=lambda action: action.card.rank)
    if not deal.second_stage:
        # Of several funds a card may go on: the smallest, whose owner has the fewest cards to fight with.
        return min(legal, key=lambda action: _size(deal, action))
    plays = [action for action in legal if action.verb == "play"]
    if not plays:
        return legal[0]
    if deal.pile:
        return min(plays, key=lambda action: _cost(deal, action.card))
    return min(plays, key=lambda action: _cost(deal, action.card))


def _size(deal: FundsDeal, action: Action) -> int:
    return len(deal.funds[action.target - 1]) if action.target else 0


def _cost(deal: FundsDeal, card: Card) -> tuple[bool, int]:
    return card.suit == deal.trump, card.rank


def _beaten(deal: FundsDeal, seat: int, card: Card) -> bool:
    """Whether a seat has a card that beats this one."""
    hand = deal.hands[seat - 1]
    return any(deal.beat_objection(seat, own, card) is None for own in cards_in(hand))
