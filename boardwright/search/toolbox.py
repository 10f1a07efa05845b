"""The toolbox: what tree search can do beyond plain UCB1, as parameters of the agents and as data of the kernels.

A kernel comes in two forms from one source. The plain one has none of this in it and pays nothing for it. The other is
used when a parameter below is given, and has all tools in it, each behind a switch of `Tools`. It gets a tree and a
workspace that have the arrays of `NodeTools` and `ScratchTools` besides their own, side by side in one named tuple:
taking an array out of a tuple inside a tuple would count references to all arrays of the inner one, each time.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from boardwright.agents import param
from boardwright.errors import BadSpec
from boardwright.kernel import MAX_SEATS, Code, Game, RngState, rng
from boardwright.kernel.arrays import Float32s, Float64s, Int8s, Int32s, Int64s, UInt8s
from boardwright.kernel.traces import LONGEST_TRACE, PAIRS, ActionValues, Trace
from boardwright.search import leaf_workers
from boardwright.search.agent import Search, TreeSearchAgent
from boardwright.search.bounds import BOUNDS, UCB1, Bound
from boardwright.search.budget import Advance
from boardwright.search.leaf_workers import Walk, with_workers
from boardwright.search.statistics import Statistics
from boardwright.search.transpositions import Positions
from boardwright.search.workspace import Workspace


class Tools(NamedTuple):
    """The switches and numbers that compiled code sees; 0 is off."""

    spread: float
    """max_utility - min_utility."""
    highest: float
    """max_utility."""
    num_actions: int
    bound: int = UCB1
    urgency: float = math.inf
    """The bound of a child without visits."""
    judges: int = 0
    """How many evaluations rank the actions of a node."""
    limit: int = 0
    """How many of the best actions it keeps."""
    widen: float = 0.0
    extrapolate: bool = False
    bias: float = 0.0
    rave: float = 0.0
    minimax: float = 0.0
    solver: bool = False
    transpositions: bool = False
    learns: bool = False
    """Whether playouts learn from playouts."""
    traces: bool = False
    """Whether playouts leave a trace for another reason."""


class NodeTools(NamedTuple):
    """One array per property of a node; those that no tool needs have a single entry."""

    squares: Float64s
    """The sum of the squares of the returns."""
    score: Float32s
    """What the evaluations that rank actions think of it, from 0 to 1."""
    rank: Int32s
    """Its rank by these evaluations."""
    amaf_visits: Int32s
    """How often its action was played by its seat, here or further on, and the sum of the returns."""
    amaf_total: Float64s
    minimax: Float64s
    """The evaluation backed up to it, for each seat."""
    proven: Int8s
    """Whether its returns are known for certain, and these."""
    proof: Float64s
    positions: Positions
    """Which node has the children of a position (transpositions.py)."""

    @classmethod
    def with_room_for(cls, nodes: int, tools: Tools, seats: int) -> NodeTools:
        def room(needed: object) -> int:
            return nodes if needed else 1

        return cls(
            squares=np.empty(nodes, np.float64),
            score=np.empty(nodes, np.float32),
            rank=np.empty(nodes, np.int32),
            amaf_visits=np.empty(room(tools.rave), np.int32),
            amaf_total=np.empty(room(tools.rave), np.float64),
            minimax=np.empty((room(tools.minimax), seats), np.float64),
            proven=np.zeros(room(tools.solver), np.int8),
            proof=np.empty((room(tools.solver), seats), np.float64),
            positions=Positions.with_room_for(room(tools.transpositions)),
        )


class ScratchTools(NamedTuple):
    """Buffers of one thread."""

    trial: UInt8s
    """Where candidates are tried."""
    trial_legal: Int64s
    values: Float64s
    score: Float64s
    """What each evaluation thinks of each action."""
    order: Int64s
    rank: Int64s
    """The rank and the mean score of each action."""
    bias: Float64s
    trace: Trace
    """The actions of the playout."""
    played: Int64s
    """When each action was last played, by each seat, counted in ticks."""
    played_tick: Int64s
    action_values: Any
    """What playouts have learned."""

    @classmethod
    def for_game(cls, game: Game, judges: int, tools: Tools, epsilon: float, pairs: bool) -> ScratchTools:
        singles = MAX_SEATS * game.num_actions if tools.traces else 1
        values = ActionValues.sized(
            singles, PAIRS if pairs else 0, epsilon, float(game.min_utility), float(game.max_utility)
        )
        return cls.sized(game.state.itemsize, game.max_legal, judges, singles, LONGEST_TRACE, values)

    @classmethod
    def sized(
        cls, state: int, legal: int, judges: int, singles: int, trace: int, action_values: ActionValues
    ) -> ScratchTools:
        return cls(
            trial=np.zeros(state, np.uint8),
            trial_legal=np.zeros(legal, np.int64),
            values=np.zeros(MAX_SEATS, np.float64),
            score=np.zeros((max(judges, 1), legal), np.float64),
            order=np.zeros(legal, np.int64),
            rank=np.zeros(legal, np.int64),
            bias=np.zeros(legal, np.float64),
            trace=Trace.with_room_for(trace),
            played=np.zeros(singles, np.int64),
            played_tick=np.zeros(1, np.int64),
            action_values=action_values,
        )


def joined(module: str, name: str, *parts: Any) -> Any:
    """A named tuple with the fields of several. It has its name in the module, where compiled code that is loaded from
    disk finds it."""
    return namedtuple(name, [field for part in parts for field in part._fields], module=module)


EPSILON = 0.2

ToolWorkspace = joined(__name__, "ToolWorkspace", Workspace, ScratchTools)

NO_TOOLS = 0
"""Stands for `Tools` in a plain search."""
NO_SWITCH = Tools(2.0, 1.0, 1)
NODE_TOOLS = NodeTools.with_room_for(1, NO_SWITCH, 1)
TOOL_WORKSPACE = ToolWorkspace(
    *Workspace.sized(1, 1, 1), *ScratchTools.sized(1, 1, 1, 1, 1, ActionValues.sized(1, 0, 1.0, 0.0, 1.0))
)
"""Examples, for the signatures of kernels."""


class ToolboxAgent(TreeSearchAgent):
    """A tree search with the toolbox."""

    bound: Bound = param("ucb1", "the confidence bound of the tree (bounds.py)")
    fpu: float | None = param(
        None,
        "first-play urgency: the bound of an action without visits; default: every action is tried first",
        advanced=True,
    )
    prune: str = param(
        "", "evaluations that rank the actions of a node, as h4 or h4+h2; any of the game's, or scores or returns"
    )
    limit: int = param(0, "with `prune`: how many of the best actions of each evaluation a node keeps; 0: all", ge=0)
    extrapolate: bool = param(
        False,
        "with `prune`: play on at random to the next decision of another seat before an action is scored",
        advanced=True,
    )
    widen: float = param(
        0.0,
        "with `prune`: pruned actions come in again: a node has as many as its visits to this power",
        ge=0,
        le=1,
        advanced=True,
    )
    bias: float = param(
        0.0, "with `prune`: weight of the scores as a progressive bias, in units of the returns", ge=0, advanced=True
    )
    learn: Literal["", "mast", "ngram"] = param(
        "",
        "playouts that learn from playouts: the mean return of each action, or also of pairs of actions",
        advanced=True,
    )
    epsilon: float = param(
        EPSILON,
        "with `learn`: the probability that a playout's action is the rollout policy's own choice",
        ge=0,
        le=1,
        advanced=True,
    )

    def prepare(self) -> None:
        self.judges = self._judges()
        self.tools = self.wanted_tools()
        self.uses_tools = self.tools[_FIXED:] != NO_SWITCH[_FIXED:]
        self.traced = self.tools.traces
        super().prepare()
        self.refuse_idle("epsilon", self.epsilon != EPSILON and not self.learn, "`learn`")
        if self.uses_tools and self.has_leaf_workers:
            self.refuse("parallel=leaf", "bounds, pruning or other tools: it is plain search on several threads")

    def wanted_tools(self) -> Tools:
        return Tools(
            spread=float(self.game.max_utility - self.game.min_utility),
            highest=float(self.game.max_utility),
            num_actions=self.game.num_actions,
            bound=BOUNDS[self.bound],
            urgency=math.inf if self.fpu is None else self.fpu,
            judges=len(self.judges),
            limit=self.limit,
            widen=self.widen,
            extrapolate=self.extrapolate,
            bias=self.bias,
            learns=bool(self.learn),
            traces=bool(self.learn),
        )

    def _judges(self) -> tuple[str, ...]:
        """The evaluations that rank actions, checked against what else is given."""
        judges = tuple(self.prune.split("+")) if self.prune else ()
        given = {"limit": self.limit, "widen": self.widen, "bias": self.bias}
        wanted = [name for name, value in given.items() if value]
        if not judges and (wanted or self.extrapolate):
            name = wanted[0] if wanted else "extrapolate"
            raise BadSpec(f"agent {self.label()!r}: {name} needs prune, the evaluations that rank actions")
        if judges and not wanted:
            raise BadSpec(
                f"agent {self.label()!r}: prune={self.prune} needs limit (how many actions to keep), widen or bias"
            )
        return judges

    def needs(self) -> list[Code]:
        return [*super().needs(), *([leaf_workers.code] if self.has_leaf_workers else [])]

    def refuse(self, tool: str, beside: str) -> None:
        raise BadSpec(f"agent {self.label()!r}: {tool} does not go with {beside}")

    def with_workers(self, walk: Walk, rng_state: RngState) -> Advance:
        """One thread walks, the others play out leaves."""
        rng_states = [rng.generator(rng.draw(rng_state)) for _ in range(self.threads - 1)]
        return with_workers(walk, self.game, self.rules, self.playout_plies, rng_states)

    def search_on(
        self,
        advance: Callable[[Any, RngState], Advance],
        walk: Callable[[Any], Walk],
        rng_state: RngState,
        root: Callable[[], Statistics],
        conflicts: Any,
    ) -> Search:
        """A search of one tree, as `parallel` says: with workers for its leaves (`walk`), alone, or by threads that
        share it (`advance`). Both are asked for with a workspace."""
        if self.has_leaf_workers:
            return Search(self.with_workers(walk(self.workspace()), rng_state), root)
        if not self.shares_tree:
            return Search(advance(self.workspace(), rng_state), root)
        workspaces = [self.thread_workspace() for _ in range(self.threads)]
        rng_states = [rng_state, *(rng.generator(rng.draw(rng_state)) for _ in range(self.threads - 1))]
        counted = [own.selections for own in workspaces if self.virtual_loss > 0 and hasattr(own, "selections")]
        return Search.on_shared_tree(map(advance, workspaces, rng_states), root, conflicts, counted)

    def thread_workspace(self) -> Any:
        """That of a thread that shares a tree."""
        return self.workspace()

    def workspace(self) -> Any:
        plain = Workspace.for_game(self.game)
        if not self.uses_tools:
            return plain
        epsilon = self.epsilon if self.learn else 1.0
        scratch = ScratchTools.for_game(self.game, len(self.judges), self.tools, epsilon, self.learn == "ngram")
        return ToolWorkspace(*plain, *scratch)


_FIXED = 3
"""The first fields of `Tools` describe the game; the others are switches."""
