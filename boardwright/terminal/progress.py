"""Progress on a terminal: of a match a live table and a bar, of a review a bar; silence elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from boardwright.agents import Spec
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.arena.runner import MatchListener
from boardwright.arena.standings import Standings
from boardwright.reports.console import section_table
from boardwright.reports.standings import standings_section


def progress_bar(console: Console, what: str = "playing", kept: str = "played", *, transient: bool = False) -> Progress:
    """A bar that counts games, or something else."""
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn(f"[dim]Ctrl-C stops, keeping what was {kept}"),
        console=console,
        disable=not console.is_terminal,
        transient=transient,
    )


@contextmanager
def review_progress(console: Console) -> Iterator[Callable[[int, int], None]]:
    """A bar that counts decisions; it is told how many are judged, and how many there are."""
    with progress_bar(console, "judging decisions", "judged", transient=True) as bar:
        task = bar.add_task("decisions")
        yield lambda done, total: bar.update(task, completed=done, total=total)


class MatchProgress(MatchListener):
    """The standings so far, and a bar. A person who plays in the match has the screen for themselves."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._bar = progress_bar(console)

    def started(self, match: Match, standings: Standings, games: int) -> None:
        if not self._console.is_terminal or any(Spec.parse(spec).name == "human" for spec in match.entrants):
            return
        self._task = self._bar.add_task("games", total=games, completed=standings.games)

        def picture() -> Group:
            return Group(section_table(standings_section(match.game, standings)), self._bar)

        self._live = Live(console=self._console, get_renderable=picture, refresh_per_second=5, transient=True)
        self._live.start()

    def finished_game(self, record: GameRecord, standings: Standings) -> None:
        if self._live is not None:
            self._bar.advance(self._task)

    def ended(self, standings: Standings) -> None:
        if self._live is not None:
            self._live.stop()
