"""A simulated table that is filmed with disturbances, people who do awkward things at it, and the count of
what the appliance made of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias

import cv2
import numpy as np

from appliance.demo import Demo, DemoSettings, simulated_scene
from appliance.flows import WhichCard
from appliance.haste import HastyPeople, Places
from appliance.layout import Spot
from appliance.simulated import Lay, SimulatedTable, Turn, Wait
from bench.lesson import taught_by_showing
from bench.tally import Count
from engine.actions import Action
from engine.cards import Card
from engine.games import GAMES
from engine.record import Content, Header, RecordError, Takeback
from engine.referee import Match, Report
from engine.simulation import NAMES
from engine.view import View
from vision.disturb import DISTURBANCES, Disturbance
from vision.scene import LaidCard
from vision.types import Frame, Points, TableEvent

HAPPENINGS = ("slide", "double", "half", "turned", "swept")
"""Awkward things that people do, by name."""
KINDS = (*DISTURBANCES, *HAPPENINGS)
Teach: TypeAlias = Literal["none", "jokers", "all"]
_ANOTHER = 7919  # added to a seed
LATE_S = 1.0  # from the card at rest to its action
SURE = 0.95
_HERE_MM = 45.0  # a reading this near to a card's middle is of that card
_TRICKS = ("dezertyras", "imperatorius")


class FilmedTable(SimulatedTable):
    """A simulated table, filmed as `disturbance` says."""

    disturbance = Disturbance()
    rest_t = 0.0

    def read(self) -> Frame:
        number = self._number
        self._pace(self._period)
        moment = self._coming.popleft() if self._coming else None
        if moment is not None:
            self._cards = moment.cards
        if moment is not None or self.disturbance.dark(number) or self.disturbance.stirs(number):
            self.rest_t = number * self._period
        arms = (*(moment.arms if moment is not None else ()), *self.disturbance.arms(number))
        bright = self.disturbance.brightness(number)
        image = self._scene.render(self._cards, arms, number=number, brightness=bright)
        self._number += 1
        return Frame(number * self._period, self.disturbance.picture(image, number), number)

    def where(self, corners: Points) -> tuple[float, float]:
        """The point of the table, mm, in the middle of these corners of the last picture."""
        motion = cv2.invertAffineTransform(self.disturbance.motion(self._number - 1))
        points = np.asarray(corners, np.float64) @ motion[:, :2].T + motion[:, 2]
        x, y = self._scene.camera.to_table(points).mean(axis=0)
        return float(x), float(y)

    def at(self, corners: Points) -> list[LaidCard]:
        """The cards that lie there by now or will when what is coming has happened, the nearest first."""
        x, y = self.where(corners)
        cards = [*self._cards, *(card for card in self.lying() if card not in self._cards)]
        far = {id(card): float(np.hypot(card.x - x, card.y - y)) for card in cards}
        return sorted((c for c in cards if far[id(c)] < _HERE_MM), key=lambda c: far[id(c)])


class FilmedPeople(HastyPeople):
    """People who do one of the awkward things (`habit`) now and then."""

    habit = ""
    asked = 0
    anew = 0
    note: Callable[[str], None] = staticmethod(lambda what: None)

    @property
    def table(self) -> FilmedTable:
        """Their table."""
        assert isinstance(self._table, FilmedTable)
        return self._table

    def act(self, action: Action, before: View, after: View) -> bool:
        overlaps = self.habit == "double" and self.may_overlap(action, before, after)
        if overlaps and self.rng.random() < 0.5:
            self.lay_in_haste(action, before)
            return True
        seen = super().act(action, before, after)
        if self.habit == "slide" and action.verb == "play" and self.rng.random() < 0.4:
            self.slide(action, self.rng)
        return seen

    def tidy(self, after: View, seat: int) -> None:
        if self.habit == "swept":
            self._take_away(after, seat)  # nobody waits until the trick is gone
        else:
            super().tidy(after, seat)

    def quiet(self) -> None:
        super().quiet()
        if self._session.asking and self._session.which_card is not None:
            self._answer(None)

    def _lay_until(self, lines: int, seat: int, places: Places, action: Action | None) -> bool:
        if self.habit == "half" and action is not None and self.rng.random() < 0.4:
            places = tuple((card, self._half_off(seat, spot)) for card, spot in places)
        return super()._lay_until(lines, seat, places, action)

    def _put_down(self, seat: int, places: Places, action: Action | None, again: int) -> None:
        if again:
            self.anew += 1
            self.note("laid again: " + " ".join(str(card) for card, _ in places))
        if self.habit == "swept" and self.table.busy:
            self.table.meanwhile(Lay(seat, places), 4)
        elif self.habit == "turned" and action is not None and len(places) == 1 and self.rng.random() < 0.5:
            card, spot = places[0]
            self._table.perform(Lay(seat, ((card, replace(spot, up=False)),)))
            self._table.perform(Wait(1.0))
            self._table.perform(Turn(seat, card))
        else:
            super()._put_down(seat, places, action, again)

    def _half_off(self, seat: int, spot: Spot) -> Spot:
        """Farther out, the card's middle on the edge of a mat of 594×420 mm; only for cards of tricks."""
        if abs(spot.x) + abs(spot.y) < 50:
            return spot  # a heap in the middle
        x, y = self._layout.towards(seat, 1.0)
        far = min(297 / max(abs(x), 1e-6), 205 / max(abs(y), 1e-6))
        return self._layout.crooked(Spot(x * far, y * far, self._layout.angle(seat)), 4.0, 12.0)

    def _card_asked_about(self, question: WhichCard) -> Card | None:
        self.asked += 1
        card = super()._card_asked_about(question)
        self.note(f"asked about {card} ({question.event.event}, read as {question.event.card})")
        return card

    def _card_at(self, corners: Points) -> Card | None:
        there = [card for card in self.table.at(corners) if card.up and isinstance(card.face, Card)]
        face = there[0].face if there else None
        return face if isinstance(face, Card) else None


class Film(Demo):
    """One deal on a filmed table, and what came of it (`count`). `frames`: how long it may be."""

    def __init__(self, settings: DemoSettings, kind: str, frames: int) -> None:
        super().__init__(settings, None, table=FilmedTable, people=FilmedPeople)
        self.count = Count(deals=1)
        self.kind = kind
        self._frames = frames
        assert isinstance(self.table, FilmedTable) and isinstance(self.people, FilmedPeople)
        self.filmed, self.players = self.table, self.people
        self.filmed.disturbance = DISTURBANCES.get(kind, Disturbance)(settings.seed)
        self.players.habit = kind if kind in HAPPENINGS else ""
        self.players.note = self._note
        self.players.rng = random.Random(f"{settings.seed} {kind}")
        self._in_step = False
        self._known = (0, 0, 0)  # misread, phantom and asked before what is done now
        self._agreed = (0, 0)  # lines of the truth and of the record that were settled by hand
        step = self.service.step

        def stepping() -> bool:
            self._in_step = True
            try:
                return step() and self.filmed._number < 2 * self._frames
            finally:
                self._in_step = False

        self.service.step = stepping  # type: ignore[method-assign]

    def run(self) -> Count:
        """Plays to the end, until the record cannot be put right, or until it is long enough."""
        self.play()
        self.count.moves = self.filmed.disturbance.bumps(self.filmed._number - 10)
        self.count.asked = self.players.asked
        self.count.missed += self.players.anew
        return self.count

    def _note(self, what: str) -> None:
        self.count.notes.append(f"{what} at {self.service.t:.1f} s")

    def _emit(self, event: TableEvent) -> None:
        super()._emit(event)
        if event.event == "moved_camera":
            self.count.followed += 1
        if event.event not in ("placed", "revealed") or event.reading is None:
            return
        if event.card is None or event.confidence < SURE:
            return
        there = [card for card in self.filmed.at(event.reading.outline.corners) if card.up]
        if not there:
            self.count.phantom += 1
            self._note(f"phantom {event.card}")
        elif all(card.face != event.card for card in there):
            self.count.misread += 1
            self._note(f"misread {event.card} for {there[0].face} ({event.confidence:.3f})")

    def _heard(self, report: Report) -> None:
        super()._heard(report)
        if self._in_step and isinstance(report.line.content, Action) and not self.players.holding:
            waited = self.service.t - self.filmed.rest_t
            if waited > LATE_S + 0.05:
                self.count.late += 1
                self._note(f"late {waited:.1f} s: {report.line.content}")

    def _next(self) -> bool:
        if self.filmed._number >= self._frames:
            return False
        return super()._next()

    def _do(self, action: Action) -> bool:
        self.count.plays += 1
        if not self.players.holding:
            self._known = (self.count.misread, self.count.phantom, self.players.asked)
        said = super()._do(action)
        if self.players.holding:
            return True
        truth, record = self.simulation.match.record().contents, self.session.match.record().contents
        truth, record = truth[self._agreed[0] :], record[self._agreed[1] :]
        if tuple(record) != tuple(truth[: len(record)]):
            self._differs(truth, record)
            return self._put_right(truth, record)
        if not said:
            self.count.missed += 1
            self._note(f"missed {action}")
            if not self._told(truth[len(record) :]):
                self._break_off()
                return False
        return True

    def _told(self, missing: Sequence[Content]) -> bool:
        """The people say what was not seen; whether that could be recorded."""
        try:
            for content in missing:
                self.session.push(content)
        except RecordError:
            return False
        self.players.tidy(self.simulation.match.view(), self._dealer)
        return self.agrees()

    def agrees(self) -> bool:
        truth, record = self.simulation.match.record().contents, self.session.match.record().contents
        return truth[self._agreed[0] :] == record[self._agreed[1] :]

    def _put_right(self, truth: Sequence[Content], record: Sequence[Content]) -> bool:
        """The people take back what was recorded wrongly and say what was done; whether they can play on."""
        same = next((n for n, pair in enumerate(zip(truth, record, strict=False)) if pair[0] != pair[1]),
                    min(len(truth), len(record)))  # fmt: skip
        said = self._to_say(truth, record, same)
        if said is None:
            self._break_off()
            return False
        for content in said:
            self.session.push(content)
        whole = self.simulation.match.record().contents, self.session.match.record().contents
        self._agreed = (len(whole[0]), len(whole[1]))
        self.players.tidy(self.simulation.match.view(), self._dealer)
        if self.agrees():
            return True
        self._break_off()
        return False

    def _to_say(self, truth: Sequence[Content], record: Sequence[Content], same: int) -> list[Content] | None:
        """What puts the record right where only the first `same` lines agree: as few lines taken back as
        will do, for what was refused changed nothing, and all said that is missing then; None: nothing."""
        wanted = self.simulation.match.view()
        for times in range(len(record) - same + 2):
            for again in range(min(times, same) + 1):
                said = [*[Takeback()] * times, *truth[same - again :]]
                tried = Match(self.session.match.header)
                try:
                    for content in (*self.session.match.record().contents, *said):
                        tried.push(content)
                except RecordError:
                    continue
                view = tried.view()
                if (view.zones, view.stage, view.turn) == (wanted.zones, wanted.stage, wanted.turn):
                    return said
        return None

    def _break_off(self) -> None:
        self.count.unfinished += 1
        self._note("broken off")

    def _differs(self, truth: Sequence[Content], record: Sequence[Content]) -> None:
        """Counts the first line that the record has otherwise."""
        if Counter(map(str, truth)) == Counter(map(str, record)):
            self.count.order += 1
            self._note(f"out of order: {'; '.join(map(str, record[-2:]))}")
            return
        misread, phantom, asked = self._known
        at = next(n for n, line in enumerate(record) if n >= len(truth) or line != truth[n])
        seen = record[at]
        done = truth[at] if at < len(truth) else None
        same = isinstance(seen, Action) and isinstance(done, Action) and seen.verb == done.verb
        if same and isinstance(seen, Action) and isinstance(done, Action) and seen.cards == done.cards:
            self.count.seat += 1
        elif same and self.players.asked == asked and self.count.misread == misread:
            self.count.misread += 1
        elif (self.count.misread, self.count.phantom) == (misread, phantom):
            self.count.phantom += 1
        self._note(f"recorded {seen} for {done}")


def film(
    game: str, players: int, kind: str, seed: int, faces: str | None = None, frames: int = 500,
    say: Callable[[str], None] = lambda note: None, teach: Teach = "jokers",
) -> Count:  # fmt: skip
    """Films one deal, `frames` long at most, with one kind of disturbance; `say`: hears of what was wrong.
    `teach`: whether the people have taught their deck before, for all games or for those with jokers."""
    settings = DemoSettings(game, players, seed, deals=1, faces=faces)
    with TemporaryDirectory() as folder:
        if teach == "all" or (teach == "jokers" and has_jokers(game, players)):
            path = Path(folder) / "film.deck"
            path.write_bytes(_taught_deck(settings))
            settings = replace(settings, deck=str(path))
        count = Film(settings, kind, frames).run()
    for note in count.notes:
        say(f"{game} {kind} {seed}: {note}")
    return count


def has_jokers(game: str, players: int) -> bool:
    """Whether a game's pack has jokers: which of them is the Imperatorius only the people know."""
    return any(card.joker for card in _pack(game, players))


def _taught_deck(settings: DemoSettings) -> bytes:
    """A deck file with the cards of a film's pack, shown in another light to another camera."""
    pack = _pack(settings.game, settings.players)
    deck = simulated_scene(settings, pack).deck
    return taught_by_showing("film", deck, pack, settings.seed + _ANOTHER)[0].save()


def _pack(game: str, players: int) -> tuple[Card, ...]:
    header = Header(game, NAMES[:players], players)
    return tuple(GAMES[game].pack(Match(header).options))
