"""The report of all pairings: a table of who beats whom, and the sides by what they won."""

from __future__ import annotations

from pathlib import Path

from boardwright.arena.pairings import PairingResults, Pairings
from boardwright.reports.plots import Interval, draw_intervals, figure
from boardwright.reports.report import Metric, Report, Section, percent_with_interval
from boardwright.wording import counted


def pairings_report(pairings: Pairings, results: PairingResults) -> Report:
    games = sum(tally.games for tally in results.cells.values())
    title = f"{pairings.game.title}: {counted(games, 'game')} of {pairings.agent} against itself, by {pairings.option}"
    order = sorted(range(len(results.sides)), key=lambda side: -results.totals[side].share)
    cross = Section(
        f"{title}\nwon by the row, in the first seat, against the column (95 %)",
        (Metric("", lambda row: results.sides[row], "", left=True), *(_against(results, side) for side in order)),
        order,
    )
    totals = Section("against all others, from both seats", _totals(results), order)
    data = {
        "game": pairings.game_name,
        "agent": pairings.agent,
        "seed": pairings.seed,
        "options": dict(pairings.options),
        "option": pairings.option,
        "pairings": [
            {
                "first": results.sides[first],
                "second": results.sides[second],
                "games": tally.games,
                "points": tally.points,
                "draws": tally.draws,
                "share": tally.share,
                "interval": tally.interval,
            }
            for (first, second), tally in results.cells.items()
        ],
        "totals": totals.as_json(),
    }
    return Report([cross, totals], data, lambda file: plot_totals(file, title, results))


def _against(results: PairingResults, other: int) -> Metric:
    def cell(row: int) -> str:
        tally = results.cells[row, other]
        low, high = tally.interval
        return f"{100 * tally.share:.0f} ({100 * low:.0f}–{100 * high:.0f})"

    def style(row: int) -> str:
        low, high = results.cells[row, other].interval
        return "green" if low > 0.5 else "red" if high < 0.5 else ""

    return Metric("", lambda row: results.cells[row, other].share, results.sides[other], cell, style)


def _totals(results: PairingResults) -> tuple[Metric, ...]:
    return (
        Metric("side", lambda side: results.sides[side], "", left=True),
        Metric(
            "share",
            lambda side: results.totals[side].share,
            "won (95 %)",
            lambda side: percent_with_interval(results.totals[side].share, results.totals[side].interval),
        ),
        Metric("interval", lambda side: results.totals[side].interval),
        Metric("games", lambda side: results.totals[side].games, "games"),
        Metric("draws", lambda side: results.totals[side].draws, "draws"),
    )


def plot_totals(file: Path, title: str, results: PairingResults) -> None:
    rows = [
        Interval(side, 100 * tally.share, 100 * tally.interval[0], 100 * tally.interval[1])
        for side, tally in sorted(zip(results.sides, results.totals, strict=True), key=lambda row: -row[1].share)
    ]
    with figure(file, (8, 1.2 + 0.45 * len(rows))) as (_, axes):
        draw_intervals(axes, rows, reference=50)
        axes.set_xlabel("won against all others, percent, with 95 % interval")
        axes.set_title(title, loc="left", fontsize=10)
        axes.grid(axis="x", alpha=0.3)
