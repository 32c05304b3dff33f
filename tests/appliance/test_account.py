"""The readable account of a match, and lines of a record in words."""

from __future__ import annotations

import json

import pytest

from appliance.account import account
from appliance.language import LANGUAGES, Language
from appliance.spoken import spoken_action, spoken_need, spoken_rank
from engine.referee import judge
from tests.shared import ROOT

ENGLISH = Language("en")


def told(record: str, language: str = "en") -> list[str]:
    return list(account(judge(record), Language(language)))


def test_a_trick_with_an_open_action_says_who_could_prove_it_and_how() -> None:
    record = (
        "game: dezertyras\nplayers: Rasa, Jonas, Ona, Petras\ndeal\nhand 1: ♥T ♥K ♥D ♥9 ♠T ♠K\n"
        "1 announce 10\n1 play ♥T\n2 play ♣9\n3 play ♥V\n4 play ♣T\n"
    )
    assert told(record) == [
        "Dezertyras: Rasa, Jonas, Ona, Petras",
        "",
        "Deal 1. Petras deals",
        "    4 · Rasa       has the hand: ♥T ♥K ♥D ♥9 ♠T ♠K",
        "    5   Rasa       announces 10",
        "    6   Rasa       ♥T",
        "    7 ? Jonas      ♣9                lawful only without ♠V ♠10 ♣10 ♥V ♥10 ♦10; still open",
        " " * 20 + "→ wrong if Jonas lays or shows one of these that was held then; right if all of them turn"
        " up elsewhere, or if Jonas shows the hand without them",
        "    8   Ona        ♥V",
        "    9 ? Petras     ♣T                lawful only without ♠V ♠10 ♣10 ♥10 ♦10; still open",
        " "
        * 20
        + "→ wrong if Petras lays or shows one of these that was held then; right if all of them turn"
        " up elsewhere, or if Petras shows the hand without them",
        "       The trick goes to Rasa",
        "       The deal was not finished",
        "",
        "Score: Rasa 0, Jonas 0, Ona 0, Petras 0",
    ]


def test_a_proof_names_the_line_that_gave_it() -> None:
    record = (
        "game: dezertyras\nplayers: Rasa, Jonas, Ona, Petras\ndeal\n"
        "1 announce 10\n1 play ♥T\n2 play ♣9\n2 expose ♥K\n"
    )
    assert (
        "    6 ✗ Jonas      ♣9                DZ-7 The suit led has to be followed; "
        "lawful only without ♠V ♠10 ♣10 ♥K ♥D ♥V ♥10 ♥9 ♦10; proved illegal (7, Jonas lets ♥K be seen)"
    ) in told(record)


def test_stars_are_told_with_their_rank() -> None:
    record = (ROOT / "tests/golden/durnius.score-stars.kort").read_text(encoding="utf-8")
    lines = told(record)
    assert [line for line in lines if "★" in line] == [
        f"  {name}: {'★' * stars} {rank}"
        for name, stars, rank in zip(
            ("Rasa", "Jonas", "Ona", "Petras"),
            judge(record).standing.score,
            (spoken_rank(n, ENGLISH) for n in judge(record).standing.score),
            strict=True,
        )
        if stars
    ]


def test_the_ranks_of_the_texts() -> None:
    """DU-13: the first, second, fourth, fifth and last are the sources'."""
    lithuanian = Language("lt")
    assert [spoken_rank(n, lithuanian) for n in (0, 1, 2, 4, 5, 12)] == [
        "", "jaunesnysis leitenantas", "leitenantas", "kapitonas", "majoras", "generalisimas",
    ]  # fmt: skip


def test_the_suo_barks_once_a_card() -> None:
    record = (ROOT / "docs/examples/suo.kort").read_text(encoding="utf-8")
    assert "       Rasa: barks 9 times" in told(record)
    assert "       Rasa: suloja 9 kartus" in told(record, "lt")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_every_playthrough_has_words(language: str) -> None:
    speaker = Language(language)
    names = ("A", "B", "C", "D", "E", "F")
    for path in sorted((ROOT / "tests/golden").glob("*.json")):
        for deal in json.loads(path.read_text(encoding="utf-8"))["deals"]:
            for action in deal["actions"]:
                assert spoken_action(action["action"], names, speaker)
                if "needs" in action:
                    assert spoken_need(action["needs"], names, speaker)


@pytest.mark.parametrize(
    ("action", "english"),
    [
        ("play ♥K+♥D !", "♥K+♥D Trump!"),
        ("put on self", "puts it on the own fund"),
        ("put on 2", "puts it on the fund of Jonas"),
        ("give ♠6 for ?", "gives ♠6 and draws a card"),
        ("give ♠6 for ♥T", "gives ♠6 and draws ♥T"),
        ("throw", "has nothing to give up"),
        ("throw ♠9 ♥9", "gives up ♠9 ♥9"),
        ("trump ♠ ♣", "names trumps: ♠ ♣"),
        ("draw", "draws a card"),
        ("laid ♠2 ♠3 ♠4", "had laid away ♠2 ♠3 ♠4"),
        ("hand: ♠2 ♠3", "has the hand: ♠2 ♠3"),
    ],
)
def test_actions_in_words(action: str, english: str) -> None:
    assert spoken_action(action, ("Rasa", "Jonas"), ENGLISH) == english
