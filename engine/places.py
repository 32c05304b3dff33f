"""Where a card can lie unseen, as small numbers, and the interface through which a game moves cards.

A game's `apply` moves cards on a `Table`. The referee gives it `Worlds`, which know only what was
seen; a simulated table gives it an `OpenTable`, which knows every card. So the rules of movement are
written once.

Sets of cards are bit masks of *tokens*. A token is a card, its bit the card's number; the three
Viziriai, alike as cards, are the tokens 53, 54 and 55.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from engine.cards import CARDS, VIZ, Card

STOCK = 24
"""The closed stock."""
REST = 25
"""Cards left undealt, unused in this deal (IM)."""
VIZ_TOKENS = 0b111 << 53


def hand(seat: int) -> int:
    """The place of a seat's hand: its own number."""
    return seat


def closed(seat: int) -> int:
    """The closed card of a seat (VU)."""
    return 8 + seat


def away(seat: int) -> int:
    """What a seat laid away (IM)."""
    return 16 + seat


def bits(mask: int) -> Iterator[int]:
    """The single bits of a mask."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


class Table(Protocol):
    """Where cards are moved. A card not in any place lies openly on the table or has left the deal."""

    counts: dict[int, int]
    """How many cards each place holds."""

    def leave(self, place: int, card: Card) -> None:
        """A card of this place is laid openly on the table (VIZ: one of them)."""

    def take_up(self, place: int, cards: Iterable[Card]) -> None:
        """Open cards go to a place; everybody saw which."""

    def move(self, source: int, target: int, count: int = 1) -> int:
        """Cards go from one place to another, nobody saw which. A handle for `conditions.Elsewhere`."""

    def turn(self, cards: Iterable[Card], place: int) -> None:
        """Open cards are shuffled and hidden in a place (a new stock)."""


class OpenTable:
    """A table on which every card is known: for simulated deals and for a seat's own hand.

    `hands[place]` is the token mask of a place. Draws take cards in the order of `stock` (top first).
    """

    __slots__ = ("counts", "hands", "random", "stock")

    def __init__(
        self, hands: dict[int, int], stock: Sequence[int] = (), rng: random.Random | None = None
    ) -> None:
        self.hands = hands
        self.stock = list(stock)
        self.counts = {place: mask.bit_count() for place, mask in hands.items()}
        self.random = rng or random.Random(0)
        if stock:
            self.counts[STOCK] = len(self.stock)

    @classmethod
    def deal(cls, pack: Sequence[Card], places: dict[int, int], rng: random.Random) -> OpenTable:
        """Shuffles a pack into places of given sizes; what belongs to the stock keeps an order."""
        tokens = list(tokens_of_pack(pack))
        rng.shuffle(tokens)
        hands: dict[int, int] = {}
        stock: list[int] = []
        for place, count in places.items():
            part, tokens = tokens[:count], tokens[count:]
            if place == STOCK:
                stock = part
            else:
                mask = 0
                for token in part:
                    mask |= 1 << token
                hands[place] = mask
        return cls(hands, stock, rng)

    def only(self, *places: int) -> OpenTable:
        """What somebody sees who knows these places only; the counts of all."""
        seen = OpenTable({place: self.hands.get(place, 0) for place in places})
        seen.counts = self.counts.copy()
        return seen

    def cards(self, place: int) -> tuple[Card, ...]:
        """The cards of a place."""
        return cards_of(self.hands.get(place, 0))

    def leave(self, place: int, card: Card) -> None:
        bit = 1 << card
        if card == VIZ:
            viz = self.hands[place] & VIZ_TOKENS
            bit = viz & -viz
        if place == STOCK:
            token = next(token for token in self.stock if (53 if token > 53 else token) == card)
            self.stock.remove(token)
        else:
            self.hands[place] &= ~bit
        self.counts[place] -= 1

    def take_up(self, place: int, cards: Iterable[Card]) -> None:
        mask = 0
        viz = VIZ_TOKENS & ~sum(mask & VIZ_TOKENS for mask in self.hands.values())
        for card in cards:
            if card == VIZ:
                mask |= viz & -viz
                viz &= viz - 1
            else:
                mask |= 1 << card
        self.hands[place] = self.hands.get(place, 0) | mask
        self.counts[place] = self.counts.get(place, 0) + mask.bit_count()

    def move(self, source: int, target: int, count: int = 1) -> int:
        if source == STOCK:
            chosen = self.stock[:count]
            del self.stock[:count]
        else:
            chosen = self.random.sample(tuple(b.bit_length() - 1 for b in bits(self.hands[source])), count)
        mask = 0
        for token in chosen:
            mask |= 1 << token
        if source != STOCK:
            self.hands[source] &= ~mask
        self.hands[target] = self.hands.get(target, 0) | mask
        self.counts[source] -= count
        self.counts[target] = self.counts.get(target, 0) + count
        return mask

    def move_these(self, source: int, target: int, tokens: int) -> None:
        """Chosen tokens go from one place to another (what a seat lays away in IM)."""
        self.hands[source] &= ~tokens
        self.hands[target] = self.hands.get(target, 0) | tokens
        self.counts[source] -= tokens.bit_count()
        self.counts[target] = self.counts.get(target, 0) + tokens.bit_count()

    def turn(self, cards: Iterable[Card], place: int) -> None:
        tokens = [int(card) for card in cards]
        self.random.shuffle(tokens)
        if place == STOCK:
            self.stock += tokens
        else:
            for token in tokens:
                self.hands[place] = self.hands.get(place, 0) | 1 << token
        self.counts[place] = self.counts.get(place, 0) + len(tokens)


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a token mask; Viziriai as often as they are in it."""
    return tuple(CARDS[min(bit.bit_length() - 1, 53)] for bit in bits(mask))


def tokens_of_pack(pack: Sequence[Card]) -> Iterator[int]:
    """The tokens of a pack: each card's number, the second and third VIZ as 54 and 55."""
    viz = 53
    for card in pack:
        if card == VIZ:
            yield viz
            viz += 1
        else:
            yield int(card)
