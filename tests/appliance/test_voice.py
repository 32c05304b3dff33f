"""Spoken words: recordings made beforehand, heard instead of tones; without them nothing is different."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from appliance.settings import Settings, checked_settings
from appliance.sound import Kind, Samples, Sounds, tone
from appliance.voice import LONGEST_S, recording, words
from engine.record import parse
from engine.referee import Match
from tests.appliance.test_console import Bench
from tests.appliance.test_sound import HEAD


def record(path: Path, rate: int = 22050, width: int = 2, channels: int = 1, seconds: float = 0.5) -> None:
    """A recording of a tone of 440 Hz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    t = np.arange(round(rate * seconds)) / rate
    tone = np.sin(2 * np.pi * 440 * t)
    whole = {1: 127 * tone + 128, 2: 32767 * tone, 3: 32767 * tone, 4: (2**31 - 1) * tone}[width]
    kind = {1: np.uint8, 2: np.int16, 3: np.int16, 4: np.int32}[width]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(np.repeat(whole.astype(kind), channels).tobytes())


@pytest.mark.parametrize("rate", [8000, 22050, 48000])
@pytest.mark.parametrize(("width", "channels"), [(1, 1), (2, 1), (2, 2), (4, 1)])
def test_any_wav_of_whole_numbers_is_read(tmp_path: Path, rate: int, width: int, channels: int) -> None:
    record(tmp_path / "a.wav", rate, width, channels)
    samples = recording(tmp_path / "a.wav")
    assert samples.dtype == np.int16
    assert abs(len(samples) - 11025) < 10
    assert 30000 < np.abs(samples.astype(int)).max() <= 32768
    crossings = np.count_nonzero(np.diff(np.signbit(samples)))
    assert abs(crossings - 440) < 6  # twice a period, half a second


def test_what_cannot_be_used_is_told_and_the_rest_is_heard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path / "won.wav")
    record(tmp_path / "long.wav", seconds=LONGEST_S + 1)
    record(tmp_path / "empty.wav", seconds=0)
    record(tmp_path / "deep.wav", width=3)
    (tmp_path / "text.wav").write_text("no sound at all")
    (tmp_path / "cut.wav").write_bytes((tmp_path / "won.wav").read_bytes()[:20])
    assert set(words(tmp_path)) == {"won"}
    told = capsys.readouterr().err.splitlines()
    assert [Path(line.split(": ")[1]).stem for line in told] == ["cut", "deep", "empty", "long", "text"]
    assert words(tmp_path / "nowhere") == {}


class Mixer:
    """Remembers what it played."""

    def __init__(self) -> None:
        self.played: list[tuple[Kind, Samples]] = []

    def play(self, kind: Kind, samples: Samples, volume: float) -> None:
        self.played.append((kind, samples))

    def close(self) -> None:
        """Nothing is held."""


SPOKEN = {"illegal": np.full(22050, 7, np.int16), "G-6": np.full(22050, 8, np.int16)}


def heard(settings: Settings, lines: str) -> list[tuple[Kind, Samples]]:
    """What the last line sounds like."""
    mixer = Mixer()
    sounds = Sounds(lambda: mixer, lambda language: SPOKEN if language == "lt" else {})
    sounds.adopt(settings)
    record = parse(HEAD + lines)
    match = Match(record.header)
    now = 0.0
    for line in record.lines:
        now += 1000
        mixer.played.clear()
        sounds.hear(match, match.push(line))
        for step in range(100):
            sounds.play(now + step)
    return mixer.played


def test_words_take_the_place_of_a_tone_and_the_rule_follows() -> None:
    found = heard(Settings(), "1 play ♥10\n3 play ♠9\n")
    assert [(kind, int(samples[0])) for kind, samples in found] == [("illegal", 7), ("illegal", 8)]
    ((kind, samples), *_) = heard(Settings(), "1 play ♥10\n")
    assert kind == "accepted"
    assert np.array_equal(samples, tone("accepted"))  # no word for it
    for silent in (Settings(language="en"), Settings(spoken=False)):
        ((kind, samples),) = heard(silent, "1 play ♥10\n3 play ♠9\n")
        assert np.array_equal(samples, tone("illegal"))


def test_a_word_is_not_cut_off_by_the_next() -> None:
    mixer = Mixer()
    sounds = Sounds(lambda: mixer, lambda language: {"accepted": np.full(5 * 22050, 7, np.int16)})
    sounds.adopt(Settings())
    match = Match(parse(HEAD).header)
    for line in parse(HEAD + "1 play ♥10\n").lines:
        sounds.hear(match, match.push(line))
    times = []
    for step in range(400):
        before = len(mixer.played)
        sounds.play(step * 0.05)
        times += [step * 0.05] * (len(mixer.played) - before)
    at = [time for time, (kind, _) in zip(times, mixer.played, strict=True) if kind == "accepted"]
    after = [time for time in times if time > at[0]]
    assert after[0] >= at[0] + 5.0


def test_words_are_turned_off_on_the_console_and_it_is_kept() -> None:
    bench = Bench()
    bench.press("ddd o u o")  # settings, each sound
    bench.press("u o")
    assert bench.saved[-1].spoken is False
    assert checked_settings({"spoken": False}, "x").spoken is False
    with pytest.raises(Exception, match="spoken is true or false"):
        checked_settings({"spoken": 1}, "x")
