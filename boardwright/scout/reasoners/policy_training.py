"""Fitting first impressions to the choices of a library, by gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from boardwright.cbr.memory import Memory
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.learn.adam import Adam
from boardwright.scout.cases.features import CLASSES
from boardwright.scout.problems.problem import TYPE_ACTION
from boardwright.scout.reasoners.policy_network import (
    INPUTS,
    Head,
    Impressions,
    Mask,
    Ranges,
    Reals,
    offers_of,
    softmax,
    spread,
)

HIDDEN, EPOCHS, BATCH, RATE = 160, 8, 256, 2e-3
FORGOTTEN = 0.3
"""The share of the hidden layer that each example is learned without, so that no part of it relies on another."""
_ACTIVE = 90
"""About so many inputs are not zero."""
_NEVER = np.float32(-1e9)


class Examples(NamedTuple):
    """The cases of one type."""

    seen: csr_array
    chosen: NDArray[np.int64]
    offered: Mask | None
    solutions: int

    @classmethod
    def of(cls, kind: int, memory: Memory, ranges: Ranges) -> Examples:
        if kind == TYPE_ACTION:
            chosen = np.searchsorted(ROUND_ACTIONS, memory.classes)
            return cls(spread(memory, ranges), chosen, None, len(ROUND_ACTIONS))
        return cls(spread(memory, ranges), memory.classes.astype(np.int64), offers_of(memory), CLASSES)

    def error(self, rows: NDArray[np.int64], scores: Reals) -> Reals:
        """What the likelihoods of some rows got wrong."""
        wrong = softmax(scores if self.offered is None else np.where(self.offered[rows], scores, _NEVER))
        wrong[np.arange(len(rows)), self.chosen[rows]] -= 1.0
        return wrong / np.float32(len(rows))


class Part(NamedTuple):
    """The weights that one type of decision uses: those that all share, and its own."""

    hidden: Reals
    bias: Reals
    head: Reals
    head_bias: Reals


def fit(cases: Mapping[int, Memory]) -> Impressions:
    """Impressions that fit what was chosen in cases of several types."""
    with threadpool_limits(1):  # sums of several threads come out in other orders
        return _fit(cases)


def _fit(cases: Mapping[int, Memory]) -> Impressions:
    everything = max(cases.values(), key=len)
    ranges, chance = Ranges.over(everything), np.random.default_rng(0)
    examples = {kind: Examples.of(kind, memory, ranges) for kind, memory in cases.items()}
    hidden = chance.normal(0.0, _ACTIVE**-0.5, (INPUTS, HIDDEN)).astype(np.float32)
    bias = np.zeros(HIDDEN, np.float32)
    learners = {
        kind: Adam(Part(hidden, bias, np.zeros((HIDDEN, e.solutions), np.float32), np.zeros(e.solutions, np.float32)))
        for kind, e in examples.items()
    }
    steps = [kind for kind, e in examples.items() for _ in range(-(-len(e.chosen) // BATCH))]
    total, done = EPOCHS * len(steps), 0
    for _ in range(EPOCHS):
        batches = {kind: iter(_batches(len(e.chosen), chance)) for kind, e in examples.items()}
        for turn in chance.permutation(len(steps)):
            kind = steps[turn]
            learner = learners[kind]
            slope = slope_of(learner.weights, examples[kind], next(batches[kind]), chance)
            learner.step(slope, RATE * (1.0 - done / total))
            done += 1
    heads = {kind: Head(learner.weights.head, learner.weights.head_bias) for kind, learner in learners.items()}
    return Impressions(ranges, hidden, bias, heads)


def _batches(n: int, chance: np.random.Generator) -> list[NDArray[np.int64]]:
    order = chance.permutation(n)
    return [order[start : start + BATCH] for start in range(0, n, BATCH)]


def slope_of(weights: Part, examples: Examples, rows: NDArray[np.int64], chance: np.random.Generator) -> Part:
    seen = examples.seen[rows]
    first = seen @ weights.hidden + weights.bias
    kept = (first > 0) * (chance.random(first.shape, np.float32) >= FORGOTTEN) / np.float32(1.0 - FORGOTTEN)
    hidden = first * kept
    error = examples.error(rows, hidden @ weights.head + weights.head_bias)
    back = (error @ weights.head.T) * kept
    return Part(seen.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
