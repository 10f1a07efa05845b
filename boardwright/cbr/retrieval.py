"""Retrieve: the exact nearest neighbours of a problem, by a scan over all cases.

The distance (similarity.py) is a sum of terms that are not negative. The scan adds up one term of a block of cases at a
time, which the machine does for several cases at once, the costliest elements of sets first. A block is left as soon as
all of its sums have reached the worst of the k kept so far, and the result is still exact: terms are added in the same
order for every case. Of cases at the same distance the earlier ones are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.similarity import CODE_COUNT, NumberTables, Query, WeightedDistance
from boardwright.kernel.compile import Unit
from boardwright.kernel.declare import rule, typeof, types

_BLOCK = 64
"""Cases whose sums are kept at once."""
_ELEMENTS_AT_ONCE = 2
"""So many elements of sets are added before a block is looked at again."""
NO_GROUP = -1


class Columns(NamedTuple):
    """The columns of a case base that are scanned."""

    codes: NDArray[np.uint8]
    sets: NDArray[np.int64]
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
def within_windows(codes: Any, rows: Any, query: Query, start: int, size: int) -> bool:
    """Whether any case of a block can lie within all windows: in a case base sorted by such a feature most blocks
    cannot."""
    for r in range(rows.size):
        low, high = query.low[r], query.high[r]
        if unbounded(low, high):
            continue
        inside, column = False, codes[rows[r]]
        for i in range(size):
            code = np.int64(column[start + i])
            if low <= code <= high:
                inside = True
                break
        if not inside:
            return False
    return True


@rule
def add_numbers(sums: Any, codes: Any, tables: NumberTables, query: Query, start: int, size: int) -> None:
    """The distances of a block of cases by numbers alone; infinite outside a window."""
    for i in range(size):
        sums[i] = 0.0
    for r in range(tables.rows.size):
        column, slope, centre = codes[tables.rows[r], start : start + size], tables.slopes[r], np.int32(query.centre[r])
        if slope >= 0.0:
            for i in range(size):
                sums[i] += slope * np.float64(abs(np.int32(np.int32(column[i]) - centre)))
        else:
            table, shift = tables.tables[r], CODE_COUNT - 1 - query.centre[r]
            for i in range(size):
                sums[i] += table[np.int64(column[i]) + shift]
        if not unbounded(query.low[r], query.high[r]):
            low, high = np.int32(query.low[r]), np.int32(query.high[r])
            for i in range(size):
                code = np.int32(column[i])
                sums[i] += np.inf if code < low or code > high else 0.0


@rule
def add_sets(sums: Any, sets: Any, query: Query, start: int, size: int, worst: float) -> bool:
    """What the elements cost that cases of a block lack, added to their sums; False if all of these have reached
    `worst`, and none of the cases needs to be looked at."""
    column, bit, cost = query.column, query.bit, query.cost
    for first in range(0, cost.size + 1, _ELEMENTS_AT_ONCE):
        least = sums[0]
        for i in range(size):
            least = min(least, sums[i])
        if least >= worst:
            return False
        for j in range(first, min(first + _ELEMENTS_AT_ONCE, cost.size)):
            words, element, lacking = sets[column[j], start : start + size], bit[j], cost[j]
            for i in range(size):
                sums[i] += lacking if words[i] & element == 0 else 0.0
    return True


@rule
def insert(found: Neighbours, kept: int, case: int, distance: float) -> int:
    """Put a case in its place among those kept so far, which the last one leaves if there is no room; how many are kept
    then."""
    at = min(kept, found.positions.size - 1)
    while at > 0 and found.distances[at - 1] > distance:
        found.distances[at], found.positions[at] = found.distances[at - 1], found.positions[at - 1]
        at -= 1
    found.distances[at], found.positions[at] = distance, case
    return min(kept + 1, found.positions.size)


def _nearest(
    cases: Columns, tables: NumberTables, query: Query, allowed: Any, exclude_group: int, found: Neighbours
) -> int:
    """Fill `found` with the nearest cases; how many there are."""
    kept = 0
    worst = np.inf
    sums = np.zeros(_BLOCK, np.float64)
    classes, groups = cases.classes, cases.groups
    for start in range(0, groups.size, _BLOCK):
        size = min(_BLOCK, groups.size - start)
        if not within_windows(cases.codes, tables.rows, query, start, size):
            continue
        add_numbers(sums, cases.codes, tables, query, start, size)
        if not add_sets(sums, cases.sets, query, start, size, worst):
            continue
        for i in range(size):
            case = start + i
            if sums[i] < worst and allowed[classes[case]] and groups[case] != exclude_group:
                kept = insert(found, kept, case, sums[i])
                if kept == found.positions.size:
                    worst = found.distances[kept - 1]
    return kept


@cache
def code() -> Unit:
    """The kernel that finds the nearest cases."""
    whole, real, byte = np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.uint8)
    signature = types.int64(
        typeof(Columns(np.zeros((1, 0), np.uint8), np.zeros((1, 0), np.int64), byte, whole)),
        typeof(NumberTables(whole, np.zeros((0, 1), np.float64), real)),
        typeof(Query(whole, whole, whole, whole, whole, real)),
        types.boolean[::1],
        types.int64,
        typeof(Neighbours(whole, real)),
    )
    return Unit("cbr", {"nearest": (_nearest, signature)})


ALL_CLASSES = np.ones(CODE_COUNT, np.bool_)


def nearest(
    case_base: CaseBase,
    distance: WeightedDistance,
    query: Query,
    k: int,
    *,
    allowed: NDArray[np.bool_] = ALL_CLASSES,
    exclude_group: int = NO_GROUP,
) -> Neighbours:
    """The k nearest cases whose class is `allowed`, without those of one group."""
    cases = Columns(case_base.codes, case_base.sets, case_base.classes, case_base.groups)
    found = Neighbours(np.zeros(k, np.int64), np.zeros(k, np.float64))
    kept = code().entry_points["nearest"](cases, distance.number_tables, query, allowed, exclude_group, found)
    return Neighbours(found.positions[:kept], found.distances[:kept])


def class_mask(classes: Sequence[int]) -> NDArray[np.bool_]:
    """A mask that allows these classes only."""
    mask = np.zeros_like(ALL_CLASSES)
    mask[list(classes)] = True
    return mask
