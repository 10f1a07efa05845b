"""An expert's labels for what a learner came to (DAgger), their file, and the network that learns from them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.cbr.store import BadCaseBase
from boardwright.cli import main
from boardwright.games.race.declaration import game as race
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.registry import make_agent
from boardwright.scout.cases.building import choices_of, decisions, has_choice
from boardwright.scout.cases.collection import POLICY_NETWORK
from boardwright.scout.cases.files import load_cases
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DISCARD, TYPE_PAYMENT
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.expert_labels import Labels, label_game, soft_targets, training_sets
from boardwright.scout.reasoners.label_file import GameLabels, open_label_file, read_labels
from boardwright.scout.reasoners.policy_network import (
    CORE_HEADS,
    GIVING_HEADS,
    POLICY_TYPES,
    PolicyNetwork,
    offered_mask,
)
from boardwright.scout.reasoners.policy_training import (
    FROM_SCRATCH,
    choices_as_targets,
    examples_of,
    train,
    train_on,
)
from boardwright.scout.reasoners.recommendation import IndexedProblem
from boardwright.scout.reasoners.settings import Settings

EXPERT = "netsearch:determinizations=2,width=4"


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    match = Match("race", ("heuristic", "random"), 5)
    return [match.play(index) for index in range(12)]


@pytest.fixture(scope="module")
def labels(games: list[GameRecord]) -> Labels:
    expert = make_agent(EXPERT, race, 0, seed=1)
    return label_game(games[0], games[0].order.index(0), expert)


def one_action(values: dict[int, float], priors: dict[int, float], labels: Labels) -> Labels:
    """One of the action labels with other values."""
    made = Labels.none(1)._replace(records=labels.of_type(TYPE_ACTION).records[:1])
    for column, value in values.items():
        made.values[0, column] = value
    for column, prior in priors.items():
        made.priors[0, column] = prior
    return made


def test_positions_are_the_learners_and_choices_the_experts(games: list[GameRecord], labels: Labels) -> None:
    seat = games[0].order.index(0)
    own = choices_of(games[0], CORE_HEADS, seat)
    asked = labels.records.copy()
    assert (asked["choice"] != own["choice"]).any(), "the expert plays otherwise"
    asked["choice"] = own["choice"]
    assert asked.tobytes() == own.tobytes()
    for record, values, priors in zip(*labels, strict=True):
        chosen = index_cases(np.array([record])).classes[0]
        column = ROUND_ACTIONS.index(chosen) if record["type"] == TYPE_ACTION else chosen
        assert not np.isnan(values[column])
        assert np.nanmax(values) <= 1
        assert priors.sum() == pytest.approx(1, abs=1e-3)


def test_near_ties_share_the_probability_and_blunders_get_none(labels: Labels) -> None:
    tie = one_action({0: 0.50, 1: 0.50, 2: 0.20}, {0: 0.25, 1: 0.25, 2: 0.5}, labels)
    (targets,) = soft_targets(TYPE_ACTION, tie, 0.03).toarray()
    assert targets[:2] == pytest.approx([0.5, 0.5], abs=1e-3)
    assert targets[2] < 0.001
    assert not targets[3:].any(), "what the expert did not look at"


def test_a_target_is_the_prior_times_the_power_of_the_value(labels: Labels) -> None:
    label = one_action({0: 0.50, 1: 0.53}, {0: 0.8, 1: 0.2}, labels)
    (targets,) = soft_targets(TYPE_ACTION, label, 0.03).toarray()
    assert targets[0] / targets[1] == pytest.approx(4 / np.e, rel=1e-3)


def test_the_experts_choice_is_the_target_where_it_gives_no_values(labels: Labels) -> None:
    actions = labels.of_type(TYPE_ACTION)
    unvalued = Labels.none(len(actions.records))._replace(records=actions.records)
    expected = choices_as_targets(TYPE_ACTION, index_cases(actions.records)).toarray()
    assert (soft_targets(TYPE_ACTION, unvalued, 0.03).toarray() == expected).all()


def test_a_network_comes_to_expect_what_the_expert_values(games: list[GameRecord], labels: Labels) -> None:
    cases = examples_of(choices_of(games[0], POLICY_TYPES, 0, 1), POLICY_TYPES)
    start = train(cases)
    sets = training_sets(labels, start.bins, 0.03)
    trained = train_on(sets, start, FROM_SCRATCH._replace(epochs=150), np.random.default_rng(0))
    actions = labels.of_type(TYPE_ACTION)
    targets = sets[TYPE_ACTION].targets.toarray()
    apart = [
        np.abs(network.probabilities(TYPE_ACTION, index_cases(actions.records)) - targets).sum(1).mean()
        for network in (start, trained)
    ]
    assert apart[1] < apart[0] / 2
    assert (trained.heads[TYPE_PAYMENT].weights == start.heads[TYPE_PAYMENT].weights).all(), "it was not labelled"


def test_labels_are_kept_line_by_line(games: list[GameRecord], labels: Labels, tmp_path: Path) -> None:
    file = tmp_path / "some.labels"
    with open_label_file(file) as out:
        for game in games[:2]:
            out.append(GameLabels.of(game, EXPERT, labels))
    again, n = read_labels(file)
    assert n == 2
    assert again.records.tobytes() == labels.records.tobytes() * 2
    assert np.allclose(again.values[: len(labels.values)], labels.values, atol=1e-4, equal_nan=True)
    assert np.allclose(again.priors[: len(labels.priors)], labels.priors, atol=1e-4)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    with pytest.raises(BadCaseBase, match="cut off"):
        read_labels(file)
    with open_label_file(file) as out:
        assert list(out.games) == [0], "the unfinished line is dropped"
    assert file.read_bytes() == whole.splitlines(keepends=True)[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"records":"', b'"records":"AAAA'),
        (b'"options":[[', b'"options":[[],[['),
        (b'"options":[[[', b'"options":[[[96,0.5,null],['),
        (b'"format":1', b'"format":[]'),
        (b'{"format"', b"{'format'"),
    ],
)
def test_damaged_labels_are_refused(
    games: list[GameRecord], labels: Labels, tmp_path: Path, old: bytes, new: bytes
) -> None:
    line = GameLabels.of(games[0], EXPERT, labels).model_dump_json().encode()
    assert old in line
    file = tmp_path / "bad.labels"
    file.write_bytes(line.replace(old, new, 1) + b"\n")
    with pytest.raises(BadCaseBase, match=r"bad\.labels"):
        read_labels(file)


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_labelling_goes_on_and_a_network_is_trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stopped after one of three games, it ends with the same file; `cases build` learns from it."""
    first, out = tmp_path / "first.cases", tmp_path / "heuristic.labels"
    given = ["--of", "heuristic", "--vs", "random", "--expert", EXPERT, "--seed", "3", "--out", str(out)]
    assert call("cases", "label", *given, "--games", "3") == 0
    whole = out.read_bytes()
    out.write_bytes(whole[: whole.index(b"\n") + 20])
    assert call("cases", "label", *given, "--games", "3") == 0
    assert out.read_bytes() == whole
    assert "of 3 games" in capsys.readouterr().out
    assert call("cases", "label", *given[:-1], str(out), "--expert", "heuristic", "--games", "3") == 1
    assert "by another expert" in capsys.readouterr().err

    assert call("cases", "build", "--from", "heuristic", "--games", "4", "--out", str(first)) == 0
    further = tmp_path / "further.cases"
    build = ["cases", "build", "--labels", str(out), "--out", str(further)]
    assert call(*build, "--begin-with", str(first)) == 0
    before, after = (load_cases(str(file)) for file in (first, further))
    assert before.records.tobytes() == after.records.tobytes()
    assert after.meta[POLICY_NETWORK]["further"] == [{"labels": "heuristic.labels", "games": 3}]
    assert after.meta[POLICY_NETWORK]["hidden"] != before.meta[POLICY_NETWORK]["hidden"]
    assert call(*build) == 1
    assert "--begin-with" in capsys.readouterr().err


def test_what_is_given_away_together_shares_the_target(games: list[GameRecord]) -> None:
    cases = examples_of(choices_of(games[0], GIVING_HEADS, 0, 1), GIVING_HEADS)
    for kind in GIVING_HEADS:
        targets = choices_as_targets(kind, cases[kind]).toarray()
        taken = cases[kind].membership("taken")
        assert np.allclose(targets.sum(1), 1)
        assert ((targets > 0)[:, : taken.shape[1]] == taken).all()
        assert not offered_mask(cases[kind], kind)[:, -1].any(), "to give nothing away is no option"


def test_a_network_without_heads_for_giving_leaves_that_to_the_cases(games: list[GameRecord], tmp_path: Path) -> None:
    """As the networks of older case bases do; with the heads, what the network expects counts."""
    file = tmp_path / "heuristic.cases"
    assert call("cases", "build", "--from", "heuristic", "--games", "6", "--heads", "all", "--out", str(file)) == 0
    cases = load_cases(str(file))
    data = cases.meta[POLICY_NETWORK]
    assert set(data["heads"]) == {str(kind) for kind in POLICY_TYPES}
    older = {**data, "heads": {str(kind): data["heads"][str(kind)] for kind in CORE_HEADS}}
    assert set(PolicyNetwork.from_data(older).heads) == set(CORE_HEADS)
    alone, with_older, with_heads = (
        Reasoners(replace(cases, meta={POLICY_NETWORK: network} if network else {}), Settings())
        for network in (None, older, data)
    )
    asked = [
        IndexedProblem(problem)
        for _, problem, _ in decisions(games[1], 0, 1)
        if problem.type in (TYPE_DISCARD, TYPE_PAYMENT)
    ]

    def votes(reasoners: Reasoners) -> list[object]:
        return [
            (reasoners.discard if indexed.problem.type == TYPE_DISCARD else reasoners.payment).reason(indexed).votes
            for indexed in asked
        ]

    assert votes(alone) == votes(with_older) != votes(with_heads)


def test_without_weight_for_cases_the_network_decides(games: list[GameRecord]) -> None:
    """With a case weight of 0 the choice is what the network expects most, of the actions that do something."""
    cases = load_cases("default")
    reasoners = Reasoners(cases.first_games(50), Settings(case_weight=0, rules="none"))
    network = reasoners.policy_network
    assert network is not None
    asked = 0
    for _, problem, _ in decisions(games[2], 0, 1):
        if problem.type not in CORE_HEADS or not has_choice(problem):
            continue
        indexed = IndexedProblem(problem)
        offered = None if problem.type == TYPE_ACTION else offered_mask(indexed.features)
        likely = network.probabilities(problem.type, indexed.features, offered)[0]
        best = ROUND_ACTIONS[likely.argmax()] if problem.type == TYPE_ACTION else likely.argmax()
        assert reasoners.reason(indexed, random.Random(0)).chosen == best
        asked += 1
    assert asked > 10
