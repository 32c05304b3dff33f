"""A deck taught on the simulated table: a hand lays each card down once, a person says what each is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from appliance.layout import Layout, Spot
from appliance.simulated import Lay, Pick, SimulatedTable, Wait
from engine.cards import Card
from vision.camera import Camera
from vision.deck import Deck
from vision.reader import Reader
from vision.scene import Look, Scene
from vision.showing import held_cards
from vision.taught import TaughtDeck
from vision.teach import Lesson
from vision.types import Frame

_REACH = (120.0, 60.0)  # mm from the middle of the table within which a card is laid


@dataclass
class Proposals:
    """How a lesson went: proposals that were `right`, `corrected` or left to the person (`named`), cards
    that were `refused` as shown before, and those that were `unseen`."""

    right: int = 0
    corrected: int = 0
    named: int = 0
    refused: int = 0
    unseen: list[Card] = field(default_factory=list)


class ShowingTable(SimulatedTable):
    """A table on which cards are laid and taken away again one by one; its film ends with the last."""

    shown: Card | None = None

    def __init__(self, deck: Deck, cards: Sequence[Card], seed: int) -> None:
        rng = np.random.default_rng(seed)
        super().__init__(Scene(deck, Camera.random(rng), Look.random(rng)), Layout(2, random.Random(seed)))
        self._rng, self._next = rng, list(cards)[::-1]
        self.perform(Wait(1.0))

    def __iter__(self) -> Iterator[Frame]:
        while self.busy or self._next:
            if not self.busy:
                self._show(self._next.pop())
            yield self.read()

    def _show(self, card: Card) -> None:
        x, y = (float(self._rng.uniform(-reach, reach)) for reach in _REACH)
        self.shown = card
        self.perform(Lay(1, ((card, Spot(x, y, float(self._rng.uniform(0, 360)))),)))
        self.perform(Wait(0.8))
        self.perform(Pick(1, (card,)))
        self.perform(Wait(0.5))


def taught_by_showing(name: str, deck: Deck, pack: Sequence[Card], seed: int) -> tuple[TaughtDeck, Proposals]:
    """Each card of a pack shown once in any order, and the deck that came of it."""
    cards = list(dict.fromkeys(pack))
    random.Random(seed).shuffle(cards)
    table, lesson, went = ShowingTable(deck, cards, seed), Lesson(pack), Proposals()
    for held in held_cards(table, Reader.load()):
        if held.flat is None or table.shown is None:
            continue
        shown = lesson.show(held.flat, held.reading)
        if table.shown in lesson.taught:
            continue  # it has settled a second time
        if shown.refusal is not None:
            went.refused += 1
        elif shown.proposed is None:
            went.named += 1
        elif shown.proposed == table.shown:
            went.right += 1
        else:
            went.corrected += 1
        lesson.teach(shown, table.shown)
    went.unseen = list(lesson.missing)
    return lesson.finish(name, "2026-01-01"), went
