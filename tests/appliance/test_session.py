"""A match on the table: card events and buttons in, lines stored before they count, and what is shown."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.journal import JournalError
from appliance.language import Language
from appliance.screen.model import Tone
from appliance.session import Session
from engine.actions import parse_action
from engine.cards import parse_card
from engine.record import Content, Header
from engine.referee import Match
from vision.types import Outline, Reading, TableEvent

CORNERS = np.zeros((4, 2), np.float32)


def event(name: str, card: str, seat: int | None, confidence: float = 0.99, *others: str) -> TableEvent:
    faces = [parse_card(text) for text in (card, *others)]
    reading = Reading(Outline(CORNERS), tuple((face, confidence / (n + 1)) for n, face in enumerate(faces)))
    return TableEvent(1.0, name, faces[0], confidence, None, seat, reading)  # type: ignore[arg-type]


class Table:
    """A session with what it stored."""

    def __init__(self) -> None:
        self.stored: list[str] = []
        match = Match(Header("dezertyras", ("Rasa", "Jonas", "Ona", "Petras"), 4))
        self.session = Session(match, Language("en"), store=self.store)

    def store(self, content: Content) -> None:
        self.stored.append(str(content))

    def begin(self, rank: str = "9") -> None:
        self.session.press("ok")
        self.choose(rank)

    def choose(self, answer: str) -> None:
        choice = self.session.choice
        assert choice is not None
        for _ in range(choice.answers.index(answer)):
            self.session.press("down")
        self.session.press("ok")

    def lay(self, seat: int, card: str) -> None:
        self.session.events([event("placed", card, seat)])


def test_a_deal_begins_with_the_console_and_the_sekliai_are_chosen_on_it() -> None:
    table = Table()
    choice = table.session.choice
    assert choice is not None
    assert (choice.title, choice.answers) == ("Deal the cards", ("Petras deals",))
    table.session.press("ok")
    choice = table.session.choice
    assert choice is not None
    assert (choice.title, choice.answers) == ("Rasa names the Sekliai", ("T", "K", "D", "V", "10", "9"))
    table.session.press("up")  # round to the last
    table.session.press("ok")
    assert table.stored == ["deal", "1 announce 9"]
    assert table.session.shown().waiting == "Next: Rasa"
    assert table.session.choice is None


def test_cards_laid_are_played_by_whose_hand_brought_them() -> None:
    table = Table()
    table.begin()
    for seat, card in ((1, "♥10"), (2, "♣T"), (3, "♥V"), (4, "♥D")):
        table.lay(seat, card)
    for card in ("♥10", "♣T", "♥V", "♥D"):
        table.session.events([event("removed", card, 4)])
    assert table.stored[2:] == ["1 play ♥10", "2 play ♣T", "3 play ♥V", "4 play ♥D"]
    shown = table.session.shown()
    assert shown.view.turn == 4
    assert shown.banner is None


def test_a_card_without_a_hand_is_taken_for_the_seat_whose_turn_it_is() -> None:
    table = Table()
    table.begin()
    table.session.events([event("placed", "♥10", None)])
    assert table.stored[-1] == "1 play ♥10"


def test_a_refused_card_is_explained_until_it_goes_back() -> None:
    table = Table()
    table.begin()
    table.lay(2, "♥10")
    banner = table.session.shown().banner
    assert banner is not None
    assert (banner.tone, banner.rule) == (Tone.WRONG, "G-6")
    assert banner.title == "Jonas: ♥10 is against the rules"
    assert banner.text == "Not your turn, or not the moment for it"
    table.session.events([event("removed", "♥10", 2)])
    assert table.session.shown().banner is None
    table.lay(1, "♦10")
    assert table.stored[2:] == ["2 play ♥10", "1 play ♦10"]


def test_a_doubtful_card_is_asked_about_with_the_likeliest_first() -> None:
    table = Table()
    table.begin()
    table.session.events([event("placed", "♥10", 1, 0.6, "♥9")])
    choice = table.session.choice
    assert choice is not None
    assert choice.title == "Rasa: which card is this?"
    assert choice.answers[:3] == ("♥10", "♥9", "♠T")
    assert choice.answers[-1] == "No card was laid"
    assert len(choice.answers) == 25
    assert table.stored[2:] == []
    table.choose("♥9")
    assert table.stored[2:] == ["1 play ♥9"]


def test_no_card_at_all_is_an_answer_too() -> None:
    table = Table()
    table.begin()
    table.session.events([event("placed", "♥10", 1, 0.3)])
    table.choose("No card was laid")
    assert table.stored[2:] == []
    assert table.session.choice is None


def test_the_last_action_is_taken_back_only_after_a_yes() -> None:
    table = Table()
    table.begin()
    table.lay(1, "♥10")
    table.session.press("back")
    table.session.press("ok")
    assert table.stored[-1] == "1 play ♥10"
    table.session.press("back")
    table.choose("Yes")
    assert table.stored[-1] == "takeback"
    assert table.session.shown().view.turn == 1


def test_with_nothing_to_take_back_the_button_does_nothing() -> None:
    table = Table()
    table.session.press("back")
    choice = table.session.choice
    assert choice is not None
    assert choice.title == "Deal the cards"


def test_a_proof_names_the_action_that_broke_the_rule() -> None:
    table = Table()
    table.begin()
    for seat, card in ((1, "♥10"), (2, "♣T"), (3, "♥V"), (4, "♥D"), (4, "♦T"), (1, "♦10"), (2, "♥K")):
        table.lay(seat, card)
    banner = table.session.shown().banner
    assert banner is not None
    assert (banner.tone, banner.rule) == (Tone.PROVED, "DZ-7")
    assert banner.title == "Proved: Jonas broke a rule with ♣T"


def test_between_deals_cards_mean_nothing() -> None:
    table = Table()
    table.lay(1, "♥10")
    assert table.stored == []


def test_a_card_that_lies_in_the_trick_is_not_played_again() -> None:
    table = Table()
    table.begin()
    table.lay(1, "♥10")
    table.lay(1, "♥10")
    assert table.stored[2:] == ["1 play ♥10"]


def test_a_line_that_cannot_be_stored_does_not_count() -> None:
    table = Table()
    table.begin()

    def full(content: Content) -> None:
        raise JournalError("the disk is full")

    table.session._store = full
    with pytest.raises(JournalError):
        table.lay(1, "♥10")
    assert table.session.shown().view.turn == 1
    assert [str(line) for line in table.session.match.record().lines] == ["deal", "1 announce 9"]


def test_the_end_of_a_deal_tells_who_won_it_and_who_deals_next() -> None:
    table = Table()
    table.begin()
    for seat, card in ((1, "♥10"), (2, "♠V"), (3, "♥V"), (4, "♥D")):
        table.lay(seat, card)
    shown = table.session.shown()
    assert shown.banner is not None
    assert shown.banner.title == "The deal goes to Jonas + Petras: 1 point"
    assert shown.view.score == {1: 0, 2: 1, 3: 0, 4: 1}
    assert shown.choice is not None
    assert shown.choice.answers == ("Rasa deals",)


def test_a_card_that_cannot_be_what_was_read_is_asked_about() -> None:
    """♥10 lies in the trick that was swept: nobody can lay it again, so it was misread."""
    table = Table()
    table.begin()
    for seat, card in ((1, "♥10"), (2, "♥T"), (3, "♥V"), (4, "♥D")):
        table.lay(seat, card)
    table.lay(2, "♦T")
    table.session.events([event("placed", "♣10", 3)])
    table.session.events([event("placed", "♦T", 4, 0.97, "♦D")])
    choice = table.session.choice
    assert choice is None  # it lies there already: it has only been looked at anew
    table.lay(4, "♥V")
    assert table.session.choice is None
    table.session.push(parse_action(1, ["expose", "♦K"]))
    table.session.events([event("placed", "♦K", 4, 0.97, "♦D")])
    choice = table.session.choice
    assert choice is not None
    assert choice.title == "Petras: which card is this?"
    assert choice.answers[:2] == ("♦K", "♦D")
    table.choose("♦D")
    assert table.stored[-1] == "4 play ♦D"


def test_a_card_that_slides_after_its_trick_is_over_is_neither_a_play_nor_asked_about() -> None:
    table = Table()
    table.begin()
    for seat, card in ((1, "♥10"), (2, "♣T"), (3, "♥V"), (4, "♥D")):
        table.lay(seat, card)
    for seat, card in ((4, "♠9"), (1, "♠10"), (2, "♠T"), (3, "♠D")):
        table.lay(seat, card)
    lines = list(table.stored)
    for seat in (1, 3):
        table.session.events([event("moved", "♥10", seat)])
    assert not table.session.asking and table.stored == lines
    table.lay(3, "♥10")  # laid anew it cannot be what was read: it is asked about
    assert table.session.asking


def test_the_watcher_hears_what_is_off_the_table_when_something_is_taken_off_it() -> None:
    table, heard = Table(), list[set[str]]()
    table.session._taken = lambda cards: heard.append({str(card) for card in cards})
    table.begin()
    for seat, card in ((1, "♥10"), (2, "♣T"), (3, "♥V"), (4, "♥D")):
        table.lay(seat, card)
    for seat, card in ((4, "♠9"), (1, "♠10"), (2, "♠T"), (3, "♠D")):
        table.lay(seat, card)
    assert heard == []  # what a play clears away is swept up as one
    table.session.events([event("removed", "♥V", 1), event("removed", "♥10", 1)])
    on_it = {str(laid.card) for zone in table.session.match.view().zones for laid in zone.cards}
    assert len(heard) == 1 and "♥10" in heard[0]
    assert "♠10" in on_it and not on_it & heard[0]
