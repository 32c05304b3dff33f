"""What a seat does at the table: one frozen `Action` for every line of a record that starts with a seat.

An action has one normal spelling (`text`), the contract's; `parse_action` reads it, with either card
notation. Facts about the deal that no seat acts out (`hand`, `fund`, `start`, `center`, `spread`)
are `Fact`s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.cards import Card, NotationError, Rank, Suit, parse_card, parse_rank, parse_suit

CENTER = 0
"""The target of `put on center`; a seat's number is the target of `put on M` and `put on self`."""

_NUMBER = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a seat did.

    `cards`: the cards named; of a pair (IM) its two cards, the higher first; of `give A for B` both,
    in this order. `suits`: of `trump`. `rank`: of `announce`. `count`: of `away`. `target`: of `put`,
    a seat or `CENTER`. `called`: a play with the call "Koziris!". `blind`: of `give A for ?`.
    """

    seat: int
    verb: str
    cards: tuple[Card, ...] = ()
    suits: tuple[Suit, ...] = ()
    rank: Rank | None = None
    count: int | None = None
    target: int | None = None
    called: bool = False
    blind: bool = False

    @property
    def card(self) -> Card:
        """The one card of a play, draw, gift and so on (IndexError where there is none)."""
        return self.cards[0]

    @property
    def form(self) -> str:
        """Which kind of line this is, finer than the verb; a game lists the forms it has."""
        match self.verb:
            case "play" if len(self.cards) == 2:
                return "play pair"
            case "play" if self.called:
                return "play !"
            case "draw" if self.cards:
                return "draw card"
            case "trump" if len(self.suits) == 2:
                return "trump two"
            case "give" if len(self.cards) == 2 or self.blind:
                return "give for"
            case "put" if self.target == CENTER:
                return "put center"
        return self.verb

    @property
    def text(self) -> str:
        """The line in normal spelling, without the seat: `play ♥T`, `give ♠6 for ?`, `put on self`."""
        match self.verb:
            case "announce":
                return f"announce {self.rank}"
            case "trump":
                return "trump " + " ".join(map(str, self.suits))
            case "away":
                return f"away {self.count}"
            case "give":
                drawn = " for ?" if self.blind else f" for {self.cards[1]}" if len(self.cards) == 2 else ""
                return f"give {self.cards[0]}{drawn}"
            case "put":
                if self.target == CENTER:
                    return "put on center"
                return "put on self" if self.target == self.seat else f"put on {self.target}"
            case "play":
                return "play " + "+".join(map(str, self.cards)) + (" !" if self.called else "")
        return " ".join((self.verb, *map(str, self.cards)))

    def __str__(self) -> str:
        return f"{self.seat} {self.text}"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something seen of the deal: `hand N`, `fund N` (seat N), `start`, `center`, `spread` (no seat)."""

    kind: str
    seat: int | None
    cards: tuple[Card, ...]

    @property
    def form(self) -> str:
        return self.kind

    @property
    def text(self) -> str:
        """The fact without its seat, as it stands in results: `hand: ♠V ♥9`."""
        return f"{self.kind}: " + " ".join(map(str, self.cards))

    def __str__(self) -> str:
        seat = "" if self.seat is None else f" {self.seat}"
        return f"{self.kind}{seat}: " + " ".join(map(str, self.cards))


FACTS_OF_A_SEAT = ("hand", "fund")
FACTS_OF_THE_TABLE = ("start", "center", "spread")
_CARDLESS = ("take", "pass", "call")
_ONE_CARD = ("closed", "penalty")
_SOME_CARDS = ("laid", "show", "expose")


def parse_action(seat: int, words: Sequence[str]) -> Action:
    """The action of a seat from the words after its number; NotationError if it cannot be read."""
    if not words:
        raise NotationError("nothing after the seat")
    verb, rest = words[0], words[1:]
    if verb == "announce" and len(rest) == 1:
        return Action(seat, verb, rank=parse_rank(rest[0]))
    if verb == "trump" and 1 <= len(rest) <= 2:
        return Action(seat, verb, suits=tuple(map(parse_suit, rest)))
    if verb == "away" and len(rest) == 1 and rest[0] in ("3", "4", "5", "6", "7"):
        return Action(seat, verb, count=int(rest[0]))
    if verb == "give" and len(rest) == 1:
        return Action(seat, verb, (parse_card(rest[0]),))
    if verb == "give" and len(rest) == 3 and rest[1] == "for":
        if rest[2] == "?":
            return Action(seat, verb, (parse_card(rest[0]),), blind=True)
        return Action(seat, verb, (parse_card(rest[0]), parse_card(rest[2])))
    if verb == "play" and (len(rest) == 1 or (len(rest) == 2 and rest[1] == "!")):
        return Action(seat, verb, _played(rest[0]), called=len(rest) == 2)
    if verb == "put" and len(rest) == 2 and rest[0] == "on":
        if rest[1] in ("center", "self"):
            return Action(seat, verb, target=CENTER if rest[1] == "center" else seat)
        if _NUMBER.fullmatch(rest[1]):
            return Action(seat, verb, target=int(rest[1]))
    if verb == "draw" and len(rest) <= 1:
        return Action(seat, verb, read_cards(rest))
    if verb == "throw" or (verb in _SOME_CARDS and rest) or (verb in _ONE_CARD and len(rest) == 1):
        return Action(seat, verb, read_cards(rest))
    if verb in _CARDLESS and not rest:
        return Action(seat, verb)
    raise NotationError(f"no such line: {shown(' '.join(words))}")


def _played(word: str) -> tuple[Card, ...]:
    cards = read_cards(word.split("+"))
    if len(cards) > 2:
        raise NotationError(f"a pair is two cards, like ♥K+♥D: {shown(word)}")
    if len(cards) == 2:
        if any(card.joker for card in cards) or cards[0].suit != cards[1].suit:
            raise NotationError(f"a pair is K+D or D+V of one suit: {shown(word)}")
        high, low = sorted(cards, reverse=True)
        if (high.rank, low.rank) not in ((Rank.KING, Rank.QUEEN), (Rank.QUEEN, Rank.JACK)):
            raise NotationError(f"a pair is K+D or D+V of one suit: {shown(word)}")
        return high, low
    return cards


def read_cards(words: Iterable[str]) -> tuple[Card, ...]:
    """Cards in either notation; NotationError names the first that cannot be read."""
    return tuple(map(parse_card, words))


def shown(text: str) -> str:
    """A piece of unreadable input, quoted and short enough for one line of an error message."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


_PLAYS: dict[tuple[int, int], Action] = {}


def play(seat: int, card: Card) -> Action:
    """The action of playing one card (one object each: simulated tables make millions of them)."""
    key = (seat, card)
    action = _PLAYS.get(key)
    if action is None:
        action = _PLAYS[key] = Action(seat, "play", (card,))
    return action
