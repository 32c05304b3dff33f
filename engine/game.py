"""What a game is to the rest of the engine: its name, pack, options, lines, rules, and how deals add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.cards import Card
from engine.deal import Deal, Outcome, Setup


@dataclass(frozen=True, slots=True)
class Option:
    """The values of an option, the default first; `number`: any whole number from 1 does as well."""

    values: tuple[str, ...]
    number: bool = False

    @property
    def default(self) -> str:
        return self.values[0]

    def takes(self, value: str) -> bool:
        """Whether the value may stand in a record (a number without leading zeros, at most six digits)."""
        if value in self.values:
            return True
        return self.number and value.isascii() and value.isdigit() and value[0] != "0" and len(value) <= 6


VIOLATION = Option(("stand", "award", "void"))
VIOLATION_WITHOUT_AWARD = Option(("stand", "void"))
EVERY_GAME = frozenset({"show", "expose"})
"""Line forms of every game; `deal`, `takeback`, `ruling` and `end` need no listing."""
RULES_OF_EVERY_GAME = tuple(f"G-{n}" for n in range(1, 10))


def next_seat_deals(setup: Setup, outcome: Outcome) -> int:
    """The deal passes to the left (G-1)."""
    return setup.dealer % setup.seats + 1


def loser_deals(setup: Setup, outcome: Outcome) -> int:
    """The loser deals next; after a drawn deal the same seat."""
    return setup.dealer if outcome.loser is None else outcome.loser


def never_won(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """An open-ended match."""
    return None


def totals(outcomes: Sequence[Outcome]) -> list[int]:
    """The points of each seat over all these deals (at least one)."""
    return [sum(points) for points in zip(*(outcome.points for outcome in outcomes), strict=True)]


def seats_with(total: int, all_totals: Sequence[int]) -> tuple[int, ...]:
    """The seats that have this total."""
    return tuple(seat for seat, value in enumerate(all_totals, 1) if value == total)


@dataclass(frozen=True)
class Game:
    """A game of the registry.

    `lines`: the forms of lines it has (`Action.form`, `Fact.form`). `pack`: its cards with these
    options. `deal`: the class of its deals. `next_dealer`: who deals after a deal that was scored.
    `match_winner`: the seats that have won after these outcomes, or None; `outcomes` are those of
    the scored deals, oldest first, `setup` the last deal's. `teams`: seats that win together.
    `names_loser`: results have a `loser`; `counts_left`: they have `cards_left`, and the loser barks.
    `counts_stars`: with these options a loss is a military star (DU-13).
    `lines_by_players`: instead of `lines` for a number of players.
    `refuses`: what is wrong with this number of players and these options together, or None.
    """

    id: str
    name: str
    players: tuple[int, ...]
    options: Mapping[str, Option]
    lines: frozenset[str]
    rules: tuple[str, ...]
    pack: Callable[[Mapping[str, str]], tuple[Card, ...]]
    deal: type[Deal]
    next_dealer: Callable[[Setup, Outcome], int] = next_seat_deals
    match_winner: Callable[[Sequence[Outcome], Setup], tuple[int, ...] | None] = never_won
    teams: tuple[tuple[int, ...], ...] = ()
    refuses: Callable[[int, Mapping[str, str]], str | None] = field(default=lambda players, options: None)
    names_loser: bool = False
    counts_left: bool = False
    counts_stars: Callable[[Mapping[str, str]], bool] = field(default=lambda options: False)
    lines_by_players: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def has_line(self, form: str, players: int) -> bool:
        """Whether a record of this game may have a line of this form."""
        return form in self.lines_by_players.get(players, self.lines)

    def all_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value."""
        return {name: given.get(name, option.default) for name, option in self.options.items()}

    def wrong_with(self, players: Sequence[str] | None, given: Mapping[str, str]) -> str | None:
        """One line about what is wrong with the header so far (`players` None: not said yet), or None."""
        for name, value in given.items():
            if name not in self.options:
                known = ", ".join(self.options)
                return f"{self.id} has no option {name[:40]!r}: it has {known}"
            if not self.options[name].takes(value):
                number = ("a whole number from 1",) if self.options[name].number else ()
                values = " | ".join((*self.options[name].values, *number))
                return f"option {name}: {value[:40]!r} is not one of {values}"
        if players is None:
            return None
        if len(players) not in self.players:
            low, high = self.players[0], self.players[-1]
            wanted = f"{low}" if low == high else f"{low} to {high}"
            return f"{self.id} is for {wanted} players, not {len(players)}"
        return self.refuses(len(players), self.all_options(given))
