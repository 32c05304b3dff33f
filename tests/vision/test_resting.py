"""A hand that rests in the picture, and a camera that is bumped: the table is read beside the one and after
the other."""

from __future__ import annotations

import numpy as np

from engine.cards import parse_card
from vision.camera import Camera
from vision.deck import DrawnDeck
from vision.disturb import Bump
from vision.scene import Arm, LaidCard, Look, Mat, Scene
from vision.settle import Settled, Settler
from vision.types import Frame

CARD = LaidCard(parse_card("hA"), 0, -60)
HAND = Arm(-345, 165, person=1)


def scene(look: Look | None = None) -> Scene:
    return Scene(DrawnDeck(), Camera(), look or Look(), Mat.printed())


def test_a_card_laid_beside_a_hand_that_rests_is_read_as_soon_as_it_lies() -> None:
    table, settler = scene(), Settler()
    found: list[Settled] = []
    for number in range(40):
        arms = (HAND,) if number >= 5 else ()
        image = table.render((CARD,) if number >= 20 else (), arms, number=number)
        settled = settler.update(Frame(number / 10, image, number)).settled
        if settled is not None:
            found.append(settled)
    assert [round(each.t, 1) for each in found] == [0.3, 1.2, 2.3]
    changed = np.argwhere(found[-1].changed)
    assert changed.min(axis=0)[0] > 30 and changed.max(axis=0)[0] < 100
    assert found[-1].hidden.any()


def test_a_bumped_camera_is_no_hand() -> None:
    table, settler, bump = scene(Look(table="wood")), Settler(), Bump(0)
    states = []
    for number in range(100, 135):
        image = bump.picture(table.render((CARD,), number=number), number)
        states.append(settler.update(Frame(number / 10, image, number)).state)
    assert states[-1] == "still"
