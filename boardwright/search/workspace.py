"""The workspace of one search thread: buffers that every iteration uses again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.kernel import MAX_SEATS, Game, typeof
from boardwright.kernel.padding import zeros_apart

LONGEST_PATH = 1024
"""Deeper than this, a search tree stops growing and playouts go on."""


class Workspace(NamedTuple):
    state: NDArray[np.uint8]
    before: NDArray[np.uint8]
    """The position before an action, where what is learned by it counts."""
    legal: NDArray[np.int64]
    edges: NDArray[np.int64]
    """The legal actions as edges of a tree."""
    returns: NDArray[np.float64]
    unfinished: NDArray[np.float64]
    """What a playout that was given up counts for all seats."""
    path: NDArray[np.int32]
    mark: NDArray[np.int64]
    """One entry per edge; `tick` below makes clearing it unnecessary."""
    tick: NDArray[np.int64]
    at: NDArray[np.int64]
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
