"""The training set of a generation: rows of features with what the network should have answered.

Policy targets come from self-play (self_play.py). Value targets are those of TD(λ) (Sutton, 1988), in the form of
λ-returns: mostly the result of the game, partly the values that the same seat's later searches found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from boardwright.kernel.arrays import Bools, UInt16s
from boardwright.learn.auxiliary import auxiliary_targets
from boardwright.learn.network import Floats
from boardwright.learn.trajectory import Trajectory

Indices = NDArray[np.int64]
Symmetry = tuple[Sequence[int], Sequence[int]]
"""What every feature and every action becomes."""


class Batch(NamedTuple):
    """Some rows, as arrays with one row each."""

    features: Any
    """A sparse matrix; a feature that was added twice is summed."""
    value_target: Floats
    auxiliary_target: Floats
    """One column per target; none, if there are none."""
    policy_target: Floats
    """One column per action; all zero in rows for the value alone."""
    legal: Bools
    """One column per action."""


class TrainingSet(NamedTuple):
    """The rows of many games. Features and actions lie end to end, as in a trajectory; those of row i begin at
    `feature_start[i]` and `action_start[i]`."""

    feature_index: UInt16s
    feature_value: Floats
    feature_start: Indices
    action: UInt16s
    policy_target: Floats
    action_start: Indices
    value_target: Floats
    auxiliary_target: Floats

    @classmethod
    def from_trajectories(
        cls,
        trajectories: Sequence[Trajectory],
        results: Sequence[Sequence[float]],
        scores: Sequence[Sequence[float]] | None = None,
        *,
        td_lambda: float,
    ) -> TrainingSet:
        """`results` are the returns of each game's seats, scaled to 0 to 1; scores make auxiliary targets."""
        targets = [
            td_lambda_targets(trajectory, result, td_lambda)
            for trajectory, result in zip(trajectories, results, strict=True)
        ]
        return cls(
            np.concatenate([trajectory.feature_index for trajectory in trajectories]),
            np.concatenate([trajectory.feature_value for trajectory in trajectories]),
            _starts([trajectory.feature_end for trajectory in trajectories]),
            np.concatenate([trajectory.action for trajectory in trajectories]),
            np.concatenate([trajectory.policy_target for trajectory in trajectories]),
            _starts([trajectory.action_end for trajectory in trajectories]),
            np.concatenate(targets),
            np.zeros((sum(map(len, targets)), 0), np.float32)
            if scores is None
            else auxiliary_targets(trajectories, scores),
        )

    @property
    def rows(self) -> int:
        return len(self.value_target)

    def turned(self, symmetries: Sequence[Symmetry], random: np.random.Generator) -> TrainingSet:
        """Every row as it is, or by one of the symmetries, all of them as likely."""
        kinds = random.integers(0, 1 + len(symmetries), self.rows)
        of_feature, of_action = (np.repeat(kinds, np.diff(start)) for start in (self.feature_start, self.action_start))
        feature, action = self.feature_index.copy(), self.action.copy()
        for kind, (features, actions) in enumerate(symmetries, 1):
            chosen = of_feature == kind
            feature[chosen] = np.array(features, np.uint16)[feature[chosen]]
            chosen = of_action == kind
            action[chosen] = np.array(actions, np.uint16)[action[chosen]]
        return self._replace(feature_index=feature, action=action)

    def pruned(self, least: float) -> TrainingSet:
        """Actions whose probability is below so much of the best one's in their row have none, the others add up to 1.
        (They stay legal.)"""
        starts = self.action_start[:-1][np.diff(self.action_start) > 0]
        lengths = np.diff(self.action_start)
        lengths = lengths[lengths > 0]
        if not len(starts):
            return self
        best = np.repeat(np.maximum.reduceat(self.policy_target, starts), lengths)
        kept = np.where(self.policy_target < np.float32(least) * best, np.float32(0), self.policy_target)
        return self._replace(policy_target=kept / np.repeat(np.add.reduceat(kept, starts), lengths))

    def batch(self, rows: Indices, num_features: int, num_actions: int) -> Batch:
        row, at = _entries(rows, self.feature_start)
        ends = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(rows)))])
        columns = self.feature_index[at].astype(np.int32)
        features = csr_array((self.feature_value[at], columns, ends), shape=(len(rows), num_features))
        policy_target = np.zeros((len(rows), num_actions), np.float32)
        legal = np.zeros((len(rows), num_actions), bool)
        row, at = _entries(rows, self.action_start)
        policy_target[row, self.action[at]] = self.policy_target[at]
        legal[row, self.action[at]] = True
        return Batch(features, self.value_target[rows], self.auxiliary_target[rows], policy_target, legal)


def td_lambda_targets(trajectory: Trajectory, result: Sequence[float], td_lambda: float) -> Floats:
    """The λ-return of every row: the search value of the seat's next decision counts 1 - λ, what follows it counts λ,
    and so on to the result."""
    targets = np.zeros(len(trajectory.seat), np.float32)
    is_decision = trajectory.is_decision
    for seat, seat_result in enumerate(result):
        lambda_return = seat_result
        for row in np.flatnonzero(trajectory.seat == seat)[::-1]:
            targets[row] = lambda_return
            if is_decision[row]:
                lambda_return = (1.0 - td_lambda) * float(trajectory.search_value[row]) + td_lambda * lambda_return
    return targets


def _entries(rows: Indices, start: Indices) -> tuple[Indices, Indices]:
    """All entries of the given rows: for each, which of the rows it belongs to, and where it lies."""
    lengths = start[rows + 1] - start[rows]
    row = np.repeat(np.arange(len(rows)), lengths)
    at = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(start[rows], lengths)
    return row, at


def _starts(ends: Sequence[Indices]) -> Indices:
    """From where rows end in each of several arrays to where they start in all of them end to end."""
    lengths = np.concatenate([np.diff(end, prepend=0) for end in ends])
    return np.concatenate([[0], np.cumsum(lengths)])
