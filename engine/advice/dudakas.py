"""Dudakas, sensibly: name the longest suit as trumps when nothing else beats the top card."""

from __future__ import annotations

from engine.actions import Action
from engine.advice.beating import beat_or_lay, lay, standing
from engine.cards import Suit, cards_in
from engine.games.beating import BEAT
from engine.games.dudakas import DudakasDeal
from engine.places import OpenTable

_ENOUGH = 3


def advise(deal: DudakasDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    now = standing(deal, seat, table)
    plays = any(action.verb == "play" for action in legal)
    named = [action for action in legal if action.verb == "trump"]
    if deal.phase == BEAT and named and not plays:
        best = max(named, key=lambda action: _strength(now.hand, action.suits[0], deal.pile[-1][1].suit))
        length, _ = _strength(now.hand, best.suits[0], deal.pile[-1][1].suit)
        if length >= min(_ENOUGH, now.hand.bit_count()):
            return best
    return beat_or_lay(now, [action for action in legal if action.verb != "trump"], lay)


def _strength(hand: int, suit: Suit, led: Suit) -> tuple[int, int]:
    """How many cards of the suit, and how high; the suit that lies on top would not beat it."""
    cards = [card for card in cards_in(hand) if card.suit == suit]
    return (0, 0) if suit == led else (len(cards), sum(card.rank for card in cards))
