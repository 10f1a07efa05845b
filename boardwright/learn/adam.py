"""The optimizer Adam (Kingma and Ba, 2015), for weights that are a named tuple of arrays.

All perceptrons here are trained by it: networks, decks, SCOUT's policy network, and the weights of metric learning.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from boardwright.kernel import Unit, rule, types
from boardwright.kernel.arrays import Float32s
from boardwright.kernel.ready import make_ready

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
"""Decay rates of the two moments, and what keeps the division finite: the values that the paper recommends."""

W = TypeVar("W", bound=NamedTuple)


class SparseGradient(NamedTuple):
    """The gradient of a matrix with a row per input: `inputs.T @ errors`, of which only rows with inputs are changed,
    moments included. With many rare inputs this is much less work."""

    inputs: Any
    """A csr_array of 32-bit floats, one row per example."""
    errors: Float32s


class Adam(Generic[W]):
    """Weights that are being optimized, with the running moments of their gradient."""

    def __init__(
        self,
        weights: W,
        *,
        beta2: float = BETA2,
        epsilon: float = EPSILON,
        rates: Mapping[str, float] | None = None,
        decay: Mapping[str, float] | None = None,
    ) -> None:
        """By name of an array: `rates` multiply its learning rate, `decay` is its weight decay (Loshchilov and Hutter,
        2019)."""
        make_ready([code])
        self.weights = weights
        self.first_moment: W = type(weights)(*(np.zeros_like(array) for array in weights))
        self.second_moment: W = type(weights)(*(np.zeros_like(array) for array in weights))
        self.steps = 0
        self._beta2, self._epsilon = beta2, epsilon
        self._rates, self._decay = rates or {}, decay or {}
        self._sums: dict[str, Any] = {}
        """For sparse gradients: a matrix of zeros each, in which they are summed up."""

    def step(self, gradient: W, learning_rate: float) -> None:
        """Change the weights in place. Both bias corrections are part of the step size, as at the end of the paper's
        section 2."""
        self.steps += 1
        correction = np.sqrt(1 - self._beta2**self.steps) / (1 - BETA1**self.steps)
        for name, change in gradient._asdict().items():
            state = [np.atleast_2d(getattr(s, name)) for s in (self.weights, self.first_moment, self.second_moment)]
            rate = learning_rate * self._rates.get(name, 1.0)
            constants = _Constants(
                *map(np.float32, (rate * correction, rate * self._decay.get(name, 0.0))),
                *map(np.float32, (1 - BETA1, 1 - self._beta2, self._epsilon)),
            )
            if isinstance(change, SparseGradient):
                inputs = change.inputs
                sums = self._sums.setdefault(name, np.zeros_like(state[0]))
                parts = inputs.indptr.astype(np.int64), inputs.indices.astype(np.int32), inputs.data
                code().entry_points["adam_sparse"](*state, sums, *parts, change.errors, constants)
            else:
                code().entry_points["adam"](*state, np.ascontiguousarray(np.atleast_2d(change)), constants)


class _Constants(NamedTuple):
    scale: np.float32
    decay: np.float32
    one_minus_beta1: np.float32
    one_minus_beta2: np.float32
    epsilon: np.float32


@rule
def adam_row(weights: Any, first: Any, second: Any, gradient: Any, constants: Any) -> None:
    """One step for a row of weights."""
    for column in range(weights.size):
        g = gradient[column]
        m = first[column] + constants.one_minus_beta1 * (g - first[column])
        v = second[column] + constants.one_minus_beta2 * (g * g - second[column])
        first[column] = m
        second[column] = v
        w = weights[column]
        weights[column] = w - (constants.scale * m / (np.sqrt(v) + constants.epsilon) + constants.decay * w)


def _adam(weights: Any, first: Any, second: Any, gradient: Any, constants: Any) -> None:
    for row in range(weights.shape[0]):
        adam_row(weights[row], first[row], second[row], gradient[row], constants)


def _adam_sparse(weights: Any, first: Any, second: Any, sums: Any, starts: Any, inputs: Any, values: Any, errors: Any,
                 constants: Any) -> None:  # fmt: skip
    """`sums` is all zeros before and after."""
    for example in range(starts.size - 1):
        for place in range(starts[example], starts[example + 1]):
            row, value = inputs[place], values[place]
            for column in range(errors.shape[1]):
                sums[row, column] += value * errors[example, column]
    done = np.zeros(weights.shape[0], np.bool_)
    for place in range(inputs.size):
        row = inputs[place]
        if not done[row]:
            done[row] = True
            adam_row(weights[row], first[row], second[row], sums[row], constants)
            sums[row] = 0


@cache
def code() -> Unit:
    rows, numbers = types.float32[:, ::1], types.float32[::1]
    constants = types.NamedUniTuple(types.float32, len(_Constants._fields), _Constants)
    dense = types.void(rows, rows, rows, rows, constants)
    sparse = types.void(rows, rows, rows, rows, types.int64[::1], types.int32[::1], numbers, rows, constants)
    return Unit("learn", {"adam": (_adam, dense), "adam_sparse": (_adam_sparse, sparse)})
