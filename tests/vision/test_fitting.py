from __future__ import annotations

import numpy as np

from vision.fitting import fitted, softened


def test_a_curve_is_fitted_to_its_points() -> None:
    x = np.linspace(0, 2, 20)
    truth = np.array([1.5, -0.7, 0.3])
    y = truth[0] * np.exp(truth[1] * x) + truth[2]
    found = fitted(lambda p: p[0] * np.exp(p[1] * x) + p[2] - y, np.array([1.0, 0.0, 0.0]))
    assert np.abs(found - truth).max() < 1e-4


def test_unknowns_that_nothing_tells_stay_finite() -> None:
    found = fitted(lambda p: np.array([p[0] - 2.0, p[0] - 2.0]), np.array([0.0, 5.0]))
    assert np.abs(found - [2.0, 5.0]).max() < 1e-4


def test_an_outlier_pulls_a_line_little() -> None:
    x = np.arange(12.0)
    y = 2 * x + 1
    y[11] += 100
    found = fitted(lambda p: softened(p[0] * x + p[1] - y, 0.1), np.array([0.0, 0.0]))
    plain = fitted(lambda p: p[0] * x + p[1] - y, np.array([0.0, 0.0]))
    assert abs(found[0] - 2) < 0.02 < abs(plain[0] - 2)
