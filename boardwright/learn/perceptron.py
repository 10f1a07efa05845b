"""What all perceptrons here share: a rectified hidden layer over sparse inputs, the losses of the heads on it, and the
loop that trains them with Adam.

Who uses it: networks with a value and a policy head (loss.py), the network that completes decks (decks/network.py) and
SCOUT's policy network (scout/reasoners/policy_training.py). A few small matrices need no framework: with NumPy,
training depends on nothing that playing does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardwright.kernel.arrays import Bools
from boardwright.learn.adam import Adam

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
W = TypeVar("W", bound=NamedTuple)

_ILLEGAL = np.float32(-1e9)
"""The logit of what may not be chosen: its probability is 0."""
_STEEPEST = np.float32(80)
"""Logits below its negative are taken as that, so that nothing overflows."""


def rectified(sums: Floats, dropout: float = 0.0, random: np.random.Generator | None = None) -> tuple[Floats, Any]:
    """A hidden layer (ReLU) and its slope: what changes by how much if a sum does. Dropout leaves units out at random
    (Srivastava et al., 2014)."""
    if not dropout or random is None:
        return np.maximum(sums, 0), sums > 0
    slope: Any = (sums > 0) * (random.random(sums.shape, np.float32) >= dropout) / np.float32(1.0 - dropout)
    return sums * slope, slope


def softmax(logits: Floats, legal: Bools | None = None) -> Floats:
    """Of each row, over what is legal."""
    if legal is not None:
        logits = np.where(legal, logits, _ILLEGAL)
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    probabilities: Floats = exponentials / exponentials.sum(1, keepdims=True)
    return probabilities


def sigmoid(logits: Floats) -> Floats:
    """In place, and four times as fast as scipy's in single precision."""
    np.negative(logits, out=logits)
    np.minimum(logits, _STEEPEST, out=logits)
    np.exp(logits, out=logits)
    logits += np.float32(1)
    return np.reciprocal(logits, out=logits)


class Schedule(NamedTuple):
    """How long and how fast a perceptron is trained."""

    epochs: int
    learning_rate: float
    batch_size: int
    dropout: float = 0.0
    """The share of the hidden layer that is left out for each example."""
    falling: bool = True
    """Whether the learning rate falls to 0 from the first step to the last."""


class Task(NamedTuple, Generic[W]):
    """Examples and the weights that learn from them."""

    optimizer: Adam[W]
    examples: int
    gradient: Callable[[Rows], W]
    """The gradient of the mean loss of some examples."""


def train(tasks: Sequence[Task[Any]], schedule: Schedule, random: np.random.Generator) -> Iterator[int]:
    """Train on all examples, in a new order each epoch; steps of several tasks are mixed. Yields the number of each
    epoch before it begins, so that the caller can prepare it."""
    parts = [-(-task.examples // schedule.batch_size) for task in tasks]
    steps = [task for task, number in enumerate(parts) for _ in range(number)]
    done, total = 0, schedule.epochs * len(steps)
    for epoch in range(schedule.epochs):
        yield epoch
        batches = [_batches(task.examples, schedule.batch_size, random) for task in tasks]
        for step in random.permutation(len(steps)) if len(tasks) > 1 else range(len(steps)):
            task = tasks[steps[step]]
            rate = schedule.learning_rate * (1.0 - done / total if schedule.falling else 1.0)
            task.optimizer.step(task.gradient(next(batches[steps[step]])), rate)
            done += 1


def _batches(examples: int, size: int, random: np.random.Generator) -> Iterator[Rows]:
    order = random.permutation(examples)
    return (order[start : start + size] for start in range(0, examples, size))


def update_average(average: W, weights: W, share: float) -> None:
    """A moving average of weights (Polyak and Juditsky, 1992), in which the newest count so much."""
    for mean, array in zip(average, weights, strict=True):
        mean += np.float32(share) * (array - mean)
