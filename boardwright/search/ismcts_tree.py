"""The trees of information set MCTS: a pool of nodes that all trees of a search share.

The children of a node form a linked list: at most one is added per tree and iteration. Several threads may share the
trees (`SharedTree`): a node is locked while its children are looked at and added to, and counters are added to
atomically.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from boardwright.kernel import MAX_SEATS, rule
from boardwright.kernel.arrays import Int8s, Int32s, Int64s
from boardwright.kernel.atomics import atomic_add, compare_and_swap, yield_processor
from boardwright.search.ismcts_tools import NodeTools
from boardwright.search.sharing import Shared, counters, is_shared
from boardwright.search.statistics import Statistics
from boardwright.search.toolbox import joined

NONE = -1
COUNTERS = {"visits": np.int32, "available": np.int32, "total": np.float64, "pending": np.int32}


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node i is the root of seat i's tree; SO and POM use one of them."""

    edge: Int32s
    """The action that leads to this node, as the tree's seat sees it; or what was learned by that of its parent."""
    mover: Int8s
    visits: Any
    available: Any
    """How often this node could have been chosen."""
    total: Any
    """The sum of the returns of the seat that chose this node."""
    child: Int32s
    """The youngest child, or NONE."""
    sibling: Int32s
    pending: Any
    """In shared trees: the threads that are below this node."""
    lock: Int32s
    """In shared trees: whether a thread is at its children."""
    used: Int64s
    conflicts: Int64s
    """In shared trees: how often a thread had to wait for a node."""

    @classmethod
    def with_room_for(cls, nodes: int) -> Self:
        nodes += MAX_SEATS
        tree = cls(
            edge=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            **counters(cls, nodes, COUNTERS),
            child=np.empty(nodes, np.int32),
            sibling=np.empty(nodes, np.int32),
            lock=np.zeros(nodes if issubclass(cls, Shared) else 1, np.int32),
            used=np.full(1, MAX_SEATS, np.int64),
            conflicts=np.zeros(1, np.int64),
        )
        tree.child[:MAX_SEATS] = NONE
        return tree

    def root(self, seat: int) -> Statistics:
        """What the search has found about each action of that seat's root."""
        nodes = []
        node = self.child[seat]
        while node != NONE:
            nodes.append(node)
            node = self.sibling[node]
        return Statistics.of(self.edge[nodes], self.visits[nodes], self.total[nodes])


class SharedTree(Shared, Tree):
    """One that several threads search."""

    __slots__ = ()


ToolTree = joined(__name__, "ToolTree", Tree, NodeTools)


class SharedToolTree(Shared, ToolTree):  # type: ignore[misc, valid-type]
    """One that several threads search."""

    __slots__ = ()


@rule
def acquire(tree: Tree, node: int) -> None:
    """In shared trees: wait until no other thread is at the children of a node."""
    if is_shared(tree) and not compare_and_swap(tree.lock, node, np.int32(0), np.int32(1)):
        atomic_add(tree.conflicts, 0, np.int64(1))
        while not compare_and_swap(tree.lock, node, np.int32(0), np.int32(1)):
            yield_processor()


@rule
def release(tree: Tree, node: int) -> None:
    if is_shared(tree):
        atomic_add(tree.lock, node, np.int32(-1))


@rule
def full(tree: Tree) -> bool:
    return tree.used[0] >= tree.edge.size


@rule
def add_child(tree: Tree, node: int, edge: int, mover: int) -> int:
    """A new child, or NONE if there is no room."""
    if is_shared(tree):
        child = atomic_add(tree.used, 0, np.int64(1))
        if child >= tree.edge.size:
            return NONE
    else:
        child = tree.used[0]
        tree.used[0] = child + 1
    tree.edge[child] = edge
    tree.mover[child] = mover
    tree.visits[child] = 0
    tree.available[child] = 1
    tree.total[child] = 0.0
    tree.child[child] = NONE
    tree.sibling[child] = tree.child[node]
    tree.child[node] = child
    return child
