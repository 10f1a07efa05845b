"""SCOUT2: reasons from cases of won games; any of its modules can be given to another agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from boardwright.agents import ComparedFeature, param
from boardwright.cbr.reuse import Selection
from boardwright.errors import BadSpec
from boardwright.kernel import Code
from boardwright.learn.agents import NetworkAgent
from boardwright.scout.cases.files import DEFAULT
from boardwright.scout.problems.answering import answer
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import Reasoners, reasoners_for
from boardwright.scout.reasoners.dispatch import REST, ProblemRngs, dispatch
from boardwright.scout.reasoners.explanation import compared_features
from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase
from boardwright.scout.reasoners.settings import ClassWeights, Passing, Settings, SimilarityName, Space
from boardwright.scout.scout_agent import OWN, PARTNER, ScoutAgent
from boardwright.scout.weighed_by_cases import WeighedByCases

NETWORK = "network"
WITHOUT_CASES = ("payment", "discard", REST)
"""Modules that such a network decides alone."""
WITH_CASES = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The decisions that cases make together with a network or a search."""


class Scout2(ScoutAgent):
    """SCOUT2: reasons from cases of won games; any of its modules can be given to another agent."""

    case_base: str = param(DEFAULT, "where the cases are: a case file, a store, or `default`")
    first_games: int = param(0, "reason from the cases of its first so many games; 0: of all", ge=0)
    placement: str = param(OWN, "who places cards: `cases`, or another agent's spec")
    phase: str = param(OWN, "who chooses actions")
    payment: str = param(OWN, "who chooses cards to pay with")
    discard: str = param(OWN, "who chooses discards")
    rest: str = param(PARTNER, "who trades, consumes, gambles and produces on windfall worlds: a spec, or `cases`")
    weights: str = param("learned", "feature weights: a profile of the package, or a .json file")
    k: int = param(0, "cases to retrieve; 0: as the profile says", ge=0, le=200)
    stages: int = param(2, "1: only cases whose card is at hand; 2: the most similar card at hand instead", ge=1, le=2)
    similarity: SimilarityName = param("combined", "what makes cards similar: facts, confusions, or both combined")
    selection: Selection = param("best", "how one of the solutions is selected: most votes, or a draw in proportion")
    passing: Passing = param("cases", "when nothing is placed: as in the cases, or never if a card can be placed")
    class_weights: ClassWeights = param(
        "problem", "weights of cards in adaptation: for the classes a problem may belong to (6.5), or each case's own"
    )
    space: Space = param("features", "where cases are near: by features, or in the policy network's space")
    hypothetical: bool = param(False, "ask what would be placed, to tell Develop from Settle")
    generalise: bool = param(True, "compare groups of cards, not single cards, when choosing actions")
    auxiliary: bool = param(True, "use derived features when choosing actions")
    windows: bool = param(True, "compare only cases of the same stage of the game when choosing actions")
    option_rates: bool = param(True, "judge every option by how often it was taken where it was offered")
    policy_network: bool = param(True, "use the policy network that was trained on the case base")
    case_weight: float = param(1.0, "how much cases count beside the policy network; 0: not at all", ge=0, le=1)
    network: str = param(
        "",
        "an agent whose policy priors count beside the votes, as netpolicy:weights=large; it also pays, discards,"
        " trades and consumes, unless others are named",
    )
    network_weight: float = param(0.7, "its share in the prior; the rest is that of the votes", ge=0, le=1)
    negative_cases: str = param("", "a case base of lost games (`cases build --losers`), which count against options")
    negative_weight: float = param(0.5, "how much they do", ge=0, le=4)
    rules: str = param("placeable+goods+producers", "expert rules beside the cases: names joined by +, or none")

    renamed: ClassVar[Mapping[str, str]] = {
        "library": "case_base",
        "choice": "selection",
        "offered": "option_rates",
        "impressions": "policy_network",
        "negative": "negative_cases",
        "against": "negative_weight",
    }

    def prepare(self) -> None:
        super().prepare()
        self.reasoners = self.make_reasoners()
        self.rngs = ProblemRngs(self.seed)
        if self.network and not isinstance(self.partner(NETWORK, self.network), NetworkAgent):
            raise BadSpec(
                f"agent {type(self).label()!r}: network={self.network} gives no policy priors; name an agent with a"
                " network, as netpolicy:weights=large"
            )
        if self.rest == OWN and self.reasoners.rest.missing:
            raise BadSpec(
                f"agent {type(self).label()!r}: rest={OWN}: {self.case_base} has no cases of some questions; build it"
                " with `cases build --types all`, or name an agent"
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
        choice = answer(weighed, indexed.problem)
        return by_cases.choosing(choice, solution_of(indexed.problem.type, choice))

    def compare(self, indexed: IndexedProblem, case: RetrievedCase) -> tuple[ComparedFeature, ...]:
        return compared_features(self.reasoners, indexed, case)

    def source_of(self, case: RetrievedCase) -> str:
        return self.reasoners.cases.source(case.group)
