"""Training the policy network on the choices of cases, by gradient descent, from scratch or from another network."""

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
    SOLUTIONS,
    Bins,
    Mask,
    PolicyHead,
    PolicyNetwork,
    Reals,
    offered_mask,
    one_hot,
    softmax,
)

HIDDEN_UNITS, BATCH_SIZE = 160, 256
_ACTIVE_INPUTS = 90
"""About so many inputs are not zero."""
_NEVER = np.float32(-1e9)


class Schedule(NamedTuple):
    """How long and how fast a network is trained."""

    epochs: int
    learning_rate: float
    """At the beginning; it falls to 0."""
    dropout: float
    """The share of the hidden layer that is left out for each example."""


FROM_SCRATCH = Schedule(8, 2e-3, 0.3)
FURTHER = Schedule(3, 3e-4, 0.1)
"""For a network that knows the game already, and fewer examples."""


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


def train_policy(examples: Records, start: PolicyNetwork | None = None) -> dict[str, Any]:
    """A policy network that fits the choices of these records, as plain data; `start`: trained further from there."""
    return train({kind: index_cases(examples[examples["type"] == kind]) for kind in POLICY_TYPES}, start).as_data()


def train(cases: Mapping[int, CaseBase], start: PolicyNetwork | None = None) -> PolicyNetwork:
    """A policy network that fits what was chosen in cases of several types."""
    with threadpool_limits(1):  # sums of several threads come out in other orders
        rng = np.random.default_rng(0)
        network = _untrained(cases, rng) if start is None else start
        return _train(network, cases, FROM_SCRATCH if start is None else FURTHER, rng)


def _untrained(cases: Mapping[int, CaseBase], rng: np.random.Generator) -> PolicyNetwork:
    """Random weights into the hidden layer, and heads that know nothing."""
    bins = Bins.over(max(cases.values(), key=len))
    hidden = rng.normal(0.0, _ACTIVE_INPUTS**-0.5, (INPUTS, HIDDEN_UNITS)).astype(np.float32)
    heads = {
        kind: PolicyHead(np.zeros((HIDDEN_UNITS, SOLUTIONS[kind]), np.float32), np.zeros(SOLUTIONS[kind], np.float32))
        for kind in cases
    }
    return PolicyNetwork(bins, hidden, np.zeros(HIDDEN_UNITS, np.float32), heads)


def _train(
    start: PolicyNetwork, cases: Mapping[int, CaseBase], schedule: Schedule, rng: np.random.Generator
) -> PolicyNetwork:
    examples = {kind: TrainingSet.of(kind, case_base, start.bins) for kind, case_base in cases.items()}
    hidden, bias = start.hidden.copy(), start.bias.copy()  # which all types of decision change
    learners = {
        kind: Adam(TypeWeights(hidden, bias, start.heads[kind].weights.copy(), start.heads[kind].bias.copy()))
        for kind in examples
    }
    steps = [kind for kind, e in examples.items() for _ in range(-(-len(e.chosen) // BATCH_SIZE))]
    total, done = schedule.epochs * len(steps), 0
    for _ in range(schedule.epochs):
        batches = {kind: iter(_batches(len(e.chosen), rng)) for kind, e in examples.items()}
        for turn in rng.permutation(len(steps)):
            kind = steps[turn]
            learner = learners[kind]
            learner.step(
                gradient(learner.weights, examples[kind], next(batches[kind]), rng, schedule.dropout),
                schedule.learning_rate * (1.0 - done / total),
            )
            done += 1
    heads = {kind: PolicyHead(learner.weights.head, learner.weights.head_bias) for kind, learner in learners.items()}
    return PolicyNetwork(start.bins, hidden, bias, heads)


def _batches(n: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    order = rng.permutation(n)
    return [order[start : start + BATCH_SIZE] for start in range(0, n, BATCH_SIZE)]


def gradient(
    weights: TypeWeights,
    examples: TrainingSet,
    rows: NDArray[np.int64],
    rng: np.random.Generator,
    dropout: float = FROM_SCRATCH.dropout,
) -> TypeWeights:
    """The gradient of the mean loss of a batch, with dropout."""
    inputs = examples.inputs[rows]
    before = inputs @ weights.hidden + weights.bias
    kept = (before > 0) * (rng.random(before.shape, np.float32) >= dropout) / np.float32(1.0 - dropout)
    hidden = before * kept
    error = examples.loss_gradient(rows, hidden @ weights.head + weights.head_bias)
    back = (error @ weights.head.T) * kept
    return TypeWeights(inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
