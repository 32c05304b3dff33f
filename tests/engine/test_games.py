"""Every registered game in simulated matches: what must hold whatever is played."""

from __future__ import annotations

import random

import pytest

from engine.actions import Action
from engine.games import GAMES
from engine.players import Cheat, Player, RandomPlayer, SimplePlayer
from engine.record import Header, Takeback
from engine.referee import Match
from engine.simulation import NAMES, Simulation
from tests.engine.deals import any_options, check_deal

TABLES = [(game.id, seats) for game in GAMES.values() for seats in game.players]
_LONGEST = 400  # actions of a deal; some games can go round for ever


def cheat(rng: random.Random) -> Player:
    return Cheat(RandomPlayer(rng), 0.15, rng)


def played(game: str, seats: int, seed: int, deals: int, player: object = RandomPlayer) -> Simulation:
    rng = random.Random(f"{game} {seats} {seed}")
    header = Header(game, NAMES[:seats], None, any_options(game, seats, rng))
    simulation = Simulation(header, seed, player)  # type: ignore[arg-type]
    for _ in range(deals):
        simulation.deal()
        for _ in range(_LONGEST):
            action = simulation.choose()
            if action is None:
                break
            simulation.happened(action)
    return simulation


@pytest.mark.parametrize("game", sorted(GAMES))
def test_whole_random_deals(game: str) -> None:
    """See `deals.check_deal`; `make deals` plays 10,000 of each game."""
    for number in range(60 if game == "savi_koziriai" else 200):
        check_deal(game, number)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_cards_are_conserved_at_every_step(game: str, seats: int) -> None:
    simulation = played(game, seats, 5, 1, cheat)
    match = Match(simulation.match.header)
    pack = len(match.game.pack(match.options))
    for line in simulation.match.record().lines:
        match.push(line)
        assert match.progress is not None
        counts = match.progress.worlds.counts
        assert all(count >= 0 for count in counts.values())
        assert sum(counts.values()) <= pack


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_taking_everything_back_restores_the_start_and_playing_it_again_the_end(
    game: str, seats: int
) -> None:
    simulation = played(game, seats, 7, 1, cheat)
    lines = simulation.match.record().lines[:60]
    match = Match(simulation.match.header)
    match.push(lines[0])
    views = [match.view()]
    accepted = []
    for line in lines[1:]:
        report = match.push(line.content)
        if not report.refused:
            accepted.append(line.content)
            views.append(match.view())
    for view in reversed(views[:-1]):
        match.push(Takeback())
        now = match.view()
        assert (now.turn, now.hand_counts, now.zones, now.score) == (
            view.turn, view.hand_counts, view.zones, view.score,
        )  # fmt: skip
        assert (now.expects, now.named, now.stock_count) == (view.expects, view.named, view.stock_count)
    for content in accepted:
        match.push(content)
    end = match.view()
    assert (end.turn, end.hand_counts, end.zones) == (views[-1].turn, views[-1].hand_counts, views[-1].zones)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_cheats_are_refused_or_stay_in_question_and_proved_when_every_hand_is_shown(
    game: str, seats: int
) -> None:
    """What a referee who sees all hands calls illegal, and what one who sees none has settled, agree."""
    simulation = played(game, seats, 11, 1, cheat)
    for deal in simulation.match.deals():
        for entry in deal.entries:
            assert entry.final in ("legal", "illegal", "impossible", "open")
            if entry.final == "illegal" and not entry.taken_back:
                assert entry.rule in simulation.match.game.rules, entry


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_view_says_what_is_expected_and_the_player_does_it(game: str) -> None:
    seats = GAMES[game].players[-1]
    simulation = Simulation(Header(game, NAMES[:seats]), 3)
    simulation.deal()
    for _ in range(60):
        action = simulation.choose()
        if action is None:
            break
        expected = [e for e in simulation.match.view().expects if e.seat == action.seat]
        assert action.verb in [e.verb for e in expected], (action, expected)
        simulation.happened(action)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_deals_of_sensible_players_end_or_come_round(game: str) -> None:
    seats = GAMES[game].players[-1]
    simulation = Simulation(Header(game, NAMES[:seats]), 1, lambda rng: SimplePlayer(game))
    ended = 0
    for _ in range(20):
        simulation.deal()
        for _ in range(1000):
            action = simulation.choose()
            if action is None or simulation.comes_round:
                break
            simulation.happened(action)
        assert simulation.comes_round or simulation.between_deals or game == "kozirinis"
        ended += simulation.match.deals()[-1].outcome is not None
    assert ended >= 17


def test_the_same_seed_gives_the_same_match_also_when_resumed() -> None:
    whole = played("durnius", 4, 3, 3)
    record = whole.match.record()
    again = Simulation.resumed(record, 3)
    assert again.match.result() == whole.match.result()
    assert isinstance(again.choose(), Action | None)
