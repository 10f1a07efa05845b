"""The trajectory of a game of self-play: a row per decision and per turn start, in arrays that compiled code fills."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import rule, typeof
from boardwright.kernel.arrays import Float32s, Int8s, Int64s, UInt16s
from boardwright.learn.workspace import Workspace

INITIAL_ROWS = 1024
"""Games of `race` and `colonizers` have 130 to 330 rows on average. One that needs more is played again, into arrays of
twice the size."""
MAX_ROWS = INITIAL_ROWS * 64
"""A game that needs more rows than this (80 MB) is taken to have no end."""
FEATURES_PER_ROW = 192
"""Capacity for nonzero features, on average over the rows; those games have 35 to 70."""
ACTIONS_PER_ROW = 16
"""Capacity for legal actions, on average over the rows; those games have 2 to 4."""


class Trajectory(NamedTuple):
    """Row i is about what `seat[i]` observed. Features and legal actions of all rows lie end to end: those of row i end
    before `feature_end[i]` and `action_end[i]`. A row without actions is there for its value alone."""

    feature_index: UInt16s
    feature_value: Float32s
    feature_end: Int64s
    action: UInt16s
    policy_target: Float32s
    action_end: Int64s
    seat: Int8s
    search_value: Float32s
    """The value that the search found for the seat; 0 in rows without actions."""

    @classmethod
    def with_capacity(cls, rows: int = INITIAL_ROWS) -> Trajectory:
        return cls(
            feature_index=np.zeros(rows * FEATURES_PER_ROW, np.uint16),
            feature_value=np.zeros(rows * FEATURES_PER_ROW, np.float32),
            feature_end=np.zeros(rows, np.int64),
            action=np.zeros(rows * ACTIONS_PER_ROW, np.uint16),
            policy_target=np.zeros(rows * ACTIONS_PER_ROW, np.float32),
            action_end=np.zeros(rows, np.int64),
            seat=np.zeros(rows, np.int8),
            search_value=np.zeros(rows, np.float32),
        )

    @property
    def capacity(self) -> int:
        return len(self.seat)

    @property
    def is_decision(self) -> Any:
        """For every row, whether it has actions to choose from."""
        return np.diff(self.action_end, prepend=0) > 0

    def first_rows(self, rows: int) -> Trajectory:
        """A copy of the rows that were written."""
        features, actions = (int(end[rows - 1]) if rows else 0 for end in (self.feature_end, self.action_end))
        return Trajectory(
            self.feature_index[:features].copy(), self.feature_value[:features].copy(), self.feature_end[:rows].copy(),
            self.action[:actions].copy(), self.policy_target[:actions].copy(), self.action_end[:rows].copy(),
            self.seat[:rows].copy(), self.search_value[:rows].copy(),
        )  # fmt: skip


TRAJECTORY = typeof(Trajectory.with_capacity())


@rule
def has_room(trajectory: Trajectory, rows: int, features: int, actions: int) -> bool:
    """Whether a row with so many features and actions fits after the first `rows`."""
    feature_end = trajectory.feature_end[rows - 1] if rows else 0
    action_end = trajectory.action_end[rows - 1] if rows else 0
    return (
        rows < trajectory.seat.size
        and feature_end + features <= trajectory.feature_index.size
        and action_end + actions <= trajectory.action.size
    )


@rule
def write_row(trajectory: Trajectory, row: int, workspace: Workspace, n: int, seat: int, search_value: float) -> None:
    """The features in the workspace, and its first n actions with `policy` as their policy targets."""
    at = trajectory.feature_end[row - 1] if row else 0
    for i in range(workspace.sparse.count[0]):
        trajectory.feature_index[at] = workspace.sparse.index[i]
        trajectory.feature_value[at] = workspace.sparse.value[i]
        at += 1
    trajectory.feature_end[row] = at
    at = trajectory.action_end[row - 1] if row else 0
    for i in range(n):
        trajectory.action[at] = workspace.actions[i]
        trajectory.policy_target[at] = workspace.policy[i]
        at += 1
    trajectory.action_end[row] = at
    trajectory.seat[row] = seat
    trajectory.search_value[row] = search_value
