"""Sparse features: few numbers out of many named ones, which is how a game describes a position to learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel.declare import rule

_SPARE = 64  # beyond one entry per feature, since a feature may be added in several parts


class SparseFeatures(NamedTuple):
    """The features that are not zero. Most cards are not in the hand: listing only those that are saves most of the
    work of the network's first layer."""

    index: Any
    value: Any
    count: Any

    @classmethod
    def with_capacity(cls, features: int) -> SparseFeatures:
        return cls(
            np.zeros(features + _SPARE, np.int64), np.zeros(features + _SPARE, np.float32), np.zeros(1, np.int64)
        )

    def dense(self, features: int) -> Any:
        """All features, zeros too."""
        out = np.zeros(features, np.float32)
        n = self.count[0]
        np.add.at(out, self.index[:n], self.value[:n])
        return out


@rule
def add_feature(sparse: SparseFeatures, index: int, value: float) -> None:
    n = sparse.count[0]
    if n < sparse.index.size:  # what does not fit is dropped; `boardwright check` finds games that add so many
        sparse.index[n] = index
        sparse.value[n] = value
        sparse.count[0] = n + (1 if value != 0.0 else 0)


class FeatureLayout:
    """`HAND = layout.block("hand", card_names)` reserves indices and gives the first one."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def block(self, title: str, labels: Sequence[object] = ()) -> int:
        first = len(self._names)
        self._names += [f"{title}: {label}" for label in labels] if labels else [title]
        return first

    def per_seat(self, block: Callable[[str], int], seats: int) -> int:
        """The same blocks for each seat, the own ones first; gives the first index."""
        first, *_ = (block(title) for title in ("own", "next seat's", "second seat's", "third seat's")[:seats])
        return first

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)
