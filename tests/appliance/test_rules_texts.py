"""The rules in words: every number in both languages, short enough for the banner, with cards that exist."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from appliance.language import FOLDER, LANGUAGES
from engine.cards import parse_card
from engine.games import GAMES

EVERY_NUMBER = """
G-1 G-2 G-3 G-4 G-5 G-6 G-7 G-8 G-9
DZ-1 DZ-2 DZ-3 DZ-4 DZ-5 DZ-6 DZ-7 DZ-8 DZ-9 DZ-10 DZ-11 DZ-12 DZ-13 DZ-14 DZ-15 DZ-16
DU-1 DU-2 DU-3 DU-4 DU-5 DU-6 DU-7 DU-8 DU-9 DU-10 DU-11 DU-12 DU-13
AZ-1 AZ-2 AZ-3 AZ-4 AZ-5 AZ-6 AZ-7
VU-1 VU-2 VU-3 VU-4 VU-5 VU-6 VU-7 VU-8
KO-1 KO-2 KO-3 KO-4 KO-5
DK-1 DK-2 DK-3 DK-4 DK-5 DK-6 DK-7
VP-1 VP-2 VP-3 VP-4 VP-5 VP-5a VP-6 VP-7 VP-8 VP-9 VP-10 VP-11 VP-12
SU-1 SU-2 SU-3 SU-4 SU-5 SU-6 SU-7
SK-1 SK-2 SK-3 SK-4 SK-5
VR-1 VR-2 VR-3 VR-4 VR-5 VR-6 VR-7 VR-8
IM-1 IM-2 IM-3 IM-4 IM-4a IM-5 IM-6 IM-7 IM-8 IM-9 IM-10 IM-10a IM-11 IM-12 IM-13 IM-14
"""
NUMBERS = EVERY_NUMBER.split()

PARTS = ("", ".example", ".short")
BANNER = 70
"""What fits on the screen's banner, in characters."""

SUITED = re.compile(r"[♠♣♥♦][0-9A-Za-z]+")
JOKER = re.compile(r"\b(?:IMP|VIZ)\b")
CITED = re.compile(r"\b(?:G|DZ|DU|AZ|VU|KO|DK|VP|SU|SK|VR|IM)-\d+a?\b")
LETTERS = re.compile(r"[^\W\d_]")


def read(language: str) -> Catalog:
    path = FOLDER / language / "LC_MESSAGES" / "rules.po"
    with path.open("rb") as source:
        return read_po(source, locale=language, abort_invalid=True)


@pytest.fixture(scope="module")
def texts() -> dict[str, dict[str, str]]:
    return {language: {str(m.id): str(m.string) for m in read(language) if m.id} for language in LANGUAGES}


def cards_named(text: str) -> list[str]:
    return SUITED.findall(text) + JOKER.findall(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_is_there_in_order_and_nothing_else(
    language: str, texts: dict[str, dict[str, str]]
) -> None:
    assert list(texts[language]) == [number + part for number in NUMBERS for part in PARTS]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_rule_a_game_can_cite_has_a_number_here(game: str) -> None:
    assert GAMES[game].rules
    assert [number for number in GAMES[game].rules if number not in NUMBERS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_and_short_ones_fit_the_banner(
    language: str, texts: dict[str, dict[str, str]]
) -> None:
    for key, text in texts[language].items():
        assert text == text.strip() != "", key
        if key.endswith(".short"):
            assert len(text) <= BANNER, (key, len(text))
            assert not text.endswith("."), key
        else:
            assert text.endswith((".", "“", '"')), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_names_cards_and_every_card_named_exists(
    language: str, texts: dict[str, dict[str, str]]
) -> None:
    for key, text in texts[language].items():
        named = cards_named(text)
        assert named or not key.endswith(".example"), key
        for card in named:
            assert str(parse_card(card)) == card, (key, card)


def test_both_languages_name_the_same_cards(texts: dict[str, dict[str, str]]) -> None:
    for number in NUMBERS:
        key = f"{number}.example"
        named = {language: sorted(set(cards_named(texts[language][key]))) for language in LANGUAGES}
        assert named["lt"] == named["en"], key


def test_no_text_was_left_untranslated(texts: dict[str, dict[str, str]]) -> None:
    same = [
        key
        for key, text in texts["lt"].items()
        if texts["en"][key] == text and LETTERS.search(SUITED.sub("", text))
    ]
    assert same == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_referred_to_exist(language: str, texts: dict[str, dict[str, str]]) -> None:
    for key, text in texts[language].items():
        for number in CITED.findall(text):
            assert number in NUMBERS, (key, number)


def test_the_plural_forms_are_those_of_the_language() -> None:
    assert read("lt").num_plurals == 3
    assert read("en").num_plurals == 2
