"""The simulated table: what it films when something happens on it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from appliance.layout import Layout, Spot
from appliance.simulated import Happening, Lay, Pick, Shift, SimulatedTable, Turn, Wait, real_time
from engine.cards import Card, parse_card
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
    return SimulatedTable(scene, Layout(seats, random.Random(seed)))


LAYOUT = Layout(4, random.Random(1))


def lay(seat: int, *cards: Card, layout: Layout = LAYOUT) -> Lay:
    """A seat lays cards before it."""
    return Lay(seat, tuple((card, layout.trick(seat, at)) for at, card in enumerate(cards)))


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
    film(table_of(scene), lay(seat, NINE))
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
    film(table_of(scene), lay(1, NINE))
    assert 4 <= len(scene.asked) <= 8


def test_cards_lie_crooked_and_either_way_up(scene: Filmed) -> None:
    table = table_of(scene)
    for _ in range(40):
        film(table, lay(1, NINE), Pick(1, (NINE,)))
    angles = np.array([cards[0].angle for cards, arms in scene.asked if cards and not arms])
    tilt = (angles + 90) % 180 - 90
    assert 3 < tilt.std() < 12
    assert 0.2 < (np.abs((angles + 180) % 360 - 180) > 90).mean() < 0.8


def test_a_card_is_never_in_a_hand_and_on_the_table_at_once(scene: Filmed) -> None:
    film(
        table_of(scene), lay(1, NINE), lay(2, TEN), Pick(2, (TEN,)), lay(2, KING), Pick(3, (NINE, TEN, KING))
    )
    for cards, arms in scene.asked:
        faces = [card.face for card in (*cards, *(held for arm in arms for held in arm.held))]
        assert len(faces) == len(set(faces))


def test_a_card_taken_back_leaves_with_its_seats_hand(scene: Filmed) -> None:
    film(table_of(scene), lay(1, NINE), lay(2, TEN), Pick(2, (TEN,)))
    assert [card.face for card in scene.asked[-1][0]] == [NINE]
    carrying = [arms[0] for _, arms in scene.asked[-4:] if arms and arms[0].held]
    assert {arm.angle for arm in carrying} == {90.0}
    before = len(scene.asked)
    film(table_of(scene), Pick(2, (KING,)))  # what does not lie there cannot be taken
    assert len(scene.asked) == before


def test_a_sweep_takes_all_cards_with_it(scene: Filmed) -> None:
    film(table_of(scene), lay(1, NINE), lay(2, TEN), lay(3, KING), Pick(3, (NINE, TEN, KING)))
    held = [{card.face for card in arms[0].held} for _, arms in scene.asked if arms and len(arms[0].held) > 1]
    assert held and all(faces == {NINE, TEN, KING} for faces in held)
    assert scene.asked[-1] == ((), ())


def test_a_card_that_is_put_elsewhere_lies_on_top_there_or_under_all(scene: Filmed) -> None:
    table = table_of(scene)
    film(table, lay(1, NINE), lay(2, TEN), lay(3, KING), Shift(1, NINE, Spot(-84, 0)))
    assert [(card.face, card.x) for card in table.lying()[-1:]] == [(NINE, -84)]
    film(table, Shift(3, KING, Spot(-84, 5), under=True))
    assert [card.face for card in table.lying()] == [KING, TEN, NINE]


def test_a_card_is_turned_up_where_it_lies(scene: Filmed) -> None:
    table = table_of(scene)
    film(table, Lay(2, ((TEN, Spot(-200, 80, up=False)),)))
    assert [(card.face, card.up) for card in table.lying()] == [(TEN, False)]
    film(table, Turn(2, TEN))
    assert [(card.face, card.up, card.x) for card in table.lying()] == [(TEN, True, -200)]


def test_happenings_follow_one_another_and_then_the_table_rests(scene: Filmed) -> None:
    table = table_of(scene)
    film(table, lay(1, NINE), Wait(1.0))
    still = [cards for cards, arms in scene.asked if cards and not arms]
    assert len(still) == 1 + 10  # a second of ten frames
    table.read()
    assert scene.asked[-1][0] == still[-1]


def test_times_are_those_of_the_film(scene: Filmed) -> None:
    table = SimulatedTable(scene, LAYOUT, rate=12.5)
    frames = [table.read() for _ in range(4)]
    assert [frame.t for frame in frames] == pytest.approx([0.0, 0.08, 0.16, 0.24])
    assert [frame.number for frame in frames] == [0, 1, 2, 3]
    assert not table.stills


def test_a_match_resumed_finds_its_cards_lying(scene: Filmed) -> None:
    table = table_of(scene)
    table.lies(TEN, Spot(-84, 0))
    table.lies(KING, Spot(0, -84))
    assert not table.busy
    table.read()
    cards, arms = scene.asked[0]
    assert ([card.face for card in cards], arms) == ([TEN, KING], ())


def test_the_same_seed_is_the_same_film() -> None:
    def last(seed: int) -> Image:
        table = table_of(Scene(DrawnDeck(pixels_per_mm=3.0), look=Look(seed=3)))
        film(table, lay(2, TEN, layout=Layout(4, random.Random(seed))))
        return table.read().image

    assert np.array_equal(last(5), last(5))
    assert not np.array_equal(last(5), last(6))


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_every_seat_has_a_place_of_its_own(scene: Filmed, seats: int) -> None:
    table = table_of(scene, seats)
    layout = Layout(seats, random.Random(1))
    film(
        table,
        *(lay(seat, card, layout=layout) for seat, card in zip(range(1, seats + 1), PACK, strict=False)),
    )
    places = np.array([(card.x, card.y) for card in scene.asked[-1][0]])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))[np.triu_indices(seats, 1)]
    assert apart.min() > 45


PACK = tuple(map(parse_card, ("♠9", "♥9", "♦10", "♠K", "♣V", "♥T", "♦D")))


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
