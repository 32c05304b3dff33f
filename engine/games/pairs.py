"""What Imperatorius demands of cards laid away (IM-3) and of pairs kept (IM-10a), with and without worlds.

All of it is about sixteen cards, the *honours*: aces and figures. In a suit there is at most one pair at a
time, for K+D and D+V share the D; so "p disjoint pairs" are p suits that have one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from engine.cards import Card, Rank, Suit
from engine.places import bits


def _of(rank: Rank) -> tuple[int, ...]:
    return tuple(1 << Card.of(suit, rank) for suit in Suit)


ACES, KINGS, QUEENS, JACKS = _of(Rank.ACE), _of(Rank.KING), _of(Rank.QUEEN), _of(Rank.JACK)
ALL_ACES = sum(ACES)
FIGURES_OF = tuple(KINGS[suit] | QUEENS[suit] | JACKS[suit] for suit in Suit)
FIGURES = sum(FIGURES_OF)
HONOURS = ALL_ACES | FIGURES
PAIRS = tuple((suit, high | low) for suit in Suit for high, low in
              ((KINGS[suit], QUEENS[suit]), (QUEENS[suit], JACKS[suit])))  # fmt: skip


def suits_with_pair(cards: int) -> int:
    """How many suits have a pair among these cards."""
    return sum(bool(cards & QUEENS[suit] and cards & (KINGS[suit] | JACKS[suit])) for suit in Suit)


def pair_in(cards: int) -> list[tuple[Card, Card]]:
    """The pairs that could be laid from these cards, the higher card first."""
    found = []
    for _, pair in PAIRS:
        if cards & pair == pair:
            low, high = (bit.bit_length() - 1 for bit in bits(pair))
            found.append((Card.of(Suit(high // 13), Rank(high % 13 + 2)),
                          Card.of(Suit(low // 13), Rank(low % 13 + 2))))  # fmt: skip
    return found


def offending(laid: int, trump: Suit) -> int:
    """How many cards laid away would have to come back (IM-3): aces, own figures, others beyond two."""
    own = FIGURES_OF[trump]
    plain = (laid & FIGURES & ~own).bit_count()
    return (laid & (ALL_ACES | own)).bit_count() + max(0, plain - 2)


@lru_cache(maxsize=4096)
def fewest_offending(honours: int, trump: Suit, pairs: int | None = None) -> int | None:
    """The fewest offending cards any choice allows that keeps this many pairs (None: any number).

    Of 14 cards with these honours; None if there are not as many pairs.
    """
    if pairs is None:
        found = [fewest_offending(honours, trump, number) for number in range(5)]
        return min(number for number in found if number is not None)
    own = FIGURES_OF[trump]
    suits = [suit for suit in Suit if suits_with_pair(honours & FIGURES_OF[suit])]
    best = None
    for chosen in combinations(suits, pairs):
        with_trump = trump in chosen
        plain_left = (honours & FIGURES & ~own).bit_count() - 2 * (pairs - with_trump)
        needed = (honours & (ALL_ACES | own)).bit_count() - 2 * with_trump + max(0, plain_left - 2)
        over = max(0, needed - (7 - pairs))
        best = over if best is None else min(best, over)
    return best


def wrong(kept: int, laid: int, trump: Suit, pairs: int) -> bool:
    """Whether laying these away and keeping those, with so many pairs, breaks IM-3."""
    if suits_with_pair(kept) < pairs:
        return True
    over = offending(laid, trump)
    if not over:
        return False
    fewest = fewest_offending((kept | laid) & HONOURS, trump)
    assert fewest is not None
    return over > fewest


def lawful_counts(hand: int, trump: Suit) -> dict[int, int]:
    """For each count from 3 to 7 a sensible choice of cards to lay away from 14, lawful if one is."""
    return {count: _choice(hand, trump, 7 - count) for count in range(3, 8)}


def _choice(hand: int, trump: Suit, pairs: int) -> int:
    best: tuple[int, int] | None = None
    suits = [suit for suit in Suit if suits_with_pair(hand & FIGURES_OF[suit])]
    for chosen in combinations(suits, min(pairs, len(suits))):
        keep = 0
        for suit in chosen:
            other = KINGS[suit] if hand & KINGS[suit] else JACKS[suit]
            keep |= QUEENS[suit] | other
        free = sorted(bits(hand & ~keep), key=lambda bit: _worth(bit, trump))
        laid = sum(free[: 7 - pairs])
        if best is None or offending(laid, trump) < best[0]:
            best = offending(laid, trump), laid
    assert best is not None
    return best[1]


def _worth(bit: int, trump: Suit) -> tuple[int, int]:
    """How little one wants to lay a card away: first low plain cards; last what may not be laid away."""
    number = bit.bit_length() - 1
    if number >= 52:
        return 2, number
    suit, rank = divmod(number, 13)
    if bit & (ALL_ACES | FIGURES_OF[trump]):
        return 4, rank
    if bit & FIGURES:
        return 3, rank
    return (1 if suit == trump else 0), rank
