"""Bad input to every command: one clear line on standard error, exit status 2, no traceback."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli import COMMANDS, main
from appliance.journal import Journal
from engine.record import Header
from tests.shared import ROOT

RECORD = "game: dezertyras\nplayers: A, B, C, D\ndealer: 4\ndeal\n1 announce 9\n1 play ♥10\n2 play ♣T\n"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def kortstalis(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def make(tmp_path: Path) -> None:
    """Files that are bad in all the ways that files are."""
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "empty.kort").write_bytes(b"")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "binary.kort").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "binary.jpg").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "binary.mp4").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "folder").mkdir()
    (tmp_path / "key.toml").write_text('langauge = "lt"\n')
    (tmp_path / "value.toml").write_text("bound = 7\n")
    (tmp_path / "game.toml").write_text('game = "bridge"\n')
    (tmp_path / "pins.toml").write_text("[pins]\nup = 99\n")
    (tmp_path / "twice.toml").write_text("[pins]\nup = 6\n")
    (tmp_path / "good.kort").write_text(RECORD)
    # A picture that says it is 40,000 pixels a side.
    size = struct.pack(">II", 40000, 40000)
    head = b"IHDR" + size + b"\x08\x02\0\0\0"
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    (tmp_path / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk)


BAD = [
    ["referee", "empty.kort"],
    ["referee", "binary.kort"],
    ["referee", "missing.kort"],
    ["referee", "folder"],
    ["referee"],
    ["referee", "--colour", "good.kort"],
    ["read", "empty"],
    ["read", "binary.jpg"],
    ["read", "missing.jpg"],
    ["read", "bomb.png"],
    ["watch", "bomb.png"],
    ["demo", "--seed", "-5", "--headless", "--fast"],
    ["demo", "--headless", "--fast", "--record", "x.kort", "--truth", "x.kort"],
    ["simulate", "durnius", "--seats", "99"],
    ["matches", "list", "--journal", "empty"],
    ["matches", "list", "--journal", "missing"],
    ["read", "folder"],
    ["read"],
    ["watch", "missing"],
    ["watch", "folder"],
    ["watch", "binary.mp4"],
    ["watch", "empty"],
    ["watch", "/dev/video97"],
    ["watch", "folder", "--game", "bridge"],
    ["watch", "folder", "--record", "x.kort"],
    ["watch", "folder", "--config", "key.toml"],
    ["watch", "folder", "--config", "value.toml"],
    ["watch", "folder", "--config", "missing.toml"],
    ["watch", "folder", "--config", "binary.toml"],
    ["run", "--config", "key.toml"],
    ["run", "--config", "game.toml"],
    ["run", "--config", "binary.toml"],
    ["config"],
    ["config", "check"],
    ["config", "check", "missing.toml"],
    ["config", "check", "binary.toml"],
    ["config", "show", "key.toml"],
    ["doctor", "--config", "missing.toml"],
    ["doctor", "--colour"],
    ["demo", "--game", "bridge"],
    ["demo", "--players", "3"],
    ["demo", "--cheat", "7"],
    ["demo", "--deals", "0"],
    ["demo", "--seed", "x"],
    ["demo", "--faces", "folder", "--headless", "--fast"],
    ["demo", "--faces", "missing", "--headless", "--fast"],
    ["demo", "--headless", "--fast", "--deals", "1", "--record", "empty/x.kort"],
    ["rules", "bridge"],
    ["rules", "dezertyras", "--lang", "fr"],
    ["rules"],
    ["games", "--colour"],
    ["matches", "show"],
    ["matches", "export", "3"],
    ["matches", "dance"],
    ["matches", "list", "3"],
    ["matches", "standings", "3"],
    ["matches", "show", "x"],
    ["matches", "show", "--format", "csv"],
    ["matches", "show", "--record", "x.kort"],
    ["matches", "export", "--format", "xml"],
    ["matches", "export", "--json", "--format", "csv"],
    ["matches", "list", "--demos"],
    ["matches", "export", "--fast"],
    ["matches", "standings", "--journal", "binary"],
    ["matches", "list", "--journal", "binary"],
    ["matches", "list", "--journal", "folder/none/x"],
    ["matches", "show", "--journal", "empty"],
    ["calibrate"],
    ["calibrate", "binary.jpg"],
    ["calibrate", "missing.png"],
    ["calibrate", "--mat", "folder/none/mat.png"],
    ["calibrate", "--mat", "mat.xyz"],
    ["calibrate", "--mat", "mat.png", "--tiles"],
    ["pods"],
    ["pods", "dance"],
    ["pods", "version", "--device", "missing"],
    ["pods", "watch", "--device", "folder"],
    ["pods", "lamp", "--device", "empty"],
    ["pods", "lamp", "1", "mauve"],
    ["pods", "version", "--device", "empty"],
    ["pods", "watch", "--count", "0"],
    ["pods", "watch", "--seconds", "nan"],
    ["pods", "lamp", "--seconds", "soon"],
    ["pods", "light", "300"],
    ["pods", "light", "bright"],
    ["pods", "simulate", "--link", "folder"],
    ["firmware"],
    ["firmware", "flash", "--device", "missing"],
    ["run", "--config", "pins.toml"],
    ["run", "--config", "twice.toml"],
    ["dance"],
    [],
]


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_bad_input_is_one_line_and_exit_status_2(
    arguments: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path)
    if arguments == ["matches", "list", "--journal", "folder/none/x"]:
        arguments = ["matches", "show", "--journal", "folder/none/x"]
    status, out, err = kortstalis(arguments, capfd)
    assert status == 2, out + err
    assert len(err.strip().splitlines()) == 1, err
    assert "Traceback" not in err
    assert out == ""


def test_an_unknown_key_names_the_nearest_known_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path)
    _, _, err = kortstalis(["run", "--config", "key.toml"], capsys)
    assert err == "kortstalis: key.toml:1: unknown key 'langauge'; did you mean 'language'?\n"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = kortstalis([command, "--help"], capsys)
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: kortstalis {command}")


def test_the_referee_judges_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path)
    status, out, err = kortstalis(["referee", "--json", "good.kort"], capsys)
    assert (status, err) == (0, "")
    actions = json.loads(out)["deals"][0]["actions"]
    assert [action["verdict"] for action in actions] == ["legal", "legal", "conditional"]


def test_a_picture_with_nothing_in_it_is_read_as_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "green.png"), np.full((480, 640, 3), (60, 110, 40), np.uint8))
    status, out, _ = kortstalis(["read", "--json", "green.png"], capsys)
    result = json.loads(out)
    assert (status, result["file"], result["cards"]) == (1, "green.png", [])


def test_games_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = kortstalis(["games", "--json"], capsys)
    games = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert games[0]["id"] == "dezertyras"
    assert games[0]["options"]["own_capture"] == ["1", "0", "3"]
    status, out, _ = kortstalis(["rules", "dezertyras", "--lang", "en"], capsys)
    assert status == 0
    assert "DZ-7   When a plain card is led, whoever has a card of its suit has to play one." in out


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """`kortstalis games | head -1`: the pipe breaks, nothing is printed about it."""
    command = [sys.executable, "-m", "appliance", "rules", "dezertyras"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_file_that_is_no_journal_is_not_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path)
    assert kortstalis(["matches", "list", "--journal", "empty.kort"], capsys)[0] == 2
    assert (tmp_path / "empty.kort").read_bytes() == b""


def test_a_closed_output_is_no_error() -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m appliance games >&-"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "played_on", ["null", "x", '{"demo": {"colour": 1}}', '{"demo": {"game": "durnius"}}']
)
def test_a_match_whose_settings_are_spoilt_is_not_resumed(
    played_on: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        journal.begin(Header("dezertyras", ("A", "B", "C", "D")), "now", {})
        journal._db.execute("UPDATE matches SET played_on = ?", (played_on,))
    status, _, err = kortstalis(["matches", "resume", "--journal", "j.sqlite"], capsys)
    assert status == 2
    assert len(err.splitlines()) == 1


def test_output_that_cannot_be_written_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "appliance", "rules", "dezertyras"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"kortstalis: the output cannot be written: No space left on device\n"


def test_suit_signs_are_printed_in_any_locale(tmp_path: Path) -> None:
    make(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "appliance", "referee", "--json", str(tmp_path / "good.kort")],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "♥10" in done.stdout.decode()


def test_the_referee_needs_no_numpy_opencv_or_pygame() -> None:
    code = (
        "import sys; from appliance.cli import main; main(['referee', '--help']);"
        "sys.exit(bool({'numpy', 'cv2', 'pygame', 'babel'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
