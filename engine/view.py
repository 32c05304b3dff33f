"""What a screen, a pod or the table flow needs to know of a match, without knowing the game."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Rank, Suit


@dataclass(frozen=True, slots=True)
class Expectation:
    """Something the rules allow next.

    `verb`: of an action, or the kind of a fact (`"fund"`, `"spread"` …). `source` says where it comes
    from: `"table"` (the camera sees it happen) or `"button"` (somebody has to say it). `ranks`, `suits`,
    `targets`, `counts`: the choices still free, for announcements, puts and `away` (a target is a seat
    or `actions.CENTER`). `cards`: the cards it can be of, where only some can. `several`: how many
    cards or suits it names together. `blind`: a card is drawn for it that
    nobody sees. `must`: nothing else is allowed before it.
    """

    seat: int
    verb: str
    source: str
    ranks: tuple[Rank, ...] = ()
    suits: tuple[Suit, ...] = ()
    targets: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()
    several: int = 1
    blind: bool = False
    must: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A card, who laid it, marks: `"lead"`, `"seklys"`, `"annulled"`, `"deserter"`, `"called"`."""

    card: Card
    seat: int | None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Zone:
    """A place on the table, bottom card first.

    `kind`: `"trick"` (an area a seat), `"pile"` (one heap in the middle), `"fund"` (of `seat`),
    `"center"`, `"spread"`, `"last trick"` (the completed trick before, for the screen).
    """

    kind: str
    seat: int | None
    cards: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A fact the table has fixed: `"sekliai"` (rank), `"trump"` (suits, of a seat or of all)."""

    name: str
    seat: int | None = None
    rank: Rank | None = None
    suits: tuple[Suit, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A match at one moment. Seats are numbers from 1; `players[seat - 1]` is the name.

    `stage`: `"no deal"`, `"announce"`, `"trumps"`, `"away"`, `"exchange"`, `"funds"`, `"play"`,
    `"laid"`, `"anew"`, `"decided"`, `"void"`, `"broken off"`, or another word of the game. `turn`: the
    seat to act, None if several or none may. `pending`: line numbers of the actions still conditional.
    `last_points`: of the last deal that was scored; its number is `last_points_deal`. `last_barks`: the
    seat that lost it and how often it barks (SU-6). `stars`: whether a point of the score is a star (DU-13).
    """

    game: str
    players: tuple[str, ...]
    teams: tuple[tuple[int, ...], ...]
    deal: int
    dealer: int
    stage: str
    turn: int | None
    expects: tuple[Expectation, ...]
    named: tuple[Named, ...]
    zones: tuple[Zone, ...]
    hand_counts: dict[int, int]
    stock_count: int | None
    out: tuple[int, ...]
    tricks: int
    pending: tuple[int, ...]
    last_points: dict[int, int] | None
    last_points_deal: int | None
    last_barks: tuple[int, int] | None
    score: dict[int, int]
    stars: bool
    finished: bool
    winner: tuple[int, ...] | None

    def expectation(self, verb: str, seat: int | None = None) -> Expectation | None:
        """The first expectation of this verb (and seat)."""
        for expected in self.expects:
            if expected.verb == verb and seat in (None, expected.seat):
                return expected
        return None
