"""What is possible in the hidden hands: the exact basis of every verdict (rulings.md, "Hidden hands").

Every unseen card has a *path*: the hidden places it has been in, from the deal on. All cards on one
path are alike. Each path has taken a known number of cards, and everything seen of a card narrows
the paths it may have had. A world is an assignment of all tokens to paths that respects both. So
"is there a world in which …" is a bipartite matching between tokens and paths with capacities; one
matching is kept as a witness and repaired by augmenting paths (R. M. Karp and J. E. Hopcroft 1973;
which other places a token may take follows from reachability, J.-C. Régin 1994).

When some cards leave a hidden place unseen, the paths there fork: `move`. If the place holds cards of
several paths it is unknown which path lost how many; then there are several `layouts`, ways of the
capacities, and a world may belong to any. Cards that were open and are hidden again (`turn`) are new
tokens: their later life does not depend on the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from engine.cards import CARDS, VIZ, Card
from engine.places import STOCK, VIZ_TOKENS, bits, tokens_of_pack

Restriction: TypeAlias = tuple[int, int]
"""(tokens, paths): all these tokens lie on these paths."""

_FIRST_NEW = 56


class Impossible(Exception):
    """Evidence that contradicts what was seen before."""


class Worlds:
    """All worlds that agree with what was seen. Implements `places.Table`.

    `counts[place]`: cards there. `known[place]`: tokens everybody knows to be there. `hidden`: tokens
    whose place is not known. Path masks have a bit a path.
    """

    __slots__ = (
        "_alias", "_allow", "_card", "_first", "_layouts", "_pack", "_parents", "_place",
        "counts", "hidden", "known",
    )  # fmt: skip

    def __init__(self, pack: Sequence[Card], places: dict[int, int]) -> None:
        """A fresh deal of the pack; the counts of `places` sum up to the pack (ValueError)."""
        tokens = list(tokens_of_pack(pack))
        if sum(places.values()) != len(tokens):
            raise ValueError("the places do not hold the pack")
        self.counts = dict(places)
        self.known: dict[int, int] = {}
        self.hidden = sum(1 << token for token in tokens)
        self._pack = self.hidden
        self._first = {place: path for path, place in enumerate(places)}
        self._place = list(places)
        self._parents: tuple[int, ...] = (-1,) * len(places)
        self._allow = [self.hidden] * len(places)
        held = []
        at = 0
        for count in places.values():
            held.append(sum(1 << token for token in tokens[at : at + count]))
            at += count
        self._layouts = [held]
        self._alias: dict[int, int] = {}
        self._card: dict[int, int] = {}

    def copy(self) -> Worlds:
        """An independent copy."""
        new = object.__new__(Worlds)
        new.counts = self.counts.copy()
        new.known = self.known.copy()
        new.hidden = self.hidden
        new._pack = self._pack
        new._first = self._first
        new._place = self._place.copy()
        new._parents = self._parents
        new._allow = self._allow.copy()
        new._layouts = [held.copy() for held in self._layouts]
        new._alias = self._alias.copy()
        new._card = self._card.copy()
        return new

    # Tokens and paths

    def tokens(self, mask: int) -> int:
        """The tokens now standing for the cards of a mask (cards that were hidden anew have new ones)."""
        if not self._alias:
            return mask
        tokens = 0
        for bit in bits(mask):
            tokens |= self._alias.get(bit, bit)
        return tokens

    def card_of(self, token: int) -> Card:
        """The card a token stands for (its number, not its bit)."""
        return CARDS[self._card.get(token, min(token, 53))]

    def cards_of(self, tokens: int) -> tuple[Card, ...]:
        """The cards of a token mask."""
        return tuple(self.card_of(bit.bit_length() - 1) for bit in bits(tokens))

    def token_for(self, card: Card, place: int, taken: int = 0) -> int:
        """The token (bit) that a card seen at this place stands for: known there, else hidden, else 0.

        `taken`: tokens already used for cards seen at the same moment (three Viziriai).
        """
        tokens = VIZ_TOKENS if card == VIZ else self.tokens(1 << card)
        found = self.known.get(place, 0) & tokens & ~taken or self.hidden & tokens & ~taken
        return found & -found

    def tokens_for(self, cards: Iterable[Card], place: int) -> int | None:
        """The tokens of several cards seen at a place together; None if one of them cannot be there."""
        taken = 0
        for card in cards:
            token = self.token_for(card, place, taken)
            if not token:
                return None
            taken |= token
        return taken

    def at(self, place: int) -> int:
        """The paths that lie at this place now."""
        mask = 0
        for path, where in enumerate(self._place):
            if where == place:
                mask |= 1 << path
        return mask

    def spread(self, paths: int) -> int:
        """Paths named earlier, with those that have forked off them since."""
        if paths < 0:
            return ~self.spread(~paths)
        for path, parent in enumerate(self._parents):
            if parent >= 0 and paths >> parent & 1:
                paths |= 1 << path
        return paths

    # Questions

    def possible(self, restrictions: Iterable[Restriction]) -> bool:
        """Whether some world obeys all the restrictions."""
        wanted = [(tokens, self.spread(paths)) for tokens, paths in restrictions]
        for held in self._layouts:
            allow, held = self._allow.copy(), held.copy()
            if all(_restrict(allow, held, tokens, paths) for tokens, paths in wanted):
                return True
        return False

    def could_be(self, tokens: int, paths: int) -> int:
        """Those of the tokens that lie on one of the paths in some world."""
        paths = self.spread(paths)
        found = 0
        for held in self._layouts:
            for path in range(len(held)):
                if paths >> path & 1:
                    wanted = tokens & self._allow[path] & ~found
                    if wanted:
                        found |= wanted & _reachable(self._allow, held, path)
        return found

    # Evidence

    def restrict(self, tokens: int, paths: int) -> None:
        """These tokens lie on these paths; Impossible (and no change) if that cannot be."""
        paths = self.spread(paths)
        allow = self._allow.copy()
        layouts = []
        for held in self._layouts:
            narrowed, held = self._allow.copy(), held.copy()
            if _restrict(narrowed, held, tokens, paths):
                allow = narrowed
                layouts.append(held)
        if not layouts:
            raise Impossible
        self._allow, self._layouts = allow, layouts

    def see(self, cards: Iterable[Card], place: int) -> None:
        """These cards are seen to be at this place now; Impossible (and no change) if they cannot be."""
        tokens = self.tokens_for(cards, place)
        if tokens is None:
            raise Impossible
        fresh = tokens & self.hidden
        if fresh:
            self.restrict(fresh, self.at(place))
            self.hidden &= ~fresh
            self.known[place] = self.known.get(place, 0) | fresh

    def see_all(self, cards: Sequence[Card], place: int) -> None:
        """These are all the cards at this place now; Impossible (and no change) if that cannot be."""
        if not self.may_be_all(cards, place):
            raise Impossible
        self.see(cards, place)
        self.restrict(self.hidden, ~self.at(place))

    def may_be(self, cards: Sequence[Card], place: int) -> bool:
        """Whether these cards are at this place in some world."""
        tokens = self.tokens_for(cards, place)
        if tokens is None or len(cards) > self.counts.get(place, 0):
            return False
        if place == STOCK and self.known.get(STOCK, 0) & ~tokens:
            return False  # a card known to be in the stock is on top of it
        known = self.known.get(place, 0)
        if place == STOCK and known and tokens & ~known:
            return False  # what is known of the stock is its top card
        if len(cards) > self.counts[place] - (known & ~tokens).bit_count():
            return False
        fresh = tokens & self.hidden
        return not fresh or self.possible(((fresh, self.at(place)),))

    def may_be_all(self, cards: Sequence[Card], place: int) -> bool:
        """Whether these are all the cards of this place in some world."""
        tokens = self.tokens_for(cards, place)
        if tokens is None or len(cards) != self.counts.get(place, 0) or self.known.get(place, 0) & ~tokens:
            return False
        paths = self.at(place)
        return self.possible(((tokens & self.hidden, paths), (self.hidden & ~tokens, ~paths)))

    def dealt(self, cards: Sequence[Card], place: int) -> bool:
        """Whether these may be the cards dealt to a place at the start (Viziriai are not told apart)."""
        tokens = 0
        for card in cards:
            if tokens & 1 << card and card != VIZ:
                return False
            tokens |= 1 << card
        if tokens & ~self._pack:
            return False
        path = self._first[place]
        return self.possible(((tokens & ~VIZ_TOKENS, 1 << path),))

    # Movement (places.Table)

    def leave(self, place: int, card: Card) -> None:
        token = self.token_for(card, place)
        if not self.known.get(place, 0) & token:
            self.see((card,), place)
        self.known[place] &= ~token
        self.counts[place] -= 1

    def take_up(self, place: int, cards: Iterable[Card]) -> None:
        mask = 0
        for card in cards:
            mask |= self._open_token(card, mask)
        self.known[place] = self.known.get(place, 0) | mask
        self.counts[place] = self.counts.get(place, 0) + mask.bit_count()

    def _open_token(self, card: Card, taken: int) -> int:
        if card != VIZ:
            return self.tokens(1 << card)
        free = VIZ_TOKENS & ~self.hidden & ~taken
        for known in self.known.values():
            free &= ~known
        return free & -free

    def move(self, source: int, target: int, count: int = 1) -> int:
        """Cards go on unseen; the paths they took. From a stock whose top card is known, that one first."""
        paths = 0
        top = self.known.pop(source, 0)
        if count == self.counts[source]:
            for path, place in enumerate(self._place):
                if place == source:
                    self._place[path] = target
                    paths |= 1 << path
            self.known[target] = self.known.get(target, 0) | top
        else:
            if top and source != STOCK:
                self._hide(top, source)
            for drawn in range(count):
                forked = self._fork(source, target, top if source == STOCK and drawn == 0 else 0)
                if source == STOCK and drawn == 0 and top:
                    self.known[target] = self.known.get(target, 0) | top
                paths |= forked
        self.counts[source] -= count
        self.counts[target] = self.counts.get(target, 0) + count
        return paths

    def _fork(self, source: int, target: int, known: int) -> int:
        """One card goes on: a layout for each path it may be of. `known`: the token, if it is known."""
        parents = [path for path, place in enumerate(self._place) if place == source]
        movable = known or self.hidden
        news = {}
        for parent in parents:
            news[parent] = len(self._place)
            self._place.append(target)
            self._parents += (parent,)
            self._allow.append(self._allow[parent] & movable)
        width = len(self._place)
        layouts = []
        for held in self._layouts:
            for parent in parents:
                witness = self._with_one_on(parent, held, movable)
                if witness is not None:
                    moved = witness[parent] & movable
                    layout = witness + [0] * (width - len(witness))
                    layout[parent] ^= moved & -moved
                    layout[news[parent]] = moved & -moved
                    layouts.append(layout)
        self._layouts = layouts
        for parent in parents:
            self._allow[parent] &= ~known
        return sum(1 << path for path in news.values())

    def _with_one_on(self, path: int, held: list[int], tokens: int) -> list[int] | None:
        """A matching of this layout in which one of the tokens is on the path; None if there is none."""
        if held[path] & tokens:
            return held
        for bit in bits(tokens & self._allow[path]):
            allow, other = self._allow.copy(), held.copy()
            if _restrict(allow, other, bit, 1 << path):
                return other
        return None

    def turn(self, cards: Iterable[Card], place: int) -> None:
        tokens = 0
        for card in cards:
            tokens |= self._open_token(card, tokens)
        self._hide(tokens, place)
        self.counts[place] = self.counts.get(place, 0) + tokens.bit_count()

    def _hide(self, tokens: int, place: int) -> None:
        """Open or known cards become hidden in a place: new tokens on a new path."""
        fresh = 0
        for bit in bits(tokens):
            token = max(_FIRST_NEW, max(self._card, default=0) + 1)
            card = self.card_of(bit.bit_length() - 1)
            self._card[token] = int(card)
            self._alias[1 << card] = 1 << token
            fresh |= 1 << token
        self.hidden |= fresh
        self._place.append(place)
        self._parents += (-1,)
        self._allow.append(fresh)
        for held in self._layouts:
            held.append(fresh)


def _restrict(allow: list[int], held: list[int], tokens: int, paths: int) -> bool:
    """Narrows the tokens to the paths, in place, and repairs the matching; False if there is none left."""
    moved = []
    for path in range(len(held)):
        if not paths >> path & 1:
            allow[path] &= ~tokens
            if held[path] & tokens:
                moved.append(path)
    for path in moved:
        for bit in bits(held[path] & tokens):
            if not _rehouse(allow, held, path, bit):
                return False
    return True


def _rehouse(allow: list[int], held: list[int], home: int, token: int) -> bool:
    """Moves a token off a path it may not be on, along a shortest chain that fills its place again."""
    held[home] ^= token
    count = len(held)
    came = [-2] * count
    queue = []
    for path in range(count):
        if allow[path] & token:
            came[path] = -1
            queue.append(path)
    for path in queue:
        mine = held[path]
        for other in range(count):
            if came[other] == -2 and mine & allow[other]:
                came[other] = path
                if other == home:
                    while path >= 0:
                        chain = held[path] & allow[other]
                        low = chain & -chain
                        held[path] ^= low
                        held[other] |= low
                        other, path = path, came[path]
                    held[other] |= token
                    return True
                queue.append(other)
    held[home] |= token
    return False


def _reachable(allow: list[int], held: list[int], path: int) -> int:
    """The tokens that could change over to `path` with others moving up into the places they leave."""
    count = len(held)
    tokens = held[path]
    seen = 1 << path
    queue = [path]
    for here in queue:
        mine = held[here]
        for other in range(count):
            if not seen >> other & 1 and mine & allow[other]:
                seen |= 1 << other
                tokens |= held[other]
                queue.append(other)
    return tokens


__all__ = ["Impossible", "Restriction", "Worlds"]
