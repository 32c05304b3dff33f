"""The two ways to run a network answer alike."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from vision.network import Network
from vision.reader import WEIGHTS


@pytest.mark.parametrize(("name", "shape"), [("finder", (1, 3, 64, 96)), ("index", (5, 3, 48, 32))])
@pytest.mark.skipif(find_spec("onnxruntime") is None, reason="onnxruntime is not installed")
def test_onnxruntime_answers_as_opencv_does(name: str, shape: tuple[int, ...]) -> None:
    blob = np.random.default_rng(1).random(shape, dtype=np.float32)
    slow, fast = (Network(WEIGHTS / f"{name}.onnx", fast).forward(blob) for fast in (False, True))
    assert np.abs(slow - fast).max() < 1e-3


def test_without_onnxruntime_opencv_runs_it() -> None:
    answer = Network(WEIGHTS / "index.onnx", fast=False).forward(np.zeros((2, 3, 48, 32), np.float32))
    assert answer.shape == (2, 14 + 5)
