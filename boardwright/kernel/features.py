"""Sparse features: few numbers out of many named ones, which is how a game describes a position to learners.

A game may list its features in parts, each with a digest of all that the part depends on:

    if begins_part(sparse, digest):
        add_feature(sparse, …)

A search keeps the sum of the network's rows for every part that it has met (learn/first_layer.py). `begins_part` is
false for those, and their features need not be found again. Digests are only asked for if `keeps_parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel.declare import rule

_SPARE = 64  # beyond one entry per feature, since a feature may be added in several parts
MAX_PARTS = 64
"""The most parts that a game may list its features in."""
KEPT_PARTS = 512
"""How many parts are kept, a power of 2: a search of Race meets some 150."""
EVERYTHING = -1
"""Instead of a number of parts: all features are listed, whatever is kept."""
COUNT, NEW, SEARCHED_WITH, NETWORK, DIGEST, FIRST_PART = range(6)
"""Where `parts` holds how many parts were listed and how many of them are new, how often searches changed to other
networks, what sets networks apart, and a digest of all parts; then come two numbers per part: its place among those
kept, inverted if it is a new one, and where its features begin in the list."""
_MULTIPLIER = -7046029254386353131  # 2^64 divided by the golden ratio, made odd


class SparseFeatures(NamedTuple):
    """The features that are not zero. Most cards are not in the hand: listing only those that are saves most of the
    work of the network's first layer."""

    index: Any
    value: Any
    count: Any
    parts: Any
    known: Any
    """The digest of the part that is kept in each place."""

    @classmethod
    def with_capacity(cls, features: int, kept: int = 0) -> SparseFeatures:
        """With room for so many features; and to keep so many parts."""
        parts = np.zeros(FIRST_PART + 2 * MAX_PARTS if kept else 1, np.int64)
        parts[COUNT] = EVERYTHING
        return cls(
            np.zeros(features + _SPARE, np.int64),
            np.zeros(features + _SPARE, np.float32),
            np.zeros(1, np.int64),
            parts,
            np.zeros(kept, np.int64),
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


@rule
def keeps_parts(sparse: SparseFeatures) -> bool:
    return sparse.parts[COUNT] != EVERYTHING


@rule
def mixed(digest: int, number: int) -> int:
    """A digest of a digest and one more number, in 64 bits. Only for compiled code: plain Python has wider integers."""
    digest = digest * _MULTIPLIER + number
    return digest ^ digest >> 29


@rule
def begins_part(sparse: SparseFeatures, digest: int) -> bool:
    """Begin a part of the list; whether its features are to be added."""
    parts = sparse.parts
    if parts[COUNT] == EVERYTHING:
        return True
    digest = mixed(digest, parts[NETWORK])
    place, k = digest >> 24 & KEPT_PARTS - 1, FIRST_PART + 2 * parts[COUNT]
    is_new = sparse.known[place] != digest
    sparse.known[place] = digest
    parts[k], parts[k + 1] = ~place if is_new else place, sparse.count[0]
    parts[COUNT] += 1
    parts[NEW] += 1 if is_new else 0
    parts[DIGEST] = mixed(parts[DIGEST], digest)
    return is_new


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
