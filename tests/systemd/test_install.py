"""Installing, updating and removing under a folder, with stand-ins for Python and its virtual environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.shared import ROOT

# `python3 -m venv` makes an environment whose pip and kortstalis do as the files beside it say.
PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 9
mkdir -p "$4/bin"
cat >"$4/bin/python" <<'END'
#!/bin/sh
[ -e "$STANDINS/numpy-1" ]
END
cat >"$4/bin/pip" <<'END'
#!/bin/sh
echo "$5" >"$STANDINS/constraints"
[ ! -e "$STANDINS/no-network" ] || { echo "pip: no network" >&2; exit 1; }
END
cat >"$4/bin/kortstalis" <<'END'
#!/bin/sh
[ ! -e "$STANDINS/broken" ] || exit 3
case "$1 $2" in
  "config default") echo 'language = "lt"' ;;
  "config check") grep -q wrong "$3" && exit 1 || exit 0 ;;
esac
END
chmod +x "$4/bin/python" "$4/bin/pip" "$4/bin/kortstalis"
"""


class House:
    """A clone, a root folder to install into, and stand-ins."""

    def __init__(self, folder: Path) -> None:
        self.standins = folder / "standins"
        self.root = folder / "root"
        self.clone = folder / "clone"
        self.standins.mkdir()
        (self.standins / "python3").write_text(PYTHON)
        (self.standins / "python3").chmod(0o755)
        # A date that goes on by a second a call: each version has its own name.
        (self.standins / "date").write_text(
            '#!/bin/sh\necho x >>"$STANDINS/calls"\nprintf "20261201-%06d\\n" $(wc -l <"$STANDINS/calls")\n'
        )
        (self.standins / "date").chmod(0o755)
        for part in ("engine", "vision", "appliance", "firmware", "hardware", "docs"):
            (self.clone / part).mkdir(parents=True)
        for file in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "system-packages.txt"):
            (self.clone / file).write_text(f"{file}\n")
        shutil.copytree(ROOT / "systemd", self.clone / "systemd")

    def call(self, script: str, *options: str) -> tuple[int, str, str]:
        path = f"{self.standins}:{os.environ['PATH']}"
        done = subprocess.run(
            [self.clone / "systemd" / script, "--root", self.root, *options],
            env={**os.environ, "PATH": path, "STANDINS": str(self.standins)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    @property
    def running(self) -> str:
        return os.readlink(self.root / "opt/kortstalis/current")

    @property
    def versions(self) -> list[str]:
        return sorted(each.name for each in (self.root / "opt/kortstalis/versions").iterdir())


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_it_is_installed_with_all_that_lies_elsewhere(house: House) -> None:
    status, out, err = house.call("install")
    assert (status, err) == (0, "")
    assert house.versions == ["20261201-000001-unknown"]
    assert house.running == "versions/20261201-000001-unknown"
    for path in (
        "etc/systemd/system/kortstalis.service", "etc/udev/rules.d/70-kortstalis.rules",
        "etc/sysusers.d/kortstalis.conf", "etc/tmpfiles.d/kortstalis.conf",
        "usr/local/bin/kortstalis-table", "opt/kortstalis/current/.venv/bin/kortstalis",
    ):  # fmt: skip
        assert (house.root / path).is_file(), path
    assert (house.root / "etc/kortstalis/kortstalis.toml").read_text() == 'language = "lt"\n'
    assert out.endswith(f"(settings: {house.root}/etc/kortstalis/kortstalis.toml)\n")


def test_an_update_keeps_settings_and_one_version_back(house: House) -> None:
    house.call("install")
    settings = house.root / "etc/kortstalis/kortstalis.toml"
    settings.write_text("mine\n")
    (house.clone / "systemd/kortstalis.service").write_text("[Unit]\nDescription=newer\n")
    house.call("install")
    house.call("install")
    assert house.versions == ["20261201-000002-unknown", "20261201-000003-unknown"]
    assert house.running == "versions/20261201-000003-unknown"
    assert settings.read_text() == "mine\n"
    unit = house.root / "etc/systemd/system/kortstalis.service"
    assert unit.read_text() == "[Unit]\nDescription=newer\n"


@pytest.mark.parametrize("what", ["no-network", "broken"])
def test_an_update_that_fails_leaves_the_old_version(house: House, what: str) -> None:
    house.call("install")
    before = (house.root / "etc/systemd/system/kortstalis.service").read_text()
    (house.clone / "systemd/kortstalis.service").write_text("newer\n")
    (house.standins / what).touch()
    status, _, err = house.call("install")
    assert status == 1
    last = "kortstalis: not updated; the old version (versions/20261201-000001-unknown) is in place"
    assert err.splitlines()[-1] == last
    assert house.versions == ["20261201-000001-unknown"]
    assert house.running == "versions/20261201-000001-unknown"
    assert (house.root / "etc/systemd/system/kortstalis.service").read_text() == before


def test_files_that_cannot_be_laid_are_laid_back(house: House) -> None:
    house.call("install")
    before = (house.root / "etc/systemd/system/kortstalis.service").read_text()
    (house.clone / "systemd/kortstalis.service").write_text("newer\n")
    (house.clone / "systemd/kortstalis.rules").unlink()
    status, _, _ = house.call("install")
    assert (status, house.versions) == (1, ["20261201-000001-unknown"])
    assert (house.root / "etc/systemd/system/kortstalis.service").read_text() == before


def test_a_first_installation_that_fails_leaves_nothing_that_runs(house: House) -> None:
    (house.standins / "no-network").touch()
    status, _, err = house.call("install")
    assert status == 1
    assert err.splitlines()[-1] == "kortstalis: not installed"
    assert house.versions == []
    assert not (house.root / "etc/systemd").exists()


@pytest.mark.parametrize("numpy_1", [False, True])
def test_beside_picamera2_with_numpy_1_there_is_numpy_1(house: House, numpy_1: bool) -> None:
    (house.clone / "constraints.txt").write_text("babel==2.19.0\nnumpy==2.4.6\nopencv-python-headless==5.0\n")
    if numpy_1:
        (house.standins / "numpy-1").touch()
    house.call("install")
    used = Path((house.standins / "constraints").read_text().strip()).read_text().splitlines()
    assert used == (
        ["babel==2.19.0", "numpy<2", "opencv-python-headless<4.12"]
        if numpy_1
        else ["babel==2.19.0", "numpy==2.4.6", "opencv-python-headless==5.0"]
    )


def test_wrong_settings_do_not_stop_an_update(house: House) -> None:
    house.call("install")
    (house.root / "etc/kortstalis/kortstalis.toml").write_text("wrong\n")
    status, _, err = house.call("install")
    assert status == 0
    assert "to be corrected; the last good one is used" in err


@pytest.mark.parametrize("all_of_it", [False, True])
def test_removing_keeps_matches_unless_asked(house: House, all_of_it: bool) -> None:
    house.call("install")
    journal = house.root / "var/lib/kortstalis/journal.sqlite"
    journal.parent.mkdir(parents=True)
    journal.write_text("matches")
    status, _, _ = house.call("remove", *(["--matches-too"] if all_of_it else []))
    assert status == 0
    left = {str(each.relative_to(house.root)) for each in house.root.rglob("*") if each.is_file()}
    kept = {"etc/kortstalis/kortstalis.toml", "var/lib/kortstalis/journal.sqlite"}
    assert left == (set() if all_of_it else kept)
    assert not (house.root / "opt/kortstalis").exists()


@pytest.mark.parametrize("script", ["install", "remove"])
def test_an_unknown_option_is_refused(house: House, script: str) -> None:
    status, _, err = house.call(script, "--colour")
    assert (status, len(err.splitlines())) == (2, 1)
