"""Reuse: from the solutions of retrieved cases to a solution of the problem.

A solution that is not among the options at hand is adapted: the most similar option takes its place. Similarity of
solutions is a matrix with 1 on the diagonal. It can come from facts about what the solutions stand for, compared one by
one, or from leave-one-out tests: solutions that are often mistaken for each other are alike. The two have different
scales, so they are combined by rank. The adapted solutions vote.
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

TRUSTED = 5
"""A class tested less often than this says nothing about what it is mistaken for."""


def from_facts(values: NDArray[np.float64], weights: NDArray[np.float64]) -> Matrix:
    """`values`: one row per class, one column per fact, from 0 (the class lacks it) to 1. Two classes are as similar as
    the facts of either agree; what both lack says nothing. Classes without any fact are like nothing else."""
    apart = np.abs(values[:, None, :] - values[None, :, :])
    weighty = weights * np.maximum((values != 0)[:, None, :], (values != 0)[None, :, :])
    total = weighty.sum(-1)
    differing = (apart * weighty).sum(-1)
    matrix: Matrix = 1.0 - np.divide(differing, total, out=np.ones_like(total), where=total > 0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def from_confusions(confusions: NDArray[np.int64]) -> Matrix:
    """`confusions[true, predicted]`, counted in tests. How often either of two classes is mistaken for the other,
    relative to how often it was tested, scaled so that the most similar pair stays below the class itself."""
    tested = confusions.sum(1, keepdims=True)
    rates = np.divide(confusions, tested, out=np.zeros(confusions.shape), where=tested >= TRUSTED)
    alike = rates + rates.T
    np.fill_diagonal(alike, 0.0)
    highest = alike.max()
    matrix: Matrix = np.sqrt(alike / highest) * 0.99 if highest > 0 else alike
    np.fill_diagonal(matrix, 1.0)
    return matrix


def by_rank(matrix: Matrix) -> Matrix:
    """Each row as ranks from 0 to 1, the most similar class highest; equals share the mean of their ranks."""
    one, other = matrix[:, :, None], matrix[:, None, :]
    ranks = np.sum(other < one, axis=2) + (np.sum(other == one, axis=2) - 1) / 2
    return np.asarray(ranks / max(len(matrix) - 1, 1), np.float64)


def combined(confused: Matrix, facts: Matrix, tested: NDArray[np.int64]) -> Matrix:
    """Both matrices as ranks, in equal parts. For a class that was tested too seldom the facts decide alone."""
    ranks = by_rank(facts)
    trusted = tested >= TRUSTED
    ranks[trusted] = (ranks[trusted] + by_rank(confused)[trusted]) / 2
    np.fill_diagonal(ranks, 1.0)
    return ranks


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
