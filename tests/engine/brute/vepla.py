"""Vėpla with every card known: the oracle written from the rule numbers VP, not from the engine."""

from __future__ import annotations

import copy
from typing import Any, Self


class Brute:
    """A deal of Vėpla; `apply` gives a new one. The top of a fund is its last card."""

    ranks: tuple[str, ...] = ("6", "7", "8", "9", "10", "V", "D", "K", "T")

    def __init__(self, seats: int, dealer: int, options: dict[str, str], hands: dict[str, list[str]]) -> None:
        self.seats = seats
        self.options = options
        self.stock = list(hands["stock"])
        self.turn = dealer % seats + 1
        self.hands: dict[int, list[str]] = {}
        for seat in self.clockwise(self.turn):
            self.hands[seat] = [self.stock.pop(0)]
        self.drawn: str | None = None
        self.last_drawer: int | None = None
        self.offender: int | None = None
        self.owing: list[int] = []
        self.second_stage = False
        self.trump = ""
        self.pile: list[str] = []
        self.full = 0
        self.outcome: dict[str, Any] | None = None

    def clockwise(self, first: int) -> list[int]:
        """All seats, beginning with one."""
        return [(first + n - 1) % self.seats + 1 for n in range(self.seats)]

    def continues(self, card: str, under: str) -> bool:
        """VP-2: one rank above; the lowest rank goes on T."""
        if under[1:] == "T":
            return card[1:] == self.ranks[0]
        return self.ranks.index(card[1:]) == self.ranks.index(under[1:]) + 1

    def targets(self, card: str) -> set[str]:
        """VP-2, VP-5a: where, not on one's own fund, a card of the seat whose turn it is must go."""
        return {
            str(seat)
            for seat, fund in self.hands.items()
            if seat != self.turn and fund and self.continues(card, fund[-1])
        }

    def legal(self) -> set[tuple[int, str]]:
        """VP-2 to VP-5a in the first stage, VP-7 to VP-10 in the second."""
        if self.outcome is not None:
            return set()
        if self.owing:
            giver = self.owing[0]
            return {(giver, f"penalty {card}") for card in self.hands[giver]}
        if self.second_stage:
            return self.legal_second()
        fund = self.hands[self.turn]
        if self.drawn is not None:
            targets = self.targets(self.drawn)
            return {(self.turn, f"put on {target}") for target in targets or {"self"}}
        if fund and self.targets(fund[-1]):
            return {(self.turn, f"put on {target}") for target in self.targets(fund[-1])}
        return {(self.turn, f"draw {self.stock[0]}")}

    def legal_second(self) -> set[tuple[int, str]]:
        """A lead, a beat or a take."""
        hand = self.hands[self.turn]
        if not self.pile:
            return {(self.turn, f"play {card}") for card in hand}
        plays = {f"play {card}" for card in hand if self.may_beat(card, self.pile[-1], hand)}
        return {(self.turn, text) for text in plays | {"take"}}

    def higher(self, card: str, top: str) -> bool:
        """A higher card of the same suit."""
        return card[0] == top[0] and self.ranks.index(card[1:]) > self.ranks.index(top[1:])

    def may_beat(self, card: str, top: str, hand: list[str]) -> bool:
        """VP-8."""
        return self.higher(card, top) or (card[0] == self.trump and top[0] != self.trump)

    def apply(self, seat: int, text: str, laid: list[str] | None = None) -> Self:
        """The state after this action, lawful or one of the oversights of VP-5."""
        new = copy.deepcopy(self)
        word = text.split()[-1]
        if text == "take":
            new.take(seat)
        elif text.startswith("play"):
            new.play(seat, word)
        elif text.startswith("penalty"):
            new.hands[seat].remove(word)
            assert new.offender is not None
            new.hands[new.offender].insert(0, word)
            new.owing.pop(0)
            new.after_first_stage()
        elif text.startswith("draw"):
            new.draw(seat)
        else:
            new.put(seat, word)
        return new

    def draw(self, seat: int) -> None:
        """VP-3 and VP-6; VP-5 if the top of one's own fund could have moved."""
        fund = self.hands[seat]
        oversight = bool(fund) and bool(self.targets(fund[-1]))
        self.drawn = self.stock.pop(0)
        if not self.stock:
            self.last_drawer = seat
            self.trump = self.drawn[0]
        if oversight:
            self.err(seat)
        elif not self.stock:
            fund.append(self.drawn)
            self.drawn = None
        self.after_first_stage()

    def put(self, seat: int, target: str) -> None:
        """VP-2 to VP-4; VP-5 if a drawn card is kept that fitted an opponent."""
        fund = self.hands[seat]
        if target == "self":
            assert self.drawn is not None
            if self.targets(self.drawn):
                self.err(seat)
                return
            goes_on = bool(fund) and self.continues(self.drawn, fund[-1])
            fund.append(self.drawn)
            if not goes_on:
                self.turn = seat % self.seats + 1
        else:
            card = self.drawn if self.drawn is not None else fund.pop()
            self.put_elsewhere(card, target)
        self.drawn = None

    def put_elsewhere(self, card: str, target: str) -> None:
        """On an opponent's fund."""
        self.hands[int(target)].append(card)

    def err(self, seat: int) -> None:
        """VP-5: the drawn card stays, the turn passes, every opponent with two cards or more gives one."""
        assert self.drawn is not None
        self.hands[seat].append(self.drawn)
        self.drawn = None
        self.offender = seat
        self.owing = [other for other in self.clockwise(seat)[1:] if len(self.hands[other]) > 1]
        self.turn = seat % self.seats + 1

    def after_first_stage(self) -> None:
        """VP-6, VP-7: the second stage begins when the stock is used up and no penalty is owed."""
        if not self.stock and not self.owing and not self.second_stage:
            self.second_stage = True
            self.turn = self.first_lead()
            self.decide()

    def first_lead(self) -> int:
        """VP-7."""
        assert self.last_drawer is not None
        return self.last_drawer

    def in_play(self) -> list[int]:
        """The seats that hold cards."""
        return [seat for seat in self.clockwise(1) if self.hands[seat]]

    def next_seat(self, seat: int) -> int:
        """The next seat with cards."""
        return next((other for other in self.clockwise(seat)[1:] if self.hands[other]), seat)

    def play(self, seat: int, card: str) -> None:
        """VP-8 and VP-9."""
        if not self.pile:
            self.full = len(self.in_play())
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.turn = self.next_seat(seat)
        if len(self.pile) == self.full:
            self.pile = []
            if self.hands[seat]:
                self.turn = seat
        self.decide()

    def take(self, seat: int) -> None:
        """VP-10: the bottom card."""
        self.hands[seat].append(self.pile.pop(0))
        self.turn = self.next_seat(seat)
        self.decide()

    def decide(self) -> None:
        """VP-11, and VP-12 before a lead."""
        holders = self.in_play()
        nothing = [0] * self.seats
        if len(holders) == 1:
            loser = holders[0]
            nothing[loser - 1] = self.price(loser)
            self.outcome = {"points": nothing, "winner": [], "loser": loser}
        elif not self.pile and not any(
            self.may_beat(card, top, self.hands[one])
            for one in holders
            for other in holders
            if one != other
            for card in self.hands[one]
            for top in self.hands[other]
        ):
            self.outcome = {"points": nothing, "winner": [], "loser": None}

    def price(self, loser: int) -> int:
        """A loss counts one."""
        return 1
