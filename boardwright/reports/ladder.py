"""The report of a ladder: ratings with intervals, and who came before whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from boardwright.agents.characters import called
from boardwright.arena.ladder import Rating, Results
from boardwright.kernel import Game
from boardwright.reports.plots import Interval, draw_intervals, figure
from boardwright.reports.report import Metric, Report, Section, in_percent, percent

METRICS = (
    Metric("", lambda row: row[0], ""),
    Metric("", lambda row: row[1].spec, "agent", left=True),
    Metric("", lambda row: row[1].elo, "rating (95 %)", lambda row: _rating(row[1])),
    Metric("", lambda row: row[1].share, "ahead", lambda row: percent(row[1].share)),
    Metric("", lambda row: row[1].games, "games", lambda row: f"{row[1].games:,}"),
)
"""The columns for each agent; a row is its place and its rating."""


def ladder_report(game: Game, results: Results, ratings: Sequence[Rating]) -> Report:
    data = {
        "game": game.name,
        "ratings": [vars(rating) for rating in ratings],
        "specs": results.specs,
        "before": results.before.tolist(),
    }
    sections = [
        Section(f"{game.title}: ladder", _named(game), list(enumerate(ratings, 1))),
        cross_section(results, ratings, game),
    ]
    return Report(sections, data, lambda file: plot_ladder(file, game, ratings))


def _named(game: Game) -> tuple[Metric, ...]:
    """The metrics, with characters called by their names."""
    first, agent, *rest = METRICS
    return (first, replace(agent, text=lambda row: called(row[1].spec, game)), *rest)


def cross_section(results: Results, ratings: Sequence[Rating], game: Game) -> Section:
    """How often the row came before the column, in percent."""
    order = [results.specs.index(rating.spec) for rating in ratings]

    def ahead_of(other: int) -> Metric:
        place = 1 + order.index(other)
        return Metric(
            "", lambda row: results.share(row[1], other), str(place), lambda row: _share(results, row[1], other)
        )

    agent = Metric("", lambda row: called(results.specs[row[1]], game), "agent", left=True)
    named = (Metric("", lambda row: row[0], ""), agent)
    return Section("Ahead of, in percent", (*named, *map(ahead_of, order)), list(enumerate(order, 1)))


def _rating(rating: Rating) -> str:
    return f"{rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"


def _share(results: Results, one: int, other: int) -> str:
    share = results.share(one, other)
    return "" if share is None else in_percent(share)


def plot_ladder(file: Path, game: Game, ratings: Sequence[Rating]) -> None:
    """Ratings with their intervals."""
    rows = [Interval(rating.spec, rating.elo, rating.low, rating.high) for rating in ratings]
    with figure(file, (8, 1.2 + 0.45 * len(rows))) as (_, axes):
        draw_intervals(axes, rows, reference=0)
        axes.set_xlabel("rating on Elo's scale, with 95 % interval")
        axes.set_title(f"{game.title}: ladder", loc="left")
        axes.grid(axis="x", alpha=0.3)
