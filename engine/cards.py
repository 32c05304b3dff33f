"""Suits, ranks, cards and packs, and the two notations a card is written in (contract, section 1).

A card is a small whole number with a name: sets of cards can be bit masks (`1 << card`) where speed
matters, and everything else reads `card.suit`, `card.rank`, `str(card)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum


class Suit(IntEnum):
    """A suit, in the order of the contract: ♠ vynai, ♣ kryžiai, ♥ širdys, ♦ būgnai."""

    SPADES = 0
    CLUBS = 1
    HEARTS = 2
    DIAMONDS = 3

    def __str__(self) -> str:
        return SUIT_SIGNS[self]

    @property
    def red(self) -> bool:
        return self >= Suit.HEARTS


class Rank(IntEnum):
    """A rank by its natural order: 2 is the lowest, the ace (T) the highest."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    def __str__(self) -> str:
        return RANK_SIGNS[self]


SUIT_SIGNS = {Suit.SPADES: "♠", Suit.CLUBS: "♣", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦"}
RANK_SIGNS = {rank: str(int(rank)) for rank in Rank} | {
    Rank.ACE: "T", Rank.KING: "K", Rank.QUEEN: "D", Rank.JACK: "V",
}  # fmt: skip
_SUITS_READ = {sign: suit for suit, sign in SUIT_SIGNS.items()} | {
    "s": Suit.SPADES, "c": Suit.CLUBS, "h": Suit.HEARTS, "d": Suit.DIAMONDS,
}  # fmt: skip
_NUMBERS = {str(int(rank)): rank for rank in Rank if rank <= Rank.TEN}
_INTERNATIONAL = _NUMBERS | {"A": Rank.ACE, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK}
_LITHUANIAN = _NUMBERS | {"T": Rank.ACE, "K": Rank.KING, "D": Rank.QUEEN, "V": Rank.JACK}
_RANKS_READ = _LITHUANIAN | _INTERNATIONAL


class NotationError(ValueError):
    """A card, suit or rank that cannot be read; its text says what is wrong, in one line."""


class Card(int):
    """One of the 54 different cards: 52 suited ones (0–51), `IMP` (52) and `VIZ` (53).

    There is one object a card (`Card.of`, `parse_card`, `CARDS[n]`). The three Viziriai are alike
    and so are one value that a pack holds three times.
    """

    __slots__ = ()

    @staticmethod
    def of(suit: Suit, rank: Rank) -> Card:
        """The card of a suit and a rank."""
        return CARDS[suit * 13 + rank - 2]

    @property
    def joker(self) -> bool:
        return self >= 52

    @property
    def suit(self) -> Suit:
        """The suit; a joker has none (ValueError)."""
        if self >= 52:
            raise ValueError(f"{self} has no suit")
        return _SUIT_OF[self]

    @property
    def rank(self) -> Rank:
        """The rank; a joker has none (ValueError)."""
        if self >= 52:
            raise ValueError(f"{self} has no rank")
        return _RANK_OF[self]

    @property
    def ascii(self) -> str:
        """The card in the ASCII notation: `hA`, `s10`, `IMP`."""
        return _ASCII[self]

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Card({_NAMES[self]})"

    def __reduce__(self) -> tuple[object, ...]:
        return _card, (int(self),)


def _card(number: int) -> Card:
    """The one object of a card, for copies and pickles."""
    return CARDS[number]


CARDS: tuple[Card, ...] = tuple(Card(n) for n in range(54))
IMP, VIZ = CARDS[52], CARDS[53]
_SUIT_OF = tuple(Suit(n // 13) for n in range(52))
_RANK_OF = tuple(Rank(n % 13 + 2) for n in range(52))
_NAMES = (*(f"{_SUIT_OF[n]}{_RANK_OF[n]}" for n in range(52)), "IMP", "VIZ")
_INTERNATIONAL_SIGN = {rank: sign for sign, rank in _INTERNATIONAL.items()}
_ASCII = (*(f"{'schd'[n // 13]}{_INTERNATIONAL_SIGN[_RANK_OF[n]]}" for n in range(52)), "IMP", "VIZ")


def parse_suit(text: str) -> Suit:
    """`♠` or `s` and so on; NotationError for anything else."""
    try:
        return _SUITS_READ[text]
    except KeyError:
        raise NotationError(f"unknown suit {text!r}: write ♠ ♣ ♥ ♦ or s c h d") from None


def parse_rank(text: str) -> Rank:
    """A bare rank: Lithuanian (`T K D V`), with `A`, `Q`, `J` read as well; NotationError otherwise."""
    try:
        return _RANKS_READ[text]
    except KeyError:
        raise NotationError(f"unknown rank {text!r}: write T K D V 10 … 2") from None


def parse_card(text: str) -> Card:
    """A card in either notation; NotationError for anything else.

    After an ASCII suit letter only the international ranks are read: `hT` could be the ten to one
    reader and the ace (tūzas) to another, `hD` and `hV` likewise mislead, so they are refused.
    """
    if text == "IMP":
        return IMP
    if text == "VIZ":
        return VIZ
    sign, rank_text = text[:1], text[1:]
    if sign in ("s", "c", "h", "d"):
        if rank_text in ("T", "D", "V"):
            suit = SUIT_SIGNS[_SUITS_READ[sign]]
            meant = {"T": "A", "D": "Q", "V": "J"}[rank_text]
            raise NotationError(f"ambiguous card {text!r}: write {suit}{rank_text} or {sign}{meant}")
        rank = _INTERNATIONAL.get(rank_text)
    else:
        rank = _RANKS_READ.get(rank_text) if sign in _SUITS_READ else None
    if rank is None:
        raise NotationError(f"unknown card {text!r}: write a suit and a rank, like ♥T, hA or s10")
    return Card.of(_SUITS_READ[sign], rank)


def suited_pack(lowest: Rank) -> tuple[Card, ...]:
    """All cards from the ace down to `lowest` in the four suits: 24 from the nine, 36 from the six."""
    ranks = [rank for rank in sorted(Rank, reverse=True) if rank >= lowest]
    return tuple(Card.of(suit, rank) for suit in Suit for rank in ranks)


PACK_24 = suited_pack(Rank.NINE)
PACK_28 = suited_pack(Rank.EIGHT)
PACK_32 = suited_pack(Rank.SEVEN)
PACK_36 = suited_pack(Rank.SIX)
PACK_52 = suited_pack(Rank.TWO)
PACK_56 = (*PACK_52, IMP, VIZ, VIZ, VIZ)


def mask_of(cards: Iterable[Card]) -> int:
    """The bit mask of some different cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[Card]:
    """The cards of a bit mask, lowest number first."""
    while mask:
        low = mask & -mask
        yield CARDS[low.bit_length() - 1]
        mask ^= low
