"""The doctor: what is measured is judged, said in one line, and what to do with it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance import probes
from appliance.bundle import without_names, write_bundle
from appliance.cli import main
from appliance.commands import doctor as doctor_command
from appliance.config import Config, Pins
from appliance.doctor import CameraLook, Measures, examine
from appliance.inputs import ConsoleButtons
from appliance.journal import Journal
from appliance.lamps import ConsoleLamps
from appliance.language import Language
from engine.record import DealLine, Header
from tests.appliance.test_inputs import Shorted
from vision.mat import mat_image
from vision.sources import SourceError
from vision.types import Frame, Image

GOOD_CAMERA = CameraLook(None, (1280, 720), 15.0, 180.0, 120.0, 0.001, 87.0)
GOOD = Measures(
    camera=GOOD_CAMERA, model=0.4, gpio=None, pods="/dev/kortstalis-pods", display="HDMI-A-1",
    sound=("vc4hdmi0",), disk_free=8 * 1024**3, disk_writable=True, temperature=51.2, throttled=0,
    journal=3, service=("active", 0),
)  # fmt: skip
CHECKS = [
    "config", "camera", "sharpness", "light", "calibration", "model", "gpio", "pods", "display", "sound",
    "disk", "temperature", "power", "journal", "service",
]  # fmt: skip


def test_on_a_machine_where_all_is_well_all_is_well() -> None:
    findings = examine(GOOD, Language("en"))
    assert [finding.check for finding in findings] == CHECKS
    assert {finding.state for finding in findings} == {"ok"}
    assert {finding.todo for finding in findings} == {""}
    assert [finding.found for finding in findings][:5] == [
        "the configuration is right", "1280×720, 15.0 frames/s", "sharpness 180",
        "brightness 120 of 255, 0 % burnt out", "a card is 87 pixels high",
    ]  # fmt: skip


def camera(**changes: object) -> Measures:
    return replace(GOOD, camera=replace(GOOD_CAMERA, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seen", "check", "state", "found"),
    [
        (replace(GOOD, config="a.toml:3: bound"), "config", "failed", "a.toml:3: bound"),
        (camera(error="camera 0: cannot be opened"), "camera", "failed", "camera 0: cannot be opened"),
        (camera(rate=7.9), "camera", "failed", "1280×720, 7.9 frames/s"),
        (camera(rate=8.0), "camera", "ok", "1280×720, 8.0 frames/s"),
        (camera(sharpness=14.9), "sharpness", "failed", "sharpness 15"),
        (camera(brightness=44), "light", "failed", "brightness 44 of 255, 0 % burnt out"),
        (camera(brightness=216), "light", "failed", "brightness 216 of 255, 0 % burnt out"),
        (camera(glare=0.05), "light", "failed", "brightness 120 of 255, 5 % burnt out"),
        (camera(card_px=54.9), "calibration", "failed", "a card is 55 pixels high"),
        (camera(card_px=None), "calibration", "note", "no mat in the picture"),
        (replace(GOOD, model="no weights"), "model", "failed", "no weights"),
        (replace(GOOD, model=2.5), "model", "note", "a picture is read in 2.50 s"),
        (replace(GOOD, gpio="no GPIO on this machine"), "gpio", "note", "no GPIO on this machine"),
        (replace(GOOD, pods=None), "pods", "note", "no seat pods are connected"),
        (replace(GOOD, display=None), "display", "failed", "no display"),
        (replace(GOOD, sound=()), "sound", "note", "no sound device"),
        (replace(GOOD, disk_free=49 * 1024**2), "disk", "failed", "49 MB free"),
        (replace(GOOD, disk_free=499 * 1024**2), "disk", "note", "499 MB free"),
        (replace(GOOD, disk_writable=False), "disk", "failed", "the disk cannot be written"),
        (replace(GOOD, temperature=80.0), "temperature", "failed", "80 °C"),
        (replace(GOOD, temperature=71.0), "temperature", "note", "71 °C"),
        (replace(GOOD, throttled=0x50005), "power", "failed", "the voltage is too low"),
        (replace(GOOD, throttled=0x50000), "power", "note", "the voltage was too low since the start"),
        (replace(GOOD, throttled=0x4), "power", "note", "slowed down"),
        (replace(GOOD, journal="j: damaged"), "journal", "failed", "j: damaged"),
        (replace(GOOD, service=None), "service", "note", "the service is not installed"),
        (replace(GOOD, service=("failed", 5)), "service", "failed", "failed, restarted 5 times"),
        (replace(GOOD, failed_starts=3), "service", "failed", "started safely, with the defaults"),
    ],
)
def test_what_is_not_well_is_said_with_what_to_do(seen: Measures, check: str, state: str, found: str) -> None:
    for language in ("en", "lt"):
        findings = examine(seen, Language(language))
        finding = next(each for each in findings if each.check == check)
        assert finding.state == state
        assert bool(finding.todo) == (state != "ok")
        assert "\n" not in finding.found + finding.todo
        if language == "en":
            assert finding.found == found


class Film:
    """A source of the same picture, a tenth of a second apart by the clock that it moves."""

    stills = False

    def __init__(self, image: Image, pictures: int) -> None:
        self.now, self.closed = 0.0, False
        self._image, self._left = image, pictures

    def read(self) -> Frame | None:
        if not self._left:
            raise SourceError("camera 0: gives no pictures any more")
        self._left -= 1
        self.now += 0.1
        return Frame(self.now, self._image, 0)

    def close(self) -> None:
        self.closed = True

    def __iter__(self) -> Iterator[Frame]:
        return iter(())


def test_the_camera_is_measured_by_its_pictures() -> None:
    mat = mat_image("A3", 75)
    film = Film(mat, 25)
    look, picture = probes.look_at_camera(Config(), lambda name: film, lambda: film.now)
    assert picture is mat
    assert film.closed
    assert look.rate == pytest.approx(10.0)
    assert look.size == (mat.shape[1], mat.shape[0])
    assert look.error is None
    assert look.card_px is not None
    assert look.card_px == pytest.approx(88.9 / 25.4 * 75, rel=0.02)


def test_a_camera_that_stops_or_is_not_there_is_said() -> None:
    film = Film(np.zeros((720, 1280, 3), np.uint8), 3)
    look, picture = probes.look_at_camera(Config(), lambda name: film, lambda: film.now)
    assert (look.error, picture) == ("camera 0: gives no pictures any more", None)

    def missing(name: str) -> Film:
        raise SourceError(f"camera {name}: cannot be opened")

    look, picture = probes.look_at_camera(Config(), missing, lambda: 0.0)
    assert (look.error, picture) == ("camera /dev/video0: cannot be opened", None)


def test_what_the_systems_programs_print_is_understood(tmp_path: Path) -> None:
    assert probes.parse_throttled("throttled=0x50005\n") == 0x50005
    assert probes.parse_throttled("") is None
    text = "LoadState=loaded\nActiveState=active\nNRestarts=2\n"
    assert probes.parse_service(text) == ("active", 2)
    assert probes.parse_service("LoadState=not-found\nActiveState=inactive\n") is None
    assert probes.parse_service("") is None
    for zone, value in enumerate(("48312", "61000", "rubbish")):
        (tmp_path / f"thermal_zone{zone}").mkdir()
        (tmp_path / f"thermal_zone{zone}" / "temp").write_text(f"{value}\n")
    assert probes.temperature(tmp_path) == 61.0
    assert probes.temperature(tmp_path / "none") is None


def test_disk_and_journal_are_looked_at(tmp_path: Path) -> None:
    free, writable = probes.look_at_disk(tmp_path / "not" / "there")
    assert free is not None
    assert writable
    path = tmp_path / "journal.sqlite"
    assert probes.look_at_journal(path) == 0
    with Journal.open(path) as journal:
        journal.begin(Header("dezertyras", ("A", "B", "C", "D")), "now", {})
    assert probes.look_at_journal(path) == 1
    path.write_bytes(b"\0" * 9000)
    assert str(probes.look_at_journal(path)).startswith(f"{path}: the journal is damaged")


def test_a_bundle_says_nothing_of_people_unless_asked(tmp_path: Path) -> None:
    rows = [{"check": "config", "found": "/home/rasa/my.toml: Rasa"}]
    log = "Rasa and Jonas; Onager stays"
    path = tmp_path / "report.zip"
    names = write_bundle(path, rows, Config(), log, picture=b"jpg", journal=b"sqlite")
    assert names == ("doctor.json", "machine.json", "kortstalis.toml", "log.txt")
    with zipfile.ZipFile(path) as bundle:
        assert bundle.read("log.txt").decode() == "P1 and P2; Onager stays"
        assert json.loads(bundle.read("doctor.json"))[0]["found"] == "/home/…/my.toml: P1"
        assert 'players = ["P1", "P2", "P3", "P4"]' in bundle.read("kortstalis.toml").decode()
    names = write_bundle(path, rows, Config(), log, picture=b"jpg", journal=b"sqlite", personal=True)
    assert names[4:] == ("camera.jpg", "journal.sqlite")
    with zipfile.ZipFile(path) as bundle:
        assert bundle.read("log.txt").decode() == log


def test_a_name_within_a_name() -> None:
    assert without_names("Ona, Ona Marija", ("Ona", "Ona Marija")) == "P1, P2"


@pytest.mark.parametrize("failed", [False, True])
def test_the_command_prints_a_line_a_check(
    failed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    seen = replace(GOOD, display=None) if failed else GOOD
    monkeypatch.setattr(probes, "measure", lambda config, wrong, starts: (seen, None))
    bundle = tmp_path / "b.zip"
    assert main(["doctor", "--lang", "en", "--bundle", str(bundle)]) == int(failed)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CHECKS)
    display = "✗ display      no display  → Plug in the screen and switch it on."
    assert (display in lines) == failed
    assert zipfile.is_zipfile(bundle)
    assert main(["doctor", "--json"]) == int(failed)
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], [row["check"] for row in answer["checks"]]) == (not failed, CHECKS)


def kept(folder: Path) -> dict[str, bytes]:
    """The files of a folder, but for the index that SQLite writes for its readers."""
    files = sorted(folder.iterdir())
    return {file.name: b"" if file.name.endswith("-shm") else file.read_bytes() for file in files}


@pytest.mark.parametrize("state", ["closed", "in use", "as a power cut left it"])
def test_looking_at_the_journal_changes_nothing_and_sees_all_that_is_stored(
    tmp_path: Path, state: str
) -> None:
    used, path = tmp_path / "used.sqlite", tmp_path / "shelf" / "journal.sqlite"
    path.parent.mkdir()
    used = path if state != "as a power cut left it" else used
    journal = Journal.open(used)
    journal.begin(Header("dezertyras", ("A", "B", "C", "D")), "now", {})
    journal.append(1, DealLine())
    if state == "closed":
        journal.close()
    elif used is not path:
        for part in ("", "-wal"):
            Path(f"{path}{part}").write_bytes(Path(f"{used}{part}").read_bytes())
    before = kept(path.parent)
    assert (f"{path.name}-wal" in before) == (state != "closed")
    assert probes.look_at_journal(path) == 1
    packed = doctor_command._journal(path)
    assert kept(path.parent) == before
    journal.close()
    assert packed is not None
    (tmp_path / "packed.sqlite").write_bytes(packed)
    with Journal.open(tmp_path / "packed.sqlite") as found:
        assert found.record(1).contents == (DealLine(),)


def test_a_journal_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.mkdir()
    assert str(probes.look_at_journal(path)).startswith(f"{path}: the journal cannot be read")


def test_pins_in_use_and_stuck_buttons_are_named_and_the_pins_are_free_again() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    say = Language("en")
    for _ in range(2):  # what it took the first time can be had again
        assert probes.look_at_pins(Pins(), say, factory) is None
    other = ConsoleButtons({"other": 6}, lambda: 0.0, factory)
    lamp = ConsoleLamps({"other": 21}, (), factory)
    said = probes.look_at_pins(Pins(), say, factory)
    assert said is not None
    button, light = said.split("; ")
    assert button.startswith("GPIO 6 (down) cannot be used: ")
    assert light.startswith("GPIO 21 (dispute) cannot be used: ")
    other.close()
    lamp.close()
    shorted = MockFactory(pin_class=Shorted)
    found = probes.look_at_pins(Pins(up=0, down=0, back=0, dispute=0, turn=()), say, shorted)
    assert found == "The button on GPIO 13 (ok) is stuck"


def test_without_pins_or_leave_to_use_them_the_doctor_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    off = examine(replace(GOOD, gpio=probes._gpio(Config(gpio="off", language="en"))), Language("en"))
    (line,) = (finding.found for finding in off if finding.check == "gpio")
    assert line == "the pins are off in the configuration"
    monkeypatch.setattr(Path, "glob", lambda path, pattern: iter(()))
    assert probes._gpio(Config(language="en")) == "this machine has no pins"
    monkeypatch.setattr(Path, "glob", lambda path, pattern: iter((Path("/dev/gpiochip9"),)))
    assert probes._gpio(Config(language="en")) == "/dev/gpiochip9: not permitted (group gpio)"
