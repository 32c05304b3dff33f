"""Savi koziriai (SK): 3–4 players, 36 cards, everybody with trumps of their own. See `beating`, `exchange`.

Of its own: SK-1 (trump suits for the match), SK-2 (the exchange of sixes, cards drawn blind), SK-4 (a take
takes part of the heap). Options: `trumps` = turn | lot (SK-1), `parankinis` = off | on (SK-3), `take` =
three | all (SK-4), `violation` (G-4). Hidden: the hands, cards drawn blind, sixes kept (G-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.cards import PACK_36, Card, Rank, Suit
from engine.conditions import ALWAYS, Among, Question
from engine.deal import Objection, Sight
from engine.game import EVERY_GAME, RULES_OF_EVERY_GAME, VIOLATION, Game, Option, loser_deals
from engine.games.beating import TURN
from engine.games.exchange import ExchangeDeal
from engine.places import OpenTable, Table, cards_of
from engine.view import Expectation
from engine.worlds import Worlds

_THREE, _TEN = 3, 10


def six(suit: Suit) -> Card:
    """The six of a suit."""
    return Card.of(suit, Rank.SIX)


@dataclass(frozen=True, slots=True)
class Lacks:
    """A seat has not the card: one of the other seats holds it."""

    seat: int
    card: Card
    others: tuple[int, ...]

    @property
    def needs(self) -> str | None:
        return f"seat {self.seat} holds {self.card}"

    def met(self, table: OpenTable) -> bool:
        return any(table.hands.get(other, 0) >> self.card & 1 for other in self.others)

    def ask(self, worlds: Worlds) -> Question:
        tokens = worlds.tokens(1 << self.card)
        paths = 0
        for other in self.others:
            if worlds.known.get(other, 0) & tokens:
                return ALWAYS
            paths |= worlds.at(other)
        return Among(tokens & worlds.hidden, worlds.name(paths))

    def unplaced(self, worlds: Worlds) -> int:
        return 0


@dataclass
class SaviKoziriaiDeal(ExchangeDeal):
    """One deal. `served`: the seat that last received its six."""

    trumps_rule, exchange_rule = "SK-1", "SK-2"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parankinis = self.setup.options["parankinis"] == "on"
        self.served = self.setup.dealer
        self._whose_turn()

    def _whose_turn(self) -> None:
        """Before the first lead: the seat to name its trumps, or to lead."""
        lot = self.setup.options["trumps"] == "lot"
        self.turn = self.setup.first if self.trumps_named else None if lot else self.naming()

    def _receiver(self, card: Card) -> int | None:
        """Whose six a card is."""
        if card.rank != Rank.SIX or card.suit not in self.trumps:
            return None
        return self.trumps.index(card.suit) + 1

    def owed(self, seat: int) -> int:
        """The sixes a seat has to part with, as a mask."""
        return sum(
            1 << six(suit) for other, suit in enumerate(self.trumps, 1) if suit is not None and other != seat
        )

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        if action.verb == "trump":
            return ()
        if action.verb == "give":
            given = Sight(action.seat, action.cards[:1])
            receiver = self._receiver(action.cards[0])
            if (
                len(action.cards) == 1
                or receiver in (None, action.seat)
                or action.cards[0] == action.cards[1]
            ):
                return (given,)
            assert receiver is not None
            return (given, Sight(receiver, action.cards[1:]))
        return super().sees(action, worlds)

    def trump_objections(self, seat: int, suit: Suit) -> Sequence[Objection]:
        lot = self.setup.options["trumps"] == "lot"
        if self.trumps_named or self.trumps[seat - 1] is not None or (not lot and seat != self.naming()):
            return TURN
        return (Objection("SK-1"),) if suit in self.trumps else ()

    def exchange_objections(self, action: Action) -> Sequence[Objection]:
        seat, card = action.seat, action.cards[0]
        receiver = self._receiver(card)
        if receiver is None or receiver == seat or action.cards[1:] == (card,):
            return (Objection("SK-2"),)
        objections = []
        seats = self.setup.seats
        before = self.served % seats + 1
        while before != receiver:  # whoever comes first must have its six already
            others = tuple(other for other in range(1, seats + 1) if other != before)
            suit = self.trumps[before - 1]
            assert suit is not None
            objections.append(Objection("SK-2", Lacks(before, six(suit), others)))
            before = before % seats + 1
        return (*objections, self.may_still_hold(action))

    def apply(self, action: Action, table: Table) -> None:
        if action.verb == "trump":
            at = action.seat - 1
            self.trumps = (*self.trumps[:at], action.suits[0], *self.trumps[at + 1 :])
            self._whose_turn()
        elif action.verb == "give":
            receiver = self._receiver(action.cards[0])
            assert receiver is not None
            table.leave(action.seat, action.cards[0])
            if len(action.cards) == 2:
                table.leave(receiver, action.cards[1])
                table.take_up(action.seat, action.cards[1:])
            else:
                table.move(receiver, action.seat)
            table.take_up(receiver, action.cards[:1])
            self.served = receiver
        else:
            self.open = self.open and action.verb == "call"
            super().apply(action, table)

    def taken(self, seat: int) -> int:
        """SK-4."""
        if self.setup.options["take"] == "all":
            return len(self.pile)
        own = self.pile[-1][1].suit == self.trumps[seat - 1]
        return min(_TEN if own else _THREE, len(self.pile))

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        if not self.trumps_named:
            yield from (Action(seat, "trump", suits=(suit,)) for suit in Suit)
            return
        owed = cards_of(table.hands.get(seat, 0) & self.owed(seat)) if self.open else ()
        if owed:
            yield from (Action(seat, "give", (card,), blind=True) for card in owed)
        else:
            yield from super().candidates(seat, table)

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        if not self.trumps_named:
            free = tuple(suit for suit in Suit if suit not in self.trumps)
            return (Expectation(self.naming(), "trump", "button", suits=free, must=True),)
        playing = super().expects(table)
        return (*self.exchanges("give", blind=True), *playing) if self.open else playing


SAVI_KOZIRIAI = Game(
    id="savi_koziriai",
    name="Savi koziriai",
    players=(3, 4),
    options={
        "trumps": Option(("turn", "lot")),
        "parankinis": Option(("off", "on")),
        "take": Option(("three", "all")),
        "violation": VIOLATION,
    },
    lines=EVERY_GAME | {"hand", "trump", "give for", "play", "take", "call"},
    rules=(
        *(f"SK-{n}" for n in range(1, 6)), "DU-5", "DU-6", "DU-7", "DU-8", "DU-10", "DU-11",
        *RULES_OF_EVERY_GAME,
    ),
    pack=lambda options: PACK_36,
    deal=SaviKoziriaiDeal,
    names_loser=True,
    next_dealer=loser_deals,
)  # fmt: skip
