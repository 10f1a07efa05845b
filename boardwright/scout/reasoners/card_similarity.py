"""How alike two cards are, by what is printed on them.

Developments are compared with developments, worlds with worlds: a solution is never adapted across. Facts and their
weights are the columns of a table. A fact that a card lacks is 0 there, and what both cards lack does not make them
alike. Kinds of goods are names, not numbers: each has a column.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from boardwright.cbr.reuse import Matrix, from_facts
from boardwright.games.race.cards import DESIGN_COUNT, DESIGNS, KINDS, Design
from boardwright.scout.cases.card_groups import consumes


def _goods(kind: str) -> str:
    return f"{kind} goods"


WEIGHTS = {
    "cost": 1.5,
    "points": 2.0,
    "military": 3.0,
    "production": 5.5,
    "consumes": 3.0,
    "trades": 1.0,
    "strength": 3.0,
    "discount": 2.0,
    "explores": 1.5,
    "draws": 4.0,
    "scores": 3.0,
    "rebel": 0.5,
    "alien": 0.5,
} | {_goods(kind): 1.5 for kind in KINDS[1:]}
"""By hand, so that the list of figure 6.3 comes out."""


def _power(design: Design, phase: str, *kinds: str) -> float:
    return float(
        sum(max(1, abs(power.value)) for power in design.powers_in(phase) if power.kinds & set(kinds) or not kinds)
    )


def facts_of(design: Design) -> dict[str, float]:
    """What is printed on a card, as numbers from 0 to 1."""
    production = {"": 0.0, "windfall": 0.6, "production": 1.0}[design.production]
    return (
        {
            "cost": (design.cost + 1) / 8,  # also a cost of 0 is compared
            "points": (min(design.vp, 6) + 1) / 7,
            "military": float(design.has("military")),
            "production": production,
            "consumes": min(1.0, (0.5 + _power(design, "consume", "gain_vp") / 4) if consumes(design) else 0.0),
            "trades": min(1.0, sum(power.value for power in design.powers if power.trades_better) / 3),
            "strength": min(1.0, _power(design, "settle", "military") / 3),
            "discount": min(1.0, (_power(design, "settle", "discount") + _power(design, "develop", "discount")) / 2),
            "explores": min(1.0, _power(design, "explore") / 3),
            "draws": min(1.0, _power(design, "produce", "draw", "draw_if_produced_here", "draw_per_genes_world") / 2),
            "scores": float(bool(design.bonus)),
            "rebel": float(design.has("rebel")),
            "alien": float(design.has("alien")),
        }
        | {_goods(kind): float(design.good == kind) for kind in KINDS[1:]}
    )


@cache
def card_similarity() -> Matrix:
    """Every two cards of the same sort; 0 between developments and worlds. One class more stands for placing nothing,
    which is like nothing else."""
    values = np.array([list(facts_of(design).values()) for design in DESIGNS])
    matrix = np.zeros((DESIGN_COUNT + 1, DESIGN_COUNT + 1))
    matrix[:-1, :-1] = from_facts(values, np.array(list(WEIGHTS.values())))
    worlds = np.array([design.world for design in DESIGNS])
    matrix[:-1, :-1][worlds[:, None] != worlds[None, :]] = 0.0
    matrix[-1, -1] = 1.0
    return matrix
