"""Figure 7.5: runs of SCOUT3, era after era, and whether they rise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from rich.console import Console

from boardwright.experiments.model import Conditions, Experiment, Part
from boardwright.experiments.scout_case_bases import case_quality, sizes_and_deletions
from boardwright.experiments.tables import TableOf, eras
from boardwright.files import write_json
from boardwright.reports.plots import figure
from boardwright.reports.report import percent
from boardwright.reports.tables import FittingTable

RUNS = 5
ERA = 200


@dataclass(frozen=True)
class RunSettings:
    """How SCOUT3 learns: its parameters, how many games it begins with, whether it observes its opponent."""

    scout: str
    initial: int
    observe_opponent: bool = False
    opponent: str = "netsearch"
    era: int = ERA
    """Games in an era."""
    tables: ClassVar[Mapping[str, TableOf]] = {"": eras}

    def parts(self) -> list[Part]:
        return [Part(f"run{number}", f"scout3:{self.scout} against {self.opponent}") for number in range(1, RUNS + 1)]

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        """Five runs, each in a store of its own, which keeps what was played."""
        from boardwright.scout.run import Beginning, Plan, play_run, wins_by_era
        from boardwright.scout.run_progress import RunProgress

        folder, console = conditions.folder, conditions.console
        series, files, complete = [], [], True
        for number in range(1, RUNS + 1):
            file = folder / f"run{number}.db"
            if conditions.only in (None, f"run{number}"):
                console.print(f"run {number} of {RUNS}", highlight=False)
                plan = Plan(self.scout, self.opponent, experiment.seed + number, self.era, self.observe_opponent)
                beginning = Beginning(games=self.initial)
                complete = play_run(file, plan, conditions.games, beginning=beginning, listeners=[RunProgress(console)])
            elif not file.exists():
                continue
            series.append(wins_by_era(file))
            files.append(file)
            if not complete:
                break
        figures = regression(series)
        _show(series, self.era, figures, console)
        _plot(series, self.era, figures, folder / "result.png")
        quality = case_quality(files)
        _show_quality(quality, console)
        result = {
            "experiment": experiment.name,
            "scout": self.scout,
            "initial_games": self.initial,
            "era": self.era,
            "wins": series,
            **figures,
            "case_bases": [sizes_and_deletions(file) for file in files],
            "case_quality": quality,
        }
        write_json(folder / "result.json", result)
        return complete


AS_DESCRIBED = RunSettings("preset=described,grace=40,margin=0.3", initial=748)
"""Learning from own wins, beginning with as many games as the dissertation, with the reasoner it describes. Grace and
margin, which it does not give, let the bases grow about as fast as it says."""
OBSERVING = RunSettings("preset=observing", initial=50, observe_opponent=True)
"""Learning from whoever wins, with little to begin with; no case is removed without proof."""
CRITICISED = RunSettings("preset=criticised", initial=50)
"""Learning from its own games alone."""
FROM_NOTHING = replace(CRITICISED, initial=0, opponent="heuristic", era=20)
"""The same without any case to begin with, in shorter eras: it begins with choices at random."""


def regression(series: list[list[int]]) -> dict[str, Any]:
    """Least squares of wins over eras, each run with a level of its own; the slope with its 95 % interval."""
    from scipy.stats import t

    rows = [(run, era, wins) for run, eras in enumerate(series) for era, wins in enumerate(eras, 1)]
    free = len(rows) - len(series) - 1
    if free < 1:
        return {"slope": None, "interval": None, "eras": len(rows)}
    x = np.zeros((len(rows), len(series) + 1))
    y = np.array([wins for _, _, wins in rows], float)
    for i, (run, era, _) in enumerate(rows):
        x[i, run], x[i, -1] = 1.0, era
    solution, *_ = np.linalg.lstsq(x, y, rcond=None)
    residual = y - x @ solution
    spread = float(residual @ residual) / free
    error = math.sqrt(spread * float(np.linalg.pinv(x.T @ x)[-1, -1]))
    margin = float(t.ppf(0.975, free)) * error
    slope = float(solution[-1])
    return {"slope": slope, "interval": [slope - margin, slope + margin], "eras": len(rows)}


def _show(series: list[list[int]], games: int, figures: dict[str, Any], console: Console) -> None:
    table = FittingTable("era", *(f"run {number}" for number in range(1, len(series) + 1)), "all")
    for era in range(max(map(len, series), default=0)):
        wins = [eras[era] for eras in series if era < len(eras)]
        cells = [str(eras[era]) if era < len(eras) else "" for eras in series]
        table.add_row(str(era + 1), *cells, percent(sum(wins) / (games * len(wins))))
    console.print(table)
    if figures["slope"] is not None:
        low, high = figures["interval"]
        verdict = "rises" if low > 0 else "falls" if high < 0 else "no trend is shown"
        console.print(
            f"wins per era of {games} change by {figures['slope']:+.2f} an era (95 %: {low:+.2f} to {high:+.2f}):"
            f" {verdict}",
            highlight=False,
        )


def _show_quality(quality: dict[str, dict[str, Any]], console: Console) -> None:
    """The first cases that were kept to the end of each run, beside the dissertation's 781, 891 and 773 of 2,947."""
    table = FittingTable("first cases", "there were", "kept by each run", "by all", "by chance")
    table.add_row("settle, published", "2,947", "781, 891, 773", "310", "62")
    for name, found in quality.items():
        kept = ", ".join(str(number) for number in found["kept"])
        row = (f"{found['initial']:,}", kept, str(found["kept_by_all"]), f"{found['by_chance']:.0f}")
        table.add_row(name, *row)
    console.print(table)


def _plot(series: list[list[int]], games: int, figures: dict[str, Any], file: Path) -> None:
    with figure(file, (8, 4.2)) as (_, axis):
        for number, wins in enumerate(series, 1):
            axis.plot(range(1, len(wins) + 1), wins, marker="o", markersize=3, linewidth=1, label=f"run {number}")
        if figures["slope"] is not None and series:
            last = max(map(len, series))
            middle = float(np.mean([wins for eras in series for wins in eras]))
            ends = np.array([1, last])
            axis.plot(ends, middle + figures["slope"] * (ends - (last + 1) / 2), color="#222222", label="all runs")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.set_xlabel(f"era of {games} games")
        axis.set_ylabel("wins")
        axis.legend(frameon=False)
