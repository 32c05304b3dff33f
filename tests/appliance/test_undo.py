"""Undo and corrections after a deal or a match has ended: score, table, lamps and what is asked are as they
were; in every game, by the buttons alone."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from appliance.console import Console, Hooks
from appliance.lamps import pod_lamps, signals
from appliance.language import Language
from appliance.screen.model import Shown
from appliance.screen.pages import AskCard, DealResult, Dispute, MatchResult
from appliance.session import Session
from appliance.settings import Settings
from engine.actions import Action
from engine.cards import Card
from engine.games import GAMES
from engine.players import SimplePlayer
from engine.record import Header, Takeback
from engine.referee import Match
from engine.simulation import NAMES, Simulation
from engine.view import View
from vision.types import TableEvent

ONE_DEAL = {"velnio_ratas": {"deals": "1"}, "azijietiskas": {"deals": "1"}}
"""Games whose match can be one deal long."""


def over(game: str, options: dict[str, str] | None = None) -> Match:
    """A match whose first deal that is decided has just ended."""
    seats = min(max(GAMES[game].players), 4)
    header = Header(game, NAMES[:seats], seats, options or {})
    simulation = Simulation(header, 7, lambda rng: SimplePlayer(game))
    for _ in range(40):
        simulation.deal()
        while (action := simulation.choose()) is not None:
            simulation.happened(action)
        if simulation.match.view().stage == "decided":
            return simulation.match
    raise AssertionError("no deal of this game was decided")


class At:
    """A console at the last action but one of a match; `end` plays that one."""

    def __init__(self, match: Match) -> None:
        self.header = match.header
        self.contents = match.record().contents
        hooks = Hooks(
            lambda header, listen: Session(Match(header), Language("en"), listen=listen),
            likely=lambda line: (),
        )
        self.console = Console(hooks, Settings(language="en"))
        self.console.play(self.console.hooks.begin(match.header, self.console.heard))
        for content in self.contents[:-1]:
            self.session.push(content)
        self.console.to_table()

    @property
    def session(self) -> Session:
        return self.console.playing()

    @property
    def view(self) -> View:
        return self.session.match.view()

    def end(self) -> None:
        self.session.push(self.contents[-1])

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.console.press(button)

    def lamps(self) -> object:
        """What the lamps say once the banner of the last action has been read."""
        return pod_lamps(signals(self.session.shown()))


def at_table(console: Console) -> None:
    """Out of whatever tells how it came out, as people get there: OK."""
    for _ in range(4):
        if isinstance(console.page(), Shown):
            return
        console.press("ok")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_last_action_of_a_deal_is_taken_back_with_its_score(game: str) -> None:
    at = At(over(game))
    before, score, asked = at.view, at.session.match.standing.score, at.session.choice
    if at.session.shown().banner is not None:
        at.press("ok")
    lamps = at.lamps()
    at.end()
    assert at.view.stage == "decided"
    assert isinstance(at.console.page(), DealResult | MatchResult)
    at.press("back", "down", "ok")
    assert isinstance(at.session.match.record().contents[-1], Takeback)
    assert at.view == before
    assert (at.session.match.standing.score, at.session.match.standing.winner) == (score, None)
    assert isinstance(at.console.page(), Shown)
    assert at.session.choice == asked
    assert at.lamps() == lamps
    at.end()  # and what was right after all ends it again
    assert at.view.stage == "decided"


@pytest.mark.parametrize("game", sorted(ONE_DEAL))
def test_the_last_action_of_a_match_is_taken_back_with_its_winner(game: str) -> None:
    at = At(over(game, ONE_DEAL[game]))
    before, lamps = at.view, at.lamps()
    at.end()
    assert at.session.match.standing.winner is not None
    assert at.lamps() != lamps
    assert isinstance(at.console.page(), DealResult)
    at.press("ok")
    assert isinstance(at.console.page(), MatchResult)
    at.press("back", "down", "ok")
    assert (at.view, at.session.match.standing.winner) == (before, None)
    assert isinstance(at.console.page(), Shown)
    assert at.lamps() == lamps


@pytest.mark.parametrize("game", sorted(ONE_DEAL))
def test_a_card_is_corrected_in_three_presses_after_the_match_has_ended(game: str) -> None:
    at = At(over(game, ONE_DEAL[game]))
    at.end()
    at.press("dispute")
    assert isinstance(at.console.page(), Dispute)
    at.press("dispute")
    page = at.console.page()
    assert isinstance(page, AskCard)
    at.press("ok")
    contents = at.session.match.record().contents
    last = at.contents[-1]
    assert isinstance(last, Action) and isinstance(contents[-1], Action)
    assert contents[-2:] == (Takeback(), Action(last.seat, last.verb, (page.cards[0],)))  # type: ignore[arg-type]
    assert at.session.match.standing.winner is None or contents[-1].cards != last.cards


@pytest.mark.parametrize("game", ["dezertyras", "durnius", "velnio_ratas", "vepla"])
def test_an_earlier_card_is_corrected_in_three_presses_once_it_is_found(game: str) -> None:
    at = At(over(game))
    at.end()
    rng = random.Random(5)
    entries = [
        (n, entry)
        for n, entry in enumerate(at.session.match.entries)
        if entry.action.startswith("play") and len(entry.action.split()) == 2
    ]
    for n, entry in rng.sample(entries, 4):
        deal = At(over(game))
        deal.end()
        deal.press("dispute", *["up"] * (len(deal.session.match.entries) - 1 - n))
        page = deal.console.page()
        assert isinstance(page, Dispute)
        assert page.place.startswith(f"{n + 1} of ")
        deal.press("dispute")
        asked = deal.console.page()
        assert isinstance(asked, AskCard)
        deal.press("ok")
        wanted = Match(deal.header)
        numbers = [line.number for line in at.session.match.record().lines]
        for number, content in zip(numbers, at.contents, strict=True):
            if number == entry.line:
                assert isinstance(content, Action)
                content = replace(content, cards=(asked.cards[0],))  # type: ignore[arg-type]
            wanted.push(content)
        seen, right = deal.view, wanted.view()  # lines have other numbers
        assert (replace(seen, pending=()), len(seen.pending)) == (
            replace(right, pending=()),
            len(right.pending),
        )
        assert deal.session.match.standing == wanted.standing


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_taken_back_to_the_start_leaves_nothing_of_the_deal(game: str) -> None:
    """Undo step by step to the first line: the state after each is that which was there before it."""
    match = over(game)
    at = At(match)
    fresh = Match(match.header)
    states = []
    deals = [n for n, content in enumerate(at.contents) if str(content).startswith("deal")]
    for n, content in enumerate(at.contents[:-1]):
        fresh.push(content)
        if n >= deals[-1]:
            states.append((fresh.view(), fresh.standing.score))
    refused = [entry for entry in at.session.match.entries if entry.verdict in ("illegal", "impossible")]
    assert not refused
    for wanted in reversed(states[:-1]):
        at.press("back", "down", "ok")
        assert (at.view, at.session.match.standing.score) == wanted
    at.press("back")  # the deal line is not taken back
    assert at.session.choice is None or "Take back" not in at.session.choice.title


def laid(view: View, *kinds: str) -> list[tuple[Card, int | None]]:
    """The cards of such zones with the seats that laid them."""
    return [(each.card, each.seat) for zone in view.zones if zone.kind in kinds for each in zone.cards]


def seen(name: str, card: Card, seat: int | None = None) -> TableEvent:
    return TableEvent(1.0, name, card, 0.99, "center", seat)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "game", ["azijietiskas", "dudakas", "durnius", "kozirinis", "savi_koziriai", "vezimas"]
)
def test_a_heap_that_was_swept_by_mistake_comes_back_with_an_undo(game: str) -> None:
    """The sweep is a take; it is taken back, the cards are laid back, and the game goes on where it stood."""
    at = At(over(game))
    contents = at.contents
    at.console.play(at.console.hooks.begin(at.header, at.console.heard))
    for n, content in enumerate(contents):  # noqa: B007
        ahead = at.view
        if len(laid(ahead, "pile")) >= 2 and ahead.expectation("take") and str(content).split()[1] == "play":
            break
        at.session.push(content)
    at_table(at.console)
    pile = laid(ahead, "pile")
    at.console.events([seen("removed", card) for card, _ in reversed(pile)])
    assert str(at.session.match.record().contents[-1]).endswith("take")
    assert len(laid(at.view, "pile")) < len(pile)
    takes = 1
    if game == "vezimas":  # there each takes the top card, so a whole heap gone is as many takes
        takes = len([c for c in at.session.match.record().contents[n:] if str(c).endswith("take")])
    for _ in range(takes):
        at_table(at.console)
        at.press("back", "down", "ok")
    assert at.view == ahead
    count = len(at.session.match.record().contents)
    at.console.events([seen("placed", card, seat) for card, seat in pile])
    assert len(at.session.match.record().contents) == count
    assert at.session.choice is None or "which card" not in at.session.choice.title
    at.session.push(contents[n])
    assert at.session.match.entries[-1].verdict not in ("illegal", "impossible")


@pytest.mark.parametrize("game", ["dezertyras", "imperatorius"])
def test_a_trick_that_is_swept_too_early_means_nothing(game: str) -> None:
    at = At(over(game))
    contents = at.contents
    at.console.play(at.console.hooks.begin(at.header, at.console.heard))
    for n, content in enumerate(contents):  # noqa: B007
        if len(laid(at.view, "trick")) == 2 and str(content).split()[1] == "play":
            break
        at.session.push(content)
    at_table(at.console)
    before, trick = at.view, laid(at.view, "trick")
    count = len(at.session.match.record().contents)
    at.console.events([seen("removed", card) for card, _ in trick])
    at.console.events([seen("placed", card, seat) for card, seat in trick])
    assert (at.view, len(at.session.match.record().contents)) == (before, count)
    assert isinstance(at.console.page(), Shown)
    at.session.push(contents[n])
    assert at.session.match.entries[-1].verdict not in ("illegal", "impossible")
