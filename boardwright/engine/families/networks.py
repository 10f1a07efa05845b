"""Agents with a network as functions for a portable module: `netpolicy`, `netsearch`, `nettree`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.engine.families import family
from boardwright.kernel import copy_into, rng, rule
from boardwright.kernel.calls import LearningRules
from boardwright.kernel.portable import array_at
from boardwright.learn import tree_search, turn_search
from boardwright.learn.agents import NetPolicy, NetSearch
from boardwright.learn.tree import TreeSettings
from boardwright.learn.tree_agent import LONGEST_PART, NetTree
from boardwright.learn.tree_search import Search
from boardwright.learn.turn_search import Settings
from boardwright.learn.workspace import Workspace as TurnWorkspace


class _NetworkMemory(NamedTuple):
    workspace: Any
    models: Any
    rng_state: Any
    budget: Any


class NetworkFamily(family.Family):
    """What agents with a network share."""

    def check(self) -> None:
        network = self.agent.network(self.seats)
        self.features, self.first_places = network.features(self.game), network.first_places

    def own(self) -> Any:
        models = self.agent.models(self.seats)
        workspace = TurnWorkspace.for_game(self.game, self.features, self.seats, self.first_places)
        return self.add(_NetworkMemory(workspace, models, family.rng_room(), np.zeros(1, np.int64)))

    def rules(self) -> tuple[Any, Any]:
        """Rules `table()` and `plan(memory)`: what the game with the network's features is made of, as kernels get it.
        Both are called where it is used, because a table lies on the stack of its caller."""
        units = ["rules"] if self.features.is_automatic else ["rules", "features"]
        return family.table_for(self.game, LearningRules, units), self.add((self.features.plan,))

    def ranked(self) -> Any:
        """A rule `ranked(workspace, found, n)`: the outcome of a search that leaves visits and sums of values."""
        low, high = float(self.game.min_utility), float(self.game.max_utility)

        @rule
        def ranked(workspace: Any, outcome: Any, n: int) -> None:
            for i in range(n):
                k = workspace.ranking[i]
                visits = workspace.visits[k]
                outcome.action[i], outcome.visits[i], outcome.prior[i] = (
                    workspace.actions[k],
                    visits,
                    workspace.prior[k],
                )
                outcome.value[i] = low + (high - low) * workspace.value_sum[k] / visits if visits else np.nan

        return ranked


class NetPolicyFamily(NetworkFamily):
    agent_class = NetPolicy

    def functions(self) -> family.Functions:
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

        return {"begin": (begin, family.BEGIN), "advance": (advance, family.ADVANCE), "finish": (finish, family.FINISH)}


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

    def functions(self) -> family.Functions:
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

        return {"begin": (begin, family.BEGIN), "advance": (advance, family.ADVANCE), "finish": (finish, family.FINISH)}


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

    def functions(self) -> family.Functions:
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
            whole = Search(rules, mine.models.own, settings(1), search.tree, mine.workspace)
            search.count[0] = tree_begin(whole, seat, mine.rng_state)
            for i in range(search.count[0]):  # what nobody searches, as an only action, has a rank too
                mine.workspace.ranking[i] = i

        def advance(memory: Any, iterations: int) -> None:
            mine, search, left = own(memory), searched(memory), iterations
            seat, n, model = search.seat[0], search.count[0], mine.models.own
            rules = LearningRules(table().addresses, plan(memory)[0])
            while n > 1 and left > 0:
                part = settings(min(left, LONGEST_PART))
                spend(Search(rules, model, part, search.tree, mine.workspace), seat, n, mine.rng_state)
                left -= LONGEST_PART

        def finish(memory: Any, seat: int) -> int:
            mine, search = own(memory), searched(memory)
            n = search.count[0]
            conclude(search.tree, n, settings(1), mine.workspace)
            ranked(mine.workspace, outcome(memory), n)
            return n

        return {"begin": (begin, family.BEGIN), "advance": (advance, family.ADVANCE), "finish": (finish, family.FINISH)}
