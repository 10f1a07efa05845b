"""What searches find out about the actions at the root: visits and mean return of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardwright.agents import Reason
from boardwright.search.root_choice import Candidate


@dataclass
class Statistics:
    """Visits and sums of returns by action; those of several searches add up."""

    visits: dict[int, int] = field(default_factory=dict)
    total: dict[int, float] = field(default_factory=dict)
    proven: dict[int, float] = field(default_factory=dict)
    """Returns that are known for certain."""

    @classmethod
    def of(cls, actions: Iterable[Any], visits: Iterable[Any], total: Iterable[Any]) -> Statistics:
        rows = [(int(a), int(v), float(t)) for a, v, t in zip(actions, visits, total, strict=True)]
        return cls({a: v for a, v, _ in rows}, {a: t for a, _, t in rows})

    @classmethod
    def merged(cls, parts: Iterable[Statistics]) -> Statistics:
        whole = cls()
        for part in parts:
            for action, visits in part.visits.items():
                whole.visits[action] = whole.visits.get(action, 0) + visits
                whole.total[action] = whole.total.get(action, 0.0) + part.total[action]
            whole.proven.update(part.proven)
        return whole

    @property
    def lead(self) -> int:
        """How many more visits the most visited action has than any other."""
        most, second = (*sorted(self.visits.values(), reverse=True), 0, 0)[:2]
        return most - second

    def mean(self, action: int) -> float | None:
        if action in self.proven:
            return self.proven[action]
        visits = self.visits.get(action, 0)
        return self.total[action] / visits if visits else None

    def candidates(self, low: float, high: float) -> list[Candidate]:
        """The root's actions, with means scaled from the utilities to 0 to 1."""
        means = {action: self.mean(action) for action in self._not_refuted(low, high)}
        return [
            Candidate(action, visits, 0.0 if (mean := means[action]) is None else (mean - low) / (high - low))
            for action, visits in self.visits.items()
            if action in means
        ]

    def _not_refuted(self, low: float, high: float) -> list[int]:
        """Proven wins alone, if there are any; else all that are not proven to be lost, unless all are."""
        won = [action for action, proof in self.proven.items() if proof >= high]
        open_ = [action for action in self.visits if self.proven.get(action, high) > low]
        return won or open_ or list(self.visits)

    def reasons(self, ranked: Sequence[Candidate]) -> tuple[Reason, ...]:
        everything = max(sum(self.visits.values()), 1)
        return tuple(Reason(c.action, self.mean(c.action), c.visits / everything, c.visits) for c in ranked)
