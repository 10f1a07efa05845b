"""Retrieval with the weights of each case's own class: the first of two ways that the dissertation tried.

A case of class 12 is compared by what matters to class 12, one of class 21 by what matters to that. The way it settled
on, and ours (retrieval.py), gives a problem one set of weights: the largest among the classes it may belong to (6.5).
Here distances of different classes have different scales, so that some classes are retrieved too often.

Plain NumPy, for experiments.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import ALL_CLASSES, NO_GROUP, Neighbours
from boardwright.cbr.similarity import CODE_COUNT


def nearest_by_case_class(
    index: CaseIndex,
    problem: CaseBase,
    *,
    allowed: NDArray[np.bool_] = ALL_CLASSES,
    exclude_group: int = NO_GROUP,
) -> Neighbours:
    """The nearest cases of a problem, given as the only case of a case base; windows do not count."""
    case_base, distance = index.case_base, index.distance
    sums = np.zeros(len(case_base))
    for number, table in zip(distance.numbers, distance.number_tables.tables, strict=True):
        apart = case_base.codes[number.row].astype(np.int64) - int(problem.codes[number.row, 0])
        sums += table[apart + CODE_COUNT - 1]
    for feature in distance.sets:
        name = case_base.schema.sets[feature.position].name
        elements = problem.members(name, 0)
        if elements:
            weights = index.weights[feature.position][case_base.classes][:, elements]
            shared = (weights * case_base.membership(name)[:, elements]).sum(1)
            sums += feature.weight * (1.0 - shared / weights.sum(1))
    sums[~allowed[case_base.classes] | (case_base.groups == exclude_group)] = np.inf
    near = np.argsort(sums, kind="stable")[: index.profile.k]
    near = near[np.isfinite(sums[near])]
    return Neighbours(near, sums[near])
