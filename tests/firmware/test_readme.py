"""What firmware/README.md says is what the code does."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from appliance.commands import firmware as command
from firmware import wire
from tests.shared import ROOT

FOLDER = ROOT / "firmware"
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_messages_are_those_of_the_wire() -> None:
    written = {}
    for number, name, fields in re.findall(r"^\| (\d) ([A-Z_]+) \| [a-z]+ \| (.+) \|$", README, re.M):
        assert getattr(wire, name) == int(number)
        pairs = [field.split() for field in fields.split(", ")]
        written[int(number)] = tuple((pair[0], int(pair[1]) if len(pair) > 1 else 0) for pair in pairs)
    assert written == wire.FIELDS


def test_what_every_version_of_the_wire_has_alike_is_where_the_first_version_had_it() -> None:
    """A host of one version brings a board of another to the prompt with these and nothing else."""
    assert wire.FIELDS[wire.HELLO][:2] == (("protocol", 1), ("boot", 4))
    assert (wire.HELLO_PLEASE, wire.HELLO, wire.MAINTENANCE) == (1, 2, 8)
    assert wire.FIELDS[wire.MAINTENANCE] == (("boot", 4), ("check", 2))
    assert wire.FIELDS[wire.HELLO_PLEASE] == (("protocol", 1),)
    said = " ".join(README.split())
    assert "in every version of the wire a HELLO begins with `protocol` and `boot`" in said


def test_both_sides_use_the_one_definition() -> None:
    for path in (FOLDER / "core.py", ROOT / "appliance" / "podlink.py"):
        text = path.read_text(encoding="utf-8")
        assert "import wire" in text
        assert "0x7E" not in text.upper().replace("0X", "0x")
    assert not (ROOT / "appliance" / "wire.py").exists()


def constants(path: Path) -> dict[str, object]:
    """The constants of a file that cannot be imported here."""
    found: dict[str, object] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def test_the_pins_are_those_of_the_program() -> None:
    main = constants(FOLDER / "main.py")
    pods = re.findall(r"^\| GP(\d+), GP(\d+) \| pod \d", README, re.M)
    assert tuple(int(pin) for pair in pods for pin in pair) == main["BUTTON_PINS"]
    for name, words in (
        ("LAMP_PIN", "data of the lamps"),
        ("LIGHT_PIN", "gate"),
        ("BUZZER_PIN", "the buzzer"),
    ):
        assert f"| GP{main[name]} | {words}" in README


def test_all_files_of_the_firmware_are_flashed() -> None:
    assert set(command.FILES) == {path.name for path in FOLDER.glob("*.py")} - {"__init__.py"}
    assert command.FILES[-1] == "main.py"
