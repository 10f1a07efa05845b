"""Training the policy network on the choices of cases, by gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from boardwright.cbr.case_base import CaseBase
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.learn.adam import Adam
from boardwright.scout.cases.features import CLASSES
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import Records
from boardwright.scout.problems.problem import TYPE_ACTION
from boardwright.scout.reasoners.policy_network import (
    INPUTS,
    POLICY_TYPES,
    Bins,
    Mask,
    PolicyHead,
    PolicyNetwork,
    Reals,
    offered_mask,
    one_hot,
    softmax,
)

HIDDEN_UNITS, EPOCHS, BATCH_SIZE, LEARNING_RATE = 160, 8, 256, 2e-3
DROPOUT = 0.3
"""The share of the hidden layer that is left out for each example."""
_ACTIVE_INPUTS = 90
"""About so many inputs are not zero."""
_NEVER = np.float32(-1e9)


class TrainingSet(NamedTuple):
    """The examples of one type of decision."""

    inputs: csr_array
    chosen: NDArray[np.int64]
    offered: Mask | None
    solutions: int

    @classmethod
    def of(cls, kind: int, case_base: CaseBase, bins: Bins) -> TrainingSet:
        inputs = one_hot(case_base, bins)
        if kind == TYPE_ACTION:
            chosen = np.searchsorted(ROUND_ACTIONS, case_base.classes)
            return cls(inputs, chosen, None, len(ROUND_ACTIONS))
        return cls(inputs, case_base.classes.astype(np.int64), offered_mask(case_base), CLASSES)

    def loss_gradient(self, rows: NDArray[np.int64], scores: Reals) -> Reals:
        """The gradient of the mean cross entropy of some rows with respect to their scores."""
        wrong = softmax(scores if self.offered is None else np.where(self.offered[rows], scores, _NEVER))
        wrong[np.arange(len(rows)), self.chosen[rows]] -= 1.0
        return wrong / np.float32(len(rows))


class TypeWeights(NamedTuple):
    """The weights that one type of decision uses: those that all share, and its own head."""

    hidden: Reals
    bias: Reals
    head: Reals
    head_bias: Reals


def train_policy(examples: Records) -> dict[str, Any]:
    """A policy network that fits the choices of these records, as plain data."""
    return train({kind: index_cases(examples[examples["type"] == kind]) for kind in POLICY_TYPES}).as_data()


def train(cases: Mapping[int, CaseBase]) -> PolicyNetwork:
    """A policy network that fits what was chosen in cases of several types."""
    with threadpool_limits(1):  # sums of several threads come out in other orders
        return _train(cases)


def _train(cases: Mapping[int, CaseBase]) -> PolicyNetwork:
    largest = max(cases.values(), key=len)
    bins, rng = Bins.over(largest), np.random.default_rng(0)
    examples = {kind: TrainingSet.of(kind, case_base, bins) for kind, case_base in cases.items()}
    hidden = rng.normal(0.0, _ACTIVE_INPUTS**-0.5, (INPUTS, HIDDEN_UNITS)).astype(np.float32)
    bias = np.zeros(HIDDEN_UNITS, np.float32)
    learners = {
        kind: Adam(
            TypeWeights(
                hidden, bias, np.zeros((HIDDEN_UNITS, e.solutions), np.float32), np.zeros(e.solutions, np.float32)
            )
        )
        for kind, e in examples.items()
    }
    steps = [kind for kind, e in examples.items() for _ in range(-(-len(e.chosen) // BATCH_SIZE))]
    total, done = EPOCHS * len(steps), 0
    for _ in range(EPOCHS):
        batches = {kind: iter(_batches(len(e.chosen), rng)) for kind, e in examples.items()}
        for turn in rng.permutation(len(steps)):
            kind = steps[turn]
            learner = learners[kind]
            learner.step(
                gradient(learner.weights, examples[kind], next(batches[kind]), rng),
                LEARNING_RATE * (1.0 - done / total),
            )
            done += 1
    heads = {kind: PolicyHead(learner.weights.head, learner.weights.head_bias) for kind, learner in learners.items()}
    return PolicyNetwork(bins, hidden, bias, heads)


def _batches(n: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    order = rng.permutation(n)
    return [order[start : start + BATCH_SIZE] for start in range(0, n, BATCH_SIZE)]


def gradient(
    weights: TypeWeights, examples: TrainingSet, rows: NDArray[np.int64], rng: np.random.Generator
) -> TypeWeights:
    """The gradient of the mean loss of a batch, with dropout."""
    inputs = examples.inputs[rows]
    before = inputs @ weights.hidden + weights.bias
    kept = (before > 0) * (rng.random(before.shape, np.float32) >= DROPOUT) / np.float32(1.0 - DROPOUT)
    hidden = before * kept
    error = examples.loss_gradient(rows, hidden @ weights.head + weights.head_bias)
    back = (error @ weights.head.T) * kept
    return TypeWeights(inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
