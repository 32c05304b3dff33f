"""Each disturbance changes the picture as its name says."""

from __future__ import annotations

import numpy as np
import pytest

from vision.disturb import (
    DISTURBANCES,
    Bump,
    Disturbance,
    Flicker,
    Lights,
    Ramp,
    RestingHand,
    Shadow,
    Sleeve,
    Sun,
    Things,
)
from vision.types import Image


def grey(level: int = 100) -> Image:
    return np.full((720, 1280, 3), level, np.uint8)


@pytest.mark.parametrize("name", DISTURBANCES)
def test_it_is_a_function_of_number_and_seed_and_leaves_the_picture_as_it_was(name: str) -> None:
    image = grey()
    image[200:300, 500:560] = 220
    kept = image.copy()
    for number in (0, 75, 125, 250):
        once, again = (DISTURBANCES[name](4).picture(image, number) for _ in range(2))
        assert (once == again).all() and once.shape == (720, 1280, 3) and once.dtype == np.uint8
    assert (image == kept).all()


@pytest.mark.parametrize("name", DISTURBANCES)
def test_a_film_begins_undisturbed(name: str) -> None:
    disturbed = DISTURBANCES[name](4)
    assert abs(float(disturbed.picture(grey(), 0).mean()) - 100) < 3
    assert (disturbed.brightness(0), disturbed.arms(0), disturbed.bumps(0)) == (1.0, (), 0)


def test_nothing_changes_nothing() -> None:
    image = grey()
    assert Disturbance().picture(image, 99) is image


def test_the_light_fades_to_six_tenths_after_ten_seconds() -> None:
    levels = [round(Ramp().brightness(number), 2) for number in (0, 50, 100, 150, 200)]
    assert levels == [1.0, 0.8, 0.6, 0.8, 1.0]


def test_flicker_is_bands_of_eight_percent() -> None:
    rows = Flicker(1).picture(grey(), 7).mean(axis=(1, 2))
    assert (round(rows.min()), round(rows.max())) == (92, 108)
    across = Flicker(1).picture(grey(), 7).std(axis=1)
    assert across.max() == 0


def test_sun_is_a_brighter_and_warmer_patch() -> None:
    change = Sun(1).picture(grey(), 120).astype(int) - 100
    assert change.max(axis=(0, 1)).tolist() == [22, 32, 38]
    assert 0.03 < (change[..., 1] > 16).mean() < 0.15


def test_a_head_darkens_by_a_third_and_passes() -> None:
    passing = [Shadow(1).picture(grey(), number) for number in (80, 95)]
    assert min(int(picture.min()) for picture in passing) == 65
    assert Shadow(1).picture(grey(), 100).min() == 100


def test_a_hand_rests_beside_the_play_and_goes() -> None:
    (arm,) = RestingHand(2).arms(200)
    assert 340 < abs(arm.x) < 350 and 160 < abs(arm.y) < 170
    assert RestingHand(2).arms(240) == ()


def test_a_sleeve_lies_over_the_edge() -> None:
    changed = (Sleeve(2).picture(grey(), 60) != 100).any(axis=2)
    assert changed[719].sum() > 60
    assert not changed[:500].any() and not changed[:, 300:980].any()


def test_things_are_put_down_and_the_phone_lights_up() -> None:
    things = Things(2)
    assert (things.picture(grey(), 29) == 100).all()
    dark, lit = (things.picture(grey(), number)[60:110, :, 0] for number in (60, 130))
    assert (dark < 60).sum() > 5000 and (lit == 205).sum() > 5000


def test_the_camera_is_bumped_by_ten_pixels_and_by_two_degrees() -> None:
    first, second = Bump(0).motion(130), Bump(0).motion(250)
    assert round(float(np.hypot(*first[:, 2])), 6) == 10
    turned = np.degrees(np.arctan2(second[1, 0], second[0, 0]))
    assert round(abs(float(turned)), 6) == 2
    image = grey()
    image[360, 640] = 255
    y, x = np.unravel_index(Bump(0).picture(image, 130)[..., 0].argmax(), (720, 1280))
    assert np.hypot(x - 640 - first[0, 2], y - 360 - first[1, 2]) < 1


def test_the_lights_are_off_for_two_seconds() -> None:
    off = [number for number in range(200) if Lights().dark(number)]
    assert off == list(range(160, 180))
    assert (Lights().brightness(165), Lights().brightness(185)) == (0.06, 1.0)


def test_what_is_put_down_stirs_as_long_as_its_picture_changes() -> None:
    things, image = DISTURBANCES["things"](3), np.full((360, 640, 3), 90, np.uint8)
    pictures = [things.picture(image, number) for number in range(60)]
    stirring = [n for n in range(1, 60) if (pictures[n] != pictures[n - 1]).any()]
    assert stirring and set(stirring) <= {n for n in range(60) if things.stirs(n)}
    assert not things.stirs(29) and not things.stirs(50)
    assert not any(DISTURBANCES["shadow"](3).stirs(n) for n in range(200))
