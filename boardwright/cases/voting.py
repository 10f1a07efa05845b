"""What the nearest situations say about the options at hand.

An option is judged by the situations most like this one among those that offered it: in what share of them it was
taken, and how the games ended in which it was. The nearer a situation, the more it counts. What was turned down counts
as much as what was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cases.memory import CaseMemory
from boardwright.cbr.points import Codes
from boardwright.cbr.retrieval import Neighbours

_NARROWEST = 1.0
"""The width of a neighbourhood in which nothing differs, in bytes."""
_TURNED_DOWN = 0.5
"""Every option counts as turned down so often besides: one that was offered and taken once is not a certainty."""


@dataclass(frozen=True)
class VotingRule:
    """How many situations count, and how much distances and results do."""

    k: int
    sharpness: float
    """A situation as far away as the farthest retrieved counts exp(-sharpness) times as much as one that is here."""
    result_weight: float
    """How much a choice gains that was made in a game which was won, rather than lost; 0: nothing."""


class Verdict(NamedTuple):
    """What the nearest situations say about one option."""

    merit: float
    """What is compared."""
    near: Neighbours
    """The options of the memory that were looked at."""
    taken: int
    won: float
    """The mean result, from 0 to 1, of the games in which it was taken."""


def judge(memory: CaseMemory, action: int, here: Codes, rule: VotingRule) -> Verdict:
    """One option, at its place in the space."""
    near = memory.nearest(action, here, rule.k)
    if not len(near.positions):
        return Verdict(0.0, near, 0, 0.0)
    weight = _weights(near.distances, rule.sharpness)
    taken = memory.taken[near.positions]
    result = memory.result[memory.case[near.positions]]
    gain = np.exp(rule.result_weight * (result[taken] - 0.5))
    merit = float((weight[taken] * gain).sum() / (weight.sum() + _TURNED_DOWN))
    return Verdict(merit, near, int(taken.sum()), float(result[taken].mean()) if taken.any() else 0.0)


def _weights(distances: NDArray[np.float64], sharpness: float) -> NDArray[np.float64]:
    """Of situations at these distances; the scale is that of the neighbourhood, which is wide where cases are few."""
    return np.exp(-sharpness * np.square(distances / max(float(distances[-1]), _NARROWEST)))
