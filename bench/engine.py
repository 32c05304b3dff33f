"""The engine: playouts with every card known, and verdicts with hidden hands; in processor time."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time

from bench.figures import rate, spread
from engine.deal import Setup
from engine.games import GAMES
from engine.places import OpenTable
from engine.players import Cheat, SimplePlayer, acting
from engine.record import Header, write
from engine.referee import Match
from engine.simulation import NAMES, Simulation

_SECONDS = 1.0


def run() -> None:
    """Prints, for each game, playout actions a second and the time of a verdict."""
    for name, game in GAMES.items():
        seats = max(n for n in game.players if n <= 4)
        count, seconds = playouts(name, seats)
        rate(f"{name}: playout actions", count, seconds)
        spread(f"{name}: verdict, hands hidden", verdicts(name, seats))
        seconds, megabytes = of_100_kb(name, seats)
        print(f"  {name}: a record of 100 kB judged in {seconds:.2f} s, peak memory {megabytes:.0f} MB")


def playouts(name: str, seats: int) -> tuple[int, float]:
    """Random deals with all cards known: legal actions listed, one chosen, applied. Actions and seconds."""
    game, rng = GAMES[name], random.Random(1)
    options = game.all_options({})
    pack = game.pack(options)
    count, start = 0, time.process_time()
    carried = None
    while time.process_time() - start < _SECONDS:
        deal = game.deal(Setup(seats, seats, options, pack, carried))
        table = OpenTable.deal(pack, deal.places(), rng)
        for fact in deal.opening(table):
            deal.apply_fact(fact, table)
        for _ in range(2000):
            turn = acting(deal, table)
            if turn is None:
                facts = list(deal.turned_up(table)) if deal.outcome is None else []
                if not facts:
                    break
                for fact in facts:
                    deal.apply_fact(fact, table)
                continue
            deal.apply(turn[1][int(rng.random() * len(turn[1]))], table)
            count += 1
    return count, time.process_time() - start


def verdicts(name: str, seats: int) -> list[float]:
    """Milliseconds of each verdict in simulated deals in which players cheat now and then."""
    simulation = Simulation(Header(name, NAMES[:seats]), 3, lambda rng: Cheat(SimplePlayer(name), 0.1, rng))
    for _ in range(20):
        if simulation.match.standing.winner is not None:
            break
        simulation.deal()
        for _ in range(400):
            action = simulation.choose()
            if action is None:
                break
            simulation.happened(action)
    record = simulation.match.record()
    match, taken = Match(record.header), []
    for line in record.lines:
        start = time.process_time()
        match.push(line)
        taken.append((time.process_time() - start) * 1000)
    return taken


def of_100_kb(name: str, seats: int) -> tuple[float, float]:
    """Seconds to judge a record of 100 kB, one move in ten of it wrong, and the peak of memory in MB."""
    simulation = Simulation(Header(name, NAMES[:seats]), 5, lambda rng: Cheat(SimplePlayer(name), 0.1, rng))
    size = 0
    while size < 100_000:
        size += sum(len(str(content).encode()) + 1 for content in simulation.deal())
        while size < 100_000 and (action := simulation.choose()) is not None:
            simulation.happened(action)
            size += len(str(action).encode()) + 1
    with tempfile.NamedTemporaryFile("w", suffix=".kort", encoding="utf-8") as file:
        file.write(write(simulation.match.record()))
        file.flush()
        done = subprocess.run([sys.executable, "-c", _JUDGE, file.name], capture_output=True, text=True)
    seconds, kilobytes = map(float, done.stdout.split())
    return seconds, kilobytes / 1024


_JUDGE = """
import resource, sys, time
from engine.record import decode
from engine.referee import judge
data = open(sys.argv[1], "rb").read()
start = time.process_time()
judge(decode(data)).result()
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
