"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012), in three variants.

Every iteration fills the hidden part of the position at random, consistent with the searching seat's view, and walks
down along the actions that are legal in that sample. Because the actions on offer differ from one sample to the next,
the confidence bound counts how often an action was available, not how often its parent was visited.

SO    One tree, seen by the searching seat, as if it saw every action.
POM   One tree; actions of others that the seat cannot tell apart are one edge, and which of them is played is drawn at
      random.
MO    One tree per seat, walked side by side: each seat chooses by its own tree, whose edges are what it can see.
      (Confidence bounds are no equilibrium: in a symmetric guessing game the seats may fall into step.)

The children of a node form a linked list: at most one is added per tree and iteration. All trees share a pool.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.kernel import MAX_SEATS, OVER, compiled, rng, rule, table
from boardwright.search.bench import BENCH, LONGEST_PATH, RULES, STATE, WORDS
from boardwright.search.leaf import judge
from boardwright.search.statistics import Statistics

SO, POM, MO = 0, 1, 2
NONE = -1


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node i is the root of seat i's tree; SO and POM use one of them."""

    edge: Any
    """The action that leads to this node, as the tree's seat sees it."""
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
        nodes += MAX_SEATS
        tree = cls(
            edge=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            visits=np.empty(nodes, np.int32),
            available=np.empty(nodes, np.int32),
            total=np.empty(nodes, np.float64),
            child=np.empty(nodes, np.int32),
            sibling=np.empty(nodes, np.int32),
            used=np.full(1, MAX_SEATS, np.int64),
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


TREE = typeof(Tree.with_room_for(1))


@rule
def full(tree: Any) -> bool:
    return tree.used[0] == tree.edge.size


@rule
def add_child(tree: Any, node: int, edge: int, mover: int) -> int:
    child = tree.used[0]
    tree.edge[child] = edge
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
    """Among the edges of the n legal actions: a new child for one never tried here, or else the best bound.

    Returns the child; it is new if it has no visits. NONE if the pool is full and nothing was tried.
    """
    edges, mark = bench.edges, bench.mark
    tick = bench.tick[0] + 2
    bench.tick[0] = tick
    untried = 0
    for i in range(n):
        if mark[edges[i]] != tick:
            mark[edges[i]] = tick  # legal now
            untried += 1
    best = NONE
    best_bound = -math.inf
    child = tree.child[node]
    while child != NONE:
        if tree.mover[child] == mover and mark[tree.edge[child]] == tick:
            mark[tree.edge[child]] = tick + 1  # legal and tried
            untried -= 1
            tree.available[child] += 1
            visits = tree.visits[child]
            bound = tree.total[child] / visits + exploration * math.sqrt(math.log(tree.available[child]) / visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = tree.sibling[child]
    if untried == 0 or full(tree):
        return best
    skip = rng.below(words, untried)
    for i in range(n):
        if mark[edges[i]] == tick:
            if skip == 0:
                return add_child(tree, node, edges[i], mover)
            skip -= 1
            mark[edges[i]] = tick + 1  # an edge of several actions counts once
    return best


@rule
def action_along(bench: Any, n: int, edge: int, words: Any) -> int:
    """One of the legal actions that look like `edge`, each as likely."""
    alike = 0
    chosen = edge
    for i in range(n):
        if bench.edges[i] == edge:
            alike += 1
            if alike == 1 or rng.below(words, alike) == 0:
                chosen = bench.legal[i]
    return chosen


@rule
def follow(tree: Any, node: int, edge: int, mover: int) -> int:
    """The child of another seat's tree for what it saw: a new one the first time, NONE if there is no room."""
    child = tree.child[node]
    while child != NONE:
        if tree.mover[child] == mover and tree.edge[child] == edge:
            return child
        child = tree.sibling[child]
    return NONE if full(tree) else add_child(tree, node, edge, mover)


@rule
def credit(tree: Any, node: int, bench: Any) -> None:
    tree.visits[node] += 1
    tree.total[node] += bench.payoff[tree.mover[node]]


@rule
def iterate_one_tree(
    rules: Any, view: Any, seat: int, variant: int, tree: Any, bench: Any, words: Any, exploration: float, plies: int
) -> None:
    state = bench.state
    state[:] = view
    table.determinize(rules, state, seat, rng.next64(words))
    node = seat
    depth = 0
    mover = table.player(rules, state)
    while mover != OVER and depth < LONGEST_PATH:
        n = table.legal(rules, state, bench.legal)
        hidden = variant == POM and mover != seat
        for i in range(n):
            bench.edges[i] = table.seen_as(rules, state, bench.legal[i], seat) if hidden else bench.legal[i]
        child = choose(tree, node, bench, n, mover, words, exploration)
        if child == NONE:
            break
        node = child
        bench.path[depth] = node
        depth += 1
        table.apply(rules, state, action_along(bench, n, tree.edge[node], words) if hidden else tree.edge[node])
        mover = table.player(rules, state)
        if tree.visits[node] == 0:
            break
    judge(rules, bench, mover, words, plies)
    for place in range(depth):
        credit(tree, bench.path[place], bench)


@rule
def iterate_tree_per_seat(
    rules: Any, view: Any, seat: int, seats: int, tree: Any, bench: Any, words: Any, exploration: float, plies: int
) -> None:
    state, at = bench.state, bench.at
    state[:] = view
    table.determinize(rules, state, seat, rng.next64(words))
    for observer in range(seats):
        at[observer] = observer
    length = 0
    mover = table.player(rules, state)
    while mover != OVER and length + seats < LONGEST_PATH:
        n = table.legal(rules, state, bench.legal)
        bench.edges[:n] = bench.legal[:n]
        child = choose(tree, at[mover], bench, n, mover, words, exploration)
        if child == NONE:
            break
        action = tree.edge[child]
        at[mover] = child
        for observer in range(seats):
            if observer != mover and at[observer] != NONE:
                at[observer] = follow(tree, at[observer], table.seen_as(rules, state, action, observer), mover)
        new = tree.visits[child] == 0
        for observer in range(seats):
            if at[observer] != NONE:
                bench.path[length] = at[observer]
                length += 1
        table.apply(rules, state, action)
        mover = table.player(rules, state)
        if new or (mover != OVER and at[mover] == NONE):
            break
    judge(rules, bench, mover, words, plies)
    for place in range(length):
        credit(tree, bench.path[place], bench)


def _search(
    rules: Any,
    view: Any,
    seat: int,
    seats: int,
    variant: int,
    tree: Any,
    bench: Any,
    words: Any,
    iterations: int,
    exploration: float,
    plies: int,
) -> None:
    if variant == MO:
        for _ in range(iterations):
            iterate_tree_per_seat(rules, view, seat, seats, tree, bench, words, exploration, plies)
    else:
        for _ in range(iterations):
            iterate_one_tree(rules, view, seat, variant, tree, bench, words, exploration, plies)


@cache
def kernel() -> Any:
    """`search(rules, view, seat, seats, variant, tree, bench, words, iterations, exploration, plies)`, going on from
    where the trees are."""
    whole = types.int64
    signature = types.void(RULES, STATE, whole, whole, whole, TREE, BENCH, WORDS, whole, types.float64, whole)
    return compiled(_search, signature, "search.ismcts")
