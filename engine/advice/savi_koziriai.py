"""Savi koziriai, sensibly: the strongest suit is made trumps; sixes go to their owners at once."""

from __future__ import annotations

from engine.actions import Action
from engine.advice.beating import beat_or_lay, lay, standing
from engine.cards import cards_in
from engine.games.savi_koziriai import SaviKoziriaiDeal
from engine.places import OpenTable


def advise(deal: SaviKoziriaiDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    now = standing(deal, seat, table)
    if legal[0].verb == "trump":
        return max(
            legal, key=lambda a: sum(card.rank for card in cards_in(now.hand) if card.suit == a.suits[0])
        )
    if legal[0].verb == "give":
        return legal[0]
    return beat_or_lay(now, legal, lay)
