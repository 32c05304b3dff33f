"""The film bench: what it counts, and that short films have nothing in them that never happened."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.demo import DemoSettings
from appliance.layout import Spot
from appliance.simulated import Lay, Pick
from bench.film import main
from bench.filmed import Film, FilmedTable, film
from engine.cards import parse_card
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
