"""The hidden layer, kept up to date from one evaluation to the next.

Positions that a search evaluates one after the other for the same seat have most features in common. So the sums of the
hidden layer are kept for each seat, with the features that they were made of, and only the rows of features that have
come, gone or changed are added. Two positions are kept: the last one of the rollout, and its first one, since the next
rollout begins near it. Rounding makes the sums differ in the last digits from those made anew; a search begins anew, so
that it does not depend on the one before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardwright.kernel import MAX_SEATS, rule
from boardwright.kernel.declare import instruction_for
from boardwright.kernel.features import SparseFeatures

if TYPE_CHECKING:
    from boardwright.learn.network import Weights

ROWS_BLOCK = 64
"""Columns whose sums are in registers at a time."""
NOTHING_KEPT = -1
NONE_SINCE, ONE_SINCE, MORE_SINCE = 0, 1, 2
"""How many positions of a seat were evaluated since the rollout began."""


class FirstLayer(NamedTuple):
    """Two rows per seat: the first position of a rollout, and the last one, if it is another."""

    sums: Any
    """Before they are rectified."""
    index: Any
    value: Any
    count: Any
    """How many features the sums were made of, or NOTHING_KEPT."""
    evaluated: Any
    """One number per seat: NONE_SINCE, ONE_SINCE or MORE_SINCE."""
    change: Any
    """Scratch buffer, one number per feature: all 0 between two updates."""
    changed: SparseFeatures
    """Scratch buffer: the features that have changed, and by how much."""

    @classmethod
    def sized(cls, features: int, units: int) -> FirstLayer:
        changed = SparseFeatures.with_capacity(2 * features)
        room = changed.index.size
        return cls(
            np.zeros((2 * MAX_SEATS, units), np.float32),
            np.zeros((2 * MAX_SEATS, room), np.int64),
            np.zeros((2 * MAX_SEATS, room), np.float32),
            np.full(2 * MAX_SEATS, NOTHING_KEPT, np.int64),
            np.zeros(MAX_SEATS, np.int64),
            np.zeros(features, np.float32),
            changed,
        )


@rule
def forget(kept: FirstLayer) -> None:
    """Begin anew."""
    for seat in range(kept.evaluated.size):
        kept.evaluated[seat] = NONE_SINCE
        kept.count[2 * seat] = NOTHING_KEPT


@rule
def begin_rollout(kept: FirstLayer) -> None:
    for seat in range(kept.evaluated.size):
        kept.evaluated[seat] = NONE_SINCE


@rule
def note_change(kept: FirstLayer, feature: int, n: int) -> int:
    """Add a feature to those that have changed if it has; how many there are."""
    change = kept.change[feature]
    kept.changed.index[n], kept.changed.value[n] = feature, change
    kept.change[feature] = np.float32(0.0)
    return n + (1 if change != np.float32(0.0) else 0)


@rule
def find_changes(sparse: SparseFeatures, kept: FirstLayer, base: int) -> int:
    """Features that differ from those of a row, into `changed`; how many. Where both lists begin and end alike there is
    nothing to do, which is half of them."""
    n, before, changes = sparse.count[0], kept.count[base], 0
    least = min(n, before)
    start = 0
    while (
        start < least
        and kept.index[base, start] == sparse.index[start]
        and kept.value[base, start] == sparse.value[start]
    ):
        start += 1
    while (
        least > start
        and kept.index[base, before - 1] == sparse.index[n - 1]
        and kept.value[base, before - 1] == sparse.value[n - 1]
    ):
        n, before, least = n - 1, before - 1, least - 1
    for k in range(start, before):
        kept.change[kept.index[base, k]] -= kept.value[base, k]
    for k in range(start, n):
        kept.change[sparse.index[k]] += sparse.value[k]
    for k in range(start, before):
        changes = note_change(kept, kept.index[base, k], changes)
    for k in range(start, n):
        changes = note_change(kept, sparse.index[k], changes)
    return changes


def _add_blocks(weights: Any, index: Any, value: Any, n: int, sums: Any, row: int) -> None:
    units = weights.shape[1] // ROWS_BLOCK * ROWS_BLOCK
    for k in range(n):
        for j in range(units):
            sums[row, j] += value[k] * weights[index[k], j]


add_blocks = instruction_for(_add_blocks, "add_scaled_rows")
"""`add_blocks(weights, index, value, n, sums, row)`: n rows of a matrix, each times its value, into a row of sums, as
far as whole blocks of columns go."""


@rule
def add_rows(weights: Weights, sparse: SparseFeatures, n: int, sums: Any, row: int) -> None:
    units = weights.hidden_bias.size
    add_blocks(weights.hidden, sparse.index, sparse.value, n, sums, row)
    for k in range(n if units % ROWS_BLOCK else 0):
        i, x = sparse.index[k], sparse.value[k]
        for j in range(units // ROWS_BLOCK * ROWS_BLOCK, units):
            sums[row, j] += x * weights.hidden[i, j]


@rule
def update_hidden_layer(weights: Weights, sparse: SparseFeatures, kept: FirstLayer, seat: int, hidden: Any) -> None:
    """The hidden layer of a seat's sparse features."""
    since, first, last = kept.evaluated[seat], 2 * seat, 2 * seat + 1
    base, row = last if since == MORE_SINCE else first, first if since == NONE_SINCE else last
    kept.evaluated[seat] = min(since + 1, MORE_SINCE)
    sums, units, n = kept.sums, weights.hidden_bias.size, sparse.count[0]
    changes = n if kept.count[base] == NOTHING_KEPT else find_changes(sparse, kept, base)
    if changes < n:
        if row != base:
            for j in range(units):
                sums[row, j] = sums[base, j]
        add_rows(weights, kept.changed, changes, sums, row)
    else:
        for j in range(units):
            sums[row, j] = weights.hidden_bias[j]
        add_rows(weights, sparse, n, sums, row)
    for k in range(n):
        kept.index[row, k], kept.value[row, k] = sparse.index[k], sparse.value[k]
    kept.count[row] = n
    for j in range(units):
        hidden[j] = max(sums[row, j], np.float32(0.0))
