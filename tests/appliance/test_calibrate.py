"""`kortstalis calibrate`: the geometry and its overlay, by the mat and by four cards."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli import main
from appliance.flows import FLOWS
from appliance.tables import table_in
from tests.vision.test_corners import CORNERS, cards_in_the_corners
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.geometry import GeometryError, geometry_from_text, with_seats
from vision.mat import geometry_from_markers
from vision.overlay import with_areas
from vision.scene import Look, Mat, Scene


def shot(path: Path, camera: Camera, *, mat: bool) -> Path:
    scene = Scene(DrawnDeck(), camera, Look(seed=2), Mat.printed("A3") if mat else None)
    cv2.imwrite(str(path), scene.render([] if mat else cards_in_the_corners(camera)))
    return path


@pytest.mark.parametrize("mat", [True, False], ids=["mat", "cards"])
def test_the_geometry_is_written_and_read_back(tmp_path: Path, mat: bool) -> None:
    camera = Camera(tilt=4, roll=1)
    picture = shot(tmp_path / "table.png", camera, mat=mat)
    out = tmp_path / "table.json"
    how = [] if mat else ["--cards"]
    assert main(["calibrate", str(picture), *how, "--players", "3", "--output", str(out)]) == 0
    geometry = geometry_from_text(out.read_text())
    assert {area.name for area in geometry.areas} == {"seat1", "seat2", "seat3", "center", "stock"}
    a, b = geometry.to_table(CORNERS[:2])
    assert np.hypot(*(a - b)) == pytest.approx(
        np.hypot(*np.diff(camera.to_table(CORNERS[:2]), axis=0)[0]), rel=0.01
    )


@pytest.mark.parametrize("game", ["dezertyras", "durnius", "vepla"])
def test_the_overlay_shows_every_area_of_the_game_where_it_is(tmp_path: Path, game: str) -> None:
    camera = Camera(tilt=4, k1=-0.1)
    picture, out = shot(tmp_path / "table.png", camera, mat=True), tmp_path / "table.json"
    overlay = tmp_path / "areas.png"
    assert (
        main(["calibrate", str(picture), "--game", game, "--output", str(out), "--overlay", str(overlay)])
        == 0
    )
    geometry = geometry_from_text(out.read_text())
    names = {"seat1", "seat2", "seat3", "seat4", *(area.name for area in FLOWS[game]().areas)}
    assert {area.name for area in geometry.areas} == names
    before, after = cv2.imread(str(picture)), cv2.imread(str(overlay))
    assert before is not None and after is not None and before.shape == after.shape
    x, y = np.meshgrid(np.arange(6, 1280, 12), np.arange(6, 720, 12))
    spots = np.column_stack([x.ravel(), y.ravel()])
    owners = [geometry.area_at(*at) for at in geometry.to_table(spots)]
    tinted = np.abs(after.astype(int) - before)[spots[:, 1], spots[:, 0]].max(axis=1) > 6
    for name in names:
        own = np.array([owner == name for owner in owners])
        assert own.sum() > 10 and tinted[own].mean() > 0.8, name


def test_an_overlay_leaves_its_picture_and_draws_no_area_outside_it() -> None:
    camera = Camera()
    geometry = with_seats(geometry_from_text(json.dumps({
        "size": [1280, 720], "homography": [0.7, 0, -448, 0, 0.7, -252, 0, 0, 1], "k1": -0.1, "k2": 0.0,
        "seats": 4, "card_mm": [63, 88], "areas": {}, "table_mm": [400, 300],
    })), 4)  # fmt: skip
    plain = Scene(DrawnDeck(), camera, Look()).render([])
    before = plain.copy()
    drawn = with_areas(plain, geometry)
    assert (plain == before).all()
    outside = np.ones(plain.shape[:2], bool)
    box = geometry.to_picture(np.array([[-210, -160], [210, 160]])).round().astype(int)
    outside[box[0, 1] : box[1, 1], box[0, 0] : box[1, 0]] = False
    assert (drawn[outside] == plain[outside]).all()
    assert (drawn[~outside] != plain[~outside]).any(axis=1).mean() > 0.8


@pytest.mark.parametrize(
    "arguments", [["--card-size", "88x63"], ["--card-size", "big"], ["--game", "bridge"]]
)
def test_bad_options_are_one_line(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shot(tmp_path / "table.png", Camera(), mat=False)
    try:
        status = main(["calibrate", str(picture), "--cards", *arguments])
    except SystemExit as end:
        status = int(str(end.code))
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


def test_what_was_written_is_used_where_no_mat_lies_scaled_to_the_picture(tmp_path: Path) -> None:
    camera = Camera(tilt=4, roll=1)
    picture, out = shot(tmp_path / "table.png", camera, mat=False), tmp_path / "table.json"
    assert main(["calibrate", str(picture), "--cards", "--output", str(out)]) == 0
    image = np.asarray(cv2.imread(str(picture)), np.uint8)
    small = np.asarray(cv2.resize(image, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    geometry = table_in(small, 3, str(out))
    assert geometry.seats == 3
    half = [side / 2 for side in table_in(image, 4, str(out)).card_size_px]
    assert geometry.card_size_px == pytest.approx(half, rel=1e-3)
    with pytest.raises(GeometryError, match="0 of the mat's markers"):
        table_in(small, 3)
    out.write_text("{}")
    with pytest.raises(GeometryError, match=r"table\.json: not a table geometry"):
        table_in(small, 3, str(out))
    with pytest.raises(GeometryError, match=r"gone\.json: No such file"):
        table_in(small, 3, str(tmp_path / "gone.json"))


def test_the_mat_counts_before_the_file(tmp_path: Path) -> None:
    camera = Camera()
    image = np.asarray(cv2.imread(str(shot(tmp_path / "table.png", camera, mat=True))), np.uint8)
    assert table_in(image, 4, str(tmp_path / "gone.json")) == geometry_from_markers(image, 4)
