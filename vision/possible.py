"""What a reading says given what is physically possible: cards of the pack, each as often as it exists.

Never what the rules of a game would like: a referee that raised a legal card's score would not see an
illegal one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.cards import CARDS, IMP, VIZ, Card
from vision.types import Face, Joker, Reading

_FLOOR = 0.02  # a card elsewhere on the table may have been misread there, whatever its confidence
_EVERY: tuple[Face, ...] = (*CARDS[:52], Joker.JOKER)


def given_possible(
    reading: Reading, pack: Sequence[Card] | None, elsewhere: Iterable[tuple[Face, float]]
) -> tuple[Face | None, float]:
    """The likeliest face and its probability.

    `pack`: the cards in play, None if any card may be. `elsewhere`: faces known to lie in other
    places on the table, with the confidence in each.
    """
    if reading.side != "up" or not reading.scores:
        return None, 0.0
    copies: Counter[Face] = Counter(pack) if pack is not None else Counter(_EVERY)
    if pack is None:
        copies[IMP], copies[VIZ], copies[Joker.JOKER] = 1, 3, 4
    else:
        copies[Joker.JOKER] = copies[IMP] + copies[VIZ]
    open_: dict[Face, float] = {face: 1.0 for face, count in copies.items() if count}
    known = list(elsewhere)
    lying = Counter(face for face, _ in known)
    sure: dict[Face, float] = {}
    for face, confidence in known:
        sure[face] = sure.get(face, 1.0) * max(_FLOOR, 1 - confidence)
    for face, count in lying.items():
        if face in open_ and count >= copies[face]:
            open_[face] = sure[face]
    scores = dict(reading.scores)
    unnamed = [face for face in open_ if face not in scores and face in _EVERY]
    rest = max(0.0, 1 - sum(scores.values()))
    # The rest is spread over all faces the reader knows, those outside the pack included.
    share = rest / max(1, len(_EVERY) - len(scores))
    weights = {face: score * open_[face] for face, score in scores.items() if face in open_}
    weights |= {face: share * open_[face] for face in unnamed}
    total = sum(weights.values())
    if total <= 0:
        return None, 0.0
    best = max(weights, key=lambda face: weights[face])
    # If what was read is all but impossible, little is known of the few cards left over.
    return best, weights[best] / max(total, 0.05)
