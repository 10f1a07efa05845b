"""The case index: a case base with the features that retrieval compares, and their weights.

An `IndexProfile` says which features are indexed and how important each is. The weight of a number is its importance
over the standard deviation of the feature in the case base (to the power of the exponent), so that importance means the
same for every feature: what a difference of one standard deviation, or a set with nothing in common, costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.blocks import CaseBlocks, sort_rows
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.retrieval import ALL_CLASSES, NO_GROUP, Neighbours, nearest
from boardwright.cbr.similarity import CODE_COUNT, NumberDistance, Query, SetDistance, WeightedDistance, make_query
from boardwright.cbr.weights import Weights, class_weights, max_over_classes

SMALLEST_DEVIATION = 0.25
"""Numbers that hardly vary are not blown up."""
NO_WINDOW = CODE_COUNT
"""So many times its width make a window as wide as all codes."""
_WIDENED = (1, 2, 4, NO_WINDOW)
"""How many times its width a window has, one after the other, until it holds enough cases."""


@dataclass(frozen=True)
class IndexProfile:
    """Which features are indexed for one kind of decision, and how important they are."""

    k: int
    """How many cases are retrieved."""
    numbers: dict[str, float]
    sets: dict[str, float]
    exponents: dict[str, float] = field(default_factory=dict)
    windows: dict[str, int] = field(default_factory=dict)
    """How far a number may be from the problem's for a case to be compared at all."""
    generalised: dict[str, str] = field(default_factory=dict)
    """The coarser sets that can stand for sets."""
    auxiliary: dict[str, float] = field(default_factory=dict)
    """Derived numbers that can be used besides."""

    def switched(self, *, generalise: bool, auxiliary: bool, windows: bool) -> IndexProfile:
        """The same with some of its parts left out."""
        sets = {self.generalised.get(name, name) if generalise else name: w for name, w in self.sets.items()}
        numbers = {**self.numbers, **(self.auxiliary if auxiliary else {})}
        return IndexProfile(self.k, numbers, sets, self.exponents, self.windows if windows else {})

    def with_k(self, k: int) -> IndexProfile:
        return replace(self, k=k)

    def distance(self, case_base: CaseBase) -> WeightedDistance:
        """Numbers that the case base does not have are left out."""
        schema = case_base.schema
        known = {number.name for number in schema.numbers}
        numbers = []
        for name, importance in self.numbers.items():
            if name in known:
                row, exponent = schema.number_row(name), self.exponents.get(name, 1.0)
                deviation = float(case_base.codes[row].std()) if len(case_base) else 0.0
                weight = importance / max(deviation, SMALLEST_DEVIATION) ** exponent
                numbers.append(NumberDistance(row, weight, exponent))
        sets = [SetDistance(schema.set_position(name), weight) for name, weight in self.sets.items()]
        return WeightedDistance(schema, numbers, sets)


class CaseIndex:
    """A case base that can be asked for the nearest cases. Weights are computed once, from the first case base."""

    def __init__(self, case_base: CaseBase, profile: IndexProfile) -> None:
        self.profile = profile
        self.distance = profile.distance(case_base)
        self.windows = {case_base.schema.number_row(name): width for name, width in profile.windows.items()}
        self._sorted_by = sort_rows(case_base, self.distance, tuple(self.windows))
        self.case_base = case_base
        self.weights: dict[int, Weights] = {
            feature.position: class_weights(case_base, case_base.schema.sets[feature.position].name)
            for feature in self.distance.sets
        }

    @property
    def case_base(self) -> CaseBase:
        return self._case_base

    @case_base.setter
    def case_base(self, case_base: CaseBase) -> None:
        """Cases are sorted by the features with windows, then by their ids, so that of equals those of an earlier stage
        are retrieved."""
        keys = [case_base.codes[case_base.schema.number_row(name)] for name in reversed(self.profile.windows)]
        self._case_base = case_base.subset(np.lexsort((case_base.ids, *keys))) if keys else case_base
        self.blocks = self.blocks_of(self._case_base)

    def blocks_of(self, part: CaseBase) -> CaseBlocks:
        """Some of the cases as retrieval wants them."""
        return CaseBlocks(part, self.distance, self._sorted_by)

    def __len__(self) -> int:
        return len(self.case_base)

    def query(self, problem: CaseBase, case: int, classes: Sequence[int], widened: int = 1) -> Query:
        """A problem, given as case number `case` of a case base, that may belong to any of these classes; its windows
        so many times as wide as the profile says."""
        members = {
            feature.position: problem.members(problem.schema.sets[feature.position].name, case)
            for feature in self.distance.sets
        }
        weights = {position: max_over_classes(table, classes) for position, table in self.weights.items()}
        windows = {row: width * widened for row, width in self.windows.items()}
        return make_query(self.distance, problem.codes[:, case], members, weights, windows)

    def retrieve(
        self,
        problem: CaseBase,
        classes: Sequence[int],
        *,
        case: int = 0,
        k: int = 0,
        allowed: NDArray[np.bool_] = ALL_CLASSES,
        exclude_group: int = NO_GROUP,
    ) -> Neighbours:
        """The nearest cases; windows are widened while they hold fewer than k."""
        wanted = k or self.profile.k
        for widened in _WIDENED if self.windows else (1,):
            query = self.query(problem, case, classes, widened)
            found = nearest(self.blocks, query, wanted, allowed=allowed, exclude_group=exclude_group)
            if len(found.positions) == wanted:
                break
        return found
