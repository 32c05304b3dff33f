"""What is heard, on a mixer that only remembers."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from appliance.config import Config
from appliance.devices import Devices
from appliance.language import Language
from appliance.settings import SOUNDS, Settings
from appliance.sound import KINDS, Kind, Mixer, Samples, SoundError, Sounds, seconds, tone
from engine.players import SimplePlayer
from engine.record import Header, Takeback, parse
from engine.referee import Match
from engine.simulation import Simulation
from tests.appliance.test_running import Rig

HEAD = "game: dezertyras\nplayers: Rasa, Jonas, Ona, Petras\ndealer: 4\ndeal\n1 announce 9\n"


class Fake:
    """A mixer that remembers what it played, and how loud."""

    def __init__(self) -> None:
        self.played: list[tuple[Kind, float]] = []
        self.broken = ""
        self.closed = 0

    def play(self, kind: Kind, samples: Samples, volume: float) -> None:
        if self.broken:
            raise SoundError(self.broken)
        self.played.append((kind, round(volume, 2)))

    def close(self) -> None:
        self.closed += 1

    @property
    def kinds(self) -> list[Kind]:
        return [kind for kind, _ in self.played]


def heard(text: str, settings: Settings | None = None) -> list[Kind]:
    """What the last line of a record sounds like."""
    record = parse(text)
    match, mixer = Match(record.header), Fake()
    sounds = Sounds(lambda: mixer)
    sounds.adopt(settings or Settings())
    now = 0.0
    for line in record.lines:
        now += 100
        mixer.played.clear()
        sounds.hear(match, match.push(line))
        for step in range(100):
            sounds.play(now + 0.5 * step)
    return mixer.kinds


def test_sounds_are_short_different_and_within_bounds() -> None:
    assert KINDS == SOUNDS
    for kind in KINDS:
        samples = tone(kind)
        assert samples.dtype == np.int16
        assert 0.05 <= seconds(kind) <= 0.8
        assert 20000 < np.abs(samples.astype(int)).max() < 30000
        assert abs(int(samples[0])) < 500
        assert abs(int(samples[-1])) < 500
        assert np.array_equal(samples, tone(kind))
    for a, b in combinations(KINDS, 2):
        assert len(tone(a)) != len(tone(b)), (a, b)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", ["accepted"]),
        ("1 play ♥10\n", ["accepted", "turn"]),
        ("1 play ♥10\n3 play ♠9\n", ["illegal"]),
        ("1 play ♥10\n2 play ♣T\n", ["accepted", "turn"]),
        ("1 play ♥10\n2 play ♣T\ntakeback\n", ["accepted", "turn"]),
        ("1 play ♥10\n2 play ♣T\n2 expose ♥K\n", ["proof"]),
        ("end\n", []),
    ],
)
def test_each_line_sounds_like_what_it_is(lines: str, expected: list[Kind]) -> None:
    assert heard(HEAD + lines) == expected


def test_the_dog_barks_once_a_card_one_after_the_other() -> None:
    simulation = Simulation(Header("suo", ("A", "B", "C")), 5, lambda rng: SimplePlayer("suo"))
    simulation.deal()
    while (action := simulation.choose()) is not None:
        simulation.happened(action)
    record = simulation.match.record()
    mixer, match = Fake(), Match(record.header)
    sounds = Sounds(lambda: mixer)
    sounds.adopt(Settings(volume=10, volumes={"bark": 5}))
    for line in record.lines:
        report = match.push(line)
    sounds.hear(match, report)
    barks = match.view().last_barks
    assert barks is not None
    assert barks[1] > 0
    times = []
    for step in range(3000):
        before = len(mixer.played)
        sounds.play(step * 0.02)
        if len(mixer.played) > before:
            times.append(step * 0.02)
    assert mixer.played == [("won", 1.0), *[("bark", 0.5)] * barks[1]]
    assert all(b - a >= 0.37 for a, b in pairwise(times))


def test_volume_by_kind_and_silence() -> None:
    assert heard(HEAD + "1 play ♥10\n", Settings(volumes={"accepted": 0})) == ["turn"]
    assert heard(HEAD + "1 play ♥10\n", Settings(volume=0)) == []
    mixer = Fake()
    sounds = Sounds(lambda: mixer)
    sounds.adopt(Settings(volume=5, volumes={"accepted": 4}))
    match = Match(parse(HEAD).header)
    for line in parse(HEAD).lines:
        sounds.hear(match, match.push(line))
    sounds.play(0.0)
    sounds.play(0.01)  # the first is not over yet
    assert mixer.played[0][0] == "turn"
    sounds.play(1.0)
    assert mixer.played == [("turn", 0.5), ("accepted", 0.2)]


def test_what_is_undone_is_not_barked_for() -> None:
    mixer = Fake()
    sounds = Sounds(lambda: mixer)
    match = Match(parse(HEAD).header)
    for line in parse(HEAD + "1 play ♥10\n").lines:
        sounds.hear(match, match.push(line))
    sounds.hear(match, match.push(Takeback()))
    for step in range(10):
        sounds.play(float(step))
    assert mixer.kinds == ["accepted", "turn"]


def test_without_a_device_it_is_silent_says_so_and_tries_again() -> None:
    mixers: list[Mixer] = []
    tried = 0

    def open_mixer() -> Mixer:
        nonlocal tried
        tried += 1
        if not mixers:
            raise SoundError("no such device")
        return mixers[0]

    sounds = Sounds(open_mixer)
    english = Language("en")
    match = Match(parse(HEAD).header)
    lines = parse(HEAD + "1 play ♥10\n").lines
    assert sounds.troubles(english) == ()
    for line in lines:
        sounds.hear(match, match.push(line))
    for step in range(10):
        sounds.play(float(step))
    assert tried == 1
    assert sounds.troubles(english) == ("No sound can be played: no such device",)
    assert sounds.troubles(Language("lt")) == ("Garso nėra: no such device",)
    sounds.adopt(Settings(volume=0))
    assert sounds.troubles(english) == ()
    sounds.adopt(Settings())
    mixer = Fake()
    mixers.append(mixer)
    sounds.hear(match, match.push(Takeback()))
    sounds.play(31.0)
    assert (mixer.kinds, sounds.troubles(english)) == (["accepted"], ())
    mixer.broken = "unplugged"
    sounds.play(32.0)
    assert (mixer.closed, sounds.troubles(english)) == (1, ("No sound can be played: unplugged",))


def test_the_running_table_is_heard(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    mixer = Fake()
    now = [0.0]
    devices = Devices(4, sounds=Sounds(lambda: mixer), clock=lambda: now[0])
    rig = Rig(Config(language="en"), devices=devices)
    for line in parse(HEAD + "1 play ♥10\n3 play ♠9\n").lines:
        rig.session.push(line.content)
    for _ in range(8):
        now[0] += 1.0
        rig.press()
    assert mixer.kinds == ["turn", "accepted", "accepted", "turn", "illegal"]
    console = rig.running.console
    console.change(replace(console.settings, volume=10))
    mixer.broken = "unplugged"
    rig.session.push(Takeback())
    rig.press()
    now[0] += 1
    rig.press()
    assert rig.session.troubles == ("No sound can be played: unplugged",)
    devices.close()
    assert mixer.closed == 1
