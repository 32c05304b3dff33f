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

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.cards import CARDS, VIZ, Card
from engine.layouts import Layout, Restriction, narrowed, obeys, reachable, renamed, with_one_on
from engine.places import STOCK, VIZ_TOKENS, bits, tokens_of_pack

_FIRST_NEW = 56


class Sight(NamedTuple):
    """Cards seen to be at a place; `whole`: they are all the cards there."""

    place: int
    cards: tuple[Card, ...]
    whole: bool = False


class Impossible(Exception):
    """Evidence that contradicts what was seen before."""


class Worlds:
    """All worlds that agree with what was seen. Implements `places.Table`.

    `counts[place]`: cards there. `known[place]`: tokens everybody knows to be there. `hidden`: tokens
    whose place is not known. `evidence` grows whenever something seen leaves fewer worlds. Path masks
    have a bit a path.
    """

    __slots__ = (
        "_alias", "_first", "_layouts", "_next", "_original", "_pack", "_parents", "_place",
        "counts", "evidence", "hidden", "known",
    )  # fmt: skip

    def __init__(self, pack: Sequence[Card], places: dict[int, int]) -> None:
        """A fresh deal of the pack; the counts of `places` sum up to the pack (ValueError)."""
        tokens = list(tokens_of_pack(pack))
        if sum(places.values()) != len(tokens):
            raise ValueError("the places do not hold the pack")
        self.counts = dict(places)
        self.evidence = 0
        self.known: dict[int, int] = {}
        self.hidden = sum(1 << token for token in tokens)
        self._pack = self.hidden
        self._first = {place: path for path, place in enumerate(places)}
        self._place = dict(enumerate(places))
        self._parents: dict[int, int] = {}
        self._next = len(places)
        held = {}
        at = 0
        for path, count in enumerate(places.values()):
            held[path] = sum(1 << token for token in tokens[at : at + count])
            at += count
        self._layouts: list[Layout] = [(dict.fromkeys(held, self.hidden), held)]
        self._alias: dict[int, int] = {}
        self._original: dict[int, int] = {}

    def copy(self) -> Worlds:
        """An independent copy."""
        new = object.__new__(Worlds)
        new.counts = self.counts.copy()
        new.known = self.known.copy()
        new.evidence = self.evidence
        new.hidden = self.hidden
        new._pack = self._pack
        new._first = self._first
        new._next = self._next
        # These are never changed in place: a long match keeps a copy for every line.
        new._place = self._place
        new._parents = self._parents
        new._layouts = self._layouts
        new._alias = self._alias
        new._original = self._original
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
        return CARDS[min(self._original.get(token, token), 53)]

    def cards_of(self, tokens: int) -> tuple[Card, ...]:
        """The cards of a token mask."""
        return tuple(self.card_of(bit.bit_length() - 1) for bit in bits(tokens))

    def at(self, place: int) -> int:
        """The paths that lie at this place now."""
        mask = 0
        for path, where in self._place.items():
            if where == place:
                mask |= 1 << path
        return mask

    def name(self, paths: int) -> int:
        """A name for some paths that stays good: `spread` finds what has forked off them later."""
        return paths | 1 << self._next

    def spread(self, name: int) -> int:
        """The paths that were named, with those that have forked off them since."""
        width = name.bit_length() - 1
        paths = name ^ 1 << width
        for path, parent in self._parents.items():
            if path >= width and paths >> parent & 1:
                paths |= 1 << path
        return paths

    def exists(self, paths: int) -> bool:
        """Whether there are all these paths."""
        return all(bit.bit_length() - 1 in self._place for bit in bits(paths))

    def ways(self, tokens: int) -> tuple[int, ...]:
        """By layout: the paths that some of these tokens may have had. Two tokens with the same are alike."""
        return tuple(
            sum(1 << path for path, allowed in allow.items() if allowed & tokens)
            for allow, _ in self._layouts
        )

    def by_themselves(self, tokens: int, groups: Sequence[int]) -> list[int]:
        """For each group of paths: the tokens that may have had one of them, each asked by itself."""
        found = [0] * len(groups)
        for allow, _ in self._layouts:
            for path, allowed in allow.items():
                here = allowed & tokens
                if here:
                    for n, paths in enumerate(groups):
                        if paths >> path & 1:
                            found[n] |= here
        return found

    # Questions

    def possible(self, restrictions: Iterable[Restriction]) -> bool:
        """Whether some world obeys all the restrictions."""
        wanted = tuple(restrictions)
        if any(obeys(held, wanted) for _, held in self._layouts):
            return True
        return any(narrowed(layout, wanted) is not None for layout in self._layouts)

    def may_lie(self, tokens: int, paths: int) -> bool:
        """Whether one of the tokens lies on one of the paths in some world."""
        for _, held in self._layouts:
            for path, there in held.items():
                if there & tokens and paths >> path & 1:
                    return True
        return bool(self.could_be(tokens, paths))

    def could_be(self, tokens: int, paths: int) -> int:
        """Those of the tokens that lie on one of the paths in some world."""
        found = 0
        for allow, held in self._layouts:
            for path in held:
                if paths >> path & 1:
                    wanted = tokens & allow[path] & ~found
                    if wanted:
                        found |= wanted & reachable(allow, held, path)
        return found

    # Evidence

    def can_see(self, sights: Sequence[Sight]) -> bool:
        """Whether all of this can be seen at the same moment in some world."""
        return any(self.possible(wanted) for _, wanted in self._readings(sights))

    def see(self, sights: Sequence[Sight]) -> None:
        """All of this is seen now; Impossible (and no change) if it cannot be."""
        seen: list[int] | None = None
        layouts: dict[object, Layout] = {}
        for tokens, wanted in self._readings(sights):
            if not wanted:
                layouts = {at: layout for at, layout in enumerate(self._layouts)}
                seen = tokens
                break
            for layout in self._layouts:
                left = narrowed(layout, wanted)
                if left is not None:
                    if seen is None:
                        seen = tokens
                    elif tokens != seen:
                        left = renamed(left, tokens, seen)
                    # Alike but for the witness: the same worlds.
                    sizes = tuple(map(int.bit_count, left[1].values()))
                    layouts[tuple(left[0].values()), sizes] = left
        if seen is None:
            raise Impossible
        self._layouts = list(layouts.values())
        self.evidence += any(tokens & self.hidden for tokens in seen) or any(sight.whole for sight in sights)
        for sight, tokens_there in zip(sights, seen, strict=True):
            self.hidden &= ~tokens_there
            self.known[sight.place] = self.known.get(sight.place, 0) | tokens_there

    def _readings(self, sights: Sequence[Sight]) -> Iterator[tuple[list[int], list[Restriction]]]:
        """Which tokens may have been seen, by sight, and what that demands; one reading but for Viziriai.

        Of those the ones known at the place are taken first: which of two alike is seen tells nothing.
        """
        return self._read(sights, 0, [], [])

    def _read(
        self, sights: Sequence[Sight], used: int, seen: list[int], wanted: list[Restriction]
    ) -> Iterator[tuple[list[int], list[Restriction]]]:
        if not sights:
            yield seen, wanted
            return
        place, cards, whole = sights[0]
        known, count = self.known.get(place, 0), self.counts.get(place, 0)
        paths = self.at(place)
        for tokens in self._tokens_seen(cards, known, self.hidden & ~used):
            unseen = known & ~tokens
            if len(cards) > count - unseen.bit_count() or (whole and len(cards) < count):
                continue
            if unseen and place == STOCK:
                continue  # what is known of a stock is its top card
            fresh = tokens & self.hidden
            demands = [(fresh, paths)] if fresh else []
            if whole and self.hidden & ~tokens:
                demands.append((self.hidden & ~tokens, ~paths))
            yield from self._read(sights[1:], used | tokens, [*seen, tokens], wanted + demands)

    def _tokens_seen(self, cards: Sequence[Card], known: int, hidden: int) -> Iterator[int]:
        viz = 0
        taken = 0
        for card in cards:
            if card == VIZ:
                viz += 1
                continue
            token = self.tokens(1 << card) & (known | hidden) & ~taken
            if not token:
                return
            taken |= token
        if not viz:
            yield taken
            return
        alike = self.tokens(VIZ_TOKENS & self._pack)
        there = list(bits(alike & known))[:viz]
        for chosen in combinations(bits(alike & hidden), viz - len(there)):
            yield taken | sum(there) | sum(chosen)

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
        return self.possible(((tokens & ~VIZ_TOKENS, self.spread(1 << path | 1 << len(self._first))),))

    # Movement (places.Table)

    def leave(self, place: int, card: Card) -> None:
        tokens = self.tokens(VIZ_TOKENS if card == VIZ else 1 << card)
        if not self.known.get(place, 0) & tokens:
            self.see((Sight(place, (card,)),))
        token = self.known[place] & tokens
        self.known[place] &= ~(token & -token)
        self.counts[place] -= 1

    def take_up(self, place: int, cards: Iterable[Card]) -> None:
        mask = self._open_tokens(cards)
        self.known[place] = self.known.get(place, 0) | mask
        self.counts[place] = self.counts.get(place, 0) + mask.bit_count()

    def _open_tokens(self, cards: Iterable[Card]) -> int:
        """The tokens of cards that lie openly on the table."""
        placed = self.hidden
        for known in self.known.values():
            placed |= known
        mask = 0
        for card in cards:
            tokens = self.tokens(VIZ_TOKENS & self._pack if card == VIZ else 1 << card) & ~placed & ~mask
            mask |= tokens & -tokens
        return mask

    def move(self, source: int, target: int, count: int = 1) -> int:
        """Cards go on unseen; the name of their paths. From a stock whose top is known, that one first."""
        paths = 0
        top = self.known.pop(source, 0)
        if count == self.counts[source]:
            paths = self.at(source)
            self._place = {p: target if place == source else place for p, place in self._place.items()}
            self.known[target] = self.known.get(target, 0) | top
        elif source != STOCK and (path := self._only_path(source, top)) is not None:
            paths = self._part(path, target, count, top)
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
        return self.name(paths)

    def _only_path(self, place: int, known: int) -> int | None:
        """The path of all cards at a place, the known ones included, if it is one path."""
        paths = [path for path, where in self._place.items() if where == place]
        if len(paths) == 1 and all(not known & ~held[paths[0]] for _, held in self._layouts):
            return paths[0]
        return None

    def _part(self, path: int, target: int, count: int, known: int) -> int:
        """Some cards of one path go on together, nobody saw which: the path forks once."""
        new = self._next
        self._next += 1
        self._place = self._place | {new: target}
        self._parents = self._parents | {new: path}
        self.hidden |= known
        layouts = []
        for allow, held in self._layouts:
            moved = 0
            for bit in bits(held[path] & self.hidden):
                if moved.bit_count() < count:
                    moved |= bit
            layouts.append(
                (allow | {new: allow[path] & self.hidden}, held | {path: held[path] ^ moved, new: moved})
            )
        self._layouts = layouts
        return 1 << new

    def _fork(self, source: int, target: int, known: int) -> int:
        """One card goes on: a layout for each path it may be of. `known`: the token, if it is known."""
        parents = [path for path, place in self._place.items() if place == source]
        movable = known or self.hidden
        news = dict(enumerate(parents, self._next))
        self._next += len(parents)
        self._place = self._place | dict.fromkeys(news, target)
        self._parents = self._parents | news
        layouts = []
        for layout in self._layouts:
            for new, parent in news.items():
                witness = with_one_on(parent, layout, movable)
                if witness is not None:
                    allow = layout[0] | {path: layout[0][origin] & movable for path, origin in news.items()}
                    allow[parent] &= ~known
                    held = witness | dict.fromkeys(news, 0)
                    moved = held[parent] & movable
                    held[parent] ^= moved & -moved
                    held[new] = moved & -moved
                    layouts.append((allow, held))
        self._layouts = layouts
        return sum(1 << path for path in news)

    def turn(self, cards: Iterable[Card], place: int) -> None:
        tokens = self._open_tokens(cards)
        self._hide(tokens, place)
        self.counts[place] = self.counts.get(place, 0) + tokens.bit_count()

    def _hide(self, tokens: int, place: int) -> None:
        """Open or known cards become hidden in a place: new tokens on a new path."""
        fresh = 0
        new = _FIRST_NEW
        self._original, self._alias = self._original.copy(), self._alias.copy()
        for bit in bits(tokens):
            token = bit.bit_length() - 1
            original = self._original.get(token, token)
            while new in self._original:
                new += 1
            self._original[new] = original
            self._alias[1 << original] = 1 << new
            fresh |= 1 << new
        self.hidden |= fresh
        path = self._next
        self._next += 1
        self._place = self._place | {path: place}
        self._layouts = [(allow | {path: fresh}, held | {path: fresh}) for allow, held in self._layouts]

    # Forgetting

    @property
    def paths(self) -> int:
        """How many paths there are."""
        return len(self._place)

    def bearing(self, asked: int = 0) -> int:
        """The tokens that may bear on anything to come, or on a question about the tokens `asked`.

        Those hidden or known to be in a place, and all that hang together with them by the paths they
        may be on. What is asked of other tokens only will always be answered as now.
        """
        kept = self.hidden | asked
        for known in self.known.values():
            kept |= known
        together = self._together()
        grew = True
        while grew:
            grew = False
            for tokens in together.values():
                if tokens & kept and tokens & ~kept:
                    kept |= tokens
                    grew = True
        return kept

    def _together(self) -> dict[int, int]:
        together = dict.fromkeys(self._place, 0)
        for allow, _ in self._layouts:
            for path, tokens in allow.items():
                together[path] |= tokens
        return together

    def forget(self, asked: int) -> None:
        """Drops the paths of all tokens but the ones `bearing`, so that a long deal stays small."""
        kept = self.bearing(asked)
        together = self._together()
        self._place, self._parents = self._place.copy(), self._parents.copy()
        self._original, self._alias = self._original.copy(), self._alias.copy()
        self._layouts = [(allow.copy(), held.copy()) for allow, held in self._layouts]
        dropped = 0
        needed = set(self._first.values())
        for path in sorted(together, reverse=True):
            if together[path] & kept or path in needed:
                needed.add(self._parents.get(path, -1))
                continue
            dropped |= together[path]
            del self._place[path]
            self._parents.pop(path, None)
            for allow, held in self._layouts:
                del allow[path], held[path]
        for allow, _ in self._layouts:
            for tokens in allow.values():
                dropped &= ~tokens
        for bit in bits(dropped >> _FIRST_NEW << _FIRST_NEW):
            original = self._original.pop(bit.bit_length() - 1)
            if self._alias.get(1 << original) == bit:
                del self._alias[1 << original]
