"""Counting how agents and seats fared over the games of an experiment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95, ranks, wilson_interval


@dataclass
class Count:
    """How one agent, or one seat, fared."""

    places: Counter[float] = field(default_factory=Counter)
    seats: int = 0
    scores: Counter[float] = field(default_factory=Counter)
    shared_first: int = 0
    """Games in which it had the best result together with others."""

    def add(self, place: float, score: float, seats: int, shares_first: bool = False) -> None:
        self.places[place] += 1
        self.scores[score] += 1
        self.seats = seats
        self.shared_first += shares_first

    def __add__(self, other: Count) -> Count:
        return Count(
            self.places + other.places,
            max(self.seats, other.seats),
            self.scores + other.scores,
            self.shared_first + other.shared_first,
        )

    @property
    def games(self) -> int:
        return self.places.total()

    @property
    def wins(self) -> int:
        return self.places[1]

    @property
    def last(self) -> int:
        return self.places[self.seats]

    @property
    def mean_rank(self) -> float:
        return sum(place * n for place, n in self.places.items()) / self.games if self.games else math.nan

    @property
    def rank_margin(self) -> float:
        """Half the width of a 95 % interval for the mean rank."""
        if self.games < 2:
            return math.inf
        mean = self.mean_rank
        variance = sum(n * (place - mean) ** 2 for place, n in self.places.items()) / (self.games - 1)
        return Z95 * math.sqrt(variance / self.games)

    @property
    def mean_score(self) -> float:
        return sum(score * n for score, n in self.scores.items()) / self.games if self.games else math.nan

    @property
    def score_spread(self) -> float:
        """The standard deviation of the scores."""
        if not self.games:
            return math.nan
        mean = self.mean_score
        return math.sqrt(sum(n * (score - mean) ** 2 for score, n in self.scores.items()) / self.games)

    def number(self, counted: Literal["wins", "last"]) -> int:
        return self.wins if counted == "wins" else self.last

    def interval(self, counted: Literal["wins", "last"]) -> tuple[float, float]:
        return wilson_interval(self.number(counted), self.games)


def seat_order(returns: Sequence[float]) -> list[float]:
    """The place of each seat, 1 is first; of equal seats the earlier comes first."""
    order = sorted(range(len(returns)), key=lambda seat: -returns[seat])
    places = [0.0] * len(returns)
    for place, seat in enumerate(order, 1):
        places[seat] = place
    return places


@dataclass
class Tally:
    """Counts by agent label and seat (from 1)."""

    labels: Sequence[str]
    counts: dict[tuple[str, int], Count] = field(default_factory=dict)
    games: int = 0

    @classmethod
    def of(cls, labels: Sequence[str], records: Iterable[GameRecord], *, ties_by_seat: bool = False) -> Tally:
        """`labels` name the entrants of the match; entrants of the same label count together.

        Equal results share the mean of their places or, with `ties_by_seat`, are placed in the order of seats.
        """
        tally = cls(labels)
        for record in records:
            tally.games += 1
            shared = ranks(record.returns)
            places = seat_order(record.returns) if ties_by_seat else shared
            for seat, entrant in enumerate(record.order):
                count = tally.counts.setdefault((labels[entrant], seat + 1), Count())
                first_is_shared = min(shared) > 1 and shared[seat] == min(shared)
                count.add(places[seat], record.scores[seat], record.seats, first_is_shared)
        return tally

    @property
    def seats(self) -> int:
        return max((count.seats for count in self.counts.values()), default=0)

    def count(self, label: str, by: Literal["agent", "seat"]) -> Count:
        """Everything about one agent ("MaxN") or one seat ("seat 3")."""
        total = Count()
        for (agent, seat), count in self.counts.items():
            if (agent if by == "agent" else f"seat {seat}") == label:
                total = total + count
        return total

    def wins_by_seat(self, label: str) -> list[int]:
        seats = sorted({seat for _, seat in self.counts})
        return [self.counts.get((label, seat), Count()).wins for seat in seats]

    def games_by_seat(self, label: str) -> list[int]:
        seats = sorted({seat for _, seat in self.counts})
        return [self.counts.get((label, seat), Count()).games for seat in seats]

    def as_json(self, rows: Iterable[str], by: Literal["agent", "seat"]) -> list[dict[str, Any]]:
        found = []
        for label in rows:
            count = self.count(label, by)
            found.append(
                {
                    "label": label,
                    "appearances": count.games,
                    "wins": count.wins,
                    "win_interval": count.interval("wins"),
                    "last": count.last,
                    "last_interval": count.interval("last"),
                    "mean_rank": _known(count.mean_rank),
                    "rank_margin": _known(count.rank_margin),
                    "mean_score": _known(count.mean_score),
                    "score_range": [min(count.scores, default=None), max(count.scores, default=None)],
                    "score_spread": _known(count.score_spread),
                    "shared_first": count.shared_first,
                    "places": {f"{place:g}": n for place, n in sorted(count.places.items())},
                    "wins_by_seat": self.wins_by_seat(label) if by == "agent" else None,
                }
            )
        return found


def _known(number: float) -> float | None:
    """JSON has no word for what is not a number."""
    return number if math.isfinite(number) else None
