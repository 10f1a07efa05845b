"""Agents of Race for the Galaxy: the rollout policy, and a random player that always places."""

from __future__ import annotations

from boardwright.agents import Agent, Decision
from boardwright.agents.policy import PolicyAgent
from boardwright.games.race.state import DONE, PLACE
from boardwright.kernel import Observation


class Heuristic(PolicyAgent):
    """Plays by rules of thumb: what it can do now, the best fit for its tableau, payment with what it needs least."""

    policy = "heuristic"


class RandomCard(Agent):
    """Plays any legal action, each as likely, but never passes where it could place a card."""

    def decide(self, observation: Observation) -> Decision:
        actions = observation.legal_actions()
        if observation.record.question == PLACE:
            actions = [action for action in actions if action != DONE] or actions
        return Decision(self.random(observation).choice(actions))

    @classmethod
    def label(cls) -> str:
        return "random-card"
