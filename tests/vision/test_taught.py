"""A taught deck knows its cards again: drawn, painted over and photographed, in other light and places."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import pytest

from engine.cards import IMP, PACK_24, PACK_52, PACK_56, VIZ, Card, parse_card
from tests.shared import SHARED, needs
from vision.camera import Camera
from vision.deck import Deck, DrawnDeck, load_faces
from vision.flat import covered_parts, flattened
from vision.reader import Reader
from vision.scene import LaidCard, Look, Scene
from vision.taught import DeckFileError, TaughtDeck
from vision.types import Face, Image, Outline


class PaintedOver:
    """A deck whose indices were painted over, in all four corners."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def face(self, face: Face) -> Image:
        image = self._deck.face(face).copy()
        height, width = (round(0.3 * image.shape[0]), round(0.175 * image.shape[1]))
        for rows in (slice(0, height), slice(-height, None)):
            for columns in (slice(0, width), slice(-width, None)):
                image[rows, columns] = 245
        return image

    def back(self) -> Image:
        return self._deck.back()


def scene(deck: Deck, seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    return Scene(deck, Camera.random(rng), Look.random(rng))


def taught(deck: Deck, pack: tuple[Card, ...], seed: int) -> TaughtDeck:
    """A deck of which each card was shown once, lying anyhow, its outline not quite exact."""
    table, rng = scene(deck, seed), np.random.default_rng(seed)
    shown = []
    for number, card in enumerate(dict.fromkeys(pack)):
        laid = LaidCard(card, *rng.uniform(-60, 60, 2), rng.uniform(0, 360))
        outline = table.corners(laid) + rng.normal(0, 0.5, (4, 2))
        picture = table.render([laid], number=number)
        shown.append((card, flattened(picture, Outline(outline.astype(np.float32)))))
    return TaughtDeck.of("test", "2025-01-01", shown)


def wrong(deck: Deck, known: TaughtDeck, seed: int) -> list[tuple[str, str | None]]:
    """Every card laid once, in other light and at another place and angle; those not read rightly."""
    table, rng, reader = scene(deck, seed), np.random.default_rng(seed), Reader.load(deck=known)
    faults = []
    for number, card in enumerate(known.cards):
        laid = LaidCard(card, rng.uniform(-300, 300), rng.uniform(-150, 150), rng.uniform(0, 360))
        corners = np.roll(table.corners(laid), int(rng.choice([0, 2])), axis=0)
        outline = Outline((corners + rng.normal(0, 0.5, (4, 2))).astype(np.float32))
        reading = reader.read_card(table.render([laid], number=number), outline)
        # Which end is its top is not asked: most cards look the same both ways.
        if reading.card != card or reading.confidence < 0.9:
            faults.append((str(card), None if reading.card is None else str(reading.card)))
    return faults


@pytest.mark.parametrize("letters", ["TKDV", "AKQJ"])
def test_our_own_deck_is_known_again_jokers_included(letters: str) -> None:
    deck = DrawnDeck(letters="TKDV" if letters == "TKDV" else "AKQJ")
    known = taught(deck, PACK_56, 1)
    assert len(known.cards) == 54
    assert wrong(deck, known, 11) == []


def test_a_deck_without_indices_is_read_by_its_art_alone() -> None:
    deck = PaintedOver(DrawnDeck())
    assert wrong(deck, taught(deck, PACK_52, 2), 12) == []
    table, alone = scene(deck, 12), Reader.load()
    laid = [LaidCard(card, -250 + 100 * n, 0, 30 * n) for n, card in enumerate(PACK_24[:6])]
    picture = table.render(laid)
    read = [alone.read_card(picture, Outline(table.corners(card).astype(np.float32))) for card in laid]
    right = [each for each, reading in zip(laid, read, strict=True) if reading.card == each.face]
    assert len(right) <= 1


@needs("faces")
@pytest.mark.parametrize(("faces", "count"), [("flat", 52), ("phone", 51), ("picam", 52)])
def test_photographed_decks_are_known_again(faces: str, count: int) -> None:
    folder = SHARED / "faces" / faces
    deck = load_faces(folder)
    pack = tuple(card for card in PACK_52 if (folder / f"{card.ascii}.jpg").is_file())
    assert len(pack) == count
    assert wrong(deck, taught(deck, pack, 3), 13) == []


def test_a_picture_of_cards_without_indices_is_read() -> None:
    deck = PaintedOver(DrawnDeck())
    reader = Reader.load(deck=taught(deck, PACK_56, 4))
    faces = [parse_card(text) for text in ("♥T", "♠V", "♦10", "♣D", "♠6", "♥9", "IMP", "VIZ")]
    rng = random.Random(5)
    laid = [
        LaidCard(face, -240 + 150 * (n % 4), -75 + 150 * (n // 4), rng.uniform(0, 360))
        for n, face in enumerate(faces)
    ]
    readings = reader.read_picture(scene(deck, 14).render(laid))
    assert sorted(str(reading.card) for reading in readings) == sorted(map(str, faces))


def test_of_overlapping_cards_the_one_beneath_is_read_by_its_corner() -> None:
    deck = DrawnDeck()
    reader = Reader.load(deck=taught(deck, PACK_24, 6))
    under, over = parse_card("♠K"), parse_card("♥9")
    laid = [LaidCard(under, 0, 0, 0), LaidCard(over, 18, 16, 4)]
    readings = reader.read_picture(scene(deck, 15).render(laid))
    assert {reading.card for reading in readings} == {under, over}


def test_the_part_of_a_card_beneath_is_matched_where_it_is_free() -> None:
    deck = DrawnDeck()
    known, table = taught(deck, PACK_24, 7), scene(deck, 16)
    for card in PACK_24:
        other = PACK_24[(PACK_24.index(card) + 7) % 24]
        laid = [LaidCard(card, 0, 0, 20), LaidCard(other, 0, 46, 20)]  # the upper half stays free
        below, above = (Outline(table.corners(each).astype(np.float32)) for each in laid)
        match = known.match(
            flattened(table.render(laid), below), whole=False, covered=covered_parts(below, [above])
        )
        assert match.card == card


def test_a_card_of_another_deck_or_none_does_not_fit() -> None:
    known = taught(DrawnDeck(), PACK_24, 8)
    rng = np.random.default_rng(1)
    assert not known.match(rng.integers(0, 255, (176, 128, 3)).astype(np.uint8)).fits
    back = Scene(DrawnDeck()).render([LaidCard(IMP, 0, 0, up=False)])
    outline = Outline(Scene(DrawnDeck()).corners(LaidCard(IMP, 0, 0)).astype(np.float32))
    assert not known.match(flattened(back, outline)).fits


def test_which_end_is_up_does_not_matter_nor_exposure_nor_tint() -> None:
    deck = DrawnDeck()
    known, table = taught(deck, PACK_24, 9), scene(deck, 17)
    laid = LaidCard(VIZ, 0, 0, 40)
    for card in PACK_24:
        laid = LaidCard(card, 0, 0, 40)
        flat = flattened(table.render([laid]), Outline(table.corners(laid).astype(np.float32)))
        tinted = (flat * np.array([0.6, 0.75, 0.9])).astype(np.uint8)
        for picture, turned in ((flat, False), (np.ascontiguousarray(tinted[::-1, ::-1]), True)):
            match = known.match(picture)
            assert (match.card, match.confidence > 0.9) == (card, True)
            assert match.turned is (turned != known.match(flat).turned)


def test_covered_parts_are_where_the_other_card_lies() -> None:
    card = Outline(np.array([[0, 0], [64, 0], [64, 88], [0, 88]], np.float32))
    right = Outline(np.array([[32, -10], [96, -10], [96, 100], [32, 100]], np.float32))
    covered = covered_parts(card, [right])
    assert covered[:, :3].tolist() == [[0, 0, 0]] * 8
    assert covered[:, 4:].tolist() == [[1, 1, 1, 1]] * 8
    assert covered_parts(card, []).sum() == 0


def test_a_deck_survives_its_file(tmp_path: Path) -> None:
    known = taught(DrawnDeck(), PACK_24, 10)
    path = tmp_path / "own.deck"
    path.write_bytes(known.save())
    again = TaughtDeck.load(path)
    assert (again.name, again.date, again.cards) == ("test", "2025-01-01", known.cards)
    assert (again.art == known.art).all()


def test_a_broken_file_is_one_clear_line(tmp_path: Path) -> None:
    content = taught(DrawnDeck(), PACK_24[:2], 10).save()
    other = io.BytesIO()
    np.savez(other, about=np.array(["kind=kortstalis deck", "version=7"]), cards=np.array(["hA"]), art=0)
    cases = {
        "empty": b"",
        "text": b"not a deck",
        "cut": content[: len(content) // 2],
        "spoilt": content[:200] + bytes(200) + content[400:],
        "later": other.getvalue(),
    }
    for name, data in cases.items():
        (tmp_path / name).write_bytes(data)
    for name in (*cases, "missing"):
        with pytest.raises(DeckFileError) as failure:
            TaughtDeck.load(tmp_path / name)
        assert str(failure.value).startswith(f"{tmp_path / name}: ")
        assert "\n" not in str(failure.value)
    with pytest.raises(DeckFileError, match="made by another version \\(7\\): teach it again"):
        TaughtDeck.load(tmp_path / "later")


@pytest.mark.parametrize(("text", "twin"), [("♣8", "♠8"), ("♠5", "♣5"), ("♣2", "♠2"), ("♥9", "♦9")])
def test_an_outline_a_little_off_does_not_turn_a_card_into_its_twin(text: str, twin: str) -> None:
    deck = PaintedOver(DrawnDeck())
    known, table = taught(deck, (parse_card(text), parse_card(twin)), 18), scene(deck, 19)
    laid = LaidCard(parse_card(text), 20, -10, 33)
    picture, corners = table.render([laid]), table.corners(laid)
    middle = corners.mean(axis=0)
    for turn, grow in ((3.0, 1.03), (-3.0, 0.98), (2.0, 1.05)):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        off = (corners - middle) @ np.array([[c, s], [-s, c]]) * grow + middle
        match = known.match(flattened(picture, Outline(off.astype(np.float32))))
        assert match.card == laid.face
        assert match.confidence > 0.95
        assert match.distance < 0.03


def test_a_card_that_was_never_taught_is_not_surely_one_that_was() -> None:
    deck = DrawnDeck()
    known = taught(deck, tuple(c for c in PACK_52 if c.rank % 2 == 0), 3)  # half of the pack
    table, rng, reader = scene(deck, 4), np.random.default_rng(4), Reader.load(deck=known)
    for number, card in enumerate(c for c in PACK_52 if c.rank % 2):
        laid = LaidCard(card, *rng.uniform(-60, 60, 2), rng.uniform(0, 360))
        picture = table.render([laid], number=number)
        height = float(np.linalg.norm(np.subtract(*table.corners(laid)[[0, 3]])))
        readings = [reader.read_card(picture, Outline(table.corners(laid)))]
        readings += reader.read_picture(picture, height)
        assert [str(r.card) for r in readings if r.confidence >= 0.95 and r.card != card] == []
