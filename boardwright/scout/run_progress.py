"""A run on the console: where it begins, a bar on a terminal, a line for every era, and where it ends."""

from __future__ import annotations

from rich.console import Console

from boardwright.arena.standings import wilson_interval
from boardwright.reports.report import percent_with_interval
from boardwright.scout.reasoners.explanation import TYPE_NAMES
from boardwright.scout.run import Run, RunListener
from boardwright.terminal.progress import progress_bar


class RunProgress(RunListener):
    """A bar on a terminal; lines for the beginning, for every era and for the end anywhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = progress_bar(console)

    def started(self, run: Run, games: int) -> None:
        mine, opponent = run.plan.entrants
        kept = f", {run.games:,} kept from earlier" if run.games else ""
        self._print(f"{mine} against {opponent}: {games:,} games in eras of {run.plan.era:,}{kept}; {sizes_of(run)}")
        self._task = self._bar.add_task("games", total=games, completed=run.games)
        self._bar.start()

    def finished_game(self, run: Run) -> None:
        self._bar.update(self._task, completed=run.games)

    def finished_era(self, run: Run, wins: int, games: int) -> None:
        self._print(era_line(run, wins, games))

    def ended(self, run: Run, complete: bool) -> None:
        self._bar.stop()
        if complete:
            self._print(f"{run.games:,} games are in {run.controller.store.file}; {sizes_of(run)}")
        else:
            self._print(f"stopped after {run.games:,} games; the same command goes on")

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)


def sizes_of(run: Run) -> str:
    """How many cases each case base has."""
    maintenance = run.controller.maintenance
    return ", ".join(f"{maintenance.size(base):,} {TYPE_NAMES[base]}" for base in maintenance.bases) + " cases"


def era_line(run: Run, wins: int, games: int) -> str:
    maintenance = run.controller.maintenance
    low, high = wilson_interval(wins, games)
    return (
        f"era {maintenance.era}: {wins} of {games} won, {percent_with_interval(wins / max(games, 1), (low, high))};"
        f" {sizes_of(run)}"
    )
