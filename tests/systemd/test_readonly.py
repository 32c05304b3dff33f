"""The read-only root: what systemd says of its units, and what lies where."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.shared import ROOT
from tests.systemd.test_unit import analyze

UNITS = sorted(path for path in (ROOT / "systemd" / "readonly").iterdir() if path.suffix != ".conf")


def call(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "systemd" / "read-only", *options], capture_output=True, text=True, check=False
    )


@analyze
def test_systemd_has_nothing_to_say_against_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text())
    (tmp_path / "kortstalis.service").write_text("[Service]\nExecStart=/bin/true\n")
    done = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / unit.name for unit in UNITS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_matches_stay_writable_and_the_root_is_closed_after_the_table_has_started() -> None:
    texts = {unit.name: unit.read_text() for unit in UNITS}
    mount = texts["var-lib-kortstalis.mount"]
    assert "Where=/var/lib/kortstalis\n" in mount
    assert "ConditionPathExists=/dev/disk/by-label/kortstalis\n" in mount  # without it the table starts too
    closing = texts["kortstalis-readonly.service"]
    assert "After=multi-user.target kortstalis.service\n" in closing
    assert "RequiresMountsFor=/var/lib/kortstalis" in closing
    assert "ConditionVirtualization=!container\n" in closing  # it would close the file system of the machine
    service = (ROOT / "systemd" / "kortstalis.service").read_text()
    assert "RequiresMountsFor=/var/lib/kortstalis\n" in service
    assert "StateDirectory=kortstalis\n" in service


def test_on_lays_the_files_and_off_takes_them_away_but_for_the_partition_of_the_matches(
    tmp_path: Path,
) -> None:
    done = call("on", "--root", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    system = tmp_path / "etc/systemd/system"
    assert sorted(path.name for path in system.iterdir()) == [unit.name for unit in UNITS]
    journald = tmp_path / "etc/systemd/journald.conf.d/kortstalis.conf"
    assert "Storage=volatile" in journald.read_text()
    assert call("off", "--root", str(tmp_path)).returncode == 0
    assert [path.name for path in system.iterdir()] == ["var-lib-kortstalis.mount"]
    assert not journald.exists()


@pytest.mark.parametrize("options", [(), ("half",), ("on", "--root"), ("--colour",)])
def test_what_cannot_be_meant_is_refused_in_one_line(options: tuple[str, ...]) -> None:
    done = call(*options)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
