"""Progress of a review on a terminal: a bar; silence elsewhere."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class ReviewProgress:
    """A bar that counts decisions; call it with how many are judged, and how many there are."""

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            TextColumn("judging decisions"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("[dim]Ctrl-C stops, keeping what was judged"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("decisions")

    def __call__(self, done: int, total: int) -> None:
        self._bar.update(self._task, completed=done, total=total)

    def __enter__(self) -> ReviewProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()
