"""Agents that play one of their game's own policies."""

from __future__ import annotations

import numpy as np

from boardwright.agents.base import Agent, Decision
from boardwright.kernel import Code, Observation


class PolicyAgent(Agent):
    """Plays by a policy that the game brings: name it in a subclass."""

    policy: str

    def prepare(self) -> None:
        self._code = self.game.entries.code(f"choose {self.policy}")

    def needs(self) -> list[Code]:
        return self._code

    def decide(self, observation: Observation) -> Decision:
        scratch = np.empty(self.game.max_legal, np.int64)
        return Decision(
            int(self.game.entries.choose(self.policy)(observation.memory, scratch, self.rng_state(observation)))
        )
