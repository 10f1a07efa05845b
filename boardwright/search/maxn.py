"""MaxN (Luckhardt and Irani, 1986): look a fixed number of plies ahead; every seat maximises its own return.

Hidden information is met by determinization: the search runs on several determinizations, and each casts a vote for
the root action it finds best.
"""

from __future__ import annotations

import math
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.agents import Decision, Reason, param
from boardwright.kernel import MAX_SEATS, TERMINAL, Code, Game, Observation, Returns, Unit, calls, rng, rule
from boardwright.kernel.calls import SEARCH_RULES, STATE
from boardwright.kernel.pointers import copy_into
from boardwright.search.stream import StreamAgent

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
    """and the returns of the best one so far."""
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
    levels.choices[level] = calls.legal(rules, levels.state[level], levels.legal[level])
    levels.cursor[level] = 0
    levels.best[level, mover] = -math.inf


@rule
def leave(levels: Any, level: int, returns: Any, root_returns: Any) -> None:
    """The action under examination at this level is worth `returns`; go on to the next. Of equals the first stays."""
    mover = levels.mover[level]
    if returns[mover] > levels.best[level, mover]:
        levels.best[level, :] = returns
    if level == ROOT:
        root_returns[levels.cursor[ROOT], :] = returns
    levels.cursor[level] += 1


def _search(rules: Any, root: Any, depth: int, levels: Any, returns: Any, root_returns: Any, most: int) -> int:
    """Fill `root_returns`, a row for each legal action of the root; returns how many positions were looked at.

    After `most` positions it comes back, to be called again unless `levels.level` says that it is through.
    """
    if levels.level[0] == FINISHED:
        copy_into(levels.state[ROOT], root, root.size)
        enter(rules, levels, ROOT, calls.player(rules, levels.state[ROOT]))
        levels.level[0] = ROOT
    level = levels.level[0]
    positions = 0
    while positions < most:
        if levels.cursor[level] == levels.choices[level]:
            if level == ROOT:
                levels.level[0] = FINISHED
                return positions
            level -= 1
            leave(levels, level, levels.best[level + 1], root_returns)
            continue
        below = levels.state[level + 1]
        copy_into(below, levels.state[level], below.size)
        calls.apply(rules, below, levels.legal[level, levels.cursor[level]])
        positions += 1
        mover = calls.player(rules, below)
        if mover == TERMINAL or level + 1 == depth:
            calls.evaluate(rules, below, returns)
            leave(levels, level, returns, root_returns)
        else:
            level += 1
            enter(rules, levels, level, mover)
    levels.level[0] = level
    return positions


@cache
def code() -> Unit:
    signature = types.int64(
        SEARCH_RULES, STATE, types.int64, LEVELS, types.float64[::1], types.float64[:, ::1], types.int64
    )
    return Unit("search", {"maxn": (_search, signature)})


def kernel() -> Any:
    """`search(rules, root, depth, levels, returns, root_returns, most)` over one fully known position."""
    return code().entry_points["maxn"]


def search(rules: Any, root: Any, depth: int, levels: Levels, returns: Any, root_returns: Any) -> int:
    """The whole search, in slices; returns how many positions were looked at."""
    run, positions = kernel(), 0
    levels.level[0] = FINISHED
    while True:
        positions += run(rules, root, depth, levels, returns, root_returns, SLICE)
        if levels.level[0] == FINISHED:
            return positions


class MaxN(StreamAgent):
    """MaxN: every seat maximises its own return a few plies ahead; determinizations vote if information is hidden."""

    depth: int = param(7, "plies to look ahead", ge=1, le=64)
    determinizations: int = param(10, "determinizations, where information is hidden", ge=1)
    evaluation: str = param("", "how positions at full depth are judged: one the game brings; default: its first")
    root: Literal["own", "lexicographic"] = param(
        "own", "what the choice at the root maximises: the own return, or the first seat's, then the second's and so on"
    )

    def prepare(self) -> None:
        super().prepare()
        self.estimate = self.evaluation or next(iter(self.game.search.evaluations), "returns")
        self._code = self.game.entries.search_code(evaluation=self.estimate)

    def needs(self) -> list[Code]:
        return [*self._code, code]

    @cached_property
    def rules(self) -> Any:
        return self.game.entries.search_rules(evaluation=self.estimate)

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        determinizations = self.determinizations if observation.has_hidden_information else 1
        rng_state = self.rng_state(observation)
        levels, leaf = Levels.for_game(self.game, self.depth), np.zeros(MAX_SEATS)
        returns = np.zeros((len(legal), MAX_SEATS))
        votes, own = np.zeros(len(legal), np.int64), np.zeros(len(legal))
        positions = 0
        for _ in range(determinizations):
            determinization = observation.determinize(seed=rng.draw(rng_state)).memory
            positions += search(self.rules, determinization, self.depth, levels, leaf, returns)
            votes[self._best(returns, observation)] += 1
            own += returns[:, observation.seat] / determinizations
        order = sorted(range(len(legal)), key=lambda place: (-votes[place], place))
        reasons = tuple(
            Reason(legal[i], float(own[i]), float(votes[i] / determinizations), int(votes[i])) for i in order
        )
        return Decision(legal[order[0]], reasons, f"{determinizations} determinizations, {positions:,} positions")

    def _best(self, returns: Returns, observation: Observation) -> int:
        if self.root == "own":
            return int(np.argmax(returns[:, observation.seat]))
        return max(range(len(returns)), key=lambda place: tuple(returns[place, : observation.seats]))
