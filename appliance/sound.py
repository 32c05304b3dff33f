"""Sounds: short tones that say what has happened, synthesised here; one bark a card for the šuo.

    sounds = Sounds(PygameMixer)
    sounds.adopt(settings)
    sounds.hear(match, report)      # what a line did
    sounds.play(now)                # once a frame: the next sound that waits, when the last is over

Where there are recordings (`appliance.voice`) words are heard instead of a tone, and the rule after it.

Without a device nothing is heard and nothing fails; `troubles` says why, and it is tried again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from appliance.language import Language
from appliance.settings import LOUDEST, Settings
from engine.record import Takeback
from engine.referee import Match, Report

Kind: TypeAlias = Literal["accepted", "turn", "illegal", "proof", "won", "bark"]
Samples: TypeAlias = NDArray[np.int16]

KINDS: tuple[Kind, ...] = get_args(Kind)
RATE = 22050
RETRY_S = 30.0
SOUNDS_KEPT = 60
MOST_WAITING = 60  # more barks than there are cards would be a nuisance
_PEAK = 0.8 * 32767

# (hertz, seconds, how many overtones): one note after the other.
_NOTES: Mapping[Kind, tuple[tuple[float, float, int], ...]] = {
    "accepted": ((880.0, 0.07, 1),),
    "turn": ((523.3, 0.09, 1), (784.0, 0.13, 1)),
    "illegal": ((196.0, 0.18, 7), (164.8, 0.24, 7)),
    "proof": ((659.3, 0.16, 4), (523.3, 0.16, 4), (392.0, 0.30, 4)),
    "won": ((523.3, 0.12, 2), (659.3, 0.12, 2), (784.0, 0.12, 2), (1046.5, 0.32, 2)),
}


class SoundError(Exception):
    """There is no device to be heard on; the text says why."""


class Mixer(Protocol):
    """What can be heard on."""

    def play(self, kind: Kind, samples: Samples, volume: float) -> None:
        """Begins to play and returns at once; SoundError if it cannot."""

    def close(self) -> None:
        """Lets go of the device."""


def tone(kind: Kind) -> Samples:
    """The samples of a sound, one channel, `RATE` a second; the same each time."""
    if kind == "bark":
        return _bark()
    return np.concatenate([_note(*note) for note in _NOTES[kind]])


def seconds(kind: Kind) -> float:
    """How long a sound lasts."""
    return len(tone(kind)) / RATE


def _note(hertz: float, length: float, overtones: int) -> Samples:
    t = np.arange(round(length * RATE)) / RATE
    wave = np.zeros_like(t)
    for n in range(1, overtones + 1):
        wave += np.sin(2 * np.pi * n * hertz * t) / n
    return _shaped(wave, length)


def _bark() -> Samples:
    """A dog's "au": a hoarse tone that rises quickly and falls, then a breath of silence."""
    length = 0.22
    t = np.arange(round(length * RATE)) / RATE
    hertz = 260 + 240 * np.sin(np.pi * np.minimum(1.0, t / length * 1.3)) - 120 * t / length
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    wave = sum(np.sin(n * phase) / n**0.7 for n in range(1, 9))
    hoarse = np.random.default_rng(6).normal(0, 0.5, len(t))
    rest = np.zeros(round(0.16 * RATE), np.int16)
    return np.concatenate([_shaped(wave + hoarse, length), rest])


def _shaped(wave: NDArray[np.float64], length: float) -> Samples:
    """Without a click at either end, and as loud as it may be."""
    t = np.arange(len(wave)) / RATE
    envelope = np.minimum(1.0, t / 0.006) * np.minimum(1.0, (length - t) / 0.02) * np.exp(-2.5 * t / length)
    shaped = wave * np.clip(envelope, 0, 1)
    loud: Samples = (shaped * (_PEAK / np.abs(shaped).max())).astype(np.int16)
    return loud


class Sounds:
    """What is heard at the table. `open_mixer`: called until it succeeds; SoundError if it cannot. `words`:
    the recordings in a language, by kind or rule."""

    def __init__(
        self, open_mixer: Callable[[], Mixer],
        words: Callable[[str], Mapping[str, Samples]] = lambda language: {},
    ) -> None:  # fmt: skip
        self._open = open_mixer
        self._words_in = words
        self._words: Mapping[str, Samples] = {}
        self._language = ""
        self._mixer: Mixer | None = None
        self._tones = {kind: tone(kind) for kind in KINDS}
        self._waiting: deque[tuple[Kind, Samples]] = deque()
        self._free_at = float("-inf")
        self._retry_at = float("-inf")
        self._problem = ""
        self._settings = Settings()
        self._turn: int | None = None

    def adopt(self, settings: Settings) -> None:
        """Goes on with these settings."""
        self._settings = settings
        language = settings.language if settings.spoken else ""
        if language != self._language:
            self._language = language
            self._words = self._words_in(language) if language else {}

    def hear(self, match: Match, report: Report) -> None:
        """A line was judged: what it sounds like waits for `play`."""
        view = match.view()
        if isinstance(report.line.content, Takeback):
            self._waiting.clear()  # what it tells of did not happen
        for kind in _kinds(match, report):
            self._say(kind)
            rule = _rule(report) if kind in ("illegal", "proof") else None
            if rule is not None and rule in self._words:
                self._waiting.append((kind, self._words[rule]))
        if view.turn is not None and view.turn != self._turn and not report.deal_ended:
            self._say("turn")
        self._turn = view.turn
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()

    def _say(self, kind: Kind) -> None:
        self._waiting.append((kind, self._words.get(kind, self._tones[kind])))

    def play(self, now: float) -> None:
        """Begins the next sound that waits, when the last is over. `now`: seconds, never running back."""
        while self._waiting and now >= self._free_at:
            kind, samples = self._waiting.popleft()
            loud = self._volume(kind)
            if loud == 0 or not self._ready(now):
                continue
            assert self._mixer is not None
            try:
                self._mixer.play(kind, samples, loud)
            except SoundError as error:
                self._lost(str(error), now)
                continue
            self._free_at = now + len(samples) / RATE

    def troubles(self, say: Language) -> tuple[str, ...]:
        """Why nothing is heard, though something should be."""
        if not self._problem or self._settings.volume == 0:
            return ()
        return (say("No sound can be played: {problem}").format(problem=self._problem),)

    def close(self) -> None:
        """The evening is over."""
        self._waiting.clear()
        if self._mixer is not None:
            self._mixer.close()
            self._mixer = None

    def _volume(self, kind: Kind) -> float:
        of_kind = self._settings.volumes.get(kind, LOUDEST)
        return self._settings.volume / LOUDEST * of_kind / LOUDEST

    def _ready(self, now: float) -> bool:
        if self._mixer is None and now >= self._retry_at:
            try:
                self._mixer = self._open()
                self._problem = ""
            except SoundError as error:
                self._lost(str(error), now)
        return self._mixer is not None

    def _lost(self, problem: str, now: float) -> None:
        if self._mixer is not None:
            self._mixer.close()
            self._mixer = None
        self._problem = problem
        self._retry_at = now + RETRY_S


def _kinds(match: Match, report: Report) -> tuple[Kind, ...]:
    if any(entry.final == "illegal" and not entry.taken_back for entry in report.changed):
        return ("proof",)
    if any(entry.verdict in ("illegal", "impossible") for entry in report.entries):
        return ("illegal",)
    outcome = match.deals()[-1].outcome if report.deal_ended else None
    if outcome is not None:
        barks = match.barks(outcome)
        bark: tuple[Kind, ...] = ("bark",)
        return ("won", *(bark * (0 if barks is None else barks[1])))
    return ("accepted",) if report.entries or isinstance(report.line.content, Takeback) else ()


def _rule(report: Report) -> str | None:
    """The rule that was broken."""
    entries = (*report.entries, *(entry for entry in report.changed if entry.final == "illegal"))
    return next((entry.rule for entry in entries if entry.rule is not None), None)


class PygameMixer:
    """The machine's sound device through pygame."""

    def __init__(self) -> None:
        import pygame

        self._error = pygame.error
        try:
            pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
        except (pygame.error, NotImplementedError) as error:
            raise SoundError(str(error)) from None
        self._mixer = pygame.mixer
        self._sounds: dict[int, tuple[Samples, pygame.mixer.Sound]] = {}

    def play(self, kind: Kind, samples: Samples, volume: float) -> None:
        """Begins to play and returns at once."""
        try:
            if id(samples) not in self._sounds:
                if len(self._sounds) >= SOUNDS_KEPT:
                    self._sounds.clear()
                self._sounds[id(samples)] = samples, self._mixer.Sound(buffer=samples.tobytes())
            sound = self._sounds[id(samples)][1]
            sound.set_volume(volume)
            sound.play()
        except self._error as error:
            raise SoundError(str(error)) from None

    def close(self) -> None:
        """Lets go of the device."""
        self._sounds.clear()
        self._mixer.quit()
