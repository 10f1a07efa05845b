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

The trees are in ismcts_tree.py. Several threads may share them; a virtual loss keeps threads apart, as in uct.py.
"""

from __future__ import annotations

import math
from functools import cache, cached_property, partial
from typing import Any, Literal, NamedTuple

import numpy as np

from boardwright.agents import param
from boardwright.errors import BadSpec
from boardwright.kernel import TERMINAL, Code, Observation, RngState, Unit, calls, rng, rule
from boardwright.kernel.atomics import atomic_add
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE, AnyRules
from boardwright.kernel.compile import unchecked
from boardwright.kernel.declare import typeof, types
from boardwright.kernel.pointers import copy_into
from boardwright.kernel.records import Bytes
from boardwright.search import ismcts_plain, ismcts_tools
from boardwright.search.agent import Search
from boardwright.search.budget import Advance, Budget
from boardwright.search.ismcts_tools import NodeTools
from boardwright.search.ismcts_tree import (
    NONE,
    SharedToolTree,
    SharedTree,
    ToolTree,
    Tree,
    acquire,
    add_child,
    full,
    release,
)
from boardwright.search.leaf_workers import JOBS, Jobs, Walk, hand_over, is_done, take_back, wait_for
from boardwright.search.sharing import Shared, is_shared
from boardwright.search.toolbox import NO_SWITCH, NO_TOOLS, TOOL_WORKSPACE, ToolboxAgent
from boardwright.search.workspace import LONGEST_PATH, WORKSPACE

SO, POM, MO = 0, 1, 2
OUTCOME = -2
"""Instead of a seat, of a node for something learned."""


class Settings(NamedTuple):
    """The parameters that the kernel sees. For another one: a field here, a `param` of the agent below, and its use."""

    variant: int
    closed: bool
    """Whether what is learned splits the tree."""
    exploration: float
    plies: int
    virtual_loss: float
    loss: float
    """The return of a lost game."""
    tools: Any = NO_TOOLS
    """`Tools`, in a search with the toolbox."""


class Parts(NamedTuple):
    """What an iteration is made of: rules that are compiled into it."""

    prune: Any
    falls_short: Any
    upper_bound: Any
    urgency: Any
    clear: Any
    note: Any
    evaluate: Any
    backup: Any


PLAIN = Parts(
    ismcts_plain.prune,
    ismcts_plain.falls_short,
    ismcts_plain.upper_bound,
    ismcts_plain.urgency,
    ismcts_plain.clear,
    ismcts_plain.note,
    ismcts_plain.evaluate,
    ismcts_plain.backup,
)
WITH_TOOLS = Parts(
    ismcts_tools.prune,
    ismcts_tools.falls_short,
    ismcts_tools.upper_bound,
    ismcts_tools.urgency,
    ismcts_tools.clear,
    ismcts_tools.note,
    ismcts_tools.evaluate,
    ismcts_tools.backup,
)


class Root(NamedTuple):
    """The position at hand, as far as the searching seat knows it."""

    observation: Any
    seat: int
    seats: int


@rule
def highest_bound(
    parts: Parts, tree: Tree, node: int, mark: Any, tried: int, mover: int, settings: Settings
) -> tuple[int, float]:
    """The best of the children whose edges have the mark `tried`, and its bound; NONE without one."""
    best, best_bound = NONE, -math.inf
    last_available, log_available, root = 1, 0.0, 0.0
    child = tree.child[node]
    while child != NONE:
        if tree.mover[child] == mover and mark[tree.edge[child]] == tried:
            available = tree.available[child]
            if available != last_available:  # most siblings were available as often
                last_available, log_available = available, math.log(available)
                root = settings.exploration * math.sqrt(log_available)
            if not parts.falls_short(tree, child, root, best_bound):
                bound = parts.upper_bound(tree, child, log_available, settings)
                if best == NONE or bound > best_bound:
                    best, best_bound = child, bound
        child = tree.sibling[child]
    return best, best_bound


@rule
def choose(
    parts: Parts, tree: Tree, node: int, workspace: Any, n: int, mover: int, rng_state: RngState, settings: Settings
) -> int:
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
    child = tree.child[node]
    while child != NONE:
        if tree.mover[child] == mover:
            edge = tree.edge[child]
            legal = mark[edge] == tick  # used as a number: which are legal cannot be predicted
            mark[edge] += legal  # legal and tried
            untried -= legal
            tree.available[child] += legal
        child = tree.sibling[child]
    urgency = parts.urgency(settings)
    best = NONE
    if untried == 0 or full(tree) or urgency < math.inf:
        best, best_bound = highest_bound(parts, tree, node, mark, tick + 1, mover, settings)
        if untried == 0 or full(tree) or best_bound >= urgency:
            return best
    skip = rng.below(rng_state, untried)
    for i in range(n):
        if mark[edges[i]] == tick:
            if skip == 0:
                child = add_child(tree, node, edges[i], mover)
                if child == NONE:
                    return best
                parts.clear(tree, child, workspace, i)
                return child
            skip -= 1
            mark[edges[i]] = tick + 1  # an edge of several actions counts once
    return best


@rule
def action_along(workspace: Any, n: int, edge: int, rng_state: RngState) -> int:
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
def follow(parts: Parts, tree: Tree, node: int, edge: int, mover: int, workspace: Any) -> int:
    """The child of another seat's tree for what it saw: a new one the first time, NONE if there is no room."""
    acquire(tree, node)
    child = tree.child[node]
    while child != NONE and not (tree.mover[child] == mover and tree.edge[child] == edge):
        child = tree.sibling[child]
    if child == NONE and not full(tree):
        child = add_child(tree, node, edge, mover)
        if child != NONE:
            parts.clear(tree, child, workspace, 0)
    release(tree, node)
    return child


@rule
def learn(parts: Parts, rules: AnyRules, tree: Tree, node: int, workspace: Any, seat: int) -> int:
    """The node below an action for what the seat has learned by it: that of the action itself if it is nothing, NONE if
    there is no room."""
    learned = calls.learned(rules, workspace.before, workspace.state, seat)
    return follow(parts, tree, node, learned, OUTCOME, workspace) if learned else node


@rule
def enter(tree: Tree, node: int, settings: Settings, workspace: Any, place: int) -> None:
    """Walk down to a node: it becomes part of the path."""
    workspace.path[place] = node
    if is_shared(tree) and settings.virtual_loss > 0.0:
        atomic_add(tree.pending, node, np.int32(1))


@rule
def walk_one_tree(
    parts: Parts, rules: AnyRules, root: Root, settings: Settings, tree: Tree, workspace: Any, rng_state: RngState
) -> tuple[int, int]:
    """Walk down to a leaf; returns the length of the path and who is to move there."""
    state, seat = workspace.state, root.seat
    copy_into(state, root.observation, state.size)
    calls.determinize(rules, state, seat, rng.next64(rng_state))
    node = seat
    depth = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and depth < LONGEST_PATH:
        n = calls.legal(rules, state, workspace.legal)
        n = parts.prune(rules, tree, node, workspace, n, mover, settings, rng_state)
        hidden = settings.variant == POM and mover != seat
        copy_into(workspace.edges, workspace.legal, n)
        if hidden:
            for i in range(n):
                workspace.edges[i] = calls.action_observation(rules, state, workspace.legal[i], seat)
        acquire(tree, node)
        child = choose(parts, tree, node, workspace, n, mover, rng_state, settings)
        release(tree, node)
        if child == NONE:
            break
        node = child
        enter(tree, node, settings, workspace, depth)
        depth += 1
        action = action_along(workspace, n, tree.edge[node], rng_state) if hidden else tree.edge[node]
        if settings.closed:
            copy_into(workspace.before, state, state.size)
        parts.note(workspace, mover, action)
        calls.apply(rules, state, action)
        mover = calls.player(rules, state)
        if tree.visits[node] == 0:
            break
        if settings.closed:
            node = learn(parts, rules, tree, node, workspace, seat)
            if node == NONE:
                break
    return depth, mover


@rule
def walk_tree_per_seat(
    parts: Parts, rules: AnyRules, root: Root, settings: Settings, tree: Tree, workspace: Any, rng_state: RngState
) -> tuple[int, int]:
    """Walk down all trees to a leaf; returns the length of the path and who is to move there."""
    state, at, seats = workspace.state, workspace.at, root.seats
    copy_into(state, root.observation, state.size)
    calls.determinize(rules, state, root.seat, rng.next64(rng_state))
    for observer in range(seats):
        at[observer] = observer
    length = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and length + seats < LONGEST_PATH:
        n = calls.legal(rules, state, workspace.legal)
        n = parts.prune(rules, tree, at[mover], workspace, n, mover, settings, rng_state)
        copy_into(workspace.edges, workspace.legal, n)
        acquire(tree, at[mover])
        child = choose(parts, tree, at[mover], workspace, n, mover, rng_state, settings)
        release(tree, at[mover])
        if child == NONE:
            break
        action = tree.edge[child]
        at[mover] = child
        for observer in range(seats):
            if observer != mover and at[observer] != NONE:
                seen = calls.action_observation(rules, state, action, observer)
                at[observer] = follow(parts, tree, at[observer], seen, mover, workspace)
        new = tree.visits[child] == 0
        for observer in range(seats):
            if at[observer] != NONE:
                enter(tree, at[observer], settings, workspace, length)
                length += 1
        if settings.closed:
            copy_into(workspace.before, state, state.size)
        parts.note(workspace, mover, action)
        calls.apply(rules, state, action)
        mover = calls.player(rules, state)
        if settings.closed and not new:
            for observer in range(seats):
                if at[observer] != NONE:
                    at[observer] = learn(parts, rules, tree, at[observer], workspace, observer)
        if new or (mover != TERMINAL and at[mover] == NONE):
            break
    return length, mover


@rule
def walk(
    parts: Parts, rules: AnyRules, root: Root, settings: Settings, tree: Tree, workspace: Any, rng_state: RngState
) -> tuple[int, int]:
    if settings.variant == MO:
        return walk_tree_per_seat(parts, rules, root, settings, tree, workspace, rng_state)
    return walk_one_tree(parts, rules, root, settings, tree, workspace, rng_state)


@rule
def iterate(
    parts: Parts, rules: AnyRules, root: Root, settings: Settings, tree: Tree, workspace: Any, rng_state: RngState
) -> None:
    length, mover = walk(parts, rules, root, settings, tree, workspace, rng_state)
    parts.evaluate(rules, workspace, mover, settings, rng_state)
    parts.backup(tree, workspace, length, settings)


def _searching(parts: Parts) -> Any:
    """The kernel that is made of these parts."""

    def search(
        rules: AnyRules,
        observation: Bytes,
        seat: int,
        seats: int,
        settings: Settings,
        tree: Tree,
        workspace: Any,
        rng_state: RngState,
        iterations: int,
    ) -> None:
        root = Root(observation, seat, seats)
        for _ in range(iterations):
            iterate(parts, rules, root, settings, tree, workspace, rng_state)

    return search


def _walk_for_workers(
    rules: AnyRules,
    observation: Bytes,
    seat: int,
    seats: int,
    settings: Settings,
    tree: Tree,
    workspace: Any,
    rng_state: RngState,
    jobs: Jobs,
    iterations: int,
) -> None:
    """Leaf parallelization (leaf_workers.py): as many iterations, with leaves played out by whoever is free."""
    root = Root(observation, seat, seats)
    for _ in range(iterations):
        for job in range(jobs.status.size):
            if is_done(jobs, job):
                ismcts_plain.backup(tree, workspace, take_back(jobs, workspace, job), settings)
        length, mover = walk(PLAIN, rules, root, settings, tree, workspace, rng_state)
        if mover == TERMINAL or not hand_over(jobs, workspace, length):
            ismcts_plain.evaluate(rules, workspace, mover, settings, rng_state)
            ismcts_plain.backup(tree, workspace, length, settings)
    for job in range(jobs.status.size):
        if wait_for(rules, jobs, job, workspace, settings.plies, rng_state):
            ismcts_plain.backup(tree, workspace, take_back(jobs, workspace, job), settings)


@cache
def _unit(kind: Any, tools: bool) -> Unit:
    name = f"ismcts{'_shared' if issubclass(kind, Shared) else ''}{'_tools' if tools else ''}"
    return Unit("search", {name: (_searching(WITH_TOOLS if tools else PLAIN), _signature(kind, tools=tools))})


@cache
def leaf_code() -> Unit:
    signature = types.void(*_signature(SharedTree).args[:-1], JOBS, types.int64)
    return Unit("search", {"ismcts_leaf": (_walk_for_workers, signature)})


def _signature(kind: type[Tree], *, tools: bool = False) -> Any:
    tree, settings, workspace = kind.with_room_for(1), Settings(SO, True, 0.5, 1, 0.0, -1.0), WORKSPACE
    if tools:
        tree, settings, workspace = with_tools(tree), settings._replace(tools=NO_SWITCH), typeof(TOOL_WORKSPACE)
    whole = types.int64
    return types.void(SEARCH_RULES, STATE, whole, whole, typeof(settings), typeof(tree), workspace, RNG_STATE, whole)


def with_tools(tree: Tree) -> Any:
    """The tree with what tools remember of each node."""
    kind = SharedToolTree if isinstance(tree, Shared) else ToolTree
    return kind(*tree, *NodeTools.with_room_for(tree.edge.size))


def kernel_code(kind: Any = Tree, *, tools: bool = False) -> Code:
    return partial(_unit, kind, tools)


def kernel(kind: type[Tree] = Tree, *, tools: bool = False) -> Any:
    """`search(rules, observation, seat, seats, settings, tree, workspace, rng_state, iterations)`, going on from where
    the trees are."""
    (search,) = kernel_code(kind, tools=tools)().entry_points.values()
    return search


class ISMCTS(ToolboxAgent):
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

    @property
    def visits_decide(self) -> bool:
        return True

    @property
    def _kind(self) -> type[Tree]:
        return SharedTree if self.shares_tree else Tree

    @cached_property
    def _search(self) -> Any:
        return unchecked(kernel(self._kind, tools=self.uses_tools))

    def kernel_code(self) -> Code:
        if self.has_leaf_workers:
            return leaf_code
        return kernel_code(self._kind, tools=self.uses_tools)

    def searches(self, observation: Observation) -> int:
        return 1 if self.shares_tree else self.threads

    def kernel_settings(self) -> Settings:
        return Settings(
            {"so": SO, "pom": POM, "mo": MO}[self.variant],
            self.closed,
            self.exploration_weight,
            self.playout_plies,
            float(self.virtual_loss),
            float(self.game.min_utility),
            self.tools if self.uses_tools else NO_TOOLS,
        )

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        settings = self.kernel_settings()
        found = self._kind.with_room_for(self.room(budget, self.nodes_per_iteration(observation.seats)))
        tree: Any = with_tools(found) if self.uses_tools else found
        root, seat, seats = observation.memory, observation.seat, observation.seats

        def advance(workspace: Any, rng_state: RngState) -> Advance:
            search = self._search
            return lambda n: search(self.rules, root, seat, seats, settings, tree, workspace, rng_state, n)

        def walk_for_workers(workspace: Any) -> Walk:
            walk = leaf_code().entry_points["ismcts_leaf"]
            return lambda jobs, n: walk(self.rules, root, seat, seats, settings, tree, workspace, rng_state, jobs, n)

        return self.search_on(advance, walk_for_workers, rng_state, lambda: found.root(seat), tree.conflicts)

    def nodes_per_iteration(self, seats: int) -> int:
        """In the tree of a seat that has not chosen, an iteration can add a node at every step; few do."""
        if self.variant == "mo":
            return 16 * seats
        return 2 if self.closed else 1
