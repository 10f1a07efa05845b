"""What an action of 7 Wonders says about a seat's style: which colours it builds, stages, discards."""

from __future__ import annotations

from boardwright.games.wonders.cards import BLUE, BROWN, GREEN, GREY, PURPLE, RED, STRUCTURES, YELLOW
from boardwright.games.wonders.state import DISCARD, NOTHING, STAGE, kind_in, use_of
from boardwright.kernel import Record

_STRATEGIES = {
    "military": (RED,),
    "science": (GREEN,),
    "civil": (BLUE,),
    "trade": (YELLOW,),
    "guilds": (PURPLE,),
    "resources": (BROWN, GREY),
}


def style(s: Record, action: int) -> dict[str, float]:
    use = use_of(action)
    if use == NOTHING:
        return {}
    built = use not in (DISCARD, STAGE)
    colour = STRUCTURES[kind_in(action)].colour
    found = {name: float(built and colour in colours) for name, colours in _STRATEGIES.items()}
    return {**found, "stages": float(use == STAGE), "discards": float(use == DISCARD)}
