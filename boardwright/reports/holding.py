"""The report of a companion: the win chance it aimed at, and what its opponents won."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardwright.arena.holding import AimResult, HoldingStudy
from boardwright.kernel import Game
from boardwright.reports.plots import Interval, draw_intervals, figure
from boardwright.reports.report import Metric, Report, Section, percent, percent_with_interval

METRICS = (
    Metric("opponent", lambda result: result.opponent, "opponent", left=True),
    Metric("aim", lambda result: result.aim, "aims at", lambda result: percent(result.aim)),
    Metric("games", lambda result: result.games, "games"),
    Metric("points", lambda result: result.points),
    Metric(
        "share",
        lambda result: result.share,
        "opponent won (95 %)",
        lambda result: percent_with_interval(result.share, result.interval),
        lambda result: "green" if result.interval[0] <= result.aim <= result.interval[1] else "",
    ),
    Metric("interval", lambda result: list(result.interval)),
    Metric("off", lambda result: result.off, "off by", lambda result: f"{100 * result.off:+.1f}"),
    Metric(
        "given_away",
        lambda result: result.given_away / result.games,
        "given away in a game",
        lambda result: percent(result.given_away / result.games),
    ),
    Metric(
        "most_given_away",
        lambda result: result.most_given_away,
        "most at a decision",
        lambda result: percent(result.most_given_away),
    ),
)


def holding_report(game: Game, study: HoldingStudy, results: Sequence[AimResult]) -> Report:
    title = f"{game.title}: what opponents win of a series against a companion, seed {study.seed}"
    mean = sum(abs(result.off) for result in results) / len(results)
    data = {
        "game": study.game_name,
        "companion": study.companion,
        "seats": study.seats,
        "seed": study.seed,
        "options": dict(study.options),
        "held": Section("", METRICS, results).as_json(),
        "mean_distance": mean,
    }
    remark = f"On average {100 * mean:.1f} points off the aim; green: the aim lies in the interval."
    return Report([Section(title, METRICS, results), remark], data, lambda file: plot_holding(file, title, results))


def plot_holding(file: Path, title: str, results: Sequence[AimResult]) -> None:
    rows = [
        Interval(
            f"{result.opponent}, aim {percent(result.aim)}",
            100 * result.share,
            100 * result.interval[0],
            100 * result.interval[1],
        )
        for result in results
    ]
    with figure(file, (8, 1.2 + 0.45 * len(rows))) as (_, axes):
        draw_intervals(axes, rows)
        axes.set_xlim(0, 100)
        axes.set_xlabel("games won by the opponent (%), with 95 % Wilson interval")
        axes.set_title(title, loc="left", fontsize=10)
