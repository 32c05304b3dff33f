"""The appliance at rest: quick to start, and light."""

from __future__ import annotations

import pytest

from bench.idle import Rest, measure


def test_what_is_too_much_is_told() -> None:
    assert Rest(5.0, 0.15, 300.0, 350.0).wrong() == []
    assert Rest(5.1, 0.16, 300.0, 351.0).wrong() == [
        "the start took 5.1 s, 5 are allowed",
        "16.0% of a core at rest, 15 % are allowed",
        "351 MB held, 350 are allowed",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True])
def test_at_rest_it_takes_little(packed: bool) -> None:
    assert measure(10.0, packed).wrong() == []
