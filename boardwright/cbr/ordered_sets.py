"""Retrieval where a case is a set with an order, as in SCOUT1: whole solutions are the cases.

A case is the set a successful player ended with, and the position at which each element joined it. A problem is the set
so far and the elements that could be added now.
"""

from __future__ import annotations

import random
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

    def nearest_by_set(
        self, have: Sequence[int], options: Sequence[int], k: int, rng: random.Random
    ) -> list[OrderedSetMatch]:
        """The k nearest cases that contain an option (6.1), one entry for each option a case contains. Cases at the
        same distance come in any order."""
        distances = self.differences(have).astype(np.float64)
        usable = np.flatnonzero(self.present[:, list(options)].any(1))
        return [
            OrderedSetMatch(case, option, float(distances[case]))
            for case in _nearest(usable, distances, k, rng)
            for option in options
            if self.present[case, option]
        ]

    def nearest_by_position(
        self,
        have: Sequence[int],
        options: Sequence[int],
        k: int,
        rng: random.Random,
        *,
        set_weight: float,
        position_weight: float,
        signed: bool = True,
    ) -> list[OrderedSetMatch]:
        """The k nearest cases, each with the option in it that is nearest: the sets' difference, and how far the
        option's position is before the next free one (6.3). `signed`: as printed, so that an option placed later in the
        case is nearer for it; else distances both ways count alike. Equals come in any order."""
        chosen = list(options)
        away = (len(have) + 1 - self.positions[:, chosen].astype(np.int64)).astype(np.float64)
        distances = set_weight * self.differences(have)[:, None] + position_weight * (away if signed else np.abs(away))
        distances[~self.present[:, chosen]] = np.inf
        nearest = distances.min(1, initial=np.inf)
        return [
            OrderedSetMatch(case, option, float(nearest[case]))
            for case in _nearest(np.flatnonzero(np.isfinite(nearest)), nearest, k, rng)
            for option, distance in zip(chosen, distances[case], strict=True)
            if distance == nearest[case]
        ]


def _nearest(usable: NDArray[np.int64], distances: NDArray[np.float64], k: int, rng: random.Random) -> list[int]:
    """The k nearest of the usable cases; chance decides between equals."""
    chance = np.random.default_rng(rng.getrandbits(64)).random(len(usable))
    return [int(case) for case in usable[np.lexsort((chance, distances[usable]))][:k]]
