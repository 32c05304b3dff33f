"""What Vėpla and Šuo share: funds built in the open from the stock, then a shedding game with those hands.

Everything is in the open from the first card on, so every verdict is certain. Rules are cited by
Vėpla's numbers (G-8); what Šuo changes are the hooks at the head of `FundsDeal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import CENTER, Action, Fact
from engine.cards import Card, Suit, cards_in
from engine.deal import Deal, Objection, Outcome, Sight
from engine.places import STOCK, OpenTable, Table
from engine.view import Expectation, Laid, Named, Zone
from engine.worlds import Worlds

_TURN = (Objection("G-6"),)
_IMPOSSIBLE = (Objection("G-5"),)


@dataclass
class FundsDeal(Deal):
    """One deal. `funds[seat - 1]`: bottom card first. `hands[seat - 1]`: card masks of the second stage.

    `drawn`: the card drawn and not put yet. `givers`: the seats that still owe a penalty card, in order.
    `pile`: (seat, card) of the trick on the table, bottom first.
    """

    def __post_init__(self) -> None:
        seats = self.setup.seats
        self.turn = self.setup.first
        self.funds: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.funded: tuple[bool, ...] = (False,) * seats
        self.center: tuple[Card, ...] = ()
        self.stock = len(self.setup.pack)
        self.lowest = min(card.rank for card in self.setup.pack)
        self.drawn: Card | None = None
        self.offender = 0
        self.givers: tuple[int, ...] = ()
        self.last_drawer = 0
        self.trump: Suit | None = None
        self.second_stage = False
        self.hands: tuple[int, ...] = (0,) * seats
        self.pile: tuple[tuple[int, Card], ...] = ()
        self.trick_size = 0

    # What differs between the games

    def missing_fact(self) -> str | None:
        """The rule that demands a fact still missing before the first action (G-7), or None."""
        return None if all(self.funded) else "VP-1"

    def first_target(self, card: Card) -> str | None:
        """The rule by which this card must go to the central fund before anywhere else, or None."""
        return None

    def top_overlooked(self) -> tuple[Objection, ...]:
        """Against a draw although the top card of one's own fund could move."""
        raise NotImplementedError

    def drawn_overlooked(self) -> tuple[Objection, ...]:
        """Against keeping a drawn card that fitted another fund."""
        raise NotImplementedError

    def trump_of(self, last: Card) -> Suit:
        """The trump suit of the second stage, after this last card of the stock."""
        raise NotImplementedError

    def leader_after(self, drawer: int) -> int:
        """Who would lead the second stage if everybody held cards; the next seat that holds some does."""
        raise NotImplementedError

    def beat_objection(self, seat: int, card: Card, top: Card) -> str | None:
        """The rule by which this card does not beat the top card, or None."""
        raise NotImplementedError

    def lost(self, seat: int) -> Outcome:
        """The outcome when this seat is the one left with cards."""
        raise NotImplementedError

    # First stage

    def places(self) -> dict[int, int]:
        return {STOCK: len(self.setup.pack)}

    def fits(self, card: Card, fund: Sequence[Card]) -> bool:
        """Whether a card may go on a fund: one rank above its top, the pack's lowest on an ace (VP-2)."""
        if not fund:
            return False  # VP-5a
        top = fund[-1].rank
        return card.rank == top + 1 or (card.rank == self.lowest and top == 14)

    def fitting(self, seat: int, card: Card) -> tuple[int, ...]:
        """The targets other than the seat's own fund that this card may go to."""
        if self.first_target(card) is not None:
            return (CENTER,)
        seats = range(1, self.setup.seats + 1)
        return tuple(other for other in seats if other != seat and self.fits(card, self.funds[other - 1]))

    def fact_objections(self, fact: Fact) -> Sequence[Objection]:
        return _TURN if fact.seat is None or self.funded[fact.seat - 1] else ()

    def apply_fact(self, fact: Fact, table: Table) -> None:
        card = fact.cards[0]
        table.leave(STOCK, card)
        self.stock -= 1
        if fact.seat is None:
            self.center = (card,)
        else:
            self._set_fund(fact.seat, (card,))
            at = fact.seat - 1
            self.funded = (*self.funded[:at], True, *self.funded[at + 1 :])

    def opening(self, table: OpenTable) -> Iterable[Fact]:
        """The facts of a fresh deal on a table where every card is known: what the deal turns up."""
        first = self.setup.first
        seats = [(first + n - 1) % self.setup.seats + 1 for n in range(self.setup.seats)]
        for seat, token in zip(seats, table.stock, strict=False):
            yield Fact("fund", seat, (next(cards_in(1 << token)),))

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        if action.verb == "draw" and not self.stock:
            return ()
        if action.verb == "penalty" or (action.verb == "play" and not self.second_stage):
            return ()
        return super().sees(action, worlds)

    def objections(self, action: Action) -> Sequence[Objection]:
        seat, verb = action.seat, action.verb
        own = self.funds[seat - 1]
        if verb in ("penalty", "play") and not self.second_stage and action.cards[0] not in own:
            return _IMPOSSIBLE
        if self.second_stage:
            return self._second_stage_objections(action)
        missing = self.missing_fact()
        if missing is not None:
            # Whose turn it is comes first (G-8).
            return (Objection(missing),) if seat == self.turn and verb in ("draw", "put") else _TURN
        if seat != self.turn or (verb == "penalty") != bool(self.givers) or verb in ("play", "take"):
            return _TURN
        if verb == "penalty":
            return ()
        if verb == "draw":
            if self.drawn is not None:
                return _TURN
            if own and self.first_target(own[-1]) is not None:
                return (Objection(self.first_target(own[-1]) or ""),)
            return self.top_overlooked() if own and self.fitting(seat, own[-1]) else ()
        return self._put_objections(seat, action.target or CENTER, own)

    def _put_objections(self, seat: int, target: int, own: tuple[Card, ...]) -> Sequence[Objection]:
        drawn = self.drawn
        if drawn is None and not own:
            return _TURN
        card = own[-1] if drawn is None else drawn
        fitting = self.fitting(seat, card)
        if target in fitting:
            return ()
        first = self.first_target(card)
        if first is not None:
            return (Objection(first),)
        if drawn is None:
            return (Objection("VP-2"),)
        if target != seat:
            return (Objection("VP-4"),)
        return self.drawn_overlooked() if fitting else ()

    def apply(self, action: Action, table: Table) -> None:
        getattr(self, f"_{action.verb}")(action, table)

    def _draw(self, action: Action, table: Table) -> None:
        seat, card = action.seat, action.cards[0]
        own = self.funds[seat - 1]
        overlooked = bool(own and self.fitting(seat, own[-1]))
        table.leave(STOCK, card)
        self.stock -= 1
        if self.stock and not overlooked:
            self.drawn = card
            return
        self._set_fund(seat, (*own, card))
        if not self.stock:
            self.last_drawer = seat
            self.trump = self.trump_of(card)
        if overlooked:
            self._punish(seat, table)
        else:
            self._take_up_funds(table)

    def _put(self, action: Action, table: Table) -> None:
        seat, target = action.seat, action.target
        own = self.funds[seat - 1]
        if self.drawn is None:
            card = own[-1]
            self._set_fund(seat, own[:-1])
        else:
            card = self.drawn
            self.drawn = None
        if target == CENTER:
            self.center = (*self.center, card)
        elif target != seat:
            assert target is not None
            self._set_fund(target, (*self.funds[target - 1], card))
        else:
            overlooked = bool(self.fitting(seat, card))
            continues = self.fits(card, own)
            self._set_fund(seat, (*own, card))
            if overlooked:
                self._punish(seat, table)
            elif not continues:  # VP-4
                self.turn = seat % self.setup.seats + 1

    def _punish(self, offender: int, table: Table) -> None:
        """VP-5: from the offender's left on, everybody whose fund has more than one card owes one."""
        seats = self.setup.seats
        others = ((offender + n - 1) % seats + 1 for n in range(1, seats))
        self.offender = offender
        self.givers = tuple(seat for seat in others if len(self.funds[seat - 1]) > 1)
        self._go_on(table)

    def _penalty(self, action: Action, table: Table) -> None:
        card = action.cards[0]
        fund = self.funds[action.seat - 1]
        self._set_fund(action.seat, tuple(other for other in fund if other != card))
        self._set_fund(self.offender, (card, *self.funds[self.offender - 1]))
        self.givers = self.givers[1:]
        self._go_on(table)

    def _go_on(self, table: Table) -> None:
        if self.givers:
            self.turn = self.givers[0]
        elif self.stock:
            self.turn = self.offender % self.setup.seats + 1
        else:
            self._take_up_funds(table)

    def _set_fund(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.funds = (*self.funds[: seat - 1], cards, *self.funds[seat:])

    # Second stage

    def _take_up_funds(self, table: Table) -> None:
        """VP-7, SU-3: everybody takes up their fund, the central fund leaves the deal."""
        for seat, fund in enumerate(self.funds, 1):
            table.take_up(seat, fund)
            self._set_hand(seat, sum(1 << card for card in fund))
        self.funds = ((),) * self.setup.seats
        self.center = ()
        self.second_stage = True
        leader = self.leader_after(self.last_drawer)
        self._lead(leader if self.hands[leader - 1] else self._next(leader))

    def holders(self) -> tuple[int, ...]:
        """The seats that hold cards."""
        return tuple(seat for seat, hand in enumerate(self.hands, 1) if hand)

    def is_out(self, seat: int) -> bool:
        return self.second_stage and not self.hands[seat - 1]

    def _next(self, seat: int) -> int:
        seats = self.setup.seats
        return next(s for n in range(1, seats + 1) if self.hands[(s := (seat + n - 1) % seats + 1) - 1])

    def _second_stage_objections(self, action: Action) -> Sequence[Objection]:
        if action.seat != self.turn or action.verb not in ("play", "take"):
            return _TURN
        if action.verb == "take":
            return () if self.pile else _TURN
        if not self.pile:
            return ()
        rule = self.beat_objection(action.seat, action.cards[0], self.pile[-1][1])
        return () if rule is None else (Objection(rule),)

    def _play(self, action: Action, table: Table) -> None:
        seat, card = action.seat, action.cards[0]
        if not self.pile:
            self.trick_size = len(self.holders())
        table.leave(seat, card)
        self._set_hand(seat, self.hands[seat - 1] & ~(1 << card))
        self.pile = (*self.pile, (seat, card))
        holders = self.holders()
        if len(holders) == 1:  # VP-11
            self._decide(self.lost(holders[0]))
        elif len(self.pile) >= self.trick_size:  # VP-9
            self.pile = ()
            self._lead(seat if self.hands[seat - 1] else self._next(seat))
        else:
            self.turn = self._next(seat)

    def _take(self, action: Action, table: Table) -> None:
        card = self.pile[0][1]
        table.take_up(action.seat, (card,))
        self._set_hand(action.seat, self.hands[action.seat - 1] | 1 << card)
        self.pile = self.pile[1:]
        if self.pile:
            self.turn = self._next(action.seat)
        else:
            self._lead(self._next(action.seat))

    def _lead(self, seat: int) -> None:
        holders = self.holders()
        if len(holders) == 1:
            self._decide(self.lost(holders[0]))
        elif not self._any_beatable(holders):  # VP-12
            self._decide(Outcome((0,) * self.setup.seats, cards_left=self.cards_left()))
        else:
            self.turn = seat

    def _any_beatable(self, holders: Sequence[int]) -> bool:
        for holder in holders:
            for card in cards_in(self.hands[holder - 1]):
                for other in holders:
                    if other != holder and any(
                        self.beat_objection(other, beater, card) is None
                        for beater in cards_in(self.hands[other - 1])
                    ):
                        return True
        return False

    def _decide(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.turn = None

    def cards_left(self) -> tuple[int, ...] | None:
        """The cards left to each seat, for games that report them (Šuo's barks)."""
        return None

    def held(self, seat: int) -> int:
        """How many cards a seat holds, in hand or fund."""
        return self.hands[seat - 1].bit_count() or len(self.funds[seat - 1])

    def _set_hand(self, seat: int, hand: int) -> None:
        self.hands = (*self.hands[: seat - 1], hand, *self.hands[seat:])

    def award(self, offender: int, table: Table) -> Outcome:
        return self.lost(offender)

    # For players and the view

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        if self.second_stage:
            yield from super().candidates(seat, table)
            yield Action(seat, "take")
            return
        if self.givers:
            for card in self.funds[seat - 1]:
                yield Action(seat, "penalty", (card,))
            return
        for target in range(0 if self.center else 1, self.setup.seats + 1):
            yield Action(seat, "put", target=target)
        if self.drawn is None and table.stock:
            yield Action(seat, "draw", tuple(cards_in(1 << table.stock[0])))

    @property
    def stage(self) -> str:
        if self.second_stage:
            return "second stage"
        if self.missing_fact() is not None:
            return "deal"
        return "penalty" if self.givers else "funds"

    def missing(self) -> tuple[Expectation, ...]:
        """The facts that the deal has to turn up yet."""
        return tuple(
            Expectation(seat, "fund", "table", must=True)
            for seat, there in enumerate(self.funded, 1)
            if not there
        )

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        turn = self.turn
        if turn is None:
            return ()
        if not self.second_stage and self.missing_fact() is not None:
            return self.missing()
        if self.second_stage:
            play = Expectation(turn, "play", "table")
            return (play, Expectation(turn, "take", "table")) if self.pile else (play,)
        if self.givers:
            return (Expectation(turn, "penalty", "button", cards=self.funds[turn - 1], must=True),)
        own = self.funds[turn - 1]
        if self.drawn is not None:
            targets = self.fitting(turn, self.drawn) or (turn,)
            return (Expectation(turn, "put", "table", targets=targets),)
        targets = self.fitting(turn, own[-1]) if own else ()
        if targets:
            return (Expectation(turn, "put", "table", targets=targets),)
        return (Expectation(turn, "draw", "table"),)

    def named(self) -> tuple[Named, ...]:
        return (Named("trump", suits=(self.trump,)),) if self.second_stage and self.trump is not None else ()

    def zones(self, table: Table) -> tuple[Zone, ...]:
        if self.second_stage:
            return (Zone("pile", None, tuple(Laid(card, seat) for seat, card in self.pile)),)
        zones = [
            Zone("fund", seat, tuple(Laid(card, None) for card in fund))
            for seat, fund in enumerate(self.funds, 1)
        ]
        if self.center:
            zones.append(Zone("center", None, tuple(Laid(card, None) for card in self.center)))
        if self.drawn is not None:
            zones.append(Zone("drawn", self.turn, (Laid(self.drawn, self.turn),)))
        return tuple(zones)
