"""A look at a heap: what lay there before is not taken for a card that has landed."""

from __future__ import annotations

import pytest

from engine.cards import parse_card
from tests.vision.tabletop import Lying
from vision.look import _may_be
from vision.types import Outline, Reading

NINE = parse_card("♠9")


@pytest.mark.parametrize(
    "scores, visible, same",
    [
        ((("♠9", 0.99),), 1.0, True),
        ((("♣9", 0.85), ("♠9", 0.125), ("♥9", 0.014)), 0.5, True),  # half of its spade is hidden by now
        ((("♣9", 0.85), ("♠9", 0.125), ("♥9", 0.014)), 1.0, False),  # all of a card in sight: another one
        ((("♣9", 0.98), ("♥9", 0.01)), 0.5, True),  # the two suits of a colour are alike in half
        ((("♥9", 0.85), ("♣9", 0.14), ("♠9", 0.01)), 0.5, False),
        ((("♣T", 0.99), ("♣9", 0.01)), 0.5, False),
        ((("♣9", 0.7), ("♣T", 0.3)), 0.5, True),  # too unsure to be a new one
    ],
)
def test_an_index_half_hidden_may_be_of_the_card_that_is_known_to_lie_there(
    scores: tuple[tuple[str, float], ...], visible: float, same: bool
) -> None:
    outline = Outline(Lying(NINE, 0, 0).outline.corners, visible)
    reading = Reading(outline, tuple((parse_card(name), score) for name, score in scores))
    assert _may_be(reading, NINE) == same
