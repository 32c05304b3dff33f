"""Dezertyras, sensibly: name a rank of which one holds two; catch the other pair's Dezertyras with a
Seklys, rescue one's own, and lay it where nobody can still take it; otherwise keep the trumps.
"""

from __future__ import annotations

from engine.actions import Action
from engine.cards import Card
from engine.games.dezertyras import DESERTER, DezertyrasDeal, sekliai_mask
from engine.places import OpenTable


def advise(deal: DezertyrasDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    hand = table.hands[seat]
    if deal.sekliai is None:
        return max(legal, key=lambda action: _worth_naming(hand, action))
    sekliai = [action for action in legal if 1 << action.card & deal.seklys_bits]
    plain = [action for action in legal if action not in sekliai and action.card != DESERTER]
    deserter = next((action for action in legal if action.card == DESERTER), None)
    if not deal.trick:
        return _lead(plain, sekliai, legal)
    if sekliai and _seklys_helps(deal, seat):
        return sekliai[0]
    if deserter is not None and _deserter_is_safe(deal, seat):
        return deserter
    # The Dezertyras only if nothing else is left; a Seklys rather than that.
    if plain:
        return min(plain, key=lambda action: action.card.rank)
    return sekliai[0] if sekliai else legal[0]


def _worth_naming(hand: int, action: Action) -> tuple[int, int]:
    assert action.rank is not None
    return (hand & sekliai_mask(action.rank)).bit_count(), -action.rank


def _lead(plain: list[Action], sekliai: list[Action], legal: list[Action]) -> Action:
    if plain:
        suits: dict[int, list[Card]] = {}
        for action in plain:
            suits.setdefault(action.card.suit, []).append(action.card)
        longest = max(suits.values(), key=len)
        return next(action for action in plain if action.card == max(longest))
    return sekliai[0] if sekliai else legal[0]


def _seklys_helps(deal: DezertyrasDeal, seat: int) -> bool:
    """Whether a Seklys now gains the Dezertyras that lies in the trick."""
    if not deal.deserter_by:
        return False
    if (deal.deserter_by ^ seat) & 1:
        return not deal.standing
    return bool(deal.standing) and bool((deal.standing ^ seat) & 1)


def _deserter_is_safe(deal: DezertyrasDeal, seat: int) -> bool:
    """Whether the Dezertyras laid now takes the trick or goes to the partner's Seklys."""
    partner_takes = bool(deal.standing) and not (deal.standing ^ seat) & 1
    return len(deal.trick) == 3 and (not deal.standing or partner_takes)
