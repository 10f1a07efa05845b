"""The tree of UCT: a pool of nodes, and how nodes are claimed, made and seen.

The children of a node lie side by side. In a shared tree the thread that expands a node claims it first; other threads
see the children when they are complete.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from boardwright.kernel import Actions, RngState, rng, rule
from boardwright.kernel.arrays import Float64s, Int8s, Int32s, Int64s
from boardwright.kernel.atomics import atomic_add, compare_and_swap
from boardwright.kernel.padding import zeros_apart
from boardwright.search.sharing import Shared, is_shared
from boardwright.search.statistics import Statistics
from boardwright.search.workspace import Workspace

ROOT = 0
LEAF = -1
CLAIMED = -2
"""Of a node that another thread is expanding."""


def _number() -> Any:
    """A number that shares no line of memory with others, as an array."""
    return zeros_apart(1, np.int64)


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node 0 is the root."""

    action: Int32s
    mover: Int8s
    visits: Int32s
    total: Float64s
    """The sum of the returns of the seat that chose this node."""
    first: Int32s
    """The first child, or LEAF; the others follow it."""
    children: Int32s
    pending: Int32s
    """In a shared tree: the threads that are below this node."""
    start: Int64s
    """The node that is the root now: ROOT, unless the tree is used again further on in a game."""
    used: Int64s
    conflicts: Int64s
    """In a shared tree: how often a thread came to a node that another was expanding."""

    @classmethod
    def with_room_for(cls, nodes: int) -> Self:
        tree = cls(
            action=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            visits=np.empty(nodes, np.int32),
            total=np.empty(nodes, np.float64),
            pending=np.zeros(nodes if issubclass(cls, Shared) else 1, np.int32),
            first=np.empty(nodes, np.int32),
            children=np.empty(nodes, np.int32),
            start=_number(),
            used=_number(),
            conflicts=_number(),
        )
        tree.first[ROOT], tree.visits[ROOT], tree.used[0] = LEAF, 0, 1
        return tree


class SharedTree(Shared, Tree):
    """One that several threads search."""

    __slots__ = ()


def root_statistics(tree: Tree) -> Statistics:
    """What the search has found about each action of the root."""
    start = tree.start[0]
    if tree.first[start] == LEAF:
        return Statistics()
    block = slice(tree.first[start], tree.first[start] + tree.children[start])
    return Statistics.of(tree.action[block], tree.visits[block], tree.total[block])


@rule
def root_of(tree: Tree) -> int:
    return tree.start[0]


@rule
def claim(tree: Tree, node: int) -> bool:
    """In a shared tree: whether this thread is the one to expand a node."""
    if compare_and_swap(tree.first, node, np.int32(LEAF), np.int32(CLAIMED)):
        return True
    atomic_add(tree.conflicts, 0, np.int64(1))
    return False


@rule
def take(tree: Tree, node: int, n: int) -> int:
    """The first of n new nodes for the children of a node; LEAF if there is no room, and the node stays a leaf."""
    if is_shared(tree):
        first = atomic_add(tree.used, 0, np.int64(n))
        if first + n > tree.first.size:
            atomic_add(tree.used, 0, np.int64(-n))
            tree.first[node] = LEAF
            return LEAF
        return first
    first = tree.used[0]
    if first + n > tree.first.size:
        tree.first[node] = LEAF
        return LEAF
    tree.used[0] = first + n
    return first


@rule
def fill(tree: Tree, node: int, first: int, legal: Actions, n: int, mover: int) -> None:
    """Make the n nodes from `first` on children without visits."""
    for i in range(n):
        child = first + i
        tree.action[child] = legal[i]
        tree.mover[child] = mover
        tree.visits[child] = 0
        tree.total[child] = 0.0
        tree.first[child] = LEAF
    tree.children[node] = n


@rule
def publish(tree: Tree, node: int, first: int) -> None:
    """Let selection see the children of a node, which are complete now."""
    if is_shared(tree):
        compare_and_swap(tree.first, node, np.int32(CLAIMED), np.int32(first))
    else:
        tree.first[node] = first


@rule
def add_children(
    tree: Tree, node: int, first: int, workspace: Workspace, n: int, mover: int, rng_state: RngState
) -> bool:
    """Make the nodes from `first` on children for the n legal actions, in random order; whether there was room."""
    if first == LEAF:
        return False
    rng.shuffle(rng_state, workspace.legal, n)
    fill(tree, node, first, workspace.legal, n, mover)
    publish(tree, node, first)
    return True
