"""The hybrid that the dissertation proposes: cases propose and weigh options, a search with a value network checks.

The search says how likely each option is to win. There are two ways to use what cases say (`cases_as`):

    prior        the votes of the cases and the search's own policy are priors: an option's merit is its value plus the
                 logarithm of its prior, times a small weight; where the search sees little difference, they decide
    candidates   cases say where to look: the fewest options that have most of their votes (`coverage`), and the one
                 that the search's policy expects most, are the candidates; the search chooses among them, and looks at
                 no other if it can be told so
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from boardwright.agents import Decision, Reason, param
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Observation
from boardwright.scout.reasoners.dispatch import REST
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.scout2 import WITH_CASES, Scout2
from boardwright.scout.scout_agent import OWN, choice_of_partner
from boardwright.scout.weighed_by_cases import WeighedByCases

SEARCH = "search"
CasesAs = Literal["prior", "candidates"]


class ScoutHybrid(Scout2):
    """Cases propose and weigh options, a search with the value network checks them."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: {"search": search, "prior_weight": 0.03}
        for name, search in {
            "quick": "netsearch:turns=2,determinizations=64,weights=large",
            "small": "netsearch:turns=2,determinizations=64",
            "forty": "netsearch:turns=2,rollouts=40",
        }.items()
    }

    search: str = param(
        "netsearch:turns=2,determinizations=160,weights=large,prior_weight=0.01",
        "who looks ahead: an agent that gives a value for each option",
    )
    prior_weight: float = param(
        0.01, "how much the prior counts, in chance to win, where it is e times as strong", ge=0
    )
    cases_as: CasesAs = param(
        "prior", "what the votes of cases are: part of the prior, or the choice of candidates", advanced=True
    )
    coverage: float = param(0.95, "the share of the votes that candidates have together", gt=0, le=1, advanced=True)
    case_share: float = param(0.5, "the share of the cases in the prior; the rest is the search's policy", ge=0, le=1)
    rest: str = param(SEARCH, "who trades, consumes, gambles and produces on windfall worlds: `search`, or a spec")

    def prepare(self) -> None:
        super().prepare()
        if self.network:
            raise BadSpec("agent 'scout-hybrid': give the network to its search, as search=(netsearch:weights=large)")
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
            search = WeighedByCases(partner, by_cases, self.prior_weight, 0.0, coverage=self.coverage)
        else:
            search = WeighedByCases(partner, by_cases, self.prior_weight, self.case_share)
        choice = choice_of_partner(search, indexed)
        self._searched = search.decisions
        return Recommendation(choice, by_cases.votes, lambda: by_cases.retrieved, note=f"searched by {self.search}")

    @classmethod
    def label(cls) -> str:
        return "scout-hybrid"
