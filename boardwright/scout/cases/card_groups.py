"""Cards grouped by what they can do, for comparing tableaux that share few cards.

Two cards of a group count as the same: both produce, or come with a good, or neither; both consume or do not; and they
cost about the same. Goods are grouped by their kind. A generalised set has an element for the first, the second and
each further card of a group, up to `COPIES`, so that two producers are not mistaken for one.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.cards import DESIGNS, KINDS, Design, Table

COPIES = 4
COST_BANDS = (2, 4)
"""Cheap cards cost up to the first, expensive ones more than the second."""
_PRODUCTION = ("", "windfall", "production")


def consumes(design: Design) -> bool:
    return any(not power.trades_better for power in design.powers_in("consume"))


def group_of(design: Design) -> int:
    band = sum(design.cost > limit for limit in COST_BANDS)
    return (_PRODUCTION.index(design.production) * 2 + consumes(design)) * (len(COST_BANDS) + 1) + band


GROUP_COUNT = len(_PRODUCTION) * 2 * (len(COST_BANDS) + 1)
GROUP: Table = np.array([group_of(design) for design in DESIGNS], np.int64)
GOOD_GROUP: Table = np.array([max(0, KINDS.index(design.good) - 1) for design in DESIGNS], np.int64)
GOOD_GROUPS = len(KINDS) - 1


def group_name(group: int) -> str:
    rest, band = divmod(group, len(COST_BANDS) + 1)
    production, consumer = divmod(rest, 2)
    words = [("cheap", "middling", "expensive")[band], _PRODUCTION[production] or "other"]
    return " ".join([*words, *(["consumer"] if consumer else [])])
