"""What finished games say about where points come from and what winners had, for games that give `seat_metrics`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from boardwright.arena.accumulators import Accumulator
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import wilson_interval
from boardwright.errors import BadSpec
from boardwright.kernel import Game, State, Trait

WINNERS = "winners"


@dataclass
class Rate:
    """How often those who had something won; shared victories count in equal parts."""

    trait: Trait
    times: int = 0
    wins: float = 0.0

    @property
    def rate(self) -> float:
        return self.wins / max(self.times, 1)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.wins, self.times)


def _points() -> dict[str, float]:
    return defaultdict(float)


@dataclass
class Share:
    """The points of an agent, or of all winners, part by part."""

    times: int = 0
    wins: float = 0.0
    parts: dict[str, float] = field(default_factory=_points)

    def add(self, parts: dict[str, float], won: float) -> None:
        self.times += 1
        self.wins += won
        for name, points in parts.items():
            self.parts[name] += points

    def means(self) -> dict[str, float]:
        return {name: points / self.times for name, points in self.parts.items()}


def _shares() -> dict[str, Share]:
    return defaultdict(Share)


@dataclass
class MetricsOverGames(Accumulator):
    games: int = 0
    seats: int = 0
    shares: dict[str, Share] = field(default_factory=_shares)
    """By agent; sole winners together under WINNERS."""
    rates: dict[Trait, Rate] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, records: Iterable[GameRecord]) -> MetricsOverGames:
        """Replays every game to its end, which also proves that the records are what they say."""
        if game.metrics.seat_metrics is None:
            raise BadSpec(f"{game.name} has no report of its own; see `boardwright balance`")
        report = cls()
        for record in records:
            report.finished(record, record.final())
        return report

    def finished(self, record: GameRecord, final: State) -> None:
        seat_metrics = final.game.metrics.seat_metrics
        if record.forfeit is not None or seat_metrics is None:  # it was not played to its end
            return
        self.games += 1
        self.seats = max(self.seats, record.seats)
        best = max(record.returns)
        first = record.returns.count(best)
        for seat, agent in enumerate(record.agents):
            metrics = seat_metrics(final.record, seat)
            won = 1 / first if record.returns[seat] == best else 0.0
            parts = dict(metrics.score_parts)
            self.shares[agent].add(parts, won)
            if won == 1:
                self.shares[WINNERS].add(parts, won)
            for trait in metrics.traits:
                rate = self.rates.setdefault(trait, Rate(trait))
                rate.times += 1
                rate.wins += won

    def merge(self, other: MetricsOverGames) -> None:
        self.games += other.games
        self.seats = max(self.seats, other.seats)
        for name, share in other.shares.items():
            self.shares[name].times += share.times
            self.shares[name].wins += share.wins
            for part, points in share.parts.items():
                self.shares[name].parts[part] += points
        for trait, rate in other.rates.items():
            mine = self.rates.setdefault(trait, Rate(trait))
            mine.times += rate.times
            mine.wins += rate.wins

    @property
    def categories(self) -> list[str]:
        return list(dict.fromkeys(trait.category for trait in self.rates))

    def by(self, category: str) -> list[Rate]:
        """The win rates of one category, best first."""
        found = [rate for rate in self.rates.values() if rate.trait.category == category]
        return sorted(found, key=lambda rate: (-rate.rate, rate.trait.name))
