"""Dezertyras (DZ): four players, pairs 1+3 and 2+4, 24 cards.

Rulings of our own: DZ-4 (Sekliai and the Dezertyras belong to no plain suit), DZ-14 and `own_capture`
in DZ-15. Options: `annulled` = worthless | plain (DZ-14), `own_capture` = 1 | 0 | 3 (DZ-15),
`violation` (G-4). Hidden: the four hands; every demand on them is a void (DZ-7, DZ-8, DZ-10).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from engine.actions import Action, play
from engine.cards import PACK_24, Card, Rank, Suit, mask_of
from engine.conditions import Holds
from engine.deal import Deal, Objection, Outcome, Setup, Trick
from engine.game import EVERY_GAME, RULES_OF_EVERY_GAME, VIOLATION, Game, Option
from engine.places import OpenTable, Table
from engine.view import Expectation, Laid, Named, Zone

DESERTER = Card.of(Suit.SPADES, Rank.JACK)
RANKS = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN, Rank.NINE)
_DESERTER_BIT = 1 << DESERTER
_PACK = mask_of(PACK_24)
_SUITS = tuple(mask_of(card for card in PACK_24 if card.suit == suit) for suit in Suit)
_RANKS = {rank: mask_of(card for card in PACK_24 if card.rank == rank) for rank in RANKS}

# What matters to the next card of a trick: nothing lies yet (and the leader has other cards, or has
# not), a trump was led, or a plain suit was (4 + suit), with a rescue possible (8 + suit).
_LEAD, _LAST_LEAD, _TRUMP_LED, _SUIT_LED, _SUIT_LED_RESCUE = 0, 1, 2, 4, 8

_TURN = (Objection("G-6"),)
_NO_SEKLIAI = (Objection("DZ-3"),)


class _Judged(NamedTuple):
    """For one situation and seat: the objections to each card, and the same by groups of cards."""

    by_card: Mapping[Card, tuple[Objection, ...]]
    groups: tuple[tuple[int, int], ...]
    """(cards, the cards one must not hold to play them); cards illegal on the public evidence left out."""


@cache
def _judged(sekliai: Rank, situation: int, seat: int) -> _Judged:
    by_card = {card: tuple(_against(card, sekliai, situation, seat)) for card in PACK_24}
    groups: dict[int, int] = {}
    for card, objections in by_card.items():
        forbidden = 0
        for objection in objections:
            if not isinstance(objection.condition, Holds):
                break
            forbidden |= objection.condition.mask
        else:
            groups[forbidden] = groups.get(forbidden, 0) | 1 << card
    return _Judged(by_card, tuple((cards, forbidden) for forbidden, cards in groups.items()))


def _against(card: Card, sekliai: Rank, situation: int, seat: int) -> Iterable[Objection]:
    """The rules of playing a card: what speaks against it."""
    trumps = sekliai_mask(sekliai) | _DESERTER_BIT
    if situation in (_LEAD, _LAST_LEAD):
        if card == DESERTER and situation == _LEAD:
            yield Objection("DZ-6")
        return
    if situation == _TRUMP_LED:  # DZ-9
        return
    suit = _SUITS[situation & 3] & ~trumps  # DZ-4
    bit = 1 << card
    if bit & suit:
        return
    if situation >= _SUIT_LED_RESCUE and bit & trumps and card != DESERTER:  # DZ-12
        return
    # DZ-10 says the same again of a Seklys and the Dezertyras: the lower number is cited (G-8).
    yield Objection("DZ-7", Holds(seat, suit))
    if not bit & trumps:
        yield Objection("DZ-8", Holds(seat, trumps))


def sekliai_mask(rank: Rank) -> int:
    """The Sekliai of a rank: four cards, three if jacks (DZ-3)."""
    return _RANKS[rank] & ~_DESERTER_BIT


@dataclass
class DezertyrasDeal(Deal):
    """One deal. `trick`: (seat, card) in the order laid. `sekliai`: the rank named, None before."""

    def __post_init__(self) -> None:
        self.turn = self.setup.first
        self.tricks: tuple[Trick, ...] = ()
        self.sekliai: Rank | None = None
        self.trick: tuple[tuple[int, Card], ...] = ()
        self.seklys_bits = 0
        self.standing = 0
        self.annulled = 0
        self.deserter_by = 0
        self.situation = _LEAD

    def places(self) -> dict[int, int]:
        return {1: 6, 2: 6, 3: 6, 4: 6}

    def objections(self, action: Action) -> Sequence[Objection]:
        if action.seat != self.turn or (action.verb == "announce") != (self.sekliai is None):
            if self.sekliai is None and action.seat == self.turn and action.verb == "play":
                return _NO_SEKLIAI
            return _TURN
        if action.verb == "announce":
            return ()
        assert self.sekliai is not None
        return _judged(self.sekliai, self.situation, action.seat).by_card[action.cards[0]]

    def legal(self, seat: int, table: OpenTable) -> list[Action]:
        if seat != self.turn or self.outcome is not None:
            return []
        if self.sekliai is None:
            return [Action(seat, "announce", rank=rank) for rank in RANKS]
        held = table.hands[seat]
        legal = 0
        for cards, forbidden in _judged(self.sekliai, self.situation, seat).groups:
            if not held & forbidden:
                legal |= held & cards
        plays = _PLAYS[seat]
        found = []
        while legal:
            bit = legal & -legal
            found.append(plays[bit])
            legal ^= bit
        return found

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        if self.sekliai is None:
            return [Action(seat, "announce", rank=rank) for rank in RANKS]
        return super().candidates(seat, table)

    def apply(self, action: Action, table: Table) -> None:
        if action.verb == "announce":
            assert action.rank is not None
            self.sekliai = action.rank
            self.seklys_bits = sekliai_mask(action.rank)
            return
        seat, card = action.seat, action.cards[0]
        table.leave(seat, card)
        self.trick = (*self.trick, (seat, card))
        if 1 << card & self.seklys_bits:  # DZ-11
            if self.standing:
                self.standing = 0
                self.annulled += 2
            else:
                self.standing = seat
        elif card == DESERTER:
            self.deserter_by = seat
        if len(self.trick) == 4:
            self._complete()
        else:
            self.turn = seat % 4 + 1
            self.situation = self._situation()

    def _situation(self) -> int:
        lead = self.trick[0][1]
        if lead == DESERTER or 1 << lead & self.seklys_bits:
            return _TRUMP_LED
        assert self.turn is not None
        # Seats of one pair are both odd or both even.
        own, standing = self.deserter_by, self.standing
        if own and standing and not (own ^ self.turn) & 1 and (standing ^ self.turn) & 1:
            return _SUIT_LED_RESCUE + lead.suit
        return _SUIT_LED + lead.suit

    def winner_of_trick(self) -> int:
        """The seat the full trick goes to (DZ-13, DZ-14)."""
        if self.standing or self.deserter_by:
            return self.standing or self.deserter_by
        leader, lead = self.trick[0]
        plain = self.setup.options["annulled"] == "plain"
        best, winner = -1, leader
        for seat, card in self.trick:
            # No Seklys stands here: every one of the trick is annulled.
            if card.suit == lead.suit and (plain or not 1 << card & self.seklys_bits) and card > best:
                best, winner = card, seat
        return winner

    def _complete(self) -> None:
        winner = self.winner_of_trick()
        seats = tuple(seat for seat, _ in self.trick)
        self.tricks = (*self.tricks, Trick(tuple((card,) for _, card in self.trick), seats, winner))
        if self.deserter_by:
            self.outcome = self._outcome(winner)
            self.turn = None
        else:
            self.turn = winner
        self.trick = ()
        self.situation = _LEAD if len(self.tricks) < 5 else _LAST_LEAD
        self.standing = self.annulled = 0

    def _outcome(self, winner: int) -> Outcome:
        """DZ-15."""
        if not self.standing:
            points = 2 if self.annulled else 1
        elif (winner ^ self.deserter_by) & 1:
            points = 3
        else:
            points = int(self.setup.options["own_capture"])
        return pair_wins(winner, points)

    def award(self, offender: int, table: Table) -> Outcome:
        return pair_wins(offender % 4 + 1, 3)

    @property
    def stage(self) -> str:
        return "announce" if self.sekliai is None else "play"

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        if self.turn is None:
            return ()
        if self.sekliai is None:
            return (Expectation(self.turn, "announce", "button", must=True, ranks=RANKS),)
        return (Expectation(self.turn, "play", "table"),)

    def named(self) -> tuple[Named, ...]:
        return () if self.sekliai is None else (Named("sekliai", rank=self.sekliai),)

    def zones(self, table: Table) -> tuple[Zone, ...]:
        zones = [Zone("trick", None, self._laid(self.trick))]
        if self.tricks:
            last = self.tricks[-1]
            laid = tuple((seat, cards[0]) for seat, cards in zip(last.seats, last.cards, strict=True))
            zones.append(Zone("last trick", last.winner, self._laid(laid)))
        return tuple(zones)

    def _laid(self, trick: tuple[tuple[int, Card], ...]) -> tuple[Laid, ...]:
        sekliai = [card for _, card in trick if 1 << card & self.seklys_bits]
        standing = sekliai[-1] if len(sekliai) % 2 else None
        laid = []
        for at, (seat, card) in enumerate(trick):
            marks = ["lead"] if at == 0 else []
            if card in sekliai:
                marks.append("seklys")
                if card != standing:
                    marks.append("annulled")
            elif card == DESERTER:
                marks.append("deserter")
            laid.append(Laid(card, seat, tuple(marks)))
        return tuple(laid)


_PLAYS = {seat: {1 << card: play(seat, card) for card in PACK_24} for seat in range(1, 5)}


def pair_wins(seat: int, points: int) -> Outcome:
    """The pair of this seat wins the deal."""
    odd = seat & 1
    return Outcome((points, 0, points, 0), (1, 3)) if odd else Outcome((0, points, 0, points), (2, 4))


def match_winner(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """The first pair to reach 10 points (DZ-16)."""
    for pair in ((1, 3), (2, 4)):
        if sum(outcome.points[pair[0] - 1] for outcome in outcomes) >= 10:
            return pair
    return None


DEZERTYRAS = Game(
    id="dezertyras",
    name="Dezertyras",
    players=(4,),
    options={
        "annulled": Option(("worthless", "plain")),
        "own_capture": Option(("1", "0", "3")),
        "violation": VIOLATION,
    },
    lines=EVERY_GAME | {"hand", "announce", "play"},
    rules=(*(f"DZ-{n}" for n in range(1, 17)), *RULES_OF_EVERY_GAME),
    pack=lambda options: PACK_24,
    deal=DezertyrasDeal,
    match_winner=match_winner,
    teams=((1, 3), (2, 4)),
)
