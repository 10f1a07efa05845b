"""The hybrid that the dissertation proposes: cases propose and weigh options, a search with a value network checks.

The search says how likely each option is to win. There are two ways to use what cases say (`cases_as`):

    prior        the votes of the cases and the search's own policy are priors: an option's merit is its value plus the
                 logarithm of its prior, times a small weight; where the search sees little difference, they decide
    candidates   cases say where to look: the fewest options that have most of their votes (`coverage`), and the one
                 that the search's policy expects most, are the candidates; the search chooses among them, and looks at
                 no other if it can be told so
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal, Protocol, runtime_checkable

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import IllegalAction
from boardwright.kernel import Code, Observation
from boardwright.scout.problems.answering import answer
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.problems.steps import next_step
from boardwright.scout.reasoners.dispatch import REST
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.scout2 import Scout2
from boardwright.scout.scout_agent import OWN

WITH_CASES = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The decisions that cases and search make together; all others are the search's."""
SMALLEST_SHARE = 0.02
"""Options without a vote are not ruled out."""
SEARCH = "search"
CasesAs = Literal["prior", "candidates"]


@runtime_checkable
class CandidateSearch(Protocol):
    """A search that can be told what to look at, as `netsearch` can."""

    def policy(self, observation: Observation) -> dict[int, float]:
        """Its policy prior of every legal action."""

    def decide_among(self, observation: Observation, priors: Mapping[int, float]) -> Decision:
        """Search these actions alone, with these priors."""


class ScoutHybrid(Scout2):
    """Cases propose and weigh options, a search with the value network checks them."""

    search: str = param(
        "netsearch:turns=2,determinizations=64", "who looks ahead: an agent that gives a value for each option"
    )
    prior_weight: float = param(
        0.03, "how much the prior counts, in chance to win, where it is e times as strong", ge=0
    )
    cases_as: CasesAs = param("prior", "what the votes of cases are: part of the prior, or the choice of candidates")
    coverage: float = param(0.95, "the share of the votes that candidates have together", gt=0, le=1)
    case_share: float = param(0.5, "the share of the cases in the prior; the rest is the search's policy", ge=0, le=1)
    rest: str = param(SEARCH, "who trades, consumes, gambles and produces on windfall worlds: `search`, or a spec")

    renamed: ClassVar[Mapping[str, str]] = {
        **Scout2.renamed,
        "trust": "prior_weight",
        "experience": "case_share",
    }

    def prepare(self) -> None:
        super().prepare()
        self._searched: dict[int, Decision] = {}

    def spec_for(self, module: str) -> str:
        return OWN if module == REST and self.rest == SEARCH else super().spec_for(module)

    def needs(self) -> list[Code]:
        return [*super().needs(), *self.partner(SEARCH, self.search).needs()]

    def check_seats(self, seats: int) -> None:
        super().check_seats(seats)
        self.partner(SEARCH, self.search).check_seats(seats)

    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        searched = self._searched.get(decision.action)
        if searched is None:
            return decision

        def reasons() -> tuple[Reason, ...]:
            cases = {reason.action: reason.note for reason in decision.reasons}
            return tuple(replace(reason, note=cases.get(reason.action, "")) for reason in searched.reasons)

        return Decision(decision.action, reasons, searched.summary, lambda: decision.cases)

    def reason(self, indexed: IndexedProblem) -> Recommendation:
        problem = indexed.problem
        with_cases = problem.type in WITH_CASES and bool(problem.options)
        by_cases = super().reason(indexed) if with_cases else Recommendation(())
        partner = self.partner(SEARCH, self.search)
        if self.cases_as == "candidates":
            search = SearchWithPriors(partner, by_cases, self.prior_weight, 0.0, coverage=self.coverage)
        else:
            search = SearchWithPriors(partner, by_cases, self.prior_weight, self.case_share)
        choice = answer(search, problem)
        self._searched = search.decisions
        return Recommendation(choice, by_cases.votes, lambda: by_cases.retrieved, note=f"searched by {self.search}")

    @classmethod
    def label(cls) -> str:
        return "scout-hybrid"


class SearchWithPriors(Agent):
    """A search whose values are corrected by priors, and its decisions at every step of a problem. With `coverage` it
    chooses among the candidates of the cases only."""

    def __init__(
        self,
        search: Agent,
        by_cases: Recommendation,
        prior_weight: float,
        case_share: float,
        coverage: float | None = None,
    ) -> None:
        super().__init__(search.game, search.seat)
        self.search, self.by_cases = search, by_cases
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
        if self.coverage is None or not self.by_cases.votes or not isinstance(self.search, CandidateSearch):
            return self.search.decide(observation)
        priors = self.search.policy(observation)
        options = [Reason(action, weight=prior) for action, prior in priors.items()]
        kept = candidates(options, self._shares(observation), self.coverage)
        return self.search.decide_among(observation, {option.action: priors[option.action] for option in kept})

    def _with_priors(self, observation: Observation, searched: Decision) -> Decision:
        shares = self._shares(observation)
        valued = [reason for reason in searched.reasons if reason.value is not None]
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
        policy = math.log(max(reason.weight or 0.0, SMALLEST_SHARE))
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
    kept.add(max(reasons, key=lambda reason: reason.weight or 0.0).action)
    return [reason for reason in reasons if reason.action in kept]
