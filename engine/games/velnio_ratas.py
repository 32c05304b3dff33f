"""Velnio ratas (VR): 2–6 players, 52 cards; a shedding game in which suits mean nothing.

Rulings of our own: VR-5 (the stock used up) and VR-8 (everybody passes). Options: `after_draw` =
drawn | any (VR-4), `stock_out` = reshuffle | pass (VR-5), `deals` = 10 or any number (VR-7),
`violation` without award (G-4). Hidden: the hands and the stock; the one demand on them is that a
card laid after an unseen draw is the card drawn (VR-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import Action, Fact, play
from engine.cards import CARDS, PACK_52, Card, Rank, cards_in, mask_of
from engine.conditions import Elsewhere
from engine.deal import Deal, Objection, Outcome, Setup, Sight
from engine.game import (
    EVERY_GAME,
    RULES_OF_EVERY_GAME,
    VIOLATION_WITHOUT_AWARD,
    Game,
    Option,
    seats_with,
    totals,
)
from engine.places import STOCK, OpenTable, Table
from engine.view import Expectation, Laid, Zone
from engine.worlds import Worlds

_TURN = (Objection("G-6"),)
_NOT_HIGHER = (Objection("VR-3"),)
_NOT_DRAWN = (Objection("VR-4"),)


def group(rank: Rank) -> int:
    """A, B or C as 0, 1, 2 (VR-2)."""
    return 0 if rank >= Rank.JACK else 1 if rank >= Rank.SIX else 2


def beats(rank: Rank, top: Rank) -> bool:
    """Whether a card of this rank may be laid on one of that: A on B, B on C, C on A, or higher (VR-2)."""
    if group(rank) == group(top):
        return rank > top
    return (group(rank) + 1) % 3 == group(top)


def beaters_of(top: Rank) -> int:
    """The cards that may be laid on a card of this rank, as a mask."""
    return _BEATERS[top]


_BEATERS = {top: mask_of(card for card in PACK_52 if beats(card.rank, top)) for top in Rank}


@dataclass
class VelnioRatasDeal(Deal):
    """One deal. `pile`: cards in the order laid, the start card first.

    `drew`: the seat to act has drawn; `drawn`: the card, if it was shown; `moved`: the handle of an
    unseen draw. `passes`: how many seats in
    a row have passed because nothing could be drawn (VR-8).
    """

    def __post_init__(self) -> None:
        self.turn = self.setup.first
        self.pile: tuple[tuple[int | None, Card], ...] = ()
        self.stock = len(self.setup.pack) - 5 * self.setup.seats
        self.held: tuple[int, ...] = (5,) * self.setup.seats
        self.drew = False
        self.drawn: Card | None = None
        self.moved = 0
        self.passes = 0

    def places(self) -> dict[int, int]:
        seats = range(1, self.setup.seats + 1)
        return {seat: 5 for seat in seats} | {STOCK: len(self.setup.pack) - 5 * self.setup.seats}

    def opening(self, table: OpenTable) -> Iterable[Fact]:
        yield Fact("start", None, (CARDS[table.stock[0]],))

    def fact_sees(self, fact: Fact) -> Sequence[Sight]:
        return super().fact_sees(fact) if fact.kind == "start" and not self.pile else ()

    def fact_objections(self, fact: Fact) -> Sequence[Objection]:
        return _TURN if fact.kind == "start" and self.pile else ()

    def apply_fact(self, fact: Fact, table: Table) -> None:
        if fact.kind == "start":
            table.leave(STOCK, fact.cards[0])
            self.stock -= 1
            self.pile = ((None, fact.cards[0]),)

    @property
    def reshuffles(self) -> bool:
        """Whether the next draw needs the pile as a new stock (VR-5)."""
        return not self.stock and len(self.pile) > 1 and self.setup.options["stock_out"] == "reshuffle"

    @property
    def can_draw(self) -> bool:
        """Whether anything can be drawn."""
        return bool(self.stock) or self.reshuffles

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        if action.verb == "draw" and not self.stock:
            return ()
        return super().sees(action, worlds)

    def objections(self, action: Action) -> Sequence[Objection]:
        verb = action.verb
        if verb == "draw" and action.cards and self.reshuffles:
            lying = [card for _, card in self.pile[:-1]]
            if action.cards[0] not in lying:
                return (Objection("G-5"),)
        if action.seat != self.turn or (verb == "draw" and self.drew):
            return _TURN
        if not self.pile:
            return (Objection("VR-1"),)
        if verb == "draw":
            return () if self.can_draw else _TURN
        if verb == "pass":
            return () if self.drew or not self.can_draw else _TURN
        card = action.cards[0]
        if not _BEATERS[self.pile[-1][1].rank] >> card & 1:
            return _NOT_HIGHER
        if not self.drew or self.setup.options["after_draw"] == "any":
            return ()
        if self.drawn is not None:
            return () if card == self.drawn else _NOT_DRAWN
        return (Objection("VR-4", Elsewhere(card, self.moved, f"{card} is the card just drawn")),)

    def apply(self, action: Action, table: Table) -> None:
        seat = action.seat
        if action.verb == "draw":
            if not self.stock:
                table.turn((card for _, card in self.pile[:-1]), STOCK)
                self.stock = len(self.pile) - 1
                self.pile = self.pile[-1:]
            if action.cards:
                self.drawn = action.cards[0]
                table.leave(STOCK, self.drawn)
                table.take_up(seat, action.cards)
            else:
                self.moved = table.move(STOCK, seat)
            self.stock -= 1
            self._set_held(seat, self.held[seat - 1] + 1)
            self.drew = True
            self.passes = 0
            return
        if action.verb == "pass":
            self.passes += not self.drew
        else:
            table.leave(seat, action.cards[0])
            self.pile = (*self.pile, (seat, action.cards[0]))
            self._set_held(seat, self.held[seat - 1] - 1)
            self.passes = 0
        self.drew, self.drawn = False, None
        self.turn = seat % self.setup.seats + 1
        if not self.held[seat - 1]:
            self._decide(Outcome(scores(self.held, seat), (seat,)))
        elif self.passes == self.setup.seats:  # VR-8
            self._decide(Outcome((0,) * self.setup.seats))

    def _set_held(self, seat: int, count: int) -> None:
        self.held = (*self.held[: seat - 1], count, *self.held[seat:])

    def _decide(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.turn = None

    # For players and the view

    def legal(self, seat: int, table: OpenTable) -> list[Action]:
        if seat != self.turn or self.outcome is not None or not self.pile:
            return []
        held = table.hands[seat] & _BEATERS[self.pile[-1][1].rank]
        found = []
        if self.drew and self.setup.options["after_draw"] == "drawn":
            held &= self.moved if self.drawn is None else 1 << self.drawn
        plays = _PLAYS[seat]
        while held:
            bit = held & -held
            found.append(plays[bit])
            held ^= bit
        if not self.drew and self.can_draw:
            found.append(_DRAWS[seat])
        else:
            found.append(_PASSES[seat])
        return found

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        yield from super().candidates(seat, table)
        yield _DRAWS[seat]
        yield _PASSES[seat]

    @property
    def stage(self) -> str:
        return "play" if self.pile else "start"

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        if self.turn is None:
            return ()
        if not self.pile:
            return (Expectation(self.turn, "start", "table", must=True),)
        laid = Expectation(self.turn, "play", "table")
        if not self.drew and self.can_draw:
            return (laid, Expectation(self.turn, "draw", "button"))
        return (laid, Expectation(self.turn, "pass", "button"))

    def zones(self, table: Table) -> tuple[Zone, ...]:
        return (Zone("pile", None, tuple(Laid(card, seat) for seat, card in self.pile)),)


_PLAYS = {seat: {1 << card: play(seat, card) for card in cards_in(mask_of(PACK_52))} for seat in range(1, 7)}
_DRAWS = {seat: Action(seat, "draw") for seat in range(1, 7)}
_PASSES = {seat: Action(seat, "pass") for seat in range(1, 7)}


def scores(held: Sequence[int], winner: int) -> tuple[int, ...]:
    """The winner gets as many points as the others hold cards, each of them loses as many (VR-6)."""
    rest = sum(held) - held[winner - 1]
    return tuple(rest if seat == winner else -count for seat, count in enumerate(held, 1))


def match_winner(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """After `deals` deals the highest total, as soon as one seat alone has it (VR-7)."""
    if len(outcomes) < int(setup.options["deals"]):
        return None
    reached = totals(outcomes)
    best = seats_with(max(reached), reached)
    return best if len(best) == 1 else None


VELNIO_RATAS = Game(
    id="velnio_ratas",
    name="Velnio ratas",
    players=(2, 3, 4, 5, 6),
    options={
        "after_draw": Option(("drawn", "any")),
        "stock_out": Option(("reshuffle", "pass")),
        "deals": Option(("10",), number=True),
        "violation": VIOLATION_WITHOUT_AWARD,
    },
    lines=EVERY_GAME | {"hand", "start", "draw", "draw card", "play", "pass"},
    rules=(*(f"VR-{n}" for n in range(1, 9)), *RULES_OF_EVERY_GAME),
    pack=lambda options: PACK_52,
    deal=VelnioRatasDeal,
    match_winner=match_winner,
)
