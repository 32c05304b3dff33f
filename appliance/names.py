"""Players' names as they can be shown: on one line, in their own order, and no two alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Control signs, and those that turn the direction of what is written, also of what follows."""


def shown_name(name: str) -> str:
    """A name without signs that are not seen, with single spaces; "?" if nothing is left of it."""
    seen = "".join(" " if sign.isspace() else sign for sign in name)
    seen = "".join(sign for sign in seen if unicodedata.category(sign) not in _UNSEEN)
    return " ".join(seen.split()) or "?"


def shown_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names by their seats; those that more than one seat has are followed by the number of the seat."""
    clean = [shown_name(name) for name in names]
    alike = [name.casefold() for name in clean]
    return tuple(
        f"{name} ({seat})" if alike.count(name.casefold()) > 1 else name for seat, name in enumerate(clean, 1)
    )
