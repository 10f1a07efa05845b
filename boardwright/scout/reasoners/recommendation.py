"""What a reasoner hands back: a choice, and everything that led to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from boardwright.cbr.memory import Memory
from boardwright.cbr.retrieval import Neighbours
from boardwright.scout.cases.indexing import index
from boardwright.scout.cases.representation import encode
from boardwright.scout.problems.problem import Choice, Problem

Picking = Literal["proportional", "best"]


@dataclass(frozen=True)
class Retrieved:
    """A case that was retrieved, and what became of its solution."""

    kind: int
    """The type of its case base,"""
    place: int
    """and where in it the case stands."""
    id: int
    group: int
    round: int
    distance: float
    solution: int
    """The class of the case,"""
    adapted: int
    """and the solution it stands for in the problem."""


class Thought:
    """A choice, the votes for all that was weighed, and the cases behind it, which are listed when somebody asks."""

    def __init__(
        self,
        choice: Choice,
        votes: tuple[tuple[Choice, float], ...] = (),
        cases: Callable[[], tuple[Retrieved, ...]] = tuple,
        chosen: int | None = None,
        note: str | Callable[[], str] = "",
    ) -> None:
        self.choice = choice
        self.votes = votes
        """What there was to choose, each with its share of the votes."""
        self.chosen = chosen
        """The solution that was chosen."""
        self._cases = cases
        self._note = note

    @cached_property
    def retrieved(self) -> tuple[Retrieved, ...]:
        return self._cases()

    @cached_property
    def supporters(self) -> tuple[Retrieved, ...]:
        """The retrieved cases whose solution was chosen."""
        return tuple(case for case in self.retrieved if case.adapted == self.chosen)

    @property
    def note(self) -> str:
        return self._note if isinstance(self._note, str) else self._note()


class Asked:
    """A problem with what retrieval needs of it, computed once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.record = encode(problem)
        self.indexed: Memory = index(self.record)

    def number(self, name: str) -> int:
        return int(self.indexed.number(name)[0])


def retrieved(memory: Memory, kind: int, found: Neighbours, adapted: Sequence[int]) -> tuple[Retrieved, ...]:
    return tuple(
        Retrieved(
            kind,
            place,
            int(memory.ids[place]),
            int(memory.groups[place]),
            int(memory.codes[0, place]),
            distance,
            int(memory.classes[place]),
            solution,
        )
        for place, distance, solution in zip(found.places.tolist(), found.distances.tolist(), adapted, strict=True)
    )


def pick(votes: Counter[int], picking: Picking, chance: random.Random) -> int:
    """One of the solutions: in proportion to its votes (6.2), or the one with most, the first of equals."""
    if picking == "best":
        return max(votes, key=lambda solution: votes[solution])
    return chance.choices(list(votes), list(votes.values()))[0]


def shares(votes: Counter[int]) -> list[tuple[int, float]]:
    """Every solution with its share, the largest first."""
    total = sum(votes.values())
    return [(solution, number / total) for solution, number in votes.most_common()] if total else []
