"""The workbench of one search thread: memory that every iteration uses again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardwright.kernel import MAX_SEATS, Game

LONGEST_PATH = 1024
"""Deeper than this, a search tree stops growing and playouts go on."""


class Bench(NamedTuple):
    state: Any
    legal: Any
    edges: Any
    """The legal actions as edges of a tree."""
    payoff: Any
    path: Any
    mark: Any
    """One entry per action id; `tick` below makes clearing it unnecessary."""
    tick: Any
    at: Any
    """The node each seat is at, where every seat has a tree."""

    @classmethod
    def for_game(cls, game: Game) -> Bench:
        return cls(
            state=np.zeros(game.state.itemsize, np.uint8),
            legal=np.zeros(game.max_legal, np.int64),
            edges=np.zeros(game.max_legal, np.int64),
            payoff=np.zeros(MAX_SEATS, np.float64),
            path=np.zeros(LONGEST_PATH, np.int32),
            mark=np.zeros(game.actions, np.int64),
            tick=np.zeros(1, np.int64),
            at=np.zeros(MAX_SEATS, np.int64),
        )


BENCH = types.NamedTuple(
    (
        types.uint8[::1],
        types.int64[::1],
        types.int64[::1],
        types.float64[::1],
        types.int32[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
    ),
    Bench,
)
RULES, STATE, WORDS = types.int64[::1], types.uint8[::1], types.uint64[::1]
