"""One deal of a beating game twice: the engine's on a table where all cards are known, and its oracle's."""

from __future__ import annotations

import importlib
import random
from typing import Any, Protocol, cast

from engine.actions import Action, parse_action
from engine.deal import Deal, Setup
from engine.games import GAMES
from engine.places import OpenTable, closed

BEATING = ("durnius", "azijietiskas", "vezimas", "kozirinis", "dudakas", "savi_koziriai")

Moves = set[tuple[int, str]]


class Oracle(Protocol):
    hands: dict[int, list[str]]
    trumps: dict[int, str]
    stage: str

    def legal(self) -> Moves: ...

    def held(self, seat: int) -> int: ...

    def apply(self, seat: int, text: str, drawn: str | None = None) -> Oracle: ...

    @property
    def outcome(self) -> dict[str, Any] | None: ...


class EngineSide:
    """A deal of the engine with its table.

    `legal` asks about more than `Deal.legal` offers, which leaves out what is seldom worth doing (a
    trump named out of turn in Dudakas), and leaves out what the oracle does: calls, empty throws.
    `apply` names the card drawn in an exchange.
    """

    def __init__(self, deal: Deal, table: OpenTable) -> None:
        self.deal = deal
        self.table = table

    def legal(self) -> Moves:
        found: Moves = set()
        for seat in range(1, self.deal.setup.seats + 1):
            offered = {action.text for action in self.deal.legal(seat, self.table)}
            found |= {(seat, text) for text in offered if text not in ("call", "throw")}
        if any(text.startswith(("give", "throw")) for _, text in found):
            return found  # of an exchange left undone a play would not be refused (G-9)
        for seat in range(1, self.deal.setup.seats + 1):
            found |= {(seat, text) for text in self.asked(seat) if self.is_legal(seat, text)}
        return found

    def asked(self, seat: int) -> list[str]:
        """What might be possible for a seat besides `Deal.candidates`. (♣D cannot be elsewhere, DU-2.)"""
        if self.deal.is_out(seat):
            return []
        by_queen = self.deal.setup.options.get("trumps") == "queen"
        return [
            "take",
            *([] if by_queen else [f"trump {suit}" for suit in "♠♣♥♦"]),
            *(f"play {card}" for card in self.hand(seat)),
            *(f"closed {card}" for card in self.table.cards(closed(seat))),
        ]

    def is_legal(self, seat: int, text: str) -> bool:
        return self.deal.is_legal(self.action(seat, text), self.table)

    def action(self, seat: int, text: str, drawn: str | None = None) -> Action:
        return parse_action(seat, (text if drawn is None else text.replace("?", drawn)).split())

    def apply(self, seat: int, text: str, drawn: str | None = None) -> EngineSide:
        new = EngineSide(self.deal.copy(), copied(self.table))
        new.deal.apply(self.action(seat, text, drawn), new.table)
        for fact in list(new.deal.turned_up(new.table)):
            new.deal.apply_fact(fact, new.table)
        return new

    def hand(self, seat: int) -> list[str]:
        return sorted(map(str, self.table.cards(seat)))

    @property
    def outcome(self) -> dict[str, Any] | None:
        outcome = self.deal.outcome
        if outcome is None:
            return None
        game = GAMES_BY_DEAL[type(self.deal)]
        return {
            "points": list(outcome.points),
            "winner": list(outcome.winner),
            "loser": outcome.loser,
            "next_dealer": outcome.dealer or game.next_dealer(self.deal.setup, outcome),
        }


GAMES_BY_DEAL = {GAMES[game].deal: GAMES[game] for game in BEATING}


def both(
    game_id: str,
    seats: int,
    dealer: int,
    given: dict[str, str],
    rng: random.Random,
    before: tuple[EngineSide, Oracle] | None = None,
) -> tuple[EngineSide, Oracle]:
    """A shuffled deal, the next one of a match after `before`."""
    game = GAMES[game_id]
    options = game.all_options(given)
    carried = before[0].deal.carry() if before else None
    deal = game.deal(Setup(seats, dealer, options, game.pack(options), carried))
    table = OpenTable.deal(deal.setup.pack, deal.places(), rng)
    for fact in list(deal.opening(table)):
        deal.apply_fact(fact, table)
    side = EngineSide(deal, table)
    hands = {str(seat): side.hand(seat) for seat in range(1, seats + 1)}
    if game_id == "vezimas":
        hands |= {f"closed {seat}": list(map(str, table.cards(closed(seat)))) for seat in range(1, seats + 1)}
    if game_id == "kozirinis":
        hands = {"spread": spread(deal, table)}
    fixed = game_id in ("durnius", "savi_koziriai")
    trumps = dict(before[1].trumps) if before and fixed else None
    oracle = importlib.import_module(f"tests.engine.brute.{game_id}").Brute
    return side, cast(Oracle, oracle(seats, dealer, options, hands, trumps))


def copied(table: OpenTable) -> OpenTable:
    new = OpenTable(dict(table.hands), table.stock, table.random)
    new.counts = dict(table.counts)
    return new


def spread(deal: Deal, table: OpenTable) -> list[str]:
    """The half of the pack that will be turned up, whatever the trumps are."""
    there, deal = copied(table), deal.copy()
    for seat in (deal.setup.dealer, deal.setup.first):
        deal.apply(deal.legal(seat, there)[0], there)
    return [str(card) for fact in deal.turned_up(there) for card in fact.cards]


def draws(oracle: Oracle, text: str) -> list[str | None]:
    """The cards that may be drawn for the six of an exchange; nothing to draw in any other action."""
    if not text.endswith("for ?"):
        return [None]
    six = text.split()[1]
    receiver = next(seat for seat, trump in oracle.trumps.items() if trump == six[0])
    return [card for card in oracle.hands[receiver] if card != six]


__all__ = ["BEATING", "EngineSide", "Oracle", "both", "draws"]
