"""What searches find out about the actions at the root: visits and mean payoff of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from boardwright.agents import Decision, Reason


@dataclass
class Statistics:
    """Visits and payoff sums by action; those of several searches add up."""

    visits: dict[int, int] = field(default_factory=dict)
    total: dict[int, float] = field(default_factory=dict)

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
        return whole

    def mean(self, action: int) -> float | None:
        visits = self.visits.get(action, 0)
        return self.total[action] / visits if visits else None

    def decision(self, summary: str, *, by_value: bool = False) -> Decision:
        """The most visited action (or the one of the best mean), and all of them as reasons in that order."""
        everything = sum(self.visits.values())

        def key(action: int) -> tuple[float, float, int]:
            mean = self.mean(action)
            value = -float("inf") if mean is None else mean
            first, second = (value, self.visits[action]) if by_value else (self.visits[action], value)
            return (-first, -second, action)

        reasons = tuple(
            Reason(action, self.mean(action), self.visits[action] / max(everything, 1), self.visits[action])
            for action in sorted(self.visits, key=key)
        )
        return Decision(reasons[0].action, reasons, summary)
