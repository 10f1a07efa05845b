"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012), in three variants.

Every iteration makes a new determinization of the searching seat's observation and walks down along the actions that
are legal in it. Because the actions on offer differ from one determinization to the next, the confidence bound counts
how often an action was available, not how often its parent was visited.

SO    One tree, seen by the searching seat, as if it saw every action.
POM   One tree; actions of others that the seat cannot tell apart are one edge, and which of them is played is drawn at
      random.
MO    One tree per seat, walked side by side: each seat chooses by its own tree, whose edges are what it can see.
      (Confidence bounds are no equilibrium: in a symmetric guessing game the seats may fall into step.)

What a seat learns by an action, such as the card it drew (`learned` in the contract), splits the tree as well: below
the action there is a node for each thing learned, and the choices that follow are made there. With `loop=open` there is
not, and a choice is one for all that chance may bring.

The children of a node form a linked list: at most one is added per tree and iteration. All trees share a pool.

Several threads may share the trees (`SharedTree`): a node is locked while its children are looked at and added to, and
counters are added to atomically; a virtual loss keeps threads apart, as in uct.py.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numba import typeof, types

from boardwright.agents import param
from boardwright.errors import BadSpec
from boardwright.kernel import MAX_SEATS, TERMINAL, Code, Observation, RngState, Unit, calls, rng, rule
from boardwright.kernel.atomics import atomic_add, compare_and_swap, yield_processor
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE
from boardwright.kernel.pointers import copy_into
from boardwright.search.agent import Search, TreeSearchAgent
from boardwright.search.budget import Budget, on_threads
from boardwright.search.leaf import evaluate_leaf
from boardwright.search.sharing import Shared, is_shared
from boardwright.search.statistics import Statistics
from boardwright.search.workspace import LONGEST_PATH, WORKSPACE, Workspace

SO, POM, MO = 0, 1, 2
NONE = -1
OUTCOME = -2
"""Instead of a seat, of a node for something learned."""


class Settings(NamedTuple):
    """The parameters that the kernel sees. For another one: a field here, a `param` of the agent below, and its use."""

    variant: int
    closed: bool
    """Whether what is learned splits the tree."""
    exploration: float
    plies: int
    virtual_loss: int
    loss: float
    """The return of a lost game."""


SETTINGS = typeof(Settings(SO, True, 0.5, 1, 0, -1.0))


class Tree(NamedTuple):
    """A pool of nodes as one array per property. Node i is the root of seat i's tree; SO and POM use one of them."""

    edge: Any
    """The action that leads to this node, as the tree's seat sees it; or what was learned by that of its parent."""
    mover: Any
    visits: Any
    available: Any
    """How often this node could have been chosen."""
    total: Any
    """The sum of the returns of the seat that chose this node."""
    child: Any
    """The youngest child, or NONE."""
    sibling: Any
    pending: Any
    """In shared trees: the threads that are below this node,"""
    lock: Any
    """and whether one is at its children."""
    used: Any
    conflicts: Any
    """In shared trees: how often a thread had to wait for a node."""

    @classmethod
    def with_room_for(cls, nodes: int) -> Self:
        nodes += MAX_SEATS
        tree = cls(
            edge=np.empty(nodes, np.int32),
            mover=np.empty(nodes, np.int8),
            visits=np.empty(nodes, np.int32),
            available=np.empty(nodes, np.int32),
            total=np.empty(nodes, np.float64),
            child=np.empty(nodes, np.int32),
            sibling=np.empty(nodes, np.int32),
            pending=np.zeros(nodes if issubclass(cls, Shared) else 1, np.int32),
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


TREE, SHARED_TREE = typeof(Tree.with_room_for(1)), typeof(SharedTree.with_room_for(1))


@rule
def acquire(tree: Any, node: int) -> None:
    """In shared trees: wait until no other thread is at the children of a node."""
    if is_shared(tree) and not compare_and_swap(tree.lock, node, np.int32(0), np.int32(1)):
        atomic_add(tree.conflicts, 0, np.int64(1))
        while not compare_and_swap(tree.lock, node, np.int32(0), np.int32(1)):
            yield_processor()


@rule
def release(tree: Any, node: int) -> None:
    if is_shared(tree):
        atomic_add(tree.lock, node, np.int32(-1))


@rule
def full(tree: Any) -> bool:
    return tree.used[0] >= tree.edge.size


@rule
def add_child(tree: Any, node: int, edge: int, mover: int) -> int:
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


@rule
def upper_bound(tree: Any, child: int, log_available: float, settings: Any) -> float:
    """The upper confidence bound of a child, counting a virtual loss for every thread that is below it."""
    visits, total = tree.visits[child], tree.total[child]
    if is_shared(tree) and settings.virtual_loss:
        losses = settings.virtual_loss * tree.pending[child]
        visits += losses
        total += losses * settings.loss
    if visits == 0:  # another thread has made it and is still below it
        return -math.inf
    return total / visits + settings.exploration * math.sqrt(log_available / visits)


@rule
def choose(tree: Any, node: int, workspace: Any, n: int, mover: int, rng_state: Any, settings: Any) -> int:
    """Among the edges of the n legal actions: a new child for one never tried here, or else the best bound.

    Returns the child; it is new if it has no visits. NONE if the pool is full and nothing was tried.
    """
    edges, mark = workspace.edges, workspace.mark
    tick = workspace.tick[0] + 2
    workspace.tick[0] = tick
    untried = 0
    for i in range(n):
        if mark[edges[i]] != tick:
            mark[edges[i]] = tick  # legal now
            untried += 1
    best = NONE
    best_bound = -math.inf
    last_available, log_available = 1, 0.0
    child = tree.child[node]
    while child != NONE:
        if tree.mover[child] == mover and mark[tree.edge[child]] == tick:
            mark[tree.edge[child]] = tick + 1  # legal and tried
            untried -= 1
            available = tree.available[child] + 1
            tree.available[child] = available
            if available != last_available:  # most siblings were available as often
                last_available, log_available = available, math.log(available)
            bound = upper_bound(tree, child, log_available, settings)
            if bound > best_bound:
                best, best_bound = child, bound
        child = tree.sibling[child]
    if untried == 0 or full(tree):
        return best
    skip = rng.below(rng_state, untried)
    for i in range(n):
        if mark[edges[i]] == tick:
            if skip == 0:
                child = add_child(tree, node, edges[i], mover)
                return best if child == NONE else child
            skip -= 1
            mark[edges[i]] = tick + 1  # an edge of several actions counts once
    return best


@rule
def action_along(workspace: Any, n: int, edge: int, rng_state: Any) -> int:
    """One of the legal actions that look like `edge`, each as likely."""
    alike = 0
    chosen = edge
    for i in range(n):
        if workspace.edges[i] == edge:
            alike += 1
            if alike == 1 or rng.below(rng_state, alike) == 0:
                chosen = workspace.legal[i]
    return chosen


@rule
def follow(tree: Any, node: int, edge: int, mover: int) -> int:
    """The child of another seat's tree for what it saw: a new one the first time, NONE if there is no room."""
    acquire(tree, node)
    child = tree.child[node]
    while child != NONE and not (tree.mover[child] == mover and tree.edge[child] == edge):
        child = tree.sibling[child]
    if child == NONE and not full(tree):
        child = add_child(tree, node, edge, mover)
    release(tree, node)
    return child


@rule
def learn(rules: Any, tree: Any, node: int, workspace: Any, seat: int) -> int:
    """The node below an action for what the seat has learned by it: that of the action itself if it is nothing, NONE if
    there is no room."""
    learned = calls.learned(rules, workspace.before, workspace.state, seat)
    return follow(tree, node, learned, OUTCOME) if learned else node


@rule
def enter(tree: Any, node: int, workspace: Any, place: int) -> None:
    """Walk down to a node: it becomes part of the path."""
    workspace.path[place] = node
    if is_shared(tree):
        atomic_add(tree.pending, node, np.int32(1))


@rule
def backup(tree: Any, workspace: Any, length: int) -> None:
    """Add the returns to all nodes on the path."""
    for place in range(length):
        node = workspace.path[place]
        if is_shared(tree):
            atomic_add(tree.total, node, workspace.returns[tree.mover[node]])
            atomic_add(tree.visits, node, np.int32(1))
            atomic_add(tree.pending, node, np.int32(-1))
        else:
            tree.visits[node] += 1
            tree.total[node] += workspace.returns[tree.mover[node]]


@rule
def iterate_one_tree(
    rules: Any, observation: Any, seat: int, settings: Any, tree: Any, workspace: Any, rng_state: Any
) -> None:
    state = workspace.state
    copy_into(state, observation, observation.size)
    calls.determinize(rules, state, seat, rng.next64(rng_state))
    node = seat
    depth = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and depth < LONGEST_PATH:
        n = calls.legal(rules, state, workspace.legal)
        hidden = settings.variant == POM and mover != seat
        for i in range(n):
            action = workspace.legal[i]
            workspace.edges[i] = calls.action_observation(rules, state, action, seat) if hidden else action
        acquire(tree, node)
        child = choose(tree, node, workspace, n, mover, rng_state, settings)
        release(tree, node)
        if child == NONE:
            break
        node = child
        enter(tree, node, workspace, depth)
        depth += 1
        action = action_along(workspace, n, tree.edge[node], rng_state) if hidden else tree.edge[node]
        if settings.closed:
            copy_into(workspace.before, state, state.size)
        calls.apply(rules, state, action)
        mover = calls.player(rules, state)
        if tree.visits[node] == 0:
            break
        if settings.closed:
            node = learn(rules, tree, node, workspace, seat)
            if node == NONE:
                break
    evaluate_leaf(rules, workspace, mover, rng_state, settings.plies)
    backup(tree, workspace, depth)


@rule
def iterate_tree_per_seat(
    rules: Any, observation: Any, seat: int, seats: int, settings: Any, tree: Any, workspace: Any, rng_state: Any
) -> None:
    state, at = workspace.state, workspace.at
    copy_into(state, observation, observation.size)
    calls.determinize(rules, state, seat, rng.next64(rng_state))
    for observer in range(seats):
        at[observer] = observer
    length = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and length + seats < LONGEST_PATH:
        n = calls.legal(rules, state, workspace.legal)
        copy_into(workspace.edges, workspace.legal, n)
        acquire(tree, at[mover])
        child = choose(tree, at[mover], workspace, n, mover, rng_state, settings)
        release(tree, at[mover])
        if child == NONE:
            break
        action = tree.edge[child]
        at[mover] = child
        for observer in range(seats):
            if observer != mover and at[observer] != NONE:
                seen = calls.action_observation(rules, state, action, observer)
                at[observer] = follow(tree, at[observer], seen, mover)
        new = tree.visits[child] == 0
        for observer in range(seats):
            if at[observer] != NONE:
                enter(tree, at[observer], workspace, length)
                length += 1
        if settings.closed:
            copy_into(workspace.before, state, state.size)
        calls.apply(rules, state, action)
        mover = calls.player(rules, state)
        if settings.closed and not new:
            for observer in range(seats):
                if at[observer] != NONE:
                    at[observer] = learn(rules, tree, at[observer], workspace, observer)
        if new or (mover != TERMINAL and at[mover] == NONE):
            break
    evaluate_leaf(rules, workspace, mover, rng_state, settings.plies)
    backup(tree, workspace, length)


def _search(
    rules: Any,
    observation: Any,
    seat: int,
    seats: int,
    settings: Any,
    tree: Any,
    workspace: Any,
    rng_state: Any,
    iterations: int,
) -> None:
    if settings.variant == MO:
        for _ in range(iterations):
            iterate_tree_per_seat(rules, observation, seat, seats, settings, tree, workspace, rng_state)
    else:
        for _ in range(iterations):
            iterate_one_tree(rules, observation, seat, settings, tree, workspace, rng_state)


@cache
def code() -> Unit:
    return Unit("search", {"ismcts": (_search, _signature(TREE))})


@cache
def shared_code() -> Unit:
    return Unit("search", {"ismcts_shared": (_search, _signature(SHARED_TREE))})


def _signature(tree: Any) -> Any:
    whole = types.int64
    return types.void(SEARCH_RULES, STATE, whole, whole, SETTINGS, tree, WORKSPACE, RNG_STATE, whole)


def kernel(tree: type[Tree] = Tree) -> Any:
    """`search(rules, observation, seat, seats, settings, tree, workspace, rng_state, iterations)`, going on from where
    the trees are."""
    if issubclass(tree, Shared):
        return shared_code().entry_points["ismcts_shared"]
    return code().entry_points["ismcts"]


class ISMCTS(TreeSearchAgent):
    """Information set MCTS: trees over what seats can know, a new determinization every iteration."""

    variant: Literal["so", "pom", "mo"] = param(
        "so", "one tree; one tree in which hidden actions of others look alike; or one tree for each seat"
    )

    loop: Literal["open", "closed"] | None = param(
        None, "closed: what a seat learns splits the tree; default: the game's default, or closed where it says what"
    )

    def prepare(self) -> None:
        declared = self.game.information.learned is not None
        game = self.game
        loop = self.loop or game.search.defaults.get("loop", "closed" if declared else "open")
        if loop == "closed" and not declared:
            raise BadSpec(f"agent {self.label()!r}: {game.name} does not declare what loop=closed needs: `learned`")
        self.closed = loop == "closed"
        super().prepare()

    def kernel_code(self) -> Code:
        return shared_code if self.shares_tree else code

    def searches(self, observation: Observation) -> int:
        return 1 if self.shares_tree else self.threads

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        settings = Settings(
            {"so": SO, "pom": POM, "mo": MO}[self.variant],
            self.closed,
            self.exploration_weight,
            self.playout_plies,
            self.virtual_loss,
            float(self.game.min_utility),
        )
        nodes = self.room(budget, self._nodes_per_iteration(observation.seats))
        kind = SharedTree if self.shares_tree else Tree
        tree, search = kind.with_room_for(nodes), kernel(kind)
        root, seat, seats = observation.memory, observation.seat, observation.seats
        if not self.shares_tree:
            workspace = Workspace.for_game(self.game)

            def alone(n: int) -> None:
                search(self.rules, root, seat, seats, settings, tree, workspace, rng_state, n)

            return Search(alone, lambda: tree.root(seat))
        workspaces = [Workspace.for_game(self.game) for _ in range(self.threads)]
        rng_states = [rng_state, *(rng.generator(rng.draw(rng_state)) for _ in range(self.threads - 1))]

        def advance(thread: int, n: int) -> None:
            search(self.rules, root, seat, seats, settings, tree, workspaces[thread], rng_states[thread], n)

        return Search(on_threads(self.threads, advance), lambda: tree.root(seat), lambda: int(tree.conflicts[0]))

    def _nodes_per_iteration(self, seats: int) -> int:
        """In the tree of a seat that has not chosen, an iteration can add a node at every step; few do."""
        if self.variant == "mo":
            return 16 * seats
        return 2 if self.closed else 1
