"""Experiments that are grids of matches, and those of Sephton's thesis."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from boardwright.arena.match import Match
from boardwright.executors import InProcess
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.grid import Cell, Found, Grid, GridClaim, above, all_of, below, near, stronger
from boardwright.experiments.model import Conditions, Experiment, Published, Verdict
from boardwright.experiments.sephton_parallel import SEARCHES, start_position
from boardwright.experiments.sephton_selection import complexity_of_decisions

SEPHTON = [name for name in experiments() if name.startswith("sephton")]


def test_a_grid_plays_its_cells_and_sets_the_published_share_beside_ours(tmp_path: Path) -> None:
    grid = Grid(
        [
            Cell("search", "v. random", "uct:iterations=60", "random", 0.9),
            Cell("random", "v. random", "random", "random"),
        ],
        (GridClaim("search wins", above("search", "v. random", 0.5)),),
        "agent",
        "opponent",
        shows_best_move=True,
    )
    experiment = Experiment(
        "small", "connect_four", "a small grid", "", 8, 3, Published("nowhere", 0, "agent", ()), (), conduct=grid.run
    )
    said = io.StringIO()
    assert grid.run(experiment, Conditions(8, tmp_path, Console(file=said, width=120), InProcess()))
    result = json.loads((tmp_path / "result.json").read_text())
    search, random = result["cells"]
    assert (search["games"], search["published"], random["published"]) == (8, 0.9, None)
    assert search["points"] >= 6
    assert search["best_move_rate"] == 1
    assert result["claims"][0]["verdict"] in ("holds", "undecided")
    assert "90 / " in said.getvalue()


def test_cells_of_an_open_claim_are_played_on(tmp_path: Path) -> None:
    cells = [Cell(row, "v. random", "random", "random") for row in ("a", "b")]
    open_claim = GridClaim("even", near("a", "v. random", 0.5, 0.01))
    grid = Grid(
        cells, (open_claim, GridClaim("not lost", above("b", "v. random", -1))), "agent", "opponent", games_in="all"
    )
    experiment = Experiment(
        "small", "connect_four", "a small grid", "", 4, 3, Published("nowhere", 0, "agent", ()), (), conduct=grid.run
    )
    folder = tmp_path / "small"
    folder.mkdir()
    assert grid.run(experiment, Conditions(4, folder, Console(file=io.StringIO()), InProcess()))
    result = json.loads((folder / "result.json").read_text())
    assert [cell["games"] for cell in result["cells"]] == [16, 4]
    assert len(list((tmp_path / "all").iterdir())) == 1, "the same agents: the same games"


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        (above("a", "x", 0.5), Verdict.HOLDS),
        (above("b", "x", 0.5), Verdict.OPEN),
        (above("c", "x", 0.5), Verdict.FAILS),
        (below("c", "x", 0.5), Verdict.HOLDS),
        (below("a", "x", 0.5), Verdict.FAILS),
        (near("b", "x", 0.5, 0.2), Verdict.HOLDS),
        (near("a", "x", 0.5, 0.2), Verdict.FAILS),
        (stronger(("a", "x"), ("c", "x")), Verdict.HOLDS),
        (stronger(("c", "x"), ("a", "x")), Verdict.FAILS),
        (all_of([above("a", "x", 0.5), below("c", "x", 0.5)]), Verdict.HOLDS),
        (all_of([above("a", "x", 0.5), above("c", "x", 0.5)]), Verdict.FAILS),
        (all_of([above("a", "x", 0.5), above("b", "x", 0.5)]), Verdict.OPEN),
    ],
)
def test_claims_are_judged_by_intervals(judge: object, verdict: Verdict) -> None:
    results = {("a", "x"): Found(100, 90), ("b", "x"): Found(100, 50), ("c", "x"): Found(100, 10)}
    assert judge(results)[0] is verdict  # type: ignore[operator]


@pytest.mark.parametrize("name", SEPHTON)
def test_experiments_of_the_thesis_are_declared_with_agents_that_can_be_made(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.conduct is not None
    grid = getattr(experiment.conduct, "__self__", None)
    for cell in getattr(grid, "cells", ()):
        Match(experiment.game, (cell.spec, cell.opponent), experiment.seed, dict(grid.options)).check()


def test_decisions_are_timed_after_both_challenges() -> None:
    for options in SEARCHES.values():
        state = start_position(options)
        assert sum(int(cards).bit_count() for cards in state.record.occupied) == 2, "a general of each seat"


def test_complexity_is_measured_where_an_entrant_had_a_choice() -> None:
    record = Match("lords", ("random", "random"), seed=1).play(0)
    values = list(complexity_of_decisions(record, entrant=0))
    assert 10 < len(values) < len(record.actions)
    assert all(set(value) == {"cx0", "cx1", "cx2", "cx3", "cx4"} and value["cx0"] > 1 for value in values)
