"""The tree of `tree_search.py`: its settings, its nodes in flat arrays, and how children are found and added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardwright.kernel import rule, typeof
from boardwright.kernel.arrays import Float32s, Float64s, Int32s, Int64s
from boardwright.learn.turn_search import MIN_PRIOR
from boardwright.learn.workspace import Workspace

NONE = -1
"""In place of a node where there is none."""
MOST_NODES = 2_000_000
LONGEST_PATH = 512
"""A simulation that is longer is evaluated where it stands."""
UNPROVEN = -1.0
"""Where a node has no exact value."""


class TreeSettings(NamedTuple):
    """The parameters that the kernel sees."""

    simulations: int
    width: int
    """The most candidates at the root."""
    visit_offset: float
    """c_visit of the paper."""
    value_scale: float
    """c_scale of the paper. A value counts (c_visit + the most visits) · c_scale times, in units of logits."""
    noise: float
    """1: candidates are drawn by the policy, for training; 0: the likeliest ones are taken."""
    constant_sum: bool
    """Two seats whose values add up to 1: one of them is enough."""
    proves: bool = False
    """Whether exact values can be found: so it is with a constant sum, where nothing is hidden or left to chance."""
    halving: bool = True
    """Whether sequential halving spends the simulations at the root, or PUCT as below it."""


TREE_SETTINGS = typeof(TreeSettings(1, 1, 1.0, 1.0, 0.0, False, False, True))


class Tree(NamedTuple):
    """Nodes; a node's children are a linked list. Those of the root are in the order of the workspace's `actions`."""

    action: Int32s
    first_child: Int32s
    next_sibling: Int32s
    prior: Float32s
    visits: Int32s
    total: Float64s
    """The sum of the values for the seat that chose the action."""
    value: Float32s
    """The value head's estimate for the seat to move."""
    exact: Float32s
    """What the seat that chose the action will have from it, if that is proven."""
    used: Int64s
    path: Int64s
    seat_of_path: Int64s
    gumbel: Float64s
    """One number per root action."""

    @classmethod
    def with_room_for(cls, nodes: int, legal: int) -> Tree:
        return cls(
            action=np.zeros(nodes, np.int32),
            first_child=np.zeros(nodes, np.int32),
            next_sibling=np.zeros(nodes, np.int32),
            prior=np.zeros(nodes, np.float32),
            visits=np.zeros(nodes, np.int32),
            total=np.zeros(nodes, np.float64),
            value=np.zeros(nodes, np.float32),
            exact=np.zeros(nodes, np.float32),
            used=np.zeros(1, np.int64),
            path=np.zeros(LONGEST_PATH, np.int64),
            seat_of_path=np.zeros(LONGEST_PATH, np.int64),
            gumbel=np.zeros(legal),
        )


TREE = typeof(Tree.with_room_for(1, 1))


@rule
def new_node(tree: Tree, action: int, prior: float) -> int:
    """A node without children; NONE if there is no room."""
    node = tree.used[0]
    if node >= tree.action.size:
        return NONE
    tree.used[0] = node + 1
    tree.action[node], tree.prior[node] = action, prior
    tree.first_child[node] = tree.next_sibling[node] = NONE
    tree.visits[node], tree.total[node], tree.value[node], tree.exact[node] = 0, 0.0, 0.5, UNPROVEN
    return node


@rule
def child_of(tree: Tree, node: int, action: int) -> int:
    child = tree.first_child[node]
    while child != NONE and tree.action[child] != action:
        child = tree.next_sibling[child]
    return child


@rule
def child_or_next(tree: Tree, node: int, guess: int, action: int) -> int:
    """The child of an action; mostly it is the one guessed, since children come in the order of legal actions."""
    return guess if guess != NONE and tree.action[guess] == action else child_of(tree, node, action)


@rule
def value_of(tree: Tree, child: int, unvisited: float) -> float:
    """Its exact value, the mean of its simulations, or that of an action without visits."""
    if tree.exact[child] != UNPROVEN:
        return float(tree.exact[child])
    return tree.total[child] / tree.visits[child] if tree.visits[child] else unvisited


@rule
def add_children(tree: Tree, node: int, n: int, uniform: float, workspace: Workspace) -> bool:
    """One for each of the n actions in `legal` that has none yet, with its probability in `policy`, of which a part is
    shared evenly; whether there was room for all."""
    last = tree.first_child[node]
    while last != NONE and tree.next_sibling[last] != NONE:
        last = tree.next_sibling[last]
    for i in range(n):
        if child_of(tree, node, workspace.legal[i]) == NONE:
            prior = (1.0 - uniform) * workspace.policy[i] + uniform / n
            child = new_node(tree, workspace.legal[i], max(prior, MIN_PRIOR))
            if child == NONE:
                return False
            if last == NONE:
                tree.first_child[node] = child
            else:
                tree.next_sibling[last] = child
            last = child
    return True
