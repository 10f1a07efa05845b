"""Exact nearest neighbours by a scan over all cases.

The distance is a sum over features, each with its weight:

    numbers   weight · |difference| ** exponent                                          (6.4)
    sets      weight · (1 - weights of what both have / weights of what the problem has)  (6.6)

Only terms that are not negative are ever added, so a case can be left as soon as its sum has reached the worst of the k
kept so far, and the result is still exact. Of cases at the same distance the earlier ones are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardwright.cbr.memory import WIDTH, Layout, Memory
from boardwright.kernel.compile import compiled, rule

_SPAN = 256
_BLOCK = 512
ANY_GROUP = -1


@dataclass(frozen=True)
class NumberMetric:
    """How one numeric feature is compared."""

    row: int
    weight: float
    exponent: float = 1.0

    @property
    def curve(self) -> NDArray[np.float64]:
        """Its share of the distance for every difference, the difference 0 in the middle."""
        return self.weight * np.abs(np.arange(1 - _SPAN, _SPAN)).astype(np.float64) ** self.exponent


@dataclass(frozen=True)
class SetMetric:
    """How one set feature is compared; the weights of its elements come with each problem."""

    place: int
    weight: float


class Metric:
    """All indexed features of a kind of decision."""

    def __init__(self, layout: Layout, numbers: Sequence[NumberMetric], sets: Sequence[SetMetric]) -> None:
        self.layout = layout
        self.numbers = tuple(number for number in numbers if number.weight > 0)
        self.sets = tuple(feature for feature in sets if feature.weight > 0)
        self.rows = np.array([number.row for number in self.numbers], np.int64)
        self.curves = np.array([number.curve for number in self.numbers]).reshape(len(self.rows), 2 * _SPAN - 1)


class Query(NamedTuple):
    """A problem made ready for the scan."""

    centre: NDArray[np.int64]
    """The problem's own code of each indexed number,"""
    low: NDArray[np.int64]
    """and the codes between which a case's must lie."""
    high: NDArray[np.int64]
    column: NDArray[np.int64]
    """For each element of the problem's indexed sets: its column of words, its bit, and what lacking it costs."""
    bit: NDArray[np.int64]
    cost: NDArray[np.float64]


class Neighbours(NamedTuple):
    """The nearest cases, nearest first: their places in the memory and their distances."""

    places: NDArray[np.int64]
    distances: NDArray[np.float64]


def make_query(
    metric: Metric,
    codes: NDArray[np.uint8],
    members: Mapping[int, Sequence[int]],
    weights: Mapping[int, NDArray[np.float64]],
    windows: Mapping[int, int] | None = None,
) -> Query:
    """`members` and `weights`, by the set's place: its elements in the problem, and the weight of every element.
    `windows`, by row: how far a case's number may be from the problem's."""
    centre = codes[metric.rows].astype(np.int64)
    low, high = np.zeros_like(centre), np.full_like(centre, _SPAN - 1)
    for i, number in enumerate(metric.numbers):
        if windows and number.row in windows:
            low[i] = max(0, centre[i] - windows[number.row])
            high[i] = min(_SPAN - 1, centre[i] + windows[number.row])
    columns: list[int] = []
    bits: list[int] = []
    costs: list[float] = []
    for feature in metric.sets:
        elements = members[feature.place]
        own = [float(weights[feature.place][element]) for element in elements]
        total = sum(own)
        if total <= 0:
            continue
        first = metric.layout.first_words[feature.place]
        for element, weight in zip(elements, own, strict=True):
            columns.append(first + element // WIDTH)
            bits.append(1 << element % WIDTH)
            costs.append(feature.weight * weight / total)
    order = sorted(range(len(costs)), key=lambda j: (-costs[j], j))
    return Query(
        centre,
        low,
        high,
        np.array([columns[j] for j in order], np.int64),
        np.array([bits[j] for j in order], np.int64),
        np.array([costs[j] for j in order], np.float64),
    )


@rule
def within_windows(codes: Any, rows: Any, low: Any, high: Any, start: int, size: int) -> bool:
    """Whether any case of a block can lie within all windows: in a memory sorted by such a feature most blocks
    cannot."""
    for r in range(rows.size):
        if low[r] == 0 and high[r] == _SPAN - 1:
            continue
        inside = False
        column_of_codes = codes[rows[r]]
        for i in range(size):
            code = np.int64(column_of_codes[start + i])
            if low[r] <= code <= high[r]:
                inside = True
                break
        if not inside:
            return False
    return True


def _nearest(
    codes: Any,
    sets: Any,
    classes: Any,
    groups: Any,
    rows: Any,
    curves: Any,
    centre: Any,
    low: Any,
    high: Any,
    column: Any,
    bit: Any,
    cost: Any,
    allowed: Any,
    left_out: int,
    places: Any,
    distances: Any,
) -> int:
    """Fill `places` and `distances` with the nearest cases; how many there are."""
    k = places.size
    found = 0
    worst = np.inf
    sums = np.zeros(_BLOCK, np.float64)
    for start in range(0, groups.size, _BLOCK):
        size = min(_BLOCK, groups.size - start)
        for i in range(size):
            sums[i] = 0.0
        if not within_windows(codes, rows, low, high, start, size):
            continue
        for r in range(rows.size):
            column_of_codes, curve = codes[rows[r]], curves[r]
            shift, lowest, highest = _SPAN - 1 - centre[r], low[r], high[r]
            if lowest == 0 and highest == _SPAN - 1:
                for i in range(size):
                    sums[i] += curve[np.int64(column_of_codes[start + i]) + shift]
            else:
                for i in range(size):
                    code = np.int64(column_of_codes[start + i])
                    if code < lowest or code > highest:
                        sums[i] = np.inf
                    else:
                        sums[i] += curve[code + shift]
        for i in range(size):
            total = sums[i]
            case = start + i
            if total >= worst or not allowed[classes[case]] or groups[case] == left_out:
                continue
            for j in range(cost.size):
                if sets[column[j], case] & bit[j] == 0:
                    total += cost[j]
                    if total >= worst:
                        break
            if total >= worst:
                continue
            at = found if found < k else k - 1
            while at > 0 and distances[at - 1] > total:
                distances[at], places[at] = distances[at - 1], places[at - 1]
                at -= 1
            distances[at], places[at] = total, case
            if found < k:
                found += 1
            if found == k:
                worst = distances[k - 1]
    return found


@cache
def kernel() -> Any:
    whole, real = types.int64[::1], types.float64[::1]
    signature = types.int64(
        types.uint8[:, ::1],
        types.int64[:, ::1],
        types.uint8[::1],
        whole,
        whole,
        types.float64[:, ::1],
        *(whole,) * 5,
        real,
        types.boolean[::1],
        types.int64,
        whole,
        real,
    )
    return compiled(_nearest, signature, "cbr.nearest")


ALL_CLASSES = np.ones(_SPAN, np.bool_)


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
    places, distances = np.zeros(k, np.int64), np.zeros(k, np.float64)
    found = kernel()(
        memory.codes,
        memory.sets,
        memory.classes,
        memory.groups,
        metric.rows,
        metric.curves,
        *query,
        allowed,
        left_out,
        places,
        distances,
    )
    return Neighbours(places[:found], distances[:found])


def similarity(distance: float) -> float:
    """1 for a case that does not differ, towards 0 for distant ones."""
    return 1.0 / (1.0 + distance)
