"""The workbench of one search thread: memory that every iteration uses again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

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
    """One entry per edge; `tick` below makes clearing it unnecessary."""
    tick: Any
    at: Any
    """The node each seat is at, where every seat has a tree."""

    @classmethod
    def for_game(cls, game: Game) -> Bench:
        return cls.sized(game.state.itemsize, game.max_legal, max(game.actions, game.sights))

    @classmethod
    def sized(cls, state: int, legal: int, edges: int) -> Bench:
        return cls(
            state=np.zeros(state, np.uint8),
            legal=np.zeros(legal, np.int64),
            edges=np.zeros(legal, np.int64),
            payoff=np.zeros(MAX_SEATS, np.float64),
            path=np.zeros(LONGEST_PATH, np.int32),
            mark=np.zeros(edges, np.int64),
            tick=np.zeros(1, np.int64),
            at=np.zeros(MAX_SEATS, np.int64),
        )


BENCH = typeof(Bench.sized(1, 1, 1))
RULES, STATE, WORDS = types.int64[::1], types.uint8[::1], types.uint64[::1]
