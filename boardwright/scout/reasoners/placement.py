"""The placement reasoner: which card to place, or none.

1-stage adaptation retrieves only cases whose solution can be used as it is. 2-stage adaptation retrieves any case and
replaces its card by the most similar one at hand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from boardwright.cbr.case_class_weights import nearest_by_case_class
from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import ALL_CLASSES, NO_GROUP, class_mask
from boardwright.cbr.reuse import Matrix, Selection, most_similar, select, vote_shares
from boardwright.scout.cases.features import PASS
from boardwright.scout.problems import problem as problems
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase, retrieved_cases
from boardwright.scout.reasoners.settings import ClassWeights, Passing


def solutions_of(problem: problems.Problem, passing: Passing = "cases") -> list[int]:
    """The classes a placement problem may belong to."""
    cards = sorted({problems.DESIGN_OF_ID[option] for option in problem.options if isinstance(option, int)})
    return [*cards, PASS] if problem.minimum == 0 and passing == "cases" else cards


def choice_of(solution: int) -> problems.Choice:
    return () if solution == PASS else (problems.ID_OF_DESIGN[solution],)


def solution_of(kind: int, choice: problems.Choice) -> int:
    """The class of a choice: an action's code, a card's design, or PASS."""
    if not choice:
        return PASS
    first = choice[0]
    assert isinstance(first, int)
    return first if kind == problems.TYPE_ACTION else problems.DESIGN_OF_ID[first]


_CARDS = class_mask(range(PASS))


class PlacementReasoner:
    def __init__(
        self,
        indexes: Mapping[int, CaseIndex],
        matrices: Mapping[int, Matrix],
        *,
        stages: int = 2,
        selection: Selection = "proportional",
        passing: Passing = "cases",
        class_weights: ClassWeights = "problem",
    ) -> None:
        self.indexes = indexes
        self.matrices = matrices
        self.stages = stages
        self.selection: Selection = selection
        self.class_weights: ClassWeights = class_weights
        self.passing: Passing = passing
        """The dissertation has a class for each card, and none for placing nothing: `never`."""

    def retrieve(self, indexed: IndexedProblem, *, exclude_group: int = NO_GROUP) -> tuple[RetrievedCase, ...]:
        """The nearest cases, each with its solution adapted to the options."""
        kind = indexed.problem.type
        index, options = self.indexes[kind], solutions_of(indexed.problem, self.passing)
        allowed = class_mask(options) if self.stages == 1 else _CARDS if self.passing == "never" else ALL_CLASSES
        if self.class_weights == "case":
            found = nearest_by_case_class(index, indexed.features, allowed=allowed, exclude_group=exclude_group)
        else:
            found = index.retrieve(indexed.features, options, allowed=allowed, exclude_group=exclude_group)
        solutions = index.case_base.classes[found.positions].tolist()
        adapted = [most_similar(self.matrices[kind], solution, options) for solution in solutions]
        return retrieved_cases(index.case_base, kind, found, adapted)

    def reason(self, indexed: IndexedProblem, rng: random.Random, *, exclude_group: int = NO_GROUP) -> Recommendation:
        found = self.retrieve(indexed, exclude_group=exclude_group)
        votes = Counter(case.adapted for case in found)
        if not votes:
            fallback = solutions_of(indexed.problem, self.passing)[0]
            return Recommendation(choice_of(fallback), note="no case was found: the first option")
        chosen = select(votes, self.selection, rng)
        return Recommendation(
            choice_of(chosen),
            tuple((choice_of(solution), share) for solution, share in vote_shares(votes)),
            lambda: found,
            chosen,
            f"{self.stages}-stage adaptation of {len(found)} cases",
        )
