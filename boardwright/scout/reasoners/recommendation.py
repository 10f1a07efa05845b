"""What goes into a reasoner and what comes out: an indexed problem, and a recommendation with the cases behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.retrieval import Neighbours
from boardwright.kernel import Observation
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import Records, encode
from boardwright.scout.problems.problem import Choice, Problem


class IndexedProblem:
    """A problem with its record and features, computed once and when they are needed."""

    def __init__(self, problem: Problem, observation: Observation | None = None) -> None:
        self.problem = problem
        self.observation = observation
        """What the problem was found in, for agents that are asked beside the cases. Reasoners do not look at it."""

    @cached_property
    def record(self) -> Records:
        return encode(self.problem)

    @cached_property
    def features(self) -> CaseBase:
        """The problem as the only case of a case base."""
        return index_cases(self.record)

    def number(self, name: str) -> int:
        return int(self.features.number(name)[0])


@dataclass(frozen=True)
class RetrievedCase:
    """A case that was retrieved, and what became of its solution."""

    kind: int
    """The type of its case base."""
    id: int
    group: int
    round: int
    distance: float
    solution: int
    """The class of the case."""
    adapted: int
    """The solution that the case votes for in the problem."""
    supports: int | None = None
    """What it supports where the problem is of another type: with what would be placed, an action."""


class Recommendation:
    """A choice, the votes for all options, and the retrieved cases, which are listed when somebody asks."""

    def __init__(
        self,
        choice: Choice,
        votes: tuple[tuple[Choice, float], ...] = (),
        cases: Callable[[], tuple[RetrievedCase, ...]] = tuple,
        chosen: int | None = None,
        note: str | Callable[[], str] = "",
    ) -> None:
        self.choice = choice
        self.votes = votes
        """The options, each with its share of the votes."""
        self.chosen = chosen
        """The solution that was chosen."""
        self._cases = cases
        self._note = note

    @cached_property
    def retrieved(self) -> tuple[RetrievedCase, ...]:
        return self._cases()

    def choosing(self, choice: Choice, chosen: int) -> Recommendation:
        """The same votes, but another choice."""
        return Recommendation(choice, self.votes, lambda: self.retrieved, chosen, lambda: self.note)

    @cached_property
    def advice(self) -> tuple[tuple[RetrievedCase, int], ...]:
        """The retrieved cases, each once, with the solution it votes for: by the nearest where it was retrieved several
        times, as happens where options are judged one by one."""
        found: dict[tuple[int, int, int], RetrievedCase] = {}
        for case in sorted(self.retrieved, key=lambda case: case.distance):
            vote = case.adapted if case.supports is None else case.supports
            found.setdefault((case.kind, case.id, vote), case)
        return tuple((case, vote) for (_, _, vote), case in found.items())

    @property
    def supporting(self) -> tuple[RetrievedCase, ...]:
        """The retrieved cases whose solution was chosen."""
        return tuple(case for case, vote in self.advice if vote == self.chosen)

    @property
    def note(self) -> str:
        return self._note if isinstance(self._note, str) else self._note()


def retrieved_cases(
    case_base: CaseBase, kind: int, neighbours: Neighbours, adapted: Sequence[int]
) -> tuple[RetrievedCase, ...]:
    return tuple(
        RetrievedCase(
            kind,
            int(case_base.ids[position]),
            int(case_base.groups[position]),
            int(case_base.codes[0, position]),
            distance,
            int(case_base.classes[position]),
            solution,
        )
        for position, distance, solution in zip(
            neighbours.positions.tolist(), neighbours.distances.tolist(), adapted, strict=True
        )
    )
