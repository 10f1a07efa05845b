"""SO-ISMCTS: single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012).

One tree over what the searching seat can know. Every iteration fills the hidden part of the position at random,
consistent with the view, and walks the tree along the actions that are legal in that sample. Because the
actions on offer differ from one sample to the next, the confidence bound counts how often an action was
available, not how often its parent was visited.

The children of a node form a linked list: one is added per iteration.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardwright.kernel import OVER, compiled, rng, rule, table
from boardwright.search.bench import BENCH, LONGEST_PATH, RULES, STATE, WORDS
from boardwright.search.statistics import Statistics

ROOT = 0
NONE = -1


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node 0 is the root."""

    action: Any
    mover: Any
    visits: Any
    available: Any
    """How often this node could have been chosen."""
    total: Any
    """The sum of the payoffs of the seat that chose this node."""
    child: Any
    """The youngest child, or NONE."""
    sibling: Any
    used: Any

    @classmethod
    def with_room_for(cls, nodes: int) -> Tree:
        tree = cls(
            action=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            visits=np.empty(nodes, np.int32),
            available=np.empty(nodes, np.int32),
            total=np.empty(nodes, np.float64),
            child=np.empty(nodes, np.int32),
            sibling=np.empty(nodes, np.int32),
            used=np.ones(1, np.int64),
        )
        tree.child[ROOT], tree.visits[ROOT] = NONE, 0
        return tree

    def root(self) -> Statistics:
        """What the search has found about each action of the root."""
        nodes = []
        node = self.child[ROOT]
        while node != NONE:
            nodes.append(node)
            node = self.sibling[node]
        return Statistics.of(self.action[nodes], self.visits[nodes], self.total[nodes])


TREE = types.NamedTuple(
    (
        types.int32[::1],
        types.int8[::1],
        types.int32[::1],
        types.int32[::1],
        types.float64[::1],
        types.int32[::1],
        types.int32[::1],
        types.int64[::1],
    ),
    Tree,
)


@rule
def add_child(tree: Any, node: int, action: int, mover: int) -> int:
    child = tree.used[0]
    tree.action[child] = action
    tree.mover[child] = mover
    tree.visits[child] = 0
    tree.available[child] = 1
    tree.total[child] = 0.0
    tree.child[child] = NONE
    tree.sibling[child] = tree.child[node]
    tree.child[node] = child
    tree.used[0] = child + 1
    return child


@rule
def choose(tree: Any, node: int, bench: Any, n: int, mover: int, words: Any, exploration: float) -> int:
    """Among the n legal actions: a new child for one never tried here, or else the best bound.

    Returns the child; it is new if it has no visits. NONE if the pool is full and nothing was tried.
    """
    legal, mark = bench.legal, bench.mark
    tick = bench.tick[0] + 2
    bench.tick[0] = tick
    for i in range(n):
        mark[legal[i]] = tick  # legal now
    tried = 0
    best = NONE
    best_bound = -math.inf
    child = tree.child[node]
    while child != NONE:
        if tree.mover[child] == mover and mark[tree.action[child]] == tick:
            mark[tree.action[child]] = tick + 1  # legal and tried
            tried += 1
            tree.available[child] += 1
            visits = tree.visits[child]
            bound = tree.total[child] / visits + exploration * math.sqrt(math.log(tree.available[child]) / visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = tree.sibling[child]
    if tried == n or tree.used[0] == tree.action.size:
        return best
    skip = rng.below(words, n - tried)
    for i in range(n):
        if mark[legal[i]] == tick:
            if skip == 0:
                return add_child(tree, node, legal[i], mover)
            skip -= 1
    return best


@rule
def iterate(rules: Any, view: Any, seat: int, tree: Any, bench: Any, words: Any, exploration: float) -> None:
    state = bench.state
    state[:] = view
    table.determinize(rules, state, seat, rng.next64(words))
    node = ROOT
    depth = 0
    mover = table.player(rules, state)
    while mover != OVER and depth < LONGEST_PATH:
        n = table.legal(rules, state, bench.legal)
        child = choose(tree, node, bench, n, mover, words, exploration)
        if child == NONE:
            break
        node = child
        bench.path[depth] = node
        depth += 1
        table.apply(rules, state, tree.action[node])
        mover = table.player(rules, state)
        if tree.visits[node] == 0:
            break
    if mover != OVER:
        table.playout(rules, state, bench.legal, words)
    table.returns(rules, state, bench.payoff)
    tree.visits[ROOT] += 1
    for place in range(depth):
        node = bench.path[place]
        tree.visits[node] += 1
        tree.total[node] += bench.payoff[tree.mover[node]]


def _search(
    rules: Any, view: Any, seat: int, tree: Any, bench: Any, words: Any, iterations: int, exploration: float
) -> None:
    for _ in range(iterations):
        iterate(rules, view, seat, tree, bench, words, exploration)


@cache
def kernel() -> Any:
    """`search(rules, view, seat, tree, bench, words, iterations, exploration)`, going on from where the tree is."""
    signature = types.void(RULES, STATE, types.int64, TREE, BENCH, WORDS, types.int64, types.float64)
    return compiled(_search, signature, "search.ismcts")
