"""A screen that is plugged in later."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.screen.late import LateScreen
from appliance.screen.window import NoDisplay
from appliance.settings import Settings
from tests.appliance.test_health import Clock


class Plug:
    """Opens a screen, once it is plugged in; remembers when that was tried."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.plugged = False
        self.tried: list[float] = []
        self.shown: list[Any] = []
        self.adopted: list[Settings] = []
        self.closed = False

    def open(self) -> Any:
        self.tried.append(self.clock.now)
        if not self.plugged:
            raise NoDisplay("there is no display")
        return self

    def show(self, shown: Any, picture: Any = None) -> None:
        self.shown.append(shown)

    def adopt(self, settings: Settings) -> None:
        self.adopted.append(settings)

    def buttons(self) -> tuple[str, ...]:
        return ("ok",)

    def close(self) -> None:
        self.closed = True


def test_it_is_looked_for_every_few_seconds_and_drawn_on_from_then_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    plug = Plug(clock)
    screen = LateScreen(plug.open, wait=True, clock=clock)
    page: Any = object()
    screen.adopt(Settings(look="light"))
    for _ in range(8):
        screen.show(page)
        assert screen.buttons() == ()
        clock.now += 1
    assert plug.tried == [100.0, 103.0, 106.0]
    plug.plugged = True
    for _ in range(3):
        screen.show(page)
        clock.now += 1
    assert plug.tried == [100.0, 103.0, 106.0, 109.0]
    assert plug.shown == [page, page]
    assert plug.adopted == [Settings(look="light")]  # what was set meanwhile
    assert screen.buttons() == ("ok",)
    screen.close()
    assert plug.closed
    assert capsys.readouterr().err.splitlines() == [
        "kortstalis: no display: there is no display; it is looked for again"
    ]


def test_where_it_must_be_there_it_is_missed_at_once() -> None:
    clock = Clock()
    with pytest.raises(NoDisplay):
        LateScreen(Plug(clock).open, wait=False, clock=clock)
