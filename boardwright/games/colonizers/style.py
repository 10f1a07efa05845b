"""What an action of Colonizers says about a seat's style: the colours of the modules that it builds."""

from __future__ import annotations

from boardwright.games.colonizers.cards import COLOURS, MODULES
from boardwright.games.colonizers.state import BUILD_MODULE
from boardwright.kernel import Record


def style(s: Record, action: int) -> dict[str, float]:
    """Colonists are groups of actions already (`action_group`)."""
    if not BUILD_MODULE <= action < BUILD_MODULE + len(MODULES):
        return {}
    module = MODULES[action - BUILD_MODULE]
    found = {f"{colour} modules": float(module.colour == place) for place, colour in enumerate(COLOURS)}
    return {**found, "cost of modules": float(module.cost)}
