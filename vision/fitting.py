"""Least squares for the few unknowns of a table's geometry (Levenberg 1944, Marquardt 1963)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
_STEPS = 60
_DONE = 1e-10  # the part of the error that a step must win for another one


def fitted(errors: Callable[[Floats], Floats], start: Floats) -> Floats:
    """The unknowns, N, near `start` with the least sum of squared `errors`, M ≥ N; scale both to about 1.

    Derivatives are differences: for M and N of a few dozens. Errors that are not finite count as worse.
    """
    best = np.asarray(start, np.float64)
    away = errors(best)
    cost, damping = float(away @ away), 1e-3
    for _ in range(_STEPS):
        slopes = np.column_stack([(errors(best + step) - away) / 1e-6 for step in np.eye(len(best)) * 1e-6])
        square, push = slopes.T @ slopes, slopes.T @ away
        while damping < 1e9:
            better = best - np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-12), push)
            try_away = errors(better)
            try_cost = float(try_away @ try_away)
            if np.isfinite(try_cost) and try_cost < cost:
                break
            damping *= 8
        else:
            return best
        won = cost - try_cost
        best, away, cost, damping = better, try_away, try_cost, max(damping / 8, 1e-9)
        if won <= _DONE * (cost + 1e-12):
            return best
    return best


def softened(errors: Floats, bound: float) -> Floats:
    """Errors whose squares grow no faster than they do beyond `bound` (Huber 1964): an outlier pulls less."""
    size = np.abs(errors)
    with np.errstate(divide="ignore", invalid="ignore"):
        soft = np.sign(errors) * np.sqrt(bound * (2 * size - bound))
    return np.where(size > bound, soft, errors)
