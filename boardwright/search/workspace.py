"""The workspace of one search thread: buffers that every iteration uses again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardwright.kernel import MAX_SEATS, Game, typeof
from boardwright.kernel.arrays import Float64s, Int32s, Int64s, UInt8s
from boardwright.kernel.padding import zeros_apart

LONGEST_PATH = 1024
"""Deeper than this, a search tree stops growing and playouts go on."""


class Workspace(NamedTuple):
    state: UInt8s
    before: UInt8s
    """The position before an action, where what is learned by it counts."""
    legal: Int64s
    edges: Int64s
    """The legal actions as edges of a tree."""
    returns: Float64s
    unfinished: Float64s
    """What a playout that was given up counts for all seats."""
    path: Int32s
    mark: Int64s
    """One entry per edge; `tick` below makes clearing it unnecessary."""
    tick: Int64s
    at: Int64s
    """The node each seat is at, where every seat has a tree."""

    @classmethod
    def for_game(cls, game: Game) -> Workspace:
        edges = max(game.num_actions, game.num_action_observations)
        workspace = cls.sized(game.state.itemsize, game.max_legal, edges)
        workspace.unfinished[0] = (game.min_utility + game.max_utility) / 2
        return workspace

    @classmethod
    def sized(cls, state: int, legal: int, edges: int) -> Workspace:
        return cls(
            state=zeros_apart(state, np.uint8),
            before=zeros_apart(state, np.uint8),
            legal=zeros_apart(legal, np.int64),
            edges=zeros_apart(legal, np.int64),
            returns=zeros_apart(MAX_SEATS, np.float64),
            unfinished=zeros_apart(1, np.float64),
            path=zeros_apart(LONGEST_PATH, np.int32),
            mark=zeros_apart(edges, np.int64),
            tick=zeros_apart(1, np.int64),
            at=zeros_apart(MAX_SEATS, np.int64),
        )


WORKSPACE = typeof(Workspace.sized(1, 1, 1))
