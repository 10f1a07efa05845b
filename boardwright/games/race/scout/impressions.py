"""First impressions: weights for every value of every feature and every action, learned from the library.

The dissertation weighs the cards of a tableau for each class by counting. Here the weights for all features at once are
fitted to the choices of the library (softmax regression), and what they say of a problem, a likelihood for each action,
becomes seven more numeric features: cases are alike if they look alike in what matters to the choice.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.memory import Memory, Number
from boardwright.games.race.scout.features import LAYOUT
from boardwright.games.race.state import ROUND_ACTIONS

Reals = NDArray[np.float32]

BINS = 16
EPOCHS, BATCH, STEP, DECAY = 4, 256, 2e-3, 1e-4
_UNKNOWN = ("options", "player_action", "opponent_action")
"""What says nothing when an action is chosen."""
_ROWS = [row for row, number in enumerate(LAYOUT.numbers) if number.name not in _UNKNOWN]
_SETS = [feature for feature in LAYOUT.sets if feature.name not in ("offered", "taken")]
NAMES = tuple(f"seems_{action}" for action in ROUND_ACTIONS)
SEEN = replace(LAYOUT, numbers=(*LAYOUT.numbers, *(Number(name) for name in NAMES)))
"""The layout of action cases with what they seem to call for, from 0 to 255."""
_SCALE = 255


@dataclass(frozen=True)
class Impressions:
    """Learned weights, and how numbers are divided into ranges."""

    lowest: NDArray[np.int64]
    width: NDArray[np.int64]
    weights: Reals
    """(ranges of numbers and elements of sets, actions)"""
    bias: Reals

    def likelihoods(self, memory: Memory) -> Reals:
        """(cases, actions)"""
        scores = self.bias + spread(memory, self.lowest, self.width) @ self.weights
        return softmax(scores)

    def seen(self, memory: Memory) -> Memory:
        """The same cases with the seven features more."""
        codes = np.rint(_SCALE * self.likelihoods(memory)).astype(np.uint8)
        return replace(memory, layout=SEEN, codes=np.ascontiguousarray(np.vstack((memory.codes, codes.T))))

    def as_data(self) -> dict[str, Any]:
        packed = np.vstack((self.weights, self.bias)).astype("<f2").tobytes()
        return {
            "lowest": self.lowest.tolist(),
            "width": self.width.tolist(),
            "weights": base64.b64encode(packed).decode(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Impressions:
        packed = np.frombuffer(base64.b64decode(data["weights"]), "<f2").astype(np.float32)
        table = packed.reshape(-1, len(ROUND_ACTIONS))
        return cls(np.array(data["lowest"]), np.array(data["width"]), table[:-1].copy(), table[-1].copy())

    @cached_property
    def size(self) -> int:
        return len(self.weights)


def softmax(scores: Reals) -> Reals:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Reals = powers / powers.sum(axis=1, keepdims=True)
    return result


def spread(memory: Memory, lowest: NDArray[np.int64], width: NDArray[np.int64]) -> Reals:
    """(cases, ranges and elements): 1 for the range each number lies in and for each element of the sets."""
    ranges = np.clip((memory.codes[_ROWS].astype(np.int64) - lowest[:, None]) // width[:, None], 0, BINS - 1)
    numbers = np.zeros((len(memory), len(_ROWS), BINS), np.float32)
    cases, rows = np.meshgrid(np.arange(len(memory)), np.arange(len(_ROWS)), indexing="ij")
    numbers[cases, rows, ranges.T] = 1.0
    sets = [memory.has(feature.name).astype(np.float32) for feature in _SETS]
    return np.concatenate((numbers.reshape(len(memory), -1), *sets), axis=1)


def learn(memory: Memory, seed: int = 0) -> Impressions:
    """Fit the weights to the choices of action cases."""
    low, high = (np.percentile(memory.codes[_ROWS], q, axis=1).astype(np.int64) for q in (1, 99))
    width = np.maximum(1, (high - low) // (BINS - 2))
    chosen = np.searchsorted(ROUND_ACTIONS, memory.classes)
    x, chance = spread(memory, low, width), np.random.default_rng(seed)
    weights, bias = np.zeros((x.shape[1], len(ROUND_ACTIONS)), np.float32), np.zeros(len(ROUND_ACTIONS), np.float32)
    parameters = [weights, bias]
    first, second = ([np.zeros_like(p) for p in parameters] for _ in range(2))
    steps = 0
    for _ in range(EPOCHS):
        for batch in np.array_split(chance.permutation(len(x)), max(1, len(x) // BATCH)):
            error = softmax(x[batch] @ weights + bias)
            error[np.arange(len(batch)), chosen[batch]] -= 1.0
            error /= len(batch)
            steps += 1
            for i, gradient in enumerate((x[batch].T @ error + DECAY * weights, error.sum(0))):
                first[i] += 0.1 * (gradient - first[i])
                second[i] += 0.01 * (gradient**2 - second[i])
                size = (first[i] / (1 - 0.9**steps)) / (np.sqrt(second[i] / (1 - 0.99**steps)) + 1e-7)
                parameters[i] -= STEP * size
    return Impressions(low, width, weights, bias)
