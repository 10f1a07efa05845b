"""What finished games say about where points come from and what winners had, for games that give `seat_metrics`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from boardwright.arena.record import GameRecord
from boardwright.arena.standings import wilson_interval
from boardwright.errors import BadSpec
from boardwright.kernel import Game
from boardwright.kernel.metrics import Trait
from boardwright.pictures import picture

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

    def as_json(self) -> dict[str, Any]:
        return {"name": self.trait.name, "times": self.times, "win_rate": self.rate, "interval": list(self.interval)}


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
class MetricsReport:
    games: int = 0
    seats: int = 0
    shares: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    """By agent; sole winners together under WINNERS."""
    rates: dict[Trait, Rate] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, records: Iterable[GameRecord]) -> MetricsReport:
        """Replays every game to its end, which also proves that the records are what they say."""
        if game.metrics.seat_metrics is None:
            raise BadSpec(f"{game.name} has no report of its own; see `boardwright balance`")
        report = cls()
        for record in records:
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

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "seats": self.seats,
            "parts": {
                name: {"times": share.times, "wins": share.wins, "means": share.means()}
                for name, share in self._ordered_shares()
            },
            "win_rates": {category: [rate.as_json() for rate in self.by(category)] for category in self.categories},
        }

    def _ordered_shares(self) -> list[tuple[str, Share]]:
        """The winners last."""
        return sorted(self.shares.items(), key=lambda item: item[0] == WINNERS)

    def tables(self) -> list[Table]:
        return [self._parts_table(), *(self._rates_table(category) for category in self.categories)]

    def _parts_table(self) -> Table:
        names = list(dict.fromkeys(name for share in self.shares.values() for name in share.parts))
        table = _table("Where points come from (means)", "agent", *names, "total", "won")
        for agent, share in self._ordered_shares():
            means = share.means()
            cells = [f"{means.get(name, 0.0):.1f}" for name in names]
            table.add_row(escape(agent), *cells, f"{sum(means.values()):.1f}", f"{share.wins / share.times:.1%}")
        return table

    def _rates_table(self, category: str) -> Table:
        table = _table(f"Win rate by {category}; by chance {1 / self.seats:.1%}", category, "times", "won", "95 %")
        for rate in self.by(category):
            low, high = rate.interval
            table.add_row(
                escape(rate.trait.name), f"{rate.times:,}", f"{rate.rate:.1%}", f"{100 * low:.1f}–{100 * high:.1f}"
            )
        return table


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def write_metrics_plot(file: Path, game: Game, report: MetricsReport) -> None:
    """A panel for each category: win rates with 95 % intervals."""
    longest = max((len(report.by(category)) for category in report.categories), default=1)
    columns = max(len(report.categories), 1)
    with picture(file, (6.5 * columns, 2 + 0.16 * longest), columns=columns, squeeze=False) as (_, panels):
        for axes, category in zip(panels[0], report.categories, strict=False):
            _draw_rates(axes, report.by(category)[::-1])
            axes.axvline(100 / report.seats, color="black", linewidth=0.8, linestyle=":")
            axes.set_xlabel("games won, %")
            axes.set_title(f"{game.title}: win rate by {category}, {report.games:,} games")


def _draw_rates(axes: Any, rates: list[Rate]) -> None:
    from matplotlib.colors import is_color_like
    from matplotlib.lines import Line2D

    groups = list(dict.fromkeys(rate.trait.group for rate in rates if rate.trait.group))
    paints = {group: _SOFTER.get(group, group) if is_color_like(group) else f"C{i}" for i, group in enumerate(groups)}
    for y, rate in enumerate(rates):
        low, high = rate.interval
        paint = paints.get(rate.trait.group, "#333333")
        axes.plot([100 * low, 100 * high], [y, y], color=paint, linewidth=2)
        axes.plot(100 * rate.rate, y, "o", color=paint, markersize=4)
    axes.set_yticks(range(len(rates)), [rate.trait.name for rate in rates], fontsize=8)
    axes.margins(y=0.01)
    if groups:
        handles = [Line2D([], [], color=paint, label=group) for group, paint in paints.items()]
        axes.legend(handles=handles, loc="lower right", fontsize=8)


_SOFTER = {"yellow": "goldenrod", "blue": "steelblue", "green": "seagreen", "red": "firebrick"}
"""Pure colours are hard to read on white."""
