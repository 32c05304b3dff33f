"""The game record (`.kort`): what was seen on the table, line by line (contract, section 2).

`Reader` reads it one line at a time, `parse` a whole text, `write` spells a record out in normal
form: `parse(write(record)) == record`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.actions import (
    FACTS_OF_A_SEAT,
    FACTS_OF_THE_TABLE,
    Action,
    Fact,
    parse_action,
    read_cards,
    shown,
)
from engine.cards import NotationError
from engine.games import GAMES, Game


class RecordError(ValueError):
    """A line that cannot stand in a record. `line` counts from 1; `text` says what is wrong, in one line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"{line}: {text}")
        self.line = line
        self.text = text


@dataclass(frozen=True)
class Header:
    """What holds for the whole match. `dealer`: of the first deal; None: the last seat (G-1)."""

    game: str
    players: tuple[str, ...]
    dealer: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal starts; `dealer` overrides whose turn it is to deal."""

    dealer: int | None = None

    def __str__(self) -> str:
        return "deal" if self.dealer is None else f"deal dealer={self.dealer}"


@dataclass(frozen=True, slots=True)
class Takeback:
    """Undoes the last accepted line."""

    def __str__(self) -> str:
        return "takeback"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The table's ruling on the latest violation proved: `stand`, `award` or `void`."""

    kind: str

    @property
    def text(self) -> str:
        return f"ruling {self.kind}"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class End:
    """The table breaks the deal off."""

    @property
    def text(self) -> str:
        return "end"

    def __str__(self) -> str:
        return "end"


Content = DealLine | Action | Fact | Takeback | Ruling | End


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a deal: its number in the text, counted from 1, and what it says."""

    number: int
    content: Content

    def __str__(self) -> str:
        return str(self.content)


@dataclass(frozen=True)
class Record:
    """A whole record. Line numbers do not count for equality of what was seen; they do for this `==`."""

    header: Header
    lines: tuple[Line, ...]

    @property
    def contents(self) -> tuple[Content, ...]:
        """What was seen, without line numbers."""
        return tuple(line.content for line in self.lines)


_SEAT = re.compile(r"[1-9][0-9]?")
_KEY = re.compile(r"(game|players|dealer|option\s+\S+)\s*:(.*)", re.ASCII | re.DOTALL)
_FACT = re.compile(r"(?:(hand|fund)\s+([0-9]+)|(start|center|spread))\s*:(.*)", re.ASCII | re.DOTALL)


class Reader:
    """Reads a record line by line. `header` is complete once the first `deal` line was read."""

    def __init__(self) -> None:
        self.number = 0
        self._game: Game | None = None
        self._players: tuple[str, ...] | None = None
        self._dealer: int | None = None
        self._options: dict[str, str] = {}
        self._header: Header | None = None

    @property
    def header(self) -> Header:
        """The header (RecordError while the record lacks one)."""
        if self._header is None:
            if self._game is None:
                raise self._error("no 'game:' line")
            if self._players is None:
                raise self._error("no 'players:' line")
            self._header = Header(self._game.id, self._players, self._dealer, dict(self._options))
        return self._header

    def _error(self, text: str) -> RecordError:
        return RecordError(max(self.number, 1), text)

    def feed(self, text: str) -> Line | None:
        """The next line of the text; None for a header line, a comment, a blank line. RecordError."""
        self.number += 1
        if self.number == 1:
            text = text.removeprefix("\ufeff")
        if any("\udc80" <= char <= "\udcff" for char in text):
            raise self._error("not UTF-8 text")
        text = text.partition("#")[0].strip()
        if not text:
            return None
        try:
            content = self._content(text)
        except NotationError as error:
            raise self._error(str(error)) from None
        return None if content is None else Line(self.number, content)

    def _content(self, text: str) -> Content | None:
        if key := _KEY.fullmatch(text):
            self._head(*key[1].split(), value=key[2].strip())
            return None
        words = text.split()
        if words[0] == "deal":
            return self._deal(words)
        if self._header is None:
            raise NotationError(f"before the first 'deal' there are only header lines: {shown(text)}")
        if text == "takeback":
            return Takeback()
        if text == "end":
            return End()
        if words[0] == "ruling":
            if len(words) != 2 or words[1] not in ("stand", "award", "void"):
                raise NotationError("a ruling is 'ruling stand', 'ruling award' or 'ruling void'")
            if words[1] not in self._rules().options["violation"].values:
                raise NotationError(f"no 'ruling {words[1]}' in {self._rules().id}")
            return Ruling(words[1])
        content = self._fact(text) if _SEAT.fullmatch(words[0]) is None else self._action(words)
        if not self._rules().has_line(content.form, len(self._header.players)):
            raise NotationError(f"{self._rules().id} has no line {shown(text)}")
        return content

    def _head(self, key: str, name: str = "", *, value: str) -> None:
        if self._header is not None:
            raise NotationError("header and option lines come before the first 'deal'")
        if key == "game":
            if self._game is not None:
                raise NotationError("a second 'game:' line")
            if value not in GAMES:
                raise NotationError(f"unknown game {shown(value)}")
            self._game = GAMES[value]
        elif key == "players":
            if self._players is not None:
                raise NotationError("a second 'players:' line")
            self._players = tuple(player.strip() for player in value.split(","))
            if not all(self._players):
                raise NotationError("a player without a name")
        elif key == "dealer":
            if self._dealer is not None:
                raise NotationError("a second 'dealer:' line")
            self._dealer = _seat(value)
        else:
            if name in self._options:
                raise NotationError(f"option {shown(name)} is given twice")
            self._options[name] = value
        self._check()

    def _check(self) -> None:
        """What the header lines read so far say together: the line that breaks it is the last one read."""
        if self._players is not None and self._dealer is not None and self._dealer > len(self._players):
            raise NotationError(f"dealer: there is no seat {self._dealer}")
        if self._game is not None:
            wrong = self._game.wrong_with(self._players, self._options)
            if wrong is not None:
                raise NotationError(wrong)

    def _deal(self, words: list[str]) -> DealLine:
        seats = len(self.header.players)
        if len(words) == 1:
            return DealLine()
        if len(words) == 2 and words[1].startswith("dealer="):
            dealer = _seat(words[1].removeprefix("dealer="))
            if dealer > seats:
                raise NotationError(f"there is no seat {dealer}")
            return DealLine(dealer)
        raise NotationError("a deal starts with 'deal' or 'deal dealer=SEAT'")

    def _rules(self) -> Game:
        assert self._game is not None
        return self._game

    def _action(self, words: list[str]) -> Action:
        seat = int(words[0])
        seats = len(self.header.players)
        if seat > seats:
            raise NotationError(f"there is no seat {seat}")
        action = parse_action(seat, words[1:])
        if action.target is not None and action.target > seats:
            raise NotationError(f"there is no seat {action.target}")
        if action.rank is not None:
            pack = self._rules().pack(self._rules().all_options(self._options))
            if all(card.joker or card.rank != action.rank for card in pack):
                raise NotationError(f"the pack has no rank {action.rank}")
        return action

    def _fact(self, text: str) -> Fact:
        found = _FACT.fullmatch(text)
        if found is None:
            raise NotationError(f"no such line: {shown(text)}")
        cards = read_cards(found[4].split())
        if not cards:
            raise NotationError("no cards named")
        if found[1] is None:
            if found[3] != "spread" and len(cards) != 1:
                raise NotationError(f"{found[3]}: one card")
            return Fact(found[3], None, cards)
        seat = _seat(found[2])
        if seat > len(self.header.players):
            raise NotationError(f"there is no seat {seat}")
        if found[1] == "fund" and len(cards) != 1:
            raise NotationError("fund: one card")
        return Fact(found[1], seat, cards)


def _seat(text: str) -> int:
    if _SEAT.fullmatch(text) is None:
        raise NotationError(f"not a seat: {shown(text)}")
    return int(text)


def read_lines(text: str, reader: Reader) -> Iterator[Line]:
    """The deal lines of a whole text, one by one; RecordError at the first that cannot be read."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for line in lines:
        content = reader.feed(line)
        if content is not None:
            yield content
    _ = reader.header


def parse(text: str) -> Record:
    """A whole record; RecordError at the first line that cannot be read."""
    reader = Reader()
    lines = tuple(read_lines(text, reader))
    return Record(reader.header, lines)


def decode(data: bytes) -> str:
    """The text of a record file. Bytes that are not UTF-8 stay marked, for `Reader` to name their line."""
    return data.decode("utf-8", "surrogateescape")


def header_text(header: Header) -> str:
    """The header lines; ValueError if a name cannot be written in a record."""
    for name in header.players:
        if not name or name != name.strip() or any(char in name for char in ",#\r\n"):
            raise ValueError(f"a player's name cannot be {name!r} in a record")
    lines = [f"game: {header.game}", "players: " + ", ".join(header.players)]
    if header.dealer is not None:
        lines.append(f"dealer: {header.dealer}")
    lines += [f"option {name}: {value}" for name, value in header.options.items()]
    return "\n".join(lines) + "\n"


def write(record: Record) -> str:
    """The record in normal spelling, one line each, no comments: what `parse` reads back."""
    return header_text(record.header) + "".join(f"{line}\n" for line in record.lines)


__all__ = [
    "FACTS_OF_A_SEAT",
    "FACTS_OF_THE_TABLE",
    "Content",
    "DealLine",
    "End",
    "Header",
    "Line",
    "Reader",
    "Record",
    "RecordError",
    "Ruling",
    "Takeback",
    "decode",
    "header_text",
    "parse",
    "read_lines",
    "write",
]
