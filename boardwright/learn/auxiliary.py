"""Auxiliary targets (Wu, 2019): what a network learns to foretell of the rest of a game besides value and policy, so
that its hidden layer has more to learn from. The head that foretells it is dropped after training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from boardwright.learn.adam import Adam
from boardwright.learn.perceptron import Floats
from boardwright.learn.trajectory import Trajectory

TARGETS = 2
"""The lead in points, and how long the game still takes."""
_ALIKE = 1e-6
"""Leads that vary less than this, as those of one seat that always wins the same, are not scaled: they would be
huge."""


class AuxiliaryHead(NamedTuple):
    """A linear head on the hidden layer, one row per target."""

    head: Floats
    bias: Floats


class Auxiliary:
    """The head while it is trained, and how much its loss counts."""

    def __init__(self, hidden_units: int, weight: float) -> None:
        zeros = AuxiliaryHead(np.zeros((TARGETS, hidden_units), np.float32), np.zeros(TARGETS, np.float32))
        self.optimizer, self.weight = Adam(zeros), np.float32(weight)

    def gradient(self, hidden: Floats, target: Floats) -> tuple[Floats, AuxiliaryHead]:
        """Of half the mean squared error: the gradient of the hidden layer, and of the head."""
        weights = self.optimizer.weights
        error: Floats = hidden @ weights.head.T + weights.bias - target
        error *= self.weight / len(target)
        return error @ weights.head, AuxiliaryHead(error.T @ hidden, error.sum(0))


def auxiliary_targets(trajectories: Sequence[Trajectory], scores: Sequence[Sequence[float]]) -> Floats:
    """For every row of the games: the lead of its seat over the best other one at the end of the game, and the rows
    still to come. Both are scaled by what is usual in these games."""
    leads = [
        [own - max((other for place, other in enumerate(of_game) if place != seat), default=0.0)]
        for of_game in scores
        for seat, own in enumerate(of_game)
    ]
    spread, length = float(np.std(leads)), float(np.mean([len(t.seat) for t in trajectories]))
    if spread < _ALIKE:
        spread = 1.0
    targets, first = [], 0
    for trajectory, of_game in zip(trajectories, scores, strict=True):
        rows = len(trajectory.seat)
        lead = np.array(leads[first : first + len(of_game)])[trajectory.seat, 0] / spread
        targets.append(np.stack([lead, np.arange(rows, 0, -1) / length], 1))
        first += len(of_game)
    return np.concatenate(targets).astype(np.float32)
