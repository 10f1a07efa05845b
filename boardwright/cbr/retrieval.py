"""Retrieve: the exact nearest neighbours of a problem.

The distance (similarity.py) is a sum of terms that are not negative. Cases come in blocks of similar ones (blocks.py),
and what is known of a block bounds the distance of all its cases. Blocks are looked at from the lowest bound on, until
the next is beyond the worst of the k kept so far. Within a block one term of all its cases is added up at a time, which
the machine does for several at once, the costliest elements of sets first; the block is left as soon as all of its sums
are beyond that worst. The result is that of a scan over all cases, to the last bit: terms, and bounds of terms, are
added in the same order for every case. Of cases at the same distance the earlier ones are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.blocks import BLOCK, Blocks, CaseBlocks
from boardwright.cbr.similarity import CODE_COUNT, NumberTables, Query
from boardwright.kernel import Unit, rule, typeof, types

_ELEMENTS_AT_ONCE = 2
"""So many elements of sets are added before a block is looked at again."""
_STEPS = 256
"""Blocks are looked at in so many steps of their bounds, the nearest first."""
NO_GROUP = -1


class Labels(NamedTuple):
    """What says whether a case may be retrieved."""

    classes: NDArray[np.uint8]
    groups: NDArray[np.int64]


class Neighbours(NamedTuple):
    """The nearest cases, nearest first: their positions in the case base, and their distances."""

    positions: NDArray[np.int64]
    distances: NDArray[np.float64]


@rule
def unbounded(low: int, high: int) -> bool:
    return low == 0 and high == CODE_COUNT - 1


@rule
def bound_by_numbers(bounds: Any, blocks: Blocks, tables: NumberTables, query: Query) -> None:
    """The least distance that a case of each block can have by numbers alone; infinite outside a window."""
    for b in range(bounds.size):
        bounds[b] = 0.0
    for r in range(tables.rows.size):
        lowest, highest, slope = blocks.lowest[r], blocks.highest[r], tables.slopes[r]
        centre = np.int32(query.centre[r])
        if slope >= 0.0:
            for b in range(bounds.size):
                apart = max(np.int32(np.int32(lowest[b]) - centre), np.int32(centre - np.int32(highest[b])))
                bounds[b] += slope * np.float64(max(apart, np.int32(0)))
        else:
            table = tables.tables[r]
            for b in range(bounds.size):
                apart = max(np.int32(np.int32(lowest[b]) - centre), np.int32(centre - np.int32(highest[b])))
                bounds[b] += table[np.int64(max(apart, np.int32(0))) + CODE_COUNT - 1]
        if not unbounded(query.low[r], query.high[r]):
            low, high = np.int32(query.low[r]), np.int32(query.high[r])
            for b in range(bounds.size):
                bounds[b] += np.inf if np.int32(highest[b]) < low or np.int32(lowest[b]) > high else 0.0


@rule
def nearest_blocks_first(bounds: Any, order: Any, ends: Any) -> float:
    """Fill `order` with the blocks that have a finite bound, those of the lowest step first, and `ends` with where
    each step ends; how much a step is."""
    farthest = 0.0
    for b in range(bounds.size):
        if bounds[b] < np.inf:
            farthest = max(farthest, bounds[b])
    step = max(farthest / (ends.size - 1), 1e-9)
    ends[:] = 0
    for b in range(bounds.size):
        if bounds[b] < np.inf:
            ends[np.int64(bounds[b] / step)] += 1
    at = 0
    for i in range(ends.size):
        at, ends[i] = at + ends[i], at
    for b in range(bounds.size):
        if bounds[b] < np.inf:
            own = np.int64(bounds[b] / step)
            order[ends[own]] = b
            ends[own] += 1
    return step


@rule
def can_be_near(bound: float, present: Any, word_at: Any, query: Query, worst: float) -> bool:
    """Whether a block's bound stays within `worst` if what none of its cases has is added."""
    for j in range(query.cost.size):
        if present[word_at[query.column[j]]] & query.bit[j] == 0:
            bound += query.cost[j]
    return bound <= worst


@rule
def add_numbers(sums: Any, codes: Any, tables: NumberTables, query: Query) -> None:
    """The distances of a block of cases by numbers alone; infinite outside a window."""
    for i in range(BLOCK):
        sums[i] = 0.0
    for r in range(tables.rows.size):
        column, slope, centre = codes[r], tables.slopes[r], np.int32(query.centre[r])
        if slope >= 0.0:
            for i in range(BLOCK):
                sums[i] += slope * np.float64(abs(np.int32(np.int32(column[i]) - centre)))
        else:
            table, shift = tables.tables[r], CODE_COUNT - 1 - query.centre[r]
            for i in range(BLOCK):
                sums[i] += table[np.int64(column[i]) + shift]
        if not unbounded(query.low[r], query.high[r]):
            low, high = np.int32(query.low[r]), np.int32(query.high[r])
            for i in range(BLOCK):
                code = np.int32(column[i])
                sums[i] += np.inf if code < low or code > high else 0.0


@rule
def add_sets(sums: Any, words: Any, word_at: Any, query: Query, worst: float) -> bool:
    """What the elements cost that cases of a block lack, added to their sums; False if all of these are beyond
    `worst`, and none of the cases needs to be looked at."""
    column, bit, cost = query.column, query.bit, query.cost
    for first in range(0, cost.size + 1, _ELEMENTS_AT_ONCE):
        least = sums[0]
        for i in range(BLOCK):
            least = min(least, sums[i])
        if least > worst:
            return False
        for j in range(first, min(first + _ELEMENTS_AT_ONCE, cost.size)):
            here, element, lacking = words[word_at[column[j]]], bit[j], cost[j]
            for i in range(BLOCK):
                sums[i] += lacking if here[i] & element == 0 else 0.0
    return True


@rule
def insert(neighbours: Neighbours, kept: int, case: int, distance: float) -> int:
    """Put a case in its place among those kept so far, which the last one leaves if there is no room; how many are kept
    then. Of cases at the same distance those at earlier positions come first."""
    at = min(kept, neighbours.positions.size - 1)
    while at > 0 and (
        neighbours.distances[at - 1] > distance
        or (neighbours.distances[at - 1] == distance and neighbours.positions[at - 1] > case)
    ):
        neighbours.distances[at], neighbours.positions[at] = neighbours.distances[at - 1], neighbours.positions[at - 1]
        at -= 1
    neighbours.distances[at], neighbours.positions[at] = distance, case
    return min(kept + 1, neighbours.positions.size)


def _nearest(
    blocks: Blocks,
    labels: Labels,
    tables: NumberTables,
    query: Query,
    allowed: Any,
    exclude_group: int,
    neighbours: Neighbours,
) -> int:
    """Fill `found` with the nearest cases; how many there are."""
    kept, worst, last = 0, np.inf, 0
    count = blocks.codes.shape[0]
    bounds, order, ends = np.empty(count, np.float64), np.empty(count, np.int64), np.zeros(_STEPS, np.int64)
    sums = np.empty(BLOCK, np.float64)
    bound_by_numbers(bounds, blocks, tables, query)
    step = nearest_blocks_first(bounds, order, ends)
    for i in range(ends[_STEPS - 1]):
        b = order[i]
        if bounds[b] > worst:
            if bounds[b] > worst + 2 * step:  # and so are all that follow
                break
            continue
        if not can_be_near(bounds[b], blocks.present[b], blocks.word_at, query, worst):
            continue
        add_numbers(sums, blocks.codes[b], tables, query)
        if not add_sets(sums, blocks.words[b], blocks.word_at, query, worst):
            continue
        for j in range(min(BLOCK, blocks.positions.size - b * BLOCK)):
            if sums[j] > worst or sums[j] == np.inf:
                continue
            case: Any = np.int64(blocks.positions[b * BLOCK + j])
            if sums[j] == worst and case > last:
                continue
            if allowed[labels.classes[case]] and labels.groups[case] != exclude_group:
                kept = insert(neighbours, kept, case, sums[j])
                if kept == neighbours.positions.size:
                    worst, last = neighbours.distances[kept - 1], neighbours.positions[kept - 1]
    return kept


@cache
def code() -> Unit:
    """The kernel that finds the nearest cases."""
    whole, real, byte = np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.uint8)
    bytes_, words = np.zeros((0, 0, 0), np.uint8), np.zeros((0, 0, 0), np.int64)
    flat = np.zeros((0, 0), np.uint8)
    signature = types.int64(
        typeof(Blocks(np.zeros(0, np.int32), bytes_, words, whole, flat, flat, np.zeros((0, 0), np.int64))),
        typeof(Labels(byte, whole)),
        typeof(NumberTables(whole, np.zeros((0, 1), np.float64), real)),
        typeof(Query(whole, whole, whole, whole, whole, real)),
        types.boolean[::1],
        types.int64,
        typeof(Neighbours(whole, real)),
    )
    return Unit("cbr", {"nearest": (_nearest, signature)})


ALL_CLASSES = np.ones(CODE_COUNT, np.bool_)


def nearest(
    cases: CaseBlocks,
    query: Query,
    k: int,
    *,
    allowed: NDArray[np.bool_] = ALL_CLASSES,
    exclude_group: int = NO_GROUP,
) -> Neighbours:
    """The k nearest cases whose class is `allowed`, without those of one group."""
    labels = Labels(cases.case_base.classes, cases.case_base.groups)
    found = Neighbours(np.zeros(k, np.int64), np.zeros(k, np.float64))
    tables = cases.distance.number_tables
    kept = code().entry_points["nearest"](cases.blocks, labels, tables, query, allowed, exclude_group, found)
    return Neighbours(found.positions[:kept], found.distances[:kept])


def class_mask(classes: Sequence[int]) -> NDArray[np.bool_]:
    """A mask that allows these classes only."""
    mask = np.zeros_like(ALL_CLASSES)
    mask[list(classes)] = True
    return mask
