"""Points: cases as places in a learned space, one byte per coordinate, and an exact scan for the nearest of them.

The scan adds up one coordinate of many cases at a time, which the machine does for dozens of cases at once; only blocks
in which a case can be near are looked at case by case. Distances are Euclidean over the bytes, and of cases at the same
distance the earlier ones are kept.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.retrieval import Neighbours, insert
from boardwright.kernel import Unit, typeof, types

Codes = NDArray[np.uint8]

_BLOCK = 256
"""Cases whose sums are kept at once, and that are left together if none of them is near."""


def _nearest(points: Any, here: Any, first: int, last: int, neighbours: Neighbours) -> int:
    """Fill `found` with the nearest points and their squared distances; how many there are."""
    kept, worst = 0, np.inf
    sums = np.zeros(_BLOCK, np.int32)
    for start in range(first, last, _BLOCK):
        size = min(_BLOCK, last - start)
        for i in range(size):
            sums[i] = 0
        for d in range(points.shape[0]):
            column, x = points[d, start : start + size], np.int32(here[d])
            for i in range(size):
                apart = np.int32(np.int32(column[i]) - x)
                sums[i] = np.int32(sums[i] + np.int32(apart * apart))
        least = sums[0]
        for i in range(size):
            least = min(least, sums[i])
        if least >= worst:
            continue
        for i in range(size):
            if sums[i] < worst:
                kept = insert(neighbours, kept, start + i, float(sums[i]))
                if kept == neighbours.positions.size:
                    worst = neighbours.distances[kept - 1]
    return kept


@cache
def code() -> Unit:
    """The kernel that finds the nearest points."""
    table, neighbours = np.zeros((1, 1), np.uint8), Neighbours(np.zeros(0, np.int64), np.zeros(0, np.float64))
    signature = types.int64(typeof(table), typeof(table[0]), types.int64, types.int64, typeof(neighbours))
    return Unit("cbr", {"nearest_points": (_nearest, signature)})


def nearest_points(points: Codes, here: Codes, k: int, first: int = 0, last: int | None = None) -> Neighbours:
    """The k nearest points to `here`, nearest first, with their distances: of all, or of those from `first` to before
    `last`. `points` has a row per coordinate and a column per point."""
    end = points.shape[1] if last is None else last
    if not (len(points) == len(here) and 0 <= first <= end <= points.shape[1] and k > 0):
        raise ValueError(f"{len(here)} coordinates, or points {first} to {end}, do not fit {points.shape}")
    found = Neighbours(np.zeros(k, np.int64), np.zeros(k, np.float64))
    kept = code().entry_points["nearest_points"](points, here, first, end, found)
    return Neighbours(found.positions[:kept], np.sqrt(found.distances[:kept]))
