"""Dudakas (DK): 2–4 players, 24 or 32 cards; as Durnius, trumps named when it suits. See `beating`.

Of its own: DK-2 (naming a trump suit in mid-deal), DK-4 (out by a beat: the pile leaves the deal), DK-7
(the next seat deals). Options: `pack` = 24 | 32 (DK-1; 32 for two or four), `parankinis` = off | on (DK-1),
`violation` (G-4; no verdict here depends on hidden cards).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.cards import PACK_24, PACK_32, Suit
from engine.deal import Objection, Outcome
from engine.game import EVERY_GAME, RULES_OF_EVERY_GAME, VIOLATION, Game, Option
from engine.games.beating import BEAT, LEAD, TURN, BeatingDeal
from engine.places import OpenTable, Table
from engine.view import Expectation


@dataclass
class DudakasDeal(BeatingDeal):
    """One deal. `started`: the first lead lies."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parankinis = self.setup.options["parankinis"] == "on"
        self.started = False

    def objections(self, action: Action) -> Sequence[Objection]:
        if action.verb != "trump":
            return super().objections(action)
        return () if self._may_name(action.seat) else TURN

    def _may_name(self, seat: int) -> bool:
        """Whether a seat may name its trumps now (DK-2)."""
        at_beat = self.phase == BEAT and seat == self.turn
        return self.trumps[seat - 1] is None and (not self.started or at_beat)

    def apply(self, action: Action, table: Table) -> None:
        if action.verb == "trump":
            at = action.seat - 1
            self.trumps = (*self.trumps[:at], action.suits[0], *self.trumps[at + 1 :])
            return
        self.started = True
        super().apply(action, table)

    def beaten_with_last(self, seat: int) -> None:
        """DK-4."""
        self.pile = ()
        self.phase, self.turn = LEAD, self.next_seat(seat)

    def nobody_lost(self, seat: int) -> Outcome:
        return Outcome((0,) * self.setup.seats)  # DK-7

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        yield from super().candidates(seat, table)
        if self._may_name(seat):
            yield from (Action(seat, "trump", suits=(suit,)) for suit in Suit)

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        expected = super().expects(table)
        if self.turn is None:
            return expected
        may = (seat for seat in range(1, self.setup.seats + 1) if self._may_name(seat))
        return (*expected, *(Expectation(seat, "trump", "button", suits=tuple(Suit)) for seat in may))


def refuses(players: int, options: Mapping[str, str]) -> str | None:
    """DK-1."""
    if options["pack"] == "32" and players == 3:
        return "dudakas with 32 cards is for two or four players"
    return None


DUDAKAS = Game(
    id="dudakas",
    name="Dudakas",
    players=(2, 3, 4),
    options={
        "pack": Option(("24", "32")),
        "parankinis": Option(("off", "on")),
        "violation": VIOLATION,
    },
    lines=EVERY_GAME | {"hand", "trump", "play", "take"},
    rules=(
        *(f"DK-{n}" for n in range(1, 8)), *(f"DU-{n}" for n in range(5, 10)), "DU-11", *RULES_OF_EVERY_GAME,
    ),
    pack=lambda options: PACK_32 if options["pack"] == "32" else PACK_24,
    deal=DudakasDeal,
    names_loser=True,
    refuses=refuses,
)  # fmt: skip
