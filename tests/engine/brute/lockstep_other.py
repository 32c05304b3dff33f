"""The engine and the brute force of vepla, suo, velnio_ratas, dezertyras and imperatorius on one deal.

The engine deals, every card known; the brute force is told the cards and plays along.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from engine.actions import Action, parse_action
from engine.cards import CARDS
from engine.deal import Deal, Setup
from engine.games import GAMES
from engine.places import STOCK, OpenTable, away
from tests.engine.brute import dezertyras, imperatorius, suo, velnio_ratas, vepla

BRUTES: dict[str, Any] = {
    "vepla": vepla.Brute,
    "suo": suo.Brute,
    "velnio_ratas": velnio_ratas.Brute,
    "dezertyras": dezertyras.Brute,
    "imperatorius": imperatorius.Brute,
}


def action(seat: int, text: str) -> Action:
    """The engine's action for a seat and a text."""
    return parse_action(seat, text.split())


def texts(tokens: Iterable[int]) -> list[str]:
    """Cards as the brute force knows them."""
    return [str(CARDS[min(token, 53)]) for token in tokens]


def copied(table: OpenTable) -> OpenTable:
    """An independent copy of a table; both go on with the same random numbers."""
    rng = random.Random()
    rng.setstate(table.random.getstate())
    new = OpenTable(table.hands.copy(), table.stock, rng)
    new.counts = table.counts.copy()
    return new


def engine_legal(deal: Deal, table: OpenTable) -> set[tuple[int, str]]:
    """What the engine lets any seat do; what was laid away is shown after the tricks (left out here)."""
    if deal.outcome is not None:
        return set()
    seats = range(1, deal.setup.seats + 1)
    return {(seat, a.text) for seat in seats for a in deal.legal(seat, table) if a.verb != "laid"}


class Lockstep:
    """One deal from a seed, played by both."""

    def __init__(
        self, game: str, seats: int, dealer: int, options: dict[str, str], seed: int | float | str
    ) -> None:
        self.game = GAMES[game]
        self.options = self.game.all_options(options)
        self.deal = self.game.deal(Setup(seats, dealer, self.options, self.game.pack(self.options)))
        self.table = OpenTable.deal(self.deal.setup.pack, self.deal.places(), random.Random(seed))
        cards = {str(place): texts(self.table.cards(place)) for place in range(1, seats + 1)}
        cards["stock"] = texts(self.table.stock)
        self.brute = BRUTES[game](seats, dealer, self.options, cards)
        for fact in list(self.deal.opening(self.table)):
            self.deal.apply_fact(fact, self.table)
        self.lines: list[str] = []

    def step(self, seat: int, text: str, wrongly: list[str] | None = None) -> None:
        """Both carry out an action; `wrongly`: cards to lay away instead of the engine's choice (IM)."""
        self.lines.append(f"{seat} {text}")
        before = self.table.cards(seat)
        self.deal.apply(action(seat, text), self.table)
        if text.startswith("away"):
            if wrongly is not None:
                self.lay_away(seat, wrongly)
            self.brute = self.brute.apply(seat, text, texts(self.table.cards(away(seat))))
        elif text == "draw" and not self.brute.stock:
            drawn = [card for card in self.table.cards(seat) if card not in before]
            self.brute = self.brute.apply(seat, text, stock=texts([*drawn, *self.table.stock]))
        else:
            self.brute = self.brute.apply(seat, text)

    def lay_away(self, seat: int, cards: list[str]) -> None:
        """The seat has laid away these cards and no others (no Viziris but those the engine chose)."""
        self.table.move_these(away(seat), seat, self.table.hands[away(seat)])
        tokens = 0
        for word in cards:
            held = [t for t in range(56) if self.table.hands[seat] & ~tokens & 1 << t]
            tokens |= 1 << next(t for t in held if texts([t]) == [word])
        self.table.move_these(seat, away(seat), tokens)

    def show_laid(self) -> None:
        """IM-13: everybody shows what they laid away."""
        for seat in range(1, self.deal.setup.seats + 1):
            for laid in self.deal.legal(seat, self.table):
                assert laid.verb == "laid"
                self.deal.apply(laid, self.table)

    def outcome(self) -> dict[str, Any] | None:
        """How the deal came out by the engine, as the brute force says it."""
        out = self.deal.outcome
        if out is None:
            return None
        return {"points": list(out.points), "winner": list(out.winner), "loser": out.loser}

    def conceivable(self) -> set[tuple[int, str]]:
        """Every line with cards that are where it says, lawful or not."""
        lines = set()
        for seat in range(1, self.deal.setup.seats + 1):
            held = texts(self.table.cards(seat))
            words = {f"play {card}" for card in held} | {f"play {card} !" for card in held}
            words |= {"play " + "+".join(pair) for pair in imperatorius.pairs_in(held)}
            words |= {"play " + "+".join(pair) + " !" for pair in imperatorius.pairs_in(held)}
            words |= {"take", "pass", "draw", "put on center", "put on self"}
            words |= {f"put on {n}" for n in range(1, self.deal.setup.seats + 1) if n != seat}
            words |= {f"trump {suit}" for suit in "♠♣♥♦"} | {f"away {n}" for n in range(3, 8)}
            words |= {f"announce {rank}" for rank in dezertyras.RANKS}
            if self.table.counts.get(STOCK, 0) and self.game.id != "velnio_ratas":
                words.add(f"draw {texts(self.table.stock)[0]}")
            lines |= {(seat, word) for word in words if self.has_line(seat, word)}
        return lines

    def has_line(self, seat: int, word: str) -> bool:
        """Whether a record of the game may have this line."""
        return self.game.has_line(action(seat, word).form, self.deal.setup.seats)
