"""Exact nearest neighbours by a scan over all cases.

The distance is a sum over features, each with its weight:

    numbers   weight · |difference| ** exponent                                          (6.4)
    sets      weight · (1 - weights of what both have / weights of what the problem has)  (6.6)

Only terms that are not negative are ever added, so a case can be left as soon as its sum has reached the worst of the k
kept so far, and the result is still exact. Of cases at the same distance the earlier ones are kept.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from boardwright.cbr.memory import Memory
from boardwright.cbr.metric import SPAN, Compared, Metric, Query
from boardwright.kernel.compile import compiled, rule

_BLOCK = 512
ANY_GROUP = -1


class Cases(NamedTuple):
    """The columns of a memory that are scanned."""

    codes: NDArray[np.uint8]
    sets: NDArray[np.int64]
    classes: NDArray[np.uint8]
    groups: NDArray[np.int64]


class Neighbours(NamedTuple):
    """The nearest cases, nearest first: their places in the memory and their distances."""

    places: NDArray[np.int64]
    distances: NDArray[np.float64]


@rule
def unbounded(low: int, high: int) -> bool:
    return low == 0 and high == SPAN - 1


@rule
def within_windows(codes: Any, rows: Any, query: Query, start: int, size: int) -> bool:
    """Whether any case of a block can lie within all windows: in a memory sorted by such a feature most blocks
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
def add_numbers(sums: Any, codes: Any, compared: Compared, query: Query, start: int, size: int) -> None:
    """The distances of a block of cases by numbers alone; infinite outside a window."""
    for i in range(size):
        sums[i] = 0.0
    for r in range(compared.rows.size):
        column, curve = codes[compared.rows[r]], compared.curves[r]
        low, high, shift = query.low[r], query.high[r], SPAN - 1 - query.centre[r]
        if unbounded(low, high):
            for i in range(size):
                sums[i] += curve[np.int64(column[start + i]) + shift]
            continue
        for i in range(size):
            code = np.int64(column[start + i])
            if code < low or code > high:
                sums[i] = np.inf
            else:
                sums[i] += curve[code + shift]


@rule
def insert(found: Neighbours, kept: int, case: int, distance: float) -> int:
    """Put a case in its place among those kept so far, which the last one leaves if there is no room; how many are kept
    then."""
    at = min(kept, found.places.size - 1)
    while at > 0 and found.distances[at - 1] > distance:
        found.distances[at], found.places[at] = found.distances[at - 1], found.places[at - 1]
        at -= 1
    found.distances[at], found.places[at] = distance, case
    return min(kept + 1, found.places.size)


def _nearest(cases: Cases, compared: Compared, query: Query, allowed: Any, left_out: int, found: Neighbours) -> int:
    """Fill `found` with the nearest cases; how many there are."""
    kept = 0
    worst = np.inf
    sums = np.zeros(_BLOCK, np.float64)
    sets, classes, groups = cases.sets, cases.classes, cases.groups
    column, bit, cost = query.column, query.bit, query.cost
    for start in range(0, groups.size, _BLOCK):
        size = min(_BLOCK, groups.size - start)
        if not within_windows(cases.codes, compared.rows, query, start, size):
            continue
        add_numbers(sums, cases.codes, compared, query, start, size)
        for i in range(size):
            case = start + i
            distance = sums[i]
            if distance >= worst or not allowed[classes[case]] or groups[case] == left_out:
                continue
            for j in range(cost.size):
                if sets[column[j], case] & bit[j] == 0:
                    distance += cost[j]
                    if distance >= worst:
                        break
            if distance < worst:
                kept = insert(found, kept, case, distance)
                if kept == found.places.size:
                    worst = found.distances[kept - 1]
    return kept


@cache
def kernel() -> Any:
    whole, real, byte = np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.uint8)
    signature = types.int64(
        typeof(Cases(np.zeros((1, 0), np.uint8), np.zeros((1, 0), np.int64), byte, whole)),
        typeof(Compared(whole, np.zeros((0, 1), np.float64))),
        typeof(Query(whole, whole, whole, whole, whole, real)),
        types.boolean[::1],
        types.int64,
        typeof(Neighbours(whole, real)),
    )
    return compiled(_nearest, signature, "cbr.nearest")


ALL_CLASSES = np.ones(SPAN, np.bool_)


def nearest(
    memory: Memory,
    metric: Metric,
    query: Query,
    k: int,
    *,
    allowed: NDArray[np.bool_] = ALL_CLASSES,
    left_out: int = ANY_GROUP,
) -> Neighbours:
    """The k nearest cases whose class is `allowed`, without those of one group."""
    cases = Cases(memory.codes, memory.sets, memory.classes, memory.groups)
    found = Neighbours(np.zeros(k, np.int64), np.zeros(k, np.float64))
    kept = kernel()(cases, metric.compared, query, allowed, left_out, found)
    return Neighbours(found.places[:kept], found.distances[:kept])


def similarity(distance: float) -> float:
    """1 for a case that does not differ, towards 0 for distant ones."""
    return 1.0 / (1.0 + distance)
