"""Imperatorius (IM): 2–4 players, 52 cards and 4 jokers; seven tricks, a trump suit each, pairs.

Rulings of our own: IM-3 (forced offences cost nothing), IM-4a, IM-6 (uncalled trumps meet the duty),
IM-9 (a led joker has no suit), IM-10 (pairs and the shield), IM-10a, `laid_away` in IM-12, IM-14.
Options: `shield` = one_suit | no_foreign_trump (IM-9), `laid_away` = all | trickless (IM-12),
`violation` without award (G-4). Hidden: the hands and what was laid away. Demands on them: voids (IM-5,
IM-7), a lawful laying away (IM-3) and an unbroken choice of pairs (IM-10a), see `pairs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from engine.actions import Action, play
from engine.cards import IMP, PACK_56, Card, Rank, Suit, mask_of
from engine.conditions import Holds
from engine.deal import Deal, Objection, Outcome, Setup, Trick
from engine.game import EVERY_GAME, RULES_OF_EVERY_GAME, VIOLATION_WITHOUT_AWARD, Game, Option, totals
from engine.games.kept_pairs import BreaksPair, HasPair
from engine.games.lay_away import WrongLayAway
from engine.games.pairs import lawful_counts, pair_in, suits_with_pair, wrong
from engine.places import REST, VIZ_TOKENS, OpenTable, Table, away, cards_of
from engine.view import Expectation, Laid, Named, Zone

_T = TypeVar("_T")
JOKERS = 1 << IMP | VIZ_TOKENS
SUIT_MASKS = tuple(0x1FFF << 13 * suit for suit in Suit)
FIGURES = {Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
ROUNDS = 7
_ABOVE_ACE = Rank.ACE + 1
_TURN = (Objection("G-6"),)
_NO_TRUMPS = (Objection("IM-2"),)
_NO_AWAY = (Objection("IM-3"),)


class Played(NamedTuple):
    """What a seat laid to a trick: a card, or a pair, the higher first; `trump`: called, of its suit."""

    seat: int
    cards: tuple[Card, ...]
    trump: bool

    @property
    def height(self) -> int:
        """Its rank within its suit; a pair is above the ace (IM-10). Not of jokers."""
        return self.cards[0].rank if len(self.cards) == 1 else _ABOVE_ACE


def winner_of_trick(trick: Sequence[Played], shield: str) -> int:
    """The seat a full trick goes to (IM-4, IM-8, IM-9, IM-10)."""
    lead = trick[0]
    led = None if lead.cards[0].joker else lead.cards[0].suit
    single = len(lead.cards) == 1 and not lead.trump
    shielded = led is not None and single and _shield_holds(trick, led, shield)
    best, winner = -1, lead.seat
    for laid in trick:
        card = laid.cards[0]
        if card.joker:
            strength = 300 if card == IMP else 200
        elif laid.trump and not (shielded and card.suit == led and lead.height > laid.height):
            strength = 100 + laid.height
        else:
            strength = int(laid.height) if card.suit == led else -1
        if strength > best:  # of equals the first played
            best, winner = strength, laid.seat
    return winner


def _shield_holds(trick: Sequence[Played], led: Suit, shield: str) -> bool:
    """IM-9: nothing of another suit in the trick; or, by the option, no other trump and no joker."""
    foreign = [laid for laid in trick if laid.cards[0].joker or laid.cards[0].suit != led]
    if shield == "no_foreign_trump":
        return not any(laid.cards[0].joker or laid.trump for laid in foreign)
    return not foreign


def worth_of_trick(trick: Sequence[Played]) -> int:
    """IM-11."""
    points = 10
    for laid in trick:
        if len(laid.cards) == 2:
            great = laid.cards[0].rank == Rank.KING
            points += (15 if great else 12) if laid.trump else (10 if great else 8)
        elif not laid.cards[0].joker:
            rank = laid.cards[0].rank
            points += 5 if rank == Rank.ACE else FIGURES.get(rank, 0)
    return points


@dataclass
class ImperatoriusDeal(Deal):
    """One deal. `trumps`, `aways`, `laid`: by seat from 0, None until named, laid away, shown.

    `plays[seat - 1]`: what the seat has played, as tuples of one or two cards. `points`: of tricks.
    """

    def __post_init__(self) -> None:
        nothing = (None,) * self.setup.seats
        self.turn = self.setup.first
        self.tricks: tuple[Trick, ...] = ()
        self.trumps: tuple[Suit | None, ...] = nothing
        self.aways: tuple[int | None, ...] = nothing
        self.laid: tuple[tuple[Card, ...] | None, ...] = nothing
        self.trick: tuple[Played, ...] = ()
        self.last: tuple[Played, ...] = ()
        self.plays: tuple[tuple[tuple[Card, ...], ...], ...] = ((),) * self.setup.seats
        self.points = (0,) * self.setup.seats
        self.left_over: tuple[int, ...] = (0,) * self.setup.seats

    no_violations = frozenset({"away"})

    def places(self) -> dict[int, int]:
        seats = self.setup.seats
        places = {seat: 14 for seat in range(1, seats + 1)}
        unused = len(self.setup.pack) - 14 * seats
        return places | {REST: unused} if unused else places

    @property
    def stage(self) -> str:
        if None in self.trumps:
            return "trumps"
        if None in self.aways:
            return "away"
        return "play" if len(self.tricks) < ROUNDS else "laid"

    def trump(self, seat: int) -> Suit:
        """The trump suit of a seat, once named."""
        suit = self.trumps[seat - 1]
        assert suit is not None
        return suit

    # Rules

    def objections(self, action: Action) -> Sequence[Objection]:
        seat, verb, stage = action.seat, action.verb, self.stage
        if stage == "trumps":
            if seat != self.turn or verb == "laid":
                return _TURN
            if verb != "trump":
                return _NO_TRUMPS
            return _NO_TRUMPS if action.suits[0] in self.trumps else ()
        if verb == "away" and stage == "away" and self.aways[seat - 1] is None:
            assert action.count is not None
            return (Objection("IM-3", WrongLayAway(seat, self.trump(seat), action.count)),)
        if verb == "laid" and stage == "laid" and self.laid[seat - 1] is None:
            return ()
        if verb != "play" or stage == "laid":
            return _TURN
        if stage == "away":
            return _NO_AWAY if seat == self.setup.first else _TURN
        return list(self._against(action)) if seat == self.turn else _TURN

    def _against(self, action: Action) -> Iterable[Objection]:
        """The rules of playing a card or a pair, lowest first."""
        seat, card = action.seat, action.cards[0]
        own = SUIT_MASKS[self.trump(seat)]
        bit = 1 << card
        if self.trick:
            lead = self.trick[0].cards[0]
            led = 0 if lead.joker else SUIT_MASKS[lead.suit]
            if not bit & led:
                asked = led if bit & (own | JOKERS) else led | own | JOKERS
                if asked:
                    yield Objection("IM-5", Holds(seat, asked))
        if action.called and not bit & (own | JOKERS):
            yield Objection("IM-6")
        if card == IMP:
            yield Objection("IM-7", Holds(seat, own))
        yield from self._against_pairs(action)

    def pairs_kept(self, seat: int) -> int:
        """How many pairs a seat has kept, by the cards it laid away (IM-3)."""
        return ROUNDS - (self.aways[seat - 1] or ROUNDS)

    def _against_pairs(self, action: Action) -> Iterable[Objection]:
        """IM-10a."""
        seat, plays = action.seat, self.plays[action.seat - 1]
        kept = self.pairs_kept(seat)
        left = kept - sum(len(cards) == 2 for cards in plays)
        if len(action.cards) == 2:
            if left <= 0:
                yield Objection("IM-10a")
            return
        if left <= 0:
            return
        if left >= ROUNDS - len(plays):
            yield Objection("IM-10a", HasPair(seat))
        if not action.card.joker and action.card.rank in FIGURES:
            yield Objection("IM-10a", BreaksPair(seat, action.card, kept, plays))

    def apply(self, action: Action, table: Table) -> None:
        seat, at = action.seat, action.seat - 1
        if action.verb == "trump":
            self.trumps = _put(self.trumps, at, action.suits[0])
            self.turn = seat % self.setup.seats + 1 if None in self.trumps else None
        elif action.verb == "away":
            assert action.count is not None
            self._lay_away(seat, action.count, table)
            self.aways = _put(self.aways, at, action.count)
            if None not in self.aways:
                self.turn = self.setup.first
        elif action.verb == "laid":
            if self.outcome is None:
                self.laid = _put(self.laid, at, action.cards)
                if None not in self.laid and len(self.tricks) == ROUNDS:
                    self.outcome = self._outcome()
        else:
            self._play(action, table)

    def _lay_away(self, seat: int, count: int, table: Table) -> None:
        if isinstance(table, OpenTable):
            table.move_these(seat, away(seat), lawful_counts(table.hands[seat], self.trump(seat))[count])
        else:
            table.move(seat, away(seat), count)

    def _play(self, action: Action, table: Table) -> None:
        seat = action.seat
        for card in action.cards:
            table.leave(seat, card)
        card = action.cards[0]
        trump = action.called and not card.joker and card.suit == self.trumps[seat - 1]
        self.trick = (*self.trick, Played(seat, action.cards, trump))
        self.plays = _put(self.plays, seat - 1, (*self.plays[seat - 1], action.cards))
        if len(self.trick) < self.setup.seats:
            self.turn = seat % self.setup.seats + 1
            return
        winner = winner_of_trick(self.trick, self.setup.options["shield"])
        cards, seats = tuple(p.cards for p in self.trick), tuple(p.seat for p in self.trick)
        self.tricks = (*self.tricks, Trick(cards, seats, winner))
        self.points = _put(self.points, winner - 1, self.points[winner - 1] + worth_of_trick(self.trick))
        self.trick, self.last = (), self.trick
        self.turn = winner
        if len(self.tricks) == ROUNDS:
            self.turn = None
            for player in seats:  # IM-10a: cards left over count as laid away
                left = table.counts[player]
                if left:
                    self.left_over = _put(self.left_over, player - 1, left)
                    table.move(player, away(player), left)

    def _outcome(self) -> Outcome:
        """IM-11 to IM-13."""
        points = []
        took = {trick.winner for trick in self.tricks}
        for seat, laid in enumerate(self.laid, 1):
            assert laid is not None
            score = self.points[seat - 1]
            if seat not in took or self.setup.options["laid_away"] == "all":
                score += sum(FIGURES.get(card.rank, 0) for card in laid if not card.joker)
            played = mask_of(card for cards in self.plays[seat - 1] for card in cards)
            away_mask = mask_of(laid)
            kept = self.pairs_kept(seat)
            if self.left_over[seat - 1] or wrong(played, away_mask, self.trump(seat), kept):
                score -= 50
            points.append(score)
        return Outcome(tuple(points))

    # For players

    def candidates(self, seat: int, table: OpenTable) -> Iterable[Action]:
        """None that leaves a seat in want of a pair: it could go on only by showing its hand (IM-10a)."""
        stage = self.stage
        if stage == "trumps":
            return [Action(seat, "trump", suits=(suit,)) for suit in Suit if suit not in self.trumps]
        if stage == "away":
            pairs = suits_with_pair(table.hands.get(seat, 0))
            return [Action(seat, "away", count=count) for count in range(ROUNDS - pairs, 8)]
        if stage == "laid":
            return [Action(seat, "laid", cards_of(table.hands.get(away(seat), 0)))]
        own = self.trumps[seat - 1]
        held = table.hands.get(seat, 0)
        found = [action for action in (play(seat, card) for card in dict.fromkeys(cards_of(held)))
                 if not any(o.rule == "IM-10a" and o.condition is not None and o.condition.met(table)
                            for o in self._against_pairs(action))]  # fmt: skip
        found += [Action(seat, "play", pair) for pair in pair_in(held)]
        called = [Action(seat, "play", action.cards, called=True) for action in found
                  if not action.cards[0].joker and action.cards[0].suit == own]  # fmt: skip
        return found + called

    def legal(self, seat: int, table: OpenTable) -> list[Action]:
        if self.outcome is not None or (self.turn is not None and seat != self.turn):
            return []
        return super().legal(seat, table)

    # For the view

    def expects(self, table: Table) -> tuple[Expectation, ...]:
        first, count = self.setup.first, self.setup.seats
        seats = [(first + n - 1) % count + 1 for n in range(count)]
        match self.stage:
            case "trumps":
                assert self.turn is not None
                free = tuple(suit for suit in Suit if suit not in self.trumps)
                return (Expectation(self.turn, "trump", "button", suits=free, must=True),)
            case "away":
                return tuple(
                    Expectation(seat, "away", "button", counts=(3, 4, 5, 6, 7), must=True)
                    for seat in seats
                    if self.aways[seat - 1] is None
                )
            case "laid":
                return tuple(
                    Expectation(seat, "laid", "table", several=self.aways[seat - 1] or 0, must=True)
                    for seat in seats
                    if self.laid[seat - 1] is None
                )
        assert self.turn is not None
        return (Expectation(self.turn, "play", "table"),)

    def named(self) -> tuple[Named, ...]:
        seats = enumerate(self.trumps, 1)
        return tuple(Named("trump", seat, suits=(suit,)) for seat, suit in seats if suit is not None)

    def zones(self, table: Table) -> tuple[Zone, ...]:
        zones = [Zone("trick", None, _laid(self.trick))]
        if self.tricks:
            zones.append(Zone("last trick", self.tricks[-1].winner, _laid(self.last)))
        return tuple(zones)


def _put(values: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _laid(trick: Sequence[Played]) -> tuple[Laid, ...]:
    found = []
    for at, played in enumerate(trick):
        marks = (("lead",) if at == 0 else ()) + (("called",) if played.trump else ())
        found += [Laid(card, played.seat, marks) for card in played.cards]
    return tuple(found)


def match_winner(outcomes: Sequence[Outcome], setup: Setup) -> tuple[int, ...] | None:
    """The highest at 300 or more, unless it is shared (IM-14)."""
    reached = totals(outcomes)
    best = max(reached)
    if best < 300 or reached.count(best) > 1:
        return None
    return (reached.index(best) + 1,)


IMPERATORIUS = Game(
    id="imperatorius",
    name="Imperatorius",
    players=(2, 3, 4),
    options={
        "shield": Option(("one_suit", "no_foreign_trump")),
        "laid_away": Option(("all", "trickless")),
        "violation": VIOLATION_WITHOUT_AWARD,
    },
    lines=EVERY_GAME | {"hand", "trump", "away", "play", "play !", "play pair", "laid"},
    rules=(
        "IM-1", "IM-2", "IM-3", "IM-4", "IM-4a", "IM-5", "IM-6", "IM-7", "IM-8", "IM-9", "IM-10", "IM-10a",
        "IM-11", "IM-12", "IM-13", "IM-14", *RULES_OF_EVERY_GAME,
    ),
    pack=lambda options: PACK_56,
    deal=ImperatoriusDeal,
    match_winner=match_winner,
)  # fmt: skip
