"""From frames to table events: which card was placed, removed or revealed, where and by whom.

The watcher keeps the cards known to lie on the table. When the table has settled, cards that landed are
read, cards whose visible part is gone are removed, a card that only slid stays what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from engine.cards import Card
from vision.bare import BareTable
from vision.geometry import TableGeometry, from_card
from vision.hands import Hand, reached_by
from vision.light import Mask, small_picture
from vision.look import CardReader, KnownCard, Look
from vision.lying import changed_part, covered_part, covers, in_order, polygon, same_place
from vision.moved import CameraPlace, Move, in_many_places
from vision.possible import given_possible
from vision.settle import Settled, Settler, State
from vision.states import TableStates
from vision.types import EventName, Face, Frame, Image, Outline, Reading, TableEvent

_SAME = 0.6  # overlap (intersection over union) of outlines that are one card's
_NAMED = 0.6  # confidence from which a face tells that two outlines are one card
_SLIPPED = 0.85  # below it a card has been moved
_TOUCHED = 0.008  # the part of a card in sight that must differ before it is read anew
_OPEN = 0.5  # the part of a card in sight with which one can tell whether it lies there
_WITH = 0.3  # the part of a card that others lay on with which it was taken
_DOUBTFUL = 0.8  # below it a card where others have just gone is taken for what they left behind


class TableWatcher:
    """Turns a source's frames into table events.

    `geometry` None: until the first card is seen, whose size then gives the scale. `pack`: the cards
    in play, which no reading may leave; None for any. `unrelated`: every frame is a settled moment of
    its own, perhaps from another view (a folder of pictures).
    """

    def __init__(
        self,
        geometry: TableGeometry | None,
        reader: CardReader,
        pack: Sequence[Card] | None = None,
        *,
        unrelated: bool = False,
        settler: Settler | None = None,
    ) -> None:
        self._geometry = geometry
        self._place_of_camera = CameraPlace()
        self._states = TableStates()
        self.pack = pack
        self._reader = reader
        self._unrelated = unrelated
        self._settler = settler or Settler()
        self._bare = BareTable()
        self._cards: list[KnownCard] = []  # the undermost first
        self._went: list[KnownCard] = []  # at the last look
        self._state: State = "starting"

    @property
    def geometry(self) -> TableGeometry | None:
        """The table; to set it is to say that it has been calibrated."""
        return self._geometry

    @geometry.setter
    def geometry(self, geometry: TableGeometry | None) -> None:
        self._geometry = geometry
        self._place_of_camera.found()

    @property
    def lost(self) -> bool:
        """Whether the camera was moved so far that nothing counts until it is calibrated or back."""
        return self._place_of_camera.lost

    @property
    def states(self) -> frozenset[EventName]:
        """What is out of the ordinary now, by the event with which it began."""
        if self._state == "dark":
            return frozenset({"too_dark"})
        return frozenset({"moved_far"}) if self.lost else self._states.now

    @property
    def cards(self) -> tuple[KnownCard, ...]:
        """The cards known to lie on the table, the undermost first."""
        return tuple(self._cards)

    @property
    def state(self) -> State:
        """What the last frame showed: starting, still, changing, hand or dark."""
        return self._state

    def correct(self, reading: Reading, card: Face) -> None:
        """The people at the table say which card a reading was of."""
        self._cards = [
            replace(known, card=card, confidence=1.0) if known.reading is reading else known
            for known in self._cards
        ]

    def taken(self, cards: Collection[Face]) -> None:
        """The people have taken these cards into their hands: those that are hidden under others that are
        left cannot be seen to be gone, nor those that lay under others that were seen to go."""
        left = [known.outline for known in self._cards if known.card not in cards]
        went = [known.outline for known in self._went if known.card in cards]
        self._cards = [
            known
            for known in self._cards
            if known.card not in cards
            or (covered_part(known.outline, left) < _OPEN and covered_part(known.outline, went) < _WITH)
        ]

    def watch(self, frames: Iterable[Frame]) -> Iterator[TableEvent]:
        """All events of some frames, each as soon as its frame was seen."""
        for frame in frames:
            yield from self.update(frame)

    def update(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Takes the next frame; its events in their order."""
        if self._unrelated:
            return tuple(self._scene(frame.t, frame.image))
        sight = self._settler.update(frame)
        self._state = sight.state
        events = [self._news(frame.t, name, sight.point) for name in sight.news]
        if sight.settled is not None:
            events += self._read(sight.settled, frame)
        if sight.state in ("still", "hand") and not self.lost:
            outlines = [known.outline for known in self._cards]
            events += self._states.still(frame.t, frame.image, outlines, sight.state == "hand")
        return tuple(events)

    def _news(self, t: float, name: EventName, point: tuple[float, float] | None) -> TableEvent:
        seat = self.geometry.seat_side(point) if self.geometry is not None and point is not None else None
        return TableEvent(t, name, seat=seat)

    def _read(self, settled: Settled, frame: Frame) -> list[TableEvent]:
        place = self._place_of_camera
        events: list[TableEvent] = []
        if place.lost:
            back = place.back(settled.after, self._geometry)
            if back is None:
                return []
            events += [self._news(frame.t, name, None) for name in self._settler.accept(frame)]
            settled = self._follow(replace(settled, before=back[0]), back[1])
            events.append(TableEvent(settled.t, "moved_camera", picture=settled.after))
        elif settled.before is settled.after:
            return self._scene(settled.t, settled.after)
        else:
            changed = np.asarray(cv2.bitwise_or(settled.changed, settled.hidden), np.uint8)
            if in_many_places(changed):
                move = place.moved(settled.before, settled.after, changed, self._geometry)
                if place.lost or move is not None:  # what seemed to come in over the border came in with it
                    events = [self._news(frame.t, name, None) for name in self._settler.accept(frame)]
                if place.lost:
                    return [*events, TableEvent(settled.t, "moved_far", picture=settled.after)]
                if move is not None:
                    settled = self._follow(settled, move)
                    events.append(TableEvent(settled.t, "moved_camera", picture=settled.after))
        place_moved = any(event.event == "moved_camera" for event in events)
        if self._geometry is None:
            return events + self._scene(settled.t, settled.after, settled.hands)
        look = Look(settled, self._geometry, tuple(self._cards), self._reader, self._bare)
        readings = self._of_cards(settled, look.landed(), place_moved)
        events += self._compare(look, readings)
        events += self._strange(settled, np.zeros_like(settled.changed) if place_moved else settled.changed)
        return events

    def _of_cards(self, settled: Settled, readings: list[Reading], moved: bool) -> list[Reading]:
        """Without those not read that are no cards: what a move of the camera has left, things, light."""
        sure = [each for each in readings if each.confidence >= _DOUBTFUL]
        unknown = settled.changed.copy()
        for each in sure:
            unknown[polygon(each.outline, settled, shrink=-0.08) > 0] = 0
        return [
            each
            for each in readings
            if each.confidence >= _DOUBTFUL
            or not (moved or self._states.no_card(each, settled.after, unknown))
        ]

    def _strange(self, settled: Settled, changed: Mask) -> list[TableEvent]:
        """What lies there that is neither table nor card; all else is learned as the table's own."""
        assert self._geometry is not None
        outlines = [known.outline for known in self._cards]
        strange = self._bare.strange(settled.small)
        for outline in outlines:
            strange[polygon(outline, settled, shrink=-0.12) > 0] = 0
        strange[settled.hidden > 0] = 0
        events = self._states.settled(
            settled.t, strange, changed, settled.hidden, settled.after, self._geometry.card_size_px
        )
        things = self._states.things
        unlearned = settled.hidden if things is None else cv2.bitwise_or(settled.hidden, things)
        self._bare.learn(settled.small, outlines, settled.scale, np.asarray(unlearned, np.uint8))
        return events

    def _follow(self, settled: Settled, move: Move) -> Settled:
        """Moves all that is known with the camera, the settled picture included."""
        height, width = settled.after.shape[:2]
        self._bare.follow(move.picture, (width, height))
        self._states.follow(move.picture, (width, height))
        before = move.picture(settled.before)
        self._geometry = move.geometry
        self._cards = [
            replace(known, reading=replace(known.reading, outline=move.outline(known.outline)))
            for known in self._cards
        ]
        small = (settled.changed.shape[1], settled.changed.shape[0])
        old, new = (
            cv2.GaussianBlur(cv2.resize(image, small, interpolation=cv2.INTER_AREA), (3, 3), 0)
            for image in (before, settled.after)
        )
        changed = np.where(cv2.absdiff(old, new).max(axis=2) > 22, np.uint8(255), np.uint8(0))
        changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        return replace(settled, before=before, changed=changed, hidden=np.zeros_like(settled.hidden))

    def _compare(self, look: Look, readings: list[Reading]) -> list[TableEvent]:
        """What the readings of landed cards, the undermost first, make of the known cards."""
        settled, old = look.settled, list(look.cards)
        bared, readings = look.bared(readings)
        fresh = [polygon(reading.outline, settled) for reading in readings]
        gone = look.gone(bared, fresh)
        outlines = [known.outline for known in old]
        touched = {n for n in range(len(old)) if changed_part(settled, outlines, n, []) > _TOUCHED}
        revealed: list[tuple[KnownCard, Reading]] = []
        slid: dict[int, Reading] = {}
        placed: list[Reading] = []
        left = [polygon(old[n].outline, settled) for n in gone]
        for reading, shape in zip(readings, fresh, strict=True):
            here = [n for n in range(len(old)) if same_place(old[n].outline, reading.outline) > _SAME]
            twin = self._twin(old, gone | touched, slid, reading)
            turned = [n for n in here if old[n].reading.side == "down" and reading.side == "up"]
            if turned and reading.confidence >= _NAMED:
                gone.discard(turned[0])
                revealed.append((old[turned[0]], reading))
                slid[turned[0]] = reading
            elif twin is not None:
                gone.discard(twin)
                slid[twin] = reading
            elif any(n not in gone and not _better(reading, old[n].reading) for n in here):
                continue  # a known card that others had covered
            elif (
                covers(left, shape) > 0.5 and reading.side != "down" and reading.confidence < _DOUBTFUL
            ):  # an outline of what was swept away
                continue
            else:
                placed.append(reading)
        self._went = [old[n] for n in sorted(gone, reverse=True)]
        events = [self._removed(settled, known) for known in self._went]
        turned_up = {id(reading) for _, reading in revealed}
        for n, reading in slid.items():
            slipped = same_place(old[n].outline, reading.outline) < _SLIPPED
            if slipped and id(reading) not in turned_up:
                events.append(self._slid(settled, old[n], reading))
        kept = [
            replace(known, reading=slid[n], area=self._area(slid[n].outline)) if n in slid else known
            for n, known in enumerate(old)
            if n not in gone
        ]
        lifted = [
            reading
            for n, reading in slid.items()
            if same_place(old[n].outline, reading.outline) < _SAME  # it was put down again, on top
        ]
        kept.sort(key=lambda known: any(known.reading is reading for reading in lifted))
        self._cards = [k for k in kept if all(k.reading is not reading for _, reading in revealed)]
        for was, reading in revealed:
            hand = _one_over(settled.hands, reading.outline)
            events.append(self._seen(settled.t, "revealed", reading, settled.after, hand, was.area))
        return events + self._place(settled.t, placed, settled.after, settled.hands)

    def _twin(
        self, old: list[KnownCard], gone: set[int], slid: dict[int, Reading], reading: Reading
    ) -> int | None:
        """The known card that this reading is of, by its face: it slid here. It must be gone from its place
        (`gone`: or something have happened there), or the new place overlap it."""
        for n, known in enumerate(old):
            if n in slid or reading.card is None or known.card != reading.card:
                continue
            overlaps = same_place(known.outline, reading.outline) > 0.15
            if min(reading.confidence, known.confidence) >= _NAMED and (n in gone or overlaps):
                return n
        return None

    def _scene(self, t: float, picture: Image, hands: tuple[Hand, ...] = ()) -> list[TableEvent]:
        """A picture read as a whole: at the start, and where no scale is known."""
        readings = list(self._reader.read_picture(picture))
        if self.geometry is None and not self._unrelated and readings:
            best = max(readings, key=lambda reading: (reading.outline.visible, reading.confidence))
            self.geometry = from_card(best.outline, (picture.shape[1], picture.shape[0]))
        stayed, new = [], []
        for reading in readings:
            same = [k for k in self._cards if k not in stayed and _one_card(k, reading)]
            if same:
                stayed.append(same[0])
            else:
                new.append(reading)
        events = [
            TableEvent(t, "removed", known.card, known.confidence, known.area, self._seat(known, None))
            for known in reversed(self._cards)
            if known not in stayed
        ]
        self._cards = [known for known in self._cards if known in stayed]
        events += self._place(t, in_order(picture, new), picture, hands)
        if not self._unrelated:
            small = small_picture(picture)
            scale = picture.shape[1] / small.shape[1]
            self._bare.learn(small, [known.outline for known in self._cards], scale)
        return events

    def _place(
        self, t: float, readings: list[Reading], picture: Image, hands: tuple[Hand, ...]
    ) -> list[TableEvent]:
        """Names the cards that landed, the surest first since each exists once; told in the order
        in which their hands came, and of one hand the undermost first."""
        owners = reached_by(hands, [_drawn(each.outline, hands[0]) for each in readings] if hands else [])
        whose = [None if owner is None else hands[owner] for owner in owners] or [None] * len(readings)
        events: dict[int, TableEvent] = {}
        before = len(self._cards)
        for n in sorted(range(len(readings)), key=lambda n: -readings[n].confidence):
            events[n] = self._seen(t, "placed", readings[n], picture, whose[n], None)
        rank = {id(reading): n for n, reading in enumerate(readings)}
        self._cards[before:] = sorted(self._cards[before:], key=lambda known: rank[id(known.reading)])
        order = list(range(len(readings)))
        if all(owner is not None for owner in owners):
            order.sort(key=lambda n: (owners[n] or 0) if owners else 0)
        return [events[n] for n in order]

    def _seen(
        self, t: float, name: EventName, reading: Reading, picture: Image, hand: Hand | None, area: str | None
    ) -> TableEvent:
        elsewhere = [(known.card, known.confidence) for known in self._cards if known.card is not None]
        card, confidence = given_possible(reading, self.pack, elsewhere)
        known = KnownCard(card, confidence, reading, area or self._area(reading.outline))
        self._cards.append(known)
        return TableEvent(t, name, card, confidence, known.area, self._seat(known, hand), reading, picture)

    def _removed(self, settled: Settled, known: KnownCard) -> TableEvent:
        seat = self._seat(known, _one_over(settled.hands, known.outline))
        return TableEvent(
            settled.t, "removed", known.card, known.confidence, known.area, seat, picture=settled.after
        )

    def _slid(self, settled: Settled, known: KnownCard, reading: Reading) -> TableEvent:
        """The same card in another place."""
        seat = self._seat(known, _one_over(settled.hands, reading.outline))
        area = self._area(reading.outline)
        return TableEvent(
            settled.t, "moved", known.card, known.confidence, area, seat, reading, settled.after
        )

    def _area(self, outline: Outline) -> str | None:
        return self.geometry.area_of(outline) if self.geometry is not None else None

    def _seat(self, known: KnownCard, hand: Hand | None) -> int | None:
        """By whom: the side the hand came from, else the area's seat."""
        if self.geometry is not None and hand is not None:
            return self.geometry.seat_side(hand.point)
        if known.area is not None and known.area.startswith("seat") and known.area[4:].isdigit():
            return int(known.area[4:])
        return None


def _one_card(known: KnownCard, reading: Reading) -> bool:
    return known.card == reading.card and same_place(known.outline, reading.outline) > 0.5


def _better(reading: Reading, known: Reading) -> bool:
    """Whether a card seen where another is known to lie must be another one, on top of it."""
    if reading.side == "down":
        return known.side == "up"
    return reading.side == "up" and reading.card != known.card and reading.confidence >= _NAMED


def _one_over(hands: tuple[Hand, ...], outline: Outline) -> Hand | None:
    """The hand that was over a place."""
    owner = reached_by(hands, [_drawn(outline, hands[0])])[0] if hands else None
    return None if owner is None else hands[owner]


def _drawn(outline: Outline, hand: Hand) -> Mask:
    """A card's shape in the small picture that a hand was seen in."""
    mask = np.zeros(hand.reach.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, (outline.corners / hand.scale).round().astype(np.int32), (255,))
    return mask
