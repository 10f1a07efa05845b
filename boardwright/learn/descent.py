"""Learning: the gradient of what the network got wrong, and steps along it.

Three small matrices do not need a framework; with NumPy training has no dependency that playing has not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardwright.learn.adam import Adam
from boardwright.learn.lessons import Batch, Lessons
from boardwright.learn.network import Weights

BATCH = 512


class Losses(NamedTuple):
    """Mean cross entropies, in nats."""

    value: float
    choice: float


def gradient(weights: Weights, batch: Batch) -> tuple[Weights, Losses]:
    seen, value, shares, options = batch
    n = np.float32(len(value))
    hidden = np.maximum(seen @ weights.hidden + weights.hidden_bias, 0)
    second = np.maximum(hidden @ weights.second.T + weights.second_bias, 0)
    chance = 1 / (1 + np.exp(-(second @ weights.value + weights.value_bias[0])))
    logits = np.where(options, hidden @ weights.choice.T + weights.choice_bias, np.float32(-1e9))
    logits -= logits.max(1, keepdims=True)
    exponents = np.exp(logits)
    likely = exponents / exponents.sum(1, keepdims=True)

    value_error = (chance - value) / n
    chose = options.any(1, keepdims=True)
    choices = np.float32(max(1, chose.sum()))
    choice_error = (likely * chose - shares) / choices
    second_error = np.outer(value_error, weights.value) * (second > 0)
    hidden_error = (second_error @ weights.second + choice_error @ weights.choice) * (hidden > 0)
    slope = Weights(
        hidden=seen.T @ hidden_error,
        hidden_bias=hidden_error.sum(0),
        second=second_error.T @ hidden,
        second_bias=second_error.sum(0),
        value=second.T @ value_error,
        value_bias=value_error.sum(keepdims=True),
        choice=choice_error.T @ hidden,
        choice_bias=choice_error.sum(0),
    )
    sure = np.clip(chance, 1e-6, 1 - 1e-6)
    value_loss = -np.mean(value * np.log(sure) + (1 - value) * np.log(1 - sure))
    choice_loss = -np.sum(shares * np.log(np.maximum(likely, 1e-9))) / choices
    return slope, Losses(float(value_loss), float(choice_loss))


class Learner(Adam[Weights]):
    """A network under way."""

    def learn(self, lessons: Lessons, rate: float, passes: int, random: np.random.Generator) -> Losses:
        """Go through the lessons in a new order each time; the mean losses of the first pass, before it is learned."""
        features, actions = len(self.weights.hidden), len(self.weights.choice)
        losses = []
        for number in range(passes):
            order = random.permutation(lessons.rows)
            for start in range(0, lessons.rows, BATCH):
                slope, loss = gradient(self.weights, lessons.batch(order[start : start + BATCH], features, actions))
                self.step(slope, rate)
                if number == 0:
                    losses.append(loss)
        return Losses(*(float(np.mean(kind)) for kind in zip(*losses, strict=True)))
