"""The film bench: what it counts, and that short films have nothing in them that never happened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from appliance.demo import DemoSettings
from appliance.layout import Spot
from appliance.simulated import Lay, Pick
from bench.film import main
from bench.filmed import Film, FilmedTable, film, has_jokers
from bench.lesson import Proposals, taught_by_showing
from bench.tally import Count, Filmed, append, read
from engine.actions import Action
from engine.cards import PACK_56, Card, parse_card
from vision.deck import Deck
from vision.taught import TaughtDeck
from vision.types import Outline, Reading, TableEvent

A, B = parse_card("hA"), parse_card("s10")


def short(kind: str = "none") -> Film:
    return Film(DemoSettings("dezertyras", 4, 1, deals=1), kind, 60)


def placed(made: Film, x: float, y: float) -> TableEvent:
    corners = made.filmed._scene.camera.to_picture(
        [(x - 30, y - 40), (x + 30, y - 40), (x + 30, y + 40), (x - 30, y + 40)]
    )
    reading = Reading(Outline(corners), ((A, 0.99),))
    return TableEvent(1.0, "placed", A, 0.99, reading=reading)


def test_a_card_that_was_never_laid_is_a_phantom_and_another_one_misread() -> None:
    made = short()
    made._emit(placed(made, 100, 50))
    assert (made.count.phantom, made.count.misread) == (1, 0)
    made.filmed.lies(B, Spot(-100, 50))
    made._emit(placed(made, -100, 50))
    assert (made.count.phantom, made.count.misread) == (1, 1)
    made.filmed.lies(A, Spot(0, 0))
    made._emit(placed(made, 0, 0))
    assert (made.count.phantom, made.count.misread) == (1, 1)


def test_a_lead_lands_while_the_trick_is_swept() -> None:
    table: FilmedTable = short().filmed
    table.perform(Lay(1, ((A, Spot(0, 80)),)))
    while table.busy:
        table.read()
    table.perform(Pick(2, (A,)))
    table.meanwhile(Lay(3, ((B, Spot(0, -80)),)), 4)
    arms = max(len(moment.arms) for moment in table._coming)
    assert arms == 2
    assert [card.face for card in table.lying()] == [B]


def test_what_is_filmed_after_a_bump_is_found_on_the_table() -> None:
    made = short("bump")
    made.filmed._number = 251
    corners = made.filmed._scene.camera.to_picture([(50, 20)])
    motion = made.filmed.disturbance.motion(250)
    seen = np.asarray(corners @ motion[:, :2].T + motion[:, 2], np.float32)
    assert np.hypot(*(np.array(made.filmed.where(seen)) - (50, 20))) < 0.1


@pytest.mark.parametrize("game, kind", [("dezertyras", "ramp"), ("durnius", "flicker")])
def test_a_short_film_has_no_phantom_and_no_sure_misread(game: str, kind: str) -> None:
    count = film(game, 4, kind, 3, frames=130)
    assert count.plays >= 5
    assert (count.phantom, count.misread, count.missed, count.seat) == (0, 0, 0, 0)


def test_the_table_of_figures_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--deals", "1", "--games", "dezertyras", "--disturb", "none", "--frames", "60"])
    out = capsys.readouterr().out
    assert status == 0
    assert "dezertyras" in out and "camera moved 0 times" in out


def test_a_game_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--games", "bridge"])
    assert "no 'bridge'" in capsys.readouterr().err


def test_films_made_in_slices_are_summed_each_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    append(a, Filmed(4, "suo", 3, "slide", "drawn", Count(1, 20, missed=1, notes=["missed x at 2.0 s"])))
    append(b, Filmed(3, "vepla", 4, "none", "faces/flat", Count(1, 10)))
    append(b, Filmed(4, "suo", 3, "slide", "drawn", Count(1, 30, late=1, notes=["late 1.4 s: y at 3.0 s"])))
    assert [film.count.plays for film in read([a, b])] == [10, 30]
    assert main(["--sum", str(a), str(b)]) == 0
    out = capsys.readouterr().out
    assert "  4 suo slide drawn: late 1.4 s: y at 3.0 s" in out
    assert "flat" in out and "of 40 plays: missed 0.00 %" in out and "late 2.50 %" in out


def test_a_phantom_in_what_is_summed_is_the_exit_status(tmp_path: Path) -> None:
    append(tmp_path / "a", Filmed(4, "suo", 3, "slide", "drawn", Count(1, 20, phantom=1)))
    assert main(["--sum", str(tmp_path / "a")]) == 1


@pytest.mark.parametrize("text", ["", "[]\n", '{"seed": 1}\n', "\xff"])
def test_what_is_no_film_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "films"
    if text:
        path.write_text(text)
    assert main(["--sum", str(path)]) == 2
    assert f"bench.film: {path}" in capsys.readouterr().err


def test_a_slice_is_filmed_into_its_file(tmp_path: Path) -> None:
    path = tmp_path / "films"
    main(["--deals", "1", "--seed", "5", "--disturb", "none", "--frames", "40", "--to", str(path)])
    assert [(film.seed, film.kind, film.count.deals) for film in read([path])] == [(5, "none", 1)]


def test_people_put_a_wrong_record_right_and_play_on() -> None:
    made = Film(DemoSettings("dezertyras", 4, 1, deals=1), "none", 120)
    do, wrong = made._do, iter((2,))

    def doing(action: Action) -> bool:
        if len(made.simulation.match.record().lines) > 4 and next(wrong, None):
            made.session.push(Action(action.seat % 4 + 1, "play", action.cards))
        return do(action)

    made._do = doing  # type: ignore[method-assign]
    count = made.run()
    assert (count.seat, count.unfinished) == (1, 0)
    assert made.agrees() and count.plays > 5


def test_a_deck_with_jokers_is_taught_before_the_film(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[set[Card]] = []

    def taught(name: str, deck: Deck, pack: Sequence[Card], seed: int) -> tuple[TaughtDeck, Proposals]:
        shown.append(set(pack))
        return taught_by_showing(name, deck, pack[-2:], seed)

    monkeypatch.setattr("bench.filmed.taught_by_showing", taught)
    assert has_jokers("imperatorius", 4) and not has_jokers("durnius", 4)
    film("durnius", 2, "none", 1, frames=10)
    assert shown == []
    film("imperatorius", 4, "none", 1, frames=10)
    assert shown == [set(PACK_56)]
