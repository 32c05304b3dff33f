"""The public state of one deal: what a game's file derives its own class from.

A deal holds only what everybody at the table has seen. It answers three questions about an action:
what does it show (`sees`), what speaks against it (`objections`), and what does it change (`apply`).
The same three serve the referee, `legal_actions` and simulated tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

from engine.actions import Action, Fact, play
from engine.cards import Card
from engine.conditions import Condition
from engine.places import STOCK, OpenTable, Table, away, cards_of, closed
from engine.view import Expectation, Named, Zone
from engine.worlds import Sight, Worlds

__all__ = ["Deal", "Duty", "Objection", "Outcome", "Setup", "Sight", "Trick"]


class Objection(NamedTuple):
    """A rule the action breaks: on the public evidence (`condition` None) or in some worlds.

    `stands`: carried out all the same (VP-5).
    """

    rule: str
    condition: Condition | None = None
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """What a deal starts from. `carried`: what a game keeps from deal to deal (trump suits of DU, SK)."""

    seats: int
    dealer: int
    options: Mapping[str, str]
    pack: tuple[Card, ...]
    carried: Any = None

    @property
    def first(self) -> int:
        """Pirmasis."""
        return self.dealer % self.seats + 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal came out: points of seats 1.., who won or lost it. A drawn deal has neither.

    `dealer`: the seat that deals next where the game's usual rule (`Game.next_dealer`) does not say.
    """

    points: tuple[int, ...]
    winner: tuple[int, ...] = ()
    loser: int | None = None
    cards_left: tuple[int, ...] | None = None
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """A completed trick: cards in the order laid, pairs as two cards; and who took it."""

    cards: tuple[tuple[Card, ...], ...]
    seats: tuple[int, ...]
    winner: int


class Duty(NamedTuple):
    """A judgement that falls due with an accepted action (G-9): of this seat's whole exchange.

    It is given to the seat's last accepted line of one of `verbs` in this deal (the action itself, if
    it is one), replacing what that line was judged by; else to an extra action `exchange` at this
    line. Whatever it says, the action is accepted.
    """

    seat: int
    objections: Sequence[Objection]
    verbs: tuple[str, ...] = ("throw", "give")


@dataclass
class Deal:
    """The public state of a deal. Attributes hold immutable values only, so that `copy` can be shallow.

    `turn`: the seat to act, None when no one seat is. `outcome`: how the deal came out, None until it
    is decided. `tricks`: completed tricks, for games that report them, else None.
    """

    no_violations: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose breach has a price of its own and is no violation in the sense of G-4 (IM-13)."""

    setup: Setup
    turn: int | None = field(init=False, default=None)
    outcome: Outcome | None = field(init=False, default=None)
    tricks: tuple[Trick, ...] | None = field(init=False, default=None)

    def copy(self) -> Self:
        """An independent copy."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def places(self) -> dict[int, int]:
        """The hidden places at the start of the deal and how many cards each holds; all of the pack."""
        raise NotImplementedError

    def hand_size(self, seat: int) -> int:
        """How many cards a `hand` line of this seat lists."""
        return self.places()[seat]

    def is_out(self, seat: int) -> bool:
        """Whether the seat is out of the deal: whatever it does is impossible (G-5)."""
        return False

    def sees(self, action: Action, worlds: Worlds) -> Sequence[Sight]:
        """Where the cards of an action are seen to be before it moves them; if they cannot be, G-5.

        As it is here: a drawn card comes from the stock, a closed card was closed, laid-away cards were
        laid away, any other is in the hand.
        """
        if not action.cards:
            return ()
        seat, verb = action.seat, action.verb
        place = {"draw": STOCK, "closed": closed(seat), "laid": away(seat)}.get(verb, seat)
        return (Sight(place, action.cards, verb in ("laid", "show")),)

    def objections(self, action: Action) -> Sequence[Objection]:
        """What speaks against an action that is physically possible, lowest rule first (G-6, G-7 and G-8).

        Empty if it is legal in every world. An objection without a condition makes it illegal.
        Rule G-5, alone, makes it impossible instead (a card that is not in an open fund).
        """
        raise NotImplementedError

    def apply(self, action: Action, table: Table) -> None:
        """Carries out an action that nothing certain speaks against; moves its cards on the table."""
        raise NotImplementedError

    def duties(self, action: Action, table: Table) -> Sequence[Duty]:
        """Judgements that fall due when this action is accepted (asked before `apply`)."""
        return ()

    def fact_sees(self, fact: Fact) -> Sequence[Sight]:
        """Where the cards of a fact other than `hand` are seen to be; as it is here: in the stock."""
        return (Sight(STOCK, fact.cards),)

    def fact_objections(self, fact: Fact) -> Sequence[Objection]:
        """What speaks against a fact on the public evidence; rule G-5 makes it impossible.

        Of a `hand` line the referee has judged already whether it can be and comes in time.
        """
        return ()

    def apply_fact(self, fact: Fact, table: Table) -> None:
        """Takes in a fact: sets up what it fixes, moves turned-up cards. `hand` has nothing to do here."""

    def award(self, offender: int, table: Table) -> Outcome:
        """The outcome when a violation by this seat ends the deal (G-4)."""
        raise NotImplementedError

    def carry(self) -> Any:
        """What the next deal of the match starts from besides its dealer (`Setup.carried`)."""
        return self.setup.carried

    # For players and simulated tables

    def opening(self, table: OpenTable) -> Iterable[Fact]:
        """The facts that a fresh deal turns up, on a table where every card is known."""
        return ()

    def turned_up(self, table: OpenTable) -> Iterable[Fact]:
        """The facts that are turned up now, in mid-deal, on a table where every card is known."""
        return ()

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        """The actions worth asking about for a seat whose cards are known; here: to play a card."""
        return [play(seat, card) for card in cards_of(table.hands.get(seat, 0))]

    def legal(self, seat: int, table: OpenTable) -> list[Action]:
        """The legal actions of a seat whose cards are known."""
        return [action for action in self.candidates(seat, table) if self.is_legal(action, table)]

    def is_legal(self, action: Action, table: OpenTable) -> bool:
        """Whether an action is legal with these cards known."""
        return not any(o.condition is None or o.condition.met(table) for o in self.objections(action))

    # For the view

    @property
    def stage(self) -> str:
        """One word for what is going on (`View.stage`)."""
        return "play"

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        """What the rules allow next."""
        raise NotImplementedError

    def named(self) -> tuple[Named, ...]:
        """Facts the table has fixed."""
        return ()

    def zones(self, table: Table) -> tuple[Zone, ...]:
        """What lies openly on the table."""
        return ()
