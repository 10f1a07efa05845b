"""How alike two classes are: matrices with 1 on the diagonal, for adapting a solution to the options at hand.

A matrix can come from facts about what the classes stand for, compared feature by feature, or from tests that leave
one group out: classes that are often taken for each other are alike. The two can be combined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

OUT_OF_LINE = 0.35
"""Where the two matrices differ by more, the facts decide."""
TRUSTED = 5
"""A class tested less often than this says nothing about what it is taken for."""


def from_facts(values: NDArray[np.float64], weights: NDArray[np.float64], spans: NDArray[np.float64]) -> Matrix:
    """`values`: one row a class, one column a fact. Facts agree by 1 - |difference| / span, and weigh as given."""
    apart = np.abs(values[:, None, :] - values[None, :, :]) / spans
    return 1.0 - (np.minimum(apart, 1.0) * weights).sum(-1) / weights.sum()


def from_confusions(confusions: NDArray[np.int64]) -> Matrix:
    """`confusions[true, taken for]`, counted in tests. How often either of two classes is taken for the other,
    relative to how often the class is recognised or mistaken at all, scaled so that the closest pair of a row
    stays below the class itself."""
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


def most_alike(matrix: Matrix, solution: int, options: Sequence[int]) -> int:
    """The option that is most like a solution; the solution itself if it is one of them, the first of equals."""
    if solution in options:
        return solution
    return max(options, key=lambda option: (matrix[solution, option], -option))
