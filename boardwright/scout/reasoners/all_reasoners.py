"""All reasoners over one library, made once for each setting and shared by the agents of a process."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from boardwright.cbr.retrieval import ANY_GROUP
from boardwright.cbr.similarity import Matrix, combined, from_confusions
from boardwright.scout.cases.features import CLASSES, PASS
from boardwright.scout.cases.files import IMPRESSIONS, Library, load_library
from boardwright.scout.cases.profiles import Profile, load_profiles
from boardwright.scout.problems.problem import (
    TYPE_ACTION,
    TYPE_DEVELOP,
    TYPE_DISCARD,
    TYPE_PAYMENT,
    TYPE_SETTLE,
    Problem,
)
from boardwright.scout.reasoners.base import CaseBase
from boardwright.scout.reasoners.card_similarity import card_similarity
from boardwright.scout.reasoners.discard import DiscardReasoner
from boardwright.scout.reasoners.expert_rules import chosen_rules, endgame, places_last, points_of
from boardwright.scout.reasoners.negative_cases import weighed_against
from boardwright.scout.reasoners.option_rates import OfferedPlacement, Offers, likelihoods
from boardwright.scout.reasoners.payment import PaymentReasoner
from boardwright.scout.reasoners.phase import PhaseReasoner
from boardwright.scout.reasoners.placement import PlacementReasoner, choice_of, solutions_of
from boardwright.scout.reasoners.policy_network import Impressions
from boardwright.scout.reasoners.recommendation import Asked, Picking, Thought

SimilarityName = Literal["facts", "confusions", "combined"]
CONFUSIONS = "confusions"
"""Where a library keeps what its tests confused: by type, (true, taken for, how often)."""


@dataclass(frozen=True)
class Settings:
    """What can be switched in SCOUT's reasoning."""

    weights: str = "learned"
    k: int = 0
    stages: int = 2
    similarity: SimilarityName = "combined"
    picking: Picking = "best"
    hypothetical: bool = False
    generalise: bool = True
    auxiliary: bool = True
    windows: bool = True
    rules: str = "placeable+goods+producers"
    offered: bool = True
    """Judge every option by how often it was taken where it was offered."""
    impressions: bool = True
    """Use what the library has learned (impressions.py)."""
    negative: str = ""
    """A library of lost games, whose choices count against,"""
    against: float = 0.5
    """and how much: by which power of how much more often winners chose it."""

    def profile(self, kind: str) -> Profile:
        profile = load_profiles(self.weights)[kind]
        switched = profile.switched(generalise=self.generalise, auxiliary=self.auxiliary, windows=self.windows)
        return switched if not self.k or kind == "discard" else switched.with_k(self.k)


class Reasoning:
    """The reasoners over a library."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self.library = library
        self.settings = settings
        profile = settings.profile("placement")
        self.bases = {kind: CaseBase(library.memory(kind), profile) for kind in (TYPE_DEVELOP, TYPE_SETTLE)}
        matrices = {kind: similarity_matrix(library, kind, settings.similarity) for kind in self.bases}
        self.matches = PlacementReasoner(self.bases, matrices, stages=settings.stages, picking=settings.picking)
        self.placement: PlacementReasoner | OfferedPlacement = self.matches
        self.impressions = impressions_of(library) if settings.impressions else None
        actions = library.memory(TYPE_ACTION)
        self.phase = PhaseReasoner(
            CaseBase(self.impressions.seen(actions) if self.impressions else actions, settings.profile("phase")),
            self.matches,
            hypothetical=settings.hypothetical,
            rules=chosen_rules(settings.rules),
            picking=settings.picking,
            impressions=self.impressions,
        )
        discards = CaseBase(library.memory(TYPE_DISCARD), settings.profile("discard"))
        self.payment = PaymentReasoner(library.records[library.of_type(TYPE_PAYMENT)])
        self.discards = DiscardReasoner(discards, library.records[library.of_type(TYPE_DISCARD)])
        if settings.offered:
            self._judge_options(discards)
        self.endgame = endgame in chosen_rules(settings.rules)
        self.losers = (
            Reasoning(load_library(settings.negative), replace(settings, negative="")) if settings.negative else None
        )

    def choose(self, asked: Asked, chance: random.Random, *, left_out: int = ANY_GROUP) -> Thought:
        """An action, or a card to place."""
        if self.endgame and asked.problem.type != TYPE_ACTION and places_last(asked.problem):
            return most_points(asked.problem)
        reasoner = self.phase if asked.problem.type == TYPE_ACTION else self.placement
        thought = reasoner.think(asked, chance, left_out=left_out)
        if self.losers is None:
            return thought
        against = self.losers.choose(asked, chance)
        return weighed_against(
            asked.problem.type, thought, against, self.settings.against, self.settings.picking, chance
        )

    def _judge_options(self, discards: CaseBase) -> None:
        """Judge every option by itself, in all modules but the choice of actions."""
        settings, library = self.settings, self.library
        offers = {kind: Offers(base, kind, base.profile.k) for kind, base in self.bases.items()}
        self.placement = OfferedPlacement(offers, settings.picking, self.impressions)
        payments = CaseBase(library.memory(TYPE_PAYMENT), discards.profile)
        paid = Offers(payments, TYPE_PAYMENT, payments.profile.k)
        self.payment.likelihoods = lambda asked: likelihoods(paid, asked)[0]
        self.discards.offers = Offers(discards, TYPE_DISCARD, discards.profile.k)


def most_points(problem: Problem) -> Thought:
    """The card that is worth most where the game ends with this placement; cards that are worth nothing stay in the
    hand, where they break ties."""
    worth = {d: 0 if d == PASS else points_of(d, problem.me) for d in (PASS, *solutions_of(problem))}
    if problem.minimum:
        del worth[PASS]
    ranked = sorted(worth, key=lambda design: -worth[design])
    total = sum(max(0, points) for points in worth.values()) or 1
    votes = tuple((choice_of(design), max(0, worth[design]) / total) for design in ranked)
    return Thought(choice_of(ranked[0]), votes, chosen=ranked[0], note="the last placement: what is worth most points")


def impressions_of(library: Library) -> Impressions | None:
    """What the library has learned, if it has."""
    data = library.meta.get(IMPRESSIONS)
    return Impressions.from_data(data) if data else None


def confusions_of(library: Library, kind: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """(true, taken for): what the library's tests confused; zeros if it was not tested."""
    table = np.zeros((CLASSES, CLASSES), np.int64)
    for true, taken, number in library.meta.get(CONFUSIONS, {}).get(str(kind), ()):
        table[true, taken] = number
    return table


def similarity_matrix(library: Library, kind: int, name: SimilarityName) -> Matrix:
    facts = card_similarity()
    if name == "facts":
        return facts
    confusions = confusions_of(library, kind)
    confused = from_confusions(confusions)
    return confused if name == "confusions" else combined(confused, facts, confusions.sum(1))


@lru_cache(maxsize=16)
def _reasoning(library_id: int, name: str, settings: Settings) -> Reasoning:
    return Reasoning(load_library(name), settings)


def reasoning_for(name: str, settings: Settings) -> Reasoning:
    """The reasoners over a named library."""
    return _reasoning(id(load_library(name)), name, settings)
