"""A lesson: proposals, corrections, undoing, refusals, what is missing, and the deck at its end."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import IMP, PACK_24, PACK_56, VIZ, Card, parse_card
from vision.deck import DrawnDeck
from vision.teach import Lesson, Refusal
from vision.types import Face, Image, Outline, Reading

DECK = DrawnDeck(pixels_per_mm=2.0)
NOWHERE = Outline(np.zeros((4, 2), np.float32))
ACE, KING, NINE = (parse_card(text) for text in ("♥T", "♥K", "♠9"))


def flat(face: Face, light: float = 1.0) -> Image:
    image = np.zeros((176, 128, 3), np.uint8)
    drawn = DECK.face(face)
    image[:] = drawn[:176, np.linspace(0, drawn.shape[1] - 1, 128).astype(int)]
    return (image * light).astype(np.uint8)


def read(*scores: tuple[Card, float]) -> Reading:
    return Reading(NOWHERE, scores)


def teach(lesson: Lesson, *cards: Card) -> None:
    for card in cards:
        assert lesson.teach(lesson.show(flat(card), read((card, 0.99))), card) is None


def test_the_likeliest_card_that_is_still_missing_is_proposed() -> None:
    lesson = Lesson(PACK_24)
    assert lesson.show(flat(ACE), read((ACE, 0.9), (KING, 0.05))).proposed == ACE
    teach(lesson, ACE)
    shown = lesson.show(flat(KING), read((ACE, 0.6), (KING, 0.3)))
    assert (shown.proposed, shown.confidence) == (KING, 0.3)


def test_a_card_that_is_not_read_has_no_proposal_unless_it_is_the_last() -> None:
    lesson = Lesson((ACE, KING))
    assert lesson.show(flat(ACE)).proposed is None
    teach(lesson, ACE)
    assert lesson.show(flat(KING)).proposed == KING


def test_a_correction_is_what_counts() -> None:
    lesson = Lesson(PACK_24)
    assert lesson.teach(lesson.show(flat(ACE), read((KING, 0.9))), ACE) is None
    assert lesson.taught == (ACE,)


def test_the_same_card_twice_is_refused_with_the_reason() -> None:
    lesson = Lesson(PACK_24)
    teach(lesson, ACE, NINE)
    again = lesson.show(flat(ACE, 0.7), read((ACE, 0.9)))
    assert again.refusal == Refusal("looks alike", ACE)
    assert lesson.show(flat(ACE, 0.7)).refusal == Refusal("looks alike", ACE)
    assert lesson.teach(again, ACE) == Refusal("taught", ACE)
    assert lesson.teach(again, parse_card("♥2")) == Refusal("not in pack", parse_card("♥2"))
    assert lesson.show(flat(KING), read((KING, 0.9))).refusal is None
    assert lesson.taught == (ACE, NINE)


def test_undo_forgets_the_last_card() -> None:
    lesson = Lesson((ACE, KING))
    assert lesson.undo() is None
    teach(lesson, ACE, KING)
    assert lesson.missing == ()
    assert lesson.undo() == KING
    assert (lesson.taught, lesson.missing) == ((ACE,), (KING,))
    assert lesson.show(flat(KING)).refusal is None


def test_what_is_missing_in_a_pack_with_jokers() -> None:
    lesson = Lesson(PACK_56)
    teach(lesson, *(card for card in PACK_56 if not card.joker))
    assert lesson.missing == (IMP, VIZ)
    teach(lesson, IMP, VIZ)
    assert lesson.missing == ()
    # A second Viziris that looks the same teaches nothing; one that looks different does.
    assert lesson.teach(lesson.show(flat(VIZ, 0.9)), VIZ) == Refusal("looks alike", VIZ)
    assert lesson.teach(lesson.show(flat(VIZ)[:, ::-1].copy()), VIZ) is None


def test_a_lesson_ends_with_a_deck_that_knows_its_cards() -> None:
    lesson = Lesson(PACK_24)
    with pytest.raises(ValueError, match="no card was taught"):
        lesson.finish("mine", "2025-01-01")
    teach(lesson, *PACK_24)
    deck = lesson.finish("mine", "2025-01-01")
    assert (deck.name, deck.date, deck.cards) == ("mine", "2025-01-01", PACK_24)
    assert [deck.match(flat(card, 0.8)).card for card in PACK_24] == list(PACK_24)
