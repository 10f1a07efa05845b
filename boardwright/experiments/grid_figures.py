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
    result: Mapping[str, Any],
    file: Path,
    drawing: Drawing | None = None,
    others: Sequence[Mapping[str, Any]] = (),
    published: Published | None = None,
) -> None:
    """Into a file; `others` are results of the same grid with other budgets, which are drawn fainter. `published` has
    the shares by row and column; default: those of the cells that were played."""
    cells = [cell for one in (result, *others) for cell in one["cells"]]
    shares = published or {(c["row"], c["column"]): c["published"] for c in cells if c["published"] is not None}
    played = {cell["row"] for cell in cells}
    drawing = drawing or Drawing((Panel("", tuple(dict.fromkeys(cell["row"] for cell in cells))),))
    panels = [panel for panel in drawing.panels if played & set(panel.rows)] or [*drawing.panels]
    figure, axes = _axes(panels, 1 if drawing.x else len({cell["column"] for cell in cells}), bool(drawing.x))
    for panel, axis in zip(panels, axes, strict=True):
        if drawing.x:
            _draw_lines(axis, panel, drawing, result, others, shares)
        else:
            _draw_bars(axis, panel, result, shares)
        axis.axhline(50, color="grey", linewidth=0.6, zorder=0)
        axis.set_ylim(-3, 103)
        axis.set_title(panel.title, fontsize=10)
    axes[0].set_ylabel("games won in %")
    figure.suptitle(_explained(result, others, shares), fontsize=7, y=1.04)
    figure.savefig(file, dpi=110, bbox_inches="tight")


Published = Mapping[tuple[str, str], float]


def _axes(panels: Sequence[Panel], columns: int, lines: bool) -> tuple[Any, Sequence[Any]]:
    from matplotlib.figure import Figure

    widths = [LARGE if lines else max(LARGE, (0.2 + 0.25 * columns) * len(panel.rows)) for panel in panels]
    figure = Figure(figsize=(sum(widths), SMALL + 0.6))
    return figure, figure.subplots(1, len(panels), sharey=True, squeeze=False, width_ratios=widths)[0]


def _draw_lines(
    axis: Any, panel: Panel, drawing: Drawing, result: Mapping[str, Any], others: Sequence[Any], published: Published
) -> None:
    for number, row in enumerate(panel.rows):
        colour = f"C{number % 10}"
        printed = sorted((_number(column), 100 * share) for (r, column), share in published.items() if r == row)
        axis.plot(*_columns(printed), color=colour, linestyle="--", marker="o", markerfacecolor="white", markersize=4)
        for other in others:
            points = sorted((_number(c["column"]), _share(c)) for c in other["cells"] if c["row"] == row)
            axis.plot(*_columns(points), color=colour, linestyle=":", linewidth=0.9, alpha=0.7)
        cells = sorted((c for c in result["cells"] if c["row"] == row), key=lambda c: _number(c["column"]))
        xs, shares = [_number(c["column"]) for c in cells], [_share(c) for c in cells]
        style = {"marker": "o", "markersize": 4, "capsize": 2, "elinewidth": 0.8}
        axis.errorbar(xs, shares, _errors(cells), color=colour, label=row, **style)
    axis.set_xlabel(drawing.x)
    if drawing.logarithmic:
        axis.set_xscale("log")
    else:
        axis.xaxis.get_major_locator().set_params(integer=True)
    axis.legend(fontsize=7, ncols=2, framealpha=0.6)


def _draw_bars(axis: Any, panel: Panel, result: Mapping[str, Any], published: Published) -> None:
    columns = list(dict.fromkeys(c["column"] for c in result["cells"] if c["row"] in panel.rows))
    width = 0.8 / (2 * max(len(columns), 1))
    for number, column in enumerate(columns):
        cells = {c["row"]: c for c in result["cells"] if c["column"] == column}
        labels = [column if len(columns) > 1 else None]
        for place, row in enumerate(panel.rows):
            left = place + (2 * number - len(columns) + 0.5) * width
            if (row, column) in published:
                share = 100 * published[row, column]
                axis.bar(left, share, width, color="white", edgecolor=f"C{number}", linestyle="--")
            if row in cells:
                label, labels = (labels[0], []) if labels else (None, [])
                errors = {"elinewidth": 0.8, "capsize": 2}
                height, error = _share(cells[row]), _errors([cells[row]])
                axis.bar(left + width, height, width, color=f"C{number}", yerr=error, error_kw=errors, label=label)
    axis.set_xticks(range(len(panel.rows)), panel.rows, rotation=60, fontsize=8, ha="right")
    if len(columns) > 1:
        axis.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _explained(result: Mapping[str, Any], others: Sequence[Mapping[str, Any]], published: Published) -> str:
    games = [cell["games"] for cell in result["cells"]]
    played = f"{min(games)} to {max(games)} games" if games else "no games yet"
    lines = ["hollow and dashed: published"] if published else []
    lines.append(f"filled: ours, {', '.join(filter(None, (_budget(result), played)))}; intervals of 95 %")
    lines += [f"dotted: ours, {_budget(other)}" for other in others if _budget(other)]
    return "\n".join(lines)


def _budget(result: Mapping[str, Any]) -> str:
    if result.get("iterations"):
        return f"{result['iterations']:,} iterations"
    return f"{result['seconds']:g} s for a decision" if result.get("seconds") else ""


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _number(column: str) -> float:
    """The number in a column's name, as 15 in "limit 15"."""
    found = re.search(r"\d[\d,]*(\.\d+)?", column)
    return float(found[0].replace(",", "")) if found else 0.0


def _share(cell: Mapping[str, Any]) -> float:
    return 100 * cell["points"] / max(cell["games"], 1)


def _errors(cells: Sequence[Mapping[str, Any]]) -> list[list[float]]:
    """How far the intervals reach below and above."""
    return [
        [max(0.0, _share(cell) - 100 * cell["interval"][0]) for cell in cells],
        [max(0.0, 100 * cell["interval"][1] - _share(cell)) for cell in cells],
    ]
