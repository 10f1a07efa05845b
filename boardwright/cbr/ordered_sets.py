"""Retrieval where a case is a set with an order, as in SCOUT1: whole solutions are the cases.

A case is the set a successful player ended with, and the position at which each element joined it. A problem is the set
so far and the elements that could be added now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ABSENT = 0


@dataclass(frozen=True)
class OrderedSetMatch:
    """A case, an element of it that could be added, and the distance to the problem."""

    case: int
    element: int
    distance: float


class OrderedSets:
    """`positions[case, element]`: where an element stands in a case, from 1; ABSENT where it does not."""

    def __init__(self, positions: NDArray[np.uint8]) -> None:
        self.positions = positions
        self.present = positions != ABSENT

    def __len__(self) -> int:
        return len(self.positions)

    def differences(self, have: Sequence[int]) -> NDArray[np.int64]:
        """How many elements are in the problem's set or in the case's, but not in both (6.1)."""
        mine = np.zeros(self.present.shape[1], np.bool_)
        mine[list(have)] = True
        return np.asarray((self.present != mine).sum(1), np.int64)

    def nearest_by_set(self, have: Sequence[int], options: Sequence[int], k: int) -> list[OrderedSetMatch]:
        """The k nearest cases that contain an option (6.1), one entry for each option a case contains."""
        distances = self.differences(have)
        usable = np.flatnonzero(self.present[:, list(options)].any(1))
        near = usable[np.argsort(distances[usable], kind="stable")][:k]
        return [
            OrderedSetMatch(int(case), option, float(distances[case]))
            for case in near
            for option in options
            if self.present[case, option]
        ]

    def nearest_by_position(
        self, have: Sequence[int], options: Sequence[int], k: int, set_weight: float, position_weight: float
    ) -> list[OrderedSetMatch]:
        """The k nearest pairs of a case and an option in it: the sets' difference and how far the option's position
        is from the next free one, each with its weight (6.3). Distances both ways count alike."""
        differences = self.differences(have)
        found: list[OrderedSetMatch] = []
        for option in options:
            cases = np.flatnonzero(self.present[:, option])
            away = np.abs(len(have) + 1 - self.positions[cases, option].astype(np.int64))
            distances = set_weight * differences[cases] + position_weight * away
            for place in np.argsort(distances, kind="stable")[:k]:
                found.append(OrderedSetMatch(int(cases[place]), option, float(distances[place])))
        found.sort(key=lambda entry: (entry.distance, entry.case, entry.element))
        return found[:k]
