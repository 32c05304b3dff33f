"""The games by id, in the contract's order. A game's file registers itself here by being listed."""

from __future__ import annotations

from engine.game import Game
from engine.games.azijietiskas import AZIJIETISKAS
from engine.games.dezertyras import DEZERTYRAS
from engine.games.dudakas import DUDAKAS
from engine.games.durnius import DURNIUS
from engine.games.kozirinis import KOZIRINIS
from engine.games.suo import SUO
from engine.games.velnio_ratas import VELNIO_RATAS
from engine.games.vepla import VEPLA

_ALL = (DEZERTYRAS, DURNIUS, AZIJIETISKAS, KOZIRINIS, DUDAKAS, VEPLA, SUO, VELNIO_RATAS)
GAMES: dict[str, Game] = {game.id: game for game in _ALL}

__all__ = ["GAMES", "Game"]
