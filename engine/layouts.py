"""The layouts of the worlds: which path holds which token, and how the matching is kept (see engine.worlds).

A layout says by path which tokens are allowed on it and which it holds in the witness, a matching; these
functions narrow it, and repair the witness by augmenting paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.places import bits

Restriction: TypeAlias = tuple[int, int]
"""(tokens, paths): all these tokens lie on these paths, a mask of the paths there are now."""

Layout: TypeAlias = tuple[dict[int, int], dict[int, int]]
"""By path: the tokens allowed on it, and the tokens it holds in the witness."""

def obeys(held: dict[int, int], restrictions: Sequence[Restriction]) -> bool:
    """Whether the witness itself obeys the restrictions."""
    for tokens, paths in restrictions:
        for path, there in held.items():
            if there & tokens and not paths >> path & 1:
                return False
    return True


def narrowed(layout: Layout, restrictions: Sequence[Restriction]) -> Layout | None:
    """The layout under restrictions, with a witness that obeys them; None if there is none."""
    allow, held = layout[0].copy(), layout[1].copy()
    for tokens, paths in restrictions:
        if not restrict(allow, held, tokens, paths):
            return None
    return allow, held


def renamed(layout: Layout, tokens: Sequence[int], names: Sequence[int]) -> Layout:
    """The layout with other names for Viziriai: what was seen as `tokens` is from now on `names`."""
    swaps = []
    for here, there in zip(tokens, names, strict=True):
        swaps += list(zip(bits(here & ~there), bits(there & ~here), strict=True))

    def swap(mask: int) -> int:
        for a, b in swaps:
            if bool(mask & a) != bool(mask & b):
                mask ^= a | b
        return mask

    allow, held = layout
    return {p: swap(mask) for p, mask in allow.items()}, {p: swap(mask) for p, mask in held.items()}


def with_one_on(path: int, layout: Layout, tokens: int) -> dict[int, int] | None:
    """A matching of this layout in which one of the tokens is on the path; None if there is none."""
    allow, held = layout
    if held[path] & tokens:
        return held
    for bit in bits(tokens & allow[path]):
        left = narrowed(layout, ((bit, 1 << path),))
        if left is not None:
            return left[1]
    return None


def restrict(allow: dict[int, int], held: dict[int, int], tokens: int, paths: int) -> bool:
    """Narrows the tokens to the paths, in place, and repairs the matching; False if there is none left."""
    moved = []
    for path, there in held.items():
        if not paths >> path & 1:
            allow[path] &= ~tokens
            if there & tokens:
                moved.append(path)
    for path in moved:
        for bit in bits(held[path] & tokens):
            if not _rehouse(allow, held, path, bit):
                return False
    return True


def _rehouse(allow: dict[int, int], held: dict[int, int], home: int, token: int) -> bool:
    """Moves a token off a path it may not be on, along a shortest chain that fills its place again."""
    held[home] ^= token
    came = {path: -1 for path, tokens in allow.items() if tokens & token}
    queue = list(came)
    for path in queue:
        mine = held[path]
        for other, tokens in allow.items():
            if mine & tokens and other not in came:
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


def reachable(allow: dict[int, int], held: dict[int, int], path: int) -> int:
    """The tokens that could change over to `path` with others moving up into the places they leave."""
    tokens = held[path]
    seen = {path}
    queue = [path]
    for here in queue:
        mine = held[here]
        for other, there in held.items():
            if mine & allow[other] and other not in seen:
                seen.add(other)
                tokens |= there
                queue.append(other)
    return tokens
