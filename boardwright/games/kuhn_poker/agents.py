"""The known solution of Kuhn poker."""

from __future__ import annotations

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.games.kuhn_poker.state import BET, JACK, KING, PASS, QUEEN
from boardwright.kernel import Observation

VALUE_OF_FIRST_SEAT = -1 / 18
"""What the first seat gains per game, in chips, when both play optimally."""


class Optimal(Agent):
    """An equilibrium strategy: nobody can win more than 1/18 chip per game against it."""

    alpha: float = param(0.2, "how often the first seat bluffs with a jack", ge=0.0, le=1 / 3)

    def decide(self, observation: Observation) -> Decision:
        bet = self.bet_probability(observation)
        action = BET if self.random(observation).random() < bet else PASS
        return Decision(action, (Reason(BET, weight=bet), Reason(PASS, weight=1 - bet)))

    def bet_probability(self, observation: Observation) -> float:
        """The equilibrium's chance to bet, or to call a bet."""
        card, choices = observation.record.card[observation.seat], observation.record.choices
        facing_bet = choices > 0 and observation.record.choice[choices - 1] == BET
        if choices == 0:
            return {JACK: self.alpha, QUEEN: 0.0, KING: 3 * self.alpha}[card]
        if choices == 2:
            return {JACK: 0.0, QUEEN: self.alpha + 1 / 3, KING: 1.0}[card]
        if facing_bet:
            return {JACK: 0.0, QUEEN: 1 / 3, KING: 1.0}[card]
        return {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0}[card]
