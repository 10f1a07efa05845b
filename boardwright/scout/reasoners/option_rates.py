"""Option rates: how often was an option taken where it was offered, in the nearest cases?

This goes beyond the dissertation, whose reasoners look at what was chosen only. What was turned down tells as much:
cases also count against an option, and no solution needs to be adapted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.blocks import CaseBlocks
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import NO_WINDOW, CaseIndex
from boardwright.cbr.retrieval import NO_GROUP, Neighbours, nearest
from boardwright.cbr.reuse import Selection
from boardwright.cbr.schema import WORD_BITS
from boardwright.cbr.similarity import Query
from boardwright.games.race.cards import DESIGNS
from boardwright.scout.cases.features import PASS, SCHEMA
from boardwright.scout.problems.problem import DESIGN_OF_ID
from boardwright.scout.reasoners.placement import choice_of, solutions_of
from boardwright.scout.reasoners.policy_network import PolicyPriors, offered_mask
from boardwright.scout.reasoners.recommendation import (
    IndexedProblem,
    Recommendation,
    RetrievedCase,
    retrieved_cases,
)
from boardwright.scout.reasoners.settings import Passing

PRIOR = 2.0
"""Cases of the option's usual rate added to those retrieved."""
OFFERED, TAKEN = "offered", "taken"

Rates = NDArray[np.float64]
CasesBehind = Callable[[], tuple[RetrievedCase, ...]]


@dataclass(frozen=True)
class OptionRate:
    """How often an option was taken in the nearest cases that offered it, and how often nothing was."""

    option: int
    rate: float
    passed: float
    cases: CasesBehind


class OptionRates:
    """A case index, divided by what its cases offered."""

    def __init__(self, index: CaseIndex, kind: int, k: int) -> None:
        self.index = index
        self.kind = kind
        self.k = k
        self._divide()
        self.overall = (index.case_base.membership(TAKEN).sum(0) + 0.5) / (self._offered.sum(0) + 1.0)

    def _divide(self) -> None:
        self._whole = self.index.case_base
        self._offered = self._whole.membership(OFFERED)
        self._parts: dict[int, CaseBlocks] = {}

    def cases_offering(self, option: int) -> CaseBlocks:
        if self._whole is not self.index.case_base:  # maintenance has changed it
            self._divide()
        if option not in self._parts:
            offered = self.index.case_base.subset(self._offered[:, option])
            self._parts[option] = self.index.blocks_of(offered)
        return self._parts[option]

    def rates(
        self, indexed: IndexedProblem, options: Sequence[int], *, exclude_group: int = NO_GROUP
    ) -> list[OptionRate]:
        if not options:
            return []
        query = self.index.query(indexed.features, 0, [*options], NO_WINDOW)
        found = []
        for option in options:
            offering = self.cases_offering(option)
            near, part = self.nearest(indexed, option, offering, query, exclude_group), offering.case_base
            taken = _taken(part, near, option)
            weight = len(near.positions) + PRIOR
            rate = (float(taken.sum()) + PRIOR * float(self.overall[option])) / weight
            passed = float((part.classes[near.positions] == PASS).sum()) / weight
            found.append(OptionRate(option, rate, passed, partial(self._retrieved, part, near, taken, option)))
        return found

    def nearest(
        self, indexed: IndexedProblem, option: int, part: CaseBlocks, query: Query, exclude_group: int
    ) -> Neighbours:
        """The nearest cases of those that offered the option."""
        return nearest(part, query, self.k, exclude_group=exclude_group)

    def _retrieved(
        self, part: CaseBase, near: Neighbours, taken: NDArray[np.bool_], option: int
    ) -> tuple[RetrievedCase, ...]:
        """The cases behind a rate, each with what it votes for: the option, or what was taken instead."""
        voted = [option if was else int(part.classes[at]) for was, at in zip(taken, near.positions, strict=True)]
        return retrieved_cases(part, self.kind, near, voted)


def _taken(part: CaseBase, near: Neighbours, option: int) -> NDArray[np.bool_]:
    column = SCHEMA.first_words[SCHEMA.set_position(TAKEN)] + option // WORD_BITS
    return np.asarray(part.sets[column, near.positions] >> (option % WORD_BITS) & 1, np.bool_)


@dataclass(frozen=True)
class GiveAwayRates:
    """How likely cards are given away: by how often they were where they could have been, times their policy prior."""

    rates: OptionRates
    policy_network: PolicyPriors | None = None
    case_weight: float = 1.0
    """How much the rates count beside the policy prior."""

    def find(self, indexed: IndexedProblem, exclude_group: int = NO_GROUP) -> tuple[Rates, CasesBehind]:
        """For every design: how often it is given away, by the nearest cases where it is an option, times its policy
        prior if the network has a head for that; and the nearest case of each option."""
        cards = sorted({DESIGN_OF_ID[option] for option in indexed.problem.options if isinstance(option, int)})
        given = self.rates.overall.copy()
        found = self.rates.rates(indexed, cards, exclude_group=exclude_group)
        priors = policy_priors(self.policy_network, indexed, cards)
        for option in found:
            given[option.option] = option.rate
            if priors:
                given[option.option] = option.rate**self.case_weight * priors[option.option]
        return given, lambda: tuple(case for option in found for case in option.cases()[:1])


def policy_priors(network: PolicyPriors | None, indexed: IndexedProblem, options: Sequence[int]) -> dict[int, float]:
    """How likely the policy network thinks each option, if there is one that has a head for the question."""
    kind, features = indexed.problem.type, indexed.features
    if network is None or kind not in network.kinds:
        return {}
    likely = network.probabilities(kind, features, offered_mask(features, kind))[0]
    return {option: float(likely[option]) for option in options}


class OptionRatePlacementReasoner:
    """A placement reasoner that looks at the rate of each option, times its policy prior."""

    def __init__(
        self,
        rates: dict[int, OptionRates],
        selection: Selection,
        policy_network: PolicyPriors | None = None,
        passing: Passing = "cases",
        case_weight: float = 1.0,
    ) -> None:
        self.rates = rates
        self.policy_network = policy_network
        self.case_weight = case_weight
        self.selection: Selection = selection
        self.passing: Passing = passing

    def reason(self, indexed: IndexedProblem, rng: random.Random, *, exclude_group: int = NO_GROUP) -> Recommendation:
        options = solutions_of(indexed.problem, self.passing)
        cards = [option for option in options if option != PASS]
        found = self.rates[indexed.problem.type].rates(indexed, cards, exclude_group=exclude_group)
        best = max(found, key=lambda option: option.rate)
        rates = {option.option: option.rate for option in found}
        if PASS in options:
            rates[PASS] = best.passed
        priors = policy_priors(self.policy_network, indexed, options)
        if priors:
            rates = {option: rate**self.case_weight * priors[option] for option, rate in rates.items()}
        total = sum(rates.values()) or 1.0
        ranked = sorted(rates, key=lambda option: -rates[option])
        chosen = ranked[0]
        if self.selection == "proportional":
            chosen = rng.choices(ranked, [rates[option] ** 2 + 1e-9 for option in ranked])[0]
        return Recommendation(
            choice_of(chosen),
            tuple((choice_of(option), rates[option] / total) for option in ranked),
            lambda: tuple(case for option in found for case in option.cases()),
            chosen,
            lambda: _note(priors),
        )


def _note(priors: Mapping[int, float]) -> str:
    cases = "how often each was placed, in the nearest cases where it could have been"
    if not priors:
        return cases
    first = sorted(priors, key=lambda option: -priors[option])[:3]
    names = ("nothing" if option == PASS else DESIGNS[option].name for option in first)
    summary = ", ".join(f"{name} {priors[option]:.0%}" for name, option in zip(names, first, strict=True))
    return f"{cases}, times the policy prior: {summary}"
