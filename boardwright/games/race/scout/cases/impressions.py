"""First impressions: weights for every value of every feature and every class, learned from the library.

The dissertation weighs the cards of a tableau for each class by counting. Here the weights for all features at once are
fitted to the choices of the library (softmax regression over what was offered). What they say of a problem is a
likelihood for each solution. For actions these become seven more numeric features: cases are alike if they look alike
in what matters to the choice. For placements they are multiplied with what the nearest cases say.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.memory import Memory, Number
from boardwright.games.race.scout.cases.features import LAYOUT
from boardwright.games.race.state import ROUND_ACTIONS

Reals = NDArray[np.float32]
Mask = NDArray[np.bool_]

_NEVER = np.float32(-1e9)

BINS = 16
EPOCHS, BATCH, STEP, DECAY = 8, 256, 1e-3, 3e-4
_UNKNOWN = ("options", "player_action", "opponent_action")
"""What says nothing when an action is chosen."""
_ROWS = [row for row, number in enumerate(LAYOUT.numbers) if number.name not in _UNKNOWN]
_SETS = [feature for feature in LAYOUT.sets if feature.name not in ("offered", "taken")]
_STARTS = np.arange(len(_ROWS)) * BINS
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
    """(ranges of numbers and elements of sets, and 1 more for all cases; classes)"""

    def likelihoods(self, memory: Memory, offered: Mask | None = None) -> Reals:
        """(cases, classes), of those that are offered."""
        scores = self._scores(memory)
        return softmax(scores if offered is None else np.where(offered, scores, _NEVER))

    def _scores(self, memory: Memory) -> Reals:
        """What `spread(...) @ weights` gives, without all its zeros."""
        if len(memory) == 1:
            return self._scores_of_one(memory)
        total = np.tile(self.weights[-1], (len(memory), 1))
        for i, ranges in enumerate(ranges_of(memory, self.lowest, self.width)):
            total += self.weights[i * BINS + ranges]
        start = len(_ROWS) * BINS
        for feature in _SETS:
            total += memory.has(feature.name).astype(np.float32) @ self.weights[start : start + feature.elements]
            start += feature.elements
        return total

    def _scores_of_one(self, memory: Memory) -> Reals:
        places = (ranges_of(memory, self.lowest, self.width)[:, 0] + _STARTS).tolist()
        start = len(_ROWS) * BINS
        for feature in _SETS:
            places += [start + element for element in memory.members(feature.name, 0)]
            start += feature.elements
        return self.weights[[*places, -1]].sum(axis=0, keepdims=True)

    def seen(self, memory: Memory) -> Memory:
        """Action cases with the seven features more."""
        codes = np.rint(_SCALE * self.likelihoods(memory)).astype(np.uint8)
        return replace(memory, layout=SEEN, codes=np.ascontiguousarray(np.vstack((memory.codes, codes.T))))

    def as_data(self) -> dict[str, Any]:
        packed = self.weights.astype("<f2").tobytes()
        return {
            "lowest": self.lowest.tolist(),
            "width": self.width.tolist(),
            "classes": self.weights.shape[1],
            "weights": base64.b64encode(packed).decode(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Impressions:
        packed = np.frombuffer(base64.b64decode(data["weights"]), "<f2").astype(np.float32)
        return cls(np.array(data["lowest"]), np.array(data["width"]), packed.reshape(-1, int(data["classes"])))


def softmax(scores: Reals) -> Reals:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Reals = powers / powers.sum(axis=1, keepdims=True)
    return result


def ranges_of(memory: Memory, lowest: NDArray[np.int64], width: NDArray[np.int64]) -> NDArray[np.int64]:
    """(numbers, cases): the range each number lies in."""
    return np.clip((memory.codes[_ROWS].astype(np.int64) - lowest[:, None]) // width[:, None], 0, BINS - 1)


def spread(memory: Memory, lowest: NDArray[np.int64], width: NDArray[np.int64]) -> Reals:
    """(cases, ranges and elements): 1 for the range each number lies in and for each element of the sets."""
    ranges = ranges_of(memory, lowest, width)
    numbers = np.zeros((len(memory), len(_ROWS), BINS), np.float32)
    cases, rows = np.meshgrid(np.arange(len(memory)), np.arange(len(_ROWS)), indexing="ij")
    numbers[cases, rows, ranges.T] = 1.0
    sets = [memory.has(feature.name).astype(np.float32) for feature in _SETS]
    return np.concatenate(
        (numbers.reshape(len(memory), len(_ROWS) * BINS), *sets, np.ones((len(memory), 1), np.float32)), axis=1
    )


def offers_of(memory: Memory) -> Mask:
    """(placement cases, classes): what could be chosen; placing nothing always could."""
    return np.concatenate((memory.has("offered"), np.ones((len(memory), 1), np.bool_)), axis=1)


def learn_actions(memory: Memory) -> Impressions:
    return _learn(memory, np.searchsorted(ROUND_ACTIONS, memory.classes), len(ROUND_ACTIONS), None)


def learn_placements(memory: Memory) -> Impressions:
    return _learn(memory, memory.classes.astype(np.int64), memory.layout.classes, offers_of(memory))


def _learn(memory: Memory, chosen: NDArray[np.int64], classes: int, offered: Mask | None) -> Impressions:
    """Fit the weights to what was chosen, by gradient descent (Adam)."""
    if not len(memory):
        nothing = np.zeros(len(_ROWS), np.int64)
        size: int = spread(memory, nothing, nothing + 1).shape[1]
        return Impressions(nothing, nothing + 1, np.zeros((size, classes), np.float32))
    low, high = (np.percentile(memory.codes[_ROWS], q, axis=1).astype(np.int64) for q in (1, 99))
    width = np.maximum(1, (high - low) // (BINS - 2))
    x, chance = spread(memory, low, width), np.random.default_rng(0)
    weights = np.zeros((x.shape[1], classes), np.float32)
    first, second, steps = np.zeros_like(weights), np.zeros_like(weights), 0
    for _ in range(EPOCHS):
        for batch in np.array_split(chance.permutation(len(x)), max(1, len(x) // BATCH)):
            scores = x[batch] @ weights
            error = softmax(scores if offered is None else np.where(offered[batch], scores, _NEVER))
            error[np.arange(len(batch)), chosen[batch]] -= 1.0
            gradient = x[batch].T @ error / len(batch) + DECAY * weights
            steps += 1
            first += 0.1 * (gradient - first)
            second += 0.01 * (gradient**2 - second)
            weights -= STEP * (first / (1 - 0.9**steps)) / (np.sqrt(second / (1 - 0.99**steps)) + 1e-7)
    return Impressions(low, width, weights)
