"""UCT: Monte Carlo tree search with upper confidence bounds (Kocsis and Szepesvári, 2006).

For any number of seats: each node remembers who chose it and adds up that seat's part of the payoff vector.
The position given is taken as fully known; search over hidden information is in ismcts.py.

The children of a node lie side by side, in random order, and are made when the node is reached for the
second time (those of the root at once). Positions are not stored: every iteration replays from the root.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.agents import param
from boardwright.kernel import TERMINAL, Observation, RngState, calls, compiled, rng, rule
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE
from boardwright.search.agent import Search, TreeSearchAgent
from boardwright.search.budget import Budget
from boardwright.search.leaf import evaluate_leaf
from boardwright.search.statistics import Statistics
from boardwright.search.workspace import LONGEST_PATH, WORKSPACE, Workspace

ROOT = 0
LEAF = -1


class Settings(NamedTuple):
    """The parameters that the kernel sees."""

    exploration: float
    plies: int


SETTINGS = typeof(Settings(0.5, 1))


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node 0 is the root."""

    action: Any
    mover: Any
    visits: Any
    total: Any
    """The sum of the returns of the seat that chose this node."""
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
def expand(tree: Any, node: int, legal: Any, n: int, mover: int, rng_state: Any) -> None:
    first = tree.used[0]
    rng.shuffle(rng_state, legal, n)
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
def iterate(rules: Any, root: Any, settings: Any, tree: Any, workspace: Any, rng_state: Any) -> None:
    state = workspace.state
    state[:] = root
    node = ROOT
    depth = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and depth < LONGEST_PATH:
        if tree.first[node] == LEAF:
            if tree.visits[node] == 0 and node != ROOT:
                break
            n = calls.legal(rules, state, workspace.legal)
            if tree.used[0] + n > tree.first.size:
                break
            expand(tree, node, workspace.legal, n, mover, rng_state)
        node = select(tree, node, settings.exploration)
        workspace.path[depth] = node
        depth += 1
        calls.apply(rules, state, tree.action[node])
        mover = calls.player(rules, state)
    evaluate_leaf(rules, workspace, mover, rng_state, settings.plies)
    tree.visits[ROOT] += 1
    for place in range(depth):
        node = workspace.path[place]
        tree.visits[node] += 1
        tree.total[node] += workspace.returns[tree.mover[node]]


def _search(rules: Any, root: Any, settings: Any, tree: Any, workspace: Any, rng_state: Any, iterations: int) -> None:
    for _ in range(iterations):
        iterate(rules, root, settings, tree, workspace, rng_state)


@cache
def kernel() -> Any:
    """`search(rules, root, settings, tree, workspace, rng_state, iterations)`, going on from where the tree is."""
    signature = types.void(SEARCH_RULES, STATE, SETTINGS, TREE, WORKSPACE, RNG_STATE, types.int64)
    return compiled(_search, signature, "search.uct")


class UCT(TreeSearchAgent):
    """UCT. Where information is hidden it searches several determinizations, each as if it were fully known."""

    determinizations: int = param(
        10, "determinizations to share the iterations among, where information is hidden", ge=1
    )

    renamed: ClassVar[Mapping[str, str]] = {"worlds": "determinizations"}

    def searches(self, observation: Observation) -> int:
        return max(self.determinizations, self.threads) if observation.has_hidden_information else self.threads

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        root = observation.determinize(seed=rng.draw(rng_state)).memory
        tree = Tree.with_room_for(self.room(budget, self.game.max_legal))
        settings = Settings(self.exploration_weight, self.playout_plies)
        workspace, search = Workspace.for_game(self.game), kernel()
        return Search(lambda n: search(self.rules, root, settings, tree, workspace, rng_state, n), tree.root)
