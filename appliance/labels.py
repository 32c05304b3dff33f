"""The list of labels for `enroll`: which card each picture shows, from a text file."""

from __future__ import annotations

from pathlib import Path

from appliance.failure import Failure
from engine.cards import Card, NotationError, parse_card


class Labels:
    """Cards by the name of their picture, or in the order of the pictures."""

    def __init__(self, named: dict[str, Card], ordered: tuple[Card, ...]) -> None:
        self._named = named
        self._ordered = iter(ordered)

    def card(self, name: str) -> Card | None:
        """The card of a picture; without names, each call takes the next one."""
        return self._named.get(name) if self._named else next(self._ordered, None)


def read_labels(path: Path) -> Labels:
    """Reads `CARD` or `NAME.jpg CARD`, one a line, `#` for comments; Failure in one line otherwise."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise Failure(f"{path}: not a text file") from None
    named: dict[str, Card] = {}
    ordered: list[Card] = []
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            card = parse_card(words[-1])
        except NotationError as error:
            raise Failure(f"{path}:{number}: {error}") from None
        name = " ".join(words[:-1])
        if name in named:
            raise Failure(f"{path}:{number}: {name} is in the list twice")
        if name:
            named[name] = card
        else:
            ordered.append(card)
        if named and ordered:
            raise Failure(f"{path}:{number}: either every line names its picture, or none")
    if not named and not ordered:
        raise Failure(f"{path}: no card in it")
    return Labels(named, tuple(ordered))
