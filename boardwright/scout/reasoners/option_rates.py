"""Judging every option by itself: how often was it taken where it was offered, in situations like this one?

This goes beyond the dissertation, whose reasoners look at what was chosen only. What was turned down tells as much:
cases become examples against, and options need no stand-ins.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.memory import WIDTH, Memory
from boardwright.cbr.retrieval import ANY_GROUP, Neighbours, nearest
from boardwright.games.race.cards import DESIGNS
from boardwright.scout.cases.features import LAYOUT, PASS
from boardwright.scout.problems.problem import DESIGN_OF_ID
from boardwright.scout.reasoners.base import CaseBase
from boardwright.scout.reasoners.placement import choice_of, solutions_of
from boardwright.scout.reasoners.policy_network import Impressions, offers_of
from boardwright.scout.reasoners.recommendation import Asked, Picking, Retrieved, Thought, retrieved

PRIOR = 2.0
"""Cases of the option's usual rate added to those retrieved."""
OFFERED, TAKEN = "offered", "taken"

Likelihood = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """An option, how often it was taken in the nearest cases that offered it, and how often nothing was."""

    option: int
    rate: float
    passed: float
    cases: Callable[[], tuple[Retrieved, ...]]


class Offers:
    """A case base, divided by what its cases offered."""

    def __init__(self, base: CaseBase, kind: int, k: int) -> None:
        self.base = base
        self.kind = kind
        self.k = k
        self._divide()
        self.overall = (base.memory.has(TAKEN).sum(0) + 0.5) / (self._offered.sum(0) + 1.0)

    def _divide(self) -> None:
        self._whole = self.base.memory
        self._offered = self._whole.has(OFFERED)
        self._parts: dict[int, Memory] = {}

    def part(self, option: int) -> Memory:
        """The cases that offered an option."""
        if self._whole is not self.base.memory:  # upkeep has changed it
            self._divide()
        if option not in self._parts:
            self._parts[option] = self.base.memory.kept(self._offered[:, option])
        return self._parts[option]

    def judge(self, asked: Asked, options: Sequence[int], *, left_out: int = ANY_GROUP) -> list[Judged]:
        if not options:
            return []
        query = self.base.query(asked.indexed, 0, [*options], widen=8)
        found = []
        for option in options:
            part = self.part(option)
            near: Neighbours = nearest(part, self.base.metric, query, self.k, left_out=left_out)
            taken = self._taken(part, near, option)
            weight = len(near.places) + PRIOR
            rate = (float(taken.sum()) + PRIOR * float(self.overall[option])) / weight
            passed = float((part.classes[near.places] == PASS).sum()) / weight
            found.append(Judged(option, rate, passed, partial(self._told, part, near, taken, option)))
        return found

    def _told(self, part: Memory, near: Neighbours, taken: NDArray[np.bool_], option: int) -> tuple[Retrieved, ...]:
        """The cases asked about an option, each with what it says: take it, or what was taken instead."""
        said = [option if was else int(part.classes[place]) for was, place in zip(taken, near.places, strict=True)]
        return retrieved(part, self.kind, near, said)

    def _taken(self, part: Memory, near: Neighbours, option: int) -> NDArray[np.bool_]:
        column = LAYOUT.first_words[LAYOUT.place(TAKEN)] + option // WIDTH
        return np.asarray(part.sets[column, near.places] >> (option % WIDTH) & 1, np.bool_)


def likelihoods(
    offers: Offers, asked: Asked, *, left_out: int = ANY_GROUP
) -> tuple[Likelihood, Callable[[], tuple[Retrieved, ...]]]:
    """For every design: how likely it is given away, judged by itself where it is an option; and the nearest case
    of each."""
    cards = sorted({DESIGN_OF_ID[option] for option in asked.problem.options if isinstance(option, int)})
    likelihood = offers.overall.copy()
    judged = offers.judge(asked, cards, left_out=left_out)
    for option in judged:
        likelihood[option.option] = option.rate
    return likelihood, lambda: tuple(case for option in judged for case in option.cases()[:1])


class OfferedPlacement:
    """A placement reasoner that judges every card by itself."""

    def __init__(self, offers: dict[int, Offers], picking: Picking, impressions: Impressions | None = None) -> None:
        self.offers = offers
        self.impressions = impressions
        self.picking: Picking = picking

    def think(self, asked: Asked, chance: random.Random, *, left_out: int = ANY_GROUP) -> Thought:
        options = solutions_of(asked.problem)
        cards = [option for option in options if option != PASS]
        judged = self.offers[asked.problem.type].judge(asked, cards, left_out=left_out)
        best = max(judged, key=lambda option: option.rate)
        rates = {option.option: option.rate for option in judged}
        if PASS in options:
            rates[PASS] = best.passed
        likely = self._first_impressions(asked, options)
        rates = {option: rate * likely.get(option, 1.0) for option, rate in rates.items()}
        total = sum(rates.values()) or 1.0
        ranked = sorted(rates, key=lambda option: -rates[option])
        chosen = ranked[0]
        if self.picking == "proportional":
            chosen = chance.choices(ranked, [rates[option] ** 2 + 1e-9 for option in ranked])[0]
        return Thought(
            choice_of(chosen),
            tuple((choice_of(option), rates[option] / total) for option in ranked),
            lambda: tuple(case for option in judged for case in option.cases()),
            chosen,
            lambda: _note(likely),
        )

    def _first_impressions(self, asked: Asked, options: Sequence[int]) -> dict[int, float]:
        """How much the situation seems to call for each option, if the library has learned that."""
        if self.impressions is None:
            return {}
        likely = self.impressions.likelihoods(asked.problem.type, asked.indexed, offers_of(asked.indexed))[0]
        return {option: float(likely[option]) for option in options}


def _note(likely: Mapping[int, float]) -> str:
    cases = "how often each was placed, in the nearest cases where it could have been"
    if not likely:
        return cases
    first = sorted(likely, key=lambda option: -likely[option])[:3]
    names = ("nothing" if option == PASS else DESIGNS[option].name for option in first)
    summary = ", ".join(f"{name} {likely[option]:.0%}" for name, option in zip(names, first, strict=True))
    return f"{cases}, times how much the situation seems to call for it: {summary}"
