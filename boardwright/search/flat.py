"""Flat Monte Carlo: playouts shared evenly among the actions, no tree."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from boardwright.agents import param
from boardwright.kernel import Bytes, Code, Observation, RngState, Unit, calls, copy_into, rng, typeof, types
from boardwright.kernel.arrays import Float64s, Int64s
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE, AnyRules
from boardwright.search.agent import Search, SearchAgent
from boardwright.search.budget import Budget
from boardwright.search.leaf import TO_THE_END, evaluate_leaf
from boardwright.search.root_choice import Rule
from boardwright.search.statistics import Statistics
from boardwright.search.workspace import WORKSPACE, Workspace


class Settings(NamedTuple):
    """The parameters that the kernel sees."""

    plies: int


class Arms(NamedTuple):
    """The actions of the root, and what their playouts came to."""

    action: Int64s
    visits: Int64s
    total: Float64s

    @classmethod
    def of(cls, actions: list[int]) -> Arms:
        n = len(actions)
        return cls(np.array(actions, np.int64), np.zeros(n, np.int64), np.zeros(n))


SETTINGS = typeof(Settings(TO_THE_END))
ARMS = typeof(Arms.of([]))


def _search(
    rules: AnyRules,
    observation: Bytes,
    seat: int,
    settings: Settings,
    arms: Arms,
    workspace: Workspace,
    rng_state: RngState,
    iterations: int,
) -> None:
    n = arms.action.size
    done = arms.visits.sum()
    for iteration in range(done, done + iterations):
        choice = iteration % n
        copy_into(workspace.state, observation, observation.size)
        calls.determinize(rules, workspace.state, seat, rng.next64(rng_state))
        calls.apply(rules, workspace.state, arms.action[choice])
        evaluate_leaf(rules, workspace, calls.player(rules, workspace.state), rng_state, settings.plies)
        arms.visits[choice] += 1
        arms.total[choice] += workspace.returns[seat]


@cache
def code() -> Unit:
    signature = types.void(SEARCH_RULES, STATE, types.int64, SETTINGS, ARMS, WORKSPACE, RNG_STATE, types.int64)
    return Unit("search", {"flat": (_search, signature)})


def kernel() -> Any:
    """`search(rules, observation, seat, settings, arms, workspace, rng_state, iterations)`, adding to the arms."""
    return code().entry_points["flat"]


class Flat(SearchAgent):
    """Flat Monte Carlo: the action whose playouts end best, on average."""

    select: Rule = param("max", "how the action is chosen at the root (root_choice.py)")

    def kernel_code(self) -> Code:
        return code

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        arms, settings = Arms.of(observation.legal_actions()), Settings(self.playout_plies)
        workspace, search = Workspace.for_game(self.game), kernel()
        root, seat = observation.memory, observation.seat

        def advance(n: int) -> None:
            search(self.rules, root, seat, settings, arms, workspace, rng_state, n)

        return Search(advance, lambda: Statistics.of(*arms))
