"""Agents that play a policy of their game, or at random, as functions for a portable module."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from boardwright.agents import Agent
from boardwright.agents.policy import PolicyAgent
from boardwright.agents.random import Random
from boardwright.engine.families import family
from boardwright.kernel import copy_into, rng, rule
from boardwright.kernel.portable import array_at


class _Chosen(NamedTuple):
    observation: Any
    legal: Any
    rng_state: Any


class PolicyFamily(family.Family):
    """Agents that play one of their game's own policies, or at random."""

    agent_class: ClassVar[type[Agent]] = PolicyAgent

    def functions(self) -> family.Functions:
        game, outcome = self.game, self.outcome
        policy = getattr(self.agent, "policy", "random")
        ((choose, _),) = game.entries.functions_of(f"choose {policy}").values()
        choose = rule(choose)
        own = self.add(
            _Chosen(np.zeros(game.state.itemsize, np.uint8), np.zeros(game.max_legal, np.int64), family.rng_room())
        )
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

        return {"begin": (begin, family.BEGIN), "advance": (advance, family.ADVANCE), "finish": (finish, family.FINISH)}


class RandomFamily(PolicyFamily):
    """Not the numbers of the agent `random`, which draws them from Python's generator."""

    agent_class = Random
