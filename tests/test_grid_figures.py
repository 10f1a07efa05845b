"""Figures of a publication drawn again from the results of a grid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.grid_figures import Averages, Drawing, Panel, _draw_averages, _draw_bars, draw_grid
from boardwright.experiments.tables import Stored

RESULTS = Path(__file__).parent.parent / "docs" / "results"
STORED = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in RESULTS.glob("sephton-*.json")}
DRAWN = [name for name in experiments() if name.startswith("sephton") and load_experiment(name).drawn is not None]


def cell(row: str, column: str, share: float, published: float | None = None) -> dict[str, Any]:
    return {
        "row": row,
        "column": column,
        "games": 10,
        "points": 10 * share,
        "interval": (share / 2, (1 + share) / 2),
        "published": published,
        "best_move_rate": 0.25,
    }


@pytest.mark.parametrize("name", DRAWN)
def test_every_grid_draws_its_figure_from_the_stored_results(name: str, tmp_path: Path) -> None:
    file = tmp_path / "figure.png"
    load_experiment(name).drawn(Stored.of(name, STORED).results, file)  # type: ignore[misc]
    assert file.read_bytes().startswith(b"\x89PNG")


def test_every_figure_stands_on_the_page() -> None:
    """But for styles of play, which the thesis asks about and has no figure of."""
    page = (RESULTS.parent / "laboratory.md").read_text(encoding="utf-8")
    assert [name for name in DRAWN if f"(images/{name}.png)" not in page] == ["sephton-style"]


def test_averages_are_over_the_columns_that_all_rows_have() -> None:
    cells = [cell("a_2", "v. 1", 0.4), cell("a_2", "v. 2", 0.2), cell("a_3", "v. 1", 0.6), cell("b_2", "v. 1", 0.8)]
    axis = Figure().subplots()
    _draw_averages(axis, Averages("", ("a_2", "a_3", "b_2")), {"cells": cells})
    lines = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axis.lines}
    assert lines == {"a": ([2, 3], [40, 60]), "b": ([2], [80])}


def test_bars_have_what_was_published_or_told_and_other_budgets_where_the_first_has_no_games() -> None:
    axis = Figure().subplots()
    panel, drawing = Panel("", ("a", "b"), {"b": 0.5}), Drawing((), best_moves=True)
    quick = {"cells": [cell("a", "x", 0.9), cell("b", "x", 0.7)]}
    _draw_bars(axis, panel, drawing, {"cells": [cell("a", "x", 0.4)]}, [quick], {("a", "x"): 0.3})
    bars = [(round(bar.get_height()), bar.get_alpha()) for bar in axis.patches if isinstance(bar, Rectangle)]
    assert bars == [(30, None), (40, 1.0), (50, None), (70, 0.35)]
    diamonds = [line.get_xydata() for line in axis.lines if line.get_marker() == "D"]
    assert [point[0][1] for point in diamonds] == [25, 25]


def test_a_grid_without_games_can_be_drawn(tmp_path: Path) -> None:
    draw_grid({"cells": []}, tmp_path / "none.png", Drawing((Panel("nothing", ("a",)),)))
    assert (tmp_path / "none.png").exists()
