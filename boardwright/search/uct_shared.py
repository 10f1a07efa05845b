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

from boardwright.kernel import rule
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

    slot_node: Any
    slot_visits: Any
    slot_total: Any
    room: Any
    """Nodes taken and not used yet: the first of them, and the one behind the last."""

    @classmethod
    def empty(cls) -> Unseen:
        return cls(
            slot_node=np.full(SLOTS, NOBODY, np.int32),
            slot_visits=np.zeros(SLOTS, np.int32),
            slot_total=np.zeros(SLOTS, np.float64),
            room=zeros_apart(2, np.int64),
        )


ThreadWorkspace = joined(__name__, "ThreadWorkspace", Workspace, Unseen)


def thread_workspace(workspace: Workspace) -> Any:
    """That of a thread that shares a tree."""
    return ThreadWorkspace(*workspace, *Unseen.empty())


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
def select(tree: Tree, node: int, workspace: Any, settings: Settings) -> int:
    """The child with the highest upper confidence bound; one never visited comes first. A virtual loss is on it until
    the backup, as on every child that another thread is below."""
    first = tree.first[node]
    visits = tree.visits[node]
    if visits >= SHARE and workspace.slot_node[node % SLOTS] == node:
        visits += workspace.slot_visits[node % SLOTS]
    log_visits = math.log(max(visits, 1))
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        visits, total = tree.visits[child], tree.total[child]
        if visits >= SHARE and workspace.slot_node[child % SLOTS] == child:
            visits += workspace.slot_visits[child % SLOTS]
            total += workspace.slot_total[child % SLOTS]
        if settings.virtual_loss:
            losses = settings.virtual_loss * tree.pending[child]
            visits += losses
            total += losses * settings.loss
        if visits == 0:
            best = child
            break
        bound = total / visits + settings.exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    if settings.virtual_loss:
        atomic_add(tree.pending, best, np.int32(1))
    return best


@rule
def backup(tree: Tree, workspace: Any, depth: int, mover: int, settings: Settings) -> None:
    """Add the returns to all nodes on the path."""
    add(tree, workspace, root_of(tree), 0.0)
    for place in range(depth):
        node = workspace.path[place]
        add(tree, workspace, node, workspace.returns[tree.mover[node]])
        if settings.virtual_loss:
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
