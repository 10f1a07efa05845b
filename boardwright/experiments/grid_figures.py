"""The figures of a publication drawn again: its shares and ours in one plot, from the stored results of a grid.

Lines where the columns are numbers, as limits or threads, bars otherwise. What was published is hollow and dashed, ours
is filled, with intervals. Of lines that would hide each other, each is set a little to the side.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LARGE, SMALL = 4.2, 3.0
"""Width and height of a panel, in inches."""


@dataclass(frozen=True)
class Panel:
    """One coordinate system: some rows of a grid, as in one figure of the publication."""

    title: str
    rows: tuple[str, ...]
    stated: Mapping[str, float] = field(default_factory=dict)
    """What the text says of a row's share where no figures were printed, as "about 50 %"."""


@dataclass(frozen=True)
class Averages(Panel):
    """The mean over all columns that every row has, by the number at the end of the row's name: a line for each family
    of rows, as RobustRand_2, RobustRand_3, … From the result with the most cells."""


@dataclass(frozen=True)
class Drawing:
    """How a grid is drawn."""

    panels: tuple[Panel, ...]
    x: str = ""
    """What the numbers in the columns are, for lines; empty: bars."""
    logarithmic: bool = False
    best_moves: bool = False
    """Whether bars have a mark for the share of decisions in which the best action was taken."""


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
    shares = {**(published or {(c["row"], c["column"]): c["published"] for c in cells if c["published"] is not None})}
    played = {cell["row"] for cell in cells}
    drawing = drawing or Drawing((Panel("", tuple(dict.fromkeys(cell["row"] for cell in cells))),))
    panels = [panel for panel in drawing.panels if played & set(panel.rows)] or [*drawing.panels]
    figure, axes = _axes(panels, 1 if drawing.x else len({cell["column"] for cell in cells}), bool(drawing.x))
    for panel, axis in zip(panels, axes, strict=True):
        axis.set_title(panel.title, fontsize=10)
        if isinstance(panel, Averages):
            widest = max((result, *others), key=lambda one: len(one["cells"]))
            axis.set_title(", ".join(filter(None, (panel.title, _budget(widest)))), fontsize=10)
            _draw_averages(axis, panel, widest)
        elif drawing.x:
            _draw_lines(axis, panel, drawing, result, others, shares)
        else:
            _draw_bars(axis, panel, drawing, result, others, shares)
        axis.axhline(50, color="grey", linewidth=0.6, zorder=0)
        axis.set_ylim(-3, 103)
    axes[0].set_ylabel("games won in %")
    figure.suptitle(_explained(result, others, shares, drawing), fontsize=7, y=0.95, va="bottom")
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
    apart = _apart(result, panel, drawing)
    for number, row in enumerate(panel.rows):
        colour = f"C{number % 10}"
        printed = sorted((_number(column), 100 * share) for (r, column), share in published.items() if r == row)
        axis.plot(*_columns(printed), color=colour, linestyle="--", marker="o", markerfacecolor="white", markersize=4)
        for other in others:
            points = sorted((_number(c["column"]), _share(c)) for c in other["cells"] if c["row"] == row)
            axis.plot(*_columns(points), color=colour, linestyle=":", linewidth=0.9, alpha=0.7)
        cells = sorted((c for c in result["cells"] if c["row"] == row), key=lambda c: _number(c["column"]))
        aside = apart * (number - (len(panel.rows) - 1) / 2)
        xs = [_number(c["column"]) * 10**aside if drawing.logarithmic else _number(c["column"]) + aside for c in cells]
        style = {"marker": "o", "markersize": 4, "capsize": 2, "elinewidth": 0.8}
        axis.errorbar(xs, [_share(c) for c in cells], _errors(cells), color=colour, label=row, **style)
    axis.set_xlabel(drawing.x)
    if drawing.logarithmic:
        axis.set_xscale("log")
        ticks = sorted({_number(cell["column"]) for one in (result, *others) for cell in one["cells"]})
        axis.set_xticks(ticks, [f"{tick:,g}" for tick in ticks])
        axis.set_xticks([], minor=True)
    else:
        axis.xaxis.get_major_locator().set_params(integer=True)
    _legend_below(axis)


def _apart(result: Mapping[str, Any], panel: Panel, drawing: Drawing) -> float:
    """By how much lines are set apart: all together a fiftieth of the axis, or a hundredth of it each."""
    xs = [_number(cell["column"]) for cell in result["cells"] if cell["row"] in panel.rows]
    if drawing.logarithmic:
        return 0.015
    return 0.3 if not xs or min(xs) == max(xs) else (max(xs) - min(xs)) / 100


def _draw_averages(axis: Any, panel: Averages, result: Mapping[str, Any]) -> None:
    shares: dict[str, dict[str, float]] = {}
    for cell in result["cells"]:
        if cell["row"] in panel.rows:
            shares.setdefault(cell["row"], {})[cell["column"]] = _share(cell)
    met = set.intersection(*(set(found) for found in shares.values())) if shares else set()
    families = dict.fromkeys(row.rpartition("_")[0] for row in panel.rows)
    for family in families if met else ():
        rows = [row for row in panel.rows if row.rpartition("_")[0] == family and row in shares]
        means = [statistics.mean(shares[row][column] for column in met) for row in rows]
        axis.plot([int(row.rpartition("_")[2]) for row in rows], means, marker="o", markersize=4, label=family)
    axis.set_xlabel(f"n; mean over {len(met)} budgets of the opponent")
    _legend_below(axis)


def _legend_below(axis: Any) -> None:
    longest = max((len(label) for label in axis.get_legend_handles_labels()[1]), default=0)
    axis.legend(
        fontsize=7, ncols=3 if longest < 15 else 2, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16)
    )


def _draw_bars(
    axis: Any, panel: Panel, drawing: Drawing, result: Mapping[str, Any], others: Sequence[Any], published: Published
) -> None:
    found = {(c["row"], c["column"]): (c, 0.35) for other in reversed(others) for c in other["cells"]}
    found |= {(c["row"], c["column"]): (c, 1.0) for c in result["cells"]}
    columns = list(dict.fromkeys(column for row, column in found if row in panel.rows))
    width = 0.8 / (2 * max(len(columns), 1))
    for number, column in enumerate(columns):
        labels = [column] if len(columns) > 1 else []
        for place, row in enumerate(panel.rows):
            left = place + (2 * number - len(columns) + 0.5) * width
            share = published.get((row, column), panel.stated.get(row))
            if share is not None:
                axis.bar(left, 100 * share, width, color="white", edgecolor=f"C{number}", linestyle="--")
            if (row, column) in found:
                cell, strength = found[row, column]
                label = labels.pop() if labels and strength == 1 else None
                style = {"color": f"C{number}", "alpha": strength, "label": label}
                errors = {"elinewidth": 0.8, "capsize": 2, "alpha": strength}
                axis.bar(left + width, _share(cell), width, yerr=_errors([cell]), error_kw=errors, **style)
                if drawing.best_moves and cell["best_move_rate"] is not None:
                    axis.plot(left + width, 100 * cell["best_move_rate"], "kD", markersize=3, alpha=strength)
    axis.set_xticks(range(len(panel.rows)), panel.rows, rotation=60, fontsize=8, ha="right")
    if len(columns) > 1:
        axis.set_title("")
        axis.set_title(panel.title, fontsize=10, loc="left")
        axis.legend(fontsize=7, frameon=False, ncols=len(columns), loc="lower right", bbox_to_anchor=(1.0, 1.0))


def _explained(
    result: Mapping[str, Any], others: Sequence[Mapping[str, Any]], published: Published, drawing: Drawing
) -> str:
    games = [cell["games"] for cell in result["cells"]]
    span = f"{min(games)} to {max(games)}" if len(set(games)) > 1 else f"{max(games, default='no')}"
    played = f"{span} games"
    lines = ["hollow and dashed: published"] if published else []
    lines += ["hollow and dashed: what the text says"] if any(panel.stated for panel in drawing.panels) else []
    lines.append(f"filled: ours, {', '.join(filter(None, (_budget(result), played)))}; intervals of 95 %")
    bars = {(cell["row"], cell["column"]) for cell in result["cells"]}
    for one in others:  # a bar is drawn of the first result that has it
        if _budget(one) and (drawing.x or any((cell["row"], cell["column"]) not in bars for cell in one["cells"])):
            lines.append(f"{'dotted' if drawing.x else 'faint'}: ours, {_budget(one)}")
    lines += ["diamonds: how often the best action was taken"] if drawing.best_moves else []
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
