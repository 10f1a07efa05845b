"""The optimizer Adam (Kingma and Ba, 2015), for weights that are a named tuple of arrays."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import numpy as np

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
"""Decay rates of the two moments, and what keeps the division finite: the values that the paper recommends."""

W = TypeVar("W", bound=NamedTuple)


class Adam(Generic[W]):
    """Weights that are being optimized, with the running moments of their gradient."""

    def __init__(self, weights: W) -> None:
        self.weights = weights
        self.first_moment: W = type(weights)(*(np.zeros_like(array) for array in weights))
        self.second_moment: W = type(weights)(*(np.zeros_like(array) for array in weights))
        self.steps = 0

    def step(self, gradient: W, learning_rate: float) -> None:
        """Change the weights in place. Both bias corrections are part of the step size, as at the end of the paper's
        section 2."""
        self.steps += 1
        scale = np.float32(learning_rate * np.sqrt(1 - BETA2**self.steps) / (1 - BETA1**self.steps))
        for array, first, second, g in zip(self.weights, self.first_moment, self.second_moment, gradient, strict=True):
            first += np.float32(1 - BETA1) * (g - first)
            second += np.float32(1 - BETA2) * (g * g - second)
            array -= scale * first / (np.sqrt(second) + np.float32(EPSILON))
