"""Simulated matches: cards are shuffled, players who see their own cards act, the referee judges.

The same seed gives the same match, action by action, whatever came before in the process: every choice
draws from a generator of its own. So a match can also be taken up again from its record.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from engine.actions import Action, Fact
from engine.deal import Deal
from engine.places import OpenTable
from engine.players import Player, RandomPlayer, acting
from engine.record import Content, DealLine, End, Header, Record
from engine.referee import Match, Report

NAMES = ("Rasa", "Jonas", "Ona", "Petras", "Lina", "Tomas")
"""What simulated players are called, by seat."""

MakePlayer = Callable[[random.Random], Player]


class Simulation:
    """A match between simulated players. `match`: the referee who sees what really happens.

    `player`: makes the player who makes one choice, from that choice's random numbers.
    `comes_round`: the whole position, hidden cards and all, has been there before in this deal. With
    players who draw no lots that proves that the deal would never end.
    """

    def __init__(self, header: Header, seed: int | str, player: MakePlayer = RandomPlayer) -> None:
        self.match = Match(header)
        self._seed = seed
        self._player = player
        self._lines = 0
        self._deal: Deal | None = None
        self._table = OpenTable({})
        self._positions: set[tuple[object, ...]] = set()
        self.comes_round = False

    @classmethod
    def resumed(cls, record: Record, seed: int | str, player: MakePlayer = RandomPlayer) -> Simulation:
        """The simulation as it stood after these lines, which it has made itself."""
        simulation = cls(record.header, seed, player)
        for line in record.lines:
            simulation.happened(line.content)
        return simulation

    @property
    def between_deals(self) -> bool:
        """Whether the next thing to happen is a new deal."""
        return self._deal is None or self._deal.outcome is not None or self._over

    @property
    def _over(self) -> bool:
        progress = self.match.progress
        return progress is None or progress.over

    @property
    def table(self) -> OpenTable:
        """Where every card really lies; to be looked at only."""
        return self._table

    def hand(self, seat: int) -> OpenTable:
        """A table of which only this seat's cards are known."""
        own = OpenTable({seat: self._table.hands.get(seat, 0)})
        own.counts = dict(self._table.counts)
        return own

    def deal(self) -> Sequence[Content]:
        """A new deal: its line, and the facts it turns up. They have happened when this returns."""
        self.happened(DealLine())
        assert self._deal is not None
        facts = list(self._deal.opening(self._table))
        for fact in facts:
            self.happened(fact)
        return (DealLine(), *facts)

    def choose(self, player: Player | None = None) -> Action | None:
        """What the seat to act does next; None when the deal is over or nobody can act.

        What the deal turns up first (a spread) happens on the way. `player`: who decides this once.
        """
        if self._deal is None or self.between_deals:
            return None
        for fact in list(self._deal.turned_up(self._table)):
            self.happened(fact)
        turn = acting(self._deal, self._table)
        if turn is None:
            return None
        seat, legal = turn
        player = player or self._player(self._random("choice"))
        return player.choose(self._deal, seat, self.hand(seat), legal)

    def happened(self, content: Content) -> Report:
        """Something happened: the referee judges it, and if it was not refused it changes the table."""
        report = self.match.push(content)
        if isinstance(content, DealLine):
            assert self.match.deal is not None
            self._deal = self.match.game.deal(self.match.deal.setup)
            self._positions, self.comes_round = set(), False
            pack = self._deal.setup.pack
            self._table = OpenTable.deal(pack, self._deal.places(), self._random("deal"))
        elif not report.refused and self._deal is not None:
            if isinstance(content, Action):
                self._deal.apply(content, self._table)
                self._look_round()
            elif isinstance(content, Fact):
                self._deal.apply_fact(content, self._table)
            elif not isinstance(content, End):
                raise ValueError(f"a simulation cannot take {content}")
        self._lines += 1
        return report

    def _look_round(self) -> None:
        assert self._deal is not None
        public = tuple(value for name, value in vars(self._deal).items() if name != "setup")
        position = (public, tuple(self._table.hands.items()), tuple(self._table.stock))
        self.comes_round = position in self._positions
        self._positions.add(position)

    def _random(self, purpose: str) -> random.Random:
        return random.Random(f"{self._seed} {purpose} {self._lines}")
