"""Golden playthroughs: for every game and every value of its options a simulated deal or two, judged.

`make golden` writes them anew; the tests hold the engine to what is written. Look at what changed before
committing: a difference is a change of a rule or of a verdict.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from engine.games import GAMES
from engine.players import Cheat, Player, RandomPlayer
from engine.record import Header, write
from engine.simulation import NAMES, Simulation

FOLDER = Path(__file__).parent.parent / "golden"
_LONGEST = 150


def tables() -> Iterator[tuple[str, str, int, dict[str, str]]]:
    """Name, game, seats and options of every playthrough there has to be."""
    for game in GAMES.values():
        seats = max(n for n in game.players if n <= 4)
        yield game.id, game.id, seats, {}
        for option, values in game.options.items():
            for value in [*values.values[1:], *(["3"] if values.number else [])]:
                yield f"{game.id}.{option}-{value}", game.id, seats, {option: value}


def _cheat(rng: random.Random) -> Player:
    return Cheat(RandomPlayer(rng), 0.1, rng)


def playthrough(name: str, game: str, seats: int, options: dict[str, str]) -> tuple[str, str]:
    """The record and its results, as texts."""
    simulation = Simulation(Header(game, NAMES[:seats], None, options), name, _cheat)
    for _ in range(2):
        simulation.deal()
        for _ in range(_LONGEST):
            action = simulation.choose()
            if action is None:
                break
            simulation.happened(action)
    result = json.dumps(simulation.match.result(), ensure_ascii=False, indent=1)
    return write(simulation.match.record()), result + "\n"


def main() -> None:
    """Writes them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, game, seats, options in tables():
        record, result = playthrough(name, game, seats, options)
        (FOLDER / f"{name}.kort").write_text(record, encoding="utf-8")
        (FOLDER / f"{name}.json").write_text(result, encoding="utf-8")


if __name__ == "__main__":
    main()
