"""The games by id, in the contract's order. A game's file registers itself here by being listed."""

from __future__ import annotations

from engine.game import Game
from engine.games.dezertyras import DEZERTYRAS
from engine.games.suo import SUO
from engine.games.velnio_ratas import VELNIO_RATAS
from engine.games.vepla import VEPLA

GAMES: dict[str, Game] = {game.id: game for game in (DEZERTYRAS, VEPLA, SUO, VELNIO_RATAS)}

__all__ = ["GAMES", "Game"]
