"""The loss, its gradient, and fitting a network to a training set.

The loss is the cross entropy of the value plus that of the policy. Three small matrices need no framework: with NumPy,
training depends on nothing that playing does not need.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.learn.adam import Adam
from boardwright.learn.network import Floats, Weights
from boardwright.learn.training_set import Batch, TrainingSet

BATCH_SIZE = 512
"""Chosen at the beginning; other sizes were not tried."""
_ILLEGAL = np.float32(-1e9)
"""The logit of an illegal action: its probability is 0."""


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
    hidden = np.maximum(batch.features @ weights.hidden + weights.hidden_bias, 0)
    value_hidden = np.maximum(hidden @ weights.value_hidden.T + weights.value_hidden_bias, 0)
    with np.errstate(over="ignore"):  # a value of 0 is what it should be then
        value = 1 / (1 + np.exp(-(value_hidden @ weights.value + weights.value_bias[0])))
    logits = np.where(batch.legal, hidden @ weights.policy.T + weights.policy_bias, _ILLEGAL)
    logits -= logits.max(1, keepdims=True)
    exponentials = np.exp(logits)
    return Activations(hidden, value_hidden, value, exponentials / exponentials.sum(1, keepdims=True))


def value_cross_entropy(value: Floats, target: Floats) -> float:
    """The mean, in nats."""
    clipped = np.clip(value, 1e-6, 1 - 1e-6)
    return float(-np.mean(target * np.log(clipped) + (1 - target) * np.log(1 - clipped)))


def loss_and_gradient(weights: Weights, batch: Batch) -> tuple[Losses, Weights]:
    """The losses of a batch, and the gradient of their sum."""
    features, value_target, policy_target, legal = batch
    hidden, value_hidden, value, policy = evaluate(weights, batch)
    n = np.float32(len(value_target))
    is_decision = legal.any(1, keepdims=True)
    decisions = np.float32(max(1, is_decision.sum()))
    value_error = (value - value_target) / n
    policy_error = (policy * is_decision - policy_target) / decisions
    value_hidden_error = np.outer(value_error, weights.value) * (value_hidden > 0)
    hidden_error = (value_hidden_error @ weights.value_hidden + policy_error @ weights.policy) * (hidden > 0)
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
) -> Losses:
    """Train on all rows, in a new order each epoch. Returns the mean losses of the first epoch's batches, each taken
    before the step."""
    num_features, num_actions = len(optimizer.weights.hidden), len(optimizer.weights.policy)
    losses = []
    for epoch in range(epochs):
        order = random.permutation(training_set.rows)
        for start in range(0, training_set.rows, BATCH_SIZE):
            batch = training_set.batch(order[start : start + BATCH_SIZE], num_features, num_actions)
            loss, gradient = loss_and_gradient(optimizer.weights, batch)
            optimizer.step(gradient, learning_rate)
            if epoch == 0:
                losses.append(loss)
    return Losses(*(float(np.mean(kind)) for kind in zip(*losses, strict=True)))
