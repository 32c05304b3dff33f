"""Imperatorius with every card known: the oracle written from the rule numbers IM, not from the engine.

A card may be there up to three times (VIZ), so hands are lists.
"""

from __future__ import annotations

import copy
from functools import cache
from itertools import combinations
from typing import Any

SUITS = ["♠", "♣", "♥", "♦"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "K", "T"]
JOKERS = ("IMP", "VIZ")
FIGURES = {"K": 4, "D": 3, "V": 2}


def rank(card: str) -> str:
    """The rank of a card; a joker has none."""
    return "" if card in JOKERS else card[1:]


def pairs_in(cards: list[str]) -> list[list[str]]:
    """IM-10: K+D and D+V of one suit."""
    return [
        [suit + high, suit + low]
        for suit in SUITS
        for high, low in (("K", "D"), ("D", "V"))
        if suit + high in cards and suit + low in cards
    ]


def choices_of_pairs(cards: list[str], count: int) -> list[list[list[str]]]:
    """Every choice of so many disjoint pairs."""
    return [
        list(choice)
        for choice in combinations(pairs_in(cards), count)
        if len({card for pair in choice for card in pair}) == 2 * count
    ]


def offending(away: list[str], trump: str) -> int:
    """IM-3: how many cards would have to come back to make a lay-away lawful."""
    figures = [card for card in away if rank(card) in FIGURES]
    own = [card for card in figures if card[0] == trump]
    aces = [card for card in away if rank(card) == "T"]
    return len(aces) + len(own) + max(0, len(figures) - len(own) - 2)


def without(cards: list[str], gone: list[str]) -> list[str]:
    """What is left of a hand."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def choices_of_away(hand: list[str], count: int) -> list[list[str]]:
    """Every choice of so many cards to lay away that keeps 7 - count pairs (IM-3)."""
    keeping = {suit for suit in SUITS if pairs_in([card for card in hand if card[0] == suit])}
    if len(keeping) < 7 - count:
        return []
    return [
        list(away)
        for away in combinations(hand, count)
        if choices_of_pairs(without(hand, list(away)), 7 - count)
    ]


@cache
def fewest(hand: tuple[str, ...], trump: str) -> dict[int, int]:
    """For every count that keeps its pairs the fewest offending cards it allows."""
    return {
        count: min(offending(away, trump) for away in choices)
        for count in range(3, 8)
        if (choices := choices_of_away(list(hand), count))
    }


class Play:
    """A card or a pair laid in a trick."""

    def __init__(self, seat: int, text: str, trump: str) -> None:
        words = text.split()
        self.seat = seat
        self.cards = words[1].split("+")
        self.joker = self.cards[0] in JOKERS
        self.suit = "" if self.joker else self.cards[0][0]
        self.trump = words[-1] == "!" and self.suit == trump
        self.pair = len(self.cards) == 2
        self.height = 0 if self.joker else 100 if self.pair else RANKS.index(rank(self.cards[0]))


def winner(trick: list[Play], shield: str) -> int:
    """IM-8 and IM-9: the seat that takes a complete trick."""
    for joker in JOKERS:
        for play in trick:
            if play.cards == [joker]:
                return play.seat
    lead = trick[0]
    if shield == "one_suit":
        shielded = all(play.suit == lead.suit for play in trick)
    else:
        shielded = not any(play.trump and play.suit != lead.suit for play in trick)
    trumps = [play for play in trick if play.trump]
    if shielded and not lead.pair and not lead.trump:
        trumps = [play for play in trumps if play.suit != lead.suit or play.height > lead.height]
    counted = trumps or [play for play in trick if play.suit == lead.suit]
    best = max(play.height for play in counted)
    return next(play.seat for play in counted if play.height == best)


def worth(play: Play) -> int:
    """IM-11: what a card or pair counts for who takes it."""
    if play.pair:
        first = rank(play.cards[0])
        if play.trump:
            return 15 if first == "K" else 12
        return 10 if first == "K" else 8
    return 5 if rank(play.cards[0]) == "T" else FIGURES.get(rank(play.cards[0]), 0)


class Brute:
    """A deal of Imperatorius; `apply` gives a new one."""

    def __init__(self, seats: int, dealer: int, options: dict[str, str], hands: dict[str, list[str]]) -> None:
        self.seats = seats
        self.options = options
        self.hands = {seat: list(hands[str(seat)]) for seat in range(1, seats + 1)}
        self.dealt = copy.deepcopy(self.hands)
        self.turn = dealer % seats + 1
        self.trumps: dict[int, str] = {}
        self.away: dict[int, list[str]] = {}
        self.singles: dict[int, list[str]] = {seat: [] for seat in self.hands}
        self.pairs: dict[int, list[list[str]]] = {seat: [] for seat in self.hands}
        self.trick: list[Play] = []
        self.taken: dict[int, list[Play]] = {seat: [] for seat in self.hands}
        self.tricks = 0
        self.outcome: dict[str, Any] | None = None

    def legal(self) -> set[tuple[int, str]]:
        """IM-2, then IM-3 (in any order), then the tricks."""
        if self.outcome is not None:
            return set()
        if len(self.trumps) < self.seats:
            return {(self.turn, f"trump {suit}") for suit in SUITS if suit not in self.trumps.values()}
        waiting = [seat for seat in self.hands if seat not in self.away]
        if waiting:
            return {(seat, f"away {count}") for seat in waiting for count in self.lawful_counts(seat)}
        return {(self.turn, text) for text in self.legal_plays()}

    def lawful_counts(self, seat: int) -> list[int]:
        """IM-3: the counts that allow a lawful choice or, if none does, the fewest offending cards."""
        allowed = fewest(tuple(self.hands[seat]), self.trumps[seat])
        return [count for count, number in allowed.items() if number == min(allowed.values())]

    def legal_plays(self) -> set[str]:
        """IM-5, IM-7 and IM-10a for the seat whose turn it is."""
        seat = self.turn
        hand, trump = self.hands[seat], self.trumps[seat]
        items = [[card] for card in hand] + pairs_in(hand)
        items = [item for item in items if self.keeps_pairs(seat, item)]
        lead = self.trick[0] if self.trick else None
        following = [card for card in hand if lead and not lead.joker and card[0] == lead.suit]
        trumps = [card for card in hand if card in JOKERS or card[0] == trump]
        if lead and following:
            items = [item for item in items if item[0] in following]
        elif lead and trumps:
            items = [item for item in items if item[0] in trumps]
        if any(card[0] == trump for card in hand):
            items = [item for item in items if item != ["IMP"]]
        texts = {"play " + "+".join(item) for item in items}
        return texts | {"play " + "+".join(item) + " !" for item in items if item[0][0] == trump}

    def keeps_pairs(self, seat: int, item: list[str]) -> bool:
        """IM-10a: some choice of the pairs kept agrees with all the seat has played."""
        singles, pairs = self.singles[seat], self.pairs[seat]
        if len(item) == 2:
            pairs = [*pairs, item]
        else:
            singles = singles + item
        kept = without(self.dealt[seat], self.away[seat])
        return any(
            all(pair in choice for pair in pairs)
            and not any(card in singles for pair in choice for card in pair)
            for choice in choices_of_pairs(kept, 7 - len(self.away[seat]))
        )

    def apply(self, seat: int, text: str, laid: list[str] | None = None) -> Brute:
        """The state after this action; `laid`: the cards of an `away`."""
        new = copy.deepcopy(self)
        verb, word = text.split()[:2]
        if verb == "trump":
            new.trumps[seat] = word
            new.turn = seat % new.seats + 1
        elif verb == "away":
            assert laid is not None and len(laid) == int(word)
            new.away[seat] = list(laid)
            new.hands[seat] = without(new.hands[seat], laid)
        else:
            new.play(Play(seat, text, new.trumps[seat]))
        return new

    def play(self, play: Play) -> None:
        """Lays a card or a pair; a complete trick goes to its winner, who leads (IM-4a)."""
        seat = play.seat
        self.hands[seat] = without(self.hands[seat], play.cards)
        if play.pair:
            self.pairs[seat].append(play.cards)
        else:
            self.singles[seat] += play.cards
        self.trick.append(play)
        self.turn = seat % self.seats + 1
        if len(self.trick) == self.seats:
            self.turn = winner(self.trick, self.options["shield"])
            self.taken[self.turn] += self.trick
            self.trick = []
            self.tricks += 1
        if self.tricks == 7:
            points = [self.score(seat) for seat in self.hands]
            self.outcome = {"points": points, "winner": [], "loser": None}

    def score(self, seat: int) -> int:
        """IM-11 to IM-13."""
        taken = self.taken[seat]
        score = 10 * len(taken) // self.seats + sum(worth(play) for play in taken)
        if self.options["laid_away"] == "all" or not taken:
            score += sum(FIGURES.get(rank(card), 0) for card in self.away[seat])
        return score - (50 if self.wrong(seat) else 0)

    def wrong(self, seat: int) -> bool:
        """IM-13: more offending cards laid away than the fewest, or fewer pairs kept than promised."""
        away, trump = self.away[seat], self.trumps[seat]
        if not choices_of_pairs(without(self.dealt[seat], away), 7 - len(away)):
            return True
        return offending(away, trump) > min(fewest(tuple(self.dealt[seat]), trump).values())
