"""The record: read, written, and never a traceback."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import CENTER, Action, Fact, parse_action
from engine.cards import NotationError, Rank, Suit, parse_card
from engine.record import (
    DealLine,
    End,
    Header,
    Line,
    Record,
    RecordError,
    Ruling,
    Takeback,
    decode,
    header_text,
    parse,
    write,
)
from engine.referee import judge

HEAD = "game: dezertyras\nplayers: Rasa, Jonas, Ona, Petras\n"


def error_of(text: str) -> tuple[int, str]:
    with pytest.raises(RecordError) as caught:
        judge(text)
    return caught.value.line, caught.value.text


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("announce 9", Action(1, "announce", rank=Rank.NINE)),
        ("announce Q", Action(1, "announce", rank=Rank.QUEEN)),
        ("trump ♠ c", Action(1, "trump", suits=(Suit.SPADES, Suit.CLUBS))),
        ("away 7", Action(1, "away", count=7)),
        ("throw", Action(1, "throw")),
        ("give ♠6 for ?", Action(1, "give", (parse_card("♠6"),), blind=True)),
        ("give ♠6 for hA", Action(1, "give", (parse_card("♠6"), parse_card("♥T")))),
        ("play hK+hQ !", Action(1, "play", (parse_card("♥K"), parse_card("♥D")), called=True)),
        ("play ♥D+♥K", Action(1, "play", (parse_card("♥K"), parse_card("♥D")))),
        ("put on center", Action(1, "put", target=CENTER)),
        ("put on self", Action(1, "put", target=1)),
        ("put on 3", Action(1, "put", target=3)),
        ("show VIZ VIZ ♠2", Action(1, "show", (parse_card("VIZ"), parse_card("VIZ"), parse_card("♠2")))),
    ],
)
def test_actions_are_read(text: str, action: Action) -> None:
    assert parse_action(1, text.split()) == action
    assert parse_action(1, action.text.split()) == action


def test_normal_spelling() -> None:
    assert str(parse_action(2, ["play", "hQ+hK", "!"])) == "2 play ♥K+♥D !"
    assert str(parse_action(2, ["give", "s6", "for", "?"])) == "2 give ♠6 for ?"
    assert str(Fact("hand", 3, (parse_card("sJ"), parse_card("IMP")))) == "hand 3: ♠V IMP"


@pytest.mark.parametrize(
    "text", ["", "fold", "announce", "announce 1", "play", "play ♥T ♥K", "play ♥T+♠K", "play ♥T+♥K", "away 8",
             "away 2", "give ♠6 for", "put 2", "put on 0", "put on ٣", "take ♥T", "trump ♠ ♣ ♥", "show"],
)  # fmt: skip
def test_malformed_actions(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(1, text.split())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n\n", 2),
        (HEAD, 0),
        ("players: A, B, C, D\ndeal\n", 2),
        ("game: dezertyras\ndeal\n", 2),
        ("game: dezertyras\nplayers: A, B, C\ndeal\n", 2),
        ("players: A, B, C\n# comment\ngame: dezertyras\n", 3),
        ("game: dezertyras\nplayers: A, B, C, D\ndealer: 5\n", 3),
        ("game: dezertyras\nplayers: A, , C, D\n", 2),
        ("game: dezertyras\ngame: dezertyras\n", 2),
        (HEAD + "option nothing: 1\n", 3),
        (HEAD + "option own_capture: 2\n", 3),
        (HEAD + "option own_capture: 1\noption own_capture: 1\n", 4),
        (HEAD + "1 play ♥T\n", 3),
        (HEAD + "deal\n5 play ♥T\n", 4),
        (HEAD + "deal\n0 play ♥T\n", 4),
        (HEAD + "deal\n1 announce 8\n", 4),
        (HEAD + "deal\n1 take\n", 4),
        (HEAD + "deal\n1 play ♥T !\n", 4),
        (HEAD + "deal\nstart: ♥T\n", 4),
        (HEAD + "deal\nhand 5: ♥T\n", 4),
        (HEAD + "deal\nhand 1:\n", 4),
        (HEAD + "deal dealer=5\n", 3),
        (HEAD + "deal dealer=1 2\n", 3),
        (HEAD + "deal\nruling fine\n", 4),
        (HEAD + "deal\n1 announce 9\ntakeback\ntakeback\nnonsense\n", 6),
        (HEAD + "deal\nnonsense\ntakeback\n", 4),
        (HEAD + "deal\n1 play \udc80\n", 4),
    ],
)
def test_the_first_line_that_cannot_stand(text: str, line: int) -> None:
    if line == 0:
        assert judge(text).result()["deals"] == []
    else:
        assert error_of(text)[0] == line


def test_comments_crlf_byte_order_mark_and_ascii() -> None:
    head = "\ufeffgame: dezertyras # a game\r\n\r\nplayers: A, B, C, D\r\n"
    text = head + "deal # 1\r\n1 announce 9\r\n1 play hA#\r\n"
    record = parse(text)
    assert [line.number for line in record.lines] == [4, 5, 6]
    assert write(record) == "game: dezertyras\nplayers: A, B, C, D\ndeal\n1 announce 9\n1 play ♥T\n"


def test_a_name_that_would_break_the_record_is_refused() -> None:
    for name in ("A, B", "A # B", "A\nB", ""):
        with pytest.raises(ValueError, match="name"):
            header_text(Header("dezertyras", (name, "B", "C", "D")))


cards = st.sampled_from([parse_card(name) for name in ("♠V", "♥T", "♦10", "♣9", "♥K", "♥8")])
contents = st.one_of(
    st.builds(DealLine, st.none() | st.integers(1, 4)),
    st.builds(Takeback),
    st.builds(End),
    st.builds(Ruling, st.sampled_from(["stand", "award", "void"])),
    st.builds(lambda seat, card: Action(seat, "play", (card,)), st.integers(1, 4), cards),
    st.builds(lambda seat, rank: Action(seat, "announce", rank=rank), st.integers(1, 4), st.sampled_from(
        [Rank.NINE, Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE])),
    st.builds(lambda seat, verb, some: Action(seat, verb, tuple(some)), st.integers(1, 4),
              st.sampled_from(["show", "expose"]), st.lists(cards, min_size=1, max_size=6)),
    st.builds(lambda seat, some: Fact("hand", seat, tuple(some)), st.integers(1, 4),
              st.lists(cards, min_size=1, max_size=6)),
)  # fmt: skip
names = st.text(st.characters(exclude_characters=",#\n\r", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]),
                min_size=1, max_size=8)  # fmt: skip


@given(
    st.tuples(names, names, names, names),
    st.none() | st.integers(1, 4),
    st.fixed_dictionaries({}, optional={"annulled": st.just("plain"), "own_capture": st.sampled_from("013")}),
    st.lists(contents, max_size=25),
)
def test_what_is_written_is_read_back(
    players: tuple[str, ...], dealer: int | None, options: dict[str, str], said: list[object]
) -> None:
    header = Header("dezertyras", players, dealer, options)
    first = header_text(header).count("\n") + 1
    lines = [Line(first + at, content) for at, content in enumerate([DealLine(), *said])]  # type: ignore[arg-type]
    record = Record(header, tuple(lines))
    assert parse(write(record)) == record


WORDS = st.one_of(
    st.sampled_from(["deal", "takeback", "end", "ruling", "void", "stand", "hand", "option", "dealer=2"]),
    st.sampled_from(["1", "2", "3", "5", ":", ",", "!", "#", "\ufeff", "\udcff", "\x00", "\r"]),
    st.sampled_from(["play", "announce", "show", "expose", "♥T", "♠V", "sJ", "hT", "IMP", "♥K+♥D"]),
    st.sampled_from(["10", "T", "Q", "game:", "dezertyras", "players:", "deal\n", "1 announce 9", "1 play"]),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=30).map("\n".join), st.booleans())
def test_any_text_is_judged_or_refused_with_one_line(text: str, with_head: bool) -> None:
    try:
        judge(HEAD + "deal\n1 announce 9\n" + text if with_head else text)
    except RecordError as error:
        assert error.line >= 1 and error.text and "\n" not in error.text


@given(st.binary(max_size=200))
def test_any_bytes_are_judged_or_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        judge(decode(data))
