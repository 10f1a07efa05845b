"""How similar a case is to a problem: a local distance per feature, and their weighted sum.

    numbers   weight · |difference| ** exponent                                          (6.4)
    sets      weight · (1 - weights of what both have / weights of what the problem has)  (6.6)

The numbers in brackets are the formulas of the dissertation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.schema import WORD_BITS, CaseSchema

CODE_COUNT = 256
"""How many codes a number feature can have."""


@dataclass(frozen=True)
class NumberDistance:
    """How one number feature is compared."""

    row: int
    weight: float
    exponent: float = 1.0

    @property
    def table(self) -> NDArray[np.float64]:
        """The distance for every difference of codes, with the difference 0 in the middle."""
        return self.weight * np.abs(np.arange(1 - CODE_COUNT, CODE_COUNT)).astype(np.float64) ** self.exponent


@dataclass(frozen=True)
class SetDistance:
    """How one set feature is compared; the weights of its elements come with each problem."""

    position: int
    weight: float


class NumberTables(NamedTuple):
    """The distances of number features as the scan wants them: the row of each, its table, and what a difference of
    one costs if the distance grows evenly, else a negative number."""

    rows: NDArray[np.int64]
    tables: NDArray[np.float64]
    slopes: NDArray[np.float64]


class WeightedDistance:
    """The weighted sum of the distances of all indexed features."""

    def __init__(self, schema: CaseSchema, numbers: Sequence[NumberDistance], sets: Sequence[SetDistance]) -> None:
        self.schema = schema
        self.numbers = tuple(number for number in numbers if number.weight > 0)
        self.sets = tuple(feature for feature in sets if feature.weight > 0)
        rows = np.array([number.row for number in self.numbers], np.int64)
        tables = np.array([number.table for number in self.numbers]).reshape(len(rows), 2 * CODE_COUNT - 1)
        slopes = np.array([number.weight if number.exponent == 1.0 else -1.0 for number in self.numbers])
        self.number_tables = NumberTables(rows, tables, slopes)


class Query(NamedTuple):
    """A problem made ready for the scan."""

    centre: NDArray[np.int64]
    """The problem's own code of each indexed number."""
    low: NDArray[np.int64]
    """The codes between which a case's must lie."""
    high: NDArray[np.int64]
    column: NDArray[np.int64]
    """For each element of the problem's indexed sets: its column of words, its bit, and what lacking it costs."""
    bit: NDArray[np.int64]
    cost: NDArray[np.float64]


def make_query(
    distance: WeightedDistance,
    codes: NDArray[np.uint8],
    members: Mapping[int, Sequence[int]],
    weights: Mapping[int, NDArray[np.float64]],
    windows: Mapping[int, int] | None = None,
) -> Query:
    """`members` and `weights`, by the set's position: its elements in the problem, and the weight of every element.
    `windows`, by row: how far a case's number may be from the problem's."""
    centre = codes[distance.number_tables.rows].astype(np.int64)
    low, high = np.zeros_like(centre), np.full_like(centre, CODE_COUNT - 1)
    for i, number in enumerate(distance.numbers):
        if windows and number.row in windows:
            low[i] = max(0, centre[i] - windows[number.row])
            high[i] = min(CODE_COUNT - 1, centre[i] + windows[number.row])
    columns: list[int] = []
    bits: list[int] = []
    costs: list[float] = []
    for feature in distance.sets:
        elements = members[feature.position]
        own = [float(weights[feature.position][element]) for element in elements]
        total = sum(own)
        if total <= 0:
            continue
        first = distance.schema.first_words[feature.position]
        for element, weight in zip(elements, own, strict=True):
            columns.append(first + element // WORD_BITS)
            bits.append(1 << element % WORD_BITS)
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


def similarity(distance: float) -> float:
    """1 for a case that does not differ, towards 0 for distant ones."""
    return 1.0 / (1.0 + distance)
