"""The table flows by game."""

from __future__ import annotations

from collections.abc import Callable

from appliance.flows.flow import Do, Flow, Meaning, TakenBack, WhichCard
from appliance.flows.trick import TrickFlow

FLOWS: dict[str, Callable[[], Flow]] = {"dezertyras": TrickFlow}

__all__ = ["FLOWS", "Do", "Flow", "Meaning", "TakenBack", "WhichCard"]
