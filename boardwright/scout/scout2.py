"""SCOUT2: reasons from cases of won games; any of its modules can be given to another agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from boardwright.agents import ComparedFeature, param
from boardwright.errors import BadSpec
from boardwright.kernel import Code
from boardwright.learn.agents import NetworkAgent
from boardwright.scout.cases.files import DEFAULT
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import Reasoners, reasoners_for
from boardwright.scout.reasoners.dispatch import REST, ProblemRngs, dispatch
from boardwright.scout.reasoners.explanation import compared_features
from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase
from boardwright.scout.reasoners.settings import PRESETS, Settings
from boardwright.scout.scout_agent import OWN, PARTNER, ScoutAgent, choice_of_partner
from boardwright.scout.weighed_by_cases import WeighedByCases

NETWORK = "network"
WITHOUT_CASES = ("payment", "discard", REST)
"""Modules that such a network decides alone."""
WITH_CASES = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The decisions that cases make together with a network or a search."""


class Scout2(ScoutAgent):
    """SCOUT2: reasons from cases of won games; any of its modules can be given to another agent."""

    setting_groups: ClassVar[tuple[type, ...]] = (Settings,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS

    case_base: str = param(DEFAULT, "where the cases are: a case file, a store, or `default`")
    placement: str = param(OWN, "who places cards: `cases`, or another agent's spec")
    phase: str = param(OWN, "who chooses actions")
    payment: str = param(OWN, "who chooses cards to pay with")
    discard: str = param(OWN, "who chooses discards")
    rest: str = param(PARTNER, "who trades, consumes, gambles and produces on windfall worlds: a spec, or `cases`")
    network: str = param(
        "",
        "an agent whose policy priors count beside the votes, as netpolicy:weights=large; it also pays, discards,"
        " trades and consumes, unless others are named",
    )
    network_weight: float = param(0.7, "its share in the prior; the rest is that of the votes", ge=0, le=1)

    def prepare(self) -> None:
        super().prepare()
        self.reasoners = self.make_reasoners()
        self.rngs = ProblemRngs(self.seed)
        if self.network and not isinstance(self.partner(NETWORK, self.network), NetworkAgent):
            raise BadSpec(
                f"agent {type(self).label()!r}: network={self.network} gives no policy priors; name an agent with a"
                " network, as netpolicy:weights=large"
            )

    def make_reasoners(self) -> Reasoners:
        return reasoners_for(self.case_base, Settings.of(vars(self)))

    def spec_for(self, module: str) -> str:
        if self.network and module in WITHOUT_CASES and module not in self._given:
            return self.network
        return self.rest if module == REST else str(getattr(self, module))

    def needs(self) -> Sequence[Code]:
        code = list(super().needs())
        return [*code, *self.partner(NETWORK, self.network).needs()] if self.network else code

    def reason(self, indexed: IndexedProblem) -> Recommendation:
        by_cases = dispatch(self.reasoners, indexed, self.rngs)
        if not self.network or indexed.problem.type not in WITH_CASES or not by_cases.votes:
            return by_cases
        network = self.partner(NETWORK, self.network)
        weighed = WeighedByCases(network, by_cases, prior_weight=1.0, case_share=1.0 - self.network_weight)
        choice = choice_of_partner(weighed, indexed)
        return by_cases.choosing(choice, solution_of(indexed.problem.type, choice))

    def compare(self, indexed: IndexedProblem, case: RetrievedCase) -> tuple[ComparedFeature, ...]:
        return compared_features(self.reasoners, indexed, case)

    def source_of(self, case: RetrievedCase) -> str:
        return self.reasoners.cases.source(case.group)
