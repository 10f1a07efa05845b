"""`nettree`: tree search with a trained network, for games whose turns are single actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.agents import Decision, Reason, param
from boardwright.kernel import Code, Observation
from boardwright.learn import tree_search
from boardwright.learn.agents import NetworkAgent, Table
from boardwright.learn.tree import MOST_NODES, Tree, TreeSettings
from boardwright.learn.tree_search import VALUE_SCALE, VISIT_OFFSET, Search, has_constant_sum
from boardwright.search.budget import CLOCKS, MOST_SECONDS, Clock

FIRST_SIMULATIONS = 64
"""With a budget of time: simulations that show how long one takes."""
FEW_SIMULATIONS = 512
"""With fewer, sequential halving spends them at the root."""
LONGEST_PART = 20_000
"""Simulations between two looks at the clock, or for Ctrl-C."""


class NetTree(NetworkAgent):
    """Searches a tree with a network's priors and values, by the rules of Gumbel AlphaZero."""

    simulations: int = param(128, "simulations per decision", ge=1, le=10_000_000)
    seconds: float | None = param(
        None, "time to spend on a decision instead of a number of simulations", gt=0, le=MOST_SECONDS
    )
    clock: Clock = param("wall", "with a budget of time: time on the wall, or processor time")
    width: int = param(16, "the most candidates at the root: the actions with the highest policy priors", ge=1)
    value_scale: float = param(VALUE_SCALE, "how much values count against priors (c_scale of Gumbel AlphaZero)", gt=0)

    def prepare(self) -> None:
        super().prepare()
        self._constant_sum: bool | None = None
        self._tree: Any = None

    def needs(self) -> list[Code]:
        return [*super().needs(), tree_search.code]

    def decide(self, observation: Observation) -> Decision:
        table = self.table(observation.seats)
        network, rules, workspace = table
        self.settings(1, observation.seats)  # what is found out once takes none of the decision's time
        clock = CLOCKS[self.clock]
        began = clock()
        rng_state = self.rng_state(observation)
        workspace.observation[:] = observation.memory
        tree = self.room()
        search = Search(rules, network.weights, self.settings(1, observation.seats), tree, workspace)
        n = tree_search.kernel("tree_begin")(search, observation.seat, rng_state)
        done = 0
        while n > 1:
            part = self._part(done, began, clock())
            if part <= 0:
                break
            search = search._replace(settings=self.settings(part, observation.seats))
            tree_search.kernel("tree_go_on")(search, observation.seat, n, rng_state)
            done += part
        return self._decision(table, n, int(workspace.visits[:n].sum()) if n > 1 else 0)

    def _part(self, done: int, began: float, now: float) -> int:
        """How many simulations come next: all of them, or what the time allows."""
        if self.seconds is None:
            return min(LONGEST_PART, self.simulations - done)
        left = self.seconds - (now - began)
        if done == 0:
            return FIRST_SIMULATIONS
        pace = done / max(now - began, 1e-9)
        part = int(pace * left)
        return min(part, LONGEST_PART) if part >= FIRST_SIMULATIONS // 4 else 0

    def settings(self, simulations: int, seats: int) -> TreeSettings:
        if self._constant_sum is None:
            self._constant_sum = has_constant_sum(self.game, seats)
        proves = self._constant_sum and not self.game.has_hidden_information
        few = self.seconds is None and self.simulations < FEW_SIMULATIONS
        return TreeSettings(
            simulations, self.width, VISIT_OFFSET, self.value_scale, 0.0, self._constant_sum, proves, few
        )

    def room(self) -> Tree:
        if self._tree is None:
            simulations = MOST_NODES if self.seconds is not None else self.simulations
            nodes = 1 + (simulations + 1) * self.game.max_legal
            self._tree = Tree.with_room_for(min(nodes, MOST_NODES), self.game.max_legal)
        return self._tree

    def _decision(self, table: Table, n: int, simulations: int) -> Decision:
        workspace = table.workspace
        if n == 1:
            return Decision(int(workspace.actions[0]), lambda: (Reason(int(workspace.actions[0])),), "the only action")
        actions, prior = workspace.actions[:n].tolist(), workspace.prior[:n].tolist()
        visits, ranking = workspace.visits[:n].copy(), workspace.ranking[:n].tolist()
        value = workspace.value_sum[:n] / np.maximum(visits, 1)
        low, high = self.game.min_utility, self.game.max_utility

        def reasons() -> tuple[Reason, ...]:
            return tuple(
                Reason(
                    actions[i],
                    float(low + (high - low) * value[i]) if visits[i] else None,
                    prior[i],
                    int(visits[i]),
                )
                for i in ranking
            )

        return Decision(actions[ranking[0]], reasons, f"{simulations:,} simulations")

    @classmethod
    def label(cls) -> str:
        return "nettree"
