"""The report of a game's own metrics: where points come from, and what winners had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardwright.arena.metrics import WINNERS, MetricsOverGames, Rate, Share
from boardwright.kernel import Game
from boardwright.reports.plots import Interval, draw_intervals, figure, legend_beside
from boardwright.reports.report import Metric, Report, Section, in_percent, percent

RATE_METRICS = (
    Metric("name", lambda rate: rate.trait.name, None),
    Metric("times", lambda rate: rate.times, "times", lambda rate: f"{rate.times:,}"),
    Metric("win_rate", lambda rate: rate.rate, "won", lambda rate: percent(rate.rate)),
    Metric(
        "interval",
        lambda rate: list(rate.interval),
        "95 %",
        lambda rate: "–".join(in_percent(bound) for bound in rate.interval),
    ),
)
"""The columns for each trait."""


def metrics_report(game: Game, metrics: MetricsOverGames) -> Report:
    sections = [_parts_section(metrics), *(_rates_section(metrics, category) for category in metrics.categories)]
    data = {
        "games": metrics.games,
        "seats": metrics.seats,
        "parts": {
            name: {"times": share.times, "wins": share.wins, "means": share.means()} for name, share in _shares(metrics)
        },
        "win_rates": {
            category: Section("", RATE_METRICS, metrics.by(category)).as_json() for category in metrics.categories
        },
    }
    return Report(sections, data, lambda file: plot_metrics(file, game, metrics))


def _shares(metrics: MetricsOverGames) -> list[tuple[str, Share]]:
    """By agent, the winners last."""
    return sorted(metrics.shares.items(), key=lambda item: item[0] == WINNERS)


def _parts_section(metrics: MetricsOverGames) -> Section:
    def part(name: str) -> Metric:
        return Metric(name, lambda row: row[1].means().get(name, 0.0), name, lambda row: _points(row[1], name))

    names = list(dict.fromkeys(name for share in metrics.shares.values() for name in share.parts))
    columns = (
        Metric("agent", lambda row: row[0], "agent", left=True),
        *map(part, names),
        Metric(
            "total",
            lambda row: sum(row[1].means().values()),
            "total",
            lambda row: f"{sum(row[1].means().values()):.1f}",
        ),
        Metric("won", lambda row: row[1].wins / row[1].times, "won", lambda row: percent(row[1].wins / row[1].times)),
    )
    return Section("Where points come from (means)", columns, _shares(metrics))


def _points(share: Share, name: str) -> str:
    return f"{share.means().get(name, 0.0):.1f}"


def _rates_section(metrics: MetricsOverGames, category: str) -> Section:
    named = Metric("", lambda rate: rate.trait.name, category, left=True)
    title = f"Win rate by {category}; by chance {1 / metrics.seats:.1%}"
    return Section(title, (named, *RATE_METRICS), metrics.by(category))


def plot_metrics(file: Path, game: Game, metrics: MetricsOverGames) -> None:
    """A panel for each category: win rates with 95 % intervals."""
    longest = max((len(metrics.by(category)) for category in metrics.categories), default=1)
    columns = max(len(metrics.categories), 1)
    with figure(file, (6.5 * columns, 2 + 0.16 * longest), columns=columns, squeeze=False) as (_, panels):
        for axes, category in zip(panels[0], metrics.categories, strict=False):
            _draw_rates(axes, metrics.by(category), 100 / metrics.seats)
            axes.set_xlabel("games won, %")
            axes.set_title(f"{game.title}: win rate by {category}, {metrics.games:,} games")


def _draw_rates(axes: Any, rates: list[Rate], fair: float) -> None:
    from matplotlib.colors import is_color_like
    from matplotlib.lines import Line2D

    groups = list(dict.fromkeys(rate.trait.group for rate in rates if rate.trait.group))
    colours = {group: SOFTER.get(group, group) if is_color_like(group) else f"C{i}" for i, group in enumerate(groups)}
    rows = [
        Interval(
            rate.trait.name,
            100 * rate.rate,
            100 * rate.interval[0],
            100 * rate.interval[1],
            colours.get(rate.trait.group, "#333333"),
        )
        for rate in rates
    ]
    draw_intervals(axes, rows, reference=fair)
    if groups:
        handles = [Line2D([], [], color=colour, label=group) for group, colour in colours.items()]
        legend_beside(axes, handles=handles)


SOFTER = {
    "yellow": "goldenrod",
    "blue": "steelblue",
    "green": "seagreen",
    "red": "#e02020",
    "brown": "#5b3a1e",
    "grey": "#999999",
}
"""Pure colours are hard to read on white, and red and brown hard to tell apart."""
