"""Adam's steps along a gradient (Kingma and Ba, 2015), for weights that are a named tuple of arrays."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import numpy as np

MEMORY, SQUARE_MEMORY, TINY = 0.9, 0.999, 1e-8

W = TypeVar("W", bound=NamedTuple)


class Adam(Generic[W]):
    """Weights under way: the steps taken, and the averages they are taken by."""

    def __init__(self, weights: W) -> None:
        self.weights = weights
        self.mean: W = type(weights)(*(np.zeros_like(array) for array in weights))
        self.square: W = type(weights)(*(np.zeros_like(array) for array in weights))
        self.steps = 0

    def step(self, slope: W, rate: float) -> None:
        self.steps += 1
        scale = np.float32(rate * np.sqrt(1 - SQUARE_MEMORY**self.steps) / (1 - MEMORY**self.steps))
        for array, mean, square, change in zip(self.weights, self.mean, self.square, slope, strict=True):
            mean += np.float32(1 - MEMORY) * (change - mean)
            square += np.float32(1 - SQUARE_MEMORY) * (change * change - square)
            array -= scale * mean / (np.sqrt(square) + np.float32(TINY))
