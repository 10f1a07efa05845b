"""Progress of a match on a terminal: a live table and a bar; silence elsewhere."""

from __future__ import annotations

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


def progress_bar(console: Console) -> Progress:
    """A bar that counts games."""
    return Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]Ctrl-C stops, keeping what was played"),
        console=console,
        disable=not console.is_terminal,
    )


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
