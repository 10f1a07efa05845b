"""The hidden layer, kept up to date from one evaluation to the next.

Positions that a search evaluates one after the other for the same seat have most features in common. So the sums of the
hidden layer are kept for each seat, with the features that they were made of, and only the rows of features that have
come, gone or changed are added. Two positions are kept: the last one of the rollout, and its first one, since the next
rollout begins near it. Rounding makes the sums differ in the last digits from those made anew; a search begins anew, so
that it does not depend on the one before it.

Where a game lists its features in parts (kernel/features.py), the sum of each part's rows is kept instead, under the
part's digest, and the sums are those of the parts. Parts that were met before need neither features nor rows. Nothing
depends on what was evaluated before, so parts are kept from one search to the next, as long as the networks are the
same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardwright.kernel import MAX_SEATS, UNCOMPILED, Bytes, SparseFeatures, rule
from boardwright.kernel.arrays import Float32s, Float64s, Int64s
from boardwright.kernel.automatic_features import read_features
from boardwright.kernel.declare import instruction_for
from boardwright.kernel.features import COUNT, DIGEST, EVERYTHING, FIRST_PART, NETWORK, NEW, SEARCHED_WITH, mixed

if TYPE_CHECKING:
    from boardwright.kernel.calls import LearningRules as Rules
    from boardwright.learn.network import Weights
    from boardwright.learn.workspace import Workspace

ROWS_BLOCK = 64
"""Columns whose sums are in registers at a time."""
NOTHING_KEPT = -1
NONE_SINCE, ONE_SINCE, MORE_SINCE = 0, 1, 2
"""How many positions of a seat were evaluated since the rollout began."""


class FirstLayer(NamedTuple):
    """Two rows per seat: the first position of a rollout, and the last one, if it is another."""

    sums: Float32s
    """Before they are rectified."""
    parts: Float32s
    """The sums of the rows of each part that is kept, one after the other: rows of few units lie close together."""
    networks: Float64s
    """A number that tells the networks whose parts are kept from others."""
    stride: Int64s
    """How far apart parts lie, in an array of one: as many numbers as the widest of these networks has units."""
    index: Any
    value: Float32s
    count: Any
    """How many features the sums were made of, or NOTHING_KEPT."""
    evaluated: Int64s
    """One number per seat: NONE_SINCE, ONE_SINCE or MORE_SINCE."""
    change: Float32s
    """Scratch buffer, one number per feature: all 0 between two updates."""
    changed: SparseFeatures
    """Scratch buffer: the features that have changed, and by how much."""

    @classmethod
    def sized(cls, features: int, units: int, parts: int = 0) -> FirstLayer:
        changed = SparseFeatures.with_capacity(2 * features)
        room = changed.index.size
        return cls(
            np.zeros((2 * MAX_SEATS, units), np.float32),
            np.zeros(parts * units, np.float32),
            np.zeros(1),
            np.array([units], np.int64),
            np.zeros((2 * MAX_SEATS, room), np.int64),
            np.zeros((2 * MAX_SEATS, room), np.float32),
            np.full(2 * MAX_SEATS, NOTHING_KEPT, np.int64),
            np.zeros(MAX_SEATS, np.int64),
            np.zeros(features, np.float32),
            changed,
        )


@rule
def forget(kept: FirstLayer, sparse: SparseFeatures, own: Weights, others: Weights) -> None:
    """Begin a search with two networks. Parts stay, unless they are those of other networks, or of weights that have
    changed since: then no digest is the same any more."""
    for seat in range(kept.evaluated.size):
        kept.evaluated[seat] = NONE_SINCE
        kept.count[2 * seat] = NOTHING_KEPT
    networks = fingerprint(own) + 2.0 * fingerprint(others)
    stride = max(own.hidden_bias.size, others.hidden_bias.size)
    if kept.networks[0] != networks or kept.stride[0] != stride:
        kept.networks[0], kept.stride[0] = networks, stride
        sparse.parts[SEARCHED_WITH] += 1


@rule
def fingerprint(weights: Weights) -> float:
    """Some of all weights in one number: training changes all biases of the hidden layer, and networks that have not
    been trained differ in every row."""
    total, last = 1.0, weights.hidden.shape[0] - 1
    for j in range(weights.hidden_bias.size):
        total = 0.75 * total + weights.hidden_bias[j] + 2.0 * weights.hidden[last, j]
    return total


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


def _add_blocks(weights: Any, index: Any, value: Any, first: int, end: int, sums: Any, start: int) -> None:
    units = weights.shape[1] // ROWS_BLOCK * ROWS_BLOCK
    for k in range(first, end):
        for j in range(units):
            sums.reshape(-1)[start + j] += value[k] * weights[index[k], j]


def _sum_blocks(weights: Any, index: Any, value: Any, first: int, end: int, sums: Any, start: int) -> None:
    sums.reshape(-1)[start : start + weights.shape[1] // ROWS_BLOCK * ROWS_BLOCK] = 0.0
    _add_blocks(weights, index, value, first, end, sums, start)


add_blocks = instruction_for(_add_blocks, "add_scaled_rows")
"""`add_blocks(weights, index, value, first, end, sums, start)`: rows of a matrix, each times its value, to sums that
begin at a place, as far as whole blocks of columns go."""
sum_blocks = instruction_for(_sum_blocks, "sum_scaled_rows")
"""The same for sums that begin with 0."""


@rule
def add_rows(weights: Weights, sparse: SparseFeatures, n: int, sums: Any, row: int) -> None:
    units = weights.hidden_bias.size
    add_blocks(weights.hidden, sparse.index, sparse.value, 0, n, sums, row * sums.shape[1])
    for k in range(n if units % ROWS_BLOCK else 0):
        i, x = sparse.index[k], sparse.value[k]
        for j in range(units // ROWS_BLOCK * ROWS_BLOCK, units):
            sums[row, j] += x * weights.hidden[i, j]


@rule
def sum_part(weights: Weights, sparse: SparseFeatures, first: int, end: int, sums: Any, start: int) -> None:
    """The sum of the rows of a part, to be kept at a place."""
    units = weights.hidden_bias.size
    sum_blocks(weights.hidden, sparse.index, sparse.value, first, end, sums, start)
    for j in range(units // ROWS_BLOCK * ROWS_BLOCK, units):
        total = np.float32(0.0)
        for k in range(first, end):
            total += sparse.value[k] * weights.hidden[sparse.index[k], j]
        sums[start + j] = total


@rule
def list_features(rules: Rules, weights: Weights, state: Bytes, seat: int, workspace: Workspace) -> None:
    """The features of what a seat may know of a position; where a game lists them in parts, those of new parts."""
    begin_parts(weights, workspace.sparse)
    read_features(rules, state, seat, workspace)


@rule
def hidden_layer_of_listed(weights: Weights, seat: int, workspace: Workspace) -> None:
    """Their hidden layer, into `hidden`."""
    sparse = workspace.sparse
    if sparse.parts[COUNT] > 0:
        add_parts(weights, sparse, workspace.first_layer, workspace.hidden)
    else:
        update_hidden_layer(weights, sparse, workspace.first_layer, seat, workspace.hidden)
    sparse.parts[COUNT] = EVERYTHING


@rule
def hidden_layer_of(rules: Rules, weights: Weights, state: Bytes, seat: int, workspace: Workspace) -> None:
    list_features(rules, weights, state, seat, workspace)
    hidden_layer_of_listed(weights, seat, workspace)


@rule
def begin_parts(weights: Weights, sparse: SparseFeatures) -> None:
    """Have the next features listed in parts; networks are told apart by where they lie. (Digests need the arithmetic
    of compiled code.)"""
    if not UNCOMPILED:
        sparse.parts[COUNT], sparse.parts[NEW], sparse.parts[DIGEST] = 0, 0, 0
        sparse.parts[NETWORK] = mixed(sparse.parts[SEARCHED_WITH], weights.hidden.ctypes.data)


@rule
def add_parts(weights: Weights, sparse: SparseFeatures, kept: FirstLayer, hidden: Float32s) -> None:
    """The hidden layer of features that were listed in parts. In their order: two parts may have the same place."""
    units, parts, sums = weights.hidden_bias.size, sparse.parts, kept.parts
    for j in range(units):
        hidden[j] = weights.hidden_bias[j]
    for k in range(parts[COUNT]):
        place, first = parts[FIRST_PART + 2 * k], parts[FIRST_PART + 2 * k + 1]
        start = (~place if place < 0 else place) * kept.stride[0]
        if place < 0:
            end = parts[FIRST_PART + 2 * k + 3] if k + 1 < parts[COUNT] else sparse.count[0]
            sum_part(weights, sparse, first, end, sums, start)
        begin = np.uint64(start)  # a number that may be negative would be checked for every unit
        for j in range(units):
            hidden[j] += sums[begin + np.uint64(j)]
    for j in range(units):
        hidden[j] = max(hidden[j], np.float32(0.0))


@rule
def update_hidden_layer(
    weights: Weights, sparse: SparseFeatures, kept: FirstLayer, seat: int, hidden: Float32s
) -> None:
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
