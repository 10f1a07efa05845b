"""Agents that play one of their game's own policies."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from boardwright.agents.base import Agent, Decision
from boardwright.kernel import Observation


class PolicyAgent(Agent):
    """Plays by a policy that the game brings: name it in a subclass."""

    policy: ClassVar[str]

    def prepare(self) -> None:
        self.choose = self.game.entries.choose(self.policy)

    def decide(self, observation: Observation) -> Decision:
        scratch = np.empty(self.game.max_legal, np.int64)
        return Decision(int(self.choose(observation.memory, scratch, self.rng_state(observation))))
