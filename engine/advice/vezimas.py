"""Vežimas su uždaru, sensibly: turn the closed card up when it helps to beat a pile worth sparing."""

from __future__ import annotations

from engine.actions import Action
from engine.advice.beating import beat_or_lay, lay, standing
from engine.games.beating import BEAT
from engine.games.vezimas import VezimasDeal
from engine.places import OpenTable


def advise(deal: VezimasDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    turn_up = next((action for action in legal if action.verb == "closed"), None)
    plays = any(action.verb == "play" for action in legal)
    if turn_up is not None and not plays:
        top = deal.pile[-1][1] if deal.phase == BEAT else None
        if top is None or turn_up.card.suit != top.suit or turn_up.card > top:
            return turn_up
    return beat_or_lay(standing(deal, seat, table), legal, lay)
