"""The hardware's numbers: the arithmetic, and that wiring, drawings and README say what the program uses."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from appliance.config import Config
from engine.games import GAMES
from hardware import drawings, optics, wiring
from tests.shared import ROOT

README = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")


def test_the_arithmetic_of_the_chosen_camera() -> None:
    lens = optics.CHOSEN_LENS
    assert lens.width_seen(1000) == pytest.approx(1298.8, abs=0.1)
    assert lens.depth_seen(1000) == pytest.approx(730.6, abs=0.1)
    assert lens.card_px(1000) == pytest.approx(86.7, abs=0.1)
    assert lens.highest() == pytest.approx(1576.8, abs=0.1)
    assert lens.card_px(lens.highest()) == pytest.approx(optics.LEAST_PX)
    assert lens.lowest(optics.CHOSEN_TABLE) == pytest.approx(821.2, abs=0.1)


@pytest.mark.parametrize("row", optics.heights(), ids=lambda row: f"{row[0].name}-{row[1].name}")
def test_within_the_heights_named_the_table_is_seen_and_cards_are_large_enough(
    row: tuple[optics.Table, optics.Lens, int, int, int],
) -> None:
    table, lens, low, high, pixels = row
    width, depth = table.field
    assert lens.width_seen(low * 10) >= width
    assert lens.depth_seen(low * 10) >= depth
    assert lens.card_px(high * 10) >= optics.LEAST_PX
    assert lens.card_px(low * 10) >= pixels


def test_a_lamp_at_its_distance_mirrors_at_the_edge_of_the_picture_or_outside() -> None:
    half = optics.CHOSEN_LENS.width_seen(optics.CHOSEN_MM) / 2
    for lamp in (400, 600, 800, 1000):
        distance = optics.lamp_distance(lamp) * 10
        mirrored = distance * optics.CHOSEN_MM / (optics.CHOSEN_MM + lamp)  # where angle in equals angle out
        assert half <= mirrored < half + 10
    assert f"under {optics.steepest_light()}°" in README


def test_the_console_is_wired_as_the_configuration_says() -> None:
    assert wiring.console_rows() == [
        ("up", 5, 29, 30), ("down", 6, 31, 30), ("ok", 13, 33, 34), ("back", 19, 35, 34),
        ("dispute", 26, 37, 39),
    ]  # fmt: skip
    table = re.search(r"<!-- table: console -->\n(.*?)<!-- end -->", README, re.DOTALL)
    assert table is not None
    found = {row[0]: int(row[1]) for row in re.findall(r"^\| (\w+) \| (\d+) \|", table[1], re.MULTILINE)}
    assert found == Config().pins.buttons()
    assert {row[1] for row in wiring.signal_rows()} == {16, 20, 21, 12, 22, 23, 24, 25}


def test_the_pods_are_wired_as_the_firmware_says() -> None:
    pins = wiring.firmware_pins()
    assert pins["BUTTON_PINS"] == (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
    table = re.search(r"<!-- table: pods -->\n(.*?)<!-- end -->", README, re.DOTALL)
    assert table is not None
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \|$", table[1], re.MULTILINE)
    assert tuple(int(gp) for what, gp, _ in rows if what.startswith("pod ")) == pins["BUTTON_PINS"]
    others = {what: int(gp) for what, gp, _ in rows if not what.startswith("pod ")}
    assert others == {
        "lamps, data": pins["LAMP_PIN"], "ring light, gate": pins["LIGHT_PIN"], "buzzer": pins["BUZZER_PIN"],
    }  # fmt: skip


def test_no_pin_is_used_twice_and_none_is_a_ground() -> None:
    for rows, grounds in (
        ([row[2] for row in (*wiring.console_rows(), *wiring.signal_rows())], wiring.PI_GROUNDS),
        ([row[2] for row in wiring.pod_rows()], wiring.PICO_GROUNDS),
    ):
        assert len(set(rows)) == len(rows)
        assert not set(rows) & set(grounds)
    for pins, grounds in ((wiring.PI_PINS, wiring.PI_GROUNDS), (wiring.PICO_PINS, wiring.PICO_GROUNDS)):
        assert len(set(pins.values())) == len(pins)
        assert not set(pins.values()) & set(grounds)
    assert not {2, 3, 14, 15} & {row[1] for row in (*wiring.console_rows(), *wiring.signal_rows())}


def test_all_places_have_the_same_buzzer_and_lamps_and_the_parts_list_has_them() -> None:
    """The pods' and the console's, in both READMEs and in the drawings: a passive piezo and one resistor."""
    firmware = (ROOT / "firmware" / "README.md").read_text(encoding="utf-8")
    resistor = f"{wiring.SERIES_OHM} Ω"
    assert min(wiring.CURRENTS["pods: buzzer"], 16) >= 3300 / wiring.SERIES_OHM  # mA: what a pin may give
    about = [line for line in (README + firmware).splitlines() if re.search("[Bb]uzzer|piezo", line)]
    wired = [line for line in about if " Ω" in line]
    assert len(wired) >= 4
    for line in wired:
        assert "piezo" in line or "LED" in line
        assert set(re.findall(r"\d+ Ω", line)) == {resistor}, line
    for line in about:
        assert "transistor" not in line or "no transistor" in line, line
    parts = README.split("## Parts")[1].split("\n## ")[0]
    assert len(re.findall("passive piezo", parts)) == 2
    lamps = re.search(r"up to (\d) lamps \(LED", parts)
    assert lamps is not None
    assert int(lamps[1]) == len(Config().pins.lamps()) - 1 + max(max(game.players) for game in GAMES.values())
    for name in ("console.svg", "pods.svg"):
        drawn = (ROOT / "hardware" / name).read_text(encoding="utf-8")
        assert "passive piezo" in drawn
        assert resistor in drawn


def test_the_supply_is_strong_enough() -> None:
    usb = sum(ma for what, ma in wiring.CURRENTS.items() if what != "Raspberry Pi 4, busy")
    assert sum(wiring.CURRENTS.values()) <= wiring.SUPPLY_MA
    assert usb <= wiring.USB_MA
    assert usb + wiring.RING_MA > wiring.USB_MA  # why the ring light has its own supply


@pytest.mark.parametrize("name", sorted(drawings.DRAWINGS))
def test_the_drawings_are_made_from_these_numbers(name: str) -> None:
    text = (ROOT / "hardware" / name).read_text(encoding="utf-8")
    assert text == drawings.DRAWINGS[name]()
    assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert f"]({name})" in README


def test_the_tables_of_the_readme_are_made_from_these_numbers() -> None:
    assert drawings.filled(README) == README


def test_all_messages_of_the_screen_that_the_readme_explains_are_messages() -> None:
    catalogue = (ROOT / "appliance/language/en/LC_MESSAGES/kortstalis.po").read_text(encoding="utf-8")
    faults = README.split("## Finding faults")[1]
    quoted = re.findall(r'"([^"]+)"', faults)
    assert len(quoted) >= 6
    for text in quoted:
        assert text in catalogue, text
