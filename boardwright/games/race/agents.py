"""The rollout policy as an agent."""

from __future__ import annotations

from boardwright.agents.policy import PolicyAgent


class Heuristic(PolicyAgent):
    """Plays by rules of thumb: what it can do now, the best fit for its tableau, payment with what it needs least."""

    policy = "heuristic"
