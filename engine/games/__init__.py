"""The games by id, in the contract's order. A game's file registers itself here by being listed."""

from __future__ import annotations

from engine.game import Game
from engine.games.azijietiskas import AZIJIETISKAS
from engine.games.dezertyras import DEZERTYRAS
from engine.games.dudakas import DUDAKAS
from engine.games.durnius import DURNIUS
from engine.games.imperatorius import IMPERATORIUS
from engine.games.kozirinis import KOZIRINIS
from engine.games.savi_koziriai import SAVI_KOZIRIAI
from engine.games.suo import SUO
from engine.games.velnio_ratas import VELNIO_RATAS
from engine.games.vepla import VEPLA
from engine.games.vezimas import VEZIMAS

_ALL = (
    DEZERTYRAS, DURNIUS, AZIJIETISKAS, VEZIMAS, KOZIRINIS, DUDAKAS, VEPLA, SUO, SAVI_KOZIRIAI, VELNIO_RATAS,
    IMPERATORIUS,
)  # fmt: skip
GAMES: dict[str, Game] = {game.id: game for game in _ALL}

__all__ = ["GAMES", "Game"]
