"""What a sensible player does, one file a game: a choice among legal actions from what one seat sees.

An adviser gets the public deal, its seat, a table that knows only this seat's cards, and the legal
actions (never empty).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.actions import Action
from engine.advice import (
    beating,
    dezertyras,
    dudakas,
    durnius,
    funds,
    imperatorius,
    savi_koziriai,
    velnio_ratas,
    vezimas,
)
from engine.places import OpenTable

Adviser = Callable[[Any, int, OpenTable, list[Action]], Action]
"""(deal of the game's own class, seat, the seat's cards, legal actions) → one of them."""

ADVICE: dict[str, Adviser] = {
    "dezertyras": dezertyras.advise,
    "durnius": durnius.advise,
    "azijietiskas": beating.advise,
    "vezimas": vezimas.advise,
    "kozirinis": beating.advise,
    "dudakas": dudakas.advise,
    "vepla": funds.advise,
    "suo": funds.advise,
    "savi_koziriai": savi_koziriai.advise,
    "velnio_ratas": velnio_ratas.advise,
    "imperatorius": imperatorius.advise,
}
