"""The loop of the appliance feeds the watchdog only while camera, screen and journal all get on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.appliance import Appliance
from appliance.config import Config
from appliance.health import Health
from appliance.notify import Notifier
from appliance.starts import Starts
from tests.appliance.test_health import Clock
from tests.appliance.test_running import Rig

INTERVAL_S = 5.0


class Hung(Exception):
    """In place of a call that never returns."""


class Loop:
    """Goes round as the appliance does, a second each time, but goes on behind a call that hangs: so what is
    not fed is not fed because of that call alone."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.fed: list[float] = []
        self.rig = Rig(Config(language="en"))
        self.health = Health(self.clock, lambda: self.fed.append(self.clock.now), INTERVAL_S)
        self.rig.service._health = self.health
        self._appliance = Appliance(Config(), Notifier({}, 1), Starts(folder), clock=self.clock)

    def turns(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.now += 1
            for part in (self._look, self.rig.service.step, self.rig.service.draw):
                try:
                    part()
                except Hung:
                    continue

    def _look(self) -> None:
        self._appliance._look(self.rig.running, None, self.rig.service, self.health)


def hang(*_: Any) -> Any:
    raise Hung


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_it_is_fed_while_all_get_on(tmp_path: Path) -> None:
    loop = Loop(tmp_path)
    loop.turns(21)
    assert loop.fed == [105.0, 110.0, 115.0, 120.0]


@pytest.mark.parametrize(
    ("part", "where", "call"),
    [("camera", "source", "read"), ("screen", "screen", "show"), ("journal", "keeper", "ready")],
)
def test_it_starves_when_one_hangs_and_is_fed_again_when_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, where: str, call: str
) -> None:
    loop = Loop(tmp_path)
    loop.turns(7)
    rig = loop.rig
    of = rig.running.keeper if where == "keeper" else getattr(rig.service, where)
    with monkeypatch.context() as hung:
        hung.setattr(of, call, hang)
        loop.turns(60)
        # What had got on between the last feeding and the hang is worth one more.
        assert loop.fed == [105.0, 110.0]
        assert loop.health.silent == (part,)
    loop.turns(2)
    assert loop.fed == [105.0, 110.0, 168.0]
