"""The reasoner for the rest: goods to trade and to consume, consume powers, hand cards for points, gambles, windfalls.

The dissertation left these to its opponent's program. Here every option is judged as in option_rates.py: how often was
it taken where it was offered, in the nearest cases? Cases about the same card, whose power asks, come first. The
options taken most often are chosen, as many as the question demands; where it demands none, those mostly taken. A case
base that has no case of a question, as that of a pupil's first games, answers it with what comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.blocks import CaseBlocks
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import NO_WINDOW, CaseIndex, IndexProfile
from boardwright.cbr.retrieval import NO_GROUP, Neighbours, nearest
from boardwright.scout.cases.collection import CaseCollection
from boardwright.scout.cases.features import PASS
from boardwright.scout.cases.representation import NO_DESIGN, option_column, option_columns
from boardwright.scout.problems import problem as problems
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase, retrieved_cases

REST_TYPES = (
    problems.TYPE_TRADE,
    problems.TYPE_POWER,
    problems.TYPE_HAND,
    problems.TYPE_GOODS,
    problems.TYPE_GAMBLE,
    problems.TYPE_WINDFALL,
)
PRIOR = 2.0
"""Cases of the option's usual rate added to those retrieved."""
MOSTLY = 0.5
ENOUGH = 20
"""So many cases about the same card are enough to look at no others."""
CASES_SHOWN = 7

Mask = NDArray[np.bool_]


class OfferedOptions:
    """The cases of one type: which options each has offered, and which were taken."""

    def __init__(self, cases: CaseCollection, kind: int, profile: IndexProfile) -> None:
        positions = cases.positions_of(kind)
        records = cases.records[positions]
        self.index = CaseIndex(cases.case_base(kind), profile)
        self.offered = option_columns(kind, records["options"])
        self.taken = option_columns(kind, records["choice"])
        self.subjects = np.asarray(records["subject"])
        self.overall = (self.taken.sum(0) + 0.5) / (self.offered.sum(0) + 1.0)
        self._parts: dict[tuple[int, int], tuple[CaseBlocks, Mask]] = {}

    def __len__(self) -> int:
        return len(self.subjects)

    def offering(self, option: int, subject: int) -> tuple[CaseBlocks, Mask]:
        """The cases that offered an option, about the same card if there are enough; and whether it was taken."""
        if (option, subject) not in self._parts:
            offered = self.offered[:, option]
            same = offered & (self.subjects == subject)
            chosen = np.flatnonzero(same if same.sum() >= ENOUGH else offered)
            part = self.index.blocks_of(self.index.case_base.subset(chosen))
            self._parts[option, subject] = part, self.taken[chosen, option]
        return self._parts[option, subject]


class JudgedOption(NamedTuple):
    """How often an option was taken in the nearest cases that offered it, and how often nothing was."""

    rate: float
    passed: float
    part: CaseBase
    near: Neighbours

    def cases(self, kind: int) -> tuple[RetrievedCase, ...]:
        return retrieved_cases(self.part, kind, self.near, [PASS] * len(self.near.positions))


class RestReasoner:
    """Answers every question that no other reasoner answers."""

    def __init__(self, cases: CaseCollection, profile: IndexProfile) -> None:
        self.types = {kind: OfferedOptions(cases, kind, profile) for kind in REST_TYPES}

    def reason(self, indexed: IndexedProblem, *, exclude_group: int = NO_GROUP) -> Recommendation:
        problem = indexed.problem
        known = self.types[problem.type]
        if not len(known):
            number = max(problem.minimum, min(1, problem.maximum))
            return Recommendation(problem.options[:number], note="there is no case of this question: what comes first")
        found = self._rates(known, indexed, exclude_group)
        ranked = sorted(problem.options, key=lambda option: (-found[option].rate, problem.options.index(option)))

        def cases() -> tuple[RetrievedCase, ...]:
            near = [case for judged in found.values() for case in judged.cases(problem.type)]
            return tuple(sorted(near, key=lambda case: case.distance)[:CASES_SHOWN])

        return Recommendation(
            tuple(ranked[: _how_many(problem, [found[option] for option in ranked])]),
            tuple(((option,), found[option].rate) for option in dict.fromkeys(ranked)),
            cases,
            note=f"how often taken where it was offered, by the nearest of {len(known):,} cases",
        )

    def _rates(
        self, known: OfferedOptions, indexed: IndexedProblem, exclude_group: int
    ) -> dict[problems.Option, JudgedOption]:
        problem, index, found = indexed.problem, known.index, dict[problems.Option, JudgedOption]()
        subject = NO_DESIGN if problem.subject == problems.NO_SUBJECT else problems.DESIGN_OF_ID[problem.subject]
        query = index.query(indexed.features, 0, _classes(problem), NO_WINDOW)
        for option in dict.fromkeys(problem.options):
            column = option_column(problem.type, option)
            blocks, taken = known.offering(column, subject)
            near, part = nearest(blocks, query, index.profile.k, exclude_group=exclude_group), blocks.case_base
            weight = len(near.positions) + PRIOR
            rate = (float(taken[near.positions].sum()) + PRIOR * float(known.overall[column])) / weight
            passed = float((part.classes[near.positions] == PASS).sum()) / weight
            found[option] = JudgedOption(rate, passed, part, near)
        return found


def _how_many(problem: problems.Problem, ranked: list[JudgedOption]) -> int:
    """As many as are demanded. Where less will do: one if it was taken more often than nothing was; and of several,
    those that were mostly taken."""
    if problem.minimum == problem.maximum:
        return problem.minimum
    if problem.maximum == 1:
        return int(ranked[0].rate >= ranked[0].passed)
    mostly = sum(judged.rate > MOSTLY for judged in ranked)
    return min(problem.maximum, max(problem.minimum, mostly))


def _classes(problem: problems.Problem) -> Sequence[int]:
    """The classes that weights of cards are taken for."""
    if problem.type in (problems.TYPE_POWER, problems.TYPE_GAMBLE):
        return [PASS]
    return sorted({problems.DESIGN_OF_ID[option] for option in problem.options if isinstance(option, int)})
