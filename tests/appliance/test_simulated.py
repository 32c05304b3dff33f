"""The simulated table: what it films when something happens on it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from appliance.simulated import Happening, Lay, SimulatedTable, Sweep, TakeBack, Wait, real_time
from engine.cards import parse_card
from vision.deck import DrawnDeck
from vision.scene import Arm, LaidCard, Look, Scene
from vision.types import Image

NINE, TEN, KING = parse_card("♥9"), parse_card("♦10"), parse_card("♠K")


class Filmed(Scene):
    """A scene that notes what it is asked to render, and renders something small."""

    def __post_init__(self) -> None:
        self.asked: list[tuple[tuple[LaidCard, ...], tuple[Arm, ...]]] = []

    def render(
        self, cards: Sequence[LaidCard], arms: Sequence[Arm] = (), *, number: int = 0, brightness: float = 1.0
    ) -> Image:
        self.asked.append((tuple(cards), tuple(arms)))
        return np.zeros((9, 16, 3), np.uint8)


@pytest.fixture
def scene() -> Filmed:
    return Filmed(DrawnDeck())


def table_of(scene: Scene, seats: int = 4, seed: int = 1) -> SimulatedTable:
    return SimulatedTable(scene, seats, random.Random(seed))


def film(table: SimulatedTable, *happenings: Happening) -> None:
    for happening in happenings:
        table.perform(happening)
    while table.busy:
        table.read()


@pytest.mark.parametrize(
    ("seat", "axis", "sign", "angle"), [(1, 1, 1, 0), (2, 0, -1, 90), (3, 1, -1, 180), (4, 0, 1, 270)]
)
def test_a_card_comes_from_its_seat_and_stays_before_it(
    scene: Filmed, seat: int, axis: int, sign: int, angle: float
) -> None:
    film(table_of(scene), Lay(seat, NINE))
    first_cards, first_arms = scene.asked[0]
    last_cards, last_arms = scene.asked[-1]
    assert first_cards == () and [card.face for card in first_arms[0].held] == [NINE]
    assert first_arms[0].angle == angle
    assert last_arms == () and [card.face for card in last_cards] == [NINE]
    place = (last_cards[0].x, last_cards[0].y)
    assert 50 < sign * place[axis] < 140  # towards the seat …
    assert abs(place[1 - axis]) < 45  # … and in the middle of its side
    started = (first_arms[0].x, first_arms[0].y)
    assert sign * started[axis] > sign * place[axis]  # the hand came from farther out


def test_a_play_takes_at_most_eight_frames(scene: Filmed) -> None:
    film(table_of(scene), Lay(1, NINE))
    assert 4 <= len(scene.asked) <= 8


def test_cards_lie_crooked_and_either_way_up(scene: Filmed) -> None:
    table = table_of(scene)
    for _ in range(40):
        film(table, Lay(1, NINE), Sweep(1))
    angles = np.array([cards[0].angle for cards, arms in scene.asked if cards and not arms])
    tilt = (angles + 90) % 180 - 90
    assert 3 < tilt.std() < 12
    assert 0.2 < (np.abs((angles + 180) % 360 - 180) > 90).mean() < 0.8


def test_a_card_is_never_in_a_hand_and_on_the_table_at_once(scene: Filmed) -> None:
    film(table_of(scene), Lay(1, NINE), Lay(2, TEN), TakeBack(2, TEN), Lay(2, KING), Sweep(3))
    for cards, arms in scene.asked:
        faces = [card.face for card in (*cards, *(held for arm in arms for held in arm.held))]
        assert len(faces) == len(set(faces))


def test_a_card_taken_back_leaves_with_its_seats_hand(scene: Filmed) -> None:
    film(table_of(scene), Lay(1, NINE), Lay(2, TEN), TakeBack(2, TEN))
    assert [card.face for card in scene.asked[-1][0]] == [NINE]
    carrying = [arms[0] for _, arms in scene.asked[-4:] if arms and arms[0].held]
    assert {arm.angle for arm in carrying} == {90.0}
    before = len(scene.asked)
    film(table_of(scene), TakeBack(2, KING))  # what does not lie there cannot be taken
    assert len(scene.asked) == before


def test_a_sweep_takes_all_cards_with_it(scene: Filmed) -> None:
    film(table_of(scene), Lay(1, NINE), Lay(2, TEN), Lay(3, KING), Sweep(3))
    held = [{card.face for card in arms[0].held} for _, arms in scene.asked if arms and len(arms[0].held) > 1]
    assert held and all(faces == {NINE, TEN, KING} for faces in held)
    assert scene.asked[-1] == ((), ())


def test_happenings_follow_one_another_and_then_the_table_rests(scene: Filmed) -> None:
    table = table_of(scene)
    film(table, Lay(1, NINE), Wait(1.0))
    still = [cards for cards, arms in scene.asked if cards and not arms]
    assert len(still) == 1 + 10  # a second of ten frames
    table.read()
    assert scene.asked[-1][0] == still[-1]


def test_times_are_those_of_the_film(scene: Filmed) -> None:
    table = SimulatedTable(scene, 4, random.Random(1), rate=12.5)
    frames = [table.read() for _ in range(4)]
    assert [frame.t for frame in frames] == pytest.approx([0.0, 0.08, 0.16, 0.24])
    assert [frame.number for frame in frames] == [0, 1, 2, 3]
    assert not table.stills


def test_a_match_resumed_finds_its_cards_lying(scene: Filmed) -> None:
    table = table_of(scene)
    table.lies(2, TEN)
    table.lies(3, KING)
    assert not table.busy
    table.read()
    cards, arms = scene.asked[0]
    assert ([card.face for card in cards], arms) == ([TEN, KING], ())


def test_the_same_seed_is_the_same_film() -> None:
    def last(seed: int) -> Image:
        table = table_of(Scene(DrawnDeck(pixels_per_mm=3.0), look=Look(seed=3)), seed=seed)
        film(table, Lay(2, TEN))
        return table.read().image

    assert np.array_equal(last(5), last(5))
    assert not np.array_equal(last(5), last(6))


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_every_seat_has_a_place_of_its_own(scene: Filmed, seats: int) -> None:
    table = table_of(scene, seats)
    film(table, *(Lay(seat, card) for seat, card in zip(range(1, seats + 1), PACK, strict=False)))
    places = np.array([(card.x, card.y) for card in scene.asked[-1][0]])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))[np.triu_indices(seats, 1)]
    assert apart.min() > 45


PACK = tuple(map(parse_card, ("♥9", "♦10", "♠K", "♣V", "♥T", "♦D")))


def test_pace_keeps_to_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [50.0], []

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        now[0] += seconds

    monkeypatch.setattr("appliance.simulated.time.sleep", sleep)
    pace = real_time(clock=lambda: now[0])
    pace(0.1)
    now[0] += 0.04  # a little work
    pace(0.1)
    now[0] += 3.0  # long work: not made up for
    pace(0.1)
    assert slept == [0.1, 0.06, 0.0]
