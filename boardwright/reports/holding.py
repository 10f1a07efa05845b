"""The report of a companion: the win chance it aimed at, and what its opponents won."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardwright.arena.holding import Held, HoldingStudy
from boardwright.kernel import Game
from boardwright.reports.plots import Interval, draw_intervals, figure
from boardwright.reports.report import Metric, Report, Section, percent, percent_with_interval

METRICS = (
    Metric("opponent", lambda held: held.opponent, "opponent", left=True),
    Metric("aim", lambda held: held.aim, "aims at", lambda held: percent(held.aim)),
    Metric("games", lambda held: held.games, "games"),
    Metric("points", lambda held: held.points),
    Metric(
        "share",
        lambda held: held.share,
        "opponent won (95 %)",
        lambda held: percent_with_interval(held.share, held.interval),
        lambda held: "green" if held.interval[0] <= held.aim <= held.interval[1] else "",
    ),
    Metric("interval", lambda held: list(held.interval)),
    Metric("off", lambda held: held.off, "off by", lambda held: f"{100 * held.off:+.1f}"),
)


def holding_report(game: Game, study: HoldingStudy, found: Sequence[Held]) -> Report:
    title = f"{game.title}: what opponents win against a companion, seed {study.seed}"
    mean = sum(abs(held.off) for held in found) / len(found)
    data = {
        "game": study.game_name,
        "companion": study.companion,
        "seats": study.seats,
        "seed": study.seed,
        "options": dict(study.options),
        "held": Section("", METRICS, found).as_json(),
        "mean_distance": mean,
    }
    remark = f"On average {100 * mean:.1f} points off the aim; green: the aim lies in the interval."
    return Report([Section(title, METRICS, found), remark], data, lambda file: plot_holding(file, title, found))


def plot_holding(file: Path, title: str, found: Sequence[Held]) -> None:
    rows = [
        Interval(
            f"{held.opponent}, aim {percent(held.aim)}",
            100 * held.share,
            100 * held.interval[0],
            100 * held.interval[1],
        )
        for held in found
    ]
    with figure(file, (8, 1.2 + 0.45 * len(rows))) as (_, axes):
        draw_intervals(axes, rows)
        axes.set_xlim(0, 100)
        axes.set_xlabel("games won by the opponent (%), with 95 % Wilson interval")
        axes.set_title(title, loc="left", fontsize=10)
