"""Spoken words for the sounds: recordings that somebody has made beforehand, if there are any.

A folder for each language, `voice/lt` and `voice/en` beside the journal. In it `illegal.wav`, `won.wav` … are
heard instead of the tone of that kind, and `DZ-7.wav` after it, when that rule was broken. Any WAV of whole
numbers will do, whatever its rate; nothing is fetched and nothing is synthesised.
"""

from __future__ import annotations

import sys
import wave
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LONGEST_S = 8.0  # the game does not wait for a speech
_RATE = 22050


def words(folder: Path) -> Mapping[str, NDArray[np.int16]]:
    """The recordings of a folder by their names, one channel, 22050 a second. One that cannot be used is told
    on standard error."""
    found = {}
    for path in sorted(folder.glob("*.wav")):
        try:
            found[path.stem] = recording(path)
        except (OSError, EOFError, ValueError, wave.Error) as error:
            print(f"kortstalis: {path}: cannot be spoken: {error}", file=sys.stderr)
    return found


def recording(path: Path) -> NDArray[np.int16]:
    """The samples of a WAV; ValueError, wave.Error, EOFError, OSError if it cannot be used."""
    with wave.open(str(path), "rb") as file:
        rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
        frames = file.getnframes()
        if not 0 < frames <= LONGEST_S * rate:
            raise ValueError(f"it lasts {frames / max(rate, 1):.1f} s, at most {LONGEST_S:.0f} are spoken")
        data = file.readframes(frames)
    if width == 1:
        wide = (np.frombuffer(data, np.uint8).astype(np.float64) - 128) * 256
    elif width in (2, 4):
        wide = np.frombuffer(data, "<i2" if width == 2 else "<i4").astype(np.float64) / 2 ** (8 * width - 16)
    else:
        raise ValueError(f"its samples have {8 * width} bits: 8, 16 or 32 are read")
    mono = wide[: len(wide) // channels * channels].reshape(-1, channels).mean(axis=1)
    if not len(mono):
        raise ValueError("it is cut off")
    at = np.arange(0, len(mono), rate / _RATE)
    spoken: NDArray[np.int16] = np.interp(at, np.arange(len(mono)), mono).astype(np.int16)
    return spoken
