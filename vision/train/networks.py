"""The two networks: the index finder and the index reader. Together under 4 MB of weights."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional


def _conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> Any:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int) -> None:
        super().__init__()
        self.a = _conv(width, width)
        self.b = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Any) -> Any:
        return functional.relu(x + self.b(self.a(x)))


class FinderNetwork(nn.Module):  # type: ignore[misc]
    """N×3×H×W (BGR, 0 to 1; sides multiples of 16) to N×6×H/4×W/4: heat as a logit, up x and y,
    the logarithm of the height in units of 24 pixels, and how far the middle is off the cell, in cells."""

    def __init__(self) -> None:
        super().__init__()
        self.s2 = _conv(3, 16, 2, 5)
        self.s4 = nn.Sequential(_conv(16, 32, 2), _conv(32, 32))
        self.s8 = nn.Sequential(_conv(32, 56, 2), _Residual(56))
        self.s16 = nn.Sequential(_conv(56, 64, 2), _Residual(64))
        self.u16 = nn.Conv2d(64, 56, 1)
        self.u8 = nn.Sequential(_Residual(56), nn.Conv2d(56, 40, 1))
        self.l4 = nn.Conv2d(32, 40, 1)
        self.h = nn.Sequential(_conv(40, 40), _conv(40, 40))
        self.out = nn.Conv2d(40, 6, 1)
        nn.init.zeros_(self.out.bias)
        self.out.bias.data[0] = -5  # hardly any cell is the middle of an index

    def forward(self, x: Any) -> Any:
        fine = self.s4(self.s2(x))
        middle = self.s8(fine)
        coarse = self.s16(middle)
        middle = self.u8(middle + functional.interpolate(self.u16(coarse), scale_factor=2, mode="nearest"))
        both = functional.relu(self.l4(fine) + functional.interpolate(middle, scale_factor=2, mode="nearest"))
        return self.out(self.h(both))


class IndexNetwork(nn.Module):  # type: ignore[misc]
    """N×3×48×32 (BGR, 0 to 1) to N×19 logits: the ranks from 2 to the ace and none, then ♠ ♣ ♥ ♦ and none."""

    def __init__(self) -> None:
        super().__init__()
        self.f = nn.Sequential(
            _conv(3, 24), _conv(24, 32, 2), _Residual(32), _conv(32, 56, 2), _Residual(56), _conv(56, 80, 2),
            _Residual(80),
        )  # fmt: skip
        self.r = nn.Linear(80 * 6 * 4, 72)
        self.d = nn.Dropout(0.3)
        self.rank = nn.Linear(72, 14)
        self.suit = nn.Linear(72, 5)

    def forward(self, x: Any) -> Any:
        features = self.d(functional.relu(self.r(self.f(x).flatten(1))))
        return torch.cat([self.rank(features), self.suit(features)], 1)


def export(finder: FinderNetwork, index: IndexNetwork, folder: Any) -> None:
    """Writes finder.onnx and index.onnx."""
    finder.eval()
    index.eval()
    torch.onnx.export(
        finder, torch.zeros(1, 3, 256, 256), str(folder / "finder.onnx"), input_names=["picture"],
        output_names=["cells"], dynamic_axes={"picture": {2: "height", 3: "width"}}, opset_version=13,
        dynamo=False,
    )  # fmt: skip
    torch.onnx.export(
        index, torch.zeros(2, 3, 48, 32), str(folder / "index.onnx"), input_names=["patches"],
        output_names=["logits"], dynamic_axes={"patches": {0: "count"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
