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
"""Tables of these are made and checked by docs/figures.py; tests of the experiments compare the declarations."""
RESULTS = sorted(file for file in (ROOT / "docs" / "results").glob("*.json") if not file.name.startswith(MADE))
PAGES = {"colonizers": "docs/colonizers.md", "wonders": "docs/wonders.md"}


def load(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def shares(row: dict[str, Any], counted: str, with_interval: bool) -> str:
    text = f"{100 * row[counted] / row['appearances']:.1f}"
    if not with_interval:
        return text
    low, high = row["win_interval" if counted == "wins" else "last_interval"]
    return f"{text} ({100 * low:.1f}–{100 * high:.1f})"


def comparison_lines(result: dict[str, Any]) -> Iterator[str]:
    """Shares of wins and of last places: published, then each arrangement."""
    arrangements = result["arrangements"].values()
    for number, row in enumerate(result["published"]["rows"]):
        ours = [arrangement["rows"][number] for arrangement in arrangements]
        cells = [row["label"], shares(row, "wins", False), *(shares(r, "wins", True) for r in ours)]
        cells += [shares(row, "last", False), *(shares(r, "last", False) for r in ours)]
        yield f"| {' | '.join(cells)} |"


def chi_square_lines(result: dict[str, Any]) -> Iterator[str]:
    """χ² tests: published, then each arrangement over all its games."""
    arrangements = list(result["arrangements"].values())
    for number, test in enumerate(arrangements[0]["tests"]):
        name = f"{test['counted']} of {test['label']}" + (f" in seat {test['seat']}" if test["seat"] else "")
        p = f"p = {test['published_p']:.3g}" if test["published_p"] else "p nearly 0"
        cells = [f"{test['published']:g} ({p})"]
        cells += [f"{a['tests'][number]['statistic']:.1f} (p = {a['tests'][number]['p']:.2g})" for a in arrangements]
        yield f"| {name} | {' | '.join(cells)} |"


def place_lines(result: dict[str, Any]) -> Iterator[str]:
    """The right part of a line of Madrid's table: mean, low, high, sd, places."""
    for arrangement in result["arrangements"].values():
        for row in arrangement["rows"]:
            low, high = row["score_range"]
            places = [row["places"].get(str(place), 0) / row["appearances"] for place in range(1, 6)]
            numbers = [f"{row['mean_score']:.1f}", f"{low:g}", f"{high:g}", f"{row['score_spread']:.1f}"]
            yield f"| {' | '.join([*numbers, *(f'{share:.3f}'.lstrip('0') for share in places)])} |"


def score_lines(result: dict[str, Any]) -> Iterator[str]:
    """Of figure 56."""
    for key, found in result["scores"].items():
        quartiles = ", ".join(f"{q:g}" for q in found["quartiles"])
        yield f"| `{key}` | {found['mean']:.1f} | {found['sd']:.1f} | {quartiles} | {found['opponents_mean']:.1f} |"


def figure_57_lines(result: dict[str, Any]) -> Iterator[str]:
    for key, agents in result["places"].items():
        for spec, found in agents.items():
            places = [f"{100 * n / found['games']:.1f}" for n in found["places"]]
            yield f"| {key} | `{spec}` | {' | '.join(places)} | {found['mean_score']:.1f} |"


def lines(result: dict[str, Any]) -> list[str]:
    """What the documentation must say about a result."""
    if "scores" in result:
        return list(score_lines(result))
    if "places" in result:
        return list(figure_57_lines(result))
    if result["game"] == "wonders":
        return list(place_lines(result))
    return [*comparison_lines(result), *chi_square_lines(result)]


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_documented_figures_are_those_of_the_stored_results(file: Path) -> None:
    result = load(file)
    page = (ROOT / PAGES[result["game"]]).read_text(encoding="utf-8")
    assert [line for line in lines(result) if line not in page] == []


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
