"""The table flows by game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from appliance.flows.flow import BETWEEN_DEALS, Called, Do, Flow, Meaning, TakenBack, WhichCard, likely
from appliance.flows.funds import FundsFlow
from appliance.flows.pile import PileFlow
from appliance.flows.trick import TrickFlow

FLOWS: dict[str, Callable[[], Flow]] = {
    "dezertyras": TrickFlow,
    "durnius": PileFlow,
    "azijietiskas": PileFlow,
    "vezimas": PileFlow,
    "kozirinis": PileFlow,
    "dudakas": PileFlow,
    "vepla": FundsFlow,
    "suo": FundsFlow,
    "savi_koziriai": PileFlow,
    "velnio_ratas": PileFlow,
    "imperatorius": partial(TrickFlow, pairs=True),
}

__all__ = ["BETWEEN_DEALS", "FLOWS", "Called", "Do", "Flow", "Meaning", "TakenBack", "WhichCard", "likely"]
