"""Figures of experiments in the documentation are those of the results that are stored beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardwright.experiments import load_experiment

ROOT = Path(__file__).parent.parent
MADE = ("netrunner", "scout", "sephton", "toolbox")
"""Tests of these experiments compare the declarations."""
RESULTS = sorted(file for file in (ROOT / "docs" / "results").glob("*.json") if not file.name.startswith(MADE))


def load(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def place_lines(result: dict[str, Any]) -> Iterator[str]:
    """The right part of a line of Madrid's table: mean, low, high, sd, places."""
    for arrangement in result["arrangements"].values():
        for row in arrangement["rows"]:
            low, high = row["score_range"]
            places = [row["places"].get(str(place), 0) / row["appearances"] for place in range(1, 6)]
            numbers = [f"{row['mean_score']:.1f}", f"{low:g}", f"{high:g}", f"{row['score_spread']:.1f}"]
            yield f"| {' | '.join([*numbers, *(f'{share:.3f}'.lstrip('0') for share in places)])} |"


@pytest.mark.parametrize("name", ["madrid-55", "madrid-55-learner"])
def test_documented_figures_are_those_of_the_stored_results(name: str) -> None:
    """In a table with rows from elsewhere, too, which `make docs` does not write."""
    page = (ROOT / "docs/wonders.md").read_text(encoding="utf-8")
    assert [line for line in place_lines(load(ROOT / f"docs/results/{name}.json")) if line not in page] == []


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_stored_results_are_of_the_experiment_as_it_is_declared_now(file: Path) -> None:
    """Who changes a spec, an option, the seed or the number of games reruns the experiment."""
    result, experiment = load(file), load_experiment(file.stem)
    assert result["seed"] == experiment.seed
    assert list(result["arrangements"]) == [arrangement.key for arrangement in experiment.arrangements]
    for arrangement in experiment.arrangements:
        stored = result["arrangements"][arrangement.key]
        assert [(agent["label"], agent["spec"]) for agent in stored["agents"]] == list(arrangement.seated)
        assert stored["options"] == dict(arrangement.options)
        assert stored["games"] == experiment.games
