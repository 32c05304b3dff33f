"""Whole random deals, and what must hold in every one of them; `make deals` plays 10,000 of each game.

Lawful players, three in ten of whose choices are random, the others sensible; any seats and options.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from engine.actions import Action
from engine.deal import Deal
from engine.games import GAMES
from engine.places import STOCK, OpenTable, tokens_of_pack
from engine.players import RandomPlayer, SimplePlayer
from engine.record import Content, Header, Takeback, parse, write
from engine.referee import Match
from engine.simulation import NAMES, Simulation

LONGEST = 20_000
ZERO_SUM = ("azijietiskas", "velnio_ratas")
ONE_LOSES = ("durnius", "vezimas", "kozirinis", "dudakas", "vepla", "savi_koziriai")


class Wavering:
    """Plays sensibly, now and then at random."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self._sensible, self._random, self._coin = SimplePlayer(game), RandomPlayer(rng), rng

    def choose(self, deal: Deal, seat: int, own: OpenTable, legal: list[Action]) -> Action:
        player = self._sensible if self._coin.random() < 0.7 else self._random
        return player.choose(deal, seat, own, legal)


def any_options(game: str, seats: int, rng: random.Random) -> dict[str, str]:
    """Options that may stand together with this number of seats."""
    while True:
        chosen = {
            name: rng.choice([*option.values, *(["3"] if option.number else [])])
            for name, option in GAMES[game].options.items()
        }
        if GAMES[game].wrong_with(NAMES[:seats], chosen) is None:
            return chosen


def check_deal(game: str, number: int) -> int:
    """Plays a deal, and takes it back; how many actions it had. AssertionError for what must not be."""
    rng = random.Random(f"{game} {number}")
    seats = rng.choice(GAMES[game].players)
    header = Header(game, NAMES[:seats], rng.randint(1, seats), any_options(game, seats, rng))
    simulation = Simulation(header, number, lambda own: Wavering(game, own))
    match = simulation.match
    simulation.deal()
    assert match.progress is not None
    start = state(match)
    states: list[Any] = []
    contents: list[Content] = []
    for _ in range(LONGEST):
        before = len(match.record().lines)
        states.append(state(match))
        action = simulation.choose()
        facts = [line.content for line in match.record().lines[before:]]
        contents += facts
        states += [None] * len(facts)
        if action is None:
            break
        report = simulation.happened(action)
        assert not report.refused, f"{action} was refused"
        contents.append(action)
        conserved(simulation)
    outcome = match.deals()[-1].outcome
    spread_anew = game == "kozirinis" and outcome is None and len(contents) <= 3
    assert outcome is not None or spread_anew, f"no end after {len(contents)} actions"
    if outcome is not None:
        scored(game, outcome.points, outcome.loser)
    assert not [e for e in match.entries if e.final in ("illegal", "impossible")]
    identity(match)
    for before_it in reversed(states[:-1]):
        match.push(Takeback())
        assert before_it is None or state(match) == before_it
    if len(states) > 1:
        assert state(match) == start
    return len(contents)


def state(match: Match) -> tuple[object, ...]:
    """All that the referee knows of the deal: the game's public state and the possible worlds."""
    progress = match.progress
    assert progress is not None
    worlds = progress.worlds.copy()
    known = tuple(getattr(worlds, name) for name in worlds.__slots__)
    return dict(vars(progress.deal)), known, progress.pending, progress.over, match.standing


def conserved(simulation: Simulation) -> None:
    """No card is twice on the table, and the referee counts as many in each place as lie there."""
    table, match = simulation.table, simulation.match
    seen = 0
    for mask in (*table.hands.values(), *(1 << token for token in table.stock)):
        assert not seen & mask, "a card is in two places"
        seen |= mask
    pack = sum(1 << token for token in tokens_of_pack(match.game.pack(match.options)))
    assert not seen & ~pack, "a card that is not of the pack"
    assert match.progress is not None
    for place, count in match.progress.worlds.counts.items():
        lies = len(table.stock) if place == STOCK else table.hands.get(place, 0).bit_count()
        assert lies == count, f"place {place} holds {lies} cards, counted {count}"


def scored(game: str, points: tuple[int, ...], loser: int | None) -> None:
    """The points of a deal add up as the rules of the game say."""
    if game in ZERO_SUM:
        assert sum(points) == 0
    elif game in ONE_LOSES:
        assert points == tuple(int(seat == loser) for seat in range(1, len(points) + 1))
    elif game == "dezertyras":
        assert points[:2] == points[2:]
        assert 0 in points
        assert max(points) <= 3


def identity(match: Match) -> None:
    """record → state → record is the identity, and the state the same."""
    text = write(match.record())
    read = parse(text)
    again = Match(read.header)
    for line in read.lines:
        again.push(line)
    assert write(again.record()) == text
    assert again.result() == match.result()


def numbers(argument: str) -> Iterator[int]:
    first, _, last = argument.partition("-")
    yield from range(int(first), int(last or first) + 1)


def main() -> int:
    """Plays the deals; 1 if one was not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--deals", default="1-10000", help="their numbers, like 1-10000")
    args = parser.parse_args()
    failed = 0
    for game in args.games:
        start, actions, longest, deals = time.perf_counter(), 0, 0, 0
        for number in numbers(args.deals):
            deals += 1
            try:
                length = check_deal(game, number)
            except AssertionError as error:
                failed += 1
                print(f"{game}: deal {number}: {error}", file=sys.stderr)
                continue
            actions, longest = actions + length, max(longest, length)
        took = time.perf_counter() - start
        print(f"{game}: {deals} deals, {actions} actions, longest {longest}, {took:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
