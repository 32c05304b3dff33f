"""A host and simulated pods on a pseudo-terminal; all clocks are ours."""

from __future__ import annotations

from collections.abc import Callable

from appliance.podlink import PodEvent
from appliance.pods import Pods, Trouble
from appliance.podsim import PodSimulator, simulated_core


class Rig:
    """A host and simulated pods, both on one clock in milliseconds."""

    def __init__(self) -> None:
        self.core = simulated_core(7)
        self.simulator = PodSimulator(self.core)
        self.path: str | None = self.simulator.path
        self.others: list[str] = []  # devices found before it
        self.pods = Pods(find=lambda: [*self.others, *filter(None, [self.path])])
        self.ms = 0
        self.events: list[PodEvent] = []

    @property
    def seconds(self) -> float:
        return self.ms / 1000

    def run(self, ms: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Lets time pass; whether `until` came true."""
        for _ in range(ms // 5):
            self.ms += 5
            self.simulator.turn(self.ms)
            self.events += self.pods.poll(self.seconds)
            if until():
                return True
        return False

    def press(self, pod: int, button: int) -> None:
        self.simulator.press(pod, button)
        self.run(20)
        self.simulator.release(pod, button)
        self.run(20)

    def unplug(self) -> None:
        self.simulator.unplug()
        self.path = None

    def plug(self) -> None:
        self.simulator.plug()
        self.path = self.simulator.path

    def close(self) -> None:
        self.pods.close()
        self.simulator.unplug()

    def up(self) -> bool:
        return self.pods.problem is None

    def trouble(self) -> Trouble | None:
        return None if self.pods.problem is None else self.pods.problem.trouble


def downs(rig: Rig) -> list[tuple[int, int]]:
    return [(event.pod, event.button) for event in rig.events if event.down]
