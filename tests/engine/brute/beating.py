"""What the oracles of the six beating games share, written from DU-4 to DU-12 and from nothing else.

All cards are known. A card is its text ("♠V"), a hand a list of cards. Slow and plain on purpose.
"""

from __future__ import annotations

import copy
from typing import Any, Self

SUITS = ["♠", "♣", "♥", "♦"]
RANKS = ["6", "7", "8", "9", "10", "V", "D", "K", "T"]


def suit_of(card: str) -> str:
    return card[0]


def rank_of(card: str) -> int:
    return RANKS.index(card[1:])


def higher(card: str, top: str) -> bool:
    """Whether it is a higher card of the same suit."""
    return suit_of(card) == suit_of(top) and rank_of(card) > rank_of(top)


class Beating:
    """A deal. `stage`: "lead", "beat", "drag", or "drag for" (DU-10); others before the first lead.

    `mover`: the seat to lead, beat or drag.
    """

    def __init__(
        self,
        seats: int,
        dealer: int,
        options: dict[str, str],
        hands: dict[str, list[str]],
        trumps: dict[int, str] | None = None,
    ) -> None:
        self.seats = seats
        self.dealer = dealer
        self.options = dict(options)
        self.hands = {seat: list(hands.get(str(seat), [])) for seat in range(1, seats + 1)}
        self.trumps = dict(trumps or {})
        self.pile: list[str] = []
        self.pirmasis = dealer % seats + 1
        self.mover = self.pirmasis
        self.stage = "lead"
        self.result: dict[str, Any] | None = None
        self.prepare(hands)

    def prepare(self, hands: dict[str, list[str]]) -> None:
        """What a game sets up besides."""

    @property
    def outcome(self) -> dict[str, Any] | None:
        return self.result

    def legal(self) -> set[tuple[int, str]]:
        if self.result is not None:
            return set()
        return {(self.mover, text) for text in self.moves(self.mover)}

    def apply(self, seat: int, text: str, drawn: str | None = None) -> Self:
        new = copy.deepcopy(self)
        new.act(seat, text.split(), drawn)
        return new

    def moves(self, seat: int) -> list[str]:
        """What the seat whose turn it is may do in the play."""
        if self.stage == "beat":
            return ["take", *("play " + c for c in self.hands[seat] if self.beats(seat, c, self.pile[-1]))]
        return ["play " + c for c in self.hands[seat]]

    def act(self, seat: int, words: list[str], drawn: str | None) -> None:
        if words[0] == "take":
            self.take(seat)
        else:
            assert words[0] == "play"
            self.play(seat, words[1])

    def beats(self, seat: int, card: str, top: str) -> bool:
        """DU-5, DU-6, and DU-7 where the game has it."""
        own = self.trumps.get(seat)
        if suit_of(top) == own:
            return higher(card, top)
        if self.has_parankinis() and suit_of(top) == self.trumps.get(self.after(seat)):
            return suit_of(card) == own
        return higher(card, top) or suit_of(card) == own

    def has_parankinis(self) -> bool:
        return self.options.get("parankinis", "on") == "on"

    def held(self, seat: int) -> int:
        """How many cards a seat holds."""
        return len(self.hands[seat])

    def in_play(self) -> list[int]:
        return [seat for seat in self.hands if self.held(seat) > 0]

    def after(self, seat: int) -> int:
        """The next seat clockwise that still has cards."""
        following = seat % self.seats + 1
        while self.held(following) == 0:
            following = following % self.seats + 1
        return following

    def play(self, seat: int, card: str) -> None:
        was_beat = self.stage == "beat"
        self.hands[seat].remove(card)
        self.pile.append(card)
        if was_beat and self.held(seat) > 0:  # DU-8
            self.stage = "drag"
        elif was_beat:
            self.out_by_beat(seat)
        elif self.held(seat) == 0:
            self.out_by_lead_or_drag(seat)
        else:
            self.wait_for(self.after(seat), "beat")

    def wait_for(self, seat: int, stage: str) -> None:
        self.mover, self.stage = seat, stage

    def out_by_beat(self, seat: int) -> None:
        """DU-10 and DU-11."""
        left = self.in_play()
        if not left:
            self.nobody_lost(seat)
        elif len(left) == 1:
            self.lost(left[0])
        else:
            self.wait_for(self.after(seat), "drag for")

    def out_by_lead_or_drag(self, seat: int) -> None:
        """DU-10 and DU-11: the last player may still beat with a single card."""
        left = self.in_play()
        if len(left) == 1 and self.held(left[0]) > 1:
            self.lost(left[0])
        else:
            self.wait_for(self.after(seat), "beat")

    def take(self, seat: int) -> None:
        """DU-9; DU-11 for the last player."""
        if self.in_play() == [seat]:
            self.lost(seat)
        else:
            self.hands[seat] += self.pile
            self.pile = []
            self.wait_for(self.after(seat), "lead")

    def lost(self, loser: int) -> None:
        self.finish([int(seat == loser) for seat in self.hands], [], loser, self.next_dealer(loser))

    def nobody_lost(self, last: int) -> None:
        self.finish([0] * self.seats, [], None, self.next_dealer(last))

    def next_dealer(self, seat: int) -> int:
        """DU-12: the loser; or, where nobody lost, whoever laid the last card (DU-11)."""
        return seat

    def finish(self, points: list[int], winner: list[int], loser: int | None, next_dealer: int) -> None:
        self.result = {"points": points, "winner": winner, "loser": loser, "next_dealer": next_dealer}
