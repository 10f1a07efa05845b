"""Tree search with a network, for games whose turns are single actions: the Gumbel variant of AlphaZero (Danihelka et
al., 2022), over information sets where something is hidden.

At the root, `width` actions are drawn by the policy without replacement (the Gumbel-top-k trick; when playing, the
likeliest ones are taken), and sequential halving spends the simulations on them. The improved policy is that of the
logits plus the completed values, where an action without visits counts as the value of its node. Below the root, PUCT
selects. A leaf is what the value head says for each seat.

Every simulation plays in a determinization of its own, so chance and hidden information are averaged over; a node is a
sequence of actions (an open loop), and only the children that are legal in the determinization take part. In each round
of sequential halving all candidates meet the same determinizations.

Where nothing is hidden or left to chance, what simulations prove is kept (Winands, Björnsson and Saito, 2008): the
value of a finished game is exact, so is that of a position with a winning action, and of one whose actions all have
exact values. A position that is come to for the first time is looked through for an action that wins at once.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from boardwright.kernel import TERMINAL, Bytes, Game, RngState, Unit, calls, copy_into, rng, rule, types
from boardwright.kernel.calls import LEARNING_RULES, RNG_STATE
from boardwright.kernel.calls import LearningRules as Rules
from boardwright.learn.first_layer import begin_rollout, forget, hidden_layer_of
from boardwright.learn.network import WEIGHTS, Weights, policy_head, value_head
from boardwright.learn.tree import (
    LONGEST_PATH,
    NONE,
    TREE,
    TREE_SETTINGS,
    UNPROVEN,
    Tree,
    TreeSettings,
    add_children,
    child_or_next,
    new_node,
    value_of,
)
from boardwright.learn.turn_search import evaluate_policy, evaluate_value, sample_index
from boardwright.learn.workspace import WORKSPACE, Workspace, scale_returns

ROOT = 0
RANDOM_GAMES = 200
"""Games at random that show whether returns have a constant sum."""
VISIT_OFFSET, VALUE_SCALE = 50.0, 1.0
"""c_visit and c_scale of the paper, as it has them for Go and chess. Not varied."""
EXPLORATION = 0.6
"""Weight of the prior below the root: AlphaZero's 1.25 for values from -1 to 1. Not varied. The rule of the paper,
which brings visits near to the improved policy, did not see in 1,000 simulations of `connect_four` that three in a
column are a threat: where one reply was likely, no other was ever tried."""
UNIFORM = 0.25
"""The part of the prior below the root that is shared evenly among the actions. Not varied."""
PROVEN_SCORE = 1e3
"""What a proven win is above all other actions, and a proven loss below them, in units of logits."""


class Search(NamedTuple):
    """What a search works with."""

    rules: Rules
    weights: Weights
    settings: TreeSettings
    tree: Tree
    workspace: Workspace


SEARCH = types.NamedTuple((LEARNING_RULES, WEIGHTS, TREE_SETTINGS, TREE, WORKSPACE), Search)


@rule
def evaluate_seats(search: Search, state: Bytes, mover: int) -> None:
    """The value of each seat, into `returns`; that of the one to move is there already."""
    rules, weights, settings, _, workspace = search
    if settings.constant_sum:
        workspace.returns[1 - mover] = 1.0 - workspace.returns[mover]
        return
    for seat in range(workspace.seats[0]):
        if seat != mover:
            workspace.returns[seat] = evaluate_value(rules, weights, state, seat, workspace)


@rule
def expand(search: Search, node: int, state: Bytes, n: int) -> None:
    """Children for the n actions in `legal`, and the value of every seat, into `returns`."""
    rules, weights, _, tree, workspace = search
    mover = calls.player(rules, state)
    hidden_layer_of(rules, weights, state, mover, workspace)
    policy_head(weights, workspace.hidden, workspace.legal, n, workspace.policy)
    value = value_head(weights, workspace.hidden)
    add_children(tree, node, n, UNIFORM, workspace)
    tree.value[node] = value
    workspace.returns[mover] = value
    evaluate_seats(search, state, mover)


@rule
def final_values(rules: Rules, state: Bytes, workspace: Workspace) -> None:
    """What a finished game is worth to each seat, from 0 to 1."""
    calls.returns(rules, state, workspace.returns)
    scale_returns(workspace)


@rule
def wins_at_once(rules: Rules, state: Bytes, mover: int, n: int, workspace: Workspace) -> bool:
    """Whether one of the n actions in `legal` ends the game with the most that there is to win."""
    for i in range(n):
        copy_into(workspace.branch, state, state.size)
        calls.apply(rules, workspace.branch, workspace.legal[i])
        if calls.player(rules, workspace.branch) == TERMINAL:
            calls.returns(rules, workspace.branch, workspace.returns)
            if workspace.returns[mover] == workspace.utility_bounds[1]:
                return True
    return False


@rule
def mixed_value(tree: Tree, node: int) -> float:
    """What an action without visits counts: the node's own value, and those of its visited children by their priors
    (v_mix of the paper)."""
    visits, weighted, prior = 0, 0.0, 0.0
    child = tree.first_child[node]
    while child != NONE:
        if tree.visits[child]:
            visits += tree.visits[child]
            weighted += tree.prior[child] * value_of(tree, child, 0.0)
            prior += tree.prior[child]
        child = tree.next_sibling[child]
    if visits == 0:
        return float(tree.value[node])
    return (tree.value[node] + visits * weighted / prior) / (1 + visits)


@rule
def scale_of(tree: Tree, node: int, settings: TreeSettings) -> float:
    most = 0
    child = tree.first_child[node]
    while child != NONE:
        most = max(most, tree.visits[child])
        child = tree.next_sibling[child]
    return (settings.visit_offset + most) * settings.value_scale


@rule
def score_of(tree: Tree, child: int, scale: float, unvisited: float) -> float:
    """The logit plus the scaled completed value; a proven win before everything else, a proven loss after it."""
    proven = PROVEN_SCORE if tree.exact[child] == 1.0 else -PROVEN_SCORE if tree.exact[child] == 0.0 else 0.0
    return np.log(tree.prior[child]) + scale * value_of(tree, child, unvisited) + proven


@rule
def select(tree: Tree, node: int, n: int, workspace: Workspace) -> int:
    """Of the n legal actions the one with the highest value plus margin, which its prior widens (PUCT). One without
    visits has the node's mixed value."""
    unvisited, visits = mixed_value(tree, node), 0
    guess = tree.first_child[node]
    for i in range(n):
        child = child_or_next(tree, node, guess, workspace.legal[i])
        if child != NONE:  # else there was no room for it
            visits += tree.visits[child]
            guess = tree.next_sibling[child]
    width = EXPLORATION * np.sqrt(max(visits, 1))
    best, best_bound, guess = NONE, -1e30, tree.first_child[node]
    for i in range(n):
        child = child_or_next(tree, node, guess, workspace.legal[i])
        if child != NONE:
            bound = value_of(tree, child, unvisited)
            if tree.exact[child] == UNPROVEN:
                bound += width * tree.prior[child] / (1 + tree.visits[child])
            if bound > best_bound:
                best, best_bound = child, bound
            guess = tree.next_sibling[child]
    return best


@rule
def prove(tree: Tree, length: int) -> None:
    """The last node of the path has an exact value: which nodes above it have one, too?"""
    for i in range(length - 1, 0, -1):
        best, all_proven = UNPROVEN, tree.used[0] < tree.action.size  # else actions may lack a node
        child = tree.first_child[tree.path[i - 1]]
        while child != NONE:
            best = max(best, float(tree.exact[child]))
            all_proven = all_proven and tree.exact[child] != UNPROVEN
            child = tree.next_sibling[child]
        if best < 1.0 and not all_proven:
            return
        same_seat = tree.seat_of_path[i - 1] == tree.seat_of_path[i]
        tree.exact[tree.path[i - 1]] = best if same_seat else 1.0 - best


@rule
def simulate(search: Search, seat: int, root_child: int) -> None:
    """One simulation in the current determinization, beginning with an action of the root."""
    rules, weights, settings, tree, workspace = search
    state, length = workspace.state, 1
    begin_rollout(workspace.first_layer)
    copy_into(state, workspace.determinization, state.size)
    calls.rewind(rules, state)
    while calls.player(rules, state) != seat:  # those whose answer is hidden answer again
        n = calls.legal(rules, state, workspace.legal)
        evaluate_policy(rules, weights, state, calls.player(rules, state), n, workspace)
        calls.apply(rules, state, workspace.legal[sample_index(workspace.policy, n, workspace.rollout_rng)])
    node = root_child
    tree.path[0], tree.seat_of_path[0] = node, seat
    calls.apply(rules, state, tree.action[node])
    while True:
        if tree.exact[node] != UNPROVEN:
            chooser = tree.seat_of_path[length - 1]
            workspace.returns[chooser], workspace.returns[1 - chooser] = tree.exact[node], 1.0 - tree.exact[node]
            break
        mover = calls.player(rules, state)
        if mover == TERMINAL:
            final_values(rules, state, workspace)
            if settings.proves:
                tree.exact[node] = workspace.returns[tree.seat_of_path[length - 1]]
            break
        n = calls.legal(rules, state, workspace.legal)
        if n == 1:
            calls.apply(rules, state, workspace.legal[0])
            continue
        if tree.first_child[node] == NONE or length == LONGEST_PATH:
            if settings.proves and wins_at_once(rules, state, mover, n, workspace):
                tree.exact[node] = 1.0 if tree.seat_of_path[length - 1] == mover else 0.0
                continue
            expand(search, node, state, n)
            break
        if not settings.proves and has_unknown_action(tree, node, n, workspace):
            evaluate_policy(rules, weights, state, mover, n, workspace)
            add_children(tree, node, n, UNIFORM, workspace)
        child = select(tree, node, n, workspace)
        if child == NONE:
            workspace.returns[mover] = evaluate_value(rules, weights, state, mover, workspace)
            evaluate_seats(search, state, mover)
            break
        tree.path[length], tree.seat_of_path[length] = child, mover
        length += 1
        calls.apply(rules, state, tree.action[child])
        node = child
    for i in range(length):
        tree.visits[tree.path[i]] += 1
        tree.total[tree.path[i]] += workspace.returns[tree.seat_of_path[i]]
    if tree.exact[node] != UNPROVEN:
        prove(tree, length)


@rule
def has_unknown_action(tree: Tree, node: int, n: int, workspace: Workspace) -> bool:
    """Whether one of the n legal actions has no child: where something is hidden, other actions are legal in other
    determinizations."""
    guess = tree.first_child[node]
    for i in range(n):
        child = child_or_next(tree, node, guess, workspace.legal[i])
        if child == NONE:
            return True
        guess = tree.next_sibling[child]
    return False


@rule
def gumbel_noise(rng_state: RngState) -> float:
    return -np.log(-np.log(max(rng.uniform(rng_state), 1e-12)))


@rule
def begin(search: Search, seat: int, rng_state: RngState) -> int:
    """A tree of the root alone, for the observation in the workspace; how many legal actions it has."""
    rules, weights, settings, tree, workspace = search
    tree.used[0] = 0
    root = new_node(tree, 0, 1.0)
    n = calls.legal(rules, workspace.observation, workspace.legal)
    forget(workspace.first_layer, workspace.sparse, weights, weights)
    hidden_layer_of(rules, weights, workspace.observation, seat, workspace)
    policy_head(weights, workspace.hidden, workspace.legal, n, workspace.policy)
    tree.value[root] = value_head(weights, workspace.hidden)
    add_children(tree, root, n, 0.0, workspace)
    for i in range(n):
        workspace.actions[i], workspace.prior[i] = workspace.legal[i], workspace.policy[i]
        tree.gumbel[i] = settings.noise * gumbel_noise(rng_state) if settings.noise > 0.0 else 0.0
    return n


@rule
def rank_root(tree: Tree, count: int, settings: TreeSettings, workspace: Workspace) -> None:
    """Sort the first `count` of the ranking by Gumbel number, logit and completed value, best first."""
    unvisited, scale = mixed_value(tree, ROOT), scale_of(tree, ROOT, settings)
    ranking, score = workspace.ranking, workspace.value_sum
    for i in range(count):
        k = ranking[i]
        score[k] = tree.gumbel[k] + score_of(tree, 1 + k, scale, unvisited)
    for i in range(1, count):
        moved, j = ranking[i], i
        while j > 0 and score[ranking[j - 1]] < score[moved]:
            ranking[j] = ranking[j - 1]
            j -= 1
        ranking[j] = moved


@rule
def sequential_halving(search: Search, seat: int, n: int, rng_state: RngState) -> None:
    """Spend the simulations on fewer and fewer candidates. The root's children are nodes 1 to n, in the order of
    `actions`."""
    rules, _, settings, tree, workspace = search
    for i in range(n):
        workspace.ranking[i] = i
    rank_root(tree, n, settings, workspace)
    candidates = min(n, settings.width)
    parts, left = 1, candidates
    while left > 2:
        left = (left + 1) // 2
        parts += 1
    spent = 0
    for part in range(parts):
        until = spent + max(candidates, (settings.simulations - spent) // (parts - part))
        while spent < min(until, settings.simulations):
            copy_into(workspace.determinization, workspace.observation, workspace.observation.size)
            calls.determinize(rules, workspace.determinization, seat, rng.next64(rng_state))
            seed = rng.next64(rng_state)
            for i in range(min(candidates, settings.simulations - spent)):
                rng.seed(workspace.rollout_rng, seed)
                simulate(search, seat, 1 + workspace.ranking[i])
                spent += 1
        rank_root(tree, candidates, settings, workspace)
        if candidates > 2:
            candidates = (candidates + 1) // 2
    if tree.exact[1 + workspace.ranking[0]] == 0.0:  # perhaps not all of those that were dropped are lost
        rank_root(tree, n, settings, workspace)


@rule
def spend_by_bounds(search: Search, seat: int, n: int, rng_state: RngState) -> None:
    """Spend the simulations as below the root: each on the action with the highest bound. The ranking is by visits
    then, proven wins first and proven losses last."""
    rules, _, settings, tree, workspace = search
    for _ in range(settings.simulations):
        copy_into(workspace.determinization, workspace.observation, workspace.observation.size)
        calls.determinize(rules, workspace.determinization, seat, rng.next64(rng_state))
        rng.seed(workspace.rollout_rng, rng.next64(rng_state))
        copy_into(workspace.legal, workspace.actions, n)
        simulate(search, seat, select(tree, ROOT, n, workspace))
    ranking = workspace.ranking
    for i in range(n):
        proven = tree.exact[1 + i]
        workspace.value_sum[i] = 1e9 if proven == 1.0 else -1.0 if proven == 0.0 else float(tree.visits[1 + i])
        j = i
        while j > 0 and workspace.value_sum[ranking[j - 1]] < workspace.value_sum[i]:
            ranking[j] = ranking[j - 1]
            j -= 1
        ranking[j] = i


@rule
def spend(search: Search, seat: int, n: int, rng_state: RngState) -> None:
    """Spend the simulations; the best action is first in the ranking then. Called again, it goes on with the same
    tree."""
    if search.settings.halving:
        sequential_halving(search, seat, n, rng_state)
    else:
        spend_by_bounds(search, seat, n, rng_state)


@rule
def conclude(tree: Tree, n: int, settings: TreeSettings, workspace: Workspace) -> float:
    """The improved policy into `policy`, visits and values of the root's actions into the workspace; the value of
    playing by that policy."""
    unvisited, scale = mixed_value(tree, ROOT), scale_of(tree, ROOT, settings)
    highest = -1e30
    for i in range(n):
        workspace.policy[i] = score_of(tree, 1 + i, scale, unvisited)
        highest = max(highest, workspace.policy[i])
    total = 0.0
    for i in range(n):
        workspace.policy[i] = np.exp(workspace.policy[i] - highest)
        total += workspace.policy[i]
    value = 0.0
    for i in range(n):
        workspace.policy[i] /= total
        mean = value_of(tree, 1 + i, unvisited)
        workspace.visits[i], workspace.value_sum[i] = tree.visits[1 + i], tree.visits[1 + i] * mean
        value += workspace.policy[i] * mean
    return value


@rule
def improve(search: Search, seat: int, rng_state: RngState) -> float:
    """Search the observation in the workspace; the value found. The best action is first in the ranking, the improved
    policy in `policy`."""
    n = begin(search, seat, rng_state)
    spend(search, seat, n, rng_state)
    return conclude(search.tree, n, search.settings, search.workspace)


def has_constant_sum(game: Game, seats: int) -> bool:
    """Whether the returns of two seats add up to the lowest and the highest in some games at random."""
    if seats != 2:
        return False
    if game.entries not in _sums:
        _sums[game.entries] = _adds_up(game, seats)
    return _sums[game.entries]


_sums: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
"""Of the games so far, by their entry points: an agent is made for every game that is played."""


def _adds_up(game: Game, seats: int) -> bool:
    random = np.random.default_rng(0)
    for number in range(RANDOM_GAMES):
        state = game.new(seed=number, seats=seats)
        while not state.is_terminal:
            state.apply(int(random.choice(state.legal_actions())))
        if abs(sum(state.returns) - (game.min_utility + game.max_utility)) > 1e-9:
            return False
    return True


def _go_on(search: Search, seat: int, n: int, rng_state: RngState) -> float:
    spend(search, seat, n, rng_state)
    return conclude(search.tree, n, search.settings, search.workspace)


@cache
def code() -> Unit:
    seat = n = types.int64
    return Unit(
        "learn",
        {
            "tree_begin": (begin, n(SEARCH, seat, RNG_STATE)),
            "tree_go_on": (_go_on, types.float64(SEARCH, seat, n, RNG_STATE)),
        },
    )


def kernel(name: str) -> Any:
    """Of `workspace.observation`: `tree_begin(search, seat, rng_state) -> number of legal actions`, then, as often as
    wanted, `tree_go_on(search, seat, number of actions, rng_state) -> value` with so many simulations more."""
    return code().entry_points[name]
