"""Retain: what a game leaves to be learned once its result is known.

During a game the solved problems and the cases retrieved for them are traced. The solved problems of a won game become
candidate cases; of a lost game those of the opponent, as far as they could be observed. Where a critic has judged the
advice of each case during the game, its judgement counts instead of the result: a single game's result says little
about one case among many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from boardwright.cbr.similarity import similarity


@dataclass(frozen=True)
class SolvedProblem:
    """A problem with the solution chosen for it: a candidate case."""

    base: int
    """The kind of decision, which has a case base of its own."""
    cls: int
    record: bytes
    similarity: float
    """Its mean similarity to the cases retrieved for it."""

    @property
    def usefulness(self) -> float:
        """The less a case resembles what is known, the more it adds."""
        return 1.0 - self.similarity


class Judgement(NamedTuple):
    """A critic's word on one retrieved case."""

    case: int
    similarity: float
    right: bool
    """Whether it advised what the critic found."""


@dataclass
class GameTrace:
    """The reasoning of one game, until its result is known."""

    solved: list[SolvedProblem] = field(default_factory=list)
    retrievals: list[tuple[int, float]] = field(default_factory=list)
    """The cases whose solution was used, each with its similarity."""
    observed: list[SolvedProblem] = field(default_factory=list)
    """Problems that the opponent solved."""
    judged: list[Judgement] = field(default_factory=list)
    """The cases whose advice a critic has judged."""
    confirmed: list[SolvedProblem] = field(default_factory=list)
    """The solved problems whose solution is also the critic's."""

    def add_solved(self, base: int, cls: int, record: bytes, distances: Iterable[float]) -> None:
        self.solved.append(_solved(base, cls, record, distances))

    def add_observed(self, base: int, cls: int, record: bytes, distances: Iterable[float]) -> None:
        self.observed.append(_solved(base, cls, record, distances))

    def add_confirmed(self, base: int, cls: int, record: bytes, distances: Iterable[float]) -> None:
        self.confirmed.append(_solved(base, cls, record, distances))

    def add_judged(self, case: int, distance: float, right: bool) -> None:
        self.judged.append(Judgement(case, similarity(distance), right))

    def add_retrieval(self, case: int, distance: float) -> None:
        self.retrievals.append((case, similarity(distance)))

    def candidates(self, won: bool | None) -> list[SolvedProblem]:
        """The winner's solved problems, and those that a critic confirmed."""
        of_the_winner = [] if won is None else self.solved if won else self.observed
        return [*of_the_winner, *self.confirmed]

    def credited(self, won: bool | None) -> list[Judgement]:
        """Every case to be credited: by the result, if there was a winner, or by the critic."""
        by_result = [] if won is None else [Judgement(case, near, won) for case, near in self.retrievals]
        return [*by_result, *self.judged]


def _solved(base: int, cls: int, record: bytes, distances: Iterable[float]) -> SolvedProblem:
    near = [similarity(distance) for distance in distances]
    return SolvedProblem(base, cls, record, sum(near) / len(near) if near else 0.0)
