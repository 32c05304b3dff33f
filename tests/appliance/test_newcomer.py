"""What somebody meets who tries things out: flags anywhere, a folder with a bad picture, films too short,
odd names, what a demo ends with."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.account import account
from appliance.cli import COMMANDS, main
from appliance.doctor import CameraLook, examine
from appliance.language import Language
from appliance.names import shown_name, shown_names
from appliance.settings import checked_settings
from engine.cards import parse_card
from engine.record import decode
from engine.referee import judge
from tests.appliance.test_console import Bench
from tests.appliance.test_doctor import GOOD
from tests.appliance.test_enroll import photograph
from vision.deck import DrawnDeck


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.chdir(tmp_path)


RECORD = "game: dezertyras\nplayers: Rasa, Jonas, Ona, Petras\ndeal\n1 announce 9\n1 play ♥10\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "games"], ["games", "--json"], ["--json", "config", "show"], ["config", "--json", "show"],
        ["--json", "referee", "a.kort", "b.kort"], ["referee", "a.kort", "--json", "b.kort"],
        ["referee", "a.kort", "b.kort", "--json"], ["--json", "referee", "--", "a.kort"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_json_may_be_asked_for_before_and_after(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.kort", "b.kort"):
        Path(name).write_text(RECORD)
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    records = [name for name in arguments if name.endswith(".kort")]
    assert len(lines) == len(records) if records else lines
    for line in lines:
        json.loads(line)


def test_json_is_still_refused_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert "calibrate" in COMMANDS
    assert main(["--json", "run"]) == 2
    assert "unrecognized arguments: --json" in capsys.readouterr().err


def cards(*texts: str) -> list[object]:
    return [parse_card(text) for text in texts]


def test_a_picture_that_cannot_be_read_is_passed_over_and_the_record_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photograph(tmp_path / "shown", DrawnDeck(), cards("♠9", "♦K", "♣V"))  # type: ignore[arg-type]
    (tmp_path / "shown" / "2.png").write_bytes(b"\x89PNG broken")
    status = main(["watch", "shown", "--game", "velnio_ratas", "--players", "2", "--record", "seen.kort"])
    out, err = capsys.readouterr()
    assert err == "kortstalis: shown/2.png: not a picture that can be read; it is passed over\n"
    assert status == 1
    assert "placed ♠9" in out and "placed ♣V" in out
    assert judge(decode(Path("seen.kort").read_bytes())).record().contents


def test_the_record_is_kept_when_the_camera_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import vision.sources
    from vision.sources import FolderSource, SourceError
    from vision.types import Frame

    class Goes(FolderSource):
        def read(self) -> Frame | None:
            frame = super().read()
            if frame is None:
                raise SourceError("camera 0: gives no pictures any more")
            return frame

    photograph(tmp_path / "shown", DrawnDeck(), cards("♠9"))  # type: ignore[arg-type]
    monkeypatch.setattr(vision.sources, "open_source", lambda name: Goes(Path(name)))
    assert main(["watch", "shown", "--game", "velnio_ratas", "--players", "2", "--record", "seen.kort"]) == 2
    assert judge(decode(Path("seen.kort").read_bytes())).header.game == "velnio_ratas"


def test_a_folder_of_nothing_readable_is_no_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad").mkdir()
    for name in ("1.png", "2.png"):
        (tmp_path / "bad" / name).write_bytes(b"no")
    assert main(["watch", "bad"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "kortstalis: bad: no picture in it can be read"


@pytest.mark.parametrize("frames", [1, 2, 20])
def test_a_film_too_short_to_show_the_table_at_rest_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], frames: int
) -> None:
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    for _ in range(frames):
        film.write(np.full((480, 640, 3), 90, np.uint8))
    film.release()
    status = main(["watch", "film.avi"])
    err = capsys.readouterr().err
    if frames == 20:
        assert (status, err) == (0, "")
    else:
        assert status == 2
        assert err.startswith("kortstalis: film.avi: too short: the table must be seen at rest")


def test_a_folder_is_no_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "--journal", str(tmp_path)]) == 2
    assert "this is a folder; a journal is a file in one" in capsys.readouterr().err


ODD = ("Rasa\u202e", "\x1b[31mrasa", "\u2066\x00", "Ona\nOna")


def test_names_are_shown_on_a_line_in_their_order_and_apart() -> None:
    assert shown_names(ODD) == ("Rasa", "[31mrasa", "?", "Ona Ona")
    assert shown_names(("Rasa\u202e", "rasa", "Ona", " Rasa ")) == ("Rasa (1)", "rasa (2)", "Ona", "Rasa (4)")
    assert shown_names(("Žygimantas", "Ąžuolė-Ė.")) == ("Žygimantas", "Ąžuolė-Ė.")
    for code in range(0x110000):
        sign = chr(code)
        if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp"):
            assert sign not in shown_name(f"a{sign}b")


def test_odd_names_of_a_record_and_of_the_settings_are_shown_clean() -> None:
    text = RECORD.replace("Rasa, Jonas, Ona, Petras", "Rasa\u202e, Rasa, \u2067Ona, Petras")
    lines = list(account(judge(decode(text.encode())), Language("en")))
    assert lines[0] == "Dezertyras: Rasa (1), Rasa (2), Ona, Petras"
    assert not any(unicodedata.category(sign) in ("Cc", "Cf") for line in lines for sign in line)
    assert checked_settings({"names": ["Rasa\u202e", "Rasa", "Ona"]}, "x").names == ("Rasa", "Ona")


def test_two_people_of_one_name_are_told_apart_on_the_console() -> None:
    bench = Bench()
    bench.press("o o o")  # play, Dezertyras, Rasa on seat 1
    bench.press("u o")  # a new name
    for letter in "Rasa":
        page = bench.console.page()
        signs = page.letters  # type: ignore[union-attr]
        steps = (signs.index(letter) - page.chosen) % len(signs)  # type: ignore[union-attr]
        bench.press("d" * steps + "o")
    bench.press("?")
    assert bench.console.page().text == "Rasa, Rasa 2"  # type: ignore[union-attr]


def test_a_demo_ends_with_how_it_came_out(capsys: pytest.CaptureFixture[str]) -> None:
    game = ["--game", "velnio_ratas", "--players", "2", "--deals", "1"]
    assert main(["demo", "--headless", "--fast", *game]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[-3:-1]] == ["  Rasa", "  Jonas"]
    assert "won by" in lines[-1] or "all its deals (1) are played" in lines[-1]


def test_the_camera_of_the_doctor_is_told_in_the_language_that_is_spoken() -> None:
    from dataclasses import replace

    for why in ("cannot be opened (is it plugged in, is it in use?)", "gives no pictures any more"):
        seen = replace(GOOD, camera=CameraLook(f"camera /dev/video0: {why}"))
        found = {code: examine(seen, Language(code))[1].found for code in ("lt", "en")}
        assert found["lt"].startswith("/dev/video0 ") and found["lt"] != found["en"]
        assert not any(word in found["lt"] for word in ("camera", "cannot", "pictures"))
