"""Backups: what a finished iteration leaves at the nodes of its path, besides visits and returns.

Each is one function, called for trees of UCT by `uct_tools.backup`. A path is the nodes below the root, in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.kernel import rule
from boardwright.kernel.atomics import atomic_add
from boardwright.kernel.traces import learn, single
from boardwright.search.sharing import is_shared
from boardwright.search.uct_tree import root_of


@rule
def add_squares(tree: Any, workspace: Any, depth: int) -> None:
    """For UCB1-Tuned."""
    for place in range(depth):
        node = workspace.path[place]
        result = workspace.returns[tree.mover[node]]
        if is_shared(tree):
            atomic_add(tree.squares, node, result * result)
        else:
            tree.squares[node] += result * result


@rule
def parent_of(tree: Any, workspace: Any, place: int) -> int:
    return workspace.path[place - 1] if place > 0 else root_of(tree)


@rule
def add_amaf(tree: Any, workspace: Any, depth: int, num_actions: int) -> None:
    """All moves as first: an action that its seat plays anywhere further on counts at every node of the path where it
    was on offer to that seat (Gelly and Silver, 2007)."""
    trace, played = workspace.trace, workspace.played
    tick = workspace.played_tick[0] + 1
    workspace.played_tick[0] = tick
    for i in range(trace.length[0]):
        played[single(num_actions, trace.mover[i], trace.action[i])] = tick
    for place in range(depth - 1, -1, -1):
        node = workspace.path[place]
        mover = tree.mover[node]
        played[single(num_actions, mover, tree.action[node])] = tick
        parent = parent_of(tree, workspace, place)
        first = tree.first[parent]
        for child in range(first, first + tree.children[parent]):
            if played[single(num_actions, mover, tree.action[child])] == tick:
                if is_shared(tree):
                    atomic_add(tree.amaf_total, child, workspace.returns[mover])
                    atomic_add(tree.amaf_visits, child, np.int32(1))
                else:
                    tree.amaf_total[child] += workspace.returns[mover]
                    tree.amaf_visits[child] += 1


@rule
def add_action_values(tree: Any, workspace: Any, depth: int, num_actions: int) -> None:
    """For playouts that learn: every action of the game, in the tree and after it, and its result."""
    trace, values = workspace.trace, workspace.action_values
    previous = -1
    for place in range(depth):
        node = workspace.path[place]
        mover, action = tree.mover[node], tree.action[node]
        learn(values, num_actions, mover, previous, action, workspace.returns[mover])
        previous = action
    for i in range(trace.length[0]):
        mover, action = trace.mover[i], trace.action[i]
        learn(values, num_actions, mover, previous, action, workspace.returns[mover])
        previous = action


@rule
def copy_row(rows: Any, target: int, source: int) -> None:
    for seat in range(rows.shape[1]):
        rows[target, seat] = rows[source, seat]


@rule
def back_up_minimax(tree: Any, workspace: Any, depth: int) -> None:
    """Implicit minimax backups (Lanctot et al., 2014): each node has the evaluation of the child that its seat would
    choose by evaluation alone, among those visited. For any number of seats, as in MaxN."""
    values = tree.minimax
    for place in range(depth - 1, -1, -1):
        node = workspace.path[place]
        mover, parent = tree.mover[node], parent_of(tree, workspace, place)
        first = tree.first[parent]
        best = node
        for child in range(first, first + tree.children[parent]):
            if tree.visits[child] > 0 and values[child, mover] > values[best, mover]:
                best = child
        copy_row(values, parent, best)


@rule
def back_up_proof(tree: Any, workspace: Any, depth: int, highest: float) -> None:
    """MCTS-Solver (Winands, Björnsson and Saito, 2008), for any number of seats: a node is proven if its seat has a
    child that is proven to give it the highest return, or if all children are proven; it chooses the best then."""
    for place in range(depth - 1, -1, -1):
        node = workspace.path[place]
        if not tree.proven[node]:
            return
        mover, parent = tree.mover[node], parent_of(tree, workspace, place)
        first = tree.first[parent]
        best = node
        if tree.proof[node, mover] < highest:
            for child in range(first, first + tree.children[parent]):
                if not tree.proven[child]:
                    return
                if tree.proof[child, mover] > tree.proof[best, mover]:
                    best = child
        copy_row(tree.proof, parent, best)
        tree.proven[parent] = 1
