"""A case base ready to be asked: its cases, its metric, and what matters to each class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.memory import Memory
from boardwright.cbr.metric import Query, make_query
from boardwright.cbr.relevance import Weights, class_weights, merged
from boardwright.cbr.retrieval import ALL_CLASSES, ANY_GROUP, Neighbours, nearest
from boardwright.scout.cases.features import LAYOUT
from boardwright.scout.cases.profiles import Profile

_WIDEN = 3
"""How often a stage window is doubled before it is given up."""


class CaseBase:
    """The cases of one type of decision."""

    def __init__(self, memory: Memory, profile: Profile) -> None:
        self.profile = profile
        self.memory = memory
        self.metric = profile.metric(memory)
        self.windows = {LAYOUT.row(name): width for name, width in profile.windows.items()}
        self.weights: dict[int, Weights] = {
            feature.place: class_weights(memory, LAYOUT.sets[feature.place].name) for feature in self.metric.sets
        }

    @property
    def memory(self) -> Memory:
        return self._memory

    @memory.setter
    def memory(self, memory: Memory) -> None:
        """Cases are kept in the order of the features with windows, so that a scan can skip most of the others."""
        keys = [memory.codes[LAYOUT.row(name)] for name in reversed(self.profile.windows)]
        self._memory = memory.kept(np.lexsort((memory.ids, *keys))) if keys else memory

    def __len__(self) -> int:
        return len(self.memory)

    def query(self, problem: Memory, case: int, solutions: Sequence[int], widen: int = 0) -> Query:
        """A problem, indexed at `case` of a memory, that may have any of these solutions."""
        members = {
            feature.place: problem.members(LAYOUT.sets[feature.place].name, case) for feature in self.metric.sets
        }
        weights = {place: merged(table, solutions) for place, table in self.weights.items()}
        windows = {row: width << widen for row, width in self.windows.items()}
        return make_query(self.metric, problem.codes[:, case], members, weights, windows)

    def retrieve(
        self,
        problem: Memory,
        solutions: Sequence[int],
        *,
        case: int = 0,
        k: int = 0,
        allowed: NDArray[np.bool_] = ALL_CLASSES,
        left_out: int = ANY_GROUP,
    ) -> Neighbours:
        """The nearest cases; stage windows are widened while they hold fewer than k."""
        wanted = k or self.profile.k
        for widen in range(_WIDEN + 1):
            query = self.query(problem, case, solutions, widen if widen < _WIDEN else 8)
            found = nearest(self.memory, self.metric, query, wanted, allowed=allowed, left_out=left_out)
            if len(found.places) == wanted or not self.windows:
                break
        return found


def only(classes: Sequence[int]) -> NDArray[np.bool_]:
    """A mask that allows these classes."""
    mask = np.zeros_like(ALL_CLASSES)
    mask[list(classes)] = True
    return mask
