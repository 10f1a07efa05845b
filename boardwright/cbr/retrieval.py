"""Retrieve: the exact nearest neighbours of a problem, by a scan over all cases.

The distance (similarity.py) is a sum of terms that are not negative, so a case can be left as soon as its sum has
reached the worst of the k kept so far, and the result is still exact. Of cases at the same distance the earlier ones
are kept.
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

_BLOCK = 512
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
        column, table = codes[tables.rows[r]], tables.tables[r]
        low, high, shift = query.low[r], query.high[r], CODE_COUNT - 1 - query.centre[r]
        if unbounded(low, high):
            for i in range(size):
                sums[i] += table[np.int64(column[start + i]) + shift]
            continue
        for i in range(size):
            code = np.int64(column[start + i])
            if code < low or code > high:
                sums[i] = np.inf
            else:
                sums[i] += table[code + shift]


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
    sets, classes, groups = cases.sets, cases.classes, cases.groups
    column, bit, cost = query.column, query.bit, query.cost
    for start in range(0, groups.size, _BLOCK):
        size = min(_BLOCK, groups.size - start)
        if not within_windows(cases.codes, tables.rows, query, start, size):
            continue
        add_numbers(sums, cases.codes, tables, query, start, size)
        for i in range(size):
            case = start + i
            distance = sums[i]
            if distance >= worst or not allowed[classes[case]] or groups[case] == exclude_group:
                continue
            for j in range(cost.size):
                if sets[column[j], case] & bit[j] == 0:
                    distance += cost[j]
                    if distance >= worst:
                        break
            if distance < worst:
                kept = insert(found, kept, case, distance)
                if kept == found.positions.size:
                    worst = found.distances[kept - 1]
    return kept


@cache
def code() -> Unit:
    """The kernel that finds the nearest cases."""
    whole, real, byte = np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.uint8)
    signature = types.int64(
        typeof(Columns(np.zeros((1, 0), np.uint8), np.zeros((1, 0), np.int64), byte, whole)),
        typeof(NumberTables(whole, np.zeros((0, 1), np.float64))),
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
