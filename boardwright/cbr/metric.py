"""How cases are compared with a problem: the features that count, with their weights, and a problem made ready."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.memory import WIDTH, Layout

SPAN = 256
"""How many codes a number can have."""


@dataclass(frozen=True)
class NumberMetric:
    """How one numeric feature is compared."""

    row: int
    weight: float
    exponent: float = 1.0

    @property
    def curve(self) -> NDArray[np.float64]:
        """Its share of the distance for every difference, the difference 0 in the middle."""
        return self.weight * np.abs(np.arange(1 - SPAN, SPAN)).astype(np.float64) ** self.exponent


@dataclass(frozen=True)
class SetMetric:
    """How one set feature is compared; the weights of its elements come with each problem."""

    place: int
    weight: float


class Compared(NamedTuple):
    """The numbers of a metric as the scan wants them: the row of each, and its curve."""

    rows: NDArray[np.int64]
    curves: NDArray[np.float64]


class Metric:
    """All indexed features of a kind of decision."""

    def __init__(self, layout: Layout, numbers: Sequence[NumberMetric], sets: Sequence[SetMetric]) -> None:
        self.layout = layout
        self.numbers = tuple(number for number in numbers if number.weight > 0)
        self.sets = tuple(feature for feature in sets if feature.weight > 0)
        rows = np.array([number.row for number in self.numbers], np.int64)
        curves = np.array([number.curve for number in self.numbers]).reshape(len(rows), 2 * SPAN - 1)
        self.compared = Compared(rows, curves)


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


def make_query(
    metric: Metric,
    codes: NDArray[np.uint8],
    members: Mapping[int, Sequence[int]],
    weights: Mapping[int, NDArray[np.float64]],
    windows: Mapping[int, int] | None = None,
) -> Query:
    """`members` and `weights`, by the set's place: its elements in the problem, and the weight of every element.
    `windows`, by row: how far a case's number may be from the problem's."""
    centre = codes[metric.compared.rows].astype(np.int64)
    low, high = np.zeros_like(centre), np.full_like(centre, SPAN - 1)
    for i, number in enumerate(metric.numbers):
        if windows and number.row in windows:
            low[i] = max(0, centre[i] - windows[number.row])
            high[i] = min(SPAN - 1, centre[i] + windows[number.row])
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
