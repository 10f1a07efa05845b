"""UCT: Monte Carlo tree search with upper confidence bounds (Kocsis and Szepesvári, 2006).

For any number of seats: each node remembers who chose it and adds up that seat's returns.
The position given is taken as fully known; search over hidden information is in ismcts.py.

Several threads may share a tree (`SharedTree`): the one that expands a node claims it, counters are added to
atomically, and a thread that finds a node claimed plays out from there. A virtual loss keeps threads apart: while a
thread is below a node, the node counts as visited and lost so many times more (Chaslot, Winands and van den Herik,
2008).

The children of a node lie side by side, in random order, and are made when the node is reached for the
second time (those of the root at once). Positions are not stored: every iteration replays from the root.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numba import typeof, types

from boardwright.agents import param
from boardwright.kernel import TERMINAL, Code, Observation, RngState, Unit, calls, rng, rule
from boardwright.kernel.atomics import atomic_add, compare_and_swap
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE
from boardwright.kernel.pointers import copy_into
from boardwright.search.agent import Search, TreeSearchAgent
from boardwright.search.budget import Budget, on_threads
from boardwright.search.leaf import evaluate_leaf
from boardwright.search.sharing import Shared, is_shared
from boardwright.search.statistics import Statistics
from boardwright.search.workspace import LONGEST_PATH, WORKSPACE, Workspace

ROOT = 0
LEAF = -1
CLAIMED = -2
"""Of a node that another thread is expanding."""


class Settings(NamedTuple):
    """The parameters that the kernel sees."""

    exploration: float
    plies: int
    virtual_loss: int
    loss: float
    """The return of a lost game."""


SETTINGS = typeof(Settings(0.5, 1, 0, -1.0))


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
    pending: Any
    """In a shared tree: the threads that are below this node."""
    used: Any
    conflicts: Any
    """In a shared tree: how often a thread came to a node that another was expanding."""

    @classmethod
    def with_room_for(cls, nodes: int) -> Self:
        tree = cls(
            action=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            visits=np.empty(nodes, np.int32),
            total=np.empty(nodes, np.float64),
            first=np.empty(nodes, np.int32),
            children=np.empty(nodes, np.int32),
            pending=np.zeros(nodes if issubclass(cls, Shared) else 1, np.int32),
            used=np.ones(1, np.int64),
            conflicts=np.zeros(1, np.int64),
        )
        tree.first[ROOT], tree.visits[ROOT] = LEAF, 0
        return tree

    def root(self) -> Statistics:
        """What the search has found about each action of the root."""
        if self.first[ROOT] == LEAF:
            return Statistics()
        block = slice(self.first[ROOT], self.first[ROOT] + self.children[ROOT])
        return Statistics.of(self.action[block], self.visits[block], self.total[block])


class SharedTree(Shared, Tree):
    """One that several threads search."""

    __slots__ = ()


TREE, SHARED_TREE = typeof(Tree.with_room_for(1)), typeof(SharedTree.with_room_for(1))


@rule
def claim(tree: Any, node: int) -> bool:
    """In a shared tree: whether this thread is the one to expand a node."""
    if compare_and_swap(tree.first, node, np.int32(LEAF), np.int32(CLAIMED)):
        return True
    atomic_add(tree.conflicts, 0, np.int64(1))
    return False


@rule
def take(tree: Any, n: int) -> int:
    """The first of n new nodes, or LEAF if there is no room."""
    if is_shared(tree):
        first = atomic_add(tree.used, 0, np.int64(n))
        if first + n > tree.first.size:
            atomic_add(tree.used, 0, np.int64(-n))
            return LEAF
        return first
    first = tree.used[0]
    if first + n > tree.first.size:
        return LEAF
    tree.used[0] = first + n
    return first


@rule
def expand(tree: Any, node: int, legal: Any, n: int, mover: int, rng_state: Any) -> bool:
    """Add a child for each legal action; whether there was room."""
    first = take(tree, n)
    if first == LEAF:
        tree.first[node] = LEAF
        return False
    rng.shuffle(rng_state, legal, n)
    for i in range(n):
        child = first + i
        tree.action[child] = legal[i]
        tree.mover[child] = mover
        tree.visits[child] = 0
        tree.total[child] = 0.0
        tree.first[child] = LEAF
    tree.children[node] = n
    if is_shared(tree):
        compare_and_swap(tree.first, node, np.int32(CLAIMED), np.int32(first))  # seen after all of the above
    else:
        tree.first[node] = first
    return True


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
def select_apart(tree: Any, node: int, settings: Any) -> int:
    """As `select`, with a virtual loss for every thread that is below a child."""
    first = tree.first[node]
    log_visits = math.log(max(tree.visits[node], 1))
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        losses = settings.virtual_loss * tree.pending[child]
        visits = tree.visits[child] + losses
        if visits == 0:
            return child
        mean = (tree.total[child] + losses * settings.loss) / visits
        bound = mean + settings.exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def backup(tree: Any, workspace: Any, depth: int) -> None:
    """Add the returns to all nodes on the path."""
    if is_shared(tree):
        atomic_add(tree.visits, ROOT, np.int32(1))
        for place in range(depth):
            node = workspace.path[place]
            atomic_add(tree.total, node, workspace.returns[tree.mover[node]])
            atomic_add(tree.visits, node, np.int32(1))
            atomic_add(tree.pending, node, np.int32(-1))
        return
    tree.visits[ROOT] += 1
    for place in range(depth):
        node = workspace.path[place]
        tree.visits[node] += 1
        tree.total[node] += workspace.returns[tree.mover[node]]


@rule
def iterate(rules: Any, root: Any, settings: Any, tree: Any, workspace: Any, rng_state: Any) -> None:
    state = workspace.state
    copy_into(state, root, root.size)
    node = ROOT
    depth = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and depth < LONGEST_PATH:
        if tree.first[node] < 0:
            if tree.visits[node] == 0 and node != ROOT:
                break
            if is_shared(tree) and not claim(tree, node):
                break
            n = calls.legal(rules, state, workspace.legal)
            if not expand(tree, node, workspace.legal, n, mover, rng_state):
                break
        if is_shared(tree) and settings.virtual_loss:
            node = select_apart(tree, node, settings)
        else:
            node = select(tree, node, settings.exploration)
        if is_shared(tree):
            atomic_add(tree.pending, node, np.int32(1))
        workspace.path[depth] = node
        depth += 1
        calls.apply(rules, state, tree.action[node])
        mover = calls.player(rules, state)
    evaluate_leaf(rules, workspace, mover, rng_state, settings.plies)
    backup(tree, workspace, depth)


def _search(rules: Any, root: Any, settings: Any, tree: Any, workspace: Any, rng_state: Any, iterations: int) -> None:
    for _ in range(iterations):
        iterate(rules, root, settings, tree, workspace, rng_state)


@cache
def code() -> Unit:
    return Unit("search", {"uct": (_search, _signature(TREE))})


@cache
def shared_code() -> Unit:
    return Unit("search", {"uct_shared": (_search, _signature(SHARED_TREE))})


def _signature(tree: Any) -> Any:
    return types.void(SEARCH_RULES, STATE, SETTINGS, tree, WORKSPACE, RNG_STATE, types.int64)


def kernel(tree: type[Tree] = Tree) -> Any:
    """`search(rules, root, settings, tree, workspace, rng_state, iterations)`, going on from where the tree is."""
    if issubclass(tree, Shared):
        return shared_code().entry_points["uct_shared"]
    return code().entry_points["uct"]


class UCT(TreeSearchAgent):
    """UCT. Where information is hidden it searches several determinizations, each as if it were fully known."""

    determinizations: int = param(
        10, "determinizations to share the iterations among, where information is hidden", ge=1
    )

    renamed: ClassVar[Mapping[str, str]] = {"worlds": "determinizations"}

    def kernel_code(self) -> Code:
        return shared_code if self.shares_tree else code

    def searches(self, observation: Observation) -> int:
        if not observation.has_hidden_information:
            return 1 if self.shares_tree else self.threads
        return self.determinizations if self.shares_tree else max(self.determinizations, self.threads)

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        root = observation.determinize(seed=rng.draw(rng_state)).memory
        kind = SharedTree if self.shares_tree else Tree
        tree, search = kind.with_room_for(self.room(budget, self.game.max_legal)), kernel(kind)
        settings = Settings(
            self.exploration_weight,
            self.playout_plies,
            self.virtual_loss,
            float(self.game.min_utility),
        )
        if not self.shares_tree:
            workspace = Workspace.for_game(self.game)
            return Search(lambda n: search(self.rules, root, settings, tree, workspace, rng_state, n), tree.root)
        workspaces = [Workspace.for_game(self.game) for _ in range(self.threads)]
        rng_states = [rng_state, *(rng.generator(rng.draw(rng_state)) for _ in range(self.threads - 1))]

        def advance(thread: int, n: int) -> None:
            search(self.rules, root, settings, tree, workspaces[thread], rng_states[thread], n)

        return Search(on_threads(self.threads, advance), tree.root, lambda: int(tree.conflicts[0]))
