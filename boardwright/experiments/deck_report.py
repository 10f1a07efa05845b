"""Results of experiments about decks: tables with the published figures, and pictures. Both are made from the result as
plain data, as result.json has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from boardwright.experiments.model import Verdict
from boardwright.experiments.report import VERDICT_COLOURS
from boardwright.reports.plots import figure
from boardwright.reports.tables import FittingTable

NEAR = 0.03
"""Our figure counts as the published one within this many points."""

Result = Mapping[str, Any]
Cells = Sequence[Mapping[str, Any]]


def show_decks(result: Result, console: Console) -> None:
    for key, reading in result["readings"].items():
        cells = reading["cells"]
        console.print(
            f"[bold]{result['experiment']}[/] ({key}), {reading['title']}: match accuracy in %,"
            f" {cells[0]['decks']:,} decks predicted, seed {result['seed']}",
            highlight=False,
        )
        heading, *rows = comparison(result, key)
        table = FittingTable(*heading)
        for row in rows:
            table.add_row(*row)
        console.print(table, highlight=False)
        for claim in reading["claims"]:
            colour = VERDICT_COLOURS[Verdict(claim["verdict"])]
            figures = f"{claim['claim']}: {claim['figures']}"
            console.print(f"[{colour}]{claim['verdict']:>13}[/]  {figures}", highlight=False)
        console.print()


def comparison(result: Result, reading: str) -> list[tuple[str, ...]]:
    """The heading and a row per predictor: our accuracies; where something is published, that and the difference."""
    cells = result["readings"][reading]["cells"]
    predictors = list(dict.fromkeys(cell["predictor"] for cell in cells))
    if result["by"] == "support":
        return _by_support(cells, predictors, {row["predictor"]: row for row in result["published"]})
    if result["by"] == "observed":
        numbers = sorted({cell["observed"] for cell in cells})
        found = {(cell["predictor"], cell["observed"]): _percent(cell["accuracy"]) for cell in cells}
        rows = [(name, *(found[name, number] for number in numbers)) for name in predictors]
        return [("seen cards", *map(str, numbers)), *rows]
    return [("predictor", "mean over all runs"), *((name, _percent(mean(cells, name))) for name in predictors)]


def mean(cells: Cells, predictor: str) -> float:
    found = [cell["accuracy"] for cell in cells if cell["predictor"] == predictor]
    return sum(found) / len(found)


def _by_support(cells: Cells, predictors: Sequence[str], published: Mapping[str, Any]) -> list[tuple[str, ...]]:
    supports = sorted({cell["support"] for cell in cells if cell["support"] is not None})
    rows: list[tuple[str, ...]] = [
        ("minimum support", *(f"{support:g}" for support in supports), "best (95 %)", "published", "difference")
    ]
    for name in predictors:
        own = {cell["support"]: cell for cell in cells if cell["predictor"] == name}
        best = max(own.values(), key=lambda cell: float(cell["accuracy"]))
        row = published.get(name)
        rows.append(
            (
                name,
                *(_percent(own[support]["accuracy"]) if support in own else "" for support in supports),
                f"{_percent(best['accuracy'])} ({_percent(best['low'])}–{_percent(best['high'])})",
                row["text"] if row else "",
                _difference(best["accuracy"], row) if row else "",
            )
        )
    return rows


def _difference(accuracy: float, published: Mapping[str, Any]) -> str:
    """How far we are from the published range; marked where it is more than NEAR."""
    away = accuracy - min(max(accuracy, published["low"]), published["high"])
    points = round(100 * away, 1) + 0.0  # no -0.0
    return f"{points:+.1f}" + ("≠" if abs(away) > NEAR else "")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def plot_decks(file: Path, title: str, result: Result) -> None:
    """A panel per reading: accuracy over the figure's axis, or bars."""
    readings = result["readings"]
    with figure(file, (11, 4.2), columns=len(readings), sharey=True) as (drawn, panels):
        for panel, reading in zip(panels, readings.values(), strict=True):
            if result["by"] == "all":
                _draw_bars(panel, reading["cells"])
            else:
                _draw_lines(panel, reading["cells"], result["by"])
            panel.set_title(reading["title"], loc="left", fontsize=9)
        panels[0].set_ylabel("match accuracy in percent")
        if result["by"] != "all":
            handles, labels = panels[0].get_legend_handles_labels()
            drawn.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
        drawn.suptitle(f"{result['experiment']}: {title}", x=0.01, ha="left")


def _draw_lines(panel: Any, cells: Cells, axis: str) -> None:
    for number, name in enumerate(dict.fromkeys(cell["predictor"] for cell in cells)):
        own = [cell for cell in cells if cell["predictor"] == name]
        if own[0][axis] is None:
            panel.axhline(100 * own[0]["accuracy"], label=name, color=f"C{number}", linestyle="--", linewidth=1)
            continue
        places = [cell[axis] for cell in own]
        panel.plot(places, [100 * cell["accuracy"] for cell in own], "o-", markersize=3, linewidth=1, label=name)
        panel.set_xticks(places)
    panel.set_xlabel("minimum support in decks" if axis == "support" else "seen cards")


def _draw_bars(panel: Any, cells: Cells) -> None:
    names = list(dict.fromkeys(cell["predictor"] for cell in cells))
    panel.bar(names, [100 * mean(cells, name) for name in names], color="#4878a8")
