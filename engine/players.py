"""Players for simulated tables. Each sees its own cards and what is public, nothing else."""

from __future__ import annotations

import random
from typing import Protocol

from engine.actions import Action
from engine.advice import ADVICE
from engine.deal import Deal
from engine.places import OpenTable


class Player(Protocol):
    """Chooses what to do. `own` knows this seat's cards only; `legal` is never empty."""

    def choose(self, deal: Deal, seat: int, own: OpenTable, legal: list[Action]) -> Action: ...


class RandomPlayer:
    """Any legal action, all alike."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng

    def choose(self, deal: Deal, seat: int, own: OpenTable, legal: list[Action]) -> Action:
        return legal[int(self._random.random() * len(legal))]


class SimplePlayer:
    """Plays sensibly, by the game's advice: the same in the same position."""

    def __init__(self, game: str) -> None:
        self._adviser = ADVICE[game]

    def choose(self, deal: Deal, seat: int, own: OpenTable, legal: list[Action]) -> Action:
        return self._adviser(deal, seat, own, legal)


class Cheat:
    """A player who now and then does what is possible and illegal.

    With probability `rate` (0 to 1) it does something with its own cards that breaks a rule, if it
    can; otherwise what `player` would do.
    """

    def __init__(self, player: Player, rate: float, rng: random.Random) -> None:
        self._player = player
        self._rate = rate
        self._random = rng

    def choose(self, deal: Deal, seat: int, own: OpenTable, legal: list[Action]) -> Action:
        if self._random.random() < self._rate:
            illegal = [action for action in deal.candidates(seat, own) if not deal.is_legal(action, own)]
            if illegal:
                return self._random.choice(illegal)
        return self._player.choose(deal, seat, own, legal)


def acting(deal: Deal, table: OpenTable) -> tuple[int, list[Action]] | None:
    """The seat to act and its legal actions; None if nobody has any.

    The seat whose turn it is comes first; but an exchange may wait for others.
    """
    if deal.outcome is not None:
        return None
    seats = deal.setup.seats
    start = deal.turn or deal.setup.first
    for n in range(seats):
        seat = (start + n - 1) % seats + 1
        legal = deal.legal(seat, table)
        if legal:
            return seat, legal
    return None
