"""The parts of plain UCT with several threads on one tree.

Near the root all threads add to the same counters in every iteration, and each time the line of memory that they lie on
moves from one processor to another. So a thread collects what it adds to busy nodes (`Unseen`). Its own walks count it
at once; others see it when it has grown to a small share of the node's visits, or when the thread's turn ends. For the
same reason a thread takes room for new nodes many at a time.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardwright.kernel import rule, typeof
from boardwright.kernel.arrays import Float64s, Int32s, Int64s
from boardwright.kernel.atomics import atomic_add
from boardwright.kernel.padding import zeros_apart
from boardwright.search.toolbox import joined
from boardwright.search.uct_tree import LEAF, add_children, root_of, take
from boardwright.search.workspace import Workspace

if TYPE_CHECKING:
    from boardwright.kernel import RngState
    from boardwright.kernel.calls import AnyRules
    from boardwright.search.uct import Settings
    from boardwright.search.uct_tree import Tree

SHARE = 32
"""A thread tells what it has added to a node when that is a 32nd of the node's visits, or if the node has fewer."""
SLOTS = 8192
"""A power of 2."""
NOBODY = -1
MANY = 4096
"""Nodes that a thread takes at once, unless the tree is nearly full."""


class Unseen(NamedTuple):
    """What a thread has not yet added to busy nodes: each has one slot where it can be, by its number."""

    slot_node: Int32s
    slot_visits: Int32s
    slot_total: Float64s
    room: Int64s
    """Nodes taken and not used yet: the first of them, and the one behind the last."""
    selections: Int64s
    """With virtual losses: how often a child was selected, and how often another would have been without them."""

    @classmethod
    def empty(cls) -> Unseen:
        return cls(
            slot_node=np.full(SLOTS, NOBODY, np.int32),
            slot_visits=np.zeros(SLOTS, np.int32),
            slot_total=np.zeros(SLOTS, np.float64),
            room=zeros_apart(2, np.int64),
            selections=zeros_apart(2, np.int64),
        )


ThreadWorkspace = joined(__name__, "ThreadWorkspace", Workspace, Unseen)


def thread_workspace(workspace: Workspace) -> Any:
    """That of a thread that shares a tree."""
    return ThreadWorkspace(*workspace, *Unseen.empty())


THREAD_WORKSPACE = typeof(thread_workspace(Workspace.sized(1, 1, 1)))


@rule
def take_own(tree: Tree, node: int, workspace: Any, n: int) -> int:
    """The first of n new nodes, from those that the thread has taken."""
    room = workspace.room
    if room[0] + n > room[1]:
        left = tree.first.size - tree.used[0]
        many = max(n, min(MANY, left // 32))
        first = take(tree, node, many)
        if first == LEAF:
            return LEAF
        room[0], room[1] = first, first + many
    room[0] += n
    return room[0] - n


@rule
def expand(
    rules: AnyRules, tree: Tree, node: int, workspace: Any, n: int, mover: int, settings: Settings, rng_state: RngState
) -> bool:
    """Add a child for each of the n legal actions, in random order; whether there was room."""
    return add_children(tree, node, take_own(tree, node, workspace, n), workspace, n, mover, rng_state)


@rule
def counted(tree: Tree, node: int, workspace: Any) -> tuple[int, float]:
    """The visits of a node and the sum of its returns, as the thread knows them."""
    visits, total = tree.visits[node], tree.total[node]
    if visits >= SHARE and workspace.slot_node[node % SLOTS] == node:
        return visits + workspace.slot_visits[node % SLOTS], total + workspace.slot_total[node % SLOTS]
    return visits, total


@rule
def select(tree: Tree, node: int, workspace: Any, settings: Settings) -> int:
    """The child with the highest upper confidence bound; one never visited comes first."""
    if settings.virtual_loss > 0.0:
        return select_apart(tree, node, workspace, settings)
    visits, _ = counted(tree, node, workspace)
    log_visits = math.log(max(visits, 1))
    best = tree.first[node]
    best_bound = -math.inf
    for child in range(best, best + tree.children[node]):
        visits, total = counted(tree, child, workspace)
        if visits == 0:
            return child
        bound = total / visits + settings.exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def select_apart(tree: Tree, node: int, workspace: Any, settings: Settings) -> int:
    """The same with virtual losses on children that another thread is below, and on the one that is selected until the
    backup. It is counted how often that is another child than without them."""
    visits, _ = counted(tree, node, workspace)
    log_visits = math.log(max(visits, 1))
    first = tree.first[node]
    best, alone = first, first
    best_bound, alone_bound = -math.inf, -math.inf
    for child in range(first, first + tree.children[node]):
        visits, total = counted(tree, child, workspace)
        losses = settings.virtual_loss * tree.pending[child]
        bound = bound_with(visits + losses, total + losses * settings.loss, log_visits, settings)
        without = bound if losses == 0.0 else bound_with(float(visits), total, log_visits, settings)
        if without > alone_bound:
            alone, alone_bound = child, without
        if bound > best_bound:
            best, best_bound = child, bound
        if best_bound == math.inf:
            break
    workspace.selections[0] += 1
    workspace.selections[1] += alone != best
    atomic_add(tree.pending, best, np.int32(1))
    return best


@rule
def bound_with(visits: float, total: float, log_visits: float, settings: Settings) -> float:
    """The upper confidence bound with virtual losses counted in."""
    if visits == 0.0:
        return math.inf
    return total / visits + settings.exploration * math.sqrt(log_visits / visits)


@rule
def backup(tree: Tree, workspace: Any, depth: int, mover: int, settings: Settings) -> None:
    """Add the returns to all nodes on the path."""
    add(tree, workspace, root_of(tree), 0.0)
    for place in range(depth):
        node = workspace.path[place]
        add(tree, workspace, node, workspace.returns[tree.mover[node]])
        if settings.virtual_loss > 0.0:
            atomic_add(tree.pending, node, np.int32(-1))


@rule
def add(tree: Tree, workspace: Any, node: int, amount: float) -> None:
    """One visit more, now or later."""
    seen = tree.visits[node]
    if seen < SHARE:
        atomic_add(tree.total, node, amount)
        atomic_add(tree.visits, node, np.int32(1))
        return
    slot = node % SLOTS
    if workspace.slot_node[slot] != node:
        flush(tree, workspace, slot)
        workspace.slot_node[slot] = node
    workspace.slot_visits[slot] += 1
    workspace.slot_total[slot] += amount
    if workspace.slot_visits[slot] * SHARE >= seen:
        flush(tree, workspace, slot)


@rule
def flush(tree: Tree, workspace: Any, slot: int) -> None:
    """Let other threads see what this one has added to a node, and empty its slot."""
    if workspace.slot_visits[slot] > 0:
        node = workspace.slot_node[slot]
        atomic_add(tree.total, node, workspace.slot_total[slot])
        atomic_add(tree.visits, node, workspace.slot_visits[slot])
        workspace.slot_visits[slot] = 0
        workspace.slot_total[slot] = 0.0


@rule
def flush_all(tree: Tree, workspace: Any) -> None:
    for slot in range(SLOTS):
        flush(tree, workspace, slot)
