"""A taught deck for the commands that take `--deck FILE`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.failure import Failure

if TYPE_CHECKING:
    from vision.reader import Reader


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
