"""What a batch of games teaches: rows of features, and what the network should have answered.

The lesson about a position's value is the λ-return of temporal-difference learning: mostly what the game came to,
partly what the same seat's later searches thought on the way there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from boardwright.learn.network import Floats
from boardwright.learn.self_play import Diary

Numbers = NDArray[np.int64]


class Batch(NamedTuple):
    """Some rows as arrays."""

    seen: Any
    """The features, as a sparse matrix; what was told twice adds up."""
    value: Floats
    shares: Floats
    options: NDArray[np.bool_]
    """Which actions could be chosen."""


class Lessons(NamedTuple):
    """Rows from many games. Features and options lie end to end, as in a diary; row i's are from `*_start[i]` on."""

    feature: NDArray[np.uint16]
    amount: Floats
    feature_start: Numbers
    action: NDArray[np.uint16]
    share: Floats
    action_start: Numbers
    value: Floats

    @property
    def rows(self) -> int:
        return len(self.value)

    def batch(self, rows: Numbers, features: int, actions: int) -> Batch:
        row, at = _spread(rows, self.feature_start)
        ends = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(rows)))])
        seen = csr_array((self.amount[at], self.feature[at].astype(np.int32), ends), shape=(len(rows), features))
        shares, options = np.zeros((len(rows), actions), np.float32), np.zeros((len(rows), actions), bool)
        row, at = _spread(rows, self.action_start)
        shares[row, self.action[at]] = self.share[at]
        options[row, self.action[at]] = True
        return Batch(seen, self.value[rows], shares, options)


def _spread(rows: Numbers, start: Numbers) -> tuple[Numbers, Numbers]:
    """For every entry of the given rows: which of them it belongs to, and where it lies."""
    lengths = start[rows + 1] - start[rows]
    row = np.repeat(np.arange(len(rows)), lengths)
    at = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(start[rows], lengths)
    return row, at


def values_to_learn(diary: Diary, results: Sequence[float], fade: float) -> Floats:
    """The λ-return of every row: the verdict on the seat's next row counts 1 - fade, and so on to the result."""
    targets = np.zeros(len(diary.seat), np.float32)
    searched = np.diff(diary.action_end, prepend=0) > 0
    for seat, result in enumerate(results):
        ahead = result
        for row in np.flatnonzero(diary.seat == seat)[::-1]:
            targets[row] = ahead
            if searched[row]:
                ahead = (1.0 - fade) * float(diary.value[row]) + fade * ahead
    return targets


def collect(diaries: Sequence[Diary], results: Sequence[Sequence[float]], fade: float) -> Lessons:
    """The lessons of a batch of games. `results` are the payoffs of each seat, from 0 to 1."""
    targets = [values_to_learn(diary, result, fade) for diary, result in zip(diaries, results, strict=True)]
    return Lessons(
        np.concatenate([diary.feature for diary in diaries]),
        np.concatenate([diary.amount for diary in diaries]),
        _starts([diary.feature_end for diary in diaries]),
        np.concatenate([diary.action for diary in diaries]),
        np.concatenate([diary.share for diary in diaries]),
        _starts([diary.action_end for diary in diaries]),
        np.concatenate(targets),
    )


def _starts(ends: Sequence[Numbers]) -> Numbers:
    lengths = np.concatenate([np.diff(end, prepend=0) for end in ends])
    return np.concatenate([[0], np.cumsum(lengths)])
