"""What is remembered of a game until its outcome is known: the problems met, and the cases retrieved for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from boardwright.cbr.retrieval import similarity


@dataclass(frozen=True)
class Met:
    """A problem that was met, with the choice made: a case, if the game is won."""

    base: int
    cls: int
    record: bytes
    similarity: float
    """Its mean similarity to the cases retrieved for it."""


@dataclass
class GameLog:
    """What is remembered of a game until its outcome is known."""

    problems: list[Met] = field(default_factory=list)
    retrievals: list[tuple[int, float]] = field(default_factory=list)
    """The cases whose solution was used, each with its similarity."""
    lessons: list[Met] = field(default_factory=list)
    """Problems that the opponent met, as far as they could be watched: cases, if the game is lost."""

    def problem(self, base: int, cls: int, record: bytes, distances: Iterable[float]) -> None:
        self.problems.append(_met(base, cls, record, distances))

    def lesson(self, base: int, cls: int, record: bytes, distances: Iterable[float]) -> None:
        self.lessons.append(_met(base, cls, record, distances))

    def retrieval(self, case: int, distance: float) -> None:
        self.retrievals.append((case, similarity(distance)))


def _met(base: int, cls: int, record: bytes, distances: Iterable[float]) -> Met:
    near = [similarity(distance) for distance in distances]
    return Met(base, cls, record, sum(near) / len(near) if near else 0.0)
