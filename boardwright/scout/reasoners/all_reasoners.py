"""All reasoners over one collection of cases, made once for each setting and shared by the agents of a process."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import NO_GROUP
from boardwright.cbr.reuse import Matrix, combined, from_confusions
from boardwright.errors import BadSpec
from boardwright.scout.cases.collection import CONFUSIONS, POLICY_NETWORK, CaseCollection
from boardwright.scout.cases.features import CLASSES, PASS
from boardwright.scout.cases.files import load_cases
from boardwright.scout.problems import problem as problems
from boardwright.scout.reasoners.card_similarity import card_similarity
from boardwright.scout.reasoners.discard import DiscardReasoner
from boardwright.scout.reasoners.discriminants import learn_discriminants
from boardwright.scout.reasoners.expert_rules import chosen_rules, endgame, places_last, points_of
from boardwright.scout.reasoners.learned_space import LearnedActions, LearnedOptionRates
from boardwright.scout.reasoners.negative_cases import corrected_by_negative_cases
from boardwright.scout.reasoners.option_rates import GiveAwayRates, OptionRatePlacementReasoner, OptionRates
from boardwright.scout.reasoners.payment import PaymentReasoner
from boardwright.scout.reasoners.phase import PhaseReasoner
from boardwright.scout.reasoners.placement import PlacementReasoner, choice_of, solutions_of
from boardwright.scout.reasoners.policy_network import PolicyNetwork, PolicyPriors
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.reasoners.rest import RestReasoner
from boardwright.scout.reasoners.settings import Settings, SimilarityName


class Reasoners:
    """The reasoners over a collection of cases, composed as the settings say."""

    def __init__(self, cases: CaseCollection, settings: Settings) -> None:
        cases = cases.first_games(settings.first_games) if settings.first_games else cases
        self.cases, self.settings = cases, settings
        learned_space = settings.space == "learned"
        self.policy_network = None if learned_space else priors_of(cases, settings)
        """The network, or the discriminants, that decide together with the cases."""
        space = _needed(policy_network_of(cases)) if learned_space else None
        placements = self._indexes("placement", problems.TYPE_DEVELOP, problems.TYPE_SETTLE)
        self.adapting = PlacementReasoner(
            placements,
            {kind: similarity_matrix(cases, kind, settings.similarity) for kind in placements},
            stages=settings.stages,
            selection=settings.selection,
            passing=settings.passing,
            class_weights=settings.class_weights,
        )
        self.placement = self._placement(placements, space) if settings.option_rates else self.adapting
        self.phase = self._phase(space)
        self.indexes = {problems.TYPE_ACTION: self.phase.index, **placements}
        """By type: the indexes whose case bases are maintained."""
        given = self._indexes("discard", problems.TYPE_PAYMENT, problems.TYPE_DISCARD)
        rates = {kind: self._give_away_rates(kind, index) for kind, index in given.items()}
        subjects = cases.records["subject"][cases.positions_of(problems.TYPE_PAYMENT)]
        self.payment = PaymentReasoner(given[problems.TYPE_PAYMENT].case_base, subjects, rates[problems.TYPE_PAYMENT])
        self.discard = DiscardReasoner(given[problems.TYPE_DISCARD], rates[problems.TYPE_DISCARD])
        self.endgame = endgame in chosen_rules(settings.rules)
        self.negative = (
            Reasoners(load_cases(settings.negative_cases), replace(settings, negative_cases=""))
            if settings.negative_cases
            else None
        )

    @cached_property
    def rest(self) -> RestReasoner:
        """Made when it is needed: most agents leave the rest to a partner."""
        return RestReasoner(self.cases, self.settings.profile("rest"))

    def _indexes(self, profile: str, *kinds: int) -> dict[int, CaseIndex]:
        return {kind: CaseIndex(self.cases.case_base(kind), self.settings.profile(profile)) for kind in kinds}

    def _placement(
        self, placements: dict[int, CaseIndex], space: PolicyNetwork | None
    ) -> OptionRatePlacementReasoner | PlacementReasoner:
        """Every option is judged where it was offered."""
        settings = self.settings
        rates = {
            kind: OptionRates(index, kind, index.profile.k)
            if space is None
            else LearnedOptionRates(space, index, kind, index.profile.k)
            for kind, index in placements.items()
        }
        return OptionRatePlacementReasoner(
            rates, settings.selection, self.policy_network, settings.passing, settings.case_weight
        )

    def _phase(self, space: PolicyNetwork | None) -> PhaseReasoner:
        settings, actions = self.settings, self.cases.case_base(problems.TYPE_ACTION)
        if self.policy_network is not None:
            actions = self.policy_network.with_policy_features(actions)
        index = CaseIndex(actions, settings.profile("phase"))
        return PhaseReasoner(
            index,
            self.adapting,
            hypothetical=settings.hypothetical,
            rules=chosen_rules(settings.rules),
            selection=settings.selection,
            policy_network=self.policy_network,
            case_weight=settings.case_weight,
            learned=LearnedActions(space, index) if space is not None else None,
        )

    def _give_away_rates(self, kind: int, index: CaseIndex) -> GiveAwayRates | None:
        if not self.settings.option_rates:
            return None
        rates = OptionRates(index, kind, index.profile.k)
        return GiveAwayRates(rates, self.policy_network, self.settings.case_weight)

    def reason(self, indexed: IndexedProblem, rng: random.Random, *, exclude_group: int = NO_GROUP) -> Recommendation:
        """An action, or a card to place."""
        kind = indexed.problem.type
        if self.endgame and kind != problems.TYPE_ACTION and places_last(indexed.problem):
            return most_points(indexed.problem)
        reasoner = self.phase if kind == problems.TYPE_ACTION else self.placement
        recommendation = reasoner.reason(indexed, rng, exclude_group=exclude_group)
        if self.negative is None:
            return recommendation
        return corrected_by_negative_cases(
            kind,
            recommendation,
            self.negative.reason(indexed, rng),
            self.settings.negative_weight,
            self.settings.selection,
            rng,
        )


def most_points(problem: problems.Problem) -> Recommendation:
    """The card that is worth most where the game ends with this placement; cards that are worth nothing stay in the
    hand, where they break ties."""
    worth = {d: 0 if d == PASS else points_of(d, problem.me) for d in (PASS, *solutions_of(problem))}
    if problem.minimum:
        del worth[PASS]
    ranked = sorted(worth, key=lambda design: -worth[design])
    total = sum(max(0, points) for points in worth.values()) or 1
    votes = tuple((choice_of(design), max(0, worth[design]) / total) for design in ranked)
    return Recommendation(
        choice_of(ranked[0]), votes, chosen=ranked[0], note="the last placement: what is worth most points"
    )


def priors_of(cases: CaseCollection, settings: Settings) -> PolicyPriors | None:
    """What weighs options beside the cases, if anything does."""
    if settings.discriminants:
        return learn_discriminants(cases)
    return policy_network_of(cases) if settings.policy_network else None


def policy_network_of(cases: CaseCollection) -> PolicyNetwork | None:
    """The network that was trained on the cases, if any."""
    data = cases.meta.get(POLICY_NETWORK)
    return PolicyNetwork.from_data(data) if data else None


def _needed(network: PolicyNetwork | None) -> PolicyNetwork:
    if network is None:
        raise BadSpec("space=learned needs a case base with a policy network; `cases build` trains one")
    return network


def confusions_of(cases: CaseCollection, kind: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """(true, predicted): what leave-one-out tests of the cases confused; zeros if there were none."""
    table = np.zeros((CLASSES, CLASSES), np.int64)
    for true, predicted, number in cases.meta.get(CONFUSIONS, {}).get(str(kind), ()):
        table[true, predicted] = number
    return table


def similarity_matrix(cases: CaseCollection, kind: int, name: SimilarityName) -> Matrix:
    facts = card_similarity()
    if name == "facts":
        return facts
    confusions = confusions_of(cases, kind)
    confused = from_confusions(confusions)
    return confused if name == "confusions" else combined(confused, facts, confusions.sum(1))


@lru_cache(maxsize=16)
def _reasoners(collection_id: int, name: str, settings: Settings) -> Reasoners:
    return Reasoners(load_cases(name), settings)


def reasoners_for(name: str, settings: Settings) -> Reasoners:
    """The reasoners over a named case base."""
    return _reasoners(id(load_cases(name)), name, settings)
