"""The unit: what systemd itself says of it, and what must be in it."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from appliance.pods import PATTERNS
from tests.shared import ROOT

UNIT = ROOT / "systemd" / "kortstalis.service"
analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit with a program that is there."""
    path = tmp_path / "kortstalis.service"
    program = re.compile(r"^ExecStart=\S+", re.MULTILINE)
    path.write_text(program.sub("ExecStart=/bin/true", UNIT.read_text()))
    return path


def values() -> dict[str, str]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read_string(UNIT.read_text())
    return {key: value for section in parser.values() for key, value in section.items()}


@analyze
def test_systemd_has_nothing_to_say_against_it(installed: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", installed], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@analyze
def test_it_is_exposed_to_less_than_three(installed: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", installed],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None
    assert float(found[1]) < 3.0


def test_a_hang_is_over_within_20_seconds_and_the_third_start_is_a_safe_one() -> None:
    unit = values()
    assert (unit["Type"], unit["Restart"]) == ("notify", "always")
    assert sum(int(unit[key]) for key in ("WatchdogSec", "TimeoutAbortSec", "RestartSec")) <= 16
    assert int(unit["StartLimitBurst"]) > 3


def test_it_has_its_own_user_no_network_and_only_its_devices() -> None:
    unit = values()
    assert (unit["User"], unit["PrivateNetwork"], unit["ProtectSystem"]) == ("kortstalis", "yes", "strict")
    assert unit["DevicePolicy"] == "closed"
    members = (ROOT / "systemd" / "kortstalis.sysusers").read_text().splitlines()
    groups = [line.split()[2] for line in members if line.startswith("m ")]
    assert groups == unit["SupplementaryGroups"].split()


def test_the_pods_are_looked_for_by_the_name_that_the_rules_give() -> None:
    rules = (ROOT / "systemd" / "kortstalis.rules").read_text()
    found = re.search(r'SYMLINK\+="([^"]+)"', rules)
    assert found is not None
    assert f"/dev/{found[1]}" in PATTERNS
