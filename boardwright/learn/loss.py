"""The loss of a network, its gradient, and fitting a network to a training set.

The loss is the cross entropy of the value plus that of the policy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel.arrays import UInt16s
from boardwright.learn.adam import Adam
from boardwright.learn.auxiliary import Auxiliary
from boardwright.learn.network import Floats, Weights
from boardwright.learn.perceptron import Rows, Schedule, Task, rectified, softmax, train
from boardwright.learn.training_set import Batch, TrainingSet

BATCH_SIZE = 512
"""Chosen at the beginning; other sizes were not tried."""


class Losses(NamedTuple):
    """Mean cross entropies, in nats."""

    value: float
    policy: float


class Activations(NamedTuple):
    """What the layers of a network give for a batch, one row each."""

    hidden: Floats
    value_hidden: Floats
    value: Floats
    policy: Any
    """One column per action; 0 where it is not legal."""


def evaluate(weights: Weights, batch: Batch) -> Activations:
    hidden, _ = rectified(batch.features @ weights.hidden + weights.hidden_bias)
    value_hidden, _ = rectified(hidden @ weights.value_hidden.T + weights.value_hidden_bias)
    with np.errstate(over="ignore"):  # a value of 0 is what it should be then
        value = 1 / (1 + np.exp(-(value_hidden @ weights.value + weights.value_bias[0])))
    return Activations(
        hidden, value_hidden, value, softmax(hidden @ weights.policy.T + weights.policy_bias, batch.legal)
    )


def value_cross_entropy(value: Floats, target: Floats) -> float:
    """The mean, in nats."""
    clipped = np.clip(value, 1e-6, 1 - 1e-6)
    return float(-np.mean(target * np.log(clipped) + (1 - target) * np.log(1 - clipped)))


def loss_and_gradient(
    weights: Weights, batch: Batch, auxiliary: Auxiliary | None = None, learning_rate: float = 0.0
) -> tuple[Losses, Weights]:
    """The losses of a batch, and the gradient of their sum. Auxiliary targets add to the gradient of the hidden layer,
    and their head makes its step at once."""
    features, value_target, auxiliary_target, policy_target, legal = batch
    hidden, value_hidden, value, policy = evaluate(weights, batch)
    n = np.float32(len(value_target))
    is_decision = legal.any(1, keepdims=True)
    decisions = np.float32(max(1, is_decision.sum()))
    value_error = (value - value_target) / n
    policy_error = (policy * is_decision - policy_target) / decisions
    value_hidden_error = np.outer(value_error, weights.value) * (value_hidden > 0)
    hidden_error = value_hidden_error @ weights.value_hidden + policy_error @ weights.policy
    if auxiliary is not None:
        auxiliary_error, of_head = auxiliary.gradient(hidden, auxiliary_target)
        auxiliary.optimizer.step(of_head, learning_rate)
        hidden_error += auxiliary_error
    hidden_error *= hidden > 0
    gradient = Weights(
        hidden=features.T @ hidden_error,
        hidden_bias=hidden_error.sum(0),
        value_hidden=value_hidden_error.T @ hidden,
        value_hidden_bias=value_hidden_error.sum(0),
        value=value_hidden.T @ value_error,
        value_bias=value_error.sum(keepdims=True),
        policy=policy_error.T @ hidden,
        policy_bias=policy_error.sum(0),
    )
    policy_loss = -np.sum(policy_target * np.log(np.maximum(policy, 1e-9))) / decisions
    return Losses(value_cross_entropy(value, value_target), float(policy_loss)), gradient


def fit(
    optimizer: Adam[Weights],
    training_set: TrainingSet,
    learning_rate: float,
    epochs: int,
    random: np.random.Generator,
    auxiliary: Auxiliary | None = None,
) -> Losses:
    """Train on all rows, in a new order each epoch. Returns the mean losses of the first epoch's batches, each taken
    before the step."""
    weights = optimizer.weights
    num_features, num_actions = len(weights.hidden), len(weights.policy)
    used = np.unique(training_set.action)
    few = 2 * len(used) < num_actions
    if few:  # the others have no gradient, and one column each would be most of the work
        training_set = training_set._replace(action=np.searchsorted(used, training_set.action).astype(np.uint16))
    losses: list[Losses] = []

    def gradient(rows: Rows) -> Weights:
        batch = training_set.batch(rows, num_features, max(1, len(used)) if few else num_actions)
        known = _with_actions(weights, used) if few else weights
        loss, found = loss_and_gradient(known, batch, auxiliary, learning_rate)
        losses.append(loss)
        return _spread(found, used, num_actions) if few else found

    batches = -(-training_set.rows // BATCH_SIZE)
    task = Task(optimizer, training_set.rows, gradient)
    for _ in train([task], Schedule(epochs, learning_rate, BATCH_SIZE, falling=False), random):
        pass
    return Losses(*(float(np.mean(kind)) for kind in zip(*losses[:batches], strict=True)))


def _with_actions(weights: Weights, actions: UInt16s) -> Weights:
    """The same network with a policy for these actions alone; at least one, which may never be legal."""
    kept = actions if len(actions) else np.zeros(1, np.int64)
    return weights._replace(policy=weights.policy[kept], policy_bias=weights.policy_bias[kept])


def _spread(gradient: Weights, actions: UInt16s, num_actions: int) -> Weights:
    """The gradient of all actions: zero for those that were left out."""
    policy = np.zeros((num_actions, gradient.policy.shape[1]), np.float32)
    policy_bias = np.zeros(num_actions, np.float32)
    policy[actions], policy_bias[actions] = gradient.policy[: len(actions)], gradient.policy_bias[: len(actions)]
    return gradient._replace(policy=policy, policy_bias=policy_bias)
