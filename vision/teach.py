"""A lesson: somebody shows a deck's cards one by one and says what each is; at its end the deck is taught.

Pure state: it takes flattened cards (vision.taught) and answers, it reads no files and asks nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.cards import PACK_24, PACK_32, PACK_36, PACK_52, PACK_56, Card
from vision.taught import TaughtDeck
from vision.types import Face, Image, Reading

PACKS: dict[int, tuple[Card, ...]] = {
    24: PACK_24, 32: PACK_32, 36: PACK_36, 52: PACK_52, 56: PACK_56,
}  # fmt: skip

_UNSURE = 0.5  # confidence below which an index says nothing against the art
_SAME = 0.015  # distance that a card laid exactly on itself keeps, mostly; ♠2 and ♣2 differ by 0.022
_SAME_WORST = 0.25  # no block of the same card is further off then, mostly; other cards differ more somewhere

Why: TypeAlias = Literal["taught", "looks alike", "not in pack"]


@dataclass(frozen=True)
class Refusal:
    """Why a card was not taken: it is `taught` already, it `looks alike` a card taught before (`card`: that
    one), or it is `not in pack`."""

    why: Why
    card: Card


@dataclass(frozen=True, eq=False)
class Shown:
    """A card that is being shown. `flat`: 176×128×3. `proposed`: the likeliest card that is still missing,
    None if nothing is known. `refusal`: it seems to have been shown before; a person may say otherwise."""

    flat: Image
    proposed: Card | None
    confidence: float
    refusal: Refusal | None = None


class Lesson:
    """Cards shown so far. A pack of 56 has three Viziriai: one must be shown, those that look different may
    be shown, too."""

    def __init__(self, pack: Sequence[Card]) -> None:
        self._copies = Counter(pack)
        self._taught: list[tuple[Card, Image]] = []
        self._deck: TaughtDeck | None = None

    @property
    def taught(self) -> tuple[Card, ...]:
        """The cards in the order in which they were taught."""
        return tuple(card for card, _ in self._taught)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that were not shown yet, in the pack's order."""
        known = set(self.taught)
        return tuple(card for card in self._copies if card not in known)

    def show(self, flat: Image, reading: Reading | None = None) -> Shown:
        """Somebody shows a card. `reading`: what the networks read on it, without a taught deck."""
        scores = () if reading is None or reading.side != "up" else reading.scores
        alike = self._alike(flat, scores)
        missing = self.missing
        for face, confidence in scores:
            if isinstance(face, Card) and face in missing:
                return Shown(flat, face, confidence, alike)
        if len(missing) == 1 and alike is None and not scores:
            return Shown(flat, missing[0], 0.0)  # no index to be read, and only one card it can be
        return Shown(flat, None, 0.0, alike)

    def teach(self, shown: Shown, card: Card) -> Refusal | None:
        """The person says which card it is; why it is refused, or None: it is taught."""
        if card not in self._copies:
            return Refusal("not in pack", card)
        known = self.taught.count(card)
        if known >= self._copies[card]:
            return Refusal("taught", card)
        if known and shown.refusal is not None:
            return shown.refusal  # another copy that looks the same teaches nothing
        self._taught.append((card, shown.flat))
        self._deck = None
        return None

    def undo(self) -> Card | None:
        """Forgets the card taught last, and says which it was; None if there is none."""
        if not self._taught:
            return None
        self._deck = None
        return self._taught.pop()[0]

    def finish(self, name: str, date: str) -> TaughtDeck:
        """The deck taught so far (ValueError if no card was). `date`: ISO 8601."""
        if not self._taught:
            raise ValueError("no card was taught")
        return TaughtDeck.of(name, date, self._taught)

    def _alike(self, flat: Image, scores: Sequence[tuple[Face, float]]) -> Refusal | None:
        """The card taught before that looks just like this one."""
        if not self._taught:
            return None
        if self._deck is None:
            self._deck = self.finish("", "")
        match = self._deck.match(flat, exact=True)
        if not match.fits:
            return None
        if scores:
            # Cards of like rank differ in little but their suits: where there are indices, they decide.
            face, confidence = scores[0]
            same = face == match.card or confidence < _UNSURE
            return Refusal("looks alike", match.card) if same and match.fits_well else None
        same = match.distance < _SAME and match.worst < _SAME_WORST
        return Refusal("looks alike", match.card) if same else None
