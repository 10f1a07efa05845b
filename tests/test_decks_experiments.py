"""Experiments about decks, on a made-up collection."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from boardwright.cli import app
from boardwright.decks import BadDeck, evaluation
from boardwright.decks.model import ModelSettings
from boardwright.decks.reading import deck_as_json
from boardwright.experiments import deck_runs, load_experiment
from boardwright.experiments.deck_report import comparison
from boardwright.experiments.deck_runs import (
    CONFIDENCE,
    FOLD,
    REST,
    VARIABLE,
    Cell,
    Cells,
    DeckClaim,
    DeckExperiment,
    PublishedAccuracy,
)
from boardwright.experiments.model import Experiment, Published, Verdict
from boardwright.experiments.netrunner import (
    confident_is_best,
    influence_first_needs_cards,
    learned_beats_rules,
    refinements_help,
    triplets_cost_accuracy,
    twenty_points,
)
from boardwright.experiments.run import run_experiment
from tests.made_up_decks import made_up_decks

RESULTS = Path(__file__).parent.parent / "docs" / "results"
SMALL = DeckExperiment(
    by="support",
    predictors=("a0", "a2", "popular"),
    supports=(4, 8),
    observed=(5,),
    per_fold=2,
    readings=(REST, CONFIDENCE, FOLD),
    accuracies=(PublishedAccuracy("a0", 0.0, 0.06, "0 to 6 %"),),
    claims=(DeckClaim("rules beat chance", lambda cells: (Verdict.HOLDS, f"{cells.best('a2').accuracy:.2f}")),),
)
EXPERIMENT = Experiment(
    name="small",
    game="netrunner",
    title="a small one",
    question="Does it run?",
    games=60,
    unit="decks",
    seed=1,
    published=Published("nowhere", 60, "agent", ()),
    arrangements=(),
    conduct=SMALL.run,
)


@pytest.fixture
def deck_file(tmp_path: Path) -> Path:
    file = tmp_path / "decks.jsonl"
    file.write_text("".join(deck_as_json(deck) + "\n" for deck in made_up_decks()))
    return file


def run(deck_file: Path | None, folder: Path) -> tuple[dict[str, Any], str]:
    console = Console(file=io.StringIO(), width=150)
    assert run_experiment(EXPERIMENT, console, folder=folder, decks=deck_file)
    return json.loads((folder / "small" / "result.json").read_text()), console.file.getvalue()


def test_readings_stand_beside_the_published_figures(tmp_path: Path, deck_file: Path) -> None:
    result, shown = run(deck_file, tmp_path / "out")
    assert list(result["readings"]) == ["rest", "confidence", "fold"]
    rest = {(cell["predictor"], cell["support"]): cell for cell in result["readings"]["rest"]["cells"]}
    assert set(rest) == {("a0", 4), ("a2", 4), ("a0", 8), ("a2", 8), ("popular", None)}
    assert all(cell["low"] < cell["accuracy"] < cell["high"] for cell in rest.values())
    assert rest["a2", 4]["decks"] == 60
    assert rest["popular", None]["decks"] == 210, "the learned ones predict more of each fold, once for all experiments"
    assert rest["a2", 4]["accuracy"] > rest["a0", 4]["accuracy"]
    assert "0 to 6 %" in shown
    assert "holds  rules beat chance" in shown
    assert (tmp_path / "out" / "small" / "result.png").read_bytes().startswith(b"\x89PNG")


def test_what_was_measured_is_kept(tmp_path: Path, deck_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = evaluation.evaluate_split
    left = 40

    def stops(*arguments: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return measured(*arguments)

    monkeypatch.setattr(evaluation, "evaluate_split", stops)
    console = Console(file=io.StringIO())
    assert not run_experiment(EXPERIMENT, console, folder=tmp_path / "halted", decks=deck_file)
    assert "Stopped; what was measured is kept" in console.file.getvalue()
    left = 7 * 30 - 40
    again, _ = run(deck_file, tmp_path / "halted")
    assert left == 0, "only what was missing is measured"
    left = 7 * 30
    assert run(deck_file, tmp_path / "at_once")[0] == again


def test_another_model_is_measured_again_and_rules_are_not(
    tmp_path: Path, deck_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(deck_file, tmp_path)
    kept = set((tmp_path / "deck-runs").glob("*.json"))
    monkeypatch.setattr(deck_runs, "ModelSettings", partial(ModelSettings, nearest_share=0.3))
    run(deck_file, tmp_path)
    (fresh,) = set((tmp_path / "deck-runs").glob("*.json")) - kept
    assert json.loads(fresh.read_text())["setting"]["model"]["nearest_share"] == 0.3


def test_a_damaged_file_of_what_was_measured_is_named(tmp_path: Path, deck_file: Path) -> None:
    run(deck_file, tmp_path)
    file = next((tmp_path / "deck-runs").glob("*.json"))
    file.write_text("[]")
    with pytest.raises(BadDeck, match=f"{file.name} cannot be read"):
        run(deck_file, tmp_path)


def test_the_deck_file_may_come_from_the_environment(
    tmp_path: Path, deck_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(deck_file))
    assert run(None, tmp_path)[0]["collection"] == 210


@pytest.mark.parametrize("name", ["netrunner-6.1", "netrunner-6.2", "netrunner-6.3"])
def test_without_decks_it_says_what_is_missing(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    result = CliRunner().invoke(app, ["experiment", "run", name, "--out", str(tmp_path)])
    assert isinstance(result.exception, BadDeck)
    assert "needs a file of dated decklists" in str(result.exception)
    assert "--decks FILE" in str(result.exception)
    assert CliRunner().invoke(app, ["experiment", "show", name]).exit_code == 0


def test_all_runs_are_those_of_both_figures() -> None:
    by_support, by_observed, all_runs = (
        [run for run, _ in load_experiment(f"netrunner-6.{n}").conduct.__self__.runs()]  # type: ignore[union-attr]
        for n in (1, 2, 3)
    )
    assert all_runs == [run for run in by_support if run.reading is not CONFIDENCE] + by_observed


@pytest.mark.parametrize("name", sorted(file.stem for file in RESULTS.glob("netrunner-*.json")))
def test_stored_results_are_of_the_experiment_as_it_is_declared_now(name: str) -> None:
    """Who changes settings, the seed or the number of decks reruns the experiment."""
    experiment = load_experiment(name)
    declared = experiment.conduct.__self__  # type: ignore[union-attr]
    result = json.loads((RESULTS / f"{name}.json").read_text())
    assert (result["seed"], result["games"], result["by"]) == (experiment.seed, experiment.games, declared.by)
    assert result["rules"] == asdict(declared.rules)
    assert result["published"] == [asdict(row) for row in declared.accuracies]
    stored = {
        (reading, cell["support"], cell["observed"], cell["predictor"])
        for reading, found in result["readings"].items()
        for cell in found["cells"]
    }
    assert stored == {
        (run.reading.key, run.support, number, predictor)
        for run, observed in declared.runs()
        for number in observed
        for predictor in run.predictors
    }


def cells(accuracies: dict[str, float], observed: int = 5, margin: float = 0.01) -> list[Cell]:
    return [
        Cell("rest", 15, observed, name, 300, accuracy, accuracy - margin, accuracy + margin)
        for name, accuracy in accuracies.items()
    ]


RULES = {f"a{n}": 0.5 for n in range(8)}


@pytest.mark.parametrize(
    ("judge", "accuracies", "verdict"),
    [
        (triplets_cost_accuracy, {"a2": 0.55}, Verdict.HOLDS),
        (triplets_cost_accuracy, {"a2": 0.45}, Verdict.FAILS),
        (triplets_cost_accuracy, {"a2": 0.51}, Verdict.OPEN),
        (confident_is_best, {"a7": 0.59}, Verdict.HOLDS),
        (confident_is_best, {"a7": 0.59, "a5": 0.62}, Verdict.FAILS),
        (learned_beats_rules, {"best": 0.6}, Verdict.HOLDS),
        (learned_beats_rules, {"best": 0.4}, Verdict.FAILS),
        (refinements_help, {"a1": 0.45}, Verdict.HOLDS),
        (refinements_help, {"a1": 0.55}, Verdict.FAILS),
    ],
)
def test_claims_are_judged_by_intervals(judge: Any, accuracies: dict[str, float], verdict: Verdict) -> None:
    assert judge(Cells(cells(RULES | {"best": 0.5} | accuracies)))[0] is verdict


def test_claims_about_the_number_of_seen_cards() -> None:
    few, many = cells(RULES | {"a3": 0.3, "a4": 0.3}, observed=0), cells(dict.fromkeys(RULES, 0.65), observed=10)
    assert twenty_points(Cells(few + many))[0] is Verdict.HOLDS
    assert twenty_points(Cells(few + cells(RULES, observed=10)))[0] is Verdict.FAILS
    assert influence_first_needs_cards(Cells(few))[0] is Verdict.HOLDS
    assert influence_first_needs_cards(Cells(cells(RULES, observed=0)))[0] is Verdict.OPEN


def test_figures_farther_than_three_points_from_the_published_range_are_marked(tmp_path: Path, deck_file: Path) -> None:
    result, _ = run(deck_file, tmp_path)
    cell = result["readings"]["rest"]["cells"][0]
    assert cell["predictor"] == "a0"
    for accuracy, text in ((0.05, "+0.0"), (0.085, "+2.5"), (0.12, "+6.0≠")):
        for own in result["readings"]["rest"]["cells"]:
            own["accuracy"] = accuracy
        assert comparison(result, "rest")[1][-1] == text
