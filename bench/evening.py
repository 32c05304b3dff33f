"""An evening without a camera: matches that are known beforehand, played through session, keeper and journal.

Each match is a function of the evening's seed and its number, so what is found in a journal after a fault
can be held against what was played.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance import standing
from appliance.flows import FLOWS
from appliance.journal import Journal
from appliance.keeper import Keeper
from appliance.language import Language
from appliance.rescue import Rescue, open_or_rescue
from appliance.session import Session
from engine.games import GAMES
from engine.players import Cheat, Player, SimplePlayer
from engine.record import Content, End, Header
from engine.referee import Match
from engine.simulation import NAMES, Simulation

_LONGEST = 150  # lines of a match, about
_CHEAT = 0.1


@dataclass(frozen=True)
class Script:
    """A match as it is going to be played."""

    header: Header
    lines: tuple[Content, ...]


@functools.lru_cache(maxsize=512)
def script(seed: int, number: int) -> Script:
    """The match of this number (from 1) of an evening."""
    rng = random.Random(f"{seed} evening {number}")
    game = rng.choice(tuple(FLOWS))
    seats = rng.choice(GAMES[game].players)
    header = Header(game, NAMES[:seats], rng.randint(1, seats))

    def player(rng: random.Random) -> Player:
        return Cheat(SimplePlayer(game), _CHEAT, rng)

    simulation = Simulation(header, f"{seed} {number}", player)
    while simulation.match.standing.winner is None and len(simulation.match.record().lines) < _LONGEST:
        simulation.deal()
        while (action := simulation.choose()) is not None:
            simulation.happened(action)
            if simulation.comes_round or len(simulation.match.record().lines) >= 2 * _LONGEST:
                simulation.happened(End())
                break
    return Script(header, simulation.match.record().contents)


def play(
    path: Path, seed: int, shown: Callable[[int, int], None], until: Callable[[], bool] = lambda: False
) -> None:
    """Plays on, from where the journal left off: the unfinished match first, then the next ones.

    `shown`: called with the number of a match and how many lines of it there are on the screen by now, at
    the start too. `until`: asked after each line whether to stop.
    """
    journal, rescue = open_or_rescue(path, "evening")
    if rescue is not None:
        raise ValueError(f"a journal that nothing has damaged was rescued: {rescue}")
    number = len(journal.matches())
    going_on = standing.match_to_go_on_with(journal, None)
    while True:
        if going_on is None:
            number += 1
            stored, match = None, Match(script(seed, number).header)
        else:
            stored, match = going_on
        done = len(match.record().lines)
        keeper = Keeper(lambda: Journal.open(path), match.header, "evening", {}, stored, journal)
        session = Session(match, Language("en"), store=keeper.store)
        shown(number, done)
        for content in script(seed, number).lines[done:]:
            session.push(content)
            session.shown()
            shown(number, len(match.record().lines))
            if until():
                keeper.close()
                return
        going_on = None


@dataclass(frozen=True)
class Found:
    """What a journal holds after a fault: how many lines of each match, by their numbers; `rescue`: it was
    damaged; `wrong`: what must not be, in words."""

    lines: dict[int, int]
    rescue: Rescue | None
    wrong: tuple[str, ...]


def examine(path: Path, seed: int, shown: dict[int, int], in_hand: int = 1) -> Found:
    """Opens the journal and holds it against what was played. `shown`: how many lines of each match were
    shown before the fault; at most `in_hand` lines more may be there, at the end of the last match."""
    wrong = []
    lines: dict[int, int] = {}
    journal, rescue = open_or_rescue(path, "after")
    with journal:
        matches = journal.matches()
        for match in matches:
            contents = journal.record(match.id).contents
            played = script(seed, match.id)
            lines[match.id] = len(contents)
            if match.header != played.header or contents != played.lines[: len(contents)]:
                wrong.append(f"match {match.id}: not what was played")
        for number, count in shown.items():
            if lines.get(number, 0) < count:
                wrong.append(f"match {number}: {count} lines were shown, {lines.get(number, 0)} are there")
        for number, count in lines.items():
            most = shown.get(number, 0) + (in_hand if number == len(matches) else 0)
            if count > most:
                wrong.append(f"match {number}: {count} lines are there, {most} can be")
    return Found(lines, rescue, tuple(wrong))
