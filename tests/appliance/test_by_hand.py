"""Every game can be played with the buttons alone, without a camera, and comes out as it was played."""

from __future__ import annotations

import random

import pytest

from appliance.console import Console, Hooks
from appliance.flows import FLOWS
from appliance.language import Language
from appliance.screen import pages
from appliance.screen.model import Shown
from appliance.session import Session
from appliance.settings import Settings
from engine.actions import CENTER, Action, Fact
from engine.cards import CARDS, Card, Rank
from engine.games import GAMES
from engine.players import Player, SimplePlayer
from engine.record import Content, DealLine, Header
from engine.referee import Match
from engine.simulation import NAMES, Simulation


class Hands:
    """Presses the five buttons of a console; reads only the screen."""

    def __init__(self, header: Header, blind: bool = True) -> None:
        self.session = Session(
            Match(header), Language("en"), listen=lambda report: self.console.heard(report)
        )
        hooks = Hooks(lambda header, listen: self.session, blind=lambda: blind)
        self.console = Console(hooks, Settings(language="en"))
        self.console.play(self.session)

    def choose(self, label: str) -> None:
        page = self.console.page()
        if isinstance(page, pages.Menu):
            labels, chosen = [row.label for row in page.rows], page.chosen
        elif isinstance(page, pages.AskCard):
            labels, chosen = [str(card) for card in page.cards], page.chosen
        else:
            assert isinstance(page, Shown), page
            assert page.choice is not None
            labels, chosen = list(page.choice.answers), page.choice.chosen
        assert label in labels, page
        for _ in range((labels.index(label) - chosen) % len(labels)):
            self.console.press("down")
        self.console.press("ok")

    def say(self, content: Content) -> bool:
        """Answers a question of the table, if it is asked; whether it was."""
        self.console.pass_on(proofs=True)
        self.console.to_table()
        says = self.session.says
        if content not in says:
            return False
        choice = self.session.choice
        assert choice is not None
        self.choose(choice.answers[says.index(content)])
        return True

    def lay(self, seat: int, cards: tuple[Card, ...], area: str | None = None) -> None:
        self.console.to_table()
        several = len(self.session.places) > 1
        while not isinstance(self.console.page(), pages.Menu):
            self.console.press("ok")  # what is said there is read, then the menu comes
        self.console.press("ok")  # it has chosen to lay a card
        self.choose(self.name(seat))
        for n, card in enumerate(cards):
            if n:
                self.choose("With another card")
            self.choose("★" if card.joker else str(card.suit))
            self.choose(str(card))
        if self.session.pairs and len(cards) == 1:
            self.choose("Alone")
        if area is not None and several:
            self.choose("In the middle" if area == "center" else self.name(int(area[4:])))

    def name(self, seat: int) -> str:
        return self.session.match.header.players[seat - 1]

    def do(self, content: Content) -> None:
        """Whatever people do at this table."""
        if self.say(content):
            return
        assert isinstance(content, Action | Fact)
        seat = content.seat or self.session.match.view().turn or 1
        match content.verb if isinstance(content, Action) else content.kind:
            case "laid" | "spread" | "throw":
                for card in content.cards:
                    self.lay(seat, (card,))
            case "fund":
                self.lay(seat, content.cards, f"seat{content.seat}")
            case "closed":
                self.lay(seat, content.cards, f"seat{seat}")
            case "play":
                self.lay(seat, content.cards, "center")
                self.say(content)  # was "Koziris!" called?
            case "put":
                assert isinstance(content, Action)
                view = self.session.match.view()
                drawn = [laid.card for zone in view.zones if zone.kind == "drawn" for laid in zone.cards]
                own = [zone.cards for zone in view.zones if zone.kind == "fund" and zone.seat == seat]
                card = drawn[0] if drawn else own[0][-1].card
                self.lay(seat, (card,), "center" if content.target == CENTER else f"seat{content.target}")
            case _:
                self.lay(seat, content.cards[:1], "center")


class Table:
    """Simulated players at a table without a camera."""

    def __init__(self, game: str, seats: int) -> None:
        header = Header(game, NAMES[:seats], seats)

        def player(rng: random.Random) -> Player:
            return SimplePlayer(game)

        self.simulation = Simulation(header, 5, player)
        self.hands = Hands(header)

    def play(self, lines: int) -> None:
        """A deal, or its first lines."""
        self.simulation.deal()
        done = 0
        while done < lines:
            contents = self.simulation.match.record().contents
            if done == len(contents):
                action = self.simulation.choose()
                if action is not None:
                    self.simulation.happened(action)
                elif len(self.simulation.match.record().contents) == done:
                    break
                continue
            skip = 2 if _draws_and_puts(contents[done:]) else 1
            if (
                len(contents) == done + 1
                and isinstance(contents[done], Action)
                and contents[done].verb == "draw"
            ):  # type: ignore[union-attr]
                action = self.simulation.choose()
                if action is not None:
                    self.simulation.happened(action)
                    continue
            self._do(contents[done : done + skip])
            done += skip

    def held(self, seat: int) -> tuple[Card, ...]:
        """What a seat really holds."""
        hand = self.simulation.hand(seat).hands[seat]
        return tuple(CARDS[n] for n in range(len(CARDS)) if hand >> n & 1)

    def _do(self, contents: tuple[Content, ...]) -> None:
        first = contents[0]
        if len(contents) == 2:
            assert isinstance(first, Action)
            assert isinstance(contents[1], Action)
            target = contents[1].target
            self.hands.lay(first.seat, first.cards, "center" if target == CENTER else f"seat{target}")
        else:
            self.hands.do(first)


def _draws_and_puts(contents: tuple[Content, ...]) -> bool:
    verbs = [content.verb for content in contents[:2] if isinstance(content, Action)]
    return verbs == ["draw", "put"] and bool(contents[0].cards)  # type: ignore[union-attr]


@pytest.mark.parametrize("game", FLOWS)
def test_a_deal_of_every_game_is_played_with_the_buttons(game: str) -> None:
    table = Table(game, min(GAMES[game].players))
    table.play(40)
    played = table.simulation.match.record().contents
    assert len(played) > 5
    assert table.hands.session.match.record().contents == played
    assert played[0] == DealLine()


def test_a_hand_is_shown_with_the_buttons_too() -> None:
    table = Table("dezertyras", 4)
    table.play(4)
    hands = table.hands
    hands.console.to_table()
    while not isinstance(hands.console.page(), pages.Menu):
        hands.console.press("ok")
    hands.choose("Look at a hand")
    view = hands.session.match.view()
    held = {seat: table.held(seat) for seat in (1, 2, 3, 4)}
    seat = next(seat for seat, count in view.hand_counts.items() if len(held[seat]) == count)
    hands.choose(hands.name(seat))
    for card in held[seat]:
        hands.console.press("ok")
        hands.choose(str(card.suit))
        hands.choose(str(card))
    page = hands.console.page()
    assert isinstance(page, pages.HandCheck)
    assert page.complete
    hands.console.press("ok")
    assert hands.session.match.record().contents[-1] == Action(seat, "show", held[seat])


def test_with_a_camera_the_menu_does_not_begin_with_the_buttons() -> None:
    hands = Hands(Header("dezertyras", NAMES[:4], 4), blind=False)
    hands.say(DealLine())
    hands.say(Action(1, "announce", rank=Rank.NINE))
    hands.console.press("ok")
    page = hands.console.page()
    assert isinstance(page, pages.Menu)
    assert page.rows[page.chosen].label == "Back to the table"
    assert "Lay a card with the buttons" in [row.label for row in page.rows]


def test_back_leaves_every_question_without_a_trace() -> None:
    hands = Hands(Header("durnius", NAMES[:2], 2))
    hands.say(DealLine())
    while hands.session.choice is not None and not hands.session.idle:
        hands.console.press("ok")  # trumps
    before = hands.session.match.record().contents
    hands.console.press("ok")
    hands.console.press("ok")
    hands.choose("Rasa")
    hands.choose("♥")
    for title in ("Rasa: which card is this?", "Rasa: which card is this?", "Who lays a card?", "Durnius"):
        page = hands.console.page()
        assert isinstance(page, pages.Menu | pages.AskCard)
        assert page.title == title
        hands.console.press("back")
    assert isinstance(hands.console.page(), Shown)
    assert hands.session.match.record().contents == before
