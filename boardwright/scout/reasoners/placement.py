"""The placement reasoner: which card to place, or none.

1-stage adaptation retrieves only cases whose solution can be used as it is. 2-stage adaptation retrieves any case and
replaces its card by the most similar one at hand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from boardwright.cbr.retrieval import ALL_CLASSES, ANY_GROUP, Neighbours
from boardwright.cbr.similarity import Matrix, most_alike
from boardwright.scout.cases.features import PASS
from boardwright.scout.problems.problem import (
    DESIGN_OF_ID,
    ID_OF_DESIGN,
    TYPE_ACTION,
    TYPE_DEVELOP,
    TYPE_SETTLE,
    Choice,
    Problem,
)
from boardwright.scout.reasoners.base import CaseBase, only
from boardwright.scout.reasoners.recommendation import Asked, Picking, Retrieved, Thought, pick, retrieved, shares

TYPES = (TYPE_DEVELOP, TYPE_SETTLE)


def solutions_of(problem: Problem) -> list[int]:
    """The classes a placement problem may belong to."""
    cards = sorted({DESIGN_OF_ID[option] for option in problem.options if isinstance(option, int)})
    return [*cards, PASS] if problem.minimum == 0 else cards


def choice_of(solution: int) -> Choice:
    return () if solution == PASS else (ID_OF_DESIGN[solution],)


def solution_of(kind: int, choice: Choice) -> int:
    """The class of a choice: an action's code, a card's design, or PASS."""
    if not choice:
        return PASS
    first = choice[0]
    assert isinstance(first, int)
    return first if kind == TYPE_ACTION else DESIGN_OF_ID[first]


class PlacementReasoner:
    def __init__(
        self,
        bases: Mapping[int, CaseBase],
        matrices: Mapping[int, Matrix],
        *,
        stages: int = 2,
        picking: Picking = "proportional",
    ) -> None:
        self.bases = bases
        self.matrices = matrices
        self.stages = stages
        self.picking: Picking = picking

    def matches(
        self, asked: Asked, *, case: int = 0, left_out: int = ANY_GROUP, solutions: Sequence[int] | None = None
    ) -> tuple[Retrieved, ...]:
        """The nearest cases, each with the solution it stands for here."""
        kind = asked.problem.type
        base, options = self.bases[kind], solutions or solutions_of(asked.problem)
        allowed = only(options) if self.stages == 1 else ALL_CLASSES
        found: Neighbours = base.retrieve(asked.indexed, options, case=case, allowed=allowed, left_out=left_out)
        adapted = [most_alike(self.matrices[kind], int(base.memory.classes[place]), options) for place in found.places]
        return retrieved(base.memory, kind, found, adapted)

    def think(self, asked: Asked, chance: random.Random, *, left_out: int = ANY_GROUP) -> Thought:
        found = self.matches(asked, left_out=left_out)
        votes = Counter(case.adapted for case in found)
        if not votes:
            fallback = solutions_of(asked.problem)[0]
            return Thought(choice_of(fallback), note="no case to go by: the first option")
        chosen = pick(votes, self.picking, chance)
        return Thought(
            choice_of(chosen),
            tuple((choice_of(solution), share) for solution, share in shares(votes)),
            lambda: found,
            chosen,
            f"{self.stages}-stage adaptation of {len(found)} cases",
        )
