"""Taught decks: those of `--deck FILE`, and those that were taught on the console."""

from __future__ import annotations

import sys
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.failure import Failure, write_file
from appliance.folders import deck_folder

if TYPE_CHECKING:
    from vision.reader import Reader
    from vision.teach import Lesson

_SUFFIX = ".deck"


def reader_for(deck: Path | None) -> Reader:
    """A reader, with the taught deck of a file if one is named; Failure if that cannot be used."""
    from vision.reader import Reader
    from vision.taught import DeckFileError, TaughtDeck

    if deck is None:
        return _built_in()
    try:
        return Reader.load(deck=TaughtDeck.load(deck))
    except DeckFileError as error:
        raise Failure(str(error)) from None


@cache
def _built_in() -> Reader:
    """The networks are loaded once: they take some hundred megabytes."""
    from vision.reader import Reader

    return Reader.load()


def decks() -> tuple[str, ...]:
    """The names of the decks that were taught on the console, the oldest first."""
    return tuple(sorted(path.stem for path in deck_folder().glob("*" + _SUFFIX)))


def keep_deck(lesson: Lesson, now: datetime) -> str:
    """Keeps a deck that was taught on the console; its name. Failure if it cannot be written."""
    stamp = now.strftime("%Y-%m-%d %H.%M")
    names = (stamp, *(f"{stamp} ({n})" for n in range(2, 100)))
    name = next(name for name in names if name not in decks())
    path = deck_folder() / (name + _SUFFIX)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{path.parent}: cannot be made: {error.strerror}") from None
    write_file(path, lesson.finish(name, now.date().isoformat()).save())
    return name


def with_deck(usual: Reader, name: str) -> Reader:
    """The reader with a deck of the console; as it is without one, or if that cannot be used any more."""
    from vision.taught import DeckFileError, TaughtDeck

    if not name:
        return usual
    try:
        return usual.with_deck(TaughtDeck.load(deck_folder() / (name + _SUFFIX)))
    except DeckFileError as error:
        print(f"kortstalis: {error}; cards are read without it", file=sys.stderr)
        return usual
