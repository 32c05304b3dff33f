"""Reads cards: those of a whole picture, or the one inside a known outline.

The finder says where indices are, the index network what each reads; indices of one card support
each other, the sign in an ace's middle its index. With a taught deck (vision.taught) a card's own art is
compared first, and decides where all of the card is seen; where only a part is, both say what they can.
How often each confidence was right on photographs is in vision/train/README.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import CARDS
from vision.backs import is_back
from vision.belief import plausible
from vision.finder import Finder, Index, merged
from vision.flat import covered_parts, flattened
from vision.grouping import grouped
from vision.indices import IndexReader
from vision.lying import same_place
from vision.middle import reweighed
from vision.outline import find_outlines
from vision.seek import sought
from vision.taught import Match, TaughtDeck
from vision.types import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Outline, Points, Reading

WEIGHTS = Path(__file__).parent / "weights"
_NO_INDEX = 52
_SQUEEZE = 0.7
_ALIKE = 0.3
_LOOKED_AT = 130.0  # pixels a card is high where the finder sees its indices best
_SEVERAL = 3  # how many faces a reading names
_ART_BOUND = 0.9  # from this confidence on the art of a whole card needs no index beside it
_PART_MOST = 0.9  # how sure a part of a card without an index can make: the table asks
_UNTAUGHT = 0.5  # the confidence of an index from which a card may be one that was never taught
_PART_BOUND = 0.8  # and that of a part of a card makes a card where no index was found
_PART_WEIGHT = 0.3  # of the art of a part of a card beside its index: the rest may be other cards' art
_LITTLE = 1e-4  # what is left to every card of a deck that the networks rule out: their index may be dirty
_CORNER_BOUND = 0.75
"""One index alone is taken for a card only from this confidence on: of less sure ones hardly any is right."""
_LIFTED = 0.9  # the confidence to which several indices of a card lift each other

# A known outline is looked at upright, at this size and with this margin, in pixels.
_UPRIGHT_HEIGHT = 208
_MARGIN = 8


@dataclass(frozen=True, eq=False)
class _Seen:
    """What the networks say of one card: 52 probabilities, how sure that its indices are any, and those."""

    outline: Outline
    scores: NDArray[np.float64]
    trust: float
    indices: tuple[Index, ...] = ()

    @property
    def reading(self) -> Reading:
        return _reading(self.outline, self.scores, self.trust)


class Reader:
    """The two networks together, and a taught deck if there is one. Not for several threads at once."""

    def __init__(self, finder: Finder, indices: IndexReader, deck: TaughtDeck | None = None) -> None:
        self._finder = finder
        self._indices = indices
        self._deck = deck

    @classmethod
    def load(cls, weights: Path = WEIGHTS, deck: TaughtDeck | None = None) -> Reader:
        """The reader with the weights that come with the program (FileNotFoundError without them)."""
        for name in ("finder.onnx", "index.onnx"):
            if not (weights / name).is_file():
                raise FileNotFoundError(f"no network weights at {weights / name}")
        return cls(Finder(weights / "finder.onnx"), IndexReader(weights / "index.onnx"), deck)

    def with_deck(self, deck: TaughtDeck | None) -> Reader:
        """The same networks with another taught deck, or with none."""
        return Reader(self._finder, self._indices, deck)

    def read_picture(self, image: Image, card_px: float | None = None) -> tuple[Reading, ...]:
        """Every card of which at least one index can be seen, in a picture of any size.

        `card_px`: how high a card is in it, if that is known: then one look is enough. Otherwise it is
        looked at in several sizes, and, where nothing is found, squeezed: cards seen from far aside are
        foreshortened.
        """
        if self._deck is not None:
            readings = self._read_taught(image, card_px, self._deck)
            if readings:
                return readings
        if card_px is not None:
            scale = min(2.0, _LOOKED_AT / card_px)
            return self._read(image, merged(self._finder.find(image, scale)))
        for wide, high in ((1.0, 1.0), (_SQUEEZE, 1.0), (1.0, _SQUEEZE)):
            squeezed = image
            if wide != high:
                squeezed = np.asarray(
                    cv2.resize(image, None, fx=wide, fy=high, interpolation=cv2.INTER_AREA), np.uint8
                )
            readings = self._read(squeezed, self._find(squeezed))
            if readings:
                back = np.array([wide, high], np.float32)
                return tuple(
                    replace(r, outline=Outline(r.outline.corners / back, r.outline.visible)) for r in readings
                )
        return ()

    def _read(self, image: Image, indices: list[Index]) -> tuple[Reading, ...]:
        return _each_once(plausible([(seen.reading, seen.indices) for seen in self._seen(image, indices)]))

    def _seen(self, image: Image, indices: list[Index]) -> list[_Seen]:
        """The cards that some indices belong to."""
        answers = self._indices.read(image, indices)
        sure = _index_at_all(indices, answers)
        good = np.flatnonzero(sure > 0.5)
        indices, answers, sure = [indices[n] for n in good], answers[good], sure[good]
        likely = np.exp(answers[:, :_NO_INDEX])

        def alike(a: int, b: int) -> bool:
            # The Bhattacharyya coefficient: near 1 where both say the same, near 0 where they differ surely.
            return float(np.sqrt(likely[a] * likely[b]).sum()) > _ALIKE

        cards = []
        for group in grouped(indices, alike):
            together = _combined(answers[list(group.members)])
            outline = Outline(group.corners, 1.0 if group.whole else 0.5)
            together = reweighed(self._indices, partial(rectified, image, outline), together)
            members = tuple(indices[n] for n in group.members)
            cards.append(_Seen(outline, together, _trust(sure[list(group.members)]), members))
        return cards

    def _read_taught(self, image: Image, card_px: float | None, deck: TaughtDeck) -> tuple[Reading, ...]:
        """The cards of a picture by their art and their indices together, those seen whole first."""
        size = None if card_px is None else (card_px * CARD_WIDTH_MM / CARD_HEIGHT_MM, card_px)
        outlines = find_outlines(image, size)
        whole: list[Reading] = []
        rest: list[Outline] = []
        for outline in outlines:
            # A card on top of others may have been deduced from its corners: all of it is seen all the same.
            match = deck.match(flattened(image, outline))
            taken = any(same_place(outline, reading.outline) > 0.6 for reading in whole)
            fits = match.fits if outline.visible == 1.0 else match.fits_well
            if fits and match.confidence >= _ART_BOUND and not taken:
                whole.append(_by_art(Outline(outline.corners), match))
            else:
                rest.append(outline)
        above = [reading.outline for reading in whole]
        found = self._find(image) if card_px is None else merged(
            self._finder.find(image, min(2.0, _LOOKED_AT / card_px))
        )  # fmt: skip
        if not _complete(deck):
            whole = [
                _unless_untaught(
                    reading, deck, self._seen(image, [i for i in found if _within(i, reading.outline)])
                )
                for reading in whole
            ]
        # What is printed on a card seen whole is that card's.
        found = [index for index in found if not any(_within(index, outline) for outline in above)]
        readings = list(whole)
        for seen in self._seen(image, found):
            near = [outline for outline in rest if same_place(outline, seen.outline) > 0.6]
            if near:
                best = max(near, key=lambda outline: same_place(outline, seen.outline))
                rest = [outline for outline in rest if outline is not best]
                turned = _nearer_end(best, seen.outline)
                seen = replace(seen, outline=Outline(turned, min(best.visible, 0.99)))
            match = deck.match(flattened(image, seen.outline), False, covered_parts(seen.outline, above))
            readings.append(_both(seen, match))
        for outline in rest:
            match = deck.match(flattened(image, outline), False, covered_parts(outline, above))
            if match.fits_partly and match.confidence >= _PART_BOUND:
                found_by_art = _by_art(Outline(outline.corners, min(outline.visible, 0.99)), match)
                scores = tuple((face, min(score, _PART_MOST)) for face, score in found_by_art.scores)
                readings.append(replace(found_by_art, scores=scores))
        if card_px is not None:
            readings += self._sought(image, card_px, deck, readings)
        return _each_once(readings)

    def _sought(
        self, image: Image, card_px: float, deck: TaughtDeck, readings: Sequence[Reading]
    ) -> Iterator[Reading]:
        """Cards besides these: a heap of white ones may show no outline, or a wrong one, and no index."""
        sure = [reading.outline for reading in readings if reading.confidence > _PART_MOST]
        for found in sought(image, deck, card_px, sure):
            most = 1.0 if found.outline.visible == 1.0 else _PART_MOST
            reading = _by_art(found.outline, found.match)
            yield replace(reading, scores=tuple((face, min(score, most)) for face, score in reading.scores))

    def read_card(self, image: Image, outline: Outline) -> Reading:
        """The card inside an outline, whichever of its ends is the top."""
        if self._deck is None:
            seen = self._seen_inside(image, outline)
            return _unread(image, outline) if seen is None else seen.reading
        flat = flattened(image, outline)
        match = self._deck.match(flat)
        by_art = match.fits and match.confidence >= _ART_BOUND
        if by_art and _complete(self._deck):
            return _by_art(outline, match)
        seen = self._seen_inside(image, outline)
        if by_art:
            return _unless_untaught(_by_art(outline, match), self._deck, () if seen is None else (seen,))
        if not match.fits:
            match = self._deck.match(flat, whole=False)
        if seen is not None:
            return _both(seen, match)
        return _by_art(outline, match) if match.fits_partly else _unread(image, outline)

    def _seen_inside(self, image: Image, outline: Outline) -> _Seen | None:
        """What the networks see inside an outline."""
        upright = rectified(image, outline)
        indices = merged(self._finder.find(upright, threshold=0.15))
        answers = self._indices.read(upright, indices)
        sure = _index_at_all(indices, answers)
        good = [n for n in range(len(indices)) if sure[n] > 0.5 and _in_a_corner(indices[n])]
        if not good:
            return None
        best = max(good, key=lambda n: answers[n][:_NO_INDEX].max() + np.log(indices[n].score))
        others = [
            n
            for n in good
            if n != best
            and abs(indices[n].up[1]) > 0.9
            and 0.6 < indices[n].height / indices[best].height < 1.67
        ]
        together = _combined(answers[[best, *others]])
        together = reweighed(self._indices, lambda: upright, together)
        corners = outline.corners if indices[best].up[1] < 0 else np.roll(outline.corners, 2, axis=0)
        trust = _trust(sure[[best, *others]])
        return _Seen(Outline(corners, outline.visible), together, trust)

    def _find(self, image: Image) -> list[Index]:
        """Indices at all sizes of the picture that are worth a look."""
        longest = max(image.shape[:2])
        scales = [s for s in (2.0, 1.0, 0.5, 0.25) if 150 <= longest * s <= 1300] or [640 / longest]
        found = [index for scale in scales for index in self._finder.find(image, scale)]
        if longest > 1300 and not any(index.height > 22 for index in found):
            found += self._finder.find(image, 1.0)
        return merged(found)


def rectified(image: Image, outline: Outline) -> Image:
    """The card upright, 208 pixels high with a small margin, whichever end is the top."""
    height = _UPRIGHT_HEIGHT - 2 * _MARGIN
    width = round(height * CARD_WIDTH_MM / CARD_HEIGHT_MM)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + _MARGIN
    matrix = cv2.getPerspectiveTransform(
        np.asarray(corners, np.float32), np.asarray(outline.corners, np.float32)
    )
    size = (width + 2 * _MARGIN, _UPRIGHT_HEIGHT)
    sides = np.linalg.norm(outline.corners - np.roll(outline.corners, 1, axis=0), axis=1)
    shrink = float(sides.max()) / height
    if shrink > 1.8:
        # The card is much larger than what is looked at: shrink the picture first, against aliasing.
        factor = 1.2 / shrink
        image = np.asarray(
            cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
        )
        small = np.diag([factor, factor, 1.0]) @ matrix
    else:
        small = matrix
    upright = cv2.warpPerspective(
        image, small, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(upright, np.uint8)


def _index_at_all(indices: Sequence[Index], answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely each is an index at all: both networks' word, the finder's counting half."""
    none = np.exp(answers[:, _NO_INDEX])
    found = np.array([min(index.score, 0.99) for index in indices])
    odds = (1 - none) / np.maximum(none, 1e-9) * np.sqrt(found / (1 - found))
    return np.asarray(odds / (1 + odds), np.float64)


def _unread(image: Image, outline: Outline) -> Reading:
    """A card without an index to be seen: a back, or a face that cannot be read."""
    down = is_back(rectified(image, outline), _MARGIN)
    return Reading(outline, (), "down" if down else "unread")


def _in_a_corner(index: Index) -> bool:
    """Whether an index of an upright card stands as an index does: upright or head down, near an end."""
    if abs(index.up[1]) < 0.9:
        return False
    from_end = index.y if index.up[1] < 0 else _UPRIGHT_HEIGHT - index.y
    return from_end < 0.45 * _UPRIGHT_HEIGHT


def _combined(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The indices of one card together, as 52 probabilities.

    Two that agree lift a doubtful answer, but they share print, light and blur: never to a sure one.
    """
    logs = answers[:, :_NO_INDEX].mean(axis=0)
    mean, lifted = (np.exp(weight * (logs - logs.max())) for weight in (1.0, 1.5))
    mean, lifted = mean / mean.sum(), lifted / lifted.sum()
    if len(answers) == 1 or mean.max() >= _LIFTED:
        return np.asarray(mean, np.float64)
    part = min(1.0, (_LIFTED - mean.max()) / max(1e-9, lifted.max() - mean.max()))
    return np.asarray(mean + part * (lifted - mean), np.float64)


def _trust(sure: NDArray[np.float64]) -> float:
    """How much of the probability stays with the answer: that any of the indices is one."""
    return float(1 - np.prod(1 - sure))


def _reading(
    outline: Outline, scores: NDArray[np.float64], trust: float, side: Literal["up", "unread"] = "up"
) -> Reading:
    best = np.argsort(-scores)[:_SEVERAL]
    return Reading(outline, tuple((CARDS[int(n)], float(scores[n] * trust)) for n in best), side)


def _by_art(outline: Outline, match: Match) -> Reading:
    corners = np.roll(outline.corners, 2, axis=0) if match.turned else outline.corners
    return Reading(Outline(corners, outline.visible), tuple(match.scores[:_SEVERAL]))


def _complete(deck: TaughtDeck) -> bool:
    """Whether it has every card that an index can name."""
    return set(CARDS[:_NO_INDEX]) <= set(deck.cards)


def _unless_untaught(reading: Reading, deck: TaughtDeck, seen: Iterable[_Seen]) -> Reading:
    """What the art says, unless an index names a card that was never taught: of those taught the art can say
    only which is most like it. Then it is what the index says, and the table asks."""
    for said in (each.reading for each in seen):
        if said.card not in deck.cards and said.confidence >= _UNTAUGHT:
            scores = tuple((face, min(score, _PART_MOST)) for face, score in said.scores)
            return replace(reading, scores=scores)
    return reading


def _both(seen: _Seen, match: Match) -> Reading:
    """Indices and art together; the indices alone where the art is not of the taught deck."""
    art = dict(match.scores)
    if not match.fits_partly:
        return seen.reading
    net = {card: float(seen.scores[card]) if card < _NO_INDEX else 0.0 for card in art}
    chances = {
        card: (seen.trust * net[card] + (1 - seen.trust) / len(art) + _LITTLE) * art[card] ** _PART_WEIGHT
        for card in art
    }
    total = sum(chances.values())
    ranked = sorted(((card, chance / total) for card, chance in chances.items()), key=lambda pair: -pair[1])
    return Reading(seen.outline, tuple(ranked[:_SEVERAL]))


def _within(index: Index, outline: Outline) -> bool:
    return cv2.pointPolygonTest(outline.corners.astype(np.float32), (index.x, index.y), False) >= 0


def _nearer_end(outline: Outline, like: Outline) -> Points:
    """An outline's corners, begun at the end where those of a like outline begin."""
    turned = np.roll(outline.corners, 2, axis=0)
    here, there = (np.linalg.norm(corners - like.corners) for corners in (outline.corners, turned))
    return np.asarray(outline.corners if here <= there else turned, np.float32)


def _each_once(readings: list[Reading]) -> tuple[Reading, ...]:
    """Leaves out cards of which only a corner was read, if hardly, or the same card was read better."""
    kept: list[Reading] = []
    for reading in sorted(readings, key=lambda r: (-r.outline.visible, -r.confidence)):
        whole = reading.outline.visible == 1.0
        if whole or (
            reading.confidence >= _CORNER_BOUND and all(other.card != reading.card for other in kept)
        ):
            kept.append(reading)
    return tuple(kept)
