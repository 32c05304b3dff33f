"""The configuration: what is wrong is named with its line, and the last good copy goes on."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from pathlib import Path

import pytest

from appliance.cli import main
from appliance.config import Config, Pins, Problem, as_toml, load, load_or_last_good, parse
from appliance.failure import Failure
from appliance.language import Language
from tests.shared import ROOT


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('screen = "1280x720"\nlangauge = "lt"\n', 2, "unknown key 'langauge'; did you mean 'language'?"),
        ("bound = 1.5\n", 1, "bound is a number above 0 and at most 1"),
        ("light = 60\n", 1, "light is a number above 0 and at most 1: 0.6 for 60 %"),
        ("light = 12.5\n", 1, "light is a number above 0 and at most 1: 0.125 for 12.5 %"),
        ("light = 101\n", 1, "light is a number above 0 and at most 1"),
        ("light = -0.5\n", 1, "light is a number above 0 and at most 1"),
        ("light = inf\n", 1, "light is a number above 0 and at most 1"),
        ("[pins]\nturn = [7,8,9,10,11,17,27]\n", 2, "pins: turn has 7 pins, there are 6 seats at most"),
        ("[pins]\nbuzzer = 3\n", 2, "pins: buzzer is GPIO 3, which has a fixed resistor: take another"),
        ("pins.turn = [0, 14]\n", 1,
         "pins: turn of seat 2 is GPIO 14, which is of the serial console: take another"),
        ("bound = true\n", 1, "bound is a number above 0 and at most 1"),
        ('\n\nlanguage = "fr"\n', 3, "language = 'fr': it is one of lt, en"),
        ("players = []\n", 1, "players is a list of names"),
        ('camera = ""\n', 1, "camera is a text"),
        ("[pins]\nok = 40\n", 2, "pins: ok is a GPIO number from 0 (none) to 27"),
        ("[pins]\nokay = 4\n", 2, "pins: unknown key 'okay'; did you mean 'ok'?"),
        ('language = "lt"\n[pins]\nok = 5\n', 3, "pins: up and ok are both GPIO 5"),
        ("[pins]\nbuzzer = 22\n", 2, "pins: buzzer and turn of seat 1 are both GPIO 22"),
        ("pins = { turn = [1, true] }\n", 1, "pins: turn is a list of GPIO numbers from 0 (none) to 27"),
        ("pins = 5\n", 1, "pins is a table"),
        ("[letters]\nall = 3\n", 1, "letters = {'all': 3}: it is one of TKDV, AKQJ"),
        ("camera = /dev/video0\n", 1, "not TOML: Invalid value (at line 1, column 10)"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, said: str) -> None:
    assert parse(text)[1] == (Problem(line, said),)


@pytest.mark.parametrize(
    "name", [*Pins().buttons(), "lamp_wrong", "lamp_winner", "lamp_dispute", "buzzer", "turn"]
)
def test_the_pins_to_be_left_alone_are_those_of_the_hardwares_readme(name: str) -> None:
    readme = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    said = re.search(r"Leave GPIO (\d+) and (\d+) \(they have fixed resistors\), (\d+) and (\d+)", readme)
    assert said is not None
    taken = sorted(map(int, said.groups()))
    value = "[{}]" if name == "turn" else "{}"
    refused = [pin for pin in range(1, 28) if any(
        "take another" in problem.text for problem in parse(f"[pins]\n{name} = {value.format(pin)}\n")[1]
    )]  # fmt: skip
    assert refused == taken


def test_all_that_is_wrong_is_found_and_the_rest_holds() -> None:
    config, problems = parse('game = "durnius"\ncolour = 1\nbound = 7\n')
    assert [problem.line for problem in problems] == [2, 3]
    assert config == dataclasses.replace(Config(), game="durnius")


@pytest.mark.parametrize("language", ["lt", "en"])
def test_the_default_file_documents_every_key_and_means_the_defaults(language: str) -> None:
    text = as_toml(Config(), Language(language))
    assert parse(text) == (Config(), ())
    assert set(tomllib.loads(text)) == {field.name for field in dataclasses.fields(Config)}
    lines = text.splitlines()
    for field in (*dataclasses.fields(Config), *dataclasses.fields(Pins)):
        at = next(
            n for n, line in enumerate(lines) if line.startswith((f"{field.name} = ", f"[{field.name}]"))
        )
        assert lines[at - 1].startswith("# ")


def test_the_default_file_of_the_house_is_the_one_that_the_definition_makes() -> None:
    assert (ROOT / "docs" / "kortstalis.toml").read_text(encoding="utf-8") == as_toml(
        Config(), Language("en")
    )


def test_pins_survive_being_written_and_nothing_may_be_connected() -> None:
    config = dataclasses.replace(Config(), deck="my.npz", pins=Pins(up=0, down=0, turn=()))
    assert parse(as_toml(config)) == (config, ())


def test_names_with_quotes_and_control_signs_survive_being_written() -> None:
    config = dataclasses.replace(Config(), players=('Ona "Oną"', "a\\b\t\x7f", "É", "D"))
    assert parse(as_toml(config)) == (config, ())


def test_a_wrong_file_gives_way_to_the_last_good_copy_of_it(tmp_path: Path) -> None:
    path, kept = tmp_path / "my.toml", tmp_path / "state"
    path.write_text('language = "en"\n')
    assert load_or_last_good(path, kept) == (dataclasses.replace(Config(), language="en"), None)
    path.write_text('language = "en"\nlanguage = "lt"\n')
    config, wrong = load_or_last_good(path, kept)
    assert config.language == "en"
    assert wrong == f"{path}:2: not TOML: Cannot overwrite a value (at line 2, column 16)"
    path.unlink()
    config, wrong = load_or_last_good(path, kept)
    assert (config.language, wrong) == ("en", f"{path}: No such file or directory")


def test_a_wrong_file_that_never_was_right_is_refused(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("")
    load_or_last_good(good, tmp_path / "state")
    bad.write_text("x = 1\n")
    with pytest.raises(Failure, match=r"bad\.toml:1: unknown key 'x'"):
        load_or_last_good(bad, tmp_path / "state")


def test_a_state_folder_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    (tmp_path / "my.toml").write_text("bound = 1\n")
    config, wrong = load_or_last_good(tmp_path / "my.toml", tmp_path / "state" / "x")
    assert (config.bound, wrong) == (1, None)


def test_check_says_all_that_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.toml"
    path.write_text("bound = 7\nplayer = 3\n")
    assert main(["config", "check", str(path)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.splitlines()) == (
        "",
        [
            f"kortstalis: {path}:1: bound is a number above 0 and at most 1: 0.07 for 7 %",
            f"kortstalis: {path}:2: unknown key 'player'; did you mean 'players'?",
        ],
    )
    path.write_text('players = ["A", "B"]\n')
    assert main(["config", "check", str(path), "--json"]) == 1
    problem = f"{path}: dezertyras is for 4 players, not 2"
    assert json.loads(capsys.readouterr().out) == {"file": str(path), "ok": False, "problems": [problem]}
    path.write_text("bound = 0.9\n")
    assert main(["config", "check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: ok\n"


def test_show_shows_the_usual_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = tmp_path / "config" / "kortstalis" / "kortstalis.toml"
    usual.parent.mkdir(parents=True)
    usual.write_text('screen = "800x480"\n')
    assert main(["config", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["screen"] == "800x480"
    assert main(["config", "show"]) == 0
    assert 'screen = "800x480"\n' in capsys.readouterr().out
    assert load(usual).screen == "800x480"
