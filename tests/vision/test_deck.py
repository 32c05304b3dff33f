"""Our drawn deck and photographed faces."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import IMP, PACK_52, VIZ, Card, parse_card
from vision.deck import CORNER_MM, DeckError, DrawnDeck, card_mask, card_size, load_faces
from vision.types import Image, Joker


def corner(face: Image) -> Image:
    """A card's upper left index: 12×24 mm of 63×88."""
    height, width = face.shape[:2]
    return face[: height * 24 // 88, : width * 12 // 63]


def red(face: Image) -> bool:
    ink = corner(face)[corner(face).min(axis=2) < 128].astype(int)
    return bool((ink[:, 2] - ink[:, 0] > 60).mean() > 0.5)


def test_cards_have_the_shape_of_cards() -> None:
    assert card_size(4.0) == (252, 352)
    assert DrawnDeck(pixels_per_mm=4.0).face(parse_card("♥T")).shape == (352, 252, 3)
    assert DrawnDeck(pixels_per_mm=4.0).back().shape == (352, 252, 3)


def test_every_card_looks_different_and_has_its_colour() -> None:
    deck = DrawnDeck(pixels_per_mm=2.0)
    corners = {card: corner(deck.face(card)).astype(int) for card in PACK_52}
    for one, other in combinations(PACK_52, 2):
        assert np.abs(corners[one] - corners[other]).mean() > 2.0, f"{one} and {other} look alike"
    assert [red(deck.face(parse_card(name))) for name in ("♠9", "♣K", "♥9", "♦D")] == [
        False,
        False,
        True,
        True,
    ]


def test_courts_differ_by_their_letters_and_numbers_do_not() -> None:
    lithuanian, international = DrawnDeck("TKDV", pixels_per_mm=2.0), DrawnDeck("AKQJ", pixels_per_mm=2.0)
    same = {
        str(card): np.array_equal(lithuanian.face(card), international.face(card))
        for card in map(parse_card, ("♥T", "♥K", "♥D", "♥V", "♥10", "♥2"))
    }
    assert same == {"♥T": False, "♥K": True, "♥D": False, "♥V": False, "♥10": True, "♥2": True}


def test_a_card_is_read_from_both_ends() -> None:
    deck = DrawnDeck(pixels_per_mm=3.0)
    for name in ("♠7", "♥3", "♦V", "IMP", "VIZ"):
        face = deck.face(parse_card(name))
        turned = face[::-1, ::-1]
        assert np.abs(corner(face).astype(int) - corner(turned).astype(int)).mean() < 3.0


@pytest.mark.parametrize(
    ("corners", "expected"), [(2, (True, False, False, True)), (4, (True, True, True, True))]
)
def test_two_or_four_indices(corners: int, expected: tuple[bool, ...]) -> None:
    deck = DrawnDeck(corners=4 if corners == 4 else 2, pixels_per_mm=3.0)
    face = deck.face(parse_card("♣T"))
    ends = (face, face[:, ::-1], face[::-1], face[::-1, ::-1])
    assert tuple(bool((corner(end) < 100).any()) for end in ends) == expected


@pytest.mark.parametrize("rank", range(2, 11))
def test_pips_are_as_many_as_the_card_says(rank: int) -> None:
    face = DrawnDeck(pixels_per_mm=6.0).face(Card.of(parse_card("♦2").suit, parse_card(f"♦{rank}").rank))
    inner = face[:, 12 * 6 : 51 * 6]
    count, _ = cv2.connectedComponents((inner[..., 1] < 128).astype(np.uint8))
    assert count - 1 == rank


def test_the_imperatorius_is_marked_and_an_untaught_joker_is_neither() -> None:
    deck = DrawnDeck(pixels_per_mm=2.0)
    assert not np.array_equal(deck.face(IMP), deck.face(VIZ))
    assert deck.face(Joker.JOKER).shape == deck.face(IMP).shape


def test_a_card_has_round_corners() -> None:
    mask = card_mask(252, 352)
    assert (mask[0, 0], mask[0, 126], mask[176, 0], mask[351, 251]) == (0, 255, 255, 0)
    missing = (255 - mask.astype(float)).sum() / 255
    assert missing == pytest.approx((4 - np.pi) * (CORNER_MM * 4) ** 2, rel=0.3)


def test_photographed_faces_are_stretched_and_the_missing_drawn(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "hA.jpg"), np.full((50, 50, 3), (10, 200, 30), np.uint8))
    cv2.imwrite(str(tmp_path / "s10.png"), np.full((90, 40, 3), (70, 70, 70), np.uint8))
    (tmp_path / "notes.txt").write_text("not a face")
    cv2.imwrite(str(tmp_path / "table.jpg"), np.zeros((9, 9, 3), np.uint8))
    deck = load_faces(tmp_path, pixels_per_mm=2.0)
    pack = (parse_card("♥T"), parse_card("♠10"), parse_card("♣9"))
    assert deck.face(parse_card("♠10")).shape == (176, 126, 3)
    assert abs(int(deck.face(parse_card("♥T"))[88, 63, 1]) - 200) < 6
    assert deck.filled(pack) == (parse_card("♣9"),)
    assert np.array_equal(
        deck.face(parse_card("♣9"))[::3, ::3], DrawnDeck("AKQJ").face(parse_card("♣9"))[::3, ::3]
    )


def test_faces_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"nowhere: not a folder of card faces$"):
        load_faces(tmp_path / "nowhere")
    with pytest.raises(DeckError, match="no card faces in it"):
        load_faces(tmp_path)
    for content in (b"", b"neither JPEG nor PNG"):
        (tmp_path / "hA.jpg").write_bytes(content)
        with pytest.raises(DeckError, match=r"hA\.jpg: not a picture that can be read$"):
            load_faces(tmp_path)
