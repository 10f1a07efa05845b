"""Training the policy network by gradient descent, from scratch or from another network.

Its targets are the choices of cases, or what an expert's values make of the options (expert_labels.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack
from threadpoolctl import threadpool_limits

from boardwright.cbr.case_base import CaseBase
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.learn.adam import Adam
from boardwright.learn.perceptron import Rows, Schedule, Task, rectified, softmax
from boardwright.learn.perceptron import train as train_perceptron
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import Records
from boardwright.scout.problems.problem import TYPE_ACTION
from boardwright.scout.reasoners.policy_network import (
    CORE_HEADS,
    GIVING_HEADS,
    INPUTS,
    SOLUTIONS,
    Bins,
    Mask,
    PolicyHead,
    PolicyNetwork,
    Reals,
    offered_mask,
    one_hot,
)

HIDDEN_UNITS, BATCH_SIZE = 160, 256
_ACTIVE_INPUTS = 90
"""About so many inputs are not zero."""


FROM_SCRATCH = Schedule(8, 2e-3, BATCH_SIZE, dropout=0.3)
FURTHER = Schedule(3, 3e-4, BATCH_SIZE, dropout=0.1)
"""For a network that knows the game already, and fewer examples."""


class TrainingSet(NamedTuple):
    """The examples of one type of decision."""

    inputs: csr_array
    targets: csr_array
    """(examples, solutions): how probable each solution should be."""
    offered: Mask | None

    @classmethod
    def of(cls, kind: int, case_base: CaseBase, bins: Bins, targets: csr_array | None = None) -> TrainingSet:
        """Examples whose targets are the choices made, unless others are given."""
        if targets is None:
            targets = choices_as_targets(kind, case_base)
        offered = None if kind == TYPE_ACTION else offered_mask(case_base, kind)
        return cls(one_hot(case_base, bins), targets, offered)

    @property
    def size(self) -> int:
        return int(self.inputs.shape[0])

    def joined(self, other: TrainingSet) -> TrainingSet:
        """The examples of both, which are of one type."""
        inputs, targets = (vstack(pair, format="csr") for pair in zip(self[:2], other[:2], strict=True))
        masks = [part.offered for part in (self, other) if part.offered is not None]
        return TrainingSet(inputs, targets, np.concatenate(masks) if masks else None)

    def loss_gradient(self, rows: Rows, scores: Reals) -> Reals:
        """The gradient of the mean cross entropy of some rows with respect to their scores."""
        likely = softmax(scores, None if self.offered is None else self.offered[rows])
        wrong: Reals = (likely - self.targets[rows].toarray()) / np.float32(len(rows))
        return wrong


def choices_as_targets(kind: int, case_base: CaseBase) -> csr_array:
    """(cases, solutions): 1 for what was chosen; cards that were given away together share it."""
    cases = np.arange(len(case_base))
    if kind in GIVING_HEADS:
        given = csr_array(case_base.membership("taken"), dtype=np.float32)
        shares = np.repeat(1 / np.maximum(given.sum(1), 1), np.diff(given.indptr)).astype(np.float32)
        return csr_array((shares, given.indices, given.indptr), shape=(len(cases), SOLUTIONS[kind]))
    chosen = np.searchsorted(ROUND_ACTIONS, case_base.classes) if kind == TYPE_ACTION else case_base.classes
    return csr_array((np.ones(len(cases), np.float32), (cases, chosen)), shape=(len(cases), SOLUTIONS[kind]))


class TypeWeights(NamedTuple):
    """The weights that one type of decision uses: those that all share, and its own head."""

    hidden: Reals
    bias: Reals
    head: Reals
    head_bias: Reals


def train_policy(examples: Records, kinds: Sequence[int] = CORE_HEADS) -> dict[str, Any]:
    """A policy network that fits the choices of these records, as plain data."""
    return train(examples_of(examples, kinds)).as_data()


def examples_of(records: Records, kinds: Sequence[int] = CORE_HEADS) -> dict[int, CaseBase]:
    """By type: the decisions among some records that a policy head can learn from."""
    found = {kind: index_cases(records[records["type"] == kind]) for kind in kinds}
    for kind in set(GIVING_HEADS) & set(kinds):
        given = np.flatnonzero(found[kind].membership("taken").any(1))  # a power alone may pay
        found[kind] = found[kind].subset(given)
    return found


def train(cases: Mapping[int, CaseBase], start: PolicyNetwork | None = None) -> PolicyNetwork:
    """A policy network that fits what was chosen in cases of several types."""
    rng = np.random.default_rng(0)
    network = _untrained(cases, rng) if start is None else start
    examples = {kind: TrainingSet.of(kind, case_base, network.bins) for kind, case_base in cases.items()}
    return train_on(examples, network, FROM_SCRATCH if start is None else FURTHER, rng)


def _untrained(cases: Mapping[int, CaseBase], rng: np.random.Generator) -> PolicyNetwork:
    """Random weights into the hidden layer, and heads that know nothing."""
    bins = Bins.over(max(cases.values(), key=len))
    hidden = rng.normal(0.0, _ACTIVE_INPUTS**-0.5, (INPUTS, HIDDEN_UNITS)).astype(np.float32)
    heads = {kind: _untrained_head(kind, HIDDEN_UNITS) for kind in cases}
    return PolicyNetwork(bins, hidden, np.zeros(HIDDEN_UNITS, np.float32), heads)


def _untrained_head(kind: int, units: int) -> PolicyHead:
    return PolicyHead(np.zeros((units, SOLUTIONS[kind]), np.float32), np.zeros(SOLUTIONS[kind], np.float32))


def train_on(
    examples: Mapping[int, TrainingSet], start: PolicyNetwork, schedule: Schedule, rng: np.random.Generator
) -> PolicyNetwork:
    """The network trained further on these examples; heads that it lacks begin with what they can know: nothing."""
    hidden, bias = start.hidden.copy(), start.bias.copy()  # which all types of decision change
    tasks = {}
    for kind, of_kind in examples.items():
        head = start.heads.get(kind) or _untrained_head(kind, len(bias))
        weights = TypeWeights(hidden, bias, head.weights.copy(), head.bias.copy())
        find = partial(gradient, weights, of_kind, rng=rng, dropout=schedule.dropout)
        tasks[kind] = Task(Adam(weights), of_kind.size, find)
    with threadpool_limits(1):  # sums of several threads come out in other orders
        for _ in train_perceptron(list(tasks.values()), schedule, rng):
            pass
    trained = {kind: PolicyHead(*task.optimizer.weights[2:]) for kind, task in tasks.items()}
    return PolicyNetwork(start.bins, hidden, bias, {**start.heads, **trained})


def gradient(
    weights: TypeWeights,
    examples: TrainingSet,
    rows: Rows,
    rng: np.random.Generator,
    dropout: float = FROM_SCRATCH.dropout,
) -> TypeWeights:
    """The gradient of the mean loss of a batch, with dropout."""
    inputs = examples.inputs[rows]
    hidden, slope = rectified(inputs @ weights.hidden + weights.bias, dropout, rng)
    error = examples.loss_gradient(rows, hidden @ weights.head + weights.head_bias)
    back = (error @ weights.head.T) * slope
    return TypeWeights(inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
