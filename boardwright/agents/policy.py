"""Agents that play one of their game's own policies."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from boardwright.agents.base import Agent, Decision
from boardwright.kernel import View


class PolicyAgent(Agent):
    """Plays by a policy that the game brings: name it in a subclass."""

    policy: ClassVar[str]

    def prepare(self) -> None:
        self.choose = self.game.entries.choose(self.policy)

    def decide(self, view: View) -> Decision:
        scratch = np.empty(self.game.max_legal, np.int64)
        return Decision(int(self.choose(view.memory, scratch, self.chance(view))))
