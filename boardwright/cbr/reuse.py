"""Reuse: from the solutions of retrieved cases to a solution of the problem.

A solution that is not among the options at hand is adapted: the most similar option takes its place. Similarity of
solutions is a matrix with 1 on the diagonal. It can come from facts about what the solutions stand for, compared one by
one, or from leave-one-out tests: solutions that are often mistaken for each other are alike. The two can be combined.
The adapted solutions vote.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Selection = Literal["proportional", "best"]
"""How one solution is selected: a draw in proportion to the votes, or the one with most votes."""

OUT_OF_LINE = 0.35
"""Where the two matrices differ by more, the facts decide."""
TRUSTED = 5
"""A class tested less often than this says nothing about what it is mistaken for."""


def from_facts(values: NDArray[np.float64], weights: NDArray[np.float64], spans: NDArray[np.float64]) -> Matrix:
    """`values`: one row per class, one column per fact. Facts agree by 1 - |difference| / span, and weigh as given."""
    apart = np.abs(values[:, None, :] - values[None, :, :]) / spans
    return 1.0 - (np.minimum(apart, 1.0) * weights).sum(-1) / weights.sum()


def from_confusions(confusions: NDArray[np.int64]) -> Matrix:
    """`confusions[true, predicted]`, counted in tests. How often either of two classes is mistaken for the other,
    relative to how often it was tested, scaled so that the most similar pair stays below the class itself."""
    tested = confusions.sum(1)
    rates = confusions / np.maximum(tested, 1)[:, None]
    rates[tested < TRUSTED] = 0.0
    alike = (rates + rates.T) / 2
    np.fill_diagonal(alike, 0.0)
    highest = alike.max()
    matrix: Matrix = np.sqrt(alike / highest) * 0.99 if highest > 0 else alike
    np.fill_diagonal(matrix, 1.0)
    return matrix


def combined(confused: Matrix, facts: Matrix, tested: NDArray[np.int64]) -> Matrix:
    """The matrix of confusions, corrected by the facts where the two are out of line or nothing was tested."""
    trusted = np.minimum.outer(tested, tested) >= TRUSTED
    in_line = np.abs(confused - facts) <= OUT_OF_LINE
    return np.where(trusted & in_line, (confused + facts) / 2, facts)


def most_similar(matrix: Matrix, solution: int, options: Sequence[int]) -> int:
    """The option that is most similar to a solution; the solution itself if it is one of them, the first of equals."""
    if solution in options:
        return solution
    return max(options, key=lambda option: (matrix[solution, option], -option))


def select(votes: Counter[int], selection: Selection, rng: random.Random) -> int:
    """One of the solutions: in proportion to its votes (6.2), or the one with most, the first of equals."""
    if selection == "best":
        return max(votes, key=lambda solution: votes[solution])
    return rng.choices(list(votes), list(votes.values()))[0]


def vote_shares(votes: Counter[int]) -> list[tuple[int, float]]:
    """Every solution with its share, the largest first."""
    total = sum(votes.values())
    return [(solution, number / total) for solution, number in votes.most_common()] if total else []
