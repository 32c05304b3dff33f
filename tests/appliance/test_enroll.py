"""`kortstalis enroll`: from a folder and a film, by proposals, labels and answers; and `read --deck`."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli import main
from appliance.commands.enroll import _Talk
from appliance.language import Language
from engine.cards import PACK_24, Card, parse_card
from tests.shared import ROOT
from tests.vision.test_taught import PaintedOver, scene
from vision.deck import Deck, DrawnDeck
from vision.scene import LaidCard
from vision.showing import Held
from vision.taught import TaughtDeck
from vision.teach import Lesson, Refusal, Shown


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def photograph(folder: Path, deck: Deck, cards: list[Card] | tuple[Card, ...], seed: int = 1) -> None:
    """A picture of each card alone on the table: 1.png, 2.png …"""
    folder.mkdir()
    table, rng = scene(deck, seed), np.random.default_rng(seed)
    for number, card in enumerate(cards, 1):
        laid = LaidCard(card, *rng.uniform(-80, 80, 2), rng.uniform(0, 360))
        cv2.imwrite(str(folder / f"{number}.png"), table.render([laid], number=number))


def cards(*texts: str) -> list[Card]:
    return [parse_card(text) for text in texts]


def test_a_deck_taught_by_its_proposals_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photograph(tmp_path / "shown", DrawnDeck(), PACK_24)
    assert main(["enroll", "shown", "--deck", "own.deck", "--pack", "24", "--yes", "--lang", "en"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [*(f"{n}.png: {card}" for n, card in enumerate(PACK_24, 1)), "own.deck: 24 cards taught"]
    deck = TaughtDeck.load(tmp_path / "own.deck")
    assert (deck.name, deck.cards) == ("own", PACK_24)
    photograph(tmp_path / "again", DrawnDeck(), cards("♥T", "♠9"), seed=2)
    assert main(["read", "again/1.png", "again/2.png", "--deck", "own.deck", "--json"]) == 0
    read = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [[card["card"] for card in each["cards"]] for each in read] == [["♥T"], ["♠9"]]


def test_a_deck_without_letters_is_taught_by_labels_and_then_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = PaintedOver(DrawnDeck())
    shown = [*PACK_24, *cards("IMP", "VIZ")]
    photograph(tmp_path / "shown", deck, shown)
    (tmp_path / "labels.txt").write_text("".join(f"{n}.png {card}\n" for n, card in enumerate(shown, 1)))
    arguments = ["enroll", "shown", "--deck", "x.deck", "--pack", "56", "--labels", "labels.txt", "--json"]
    assert main(arguments) == 1  # the rest of the pack is missing
    end = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (end["deck"], end["cards"], len(end["missing"]), end["missing"][0]) == ("x.deck", 26, 28, "♠8")
    photograph(tmp_path / "again", deck, cards("IMP", "♦D", "VIZ"), seed=3)
    assert main(["watch", "again", "--deck", "x.deck", "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["card"] for e in events if e["event"] == "placed"] == ["IMP", "♦D", "VIZ"]


def test_labels_in_order_and_without_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photograph(tmp_path / "shown", DrawnDeck(), cards("♥T", "♠9"))
    (tmp_path / "labels.txt").write_text("# a deck that calls its ace a king\nhK\n\n♠9\n")
    assert main(["enroll", "shown", "--deck", "x.deck", "--pack", "24", "--labels", "labels.txt"]) == 1
    assert TaughtDeck.load(tmp_path / "x.deck").cards == tuple(cards("♥K", "♠9"))
    out = capsys.readouterr().out.splitlines()
    assert out[:3] == ["1.png: ♥K", "2.png: ♠9", "x.deck: išmoktos 2 kortos"]


def test_answers_confirm_correct_undo_skip_and_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    photograph(tmp_path / "shown", DrawnDeck(), cards("♥T", "♠9", "♦K", "♦10", "♣V"))
    answers = ["", "hQ", "u", "zz", "♥T", "", "s", "", "q"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    assert main(["enroll", "shown", "--deck", "x.deck", "--pack", "24", "--lang", "en"]) == 1
    out, err = capsys.readouterr()
    # The ace is confirmed, the nine called a queen, forgotten, called an ace (taken), confirmed as it is.
    assert out.splitlines()[:5] == [
        "1.png: ♥T", "2.png: ♥D", "3.png: ♥T was shown already", "3.png: ♦K", "5.png: ♣V",
    ]  # fmt: skip
    assert "3. 3.png: ♦K? [Enter, a card, s skip, u undo, q stop]" in err
    assert "forgotten: ♥D" in err
    assert "unknown card 'zz'" in err
    assert TaughtDeck.load(tmp_path / "x.deck").cards == tuple(cards("♥T", "♦K", "♣V"))


def test_the_same_card_again_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photograph(tmp_path / "shown", DrawnDeck(), cards("♥T", "♠9", "♥T"))
    assert main(["enroll", "shown", "--deck", "x.deck", "--pack", "24", "--yes", "--lang", "en"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[2] == "3.png: looks like ♥T, which was shown already"
    assert out[3] == "x.deck: 2 cards taught"
    assert out[4].startswith("still missing: ♠T ♠K ♠D ♠V ♠10 ♣T")


def test_a_film_teaches_each_card_that_comes_to_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = scene(DrawnDeck(), 1)
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
    number = 0
    for card in (None, *cards("♥T", "♠9", "♦K"), None):
        laid = [] if card is None else [LaidCard(card, 0, 0, 30 * int(card))]
        for _ in range(8):
            film.write(table.render(laid, number=number))
            number += 1
    film.release()
    assert main(["enroll", "film.avi", "--deck", "x.deck", "--pack", "24", "--yes"]) == 1
    assert TaughtDeck.load(tmp_path / "x.deck").cards == tuple(cards("♥T", "♠9", "♦K"))
    assert len(capsys.readouterr().out.splitlines()) == 5


@pytest.mark.parametrize(("twin_first", "asked"), [(True, False), (False, True)])
def test_in_a_film_only_the_card_taught_last_is_not_asked_about_again(
    twin_first: bool, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson, flat = Lesson(PACK_24), np.zeros((176, 128, 3), np.uint8)
    nine, king, ace = cards("♥9", "♠K", "♣T")
    for card in (king, nine) if twin_first else (nine, king):
        assert lesson.teach(Shown(flat, None, 0.0), card) is None
    monkeypatch.setattr("sys.stdin", io.StringIO("♣T\n"))
    talk = _Talk(lesson, Language("en"), None, ask=True, as_json=False)
    alike = Shown(flat, None, 0.0, Refusal("looks alike", nine))
    assert talk.take(Held("3.0 s", flat, None, True), alike)
    assert (ace in lesson.taught) is asked


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", "a.png", "--deck", "missing.deck"], "missing.deck: No such file or directory"),
        (["watch", "a.png", "--deck", "bad"], "bad: not a taught deck (kortstalis enroll makes one)"),
        (["demo", "--headless", "--fast", "--deck", "bad"], "bad: not a taught deck (kortstalis enroll"),
        (["enroll", "missing", "--deck", "x.deck"], "missing: no such file"),
        (["enroll", "a.png", "--deck", "no/x.deck"], "no/x.deck: cannot be written"),
        (["enroll", "a.png", "--deck", "x", "--labels", "bad"], "bad:1: unknown card 'deck'"),
        (["enroll", "a.png", "--deck", "x", "--labels", "twice"], "twice:2: a.png is in the list twice"),
        (["enroll", "a.png"], "the following arguments are required: --deck"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((90, 90, 3), np.uint8))
    (tmp_path / "bad").write_text("not a deck\n")
    (tmp_path / "twice").write_text("a.png hA\na.png hK\n")
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_source_without_cards_writes_no_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((300, 400, 3), 90, np.uint8))
    assert main(["enroll", "a.png", "--deck", "x.deck", "--pack", "24", "--yes", "--lang", "en"]) == 1
    assert capsys.readouterr().out.startswith("a.png: no card seen\nstill missing: ♠T")
    assert not (tmp_path / "x.deck").exists()


def test_enroll_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "appliance", "enroll", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "--labels FILE" in done.stdout
