"""Cases in a learned space: the policy network says which cases are near, and only the cases vote.

A decision is a point: the square root of the probability that the network gives each solution, so that distances are
Hellinger's between what it expects here and there. For actions all seven solutions count. For placements every option
is judged by itself (option_rates.py), so that its own probability counts, and that of placing nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.blocks import CaseBlocks
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import NO_GROUP, Neighbours
from boardwright.cbr.similarity import Query
from boardwright.scout.cases.features import PASS
from boardwright.scout.problems.problem import TYPE_ACTION
from boardwright.scout.reasoners.option_rates import OptionRates
from boardwright.scout.reasoners.policy_network import PolicyNetwork, Reals, offered_mask
from boardwright.scout.reasoners.recommendation import IndexedProblem


def points_of(network: PolicyNetwork, kind: int, case_base: CaseBase) -> Reals:
    """(cases, solutions): where the cases of a type are."""
    offered = None if kind == TYPE_ACTION else offered_mask(case_base)
    return np.sqrt(network.probabilities(kind, case_base, offered))


def nearest_points(
    points: Reals, here: Reals, k: int, groups: NDArray[np.int64], exclude_group: int = NO_GROUP
) -> Neighbours:
    """The k nearest points, without those of one group; of equals the earlier."""
    distances = np.sqrt(np.square(points - here).sum(1), dtype=np.float64)
    if exclude_group != NO_GROUP:
        distances[groups == exclude_group] = np.inf
    near = np.argpartition(distances, k - 1)[:k] if k < len(distances) else np.arange(len(distances))
    near = near[np.lexsort((near, distances[near]))]
    near = near[np.isfinite(distances[near])]
    return Neighbours(near.astype(np.int64), distances[near])


class LearnedActions:
    """Action cases in the learned space."""

    def __init__(self, network: PolicyNetwork, index: CaseIndex) -> None:
        self.network = network
        self.index = index
        self.points = points_of(network, TYPE_ACTION, index.case_base)

    def nearest(self, indexed: IndexedProblem, exclude_group: int) -> Neighbours:
        here = points_of(self.network, TYPE_ACTION, indexed.features)[0]
        groups = self.index.case_base.groups
        return nearest_points(self.points, here, self.index.profile.k, groups, exclude_group)


class LearnedOptionRates(OptionRates):
    """Option rates whose nearest cases are those of the learned space."""

    def __init__(self, network: PolicyNetwork, index: CaseIndex, kind: int, k: int) -> None:
        super().__init__(index, kind, k)
        self.network = network
        self.points = points_of(network, kind, index.case_base)
        self._points: dict[int, Reals] = {}
        self._last: tuple[IndexedProblem | None, Reals] = (None, np.zeros((1, 0), np.float32))

    def nearest(
        self, indexed: IndexedProblem, option: int, part: CaseBlocks, query: Query, exclude_group: int
    ) -> Neighbours:
        columns = [option, PASS]
        if option not in self._points:
            self._points[option] = self.points[self._offered[:, option]][:, columns]
        here = self._here(indexed)[0, columns]
        return nearest_points(self._points[option], here, self.k, part.case_base.groups, exclude_group)

    def _here(self, indexed: IndexedProblem) -> Reals:
        """Where a problem is, computed once for all of its options."""
        last, here = self._last
        if last is not indexed:
            here = points_of(self.network, self.kind, indexed.features)
            self._last = indexed, here
        return here
