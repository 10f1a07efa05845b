"""The parts of plain information set MCTS: all legal actions, UCB1, playouts, mean returns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boardwright.kernel import rule
from boardwright.kernel.atomics import atomic_add
from boardwright.search import bounds
from boardwright.search.leaf import evaluate_leaf
from boardwright.search.sharing import is_shared, prepare_path, with_virtual_losses

if TYPE_CHECKING:
    from boardwright.kernel import RngState
    from boardwright.kernel.calls import AnyRules
    from boardwright.search.ismcts import Settings
    from boardwright.search.ismcts_tree import Tree
    from boardwright.search.workspace import Workspace


@rule
def prune(
    rules: AnyRules,
    tree: Tree,
    node: int,
    workspace: Workspace,
    n: int,
    mover: int,
    settings: Settings,
    rng_state: RngState,
) -> int:
    """How many of the n legal actions are kept at a node: those come first then."""
    return n


@rule
def falls_short(tree: Tree, child: int, root: float, bound: float) -> bool:
    """Whether a child's bound is certainly below another; `root` is the exploration times the root of the logarithm."""
    return not is_shared(tree) and bounds.falls_short(tree.total[child], tree.visits[child], root, bound)


@rule
def upper_bound(tree: Tree, child: int, log_available: float, settings: Settings) -> float:
    """The upper confidence bound of a child, counting a virtual loss for every thread that is below it."""
    visits, total = with_virtual_losses(tree, child, settings)
    if visits == 0:  # another thread has made it and is still below it
        return -math.inf
    return total / visits + settings.exploration * math.sqrt(log_available / visits)


@rule
def urgency(settings: Settings) -> float:
    """The bound of an action that was never tried."""
    return math.inf


@rule
def clear(tree: Tree, child: int, workspace: Workspace, place: int) -> None:
    """The numbers that tools keep for a new child, of the action at a place among the legal ones."""


@rule
def note(workspace: Workspace, mover: int, action: int) -> None:
    """An action is about to be played in the tree."""


@rule
def evaluate(rules: AnyRules, workspace: Workspace, mover: int, settings: Settings, rng_state: RngState) -> None:
    evaluate_leaf(rules, workspace, mover, rng_state, settings.plies)


@rule
def backup(tree: Tree, workspace: Workspace, length: int, settings: Settings) -> None:
    """Add the returns to all nodes on the path."""
    if is_shared(tree):
        prepare_path(tree, workspace, length)
    for place in range(length):
        node = workspace.path[place]
        if is_shared(tree):
            atomic_add(tree.total, node, workspace.returns[tree.mover[node]])
            atomic_add(tree.visits, node, np.int32(1))
            if settings.virtual_loss > 0.0:
                atomic_add(tree.pending, node, np.int32(-1))
        else:
            tree.visits[node] += 1
            tree.total[node] += workspace.returns[tree.mover[node]]
