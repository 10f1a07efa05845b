"""SCOUT1: the tableaux that winners ended with are its cases. It places cards; everything else is a partner's."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Literal

import numpy as np

from boardwright.agents import param
from boardwright.cbr.ordered_sets import OrderedSetMatch, OrderedSets
from boardwright.cbr.reuse import select, vote_shares
from boardwright.cbr.store import BadCaseBase
from boardwright.games.race.cards import DESIGN_COUNT
from boardwright.scout.cases.collection import END, CaseCollection
from boardwright.scout.cases.features import PASS
from boardwright.scout.cases.files import DEFAULT, load_cases
from boardwright.scout.cases.representation import Records
from boardwright.scout.problems.problem import DESIGN_OF_ID
from boardwright.scout.reasoners.dispatch import ProblemRngs
from boardwright.scout.reasoners.placement import choice_of, solutions_of
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase
from boardwright.scout.scout_agent import OWN, PARTNER, ScoutAgent


def tableaux_of(records: Records) -> OrderedSets:
    """The tableaux of end cases, with the position of every card."""
    positions = np.zeros((len(records), DESIGN_COUNT), np.uint8)
    sides = records["me"]
    for place in range(sides["tableau"].shape[1]):
        there = np.flatnonzero(sides["size"] > place)
        positions[there, sides["tableau"][there, place]] = place + 1
    return OrderedSets(positions)


@lru_cache(maxsize=8)
def _tableaux(collection_id: int, name: str) -> tuple[CaseCollection, OrderedSets]:
    cases = load_cases(name)
    ends = cases.subset(cases.positions_of(END))
    if not len(ends):
        raise BadCaseBase(f"the case base {name} has no tableaux of finished games, which scout1 needs")
    return ends, tableaux_of(ends.records)


class Scout1(ScoutAgent):
    """SCOUT1: places what makes its tableau more like those of winners; a partner plays the rest."""

    case_base: str = param(DEFAULT, "where the cases are: a case file, a store, or `default`")
    partner_agent: str = param(PARTNER, "who decides everything but placements: an agent's spec")
    retrieval: Literal["set", "position", "absolute"] = param(
        "position", "compare sets of cards (6.1); positions too, as (6.3) is printed; or with absolute differences"
    )
    k: int = param(10, "cases to retrieve", ge=1, le=1000)
    w1: float = param(1.0, "weight of the sets' difference in (6.3)", ge=0)
    w2: float = param(1.0, "weight of the position in (6.3)", ge=0)

    def prepare(self) -> None:
        super().prepare()
        self.cases, self.tableaux = _tableaux(id(load_cases(self.case_base)), self.case_base)
        self.rngs = ProblemRngs(self.seed)

    def spec_for(self, module: str) -> str:
        return OWN if module == "placement" else self.partner_agent

    def reason(self, indexed: IndexedProblem) -> Recommendation:
        have = [DESIGN_OF_ID[card] for card in indexed.problem.me.tableau]
        options = [solution for solution in solutions_of(indexed.problem) if solution != PASS]
        rng = self.rngs.rng_for(indexed)
        if self.retrieval == "set":
            found = self.tableaux.nearest_by_set(have, options, self.k, rng)
        else:
            signed = self.retrieval == "position"
            found = self.tableaux.nearest_by_position(
                have, options, self.k, rng, set_weight=self.w1, position_weight=self.w2, signed=signed
            )
        if not found:
            return Recommendation((), note="no winner's tableau has any of these cards")
        votes = Counter(match.element for match in found)
        chosen = select(votes, "proportional", rng)
        return Recommendation(
            choice_of(chosen),
            tuple((choice_of(solution), share) for solution, share in vote_shares(votes)),
            lambda: tuple(self._retrieved(indexed, match) for match in found),
            chosen,
            f"cards of {len(found)} winners' tableaux",
        )

    def _retrieved(self, indexed: IndexedProblem, match: OrderedSetMatch) -> RetrievedCase:
        return RetrievedCase(
            indexed.problem.type,
            int(self.cases.ids[match.case]),
            int(self.cases.groups[match.case]),
            int(self.cases.records["round"][match.case]),
            match.distance,
            match.element,
            match.element,
        )
