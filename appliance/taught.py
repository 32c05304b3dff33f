"""A taught deck for the commands that take `--deck FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from appliance.failure import Failure

if TYPE_CHECKING:
    from vision.reader import Reader


def reader_for(deck: Path | None) -> Reader:
    """A reader, with the taught deck of a file if one is named; Failure if that cannot be used."""
    from vision.reader import Reader
    from vision.taught import DeckFileError, TaughtDeck

    try:
        return Reader.load(deck=None if deck is None else TaughtDeck.load(deck))
    except DeckFileError as error:
        raise Failure(str(error)) from None
