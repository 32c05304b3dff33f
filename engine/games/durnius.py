"""Durnius (DU): 2–4 players, 24 cards, everybody with trumps of their own. See `beating` and `exchange`.

Of its own: DU-2 (trump suits for the match), DU-3 (the exchange of nines), DU-13 (stars). Rulings of our
own: in DU-11 and DU-13. Options: `trumps` = queen | chosen | seen (DU-2), `score` = losses | stars (DU-13),
`violation` (G-4). Hidden: the hands; nines kept against DU-3 (G-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import Action, Fact, play
from engine.cards import PACK_24, Card, Rank, Suit
from engine.deal import Objection, Outcome, Setup, Sight
from engine.game import (
    EVERY_GAME,
    RULES_OF_EVERY_GAME,
    VIOLATION,
    Game,
    Option,
    loser_deals,
    seats_with,
    totals,
)
from engine.games.beating import BEAT, TURN
from engine.games.exchange import ExchangeDeal
from engine.places import OpenTable, Table, cards_of
from engine.view import Expectation, Laid, Zone
from engine.worlds import Worlds

QUEEN_OF_CLUBS = Card.of(Suit.CLUBS, Rank.QUEEN)
BY_QUEEN = (Suit.CLUBS, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)
"""The trump suits from the seat that was dealt ♣D on, clockwise (DU-2)."""
STARS_OF_A_GENERALISSIMO = 12
"""With so many losses a match for stars ends (DU-13)."""


def nine(suit: Suit) -> Card:
    """The nine of a suit."""
    return Card.of(suit, Rank.NINE)


@dataclass
class DurniusDeal(ExchangeDeal):
    """One deal of Durnius. `thrown`: (seat, nine) on the table."""

    trumps_rule, exchange_rule = "DU-2", "DU-3"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.thrown: tuple[tuple[int, Card], ...] = ()
        if self.trumps_named:
            self._trumps_fixed()
        else:
            self.turn = None if self._by_queen else self.naming()

    @property
    def _by_queen(self) -> bool:
        return self.setup.options["trumps"] == "queen"

    def _trumps_fixed(self) -> None:
        # With three the free nine leads; until it lies there, it is nobody's turn.
        self.turn = None if self.setup.seats == 3 else self.setup.first

    def apply_fact(self, fact: Fact, table: Table) -> None:
        if fact.kind == "hand" and self._by_queen and not self.trumps_named and QUEEN_OF_CLUBS in fact.cards:
            assert fact.seat is not None
            self._name_by_queen(fact.seat)

    def _name_by_queen(self, seat: int) -> None:
        seats = self.setup.seats
        self.trumps = tuple(BY_QUEEN[(other - seat) % seats] for other in range(1, seats + 1))
        self._trumps_fixed()

    # Trumps and the exchange

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        if action.verb == "trump":
            named_here = self.open and not (self.setup.carried and all(self.setup.carried))
            clubs = self._by_queen and named_here and action.suits == (Suit.CLUBS,)
            return (Sight(action.seat, (QUEEN_OF_CLUBS,)),) if clubs else ()
        if action.verb == "play" and self._comes_back(action.seat, action.cards[0]):
            return ()
        return super().sees(action, worlds)

    def _comes_back(self, seat: int, card: Card) -> bool:
        """Whether a card lies thrown and is the seat's own nine, which it takes up at the first play."""
        lies = self.open and self.trumps_named and any(c == card for _, c in self.thrown)
        return lies and self._owner(card) == seat

    def _owner(self, card: Card) -> int | None:
        return self.trumps.index(card.suit) + 1 if card.suit in self.trumps else None

    def owed(self, seat: int) -> int:
        """The nines that a seat has to part with (DU-3), as a mask; those already seen elsewhere included."""
        if self.setup.seats == 2:
            other = self.trumps[2 - seat]
            assert other is not None
            return 1 << nine(other)
        return sum(1 << nine(suit) for suit in Suit if suit != self.trumps[seat - 1])

    def objections(self, action: Action) -> Sequence[Objection]:
        waits = self.open and self.trumps_named and self.setup.seats == 3 and self.turn is None
        if waits and action.verb in ("play", "take"):
            return (Objection("DU-3"),) if action.verb == "play" else TURN
        return super().objections(action)

    def trump_objections(self, seat: int, suit: Suit) -> Sequence[Objection]:
        if self.trumps_named or (self.turn is not None and seat != self.turn):
            return TURN
        wrong = suit != Suit.CLUBS if self._by_queen else suit in self.trumps
        return (Objection("DU-2"),) if wrong else ()

    def exchange_objections(self, action: Action) -> Sequence[Objection]:
        owed = self.owed(action.seat)
        if any(not owed >> card & 1 for card in action.cards):
            return (Objection("DU-3"),)
        if self.setup.seats == 2:
            return ()
        return (self.may_still_hold(action),)

    def apply(self, action: Action, table: Table) -> None:
        verb = action.verb
        if verb == "trump":
            self._name(action.seat, action.suits[0])
        elif verb == "give":
            card = action.cards[0]
            table.leave(action.seat, card)
            table.take_up(3 - action.seat, (card,))
            self._hold(action.seat, -1)
            self._hold(3 - action.seat, 1)
        elif verb == "throw":
            self._throw(action, table)
        else:
            if self.open and verb in ("play", "take"):
                self._close(table)
            super().apply(action, table)

    def _name(self, seat: int, suit: Suit) -> None:
        if self._by_queen:
            self._name_by_queen(seat)
            return
        self.trumps = (*self.trumps[: seat - 1], suit, *self.trumps[seat:])
        if self.trumps_named:
            self._trumps_fixed()
        else:
            self.turn = self.naming()

    def _throw(self, action: Action, table: Table) -> None:
        for card in action.cards:
            table.leave(action.seat, card)
            self._hold(action.seat, -1)
            if self._owner(card) is None:  # three players: the free nine is the first lead
                self.pile = ((action.seat, card),)
                self.turn, self.phase = self.next_seat(action.seat), BEAT
            else:
                self.thrown = (*self.thrown, (action.seat, card))

    def _close(self, table: Table) -> None:
        """The owners take up their nines."""
        for _, card in self.thrown:
            owner = self._owner(card)
            assert owner is not None
            table.take_up(owner, (card,))
            self._hold(owner, 1)
        self.thrown = ()
        self.open = False

    def is_out(self, seat: int) -> bool:
        return not self.open and super().is_out(seat)

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        if not self.open:
            yield from super().candidates(seat, table)
            return
        hand = table.hands.get(seat, 0)
        if not self.trumps_named:
            suits = [Suit.CLUBS] if self._by_queen else list(Suit)
            if not self._by_queen or hand >> QUEEN_OF_CLUBS & 1:
                yield from (Action(seat, "trump", suits=(suit,)) for suit in suits)
            return
        owed = cards_of(hand & self.owed(seat))
        if owed:
            yield Action(seat, "give" if self.setup.seats == 2 else "throw", owed)
            return
        waiting = cards_of(sum(1 << card for _, card in self.thrown if self._owner(card) == seat))
        yield from (play(seat, card) for card in waiting)
        yield from super().candidates(seat, table)

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        seats = range(1, self.setup.seats + 1)
        if not self.trumps_named:
            if self._by_queen:
                clubs = (Suit.CLUBS,)
                return tuple(Expectation(seat, "trump", "button", suits=clubs, must=True) for seat in seats)
            free = tuple(suit for suit in Suit if suit not in self.trumps)
            return (Expectation(self.turn or self.setup.first, "trump", "button", suits=free, must=True),)
        playing = super().expects(table)
        if self.open:
            return (*self.exchanges("give" if self.setup.seats == 2 else "throw"), *playing)
        return playing

    def zones(self, table: Table) -> tuple[Zone, ...]:
        zones = super().zones(table)
        if self.thrown:
            zones = (*zones, Zone("center", None, tuple(Laid(card, seat) for seat, card in self.thrown)))
        return zones


def match_winner(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """DU-13: with stars the match ends at somebody's twelfth; the fewest losses win, ties share."""
    if setup.options["score"] == "losses" or not outcomes:
        return None
    reached = totals(outcomes)
    if max(reached) < STARS_OF_A_GENERALISSIMO:
        return None
    return seats_with(min(reached), reached)


_PLAY = frozenset({"trump", "play", "take", "call"})

DURNIUS = Game(
    id="durnius",
    name="Durnius",
    players=(2, 3, 4),
    options={
        "trumps": Option(("queen", "chosen", "seen")),
        "score": Option(("losses", "stars")),
        "violation": VIOLATION,
    },
    lines=EVERY_GAME | {"hand", "throw"} | _PLAY,
    lines_by_players={2: EVERY_GAME | {"hand", "give"} | _PLAY},
    rules=(*(f"DU-{n}" for n in range(1, 14)), *RULES_OF_EVERY_GAME),
    pack=lambda options: PACK_24,
    deal=DurniusDeal,
    names_loser=True,
    next_dealer=loser_deals,
    match_winner=match_winner,
    counts_stars=lambda options: options["score"] == "stars",
)
