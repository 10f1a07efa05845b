"""What a search or a network thinks of the options, weighed by the votes of cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from boardwright.agents import Agent, Decision, Reason
from boardwright.errors import IllegalAction
from boardwright.kernel import Observation
from boardwright.scout.problems.steps import next_step
from boardwright.scout.reasoners.recommendation import Recommendation

SMALLEST_SHARE = 0.02
"""Options without a vote are not ruled out."""


@runtime_checkable
class CandidateSearch(Protocol):
    """A search that can be told what to look at, as `netsearch` can."""

    def policy(self, observation: Observation) -> dict[int, float]:
        """Its policy prior of every legal action."""

    def decide_among(self, observation: Observation, priors: Mapping[int, float]) -> Decision:
        """Search these actions alone, with these priors."""


class WeighedByCases(Agent):
    """Another agent's decisions at every step of a problem: its values, corrected by its priors and the votes of cases;
    or both priors alone, if it gives no values. With `coverage` it chooses among the candidates of the cases only."""

    def __init__(
        self,
        adviser: Agent,
        by_cases: Recommendation,
        prior_weight: float,
        case_share: float,
        coverage: float | None = None,
    ) -> None:
        super().__init__(adviser.game, adviser.seat)
        self.adviser, self.by_cases = adviser, by_cases
        self.prior_weight, self.case_share = prior_weight, case_share
        self.coverage = coverage
        self.decisions: dict[int, Decision] = {}

    def decide(self, observation: Observation) -> Decision:
        decision = self._searched(observation)
        if self.by_cases.votes:
            decision = self._with_priors(observation, decision)
        self.decisions[decision.action] = decision
        return decision

    def _searched(self, observation: Observation) -> Decision:
        """What the search finds, among the candidates alone if it can be told to look at nothing else."""
        if self.coverage is None or not self.by_cases.votes or not isinstance(self.adviser, CandidateSearch):
            return self.adviser.decide(observation)
        priors = self.adviser.policy(observation)
        options = [Reason(action, weight=prior) for action, prior in priors.items()]
        kept = candidates(options, self._shares(observation), self.coverage)
        return self.adviser.decide_among(observation, {option.action: priors[option.action] for option in kept})

    def _with_priors(self, observation: Observation, searched: Decision) -> Decision:
        shares = self._shares(observation)
        valued = [reason for reason in searched.reasons if reason.value is not None] or list(searched.reasons)
        if self.coverage is not None:
            valued = candidates(valued, shares, self.coverage)
        ranked = sorted(valued, key=lambda reason: -self.merit(reason, shares.get(reason.action, 0.0)))
        if not ranked:
            return searched
        reasons = tuple(replace(reason, weight=shares.get(reason.action, 0.0)) for reason in ranked)
        return Decision(ranked[0].action, reasons, f"{searched.summary}, weighed by {self.by_cases.note}")

    def _shares(self, observation: Observation) -> dict[int, float]:
        """The votes of the cases, by the actions they are for."""
        shares: dict[int, float] = {}
        for choice, share in self.by_cases.votes:
            try:
                shares[next_step(observation, choice)] = share
            except IllegalAction:
                continue
        return shares

    def merit(self, reason: Reason, share: float) -> float:
        cases = math.log(max(share, SMALLEST_SHARE))
        policy = math.log(max(reason.policy, SMALLEST_SHARE))
        prior = self.case_share * cases + (1 - self.case_share) * policy
        return (reason.value or 0.0) + self.prior_weight * prior


def candidates(reasons: list[Reason], shares: Mapping[int, float], coverage: float) -> list[Reason]:
    """The fewest options with so large a share of the votes, and the one that the search's own policy likes best."""
    if not reasons:
        return []
    wanted, kept, total = coverage * sum(shares.get(reason.action, 0.0) for reason in reasons), set[int](), 0.0
    for reason in sorted(reasons, key=lambda reason: -shares.get(reason.action, 0.0)):
        if total >= wanted:
            break
        kept.add(reason.action)
        total += shares.get(reason.action, 0.0)
    kept.add(max(reasons, key=lambda reason: reason.policy).action)
    return [reason for reason in reasons if reason.action in kept]
