"""The baseline of baselines."""

from __future__ import annotations

from boardwright.agents.base import Agent, Decision
from boardwright.kernel import View


class Random(Agent):
    """Plays any legal action, each as likely."""

    def decide(self, view: View) -> Decision:
        return Decision(self.random(view).choice(view.legal_actions()))
