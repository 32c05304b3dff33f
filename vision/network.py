"""Runs a network: with onnxruntime where there is one for the machine, else with OpenCV.

Both answer the same to some millionths; onnxruntime is about three times faster on one core, and 80 MB
to install.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray


class Network:
    """One network from a file. For one thread at a time."""

    def __init__(self, weights: Path, fast: bool | None = None) -> None:
        """`fast`: whether onnxruntime is wanted; None: if it is there."""
        self._session: Any = None
        if find_spec("onnxruntime") is not None if fast is None else fast:
            # Newer versions tell their maker of their use otherwise, and keep a number of the machine.
            os.environ["ORT_DISABLE_TELEMETRY"] = "1"
            runtime: Any = import_module("onnxruntime")
            options = runtime.SessionOptions()
            options.intra_op_num_threads = max(1, cv2.getNumThreads())
            options.enable_cpu_mem_arena = False
            self._session = runtime.InferenceSession(
                str(weights), options, providers=["CPUExecutionProvider"]
            )
            self._input = self._session.get_inputs()[0].name
        else:
            self._net = cv2.dnn.readNetFromONNX(str(weights))

    def forward(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """The answer to a blob of N×3×H×W."""
        if self._session is not None:
            return np.asarray(self._session.run(None, {self._input: blob})[0], np.float32)
        self._net.setInput(blob)
        return np.asarray(self._net.forward(), np.float32)
