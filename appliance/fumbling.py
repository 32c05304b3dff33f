"""People at the simulated table who fumble, and put right with the buttons what came of it.

A card slides, two drop at once, the wrong player lays one, one is taken back, one is misread or hardly
read. Whatever the record makes of it, the people take back what is wrong and say what was missed, so that
in the end what counts in it is what was done.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from appliance.corrections import Counting, counting, counting_lines, mend
from appliance.demo import Demo, DemoSettings
from appliance.haste import HastyPeople
from appliance.journal import Journal
from appliance.simulated import Pick
from engine.actions import Action, play
from engine.cards import Card
from engine.places import cards_of
from engine.record import Content, Takeback
from engine.referee import Match
from engine.view import View
from vision.events import TableWatcher
from vision.types import Frame, TableEvent

FUMBLES = ("slide", "double", "stray", "back", "misread", "doubt")
"""What may go amiss, by name."""


class MisreadingWatcher(TableWatcher):
    """Takes the next card laid for another: `instead`, with this `confidence`."""

    instead: Card | None = None
    confidence = 1.0

    def update(self, frame: Frame) -> tuple[TableEvent, ...]:
        return tuple(map(self._misread, super().update(frame)))

    def _misread(self, event: TableEvent) -> TableEvent:
        if self.instead is None or event.event != "placed" or not isinstance(event.card, Card):
            return event
        card, self.instead = self.instead, None
        return replace(event, card=card, confidence=self.confidence)


class FumblingPeople(HastyPeople):
    """People to whom the `fumble` that is named happens with their next play."""

    fumble = ""

    def act(self, action: Action, before: View, after: View) -> bool:
        fumble, self.fumble = self.fumble, ""
        if fumble == "double" and self.may_overlap(action, before, after):
            self.lay_in_haste(action, before)
            return True
        if fumble in ("misread", "doubt") and len(action.cards) == 1:
            self._misread(action.card, 0.99 if fumble == "misread" else 0.6)
        super().act(action, before, after)
        self._misread(None, 1.0)
        if fumble == "slide" and action.verb == "play":
            self.slide(action, self.rng)
        return True  # what was not seen is put right

    def lay_and_take_back(self, action: Action, before: View) -> None:
        """Somebody plays a card, thinks better of it, takes it up and says so with the button."""
        lines = self._lines()
        self._play(action, before, before)
        self._table.perform(Pick(action.seat, action.cards))
        self.quiet()
        while self._lines() > lines and self._take_back():
            lines += 2

    def put_right(self, truth: Match) -> None:
        """Takes back what the record has otherwise than it was, and says what it lacks."""
        session = self._session
        wanted, seen = _contents(counting(truth)), counting(session.match)
        got = _contents(seen)
        wrong = [n for n, (a, b) in enumerate(zip(wanted, got, strict=False)) if a != b]
        if len(wrong) == 1 and len(got) == len(wanted):
            right = wanted[wrong[0]]
            if isinstance(right, Action):  # as "Correct the reading" does
                mend(session, seen[wrong[0]].line.number, (right,))
        while (got := _contents(counting(session.match))) != wanted[: len(got)]:
            if not self._take_back():
                break
        for content in wanted[len(got) :]:
            session.push(content)

    def _take_back(self) -> bool:
        """Back, "Yes", OK; whether there was anything to take back."""
        self._session.press("back")
        return self.choose(Takeback())

    def _misread(self, card: Card | None, confidence: float) -> None:
        watcher = self._service.watcher
        assert isinstance(watcher, MisreadingWatcher)
        watcher.instead, watcher.confidence = None, confidence
        if card is not None:
            pack = self._session.match.game.pack(self._session.match.options)
            watcher.instead = self.rng.choice([other for other in pack if other != card])


class FumblingDemo(Demo):
    """A demo whose people fumble at `settings.fumble`. `fumbled`: how often each fumble was tried."""

    def __init__(self, settings: DemoSettings, journal: Journal | None, **more: Any) -> None:
        super().__init__(settings, journal, people=FumblingPeople, watcher=MisreadingWatcher, **more)
        assert isinstance(self.people, FumblingPeople)
        self._hands = self.people
        self.fumbled = dict.fromkeys(FUMBLES, 0)

    def agrees(self) -> bool:
        """Whether what counts in the record is what was done."""
        seen, done = self.session.match, self.simulation.match
        return (
            _contents(counting_lines(seen)) == _contents(counting_lines(done))
            and seen.standing == done.standing
        )

    def _do(self, action: Action) -> bool:
        rng = random.Random(f"{self.settings.seed} fumble {len(self.simulation.match.record().lines)}")
        self._hands.rng = rng
        fumble = rng.choice(FUMBLES) if rng.random() < self.settings.fumble else ""
        held = self._hands.holding or not counting(self.simulation.match)
        if fumble and action.verb == "play" and (fumble == "double" or not held):
            self.fumbled[fumble] += 1
            if fumble == "stray":
                self._stray(action, rng)
            elif fumble == "back":
                self._thinks_better(action, rng)
            self._hands.fumble = fumble
        done = super()._do(action)
        if not self._hands.holding:
            self._hands.put_right(self.simulation.match)
        return done

    def _stray(self, action: Action, rng: random.Random) -> None:
        """Somebody who is not to play lays a card, and takes it back."""
        deal, table = self.simulation.match.deal, self.simulation.table
        assert deal is not None
        others = [seat for seat in range(1, self.settings.players + 1) if seat != action.seat]
        strays = [play(seat, card) for seat in others for card in cards_of(table.hands.get(seat, 0))]
        strays = [stray for stray in strays if stray.cards and not deal.is_legal(stray, table)]
        if strays:
            super()._do(rng.choice(strays))
            self._hands.put_right(self.simulation.match)

    def _thinks_better(self, action: Action, rng: random.Random) -> None:
        """Somebody lays a card and takes it up again."""
        deal = self.simulation.match.deal
        assert deal is not None
        legal = deal.legal(action.seat, self.simulation.table)
        others = [one for one in legal if one.verb == "play" and len(one.cards) == 1 and one != action]
        if others:
            self._hands.lay_and_take_back(rng.choice(others), self.simulation.match.view())
            self._hands.put_right(self.simulation.match)


def _contents(lines: list[Counting]) -> list[Content]:
    return [each.line.content for each in lines]
