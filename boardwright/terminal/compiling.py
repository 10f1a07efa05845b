"""A progress bar for compiling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from boardwright.kernel.ready import announce_all

SECONDS_OF_PACE = 60.0
"""The time left is estimated from so many seconds: the pace changes between translating and optimising."""


@contextmanager
def compile_progress(console: Console, groups: Sequence[str], total: float) -> Iterator[Callable[[float], None]]:
    """What is compiled, how far it is and how long it will take; a plain line where there is no terminal."""
    if not console.is_terminal:
        with announce_all(groups, total) as progress:
            yield progress
        return
    bar = Progress(
        TextColumn(f"compiling {', '.join(groups)}, once on this machine"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        speed_estimate_period=SECONDS_OF_PACE,
    )
    with bar:
        task = bar.add_task("compiling", total=total)
        yield partial(_advance, bar, task)


def _advance(bar: Progress, task: object, done: float) -> None:
    bar.update(task, completed=done)  # type: ignore[arg-type]
