"""What Durnius and its kin share: one beats the top card and drags another on it, or takes.

Rules are cited by Durnius's numbers (DU-5 to DU-12); the hooks at the head of `BeatingDeal` are where
the games differ: trumps, what beats what, what a take takes, and what laying the last card means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import Action, play
from engine.cards import Card, Suit
from engine.deal import Deal, Objection, Outcome
from engine.places import OpenTable, Table, cards_of
from engine.view import Expectation, Laid, Named, Zone

TURN = (Objection("G-6"),)
_TAKES = {seat: Action(seat, "take") for seat in range(1, 5)}
LEAD, BEAT, DRAG, DRAG_FOR = "lead", "beat", "drag", "drag for"


@dataclass
class BeatingDeal(Deal):
    """One deal. `pile`: (seat, card), bottom first. `held`: cards of each seat, a closed card included.

    `phase`: what the seat to act has to do: lead, beat, drag after a beat of its own, or drag for the
    seat that has just gone out by a beat (`called_by`).
    """

    def __post_init__(self) -> None:
        seats = self.setup.seats
        self.turn = self.setup.first
        self.phase = LEAD
        self.pile: tuple[tuple[int, Card], ...] = ()
        self.held: tuple[int, ...] = (len(self.setup.pack) // seats,) * seats
        self.trumps: tuple[Suit | None, ...] = (None,) * seats
        self.called_by = 0

    # What differs between the games

    parankinis = True

    def beat_rule(self, seat: int, card: Card, top: Card) -> str | None:
        """The rule by which the card does not beat the top card, or None (DU-5, DU-6, DU-7)."""
        own = self.trumps[seat - 1]
        if card.suit == top.suit and card > top and (own == top.suit or not self._handy(seat, top.suit)):
            return None
        if own == top.suit:
            return "DU-6"
        if card.suit == own:
            return None
        return "DU-7" if self._handy(seat, top.suit) else "DU-5"

    def _handy(self, seat: int, suit: Suit) -> bool:
        """Whether a suit is parankinis for a seat: the trumps of the next seat still in play (DU-7)."""
        left = self.next_seat(seat)
        return self.parankinis and left is not None and left != seat and self.trumps[left - 1] == suit

    def taken(self, seat: int) -> int:
        """How many cards from the top of the pile a take takes (DU-9: all)."""
        return len(self.pile)

    def beaten_with_last(self, seat: int) -> None:
        """A seat has gone out by a beat and others still play (DU-10): the next drags for it."""
        self.turn = self.next_seat(seat)
        self.phase, self.called_by = DRAG_FOR, seat

    def laid_last(self, seat: int, table: Table) -> bool:
        """Asked when a seat has laid its last card: whether that alone has decided the deal."""
        return False

    def nobody_lost(self, seat: int) -> Outcome:
        """The last chance was taken by this seat (DU-11): it deals next."""
        return Outcome((0,) * self.setup.seats, dealer=seat)

    # Seats

    def places(self) -> dict[int, int]:
        return {seat: count for seat, count in enumerate(self._dealt(), 1)}

    def _dealt(self) -> tuple[int, ...]:
        return (len(self.setup.pack) // self.setup.seats,) * self.setup.seats

    def is_out(self, seat: int) -> bool:
        return not self.held[seat - 1]

    def players(self) -> tuple[int, ...]:
        """The seats that hold cards."""
        return tuple(seat for seat, count in enumerate(self.held, 1) if count)

    def next_seat(self, seat: int) -> int | None:
        """The next seat clockwise that still holds cards; it may be the seat itself. None if nobody does."""
        seats = self.setup.seats
        for n in range(1, seats + 1):
            other = (seat + n - 1) % seats + 1
            if self.held[other - 1]:
                return other
        return None

    def _hold(self, seat: int, change: int) -> None:
        at = seat - 1
        self.held = (*self.held[:at], self.held[at] + change, *self.held[at + 1 :])

    # Play

    def objections(self, action: Action) -> Sequence[Objection]:
        if action.verb == "call":
            return () if self.phase == DRAG_FOR and action.seat == self.called_by else (Objection("DU-10"),)
        if action.seat != self.turn:
            return TURN
        if action.verb == "take":
            return () if self.phase == BEAT else TURN
        if action.verb != "play":
            return TURN
        if self.phase == BEAT:
            rule = self.beat_rule(action.seat, action.cards[0], self.pile[-1][1])
            return () if rule is None else (Objection(rule),)
        return ()

    def apply(self, action: Action, table: Table) -> None:
        if action.verb == "call":
            return
        if action.verb == "take":
            self._take(action.seat, table)
        else:
            self._lay(action.seat, action.cards[0], table)

    def _lay(self, seat: int, card: Card, table: Table) -> None:
        table.leave(seat, card)
        self._hold(seat, -1)
        self.pile = (*self.pile, (seat, card))
        beat = self.phase == BEAT
        if not self.held[seat - 1] and self.laid_last(seat, table):
            return
        players = self.players()
        if not players:  # DU-11: the last chance was taken
            self.decide(self.nobody_lost(seat))
        elif beat and self.held[seat - 1]:
            if len(players) == 1:
                self.decide(self.lost(seat))  # nobody is left to beat what is dragged
            else:
                self.phase = DRAG
        elif len(players) == 1 and (beat or self.held[players[0] - 1] > 1):
            self.decide(self.lost(players[0]))
        elif beat:
            self.beaten_with_last(seat)
        else:
            self.phase, self.turn = BEAT, self.next_seat(seat)

    def _take(self, seat: int, table: Table) -> None:
        count = self.taken(seat)
        cards = [card for _, card in self.pile[len(self.pile) - count :]]
        table.take_up(seat, cards)
        self._hold(seat, count)
        self.pile = self.pile[: len(self.pile) - count]
        if self.players() == (seat,):
            self.decide(self.lost(seat))
        else:
            self.after_take(seat)

    def after_take(self, seat: int) -> None:
        """Who goes on after a take: the next seat leads (DU-9)."""
        self.phase, self.turn = LEAD, self.next_seat(seat)

    def decide(self, outcome: Outcome) -> None:
        """The deal is over."""
        self.outcome = outcome
        self.turn = None

    def lost(self, seat: int) -> Outcome:
        """This seat has lost the deal."""
        return Outcome(tuple(int(s == seat) for s in range(1, self.setup.seats + 1)), loser=seat)

    def award(self, offender: int, table: Table) -> Outcome:
        return self.lost(offender)

    # For players and the view

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        yield from (play(seat, card) for card in cards_of(table.hands.get(seat, 0)))
        if self.phase == BEAT:
            yield _TAKES[seat]

    def legal_plays(self, seat: int, table: OpenTable) -> list[Action]:
        """The legal actions of the seat to act in plain play: the same rules as `objections`, only faster."""
        hand = cards_of(table.hands.get(seat, 0))
        if self.phase != BEAT:
            return [play(seat, card) for card in hand]
        top, rule = self.pile[-1][1], self.beat_rule
        found = [play(seat, card) for card in hand if rule(seat, card, top) is None]
        found.append(_TAKES[seat])
        return found

    @property
    def stage(self) -> str:
        return "play"

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        if self.turn is None:
            return ()
        laid = Expectation(self.turn, "play", "table")
        if self.phase == BEAT:
            return (laid, Expectation(self.turn, "take", "table"))
        return (laid, Expectation(self.called_by, "call", "button")) if self.phase == DRAG_FOR else (laid,)

    def named(self) -> tuple[Named, ...]:
        return tuple(
            Named("trump", seat, suits=(suit,))
            for seat, suit in enumerate(self.trumps, 1)
            if suit is not None
        )

    def zones(self, table: Table) -> tuple[Zone, ...]:
        return (Zone("pile", None, tuple(Laid(card, seat) for seat, card in self.pile)),)
