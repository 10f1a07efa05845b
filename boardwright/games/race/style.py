"""What an action of Race for the Galaxy says about a seat's style: the archetypes of Woolford's section 3.2."""

from __future__ import annotations

from boardwright.games.race.cards import DESIGN, DESIGNS
from boardwright.games.race.state import ACTION, CHOOSE_ACTION, DONE, PLACE
from boardwright.games.race.text import ACTION_NAMES, card_of
from boardwright.kernel import Record

_KINDS_OF_ACTION = ("Explore", "Develop", "Settle", "Consume", "Produce")
SIX_COST = 6


def style(s: Record, action: int) -> dict[str, float]:
    if s.question == CHOOSE_ACTION:
        chosen = ACTION_NAMES[action - ACTION]
        return {kind.lower(): float(chosen.startswith(kind)) for kind in _KINDS_OF_ACTION}
    if s.question != PLACE or action == DONE:
        return {}
    design = DESIGNS[DESIGN[card_of(action)]]
    return {
        "military": float(design.has("military") or any("military" in power.kinds for power in design.powers)),
        "goods worlds": float(design.world and bool(design.production)),
        "developments": float(not design.world),
        "six-cost developments": float(not design.world and design.cost == SIX_COST),
    }
