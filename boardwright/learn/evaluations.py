"""Evaluations that are kept: a search comes to many positions that look the same to a seat.

Where a game lists its features in parts (kernel/features.py), a digest of all parts stands for what the seat knows.
Under it and the legal actions the policy is kept, and the value. In Race a quarter of all evaluations are found here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import Actions, SparseFeatures, rule
from boardwright.kernel.arrays import Float64s, Int64s
from boardwright.kernel.features import COUNT, DIGEST, EVERYTHING, NEW, mixed

PLACES = 512
"""How many evaluations are kept, a power of 2."""
MOST_ACTIONS = 24
"""Policies over more actions are not kept."""
NOT_KEPT = 0
"""The digest of an evaluation that cannot be kept."""


class Evaluations(NamedTuple):
    digest: Int64s
    """Of the evaluation in each place."""
    numbers: Float64s
    """The policy, or the value."""

    @classmethod
    def none(cls) -> Evaluations:
        return cls(np.zeros(PLACES, np.int64), np.zeros((PLACES, MOST_ACTIONS)))


@rule
def evaluation_digest(sparse: SparseFeatures, actions: Actions, n: int) -> int:
    """Of the features just listed and the first n actions; NOT_KEPT unless they were listed in parts."""
    if sparse.parts[COUNT] <= 0 or n > MOST_ACTIONS:
        return NOT_KEPT
    digest = mixed(sparse.parts[DIGEST], n)
    for i in range(n):
        digest = mixed(digest, actions[i])
    return mixed(digest, 0)


@rule
def find_evaluation(evaluations: Evaluations, digest: int, sparse: SparseFeatures, n: int, out: Any) -> bool:
    """Whether the evaluation is kept; then its n numbers are copied, and the features are not looked at any more. The
    sums of new parts have yet to be made, so those evaluations are made too."""
    place = digest >> 24 & PLACES - 1
    if digest == NOT_KEPT or sparse.parts[NEW] or evaluations.digest[place] != digest:
        return False
    for i in range(n):
        out[i] = evaluations.numbers[place, i]
    sparse.parts[COUNT] = EVERYTHING
    return True


@rule
def keep_evaluation(evaluations: Evaluations, digest: int, n: int, numbers: Any) -> None:
    if digest != NOT_KEPT:
        place = digest >> 24 & PLACES - 1
        evaluations.digest[place] = digest
        for i in range(n):
            evaluations.numbers[place, i] = numbers[i]
