"""Velnio ratas with every card known: the oracle written from the rule numbers VR, not from the engine."""

from __future__ import annotations

import copy
from typing import Any

GROUPS = {"A": ["V", "D", "K", "T"], "B": ["6", "7", "8", "9", "10"], "C": ["2", "3", "4", "5"]}
BEATS = {("A", "B"), ("B", "C"), ("C", "A")}


def beats(card: str, top: str) -> bool:
    """VR-2: the group decides, within a group the rank."""
    ours = next(name for name, ranks in GROUPS.items() if card[1:] in ranks)
    theirs = next(name for name, ranks in GROUPS.items() if top[1:] in ranks)
    if ours == theirs:
        return GROUPS[ours].index(card[1:]) > GROUPS[ours].index(top[1:])
    return (ours, theirs) in BEATS


class Brute:
    """A deal of Velnio ratas; `apply` gives a new one."""

    def __init__(self, seats: int, dealer: int, options: dict[str, str], hands: dict[str, list[str]]) -> None:
        self.seats = seats
        self.options = options
        self.hands = {seat: set(hands[str(seat)]) for seat in range(1, seats + 1)}
        self.stock = list(hands["stock"])
        self.pile = [self.stock.pop(0)]
        self.turn = dealer % seats + 1
        self.drawn: str | None = None
        self.idle_passes = 0
        self.outcome: dict[str, Any] | None = None

    def can_draw(self) -> bool:
        """VR-5: from the stock, or from the pile turned over."""
        return bool(self.stock) or (self.options["stock_out"] == "reshuffle" and len(self.pile) > 1)

    def legal(self) -> set[tuple[int, str]]:
        """VR-3 and VR-4."""
        if self.outcome is not None:
            return set()
        hand = self.hands[self.turn]
        if self.drawn is not None and self.options["after_draw"] == "drawn":
            hand = {self.drawn}
        actions = {f"play {card}" for card in hand if beats(card, self.pile[-1])}
        if self.drawn is not None or not self.can_draw():
            actions.add("pass")
        else:
            actions.add("draw")
        return {(self.turn, text) for text in actions}

    def apply(
        self, seat: int, text: str, laid: list[str] | None = None, stock: list[str] | None = None
    ) -> Brute:
        """The state after this action; `stock`: the order of a pile turned over by this draw."""
        new = copy.deepcopy(self)
        if text == "draw":
            if not new.stock:
                assert stock is not None and set(stock) == set(new.pile[:-1])
                new.stock = list(stock)
                new.pile = new.pile[-1:]
            new.drawn = new.stock.pop(0)
            new.hands[seat].add(new.drawn)
            return new
        if text == "pass":
            new.idle_passes = new.idle_passes + 1 if new.drawn is None else 0
        else:
            card = text.split()[1]
            new.hands[seat].remove(card)
            new.pile.append(card)
            new.idle_passes = 0
        new.drawn = None
        new.turn = seat % new.seats + 1
        new.decide(seat)
        return new

    def decide(self, seat: int) -> None:
        """VR-6 and VR-8."""
        points = [-len(self.hands[s]) for s in range(1, self.seats + 1)]
        if not self.hands[seat]:
            points[seat - 1] = -sum(points)
            self.outcome = {"points": points, "winner": [seat], "loser": None}
        elif self.idle_passes == self.seats:
            self.outcome = {"points": [0] * self.seats, "winner": [], "loser": None}
