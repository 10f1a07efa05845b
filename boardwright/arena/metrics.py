"""What finished games say about where points come from and what winners had, for games that give `seat_metrics`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from boardwright.arena.record import GameRecord
from boardwright.arena.standings import wilson_interval
from boardwright.errors import BadSpec
from boardwright.kernel import Game
from boardwright.kernel.metrics import Trait

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


@dataclass
class Share:
    """The points of an agent, or of all winners, part by part."""

    times: int = 0
    wins: float = 0.0
    parts: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, parts: dict[str, float], won: float) -> None:
        self.times += 1
        self.wins += won
        for name, points in parts.items():
            self.parts[name] += points

    def means(self) -> dict[str, float]:
        return {name: points / self.times for name, points in self.parts.items()}


@dataclass
class MetricsOverGames:
    games: int = 0
    seats: int = 0
    shares: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    """By agent; sole winners together under WINNERS."""
    rates: dict[Trait, Rate] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, records: Iterable[GameRecord]) -> MetricsOverGames:
        """Replays every game to its end, which also proves that the records are what they say."""
        if game.metrics.seat_metrics is None:
            raise BadSpec(f"{game.name} has no report of its own; see `boardwright balance`")
        report = cls()
        for record in records:
            if record.forfeit is not None:  # it was not played to its end
                continue
            report.games += 1
            report.seats = max(report.seats, record.seats)
            best = max(record.returns)
            first = record.returns.count(best)
            final = record.final().record
            for seat, agent in enumerate(record.agents):
                metrics = game.metrics.seat_metrics(final, seat)
                won = 1 / first if record.returns[seat] == best else 0.0
                parts = dict(metrics.score_parts)
                report.shares[agent].add(parts, won)
                if won == 1:
                    report.shares[WINNERS].add(parts, won)
                for trait in metrics.traits:
                    rate = report.rates.setdefault(trait, Rate(trait))
                    rate.times += 1
                    rate.wins += won
        return report

    @property
    def categories(self) -> list[str]:
        return list(dict.fromkeys(trait.category for trait in self.rates))

    def by(self, category: str) -> list[Rate]:
        """The win rates of one category, best first."""
        found = [rate for rate in self.rates.values() if rate.trait.category == category]
        return sorted(found, key=lambda rate: (-rate.rate, rate.trait.name))
