"""One game of the network against itself.

Every decision is searched. What the search found makes a better policy than the prior, and this improved policy is the
policy target of the row. The action played is sampled from it, so that games differ. The search's value of the position
goes into the value targets (training_set.py). Where a turn begins, every seat gets a row with a value target alone:
these are the positions that searches have the value head evaluate.

A part of the decisions may be left unsearched (playout-cap randomization, Wu 2019): they are sampled from the policy
and give no row of their own, so that many more games, with their results, are had for the same time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from boardwright.kernel import TERMINAL, Bytes, RngState, Unit, calls, copy_into, rng, rule, types
from boardwright.kernel.automatic_features import read_features
from boardwright.kernel.calls import LEARNING_RULES, RNG_STATE, STATE
from boardwright.kernel.calls import LearningRules as Rules
from boardwright.kernel.contract import NO_TURNS
from boardwright.learn import tree_search
from boardwright.learn.first_layer import forget
from boardwright.learn.network import Weights
from boardwright.learn.trajectory import TRAJECTORY, Trajectory, has_room, write_row
from boardwright.learn.tree_search import SEARCH, Search
from boardwright.learn.turn_search import (
    MIN_PRIOR,
    MODELS,
    SETTINGS,
    Models,
    Settings,
    evaluate_policy,
    sample_index,
    search,
)
from boardwright.learn.workspace import WORKSPACE, Workspace

TRAJECTORY_FULL = -1
"""What self-play returns, instead of the number of rows, when the trajectory has no room for another."""
MAX_EXPONENT = 30.0
"""Advantages are cut off at this many prior weights, so that `exp` cannot overflow. Nothing is lost: e^30 outweighs any
prior."""


@rule
def improved_policy(workspace: Workspace, n: int, prior_weight: float) -> float:
    """From the search's values of n actions to a policy, into `policy`, and the value of playing by it.

    An action's probability is prior × exp(advantage / prior_weight), normalized. This is the policy with the highest
    value minus `prior_weight` times its Kullback-Leibler divergence from the prior. The search ranks candidates by the
    same measure (`value_with_prior`). Actions that were not searched count as average.
    """
    weighted = searched = 0.0
    for i in range(n):
        if workspace.visits[i]:
            weighted += workspace.prior[i] * workspace.value_sum[i] / workspace.visits[i]
            searched += workspace.prior[i]
    average = weighted / max(searched, 1e-12)
    total = 0.0
    for i in range(n):
        advantage = workspace.value_sum[i] / workspace.visits[i] - average if workspace.visits[i] else 0.0
        ratio = np.exp(min(advantage / prior_weight, MAX_EXPONENT))
        workspace.policy[i] = max(workspace.prior[i], MIN_PRIOR) * ratio
        total += workspace.policy[i]
    value = 0.0
    for i in range(n):
        workspace.policy[i] /= total
        value += workspace.policy[i] * (
            workspace.value_sum[i] / workspace.visits[i] if workspace.visits[i] else average
        )
    return value


@rule
def write_value(rules: Rules, state: Bytes, seat: int, workspace: Workspace, trajectory: Trajectory, rows: int) -> int:
    """A row without actions for one seat; how many rows there are now, or TRAJECTORY_FULL."""
    if not has_room(trajectory, rows, workspace.sparse.index.size, 0):
        return TRAJECTORY_FULL
    read_features(rules, state, seat, workspace)
    write_row(trajectory, rows, workspace, 0, seat, 0.0)
    return rows + 1


@rule
def write_turn_start(
    rules: Rules, state: Bytes, seats: int, workspace: Workspace, trajectory: Trajectory, rows: int
) -> int:
    """The same for every seat."""
    for seat in range(seats):
        if rows != TRAJECTORY_FULL:
            rows = write_value(rules, state, seat, workspace, trajectory, rows)
    return rows


@rule
def write_decision(
    rules: Rules, seat: int, n: int, value: float, workspace: Workspace, trajectory: Trajectory, rows: int
) -> int:
    """A row for the observation in the workspace; how many rows there are now, or TRAJECTORY_FULL."""
    if not has_room(trajectory, rows, workspace.sparse.index.size, n):
        return TRAJECTORY_FULL
    read_features(rules, workspace.observation, seat, workspace)
    write_row(trajectory, rows, workspace, n, seat, value)
    return rows + 1


@rule
def decide(
    rules: Rules,
    models: Models,
    seat: int,
    settings: Settings,
    rng_state: RngState,
    workspace: Workspace,
    trajectory: Trajectory,
    rows: int,
) -> int:
    """A search of turns for the observation in the workspace, and its row. The action to play, sampled from the
    improved policy, is left in `top_actions`; how many rows there are now, or TRAJECTORY_FULL. (The action is there in
    either case.)"""
    n = search(rules, models, seat, settings, rng_state, workspace)
    value = improved_policy(workspace, n, settings.prior_weight)
    workspace.top_actions[0] = workspace.actions[sample_index(workspace.policy, n, rng_state)]
    return write_decision(rules, seat, n, value, workspace, trajectory, rows)


@rule
def decide_by_tree(search: Search, seat: int, rng_state: RngState, trajectory: Trajectory, rows: int) -> int:
    """The same with a tree; the action to play is the best of those that the search drew."""
    rules, workspace = search.rules, search.workspace
    value = tree_search.improve(search, seat, rng_state)
    n = calls.legal(rules, workspace.observation, workspace.legal)
    workspace.top_actions[0] = workspace.actions[workspace.ranking[0]]
    return write_decision(rules, seat, n, value, workspace, trajectory, rows)


@rule
def play_unsearched(
    rules: Rules, weights: Weights, state: Bytes, seat: int, n: int, rng_state: RngState, workspace: Workspace
) -> None:
    """One of the n actions in `legal`, sampled from the policy: it learns to be what searches improve it to."""
    forget(workspace.first_layer, workspace.sparse, weights, weights)
    evaluate_policy(rules, weights, state, seat, n, workspace)
    calls.apply(rules, state, workspace.legal[sample_index(workspace.policy, n, rng_state)])


def _self_play(
    rules: Rules,
    models: Models,
    state: Bytes,
    seats: int,
    searched: float,
    settings: Settings,
    rng_state: RngState,
    workspace: Workspace,
    trajectory: Trajectory,
) -> int:
    rows, turn = 0, NO_TURNS
    while calls.player(rules, state) != TERMINAL:
        seat = calls.player(rules, state)
        if turn == NO_TURNS or calls.turn(rules, state) != turn:
            turn = calls.turn(rules, state)
            rows = write_turn_start(rules, state, seats, workspace, trajectory, rows)
            if rows == TRAJECTORY_FULL:
                return TRAJECTORY_FULL
        n = calls.legal(rules, state, workspace.legal)
        if n == 1:
            calls.apply(rules, state, workspace.legal[0])
            continue
        if searched < 1.0 and rng.uniform(rng_state) >= searched:
            play_unsearched(rules, models.own, state, seat, n, rng_state, workspace)
            continue
        copy_into(workspace.observation, state, state.size)
        calls.observe(rules, workspace.observation, seat)
        rows = decide(rules, models, seat, settings, rng_state, workspace, trajectory, rows)
        if rows == TRAJECTORY_FULL:
            return TRAJECTORY_FULL
        calls.apply(rules, state, workspace.top_actions[0])
    return rows


def _tree_self_play(
    search: Search,
    state: Bytes,
    seats: int,
    opening: int,
    searched: float,
    rng_state: RngState,
    trajectory: Trajectory,
) -> int:
    """Every action ends a turn, so all seats get a row for the value before each of them, unless searches only ever
    ask for that of the seat to move. The action played is the best of those that the search drew. Up to `opening`
    actions at random come first."""
    rules, weights, settings, _, workspace = search
    rows, at_random = 0, rng.below(rng_state, opening + 1)
    while calls.player(rules, state) != TERMINAL:
        seat = calls.player(rules, state)
        n = calls.legal(rules, state, workspace.legal)
        if n == 1 or at_random > 0:
            calls.apply(rules, state, workspace.legal[rng.below(rng_state, n)])
            at_random -= 1
            continue
        if searched < 1.0 and rng.uniform(rng_state) >= searched:
            play_unsearched(rules, weights, state, seat, n, rng_state, workspace)
            continue
        if not settings.constant_sum:
            rows = write_turn_start(rules, state, seats, workspace, trajectory, rows)
            if rows == TRAJECTORY_FULL:
                return TRAJECTORY_FULL
        copy_into(workspace.observation, state, state.size)
        calls.observe(rules, workspace.observation, seat)
        rows = decide_by_tree(search, seat, rng_state, trajectory, rows)
        if rows == TRAJECTORY_FULL:
            return TRAJECTORY_FULL
        calls.apply(rules, state, workspace.top_actions[0])
    return rows


def _turn(rules: Rules, state: Bytes) -> int:
    return calls.turn(rules, state)


@cache
def code() -> Unit:
    seats = rows = opening = types.int64
    buffers = WORKSPACE, TRAJECTORY
    searched = types.float64
    with_turns = rows(LEARNING_RULES, MODELS, STATE, seats, searched, SETTINGS, RNG_STATE, *buffers)
    with_tree = rows(SEARCH, STATE, seats, opening, searched, RNG_STATE, TRAJECTORY)
    seat = turn = types.int64
    return Unit(
        "learn",
        {
            "self_play": (_self_play, with_turns),
            "tree_self_play": (_tree_self_play, with_tree),
            "decide": (decide, rows(LEARNING_RULES, MODELS, seat, SETTINGS, RNG_STATE, *buffers, rows)),
            "decide_by_tree": (decide_by_tree, rows(SEARCH, seat, RNG_STATE, TRAJECTORY, rows)),
            "turn_start": (write_value, rows(LEARNING_RULES, STATE, seat, *buffers, rows)),
            "turn": (_turn, turn(LEARNING_RULES, STATE)),
        },
    )


def kernel(name: str = "self_play") -> Any:
    """`self_play(rules, models, state, seats, searched, settings, rng_state, workspace, trajectory) -> rows`: plays
    `state` to its end; TRAJECTORY_FULL if the trajectory has no room for the game. `tree_self_play(search, state,
    seats, opening, searched, rng_state, trajectory)` searches trees instead of turns. The others are their parts, for
    games that not only the network plays: `decide` and `decide_by_tree` search the observation in the workspace,
    `turn_start` writes a row for the value, `turn` is the game's."""
    return code().entry_points[name]
