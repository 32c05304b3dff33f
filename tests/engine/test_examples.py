"""The whole deals of docs/examples are lawful and end as worked out by hand; docs/record.md tells of them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from engine.games import GAMES
from engine.referee import judge
from tests.shared import ROOT

EXAMPLES = ROOT / "docs" / "examples"
DOCUMENT = ROOT / "docs" / "record.md"

# winner, loser (None where the game names none), points, lines of the actions that stay open
ENDINGS: dict[str, tuple[list[int], int | None, dict[str, int], list[int]]] = {
    "dezertyras": ([2, 4], None, {"1": 0, "2": 2, "3": 0, "4": 2}, []),
    "durnius": ([], 4, {"1": 0, "2": 0, "3": 0, "4": 1}, []),
    "azijietiskas": ([2], None, {"1": -2, "2": 21, "3": -7, "4": -12}, []),
    "vezimas": ([], 1, {"1": 1, "2": 0, "3": 0, "4": 0}, []),
    "kozirinis": ([1], 2, {"1": 0, "2": 1}, []),
    "dudakas": ([], 4, {"1": 0, "2": 0, "3": 0, "4": 1}, []),
    "vepla": ([], 1, {"1": 1, "2": 0}, []),
    "suo": ([], 1, {"1": 9, "2": 0, "3": 0}, []),
    "savi_koziriai": ([], 3, {"1": 0, "2": 0, "3": 1, "4": 0}, []),
    "velnio_ratas": ([1], None, {"1": 5, "2": -3, "3": -2}, [11]),
    "imperatorius": ([], None, {"1": 47, "2": 70}, []),
}


def judged(game: str) -> dict[str, Any]:
    return judge((EXAMPLES / f"{game}.kort").read_text(encoding="utf-8")).result()


def test_every_game_has_its_example_and_the_document_names_it() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.kort")) == sorted(ENDINGS)
    assert sorted(ENDINGS) == sorted(GAMES)
    named = re.findall(r"\[(\w+)\]\(examples/(\w+)\.kort\)", DOCUMENT.read_text(encoding="utf-8"))
    assert named == [(game, game) for game in ENDINGS]


@pytest.mark.parametrize("game", ENDINGS)
def test_the_example_is_lawful_and_ends_as_worked_out(game: str) -> None:
    result = judged(game)
    winner, loser, points, left_open = ENDINGS[game]
    assert result["game"] == game
    assert len(result["deals"]) == 1
    deal = result["deals"][0]
    assert {action["verdict"] for action in deal["actions"]} <= {"legal", "conditional"}
    assert [action["line"] for action in deal["actions"] if action["final"] != "legal"] == left_open
    assert deal["finished"] is True
    assert (deal["winner"], deal.get("loser"), deal["points"]) == (winner, loser, points)


def test_the_doubts_of_the_dezertyras_example_are_settled_by_the_shown_hands() -> None:
    deal = judged("dezertyras")["deals"][0]
    doubts = {action["line"]: action["settled_by"] for action in deal["actions"] if "settled_by" in action}
    assert doubts == {13: 17, 14: 18}
    assert [trick["winner"] for trick in deal["tricks"]] == [1, 2]


def test_the_json_of_the_document_is_what_the_referee_says() -> None:
    _, _, tail = DOCUMENT.read_text(encoding="utf-8").partition(
        "`kortstalis referee docs/examples/dezertyras"
    )
    first, last = re.findall(r"(?:^    .*\n)+", tail, re.MULTILINE)
    said = json.dumps({"file": "docs/examples/dezertyras.kort", **judged("dezertyras")}, ensure_ascii=False)
    told = [
        re.sub(r"\s+", " ", part).strip().replace('"actions": [ {', '"actions": [{') for part in (first, last)
    ]
    assert said.startswith(told[0])
    assert said.endswith(told[1])


def test_the_document_tells_every_option_with_its_values_the_default_first() -> None:
    told: dict[tuple[str, str], list[str]] = {}
    everywhere: list[str] = []
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not re.fullmatch(r"`\w+`", cells[1]) or "option" in cells[0]:
            continue
        option, values = cells[1].strip("`"), re.findall(r"`(\w+)`", cells[2])
        if cells[0].startswith("all but"):
            everywhere = values
        for game in re.findall(r"`(\w+)`", cells[0]):
            told[game, option] = values
    for game in GAMES:
        told.setdefault((game, "violation"), everywhere)
    assert told == {
        (game.id, name): list(option.values)
        for game in GAMES.values()
        for name, option in game.options.items()
    }
