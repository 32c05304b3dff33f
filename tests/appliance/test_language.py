"""Both catalogues are complete and say what the program asks of them."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from appliance.flows import FLOWS
from appliance.language import FOLDER, LANGUAGES, Language
from engine.games import GAMES

APPLIANCE = Path(__file__).parent.parent.parent / "appliance"
SPEAKERS = ("language", "say", "_")


def asked() -> Iterator[tuple[str, ...]]:
    """Every text that the code asks a catalogue for: (text,) or (one, several)."""
    for path in APPLIANCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func
            called = (
                name.id
                if isinstance(name, ast.Name)
                else name.attr
                if isinstance(name, ast.Attribute)
                else ""
            )
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if called == "count" and len(texts) == 2:
                yield (texts[0], texts[1])
            elif called in SPEAKERS and texts:
                yield (texts[0],)


def read(language: str, domain: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as source:
        return read_po(source, locale=language)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_code_is_in_the_catalogue_and_nothing_else(language: str) -> None:
    catalogue = read(language, "kortstalis")
    known = {m.id if isinstance(m.id, tuple) else (m.id,) for m in catalogue if m.id}
    wanted = set(asked())
    assert len(wanted) > 20
    assert known == wanted


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", ["kortstalis", "rules"])
def test_no_entry_is_empty_or_unsure_and_placeholders_agree(language: str, domain: str) -> None:
    for message in read(language, domain):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        for text in texts:
            assert text, message.id
            if domain == "kortstalis":
                assert placeholders(text) == placeholders(ids[-1]), message.id


def test_lithuanian_is_not_english() -> None:
    english, lithuanian = read("en", "kortstalis"), read("lt", "kortstalis")
    same = [m.id for m in lithuanian if m.id and english[m.id].string == m.string]
    assert same == ["Sekliai"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sorted(FLOWS))
def test_every_rule_of_a_game_on_the_table_has_its_text_example_and_short_form(
    language: str, game: str
) -> None:
    speaker = Language(language)
    for number in GAMES[game].rules:
        assert speaker.rule(number), number
        assert speaker.rule_example(number), number
        assert 0 < len(speaker.rule_short(number)) <= 70, number


def test_numbers_take_their_lithuanian_forms() -> None:
    count = Language("lt").count
    assert [count("{n} point", "{n} points", n) for n in (1, 2, 10, 11, 21, 25)] == [
        "1 taškas", "2 taškai", "10 taškų", "11 taškų", "21 taškas", "25 taškai",
    ]  # fmt: skip


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no language 'fr': there is lt, en"):
        Language("fr")
