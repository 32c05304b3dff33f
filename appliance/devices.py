"""Everything with buttons, lamps, light and sound, as the service sees it; each part may fail alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from appliance.config import Config
from appliance.folders import voice_folder
from appliance.inputs import ConsoleButtons, Input, PodButtons, Press, pod_presses
from appliance.lamps import Buzzer, ConsoleLamps, RingLight, Signals, pod_lamps, signals
from appliance.language import Language
from appliance.podlink import Outputs
from appliance.pods import Pods, Trouble
from appliance.screen.model import Shown
from appliance.sound import PygameMixer, Sounds
from appliance.voice import words

GPIO = Path("/dev/gpiochip0")
FAREWELL_S = 0.5  # for the pods to hear that the evening is over


class Devices:
    """Presses in; lamps, light and tones out. `poll` and `show` once for every frame.

    `expected`: pods that have never answered are a trouble too. `clock`: seconds, never running back;
    `wait`: lets some seconds pass.
    """

    def __init__(
        self,
        seats: int,
        *,
        pods: Pods | None = None,
        expected: bool = False,
        inputs: Sequence[Input] = (),
        lamps: ConsoleLamps | None = None,
        light: RingLight | None = None,
        sounds: Sounds | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pods = pods
        self.sounds = sounds
        self.light = light or RingLight(0.5)
        self._seats = seats
        self._expected = expected
        self._inputs = inputs
        self._lamps = lamps
        self._buzzer = Buzzer()
        self._pod_buttons = PodButtons()
        self._clock = clock
        self._wait = wait

    def poll(self) -> tuple[Press, ...]:
        """The presses since the last call."""
        now = self._clock()
        if self.sounds is not None:
            self.sounds.play(now)
        found = [press for source in self._inputs for press in source.presses(now)]
        if self.pods is not None:
            events = self.pods.poll(now)
            self._pod_buttons.take(events, self.pods.link.boot, now)
            found += pod_presses(events, self._seats)
        return tuple(found)

    def show(self, shown: Shown, dispute: bool = False) -> None:
        """Puts lamps, light and tone as they should be now."""
        now = self._clock()
        said = signals(shown, dispute)
        tone = self._buzzer.tone(said, now)
        if self._lamps is not None:
            self._lamps.show(said, tone)
        if self.pods is not None:
            self.pods.link.show(Outputs(self.light.byte(now), tone, pod_lamps(said)))
            self.pods.flush(now)

    def sit(self, seats: int) -> None:
        """So many people play now."""
        self._seats = seats

    def dark(self) -> None:
        """Nobody plays: the lamps are off and no tone is heard; the light stays."""
        if self._lamps is not None:
            self._lamps.show(Signals(), 0)
        if self.pods is not None:
            self.pods.link.show(Outputs(self.light.byte(self._clock())))
            self.pods.flush(self._clock())

    def troubles(self, say: Language) -> tuple[str, ...]:
        """What is wrong, a line each."""
        heard = () if self.sounds is None else self.sounds.troubles(say)
        return (*self.connected_troubles(say), *heard)

    def connected_troubles(self, say: Language) -> tuple[str, ...]:
        """What is wrong with buttons, lamps and pods."""
        found = [line for source in self._inputs for line in source.troubles(say)]
        if self._lamps is not None:
            found += self._lamps.troubles(say)
        found += self._pod_buttons.troubles(say)
        problem = None if self.pods is None else self.pods.problem
        quiet = (Trouble.UNTRIED,) if self._expected else (Trouble.UNTRIED, Trouble.ABSENT)
        if problem is not None and problem.trouble not in quiet:
            found.append(problem.text(say))
        return tuple(found)

    def close(self) -> None:
        """The evening is over: lamps, light and sound off, pins and port free."""
        if self.sounds is not None:
            self.sounds.close()
        for source in self._inputs:
            source.close()
        if self._lamps is not None:
            self._lamps.show(Signals(), 0)
            self._lamps.close()
        if self.pods is not None:
            self.pods.link.show(Outputs(0))
            until = self._clock() + FAREWELL_S
            while self.pods.problem is None and not self.pods.link.settled and self._clock() < until:
                self.pods.poll(self._clock())
                self._wait(0.005)
            self.pods.close()


def from_config(config: Config, seats: int) -> Devices:
    """The devices that a configuration names; pins only on a machine that has any."""
    pods = None if config.pods == "off" else Pods(None if config.pods == "auto" else config.pods)
    inputs: list[Input] = []
    lamps = None
    if config.gpio == "on" or (config.gpio == "auto" and GPIO.exists()):
        inputs.append(ConsoleButtons(config.pins.buttons(), time.monotonic))
        lamps = ConsoleLamps(config.pins.lamps(), config.pins.turn)
    return Devices(
        seats,
        pods=pods,
        expected=config.pods not in ("auto", "off"),
        inputs=inputs,
        lamps=lamps,
        light=RingLight(config.light),
        sounds=Sounds(PygameMixer, lambda language: words(voice_folder(language))),
    )
