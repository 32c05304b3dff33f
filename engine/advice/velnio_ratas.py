"""Velnio ratas, sensibly: lay a card whenever one can, the one that the fewest unseen cards can beat."""

from __future__ import annotations

from engine.actions import Action
from engine.cards import Card, mask_of
from engine.games.velnio_ratas import VelnioRatasDeal, beaters_of
from engine.places import OpenTable


def advise(deal: VelnioRatasDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    plays = [action for action in legal if action.verb == "play"]
    if not plays:
        return legal[0]
    unseen = mask_of(deal.setup.pack) & ~table.hands[seat] & ~mask_of(card for _, card in deal.pile)
    return min(plays, key=lambda action: (_beaten(action.card, unseen), action.card.rank))


def _beaten(card: Card, unseen: int) -> int:
    return (beaters_of(card.rank) & unseen).bit_count()
