"""The bench of taught decks: a deck is taught by showing it, and a short match with one is seen as played."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.art import ART, write_faces
from bench.lesson import taught_by_showing
from bench.taught import main
from engine.cards import CARDS, PACK_56, parse_card
from vision.deck import DrawnDeck, load_faces
from vision.flat import flattened
from vision.taught import TaughtDeck
from vision.types import Outline

THREE = tuple(parse_card(text) for text in ("♣8", "♠8", "IMP"))


def scanned() -> TaughtDeck:
    """Our own deck, taught from its drawings as a scanner gives them."""
    deck, shown = DrawnDeck(), []
    for card in dict.fromkeys(PACK_56):
        height, width = deck.face(card).shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        shown.append((card, flattened(deck.face(card), Outline(corners.astype(np.float32)))))
    return TaughtDeck.of("TKDV", "2026-01-01", shown)


def test_a_short_match_with_a_taught_deck_is_seen_as_it_was_played_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "TKDV.deck").write_bytes(scanned().save())
    asked = ["--decks", "TKDV", "--games", "kozirinis", "--matches", "1", "--deals", "1"]
    assert main([*asked, "--folder", str(tmp_path)]) == 0
    kept = json.loads((tmp_path / "played.jsonl").read_text())
    assert (kept["game"], kept["deck"], kept["deals"], kept["same"]) == ("kozirinis", "TKDV", 1, True)
    assert capsys.readouterr().out.splitlines()[1].split()[:4] == ["TKDV", "1", "1", "1"]
    assert main([*asked, "--folder", str(tmp_path)]) == 0  # it is not played again
    assert len((tmp_path / "played.jsonl").read_text().splitlines()) == 1


def test_a_record_that_differs_ends_with_1_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"match": 0, "game": "suo", "players": 3, "deck": "AKQJ", "seed": 1, "deals": 1, "lines": 9}
    (tmp_path / "played.jsonl").write_text(json.dumps(line | {"asked": 2, "same": False, "seconds": 1.0}))
    assert main(["--matches", "1", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "match 0: suo 3 AKQJ: the record differs"


@pytest.mark.parametrize("option", [["--games", "poker"], ["--decks", "tarot"]])
def test_an_unknown_game_or_deck_is_named(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(option)
    assert option[1] in capsys.readouterr().err


def test_a_deck_without_letters_is_taught_by_showing_each_card_once(tmp_path: Path) -> None:
    write_faces("letterless", tmp_path)
    assert len(list(tmp_path.iterdir())) == len(CARDS)
    deck, went = taught_by_showing("mine", load_faces(tmp_path), THREE, 3)
    assert sorted(deck.cards) == sorted(THREE)
    # ♣8 and ♠8 differ by their pips alone: neither is taken for the other, shown before.
    assert (went.refused, went.unseen) == (0, [])


def test_the_decks_without_letters_have_as_many_faces_as_there_are_cards() -> None:
    for draw in ART.values():
        faces = {draw(card).tobytes() for card in THREE}
        assert len(faces) == len(THREE)
