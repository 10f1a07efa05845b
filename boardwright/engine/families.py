"""Agents as compiled functions over one block of memory: `begin` a decision, `advance` the search, `finish` it.

A family writes in rules what its agent's `decide` does in Python, draws the same random numbers in the same order, and
so decides the same. All its arrays lie in one block that the host provides (`placed`, kernel/portable.py).

    begin(memory, observation, seat, seats, seed)   a decision on what the seat may know
    advance(memory, iterations)                     search on; the budget is the host's
    finish(memory, seat) -> n                       rank the actions: the best first, in `Outcome`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from boardwright.agents import Agent
from boardwright.agents.policy import PolicyAgent
from boardwright.agents.random import Random
from boardwright.engine.blake2 import derive
from boardwright.errors import BadSpec
from boardwright.kernel import MAX_SEATS, Game, rng, rule
from boardwright.kernel.automatic_features import NO_PLAN
from boardwright.kernel.calls import SLOTS, LearningRules, SearchRules
from boardwright.kernel.declare import types
from boardwright.kernel.pointers import copy_into
from boardwright.kernel.portable import ADDRESS, Segment, address_at, array_at, placed, size_of, table_of
from boardwright.learn import puct, tree_search, turn_search
from boardwright.learn.agents import NetPolicy, NetSearch
from boardwright.learn.tree_agent import LONGEST_PART, NetTree
from boardwright.learn.tree_search import TreeSettings
from boardwright.learn.turn_search import Settings
from boardwright.learn.workspace import Workspace as TurnWorkspace
from boardwright.search import ismcts, ismcts_tree, uct
from boardwright.search.ismcts import ISMCTS
from boardwright.search.leaf import TO_THE_END
from boardwright.search.uct import UCT
from boardwright.search.uct_tree import LEAF, ROOT, Tree
from boardwright.search.workspace import Workspace

_U = np.uint64
_DETERMINIZATIONS = 2  # as in kernel/position.py
Functions = dict[str, tuple[Callable[..., Any], Any]]

BEGIN = types.void(ADDRESS, ADDRESS, types.int64, types.int64, types.uint64)
ADVANCE = types.void(ADDRESS, types.int64)
FINISH = types.int64(ADDRESS, types.int64)


class Outcome(NamedTuple):
    """What a search found, and room to add it up. The host reads the first four: actions ranked, the best first."""

    action: Any
    visits: Any
    value: Any
    """The return that the agent expects; NaN where it does not know."""
    prior: Any
    """The policy prior, or NaN."""
    count: Any
    all_visits: Any
    """By action: visits, and sums of returns."""
    all_total: Any
    is_listed: Any

    @classmethod
    def for_game(cls, game: Game) -> Outcome:
        return cls(
            action=np.zeros(game.max_legal, np.int64),
            visits=np.zeros(game.max_legal, np.int64),
            value=np.zeros(game.max_legal),
            prior=np.zeros(game.max_legal),
            count=np.zeros(1, np.int64),
            all_visits=np.zeros(game.num_actions, np.int64),
            all_total=np.zeros(game.num_actions),
            is_listed=np.zeros(game.num_actions, np.int8),
        )


@rule
def clear_outcome(found: Any) -> None:
    for i in range(found.count[0]):
        found.is_listed[found.action[i]] = 0
    found.count[0] = 0


@rule
def add_to_outcome(found: Any, action: int, visits: int, total: float) -> None:
    """Add what one search found about an action of the root."""
    if not found.is_listed[action]:
        found.is_listed[action] = 1
        found.action[found.count[0]] = action
        found.count[0] += 1
        found.all_visits[action] = 0
        found.all_total[action] = 0.0
    found.all_visits[action] += visits
    found.all_total[action] += total


@rule
def rank_outcome(found: Any, low: float, high: float) -> int:
    """Rank by visits, then by mean, then by action: the choice `robust` (search/root_choice.py)."""
    n = found.count[0]
    for i in range(n):
        action = found.action[i]
        visits = found.all_visits[action]
        mean = found.all_total[action] / visits if visits else np.nan
        scaled = (mean - low) / (high - low) if visits else 0.0
        j = i
        while j > 0:
            other = found.action[j - 1]
            if found.visits[j - 1] > visits:
                break
            if found.visits[j - 1] == visits:
                other_scaled = (found.value[j - 1] - low) / (high - low) if visits else 0.0
                if other_scaled > scaled or (other_scaled == scaled and other < action):
                    break
            found.action[j], found.visits[j], found.value[j] = other, found.visits[j - 1], found.value[j - 1]
            j -= 1
        found.action[j], found.visits[j], found.value[j], found.prior[j] = action, visits, mean, np.nan
    return n


class Family:
    """An agent at a table of so many seats, as functions for a portable module."""

    agent_class: ClassVar[type[Agent]]

    def __init__(self, agent: Any, seats: int) -> None:
        self.agent, self.seats, self.game = agent, seats, agent.game
        self.check()
        self.outcome, found = placed(Outcome.for_game(self.game))
        self.segments = list(found)
        self.outcome_offsets = dict(zip(Outcome._fields, (segment.offset for segment in found), strict=True))
        self.size = size_of(found)

    def check(self) -> None:
        """BadSpec if it is set to something that cannot be exported."""

    @property
    def iterations(self) -> int:
        """The budget of a decision, if the host does not say another; 0 if it cannot be changed."""
        return 0

    def add(self, value: Any) -> Any:
        """Place a tuple of arrays behind what is there; gives a rule `value(memory)`."""
        place, segments = placed(value)
        start = self.size
        self.segments += [Segment(start + segment.offset, segment.content) for segment in segments]
        self.size += size_of(segments)

        @rule
        def at(memory: Any) -> Any:
            return place(address_at(memory, start))

        return at

    def functions(self) -> Functions:
        raise NotImplementedError

    def refuse(self, given: Mapping[str, bool]) -> None:
        for name, is_set in given.items():
            if is_set:
                raise BadSpec(f"agent {self.agent.label()!r} with {name} cannot be exported yet")


def _table(game: Game, kind: type, units: list[str]) -> Any:
    """The game's rules as kernels get them, of the functions of these units."""
    functions: Functions = {}
    for name in units:
        functions |= game.entries.functions_of(name)
    slots: list[Any] = []
    for slot in SLOTS:
        found = [entry for name, entry in functions.items() if name == slot or name.startswith(f"{slot}_")]
        slots.append((rule(found[0][0]), found[0][1]) if found else None)
    plan = (NO_PLAN,) if kind is LearningRules else ()
    return table_of(kind, [entry and (_plain(entry[0]), entry[1]) for entry in slots], *plan)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


class _Chosen(NamedTuple):
    observation: Any
    legal: Any
    rng_state: Any


class PolicyFamily(Family):
    """Agents that play one of their game's own policies, or at random."""

    agent_class: ClassVar[type[Agent]] = PolicyAgent

    def functions(self) -> Functions:
        game, outcome = self.game, self.outcome
        policy = getattr(self.agent, "policy", "random")
        ((choose, _),) = game.entries.functions_of(f"choose {policy}").values()
        choose = rule(choose)
        own = self.add(_Chosen(np.zeros(game.state.itemsize, np.uint8), np.zeros(game.max_legal, np.int64), _rng()))
        observation_at = array_at(np.uint8, game.state.itemsize)

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine = own(memory)
            rng.seed(mine.rng_state, seed)
            copy_into(mine.observation, observation_at(observation), mine.observation.size)

        def advance(memory: Any, iterations: int) -> None:
            pass

        def finish(memory: Any, seat: int) -> int:
            mine, found = own(memory), outcome(memory)
            found.action[0] = choose(mine.observation, mine.legal, mine.rng_state)
            found.visits[0], found.value[0], found.prior[0] = 0, np.nan, np.nan
            return 1

        return {"begin": (begin, BEGIN), "advance": (advance, ADVANCE), "finish": (finish, FINISH)}


class RandomFamily(PolicyFamily):
    """Not the numbers of the agent `random`, which draws them from Python's generator."""

    agent_class = Random


def _rng() -> Any:
    return np.zeros(4, np.uint64)


def _search_units(agent: Any, *, learned: bool = False) -> list[str]:
    truncated = agent.playout_plies != TO_THE_END
    units = ["rules", f"{'truncated_playout' if truncated else 'playout'} {agent.playout}"]
    units += [f"evaluate {agent.estimate}"] if agent.estimate not in ("returns", "scores") else []
    return units + (["learned"] if learned else [])


def _refused_search(agent: Any) -> dict[str, bool]:
    return {
        "tools of the toolbox": getattr(agent, "uses_tools", False),
        f"select={agent.select}": agent.select != "robust",
        "threads": agent.threads > 1,
        "seconds (give iterations: the clock is the host's)": agent.seconds is not None,
        "game_seconds": agent.game_seconds is not None,
        "stream": agent.stream is not None,
    }


class _IsmctsMemory(NamedTuple):
    seat: Any
    observation: Any
    rng_state: Any
    workspace: Any
    tree: Any


class IsmctsFamily(Family):
    agent_class = ISMCTS

    def check(self) -> None:
        self.refuse(_refused_search(self.agent))

    @property
    def iterations(self) -> int:
        return int(self.agent.iterations)

    def functions(self) -> Functions:
        agent, game, seats, outcome = self.agent, self.game, self.seats, self.outcome
        nodes = max(1 + game.max_legal, min(agent.nodes, agent.iterations * agent.nodes_per_iteration(seats) + 1))
        own = self.add(
            _IsmctsMemory(
                np.zeros(1, np.int64),
                np.zeros(game.state.itemsize, np.uint8),
                _rng(),
                Workspace.for_game(game),
                ismcts_tree.Tree.with_room_for(nodes),
            )
        )
        table = _table(game, SearchRules, _search_units(agent, learned=agent.closed))
        settings = placed(agent.kernel_settings())[0]
        observation_at = array_at(np.uint8, game.state.itemsize)
        low, high = float(game.min_utility), float(game.max_utility)
        plain, iterate, none = ismcts.PLAIN, ismcts.iterate, ismcts_tree.NONE

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine = own(memory)
            rng.seed(mine.rng_state, seed)
            rng.seed(mine.rng_state, rng.next64(mine.rng_state))
            copy_into(mine.observation, observation_at(observation), mine.observation.size)
            for root in range(MAX_SEATS):
                mine.tree.child[root] = none
            mine.tree.used[0] = MAX_SEATS
            mine.seat[0] = seat

        def advance(memory: Any, iterations: int) -> None:
            mine = own(memory)
            for _ in range(iterations):
                iterate(
                    plain,
                    table(),
                    mine.observation,
                    mine.seat[0],
                    seats,
                    settings(memory),
                    mine.tree,
                    mine.workspace,
                    mine.rng_state,
                )

        def finish(memory: Any, seat: int) -> int:
            tree, found = own(memory).tree, outcome(memory)
            clear_outcome(found)
            node = tree.child[seat]
            while node != none:
                add_to_outcome(found, tree.edge[node], tree.visits[node], tree.total[node])
                node = tree.sibling[node]
            return rank_outcome(found, low, high)

        return {"begin": (begin, BEGIN), "advance": (advance, ADVANCE), "finish": (finish, FINISH)}


class _UctSearch(NamedTuple):
    root: Any
    rng_state: Any
    tree: Any


class _UctMemory(NamedTuple):
    """What the searches of several determinizations share."""

    searches: Any
    rng_state: Any
    workspace: Any
    words: Any
    mixed: Any


class UctFamily(Family):
    agent_class: ClassVar[type[Agent]] = UCT

    rules_kind: ClassVar[type] = SearchRules

    def check(self) -> None:
        self.refuse({**_refused_search(self.agent), "reuse": getattr(self.agent, "reuse", False)})

    @property
    def iterations(self) -> int:
        return int(self.agent.iterations)

    def units(self) -> list[str]:
        return _search_units(self.agent)

    def workspace(self) -> Any:
        return Workspace.for_game(self.game)

    def tree(self, nodes: int) -> Any:
        return Tree.with_room_for(nodes)

    parts: ClassVar[Any] = uct.PLAIN

    def settings(self) -> Any:
        """A rule `settings(memory)`."""
        return placed(self.agent.kernel_settings())[0]

    def functions(self) -> Functions:
        agent, game, outcome = self.agent, self.game, self.outcome
        hidden = game.has_hidden_information
        most = agent.determinizations if hidden else 1
        share = -(-agent.iterations // most)
        nodes = max(1 + game.max_legal, min(agent.nodes, share * game.max_legal + 1))
        shared = self.add(
            _UctMemory(np.zeros(1, np.int64), _rng(), self.workspace(), np.zeros(16, _U), np.zeros(16, _U))
        )
        settings = self.settings()
        one = _UctSearch(np.zeros(game.state.itemsize, np.uint8), _rng(), self.tree(nodes))
        start = self.size
        search_at, segments = placed(one)
        step = size_of(segments)
        self.size += most * step
        table = _table(game, self.rules_kind, self.units())
        ((determinize, _),) = [e for name, e in game.entries.functions_of("rules").items() if name == "determinize"]
        determinize = rule(determinize)
        opened = rule(_opened(game))
        observation_at = array_at(np.uint8, game.state.itemsize)
        low, high = float(game.min_utility), float(game.max_utility)
        parts, iterate, no_jobs = self.parts, uct.iterate, uct.NO_JOBS

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine, known = shared(memory), observation_at(observation)
            rng.seed(mine.rng_state, seed)
            searches = 1 if opened(known) else most
            mine.searches[0] = searches
            for i in range(searches):
                one = search_at(address_at(memory, start + i * step))
                rng.seed(one.rng_state, rng.next64(mine.rng_state))
                copy_into(one.root, known, known.size)
                drawn = rng.next64(one.rng_state)
                determinize(one.root, seat, derive(drawn, _DETERMINIZATIONS, seat, mine.words, mine.mixed))
                tree = one.tree
                tree.first[ROOT], tree.visits[ROOT], tree.total[ROOT] = LEAF, 0, 0.0
                tree.used[0], tree.start[0] = 1, ROOT

        def advance(memory: Any, iterations: int) -> None:
            mine = shared(memory)
            searches = mine.searches[0]
            for i in range(searches):
                one = search_at(address_at(memory, start + i * step))
                turns = iterations // searches + (1 if i < iterations % searches else 0)
                for _ in range(turns):
                    iterate(
                        parts,
                        table(),
                        one.root,
                        settings(memory),
                        one.tree,
                        mine.workspace,
                        one.rng_state,
                        no_jobs,
                    )

        def finish(memory: Any, seat: int) -> int:
            found = outcome(memory)
            clear_outcome(found)
            for i in range(shared(memory).searches[0]):
                tree = search_at(address_at(memory, start + i * step)).tree
                first = tree.first[ROOT]
                if first >= 0:
                    for child in range(first, first + tree.children[ROOT]):
                        add_to_outcome(found, tree.action[child], tree.visits[child], tree.total[child])
            return rank_outcome(found, low, high)

        return {"begin": (begin, BEGIN), "advance": (advance, ADVANCE), "finish": (finish, FINISH)}


def _opened(game: Game) -> Any:
    """A function `opened(state)`: whether nothing is hidden in a game with these options."""
    is_open, open_ = game.information.is_open, game.entries._open
    if not game.has_hidden_information:
        return lambda state: True
    if is_open is None:
        return lambda state: False
    is_open = rule(_plain(is_open))

    def opened(state: Any) -> bool:
        return is_open(open_(state))

    return opened


class PuctFamily(UctFamily):
    agent_class = puct.PUCT
    rules_kind = LearningRules
    parts = puct.PARTS

    def check(self) -> None:
        super().check()
        if self.agent.network(self.seats).features(self.game).is_automatic:
            raise BadSpec("agent 'puct' with automatic features cannot be exported yet; nettree can")

    def units(self) -> list[str]:
        return ["rules", "features"]

    def workspace(self) -> Any:
        features = len(self.game.learning.feature_names)
        return puct.PuctWorkspace(*Workspace.for_game(self.game), *puct.Buffers.sized(features, self.game.max_legal))

    def tree(self, nodes: int) -> Any:
        return puct.PuctTree(*Tree.with_room_for(nodes), np.empty(nodes))

    def settings(self) -> Any:
        return self.add(self.agent.kernel_settings(self.seats))


class _NetworkMemory(NamedTuple):
    workspace: Any
    models: Any
    rng_state: Any
    budget: Any


class NetworkFamily(Family):
    """What agents with a network share."""

    def check(self) -> None:
        self.features = self.agent.network(self.seats).features(self.game)

    def own(self) -> Any:
        models = self.agent.models(self.seats)
        workspace = TurnWorkspace.for_game(self.game, self.features, self.seats)
        return self.add(_NetworkMemory(workspace, models, _rng(), np.zeros(1, np.int64)))

    def rules(self) -> tuple[Any, Any]:
        """Rules `table()` and `plan(memory)`: what the game with the network's features is made of, as kernels get it.
        Both are called where it is used, because a table lies on the stack of its caller."""
        units = ["rules"] if self.features.is_automatic else ["rules", "features"]
        return _table(self.game, LearningRules, units), self.add((self.features.plan,))

    def ranked(self) -> Any:
        """A rule `ranked(workspace, found, n)`: the outcome of a search that leaves visits and sums of values."""
        low, high = float(self.game.min_utility), float(self.game.max_utility)

        @rule
        def ranked(workspace: Any, found: Any, n: int) -> None:
            for i in range(n):
                k = workspace.ranking[i]
                visits = workspace.visits[k]
                found.action[i], found.visits[i], found.prior[i] = workspace.actions[k], visits, workspace.prior[k]
                found.value[i] = low + (high - low) * workspace.value_sum[k] / visits if visits else np.nan

        return ranked


class NetPolicyFamily(NetworkFamily):
    agent_class = NetPolicy

    def functions(self) -> Functions:
        own, outcome, (table, plan) = self.own(), self.outcome, self.rules()
        observation_at = array_at(np.uint8, self.game.state.itemsize)
        policy_priors = turn_search.policy_priors

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            workspace = own(memory).workspace
            copy_into(workspace.observation, observation_at(observation), workspace.observation.size)

        def advance(memory: Any, iterations: int) -> None:
            pass

        def finish(memory: Any, seat: int) -> int:
            mine, found = own(memory), outcome(memory)
            rules = LearningRules(table().addresses, plan(memory)[0])
            n = policy_priors(rules, mine.models, seat, mine.workspace)
            for i in range(n):
                prior, j = mine.workspace.prior[i], i
                while j > 0 and found.prior[j - 1] < prior:
                    found.action[j], found.prior[j] = found.action[j - 1], found.prior[j - 1]
                    j -= 1
                found.action[j], found.prior[j] = mine.workspace.actions[i], prior
                found.visits[i], found.value[i] = 0, np.nan
            return n

        return {"begin": (begin, BEGIN), "advance": (advance, ADVANCE), "finish": (finish, FINISH)}


class NetSearchFamily(NetworkFamily):
    """Its budget is a number of determinizations, or of rollouts if it was set to one."""

    agent_class = NetSearch

    def check(self) -> None:
        super().check()
        self.refuse(
            {
                "noise": self.agent.noise > 0,
                "seconds (give determinizations: the clock is the host's)": self.agent.seconds is not None,
            }
        )

    @property
    def iterations(self) -> int:
        return int(self.agent.rollouts or self.agent.determinizations)

    def functions(self) -> Functions:
        own, outcome, ranked, (table, plan) = self.own(), self.outcome, self.ranked(), self.rules()
        _, width, breadth, prior_weight, turns, rollouts = self.agent.settings
        by_rollouts = rollouts > 0
        observation_at = array_at(np.uint8, self.game.state.itemsize)
        search = turn_search.search

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine = own(memory)
            rng.seed(mine.rng_state, seed)
            mine.budget[0] = 0
            copy_into(mine.workspace.observation, observation_at(observation), mine.workspace.observation.size)

        def advance(memory: Any, iterations: int) -> None:
            own(memory).budget[0] += iterations

        def finish(memory: Any, seat: int) -> int:
            mine, found = own(memory), outcome(memory)
            workspace, budget = mine.workspace, mine.budget[0]
            settings = Settings(
                0 if by_rollouts else budget, width, breadth, prior_weight, turns, budget if by_rollouts else 0
            )
            rules = LearningRules(table().addresses, plan(memory)[0])
            n = search(rules, mine.models, seat, settings, mine.rng_state, workspace)
            ranked(workspace, found, n)
            return n

        return {"begin": (begin, BEGIN), "advance": (advance, ADVANCE), "finish": (finish, FINISH)}


class _TreeMemory(NamedTuple):
    seat: Any
    count: Any
    """How many legal actions there are."""
    tree: Any


class NetTreeFamily(NetworkFamily):
    agent_class = NetTree

    def check(self) -> None:
        super().check()
        self.refuse({"seconds (give simulations: the clock is the host's)": self.agent.seconds is not None})

    @property
    def iterations(self) -> int:
        return int(self.agent.simulations)

    def functions(self) -> Functions:
        own, outcome, ranked, (table, plan) = self.own(), self.outcome, self.ranked(), self.rules()
        searched = self.add(_TreeMemory(np.zeros(1, np.int64), np.zeros(1, np.int64), self.agent.room()))
        _, width, visit_offset, value_scale, noise, constant_sum, proves, halving = self.agent.settings(1, self.seats)
        observation_at = array_at(np.uint8, self.game.state.itemsize)
        tree_begin, spend, conclude = tree_search.begin, tree_search.spend, tree_search.conclude

        @rule
        def settings(simulations: int) -> Any:
            return TreeSettings(simulations, width, visit_offset, value_scale, noise, constant_sum, proves, halving)

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine, search = own(memory), searched(memory)
            rng.seed(mine.rng_state, seed)
            copy_into(mine.workspace.observation, observation_at(observation), mine.workspace.observation.size)
            search.seat[0] = seat
            rules = LearningRules(table().addresses, plan(memory)[0])
            search.count[0] = tree_begin(
                rules, mine.models.own, seat, settings(1), mine.rng_state, search.tree, mine.workspace
            )
            for i in range(search.count[0]):  # what nobody searches, as an only action, has a rank too
                mine.workspace.ranking[i] = i

        def advance(memory: Any, iterations: int) -> None:
            mine, search, left = own(memory), searched(memory), iterations
            seat, n, model = search.seat[0], search.count[0], mine.models.own
            rules = LearningRules(table().addresses, plan(memory)[0])
            while n > 1 and left > 0:
                part = settings(min(left, LONGEST_PART))
                spend(rules, model, seat, n, part, mine.rng_state, search.tree, mine.workspace)
                left -= LONGEST_PART

        def finish(memory: Any, seat: int) -> int:
            mine, search = own(memory), searched(memory)
            n = search.count[0]
            conclude(search.tree, n, settings(1), mine.workspace)
            ranked(mine.workspace, outcome(memory), n)
            return n

        return {"begin": (begin, BEGIN), "advance": (advance, ADVANCE), "finish": (finish, FINISH)}


FAMILIES: tuple[type[Family], ...] = (
    RandomFamily,
    PolicyFamily,
    UctFamily,
    IsmctsFamily,
    PuctFamily,
    NetSearchFamily,
    NetTreeFamily,
    NetPolicyFamily,
)


def family_of(agent: Agent, seats: int) -> Family:
    """The family that an agent belongs to; BadSpec if it cannot be exported."""
    for family in FAMILIES:
        if type(agent) is family.agent_class or (family is PolicyFamily and isinstance(agent, PolicyAgent)):
            return family(agent, seats)
    names = ", ".join(sorted({family.agent_class.label() for family in FAMILIES} - {"policyagent"}))
    raise BadSpec(f"agent {agent.label()!r} cannot be exported; these can: {names}, and policies of the game")
