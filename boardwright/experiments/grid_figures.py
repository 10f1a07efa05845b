"""The figures of a publication drawn again: its shares and ours in one plot, from the stored results of a grid.

Lines where the columns are numbers, as limits or threads, bars otherwise. What was published is hollow and dashed, ours
is filled, with intervals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGE, SMALL = 4.2, 3.0
"""Width and height of a panel, in inches."""


@dataclass(frozen=True)
class Panel:
    """One coordinate system: some rows of a grid, as in one figure of the publication."""

    title: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Drawing:
    """How a grid is drawn."""

    panels: tuple[Panel, ...]
    x: str = ""
    """What the numbers in the columns are, for lines; empty: bars."""
    logarithmic: bool = False


def draw_grid(
    result: Mapping[str, Any], file: Path, drawing: Drawing | None = None, others: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Into a file; `others` are results of the same grid with other budgets, which are drawn fainter."""
    rows = tuple(dict.fromkeys(cell["row"] for cell in [*result["cells"], *(c for o in others for c in o["cells"])]))
    drawing = drawing or Drawing((Panel("", rows),))
    figure, axes = _panels(drawing, rows)
    for panel, axis in zip(drawing.panels, axes, strict=True):
        (_draw_lines if drawing.x else _draw_bars)(axis, panel, drawing, result, others)
        axis.axhline(50, color="grey", linewidth=0.6, zorder=0)
        axis.set_ylim(-3, 103)
        axis.set_title(panel.title, fontsize=10)
    axes[0].set_ylabel("games won in %")
    _explain(figure, result, others)
    figure.savefig(file, dpi=110, bbox_inches="tight")


def _panels(drawing: Drawing, rows: Sequence[str]) -> tuple[Any, Sequence[Any]]:
    from matplotlib.figure import Figure

    n = len(drawing.panels)
    wide = LARGE if drawing.x else max(LARGE, 0.42 * max(len(panel.rows) for panel in drawing.panels))
    figure = Figure(figsize=(n * wide, SMALL + 0.6))
    return figure, figure.subplots(1, n, sharey=True, squeeze=False)[0]


def _draw_lines(axis: Any, panel: Panel, drawing: Drawing, result: Mapping[str, Any], others: Sequence[Any]) -> None:
    for number, row in enumerate(panel.rows):
        colour = f"C{number % 10}"
        told = {_number(c["column"]): c for r in (*others, result) for c in r["cells"] if c["row"] == row}
        printed = sorted((x, 100 * c["published"]) for x, c in told.items() if c["published"] is not None)
        axis.plot(*_columns(printed), color=colour, linestyle="--", marker="o", markerfacecolor="white", markersize=4)
        for other in others:
            points = sorted((_number(c["column"]), _share(c)) for c in other["cells"] if c["row"] == row)
            axis.plot(*_columns(points), color=colour, linestyle=":", linewidth=0.9, alpha=0.7)
        cells = sorted((c for c in result["cells"] if c["row"] == row), key=lambda c: _number(c["column"]))
        xs, shares = [_number(c["column"]) for c in cells], [_share(c) for c in cells]
        axis.errorbar(xs, shares, _errors(cells), color=colour, marker="o", markersize=4, capsize=2, label=row)
    axis.set_xlabel(drawing.x)
    if drawing.logarithmic:
        axis.set_xscale("log")
    axis.legend(fontsize=7, ncols=2)


def _draw_bars(axis: Any, panel: Panel, drawing: Drawing, result: Mapping[str, Any], others: Sequence[Any]) -> None:
    columns = list(dict.fromkeys(c["column"] for c in result["cells"] if c["row"] in panel.rows))
    width = 0.8 / (2 * max(len(columns), 1))
    for number, column in enumerate(columns):
        cells = {c["row"]: c for c in result["cells"] if c["column"] == column}
        for place, row in enumerate(panel.rows):
            if row not in cells:
                continue
            cell, left = cells[row], place + (2 * number - len(columns) + 0.5) * width
            first = column if place == 0 and len(columns) > 1 else None
            if cell["published"] is not None:
                axis.bar(left, 100 * cell["published"], width, color="white", edgecolor=f"C{number}", linestyle="--")
            axis.bar(
                left + width, _share(cell), width, color=f"C{number}", yerr=_errors([cell]), capsize=2, label=first
            )
    axis.set_xticks(range(len(panel.rows)), panel.rows, rotation=60, fontsize=8, ha="right")
    if len(columns) > 1:
        axis.legend(fontsize=7)


def _explain(figure: Any, result: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> None:
    games = [cell["games"] for cell in result["cells"]]
    parts = []
    if any(cell["published"] is not None for cell in result["cells"]):
        parts.append("hollow, dashed: published")
    budget = f", {result['iterations']:,} iterations" if result.get("iterations") else ""
    played = f"{min(games)} to {max(games)} games" if games else "no games yet"
    parts.append(f"filled: ours{budget}, {played}, 95 % intervals that hold at any number of games")
    parts += [f"dotted: ours with {other['iterations']:,} iterations" for other in others if other.get("iterations")]
    figure.text(0.5, 1.0, "; ".join(parts), ha="center", fontsize=7)


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _number(column: str) -> float:
    """The number in a column's name, as 15 in "limit 15"."""
    found = re.search(r"[\d,]+", column)
    return float(found[0].replace(",", "")) if found else 0.0


def _share(cell: Mapping[str, Any]) -> float:
    return 100 * cell["points"] / max(cell["games"], 1)


def _errors(cells: Sequence[Mapping[str, Any]]) -> list[list[float]]:
    """How far the intervals reach below and above."""
    return [
        [max(0.0, _share(cell) - 100 * cell["interval"][0]) for cell in cells],
        [max(0.0, 100 * cell["interval"][1] - _share(cell)) for cell in cells],
    ]
