"""Plots as files, and the one kind that most reports draw: values with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from boardwright.errors import CannotWrite
from boardwright.files import atomic_output


@contextmanager
def figure(file: Path, size: tuple[float, float], rows: int = 1, columns: int = 1, **settings: Any) -> Iterator[Any]:
    """A figure and its axes, as `plt.subplots` gives them, to draw on; written when the block is over."""
    import matplotlib

    matplotlib.use("Agg")  # no screen is needed
    import matplotlib.pyplot as plt

    drawn, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", **settings)
    try:
        yield drawn, axes
        for axis in drawn.axes:
            axis.spines[["top", "right"]].set_visible(False)
        _write(drawn, file)
    finally:
        plt.close(drawn)


def _write(drawn: Any, file: Path) -> None:
    try:
        with atomic_output(file) as temporary:
            drawn.savefig(temporary, dpi=150, format=file.suffix.lstrip(".") or "png")
    except ValueError as error:
        raise CannotWrite(f"cannot write {file}: {error}") from None


_ROOM = 0.6
"""Of the height of a row, above the first and below the last one: no point lies on the frame."""


class Interval(NamedTuple):
    """A value between its bounds, with the name it is drawn beside."""

    label: str
    value: float
    low: float
    high: float
    colour: str = "#4878a8"


def draw_intervals(axes: Any, rows: Sequence[Interval], *, bars: bool = False, reference: float | None = None) -> None:
    """Values with their intervals, the first row on top; `reference` is marked by a line."""
    for y, row in enumerate(reversed(rows)):
        if bars:
            axes.barh(y, row.value, color=row.colour, height=0.6)
        errors = [[row.value - row.low], [row.high - row.value]]
        colour = "#222222" if bars else row.colour
        axes.errorbar(row.value, y, xerr=errors, fmt="none" if bars else "o", color=colour, capsize=3, markersize=4)
    axes.set_yticks(range(len(rows)), [row.label for row in reversed(rows)], fontsize=8 if len(rows) > 20 else None)
    axes.set_ylim(-_ROOM, len(rows) - 1 + _ROOM)
    axes.margins(x=0.05)
    if reference is not None:
        axes.axvline(reference, color="#444444", linestyle="--", linewidth=1, zorder=0)


def legend_beside(axes: Any, **settings: Any) -> None:
    """A legend to the right of the axes, where it covers nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize=8, **settings)
