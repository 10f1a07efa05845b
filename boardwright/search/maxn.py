"""MaxN (Luckhardt and Irani, 1986): look a fixed number of plies ahead; every seat maximises its own payoff.

Hidden information is met by determinization: the search runs on several sampled worlds, and each casts a vote for
the root action it finds best.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.kernel import MAX_SEATS, OVER, Game, compiled, rule, table
from boardwright.search.bench import RULES, STATE

ROOT = 0
FINISHED = -1
SLICE = 200_000
"""Positions to look at before Ctrl-C is heeded."""


class Levels(NamedTuple):
    """One row for each ply of the line under examination."""

    state: Any
    legal: Any
    choices: Any
    """How many legal actions there are at this level,"""
    cursor: Any
    """which of them is being looked into,"""
    mover: Any
    best: Any
    """and the payoffs of the best one so far."""
    level: Any
    """Where the search is; FINISHED when it is through."""

    @classmethod
    def for_game(cls, game: Game, depth: int) -> Levels:
        return cls.sized(depth + 1, game.state.itemsize, game.max_legal)

    @classmethod
    def sized(cls, levels: int, state: int, legal: int) -> Levels:
        return cls(
            state=np.zeros((levels, state), np.uint8),
            legal=np.zeros((levels, legal), np.int64),
            choices=np.zeros(levels, np.int64),
            cursor=np.zeros(levels, np.int64),
            mover=np.zeros(levels, np.int64),
            best=np.zeros((levels, MAX_SEATS), np.float64),
            level=np.full(1, FINISHED, np.int64),
        )


LEVELS = typeof(Levels.sized(2, 2, 2))


@rule
def enter(rules: Any, levels: Any, level: int, mover: int) -> None:
    levels.mover[level] = mover
    levels.choices[level] = table.legal(rules, levels.state[level], levels.legal[level])
    levels.cursor[level] = 0
    levels.best[level, mover] = -math.inf


@rule
def leave(levels: Any, level: int, payoffs: Any, root_payoffs: Any) -> None:
    """The action under examination at this level is worth `payoffs`; go on to the next. Of equals the first stays."""
    mover = levels.mover[level]
    if payoffs[mover] > levels.best[level, mover]:
        levels.best[level, :] = payoffs
    if level == ROOT:
        root_payoffs[levels.cursor[ROOT], :] = payoffs
    levels.cursor[level] += 1


def _search(rules: Any, root: Any, depth: int, levels: Any, payoffs: Any, root_payoffs: Any, most: int) -> int:
    """Fill `root_payoffs`, a row for each legal action of the root; returns how many positions were looked at.

    After `most` positions it comes back, to be called again unless `levels.level` says that it is through.
    """
    if levels.level[0] == FINISHED:
        levels.state[ROOT, :] = root
        enter(rules, levels, ROOT, table.player(rules, levels.state[ROOT]))
        levels.level[0] = ROOT
    level = levels.level[0]
    positions = 0
    while positions < most:
        if levels.cursor[level] == levels.choices[level]:
            if level == ROOT:
                levels.level[0] = FINISHED
                return positions
            level -= 1
            leave(levels, level, levels.best[level + 1], root_payoffs)
            continue
        below = levels.state[level + 1]
        below[:] = levels.state[level]
        table.apply(rules, below, levels.legal[level, levels.cursor[level]])
        positions += 1
        mover = table.player(rules, below)
        if mover == OVER or level + 1 == depth:
            table.evaluate(rules, below, payoffs)
            leave(levels, level, payoffs, root_payoffs)
        else:
            level += 1
            enter(rules, levels, level, mover)
    levels.level[0] = level
    return positions


@cache
def kernel() -> Any:
    """`search(rules, root, depth, levels, payoffs, root_payoffs, most)` over one fully known position."""
    signature = types.int64(RULES, STATE, types.int64, LEVELS, types.float64[::1], types.float64[:, ::1], types.int64)
    return compiled(_search, signature, "search.maxn")


def search(rules: Any, root: Any, depth: int, levels: Levels, payoffs: Any, root_payoffs: Any) -> int:
    """The whole search, in slices; returns how many positions were looked at."""
    run, positions = kernel(), 0
    levels.level[0] = FINISHED
    while True:
        positions += run(rules, root, depth, levels, payoffs, root_payoffs, SLICE)
        if levels.level[0] == FINISHED:
            return positions
