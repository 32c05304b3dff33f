"""The two ways to run a network answer alike."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.shared import ROOT
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


@pytest.mark.skipif(find_spec("onnxruntime") is None, reason="onnxruntime is not installed")
def test_it_keeps_no_account_of_its_use(tmp_path: Path) -> None:
    script = (
        "from vision.network import Network; from vision.reader import WEIGHTS; import numpy as np; "
        "Network(WEIGHTS / 'index.onnx', True).forward(np.zeros((1, 3, 48, 32), np.float32))"
    )
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    environment = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-B", "-c", script], env={**environment, **homes}, check=True)
    assert [path.name for path in tmp_path.rglob("*")] == []
