"""Feature weights by gradient: neighbourhood components (Goldberger, Roweis, Hinton and Salakhutdinov, 2004).

A case draws a neighbour at random, the nearer the likelier: in proportion to exp(-distance). The weights are changed
so that the neighbour more likely belongs to the case's own class. Every step moves all weights at once, so that
interplay counts, which a search along one weight at a time does not see. Distances are those of similarity.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import SMALLEST_DEVIATION
from boardwright.cbr.weights import Weights, class_weights, max_over_classes
from boardwright.learn.adam import Adam

Reals = NDArray[np.float32]
Ids = NDArray[np.int64]
OptionsOf = Callable[[int], Sequence[int]]
"""For a case: the classes it may belong to."""

QUERIES, CANDIDATES = 150, 5000
"""How many cases draw a neighbour in a step, and among how many."""
STEPS_PER_SAMPLE = 3
LEARNING_RATE = 0.06
SMALLEST = 0.02
"""Weights begin at least here, so that each has a gradient; those that end below are left out."""
_PROBABLE = 1e-3
"""Added to probabilities, so that a case that no neighbour is like does not count without limit."""
_FAR = np.float32(1e9)


class _Logarithms(NamedTuple):
    """The weights that are learned, as logarithms: a weight is never negative."""

    weights: Reals


class Columns:
    """A case base as the gradient wants it: numbers in standard deviations, sets as rows of zeros and ones."""

    def __init__(self, case_base: CaseBase, names: Sequence[str]) -> None:
        sets = {feature.name for feature in case_base.schema.sets}
        self.case_base = case_base
        self.names = tuple(names)
        self.numbers = {name: _in_deviations(case_base, name) for name in names if name not in sets}
        self.sets = {name: case_base.membership(name).astype(np.float32) for name in names if name in sets}
        self.element_weights: dict[str, Weights] = {name: class_weights(case_base, name) for name in self.sets}

    def differences(self, asked: Ids, candidates: Ids, options_of: OptionsOf) -> Reals:
        """(features, asked × candidates): how far they are apart in each feature."""
        found = np.empty((len(self.names), len(asked), len(candidates)), np.float32)
        options = [list(options_of(int(case))) for case in asked]
        for at, name in enumerate(self.names):
            if name in self.numbers:
                column = self.numbers[name]
                np.abs(column[asked][:, None] - column[candidates], out=found[at])
            else:
                table, present = self.element_weights[name], self.sets[name]
                costs = present[asked] * np.array([max_over_classes(table, classes) for classes in options], np.float32)
                costs /= np.maximum(costs.sum(1, keepdims=True), np.float32(1e-9))
                found[at] = costs.sum(1, keepdims=True) - costs @ present[candidates].T
        return found.reshape(len(self.names), -1)


def _in_deviations(case_base: CaseBase, name: str) -> Reals:
    codes = case_base.codes[case_base.schema.number_row(name)].astype(np.float32)
    return codes / np.float32(max(float(codes.std()), SMALLEST_DEVIATION))


class Sample:
    """Some cases that are asked, some that may be their neighbours, and how far they are apart."""

    def __init__(self, columns: Columns, asked: Ids, candidates: Ids, options_of: OptionsOf) -> None:
        case_base = columns.case_base
        self.shape = len(asked), len(candidates)
        self.differences = columns.differences(asked, candidates, options_of)
        possible = np.zeros((len(asked), case_base.schema.classes), np.bool_)
        for row, case in enumerate(asked):
            possible[row, list(options_of(int(case)))] = True
        own_game = case_base.groups[asked][:, None] == case_base.groups[candidates]
        self.left_out = own_game | ~possible[:, case_base.classes[candidates]]
        self.same_class = case_base.classes[asked][:, None] == case_base.classes[candidates]

    def gradient(self, logarithms: Reals) -> tuple[Reals, float]:
        """Of the mean logarithm of the chance to draw a neighbour of the own class, and this mean."""
        weights = np.exp(logarithms)
        distances = (weights @ self.differences).reshape(self.shape)
        distances[self.left_out] = _FAR
        drawn = np.exp(distances.min(1, keepdims=True) - distances)
        drawn /= drawn.sum(1, keepdims=True)
        right = drawn * self.same_class
        total = right.sum(1, keepdims=True)
        chance = total + np.float32(_PROBABLE)
        pull = (drawn * total - right) / (chance * np.float32(self.shape[0]))
        return weights * (self.differences @ pull.ravel()), float(np.log(chance).mean())


def learn_metric(
    case_base: CaseBase, weights: dict[str, float], options_of: OptionsOf, *, steps: int, rng: np.random.Generator
) -> dict[str, float]:
    """Weights of the same features, as importances (index.py), the largest as large as before."""
    columns, largest = Columns(case_base, list(weights)), max(weights.values())
    start = np.array(list(weights.values()), np.float32) / np.float32(largest)
    learner = Adam(_Logarithms(np.log(np.maximum(start, np.float32(SMALLEST)))))
    with threadpool_limits(1):  # sums of several threads come out in other orders
        for step in range(steps):
            if step % STEPS_PER_SAMPLE == 0:
                asked, candidates = (_some(len(case_base), n, rng) for n in (QUERIES, CANDIDATES))
                sample = Sample(columns, asked, candidates, options_of)
            gradient, _ = sample.gradient(learner.weights.weights)
            learner.step(_Logarithms(-gradient), LEARNING_RATE * (1.0 - step / steps))
    learned = np.exp(learner.weights.weights)
    learned *= np.float32(largest) / learned.max()
    return {
        name: float(weight) if weight >= SMALLEST * largest else 0.0
        for name, weight in zip(columns.names, learned, strict=True)
    }


def _some(n: int, most: int, rng: np.random.Generator) -> Ids:
    return np.sort(rng.choice(n, min(n, most), replace=False)).astype(np.int64)
