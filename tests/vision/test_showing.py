"""Cards shown one at a time: each is told once, also where its edges are too faint to be found alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.cards import parse_card
from tests.vision.tabletop import Film, Lying, distance
from vision import showing
from vision.reader import Reader
from vision.showing import held_cards
from vision.types import Frame

CARDS = [Lying(parse_card("♠9"), -90, 10, 20), Lying(parse_card("♥K"), 60, -40, 75)]


class Shown:
    """A film in which cards are laid one after the other, each taken away again."""

    stills = False

    def __iter__(self) -> Iterator[Frame]:
        film = Film()
        yield from film.show([], count=6)
        for card in CARDS:
            yield from film.show([card], count=8)
            yield from film.show([], count=8)

    def close(self) -> None:
        """Nothing to do."""


@pytest.mark.parametrize("faint", [False, True])
def test_each_card_is_told_once_and_the_bare_table_never(
    faint: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    held = showing._held

    def noted(*args: object) -> showing.Held:
        seen.append(args[2])
        return held(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(showing, "_held", noted)
    if faint:
        monkeypatch.setattr(showing, "find_outlines", lambda *_: ())
    told = list(held_cards(Shown(), Reader.load()))
    assert len(told) == len(CARDS)
    assert all(each.flat is not None and each.moving for each in told)
    for outline, card in zip(seen, CARDS, strict=True):
        assert distance(outline, card.outline) < 2.5
