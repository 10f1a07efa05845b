"""UCT: Monte Carlo tree search with upper confidence bounds (Kocsis and Szepesvári, 2006).

For any number of seats: each node remembers who chose it and adds up that seat's part of the payoff vector.
The position given is taken as fully known; search over hidden information is in ismcts.py.

The children of a node lie side by side, in random order, and are made when the node is reached for the
second time (those of the root at once). Positions are not stored: every iteration replays from the root.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.kernel import OVER, compiled, rng, rule, table
from boardwright.search.bench import BENCH, LONGEST_PATH, RULES, STATE, WORDS
from boardwright.search.leaf import judge
from boardwright.search.statistics import Statistics

ROOT = 0
LEAF = -1


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node 0 is the root."""

    action: Any
    mover: Any
    visits: Any
    total: Any
    """The sum of the payoffs of the seat that chose this node."""
    first: Any
    """The first child, or LEAF; the others follow it."""
    children: Any
    used: Any

    @classmethod
    def with_room_for(cls, nodes: int) -> Tree:
        tree = cls(
            action=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            visits=np.empty(nodes, np.int32),
            total=np.empty(nodes, np.float64),
            first=np.empty(nodes, np.int32),
            children=np.empty(nodes, np.int32),
            used=np.ones(1, np.int64),
        )
        tree.first[ROOT], tree.visits[ROOT] = LEAF, 0
        return tree

    def root(self) -> Statistics:
        """What the search has found about each action of the root."""
        if self.first[ROOT] == LEAF:
            return Statistics()
        block = slice(self.first[ROOT], self.first[ROOT] + self.children[ROOT])
        return Statistics.of(self.action[block], self.visits[block], self.total[block])


TREE = typeof(Tree.with_room_for(1))


@rule
def expand(tree: Any, node: int, legal: Any, n: int, mover: int, words: Any) -> None:
    first = tree.used[0]
    rng.shuffle(words, legal, n)
    for i in range(n):
        child = first + i
        tree.action[child] = legal[i]
        tree.mover[child] = mover
        tree.visits[child] = 0
        tree.total[child] = 0.0
        tree.first[child] = LEAF
    tree.first[node] = first
    tree.children[node] = n
    tree.used[0] = first + n


@rule
def select(tree: Any, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound; one never visited comes first."""
    first = tree.first[node]
    log_visits = math.log(max(tree.visits[node], 1))
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        visits = tree.visits[child]
        if visits == 0:
            return child
        bound = tree.total[child] / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def iterate(rules: Any, root: Any, tree: Any, bench: Any, words: Any, exploration: float, plies: int) -> None:
    state = bench.state
    state[:] = root
    node = ROOT
    depth = 0
    mover = table.player(rules, state)
    while mover != OVER and depth < LONGEST_PATH:
        if tree.first[node] == LEAF:
            if tree.visits[node] == 0 and node != ROOT:
                break
            n = table.legal(rules, state, bench.legal)
            if tree.used[0] + n > tree.first.size:
                break
            expand(tree, node, bench.legal, n, mover, words)
        node = select(tree, node, exploration)
        bench.path[depth] = node
        depth += 1
        table.apply(rules, state, tree.action[node])
        mover = table.player(rules, state)
    judge(rules, bench, mover, words, plies)
    tree.visits[ROOT] += 1
    for place in range(depth):
        node = bench.path[place]
        tree.visits[node] += 1
        tree.total[node] += bench.payoff[tree.mover[node]]


def _search(
    rules: Any, root: Any, tree: Any, bench: Any, words: Any, iterations: int, exploration: float, plies: int
) -> None:
    for _ in range(iterations):
        iterate(rules, root, tree, bench, words, exploration, plies)


@cache
def kernel() -> Any:
    """`search(rules, root, tree, bench, words, iterations, exploration, plies)`, going on from where the tree is."""
    whole = types.int64
    return compiled(_search, types.void(RULES, STATE, TREE, BENCH, WORDS, whole, types.float64, whole), "search.uct")
