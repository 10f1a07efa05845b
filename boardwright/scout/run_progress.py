"""A run on the console: a bar, and a line for every era."""

from __future__ import annotations

from rich.console import Console

from boardwright.arena.standings import wilson_interval
from boardwright.scout.run import Run, RunListener
from boardwright.terminal.progress import progress_bar


class RunProgress(RunListener):
    """A bar on a terminal, and a line for every era."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = progress_bar(console)

    def started(self, run: Run, games: int) -> None:
        if run.games:
            self._console.print(f"{run.games:,} games kept from earlier", highlight=False)
        self._task = self._bar.add_task("games", total=games, completed=run.games)
        self._bar.start()

    def finished_game(self, run: Run) -> None:
        self._bar.update(self._task, completed=run.games)

    def finished_era(self, run: Run, wins: int, games: int) -> None:
        self._console.print(era_line(run, wins, games), highlight=False)

    def ended(self, run: Run, complete: bool) -> None:
        self._bar.stop()
        if not complete:
            self._console.print(f"stopped after {run.games:,} games; the same command goes on")


def era_line(run: Run, wins: int, games: int) -> str:
    maintenance = run.controller.maintenance
    low, high = wilson_interval(wins, games)
    sizes = ", ".join(f"{maintenance.size(base)}" for base in maintenance.bases)
    return (
        f"era {maintenance.era}: {wins} of {games} won, {wins / max(games, 1):.1%} ({100 * low:.1f}–"
        f"{100 * high:.1f}); cases: {sizes}"
    )
