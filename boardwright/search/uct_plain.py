"""The parts of plain UCT: all legal actions, UCB1, playouts, mean returns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boardwright.kernel import rule
from boardwright.kernel.atomics import atomic_add
from boardwright.search.bounds import falls_short
from boardwright.search.leaf import evaluate_leaf
from boardwright.search.sharing import is_shared, prepare_path
from boardwright.search.uct_tree import add_children, root_of, take

if TYPE_CHECKING:
    from boardwright.kernel import RngState
    from boardwright.kernel.calls import AnyRules
    from boardwright.search.leaf_workers import Jobs
    from boardwright.search.uct import Settings
    from boardwright.search.uct_tree import Tree
    from boardwright.search.workspace import Workspace


@rule
def expand(
    rules: AnyRules,
    tree: Tree,
    node: int,
    workspace: Workspace,
    n: int,
    mover: int,
    settings: Settings,
    rng_state: RngState,
) -> bool:
    """Add a child for each of the n legal actions, in random order; whether there was room."""
    return add_children(tree, node, take(tree, node, n), workspace, n, mover, rng_state)


@rule
def highest_bound(tree: Tree, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound; one never visited comes first."""
    first = tree.first[node]
    log_visits = math.log(max(tree.visits[node], 1))
    root = exploration * math.sqrt(log_visits)
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        visits = tree.visits[child]
        if visits == 0:
            return child
        if falls_short(tree.total[child], visits, root, best_bound):
            continue
        bound = tree.total[child] / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def highest_bound_apart(tree: Tree, node: int, settings: Settings) -> int:
    """The same, with a virtual loss for every thread that is below a child."""
    first = tree.first[node]
    log_visits = math.log(max(tree.visits[node], 1))
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        losses = settings.virtual_loss * tree.pending[child]
        visits = tree.visits[child] + losses
        if visits == 0:
            return child
        mean = (tree.total[child] + losses * settings.loss) / visits
        bound = mean + settings.exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def select(tree: Tree, node: int, workspace: Workspace, settings: Settings) -> int:
    """The child to go on with; a virtual loss is on it until the backup."""
    if is_shared(tree) and settings.virtual_loss > 0.0:
        child = highest_bound_apart(tree, node, settings)
        atomic_add(tree.pending, child, np.int32(1))
        return child
    return highest_bound(tree, node, settings.exploration)


@rule
def is_closed(tree: Tree, node: int, settings: Settings) -> bool:
    """Whether a walk ends at a node although it has children."""
    return False


@rule
def delegate(jobs: Jobs, workspace: Workspace, depth: int) -> bool:
    """Whether somebody else evaluates the leaf and backs it up later."""
    return False


@rule
def evaluate(
    rules: AnyRules, tree: Tree, node: int, workspace: Workspace, mover: int, settings: Settings, rng_state: RngState
) -> None:
    """What the leaf is worth to each seat, into `workspace.returns`."""
    evaluate_leaf(rules, workspace, mover, rng_state, settings.plies)


@rule
def backup(tree: Tree, workspace: Workspace, depth: int, mover: int, settings: Settings) -> None:
    """Add the returns to all nodes on the path."""
    if is_shared(tree):
        prepare_path(tree, workspace, depth)
        atomic_add(tree.visits, root_of(tree), np.int32(1))
        for place in range(depth):
            node = workspace.path[place]
            atomic_add(tree.total, node, workspace.returns[tree.mover[node]])
            atomic_add(tree.visits, node, np.int32(1))
            if settings.virtual_loss > 0.0:
                atomic_add(tree.pending, node, np.int32(-1))
        return
    tree.visits[root_of(tree)] += 1
    for place in range(depth):
        node = workspace.path[place]
        tree.visits[node] += 1
        tree.total[node] += workspace.returns[tree.mover[node]]
