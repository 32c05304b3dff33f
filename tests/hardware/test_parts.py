"""The printed parts: they use the common numbers, what goes into them fits, and OpenSCAD makes them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.parts import NUMBERS, scad
from tests.shared import ROOT

HARDWARE = ROOT / "hardware"
PARTS = {"pod.scad": ("box", "lid"), "camera_head.scad": ("",)}
N = {name: float(value) for name, value in NUMBERS.items()}
_OF_OPENSCAD = """
    include module linear_extrude offset square center true difference union translate for if cube cylinder d
    h hull rotate children fn
"""
_OF_THE_PARTS = "numbers scad part both box lid rounded length width height radius side x z"
WORDS = {*_OF_OPENSCAD.split(), *_OF_THE_PARTS.split()}


def source(name: str) -> str:
    """Without its comments and texts."""
    text = re.sub(r"//[^\n]*", "", (HARDWARE / name).read_text(encoding="utf-8"))
    return re.sub(r'"[^"]*"', "", text)


def test_the_numbers_are_those_of_the_program() -> None:
    assert (HARDWARE / "numbers.scad").read_text(encoding="utf-8") == scad()


def test_each_number_is_used_and_nothing_else() -> None:
    used: set[str] = set()
    for name in PARTS:
        text = source(name)
        own = set(re.findall(r"^(\w+) =", text, re.MULTILINE)) | set(re.findall(r"module (\w+)", text))
        words = set(re.findall(r"[a-z_]+", text))
        assert words - WORDS - own - NUMBERS.keys() == set(), name
        used |= words & NUMBERS.keys()
    inside = {"button_nut", "button_deep", "board_long"}  # only what has to fit, below
    assert used == NUMBERS.keys() - inside


def test_buttons_lamp_and_screws_fit_into_the_pod() -> None:
    inner = N["pod_length"] - 2 * N["wall"]
    post = N["screw_hole"] + 2 * N["wall"]
    nut = N["button_nut"] / 2
    assert N["button_apart"] / 2 - nut > N["lamp_hole"] / 2 + 1  # the lamp between the nuts
    assert N["button_apart"] / 2 + nut + 1 < (inner - post) / 2 - post / 2  # the screws beyond them
    assert 2 * nut + 1 < N["pod_width"] - 2 * N["wall"]
    assert N["button_deep"] < N["pod_height"] - 2 * N["wall"]


def test_the_cameras_board_fits_on_its_plate() -> None:
    boss = N["board_hole"] / 2 + N["wall"]
    assert N["window_long"] / 2 < N["holes_long"] / 2 - boss  # the window does not cut the bosses
    assert N["board_long"] < N["batten_wide"]  # between the cheeks
    assert N["holes_long"] + 2 * N["board_edge"] <= N["board_long"]
    readme = (HARDWARE / "README.md").read_text(encoding="utf-8")
    assert f"battens {N['batten_high']:.0f}×{N['batten_wide']:.0f} mm" in readme


@pytest.mark.skipif(shutil.which("openscad") is None, reason="openscad is missing: apt-get install openscad")
@pytest.mark.parametrize(("name", "part"), [(name, part) for name, parts in PARTS.items() for part in parts])
def test_openscad_makes_a_body_without_a_warning(tmp_path: Path, name: str, part: str) -> None:
    made = tmp_path / "part.stl"
    chosen = ["-D", f'part="{part}"'] if part else []
    done = subprocess.run(
        ["openscad", *chosen, "-o", made, HARDWARE / name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert "Simple:        yes" in done.stderr  # a closed surface
    assert re.search(r"Volumes: +2\n", done.stderr)  # one body, and what is around it
    assert made.read_text().count("facet normal") > 100
