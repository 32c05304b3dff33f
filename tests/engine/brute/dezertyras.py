"""Dezertyras with every card known: the oracle written from the rule numbers DZ, not from the engine."""

from __future__ import annotations

import copy
from typing import Any

RANKS = ["9", "10", "V", "D", "K", "T"]
DEZERTYRAS = "♠V"


def pair(seat: int) -> int:
    """Pairs 1+3 and 2+4."""
    return seat % 2


class Brute:
    """A deal of Dezertyras; `apply` gives a new one."""

    def __init__(self, seats: int, dealer: int, options: dict[str, str], hands: dict[str, list[str]]) -> None:
        assert seats == 4
        self.options = options
        self.hands = {seat: set(hands[str(seat)]) for seat in range(1, 5)}
        self.turn = dealer % 4 + 1
        self.announced: str | None = None
        self.trick: list[tuple[int, str]] = []
        self.outcome: dict[str, Any] | None = None

    def seklys(self, card: str) -> bool:
        """DZ-3: the cards of the rank named, but never ♠V."""
        return card[1:] == self.announced and card != DEZERTYRAS

    def trump(self, card: str) -> bool:
        """DZ-2, DZ-3: a Seklys or the Dezertyras."""
        return card == DEZERTYRAS or self.seklys(card)

    def standing(self) -> tuple[int, str] | None:
        """DZ-11: of the Sekliai in the trick the one not annulled."""
        fallen = [laid for laid in self.trick if self.seklys(laid[1])]
        return fallen[-1] if len(fallen) % 2 == 1 else None

    def legal(self) -> set[tuple[int, str]]:
        """What may be done now: a rank named, or a card played by the seat whose turn it is."""
        if self.outcome is not None:
            return set()
        if self.announced is None:
            return {(self.turn, f"announce {rank}") for rank in RANKS}
        return {(self.turn, f"play {card}") for card in self.hands[self.turn] if self.may_play(card)}

    def may_play(self, card: str) -> bool:
        """DZ-6 to DZ-10 and DZ-12, for the seat whose turn it is."""
        hand = self.hands[self.turn]
        if not self.trick:
            return card != DEZERTYRAS or len(hand) == 1
        lead = self.trick[0][1]
        if self.trump(lead):
            return True
        of_suit = {c for c in hand if c[0] == lead[0] and not self.trump(c)}
        if of_suit:
            return card in of_suit or (self.seklys(card) and self.may_rescue())
        trumps = {c for c in hand if self.trump(c)}
        return card in trumps or not trumps

    def may_rescue(self) -> bool:
        """DZ-12: our Dezertyras lies in the trick under a standing Seklys of the others."""
        ours = any(card == DEZERTYRAS and pair(seat) == pair(self.turn) for seat, card in self.trick)
        standing = self.standing()
        return ours and standing is not None and pair(standing[0]) != pair(self.turn)

    def apply(self, seat: int, text: str, laid: list[str] | None = None) -> Brute:
        """The state after this action."""
        new = copy.deepcopy(self)
        verb, word = text.split()
        if verb == "announce":
            new.announced = word
            return new
        new.hands[seat].remove(word)
        new.trick.append((seat, word))
        new.turn = seat % 4 + 1
        if len(new.trick) == 4:
            new.turn = new.winner()
            if any(card == DEZERTYRAS for _, card in new.trick):
                new.decide(new.turn)
            new.trick = []
        return new

    def winner(self) -> int:
        """DZ-13 and DZ-14: who takes the complete trick."""
        standing = self.standing()
        if standing is not None:
            return standing[0]
        for seat, card in self.trick:
            if card == DEZERTYRAS:
                return seat
        leader, lead = self.trick[0]
        # No Seklys stands, so all of them are annulled.
        counted = [
            (RANKS.index(card[1:]), seat)
            for seat, card in self.trick
            if card[0] == lead[0] and (self.options["annulled"] == "plain" or not self.seklys(card))
        ]
        return max(counted)[1] if counted else leader

    def decide(self, winner: int) -> None:
        """DZ-15: the trick with the Dezertyras ends the deal."""
        standing = self.standing()
        owner = next(seat for seat, card in self.trick if card == DEZERTYRAS)
        annulled = sum(self.seklys(card) for _, card in self.trick) >= 2
        if standing is None:
            points = 2 if annulled else 1
        elif pair(owner) != pair(winner):
            points = 3
        else:
            points = int(self.options["own_capture"])
        won = [seat for seat in range(1, 5) if pair(seat) == pair(winner)]
        self.outcome = {
            "points": [points if seat in won else 0 for seat in range(1, 5)],
            "winner": won,
            "loser": None,
        }
