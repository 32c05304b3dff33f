"""Durnius and its kin, sensibly: get rid of cards, cheapest first, and leave the next player hard ones.

Everybody may count what is not in their own hand and not on the pile: the others hold it. Which of
them, this adviser does not keep; with two players there is only one who can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.actions import Action
from engine.cards import Card, cards_in, mask_of
from engine.games.beating import BEAT, BeatingDeal
from engine.places import OpenTable

BIG_PILE = 6
"""From so many cards on a pile hurts whoever takes it."""


class Standing(NamedTuple):
    """What a seat sees when it is to act: its cards, and those that the others hold, as masks."""

    deal: BeatingDeal
    seat: int
    hand: int
    others: int

    @property
    def next(self) -> int:
        """The seat that has to beat what is laid now (the seat itself if nobody else plays)."""
        return self.deal.next_seat(self.seat) or self.seat

    def own_trump(self, card: Card) -> bool:
        return card.suit == self.deal.trumps[self.seat - 1]

    def trump_of_next(self, card: Card) -> bool:
        return card.suit == self.deal.trumps[self.next - 1]

    def beaters(self, card: Card) -> list[Card]:
        """The cards with which the next seat could beat this one, if it has them."""
        rule = self.deal.beat_rule
        return [other for other in cards_in(self.others) if rule(self.next, other, card) is None]

    def beats(self, card: Card) -> int:
        """How many of the others' cards this one could beat."""
        rule = self.deal.beat_rule
        return sum(rule(self.seat, card, other) is None for other in cards_in(self.others))

    def cost(self, card: Card) -> tuple[bool, int]:
        """What it costs to part with a card: own trumps most, then by rank."""
        return self.own_trump(card), card.rank


def standing(deal: BeatingDeal, seat: int, table: OpenTable) -> Standing:
    """What the seat sees. Cards that have left the deal are counted as others': there are few of them."""
    hand = table.hands.get(seat, 0)
    pack = mask_of(deal.setup.pack)
    return Standing(deal, seat, hand, pack & ~hand & ~mask_of(card for _, card in deal.pile))


Lay = Callable[[Standing, Sequence[Card]], Card]
"""Chooses the card to lead or to drag."""


def advise(deal: BeatingDeal, seat: int, table: OpenTable, legal: list[Action]) -> Action:
    """One of the legal actions."""
    return beat_or_lay(standing(deal, seat, table), legal, lay)


def beat_or_lay(now: Standing, legal: list[Action], choose: Lay) -> Action:
    """Beats as cheaply as can be, takes if it must or had better; else lays the card that `choose` names."""
    plays = {action.card: action for action in legal if action.verb == "play"}
    take = next((action for action in legal if action.verb == "take"), None)
    if not plays:
        return take or legal[0]
    if now.deal.phase != BEAT:
        return plays[choose(now, tuple(plays))]
    card = min(plays, key=now.cost)
    if take is not None and _spare(now, card):
        return take
    return plays[card]


def _spare(now: Standing, card: Card) -> bool:
    """Whether to take a small pile rather than part with one's last trump."""
    trumps = [own for own in cards_in(now.hand) if now.own_trump(own)]
    return trumps == [card] and now.hand.bit_count() > 3 and len(now.deal.pile) < 3


def lay(now: Standing, cards: Sequence[Card]) -> Card:
    """A useless card while the pile is small; later the one that the next player can hardly beat."""
    few = now.deal.held[now.next - 1] <= 2
    if few or len(now.deal.pile) >= BIG_PILE:
        return min(cards, key=lambda card: (now.own_trump(card), len(now.beaters(card)), card.rank))
    return min(cards, key=lambda card: (now.own_trump(card), now.trump_of_next(card), card.rank))
