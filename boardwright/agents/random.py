"""The baseline of baselines."""

from __future__ import annotations

from boardwright.agents.base import Agent, Decision
from boardwright.kernel import Observation


class Random(Agent):
    """Plays any legal action, each as likely."""

    def decide(self, observation: Observation) -> Decision:
        return Decision(self.random(observation).choice(observation.legal_actions()))
