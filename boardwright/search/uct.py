"""UCT: Monte Carlo tree search with upper confidence bounds (Kocsis and Szepesvári, 2006).

For any number of seats: each node remembers who chose it and adds up that seat's returns.
The position given is taken as fully known; search over hidden information is in ismcts.py.

An iteration (`iterate`) is put together from parts: expansion, selection, leaf evaluation and backup. Those of plain
UCT are in uct_plain.py, those for a tree that threads share in uct_shared.py, those with the toolbox in uct_tools.py; a
kernel is compiled for each, as far as it is used.

Several threads may share a tree (`SharedTree`): the one that expands a node claims it, counters are added to
atomically, and a thread that finds a node claimed plays out from there. A virtual loss keeps threads apart: while a
thread is below a node, the node counts as visited and lost so many times more (Chaslot, Winands and van den Herik,
2008).

The children of a node lie side by side, in random order, and are made when the node is reached for the
second time (those of the root at once). Positions are not stored: every iteration replays from the root.
"""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import Any, NamedTuple

from boardwright.agents import param
from boardwright.kernel import TERMINAL, Code, Observation, RngState, Unit, calls, copy_into, rng, rule, typeof, types
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE, AnyRules
from boardwright.kernel.compile import unchecked
from boardwright.search import toolbox, uct_plain, uct_shared, uct_tools
from boardwright.search.agent import Search
from boardwright.search.budget import MOST_DETERMINIZATIONS, Advance, Budget
from boardwright.search.leaf_workers import JOBS, Jobs, Walk, hand_over, is_done, take_back, wait_for
from boardwright.search.reuse import KeptTree
from boardwright.search.sharing import Shared, is_shared
from boardwright.search.statistics import Statistics
from boardwright.search.uct_tree import SharedTree, Tree, claim, root_of, root_statistics
from boardwright.search.workspace import LONGEST_PATH, WORKSPACE


class Settings(NamedTuple):
    """The parameters that the kernel sees."""

    exploration: float
    plies: int
    virtual_loss: float
    loss: float
    """The return of a lost game."""
    tools: Any = toolbox.NO_TOOLS
    """`Tools`, in a search with the toolbox."""


class Parts(NamedTuple):
    """What an iteration is made of: rules that are compiled into it."""

    expand: Any
    select: Any
    is_closed: Any
    delegate: Any
    evaluate: Any
    backup: Any


PLAIN = Parts(
    uct_plain.expand,
    uct_plain.select,
    uct_plain.is_closed,
    uct_plain.delegate,
    uct_plain.evaluate,
    uct_plain.backup,
)
WITH_TOOLS = PLAIN._replace(
    expand=uct_tools.expand,
    select=uct_tools.select,
    is_closed=uct_tools.is_closed,
    evaluate=uct_tools.evaluate,
    backup=uct_tools.backup,
)
ON_SHARED_TREE = PLAIN._replace(expand=uct_shared.expand, select=uct_shared.select, backup=uct_shared.backup)
LEAF_PARALLEL = PLAIN._replace(delegate=hand_over)
NO_JOBS = ()


@rule
def iterate(
    parts: Parts,
    rules: AnyRules,
    root: Any,
    settings: Settings,
    tree: Tree,
    workspace: Any,
    rng_state: RngState,
    jobs: Any,
) -> None:
    """Walk down from the root to a leaf, and back up what it is worth. All in one function: split in two, plain UCT
    takes a tenth longer, for what is passed on."""
    state = workspace.state
    copy_into(state, root, root.size)
    node = root_of(tree)
    depth = 0
    mover = calls.player(rules, state)
    while mover != TERMINAL and depth < LONGEST_PATH and not parts.is_closed(tree, node, settings):
        if tree.first[node] < 0:
            if tree.visits[node] == 0 and depth > 0:
                break
            if is_shared(tree) and not claim(tree, node):
                break
            n = calls.legal(rules, state, workspace.legal)
            if not parts.expand(rules, tree, node, workspace, n, mover, settings, rng_state):
                break
        node = parts.select(tree, node, workspace, settings)
        workspace.path[depth] = node
        depth += 1
        calls.apply(rules, state, tree.action[node])
        mover = calls.player(rules, state)
    if mover != TERMINAL and parts.delegate(jobs, workspace, depth):
        return
    parts.evaluate(rules, tree, node, workspace, mover, settings, rng_state)
    parts.backup(tree, workspace, depth, mover, settings)


def searching(parts: Parts) -> Any:
    """The kernel that is made of these parts, for a tree of one thread or with the toolbox."""

    def search(
        rules: AnyRules, root: Any, settings: Any, tree: Any, workspace: Any, rng_state: RngState, iterations: int
    ) -> None:
        for _ in range(iterations):
            iterate(parts, rules, root, settings, tree, workspace, rng_state, NO_JOBS)

    return search


def _search_shared(
    rules: AnyRules, root: Any, settings: Settings, tree: Tree, workspace: Any, rng_state: RngState, iterations: int
) -> None:
    for _ in range(iterations):
        iterate(ON_SHARED_TREE, rules, root, settings, tree, workspace, rng_state, NO_JOBS)
    uct_shared.flush_all(tree, workspace)


def _walk(
    rules: AnyRules,
    root: Any,
    settings: Settings,
    tree: Tree,
    workspace: Any,
    rng_state: RngState,
    jobs: Jobs,
    iterations: int,
) -> None:
    """Leaf parallelization (leaf_workers.py): as many iterations, with leaves played out by whoever is free."""
    for _ in range(iterations):
        for job in range(jobs.status.size):
            if is_done(jobs, job):
                uct_plain.backup(tree, workspace, take_back(jobs, workspace, job), TERMINAL, settings)
        iterate(LEAF_PARALLEL, rules, root, settings, tree, workspace, rng_state, jobs)
    for job in range(jobs.status.size):
        if wait_for(rules, jobs, job, workspace, settings.plies, rng_state):
            uct_plain.backup(tree, workspace, take_back(jobs, workspace, job), TERMINAL, settings)


ToolTree = toolbox.joined(__name__, "ToolTree", Tree, toolbox.NodeTools)


class SharedToolTree(Shared, ToolTree):  # type: ignore[misc, valid-type]
    """One that several threads search."""

    __slots__ = ()


_SETTINGS = Settings(0.5, 1, 0.0, -1.0)


def _signature(kind: type[Tree], workspace: Any = WORKSPACE, *, tools: bool = False) -> Any:
    tree, settings = kind.with_room_for(2), _SETTINGS
    if tools:
        tree, settings = tool_tree(kind)(*tree, *toolbox.NODE_TOOLS), settings._replace(tools=toolbox.NO_SWITCH)
    return types.void(SEARCH_RULES, STATE, typeof(settings), typeof(tree), workspace, RNG_STATE, types.int64)


def tool_tree(kind: type[Tree]) -> Any:
    """The same kind of tree with the arrays of the toolbox."""
    return SharedToolTree if issubclass(kind, Shared) else ToolTree


@cache
def _unit(kind: Any, tools: bool) -> Unit:
    if tools:
        name = f"uct{'_shared' if issubclass(kind, Shared) else ''}_tools"
        signature = _signature(kind, typeof(toolbox.TOOL_WORKSPACE), tools=True)
        return Unit("search", {name: (searching(WITH_TOOLS), signature)})
    if issubclass(kind, Shared):
        signature = _signature(kind, uct_shared.THREAD_WORKSPACE)
        return Unit("search", {"uct_shared": (_search_shared, signature)})
    return Unit("search", {"uct": (searching(PLAIN), _signature(kind))})


@cache
def leaf_code() -> Unit:
    signature = types.void(*_signature(SharedTree).args[:-1], JOBS, types.int64)
    return Unit("search", {"uct_leaf": (_walk, signature)})


def kernel_code(kind: Any = Tree, *, tools: bool = False) -> Code:
    return partial(_unit, kind, tools)


def kernel(kind: type[Tree] = Tree, *, tools: bool = False) -> Any:
    """`search(rules, root, settings, tree, workspace, rng_state, iterations)`, going on from where the tree is."""
    (search,) = kernel_code(kind, tools=tools)().entry_points.values()
    return search


class UCT(toolbox.ToolboxAgent):
    """UCT. Where information is hidden it searches several determinizations, each as if it were fully known."""

    determinizations: int = param(
        10,
        "determinizations to share the iterations among, where information is hidden",
        ge=1,
        le=MOST_DETERMINIZATIONS,
    )
    rave: float = param(
        0.0, "RAVE: weight of what an action was worth further on, as a number of visits; 0: none", ge=0
    )
    minimax: float = param(
        0.0,
        "implicit minimax backups: weight of the `evaluation` of what each seat would choose by it",
        ge=0,
        le=1,
        advanced=True,
    )
    solver: bool = param(False, "MCTS-Solver: prove wins and losses, and act on them")
    transpositions: bool = param(False, "nodes with the same position share what is below them", advanced=True)
    reuse: bool = param(
        False, "where nothing is hidden: go on with the part of the last decision's tree that the game has reached"
    )

    def prepare(self) -> None:
        self.wants_estimate = f"minimax={self.minimax:g}" if self.minimax else ""
        super().prepare()
        self._kept = KeptTree()
        if self.transpositions and self.shares_tree:
            self.refuse("transpositions", "parallel=tree")
        if self.solver and self.limit and not self.widen:
            self.refuse("solver", "limit: what is pruned is not proven")

    def wanted_tools(self) -> toolbox.Tools:
        tools = super().wanted_tools()
        return tools._replace(
            rave=self.rave,
            minimax=self.minimax,
            solver=self.solver,
            transpositions=self.transpositions,
            traces=tools.traces or self.rave > 0,
        )

    @property
    def visits_decide(self) -> bool:
        """Not if the tree is used again, if proofs count, or if a node is below several actions."""
        return not (self.reuse or self.solver or self.transpositions)

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
        if not observation.has_hidden_information:
            return 1 if self.shares_tree else self.threads
        return self.determinizations if self.shares_tree else max(self.determinizations, self.threads)

    def kernel_settings(self) -> Settings:
        return Settings(
            self.exploration_weight,
            self.playout_plies,
            float(self.virtual_loss),
            float(self.game.min_utility),
            self.tools if self.uses_tools else toolbox.NO_TOOLS,
        )

    def _statistics(self, tree: Any, observation: Observation) -> Statistics:
        """What is proven of one determinization is not proven of the game."""
        statistics = root_statistics(tree)
        start = int(tree.start[0])
        if self.solver and not observation.has_hidden_information and tree.first[start] >= 0:
            children = range(tree.first[start], tree.first[start] + tree.children[start])
            statistics.proven = {
                int(tree.action[child]): float(tree.proof[child, observation.seat])
                for child in children
                if tree.proven[child]
            }
        return statistics

    def _tree(self, root: Any, observation: Observation, budget: Budget) -> Tree:
        """A new tree; or the last one, if the game has reached a part of it."""
        needed = self.room(budget, self.game.max_legal)
        reuse = self.reuse and not observation.has_hidden_information and self.searches(observation) == 1
        if reuse and (kept := self._kept.reaching(root, self.game, needed)) is not None:
            return kept
        nodes = max(needed, self.nodes) if reuse else needed
        tree = self._kind.with_room_for(nodes)
        if self.uses_tools:
            node_tools = toolbox.NodeTools.with_room_for(tree.first.size, self.tools, observation.seats)
            tree = tool_tree(self._kind)(*tree, *node_tools)
        if reuse:
            self._kept.keep(tree, root)
        return tree

    def thread_workspace(self) -> Any:
        own = self.workspace()
        return own if self.uses_tools else uct_shared.thread_workspace(own)

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        root = observation.determinize(seed=rng.draw(rng_state)).memory
        tree = self._tree(root, observation, budget)
        settings = self.kernel_settings()

        def statistics() -> Statistics:
            return self._statistics(tree, observation)

        def advance(workspace: Any, rng_state: RngState) -> Advance:
            search = self._search
            return lambda n: search(self.rules, root, settings, tree, workspace, rng_state, n)

        def walk_for_workers(workspace: Any) -> Walk:
            walk = leaf_code().entry_points["uct_leaf"]
            return lambda jobs, n: walk(self.rules, root, settings, tree, workspace, rng_state, jobs, n)

        return self.search_on(advance, walk_for_workers, rng_state, statistics, tree.conflicts)
