"""The experiments with SCOUT: what they count, and the policy network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from boardwright.arena.match import Match
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.maintenance import Changes, Maintenance, MaintenancePolicy
from boardwright.cbr.store import BadCaseBase, Store
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.scout_case_bases import case_quality, sizes_and_deletions
from boardwright.experiments.scout_eras import regression
from boardwright.experiments.scout_figures import action_frequencies, log_normality, score_ratios, victory_rates
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.learn.perceptron import softmax
from boardwright.scout.cases.building import cases_of
from boardwright.scout.cases.collection import CaseCollection, collection_of
from boardwright.scout.cases.features import ACTION_SCHEMA
from boardwright.scout.cases.files import load_cases, write_store
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_SETTLE
from boardwright.scout.reasoners.policy_network import CORE_HEADS, PolicyHead, PolicyNetwork, offered_mask
from boardwright.scout.reasoners.policy_training import TrainingSet, TypeWeights, gradient, train

QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def cases() -> CaseCollection:
    match = Match("race", ("heuristic", "heuristic"), 33)
    games = [cases_of(match.play(index)) for index in range(150)]
    return collection_of([game for game in games if game is not None], {})


def test_all_figures_are_declared() -> None:
    runs = {"scout-7.5-observe", "scout-7.5-critic"}
    assert {f"scout-7.{number}" for number in range(1, 6)} | runs <= set(experiments())
    published = load_experiment("scout-7.2").published
    assert [row.wins for row in published.rows] == [1510, 2550, 2, 748]


def test_a_trend_is_found_where_there_is_one() -> None:
    """Two runs that rise by exactly 2 an era, each from a level of its own."""
    figures = regression([[10 + 2 * era for era in range(8)], [30 + 2 * era for era in range(8)]])
    assert figures["slope"] == pytest.approx(2.0)
    rng = np.random.default_rng(2)
    figures = regression([rng.integers(40, 60, 20).tolist() for _ in range(5)])
    low, high = figures["interval"]
    assert low < 0 < high, "level runs show none"
    assert regression([[5]])["slope"] is None


def test_figures_from_games(tmp_path: Path) -> None:
    match = Match("race", ("heuristic", "random"), 3)
    records = [match.play(index) for index in range(6)]
    rates = victory_rates({"mine": records, "random": records}, tmp_path, QUIET)["rates"]
    assert rates["mine"]["games"] == 6
    assert rates["mine"]["wins"] >= 5
    ratios = score_ratios({"mine": records}, tmp_path, QUIET)["ratios"]["mine"]
    expected = [record.scores[record.order.index(0)] / record.scores[record.order.index(1)] for record in records]
    assert ratios["median"] == pytest.approx(float(np.median(expected)))
    actions = action_frequencies({"mine": records}, tmp_path, QUIET)["actions"]["mine"]
    assert sum(actions.values()) == pytest.approx(1.0)
    assert (tmp_path / "ratios.png").exists()
    assert (tmp_path / "actions.png").exists()


def test_log_normal_ratios_are_told_from_others() -> None:
    """Fixed samples: 500 log-normal ratios pass, 500 exponential ones do not."""
    rng = np.random.default_rng(5)
    alike = log_normality(rng.normal(-0.2, 0.3, 500))
    assert alike["log_normal_p"] is not None
    assert alike["log_normal_p"] > 0.05
    other = log_normality(np.log(rng.exponential(1.0, 500)))
    assert other["log_normal_p"] is not None
    assert other["log_normal_p"] < 0.001
    assert log_normality(np.zeros(5))["log_normal_p"] is None


def test_sizes_deletions_and_quality_of_case_bases_come_from_the_stores(tmp_path: Path, cases: CaseCollection) -> None:
    """Two scripted runs of two eras: each removes cases of its own, and what both have kept is counted."""
    files = [tmp_path / "run1.db", tmp_path / "run2.db"]
    removed = ({1, 2}, {2, 3})
    for file, gone in zip(files, removed, strict=True):
        write_store(cases, file)
        with Store(file) as store:
            maintenance = Maintenance(store, (0, 3, 5), MaintenancePolicy(grace_eras=9))
            settle = [case.id for case in maintenance.active(5)]
            maintenance.end_era()
            changes = Changes()
            for number in gone:
                maintenance._remove(maintenance.cases[settle[number]], changes, 1)
            maintenance.end_era()
    found = sizes_and_deletions(files[0])["settle"]
    assert found == {"sizes": [len(settle), len(settle), len(settle) - 2], "deleted": [0, 2]}
    quality = case_quality(files)["settle"]
    kept = len(settle) - 2
    assert (quality["kept"], quality["kept_by_all"]) == ([kept, kept], len(settle) - 3)
    assert quality["by_chance"] == pytest.approx(kept * kept / len(settle))


def cases_in(cases: CaseCollection, keep: bool = True) -> dict[int, CaseBase]:
    """The cases of games whose number is no multiple of 5, or, without `keep`, of the others."""
    case_bases = {kind: cases.case_base(kind) for kind in CORE_HEADS}
    return {kind: case_base.subset((case_base.groups % 5 != 0) == keep) for kind, case_base in case_bases.items()}


@pytest.fixture(scope="module")
def learned(cases: CaseCollection) -> PolicyNetwork:
    return train(cases_in(cases))


def test_the_policy_network_predicts_choices_of_games_it_was_not_trained_on(
    learned: PolicyNetwork, cases: CaseCollection
) -> None:
    new = cases_in(cases, keep=False)
    likely = learned.probabilities(TYPE_ACTION, new[TYPE_ACTION])
    assert np.allclose(likely.sum(1), 1, atol=1e-5)
    right = (np.array(ROUND_ACTIONS)[likely.argmax(1)] == new[TYPE_ACTION].classes).mean()
    assert right > 0.6, "the most frequent action alone is right in less than 0.4"
    settled = new[TYPE_SETTLE]
    likely = learned.probabilities(TYPE_SETTLE, settled, offered_mask(settled))
    assert (likely.argmax(1) == settled.classes).mean() > 0.6


def test_only_what_is_offered_has_a_probability(learned: PolicyNetwork, cases: CaseCollection) -> None:
    case_base = cases.case_base(TYPE_SETTLE)
    offered = offered_mask(case_base)
    assert learned.probabilities(TYPE_SETTLE, case_base, offered)[~offered].max() == 0


def test_one_case_has_the_same_probabilities_as_among_others(learned: PolicyNetwork, cases: CaseCollection) -> None:
    case_base = cases.case_base(TYPE_ACTION)
    together = learned.probabilities(TYPE_ACTION, case_base)
    for case in range(0, len(case_base), 100):
        alone = learned.probabilities(TYPE_ACTION, case_base.subset(np.array([case])))[0]
        assert np.allclose(alone, together[case], atol=1e-5)


def test_the_gradient_agrees_with_differences(learned: PolicyNetwork, cases: CaseCollection) -> None:
    """The gradient is that of the mean loss: a small step changes the loss by so much."""
    case_base = cases.case_base(TYPE_SETTLE).subset(np.arange(40))
    examples, rows = TrainingSet.of(TYPE_SETTLE, case_base, learned.bins), np.arange(40)
    weights = TypeWeights(learned.hidden, learned.bias, *learned.heads[TYPE_SETTLE])

    def loss(part: TypeWeights) -> float:
        changed = PolicyNetwork(
            learned.bins,
            part.hidden,
            part.bias,
            {TYPE_SETTLE: PolicyHead(part.head, part.head_bias)},
        )
        likely = changed.probabilities(TYPE_SETTLE, case_base, offered_mask(case_base)).astype(np.float64)
        return float(-np.log(likely[rows, case_base.classes]).mean())

    found = gradient(weights, examples, rows, np.random.default_rng(0), dropout=0.0)
    rng = np.random.default_rng(1)
    for name, array in weights._asdict().items():
        direction = getattr(found, name) + rng.normal(0, 1e-4, array.shape).astype(np.float32)
        step = 1e-2 / np.sqrt(float((direction**2).sum()))
        ahead, behind = (loss(weights._replace(**{name: array + sign * step * direction})) for sign in (1, -1))
        expected = float((getattr(found, name) * direction).sum())
        assert (ahead - behind) / (2 * step) == pytest.approx(expected, rel=0.05), name


def test_the_policy_network_is_kept_with_the_cases(learned: PolicyNetwork, cases: CaseCollection) -> None:
    case_base = cases.case_base(TYPE_ACTION)
    again = PolicyNetwork.from_data(learned.as_data())
    likely = learned.probabilities(TYPE_ACTION, case_base)
    assert np.allclose(again.probabilities(TYPE_ACTION, case_base), likely, atol=0.02)
    seen = again.with_policy_features(case_base)
    assert seen.schema is ACTION_SCHEMA
    assert np.abs(seen.number("policy_5") / 255 - likely[:, 3]).max() < 0.03


def test_a_policy_network_of_another_version_is_refused(learned: PolicyNetwork) -> None:
    data = learned.as_data()
    for damaged in ({**data, "hidden": data["bias"]}, {name: data[name] for name in ("lowest", "width")}):
        with pytest.raises(BadCaseBase, match="build the case base again"):
            PolicyNetwork.from_data(damaged)


def test_a_network_trained_on_nothing_expects_everything_alike(cases: CaseCollection) -> None:
    nothing = {kind: cases.case_base(kind).subset(np.zeros(0, np.int64)) for kind in CORE_HEADS}
    assert np.allclose(train(nothing).probabilities(TYPE_ACTION, cases.case_base(TYPE_ACTION)), 1 / 7)


def test_softmax() -> None:
    assert softmax(np.log(np.array([[1.0, 3.0]], np.float32)))[0].tolist() == pytest.approx([0.25, 0.75])


def test_the_case_file_of_the_package() -> None:
    """It fits into the package, comes from netsearch, and has a policy network."""
    from importlib.resources import files

    file = files("boardwright.scout.cases").joinpath("default.cases")
    assert len(file.read_bytes()) < 3_000_000
    cases = load_cases("default")
    assert cases.games > 700
    assert cases.meta["from"] == "netsearch"
    assert cases.meta["policy_network"]["games"] > cases.games
