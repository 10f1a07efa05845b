"""Networks, their training, and the search that uses them."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.exploiter import OpponentGame
from boardwright.errors import BadGame, BadRecord, BadSpec, IllegalAction
from boardwright.executors import Executor, InProcess, Processes, Threads
from boardwright.kernel.automatic_features import own_features
from boardwright.kernel.contract import shipped_named_networks, shipped_networks
from boardwright.kernel.features import KEPT_PARTS, SparseFeatures
from boardwright.learn import agents, turn_search
from boardwright.learn import network as networks
from boardwright.learn.adam import Adam
from boardwright.learn.agents import NetPolicy, NetSearch, NetworkAgent
from boardwright.learn.auxiliary import Auxiliary, auxiliary_targets
from boardwright.learn.config import TrainingConfig
from boardwright.learn.first_layer import (
    ROWS_BLOCK,
    FirstLayer,
    begin_rollout,
    forget,
    hidden_layer_of,
    update_hidden_layer,
)
from boardwright.learn.generation import SelfPlayGame, play_generation
from boardwright.learn.imitation import Examples
from boardwright.learn.loss import evaluate, fit, loss_and_gradient
from boardwright.learn.network import (
    MANTISSA_BITS,
    Network,
    hidden_layer,
    initial_weights,
    load,
    policy_head,
    split_units,
    value_head,
)
from boardwright.learn.puct import PUCT
from boardwright.learn.training import Training
from boardwright.learn.training_set import TrainingSet, td_lambda_targets
from boardwright.learn.trajectory import Trajectory
from boardwright.learn.workspace import Workspace
from tests.conftest import replaced, wait_until

TAKE_THREE = Path(__file__).parent / "games" / "take_three.py"


@pytest.fixture(scope="module")
def take_three() -> bw.Game:
    return bw.game(str(TAKE_THREE))


def config(**changes: Any) -> TrainingConfig:
    return dataclasses.replace(TrainingConfig("take_three", 2, games=96, seed=3, generation_size=32), **changes)


def weights_after(training: Training, executor: Executor | None = None) -> list[np.ndarray[Any, Any]]:
    while not training.finished:
        training.advance(executor or InProcess())
    return [array.copy() for array in training.optimizer.weights]


def trajectory(seats: list[int], values: list[float], actions: list[int]) -> Trajectory:
    """Rows without features and with so many legal actions, as far as values are concerned."""
    room = sum(actions)
    return Trajectory(
        np.zeros(0, np.uint16), np.zeros(0, np.float32), np.zeros(len(seats), np.int64),
        np.zeros(room, np.uint16), np.zeros(room, np.float32), np.cumsum(actions),
        np.array(seats, np.int8), np.array(values, np.float32),
    )  # fmt: skip


def test_value_targets_are_lambda_returns_over_the_same_seats_later_searches() -> None:
    rows = trajectory([0, 1, 0, 0, 0], [0.9, 0.5, 0.6, 0.0, 0.2], [2, 3, 2, 0, 2])
    targets = td_lambda_targets(rows, (1.0, 0.0), td_lambda=0.5)
    # Seat 0's last row has the result 1 for its target; the rows before it 0.5 * 0.2 + 0.5 * 1, for the one without
    # actions has no search value to pass on; the first row 0.5 * 0.6 + 0.5 * 0.6.
    assert targets == pytest.approx([0.6, 0.0, 0.6, 0.6, 1.0])
    assert td_lambda_targets(rows, (1.0, 0.0), td_lambda=1.0) == pytest.approx([1, 0, 1, 1, 1])


def test_a_batch_gives_each_row_its_own_features_and_actions() -> None:
    first = Trajectory(
        np.array([2, 0, 2], np.uint16), np.array([1.0, 0.5, 1.0], np.float32), np.array([3]),
        np.array([1], np.uint16), np.array([1.0], np.float32), np.array([1]),
        np.array([0], np.int8), np.array([0.5], np.float32),
    )  # fmt: skip
    second = Trajectory(
        np.array([1], np.uint16), np.array([3.0], np.float32), np.array([1]),
        np.array([0, 2], np.uint16), np.array([0.25, 0.75], np.float32), np.array([2]),
        np.array([1], np.int8), np.array([0.5], np.float32),
    )  # fmt: skip
    training_set = TrainingSet.from_trajectories([first, second], [(1.0, 0.0), (0.0, 1.0)], td_lambda=1.0)
    batch = training_set.batch(np.array([1, 0]), num_features=3, num_actions=3)
    assert batch.features.toarray().tolist() == [[0, 3, 0], [0.5, 0, 2]]  # added twice, it is summed
    assert batch.value_target.tolist() == [1, 1]
    assert batch.policy_target.tolist() == [[0.25, 0, 0.75], [0, 1, 0]]
    assert batch.legal.tolist() == [[True, False, True], [False, True, False]]


def some_training_set(game: bw.Game) -> TrainingSet:
    training = Training.begin(config(), game)
    played = play_generation(training.config, game, training.features, training.optimizer.weights, 0, 8, InProcess())
    return TrainingSet.from_trajectories(*played[:3], td_lambda=0.9)


def shaken(game: bw.Game, seed: int = 1) -> Any:
    """Weights that are not zero anywhere."""
    random = np.random.default_rng(seed)
    weights = initial_weights(len(game.learning.feature_names), game.num_actions, random)
    for array in weights:
        array += random.normal(0, 0.1, array.shape).astype(np.float32)
    return weights


def test_the_gradient_agrees_with_differences_of_the_losses(take_three: bw.Game) -> None:
    training_set, weights = some_training_set(take_three), shaken(take_three)
    features = len(take_three.learning.feature_names)
    batch = training_set.batch(np.arange(training_set.rows), features, take_three.num_actions)
    _, gradient = loss_and_gradient(weights, batch)
    for name, array in weights._asdict().items():
        partial = getattr(gradient, name)
        place = np.unravel_index(np.abs(partial).argmax(), partial.shape)
        middle, step = array[place], np.float32(1e-2)
        losses = []
        for value in (middle + step, middle - step):
            array[place] = value
            losses.append(sum(loss_and_gradient(weights, batch)[0]))
        array[place] = middle
        assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(partial[place], rel=0.02, abs=1e-4), name


def test_the_gradient_of_auxiliary_targets_agrees_with_differences_of_their_loss(take_three: bw.Game) -> None:
    training_set, weights = some_training_set(take_three), shaken(take_three)
    features = len(take_three.learning.feature_names)
    batch = training_set.batch(np.arange(training_set.rows), features, take_three.num_actions)
    auxiliary = Auxiliary(len(weights.hidden_bias), 0.5)
    head = auxiliary.optimizer.weights
    head.head[:] = np.random.default_rng(2).normal(0, 0.1, head.head.shape)
    hidden = evaluate(weights, batch).hidden

    def loss() -> float:
        foretold = evaluate(weights, batch).hidden.astype(np.float64) @ head.head.T + head.bias
        return float(0.25 * np.sum((foretold - batch.auxiliary_target) ** 2) / len(foretold))

    def difference(array: Any, place: Any) -> float:
        middle, losses = array[place], []
        for value in (middle + 2e-3, middle - 2e-3):  # small, since units begin at 0
            array[place] = value
            losses.append(loss())
        array[place] = middle
        return (losses[0] - losses[1]) / 4e-3

    _, of_head = auxiliary.gradient(hidden, batch.auxiliary_target)
    for name, array in head._asdict().items():
        partial = getattr(of_head, name)
        place = np.unravel_index(np.abs(partial).argmax(), partial.shape)
        assert difference(array, place) == pytest.approx(partial[place], rel=0.02), name
    plain = loss_and_gradient(weights, batch)[1].hidden_bias
    partial = loss_and_gradient(weights, batch, auxiliary, learning_rate=0.0)[1].hidden_bias - plain
    unit = int(np.abs(partial).argmax())
    assert difference(weights.hidden_bias, unit) == pytest.approx(partial[unit], rel=0.02)


def test_auxiliary_targets_are_the_lead_and_what_is_left_of_the_game() -> None:
    """Two games of two and three seats. Leads of 4, -4, 1, -1 and -3 points are scaled by their standard deviation,
    rows to come by the three that games have in the mean."""
    short, long = trajectory([0, 1], [0.5, 0.5], [2, 2]), trajectory([2, 0, 1, 2], [0.5] * 4, [2] * 4)
    targets = auxiliary_targets([short, long], [(7.0, 3.0), (5.0, 4.0, 2.0)])
    spread = np.std([4, -4, 1, -1, -3])
    assert targets[:, 0] == pytest.approx(np.array([4, -4, -3, 1, -1, -3]) / spread)
    assert targets[:, 1] == pytest.approx(np.array([2, 1, 4, 3, 2, 1]) / 3)


def test_pruned_policy_targets_leave_unlikely_actions_out() -> None:
    """A row for the value alone has none to leave out."""
    rows = trajectory([0, 1, 0], [0.5] * 3, [3, 0, 2])
    rows = rows._replace(policy_target=np.array([0.6, 0.1, 0.3, 0.5, 0.5], np.float32))
    training_set = TrainingSet.from_trajectories([rows], [(1.0, 0.0)], td_lambda=0.9)
    assert training_set.pruned(0.25).policy_target.tolist() == pytest.approx([2 / 3, 0, 1 / 3, 0.5, 0.5])
    assert training_set.pruned(0.01).policy_target.tolist() == pytest.approx([0.6, 0.1, 0.3, 0.5, 0.5])


def test_rows_are_turned_at_random_by_the_symmetries() -> None:
    rows = trajectory([0] * 40, [0.5] * 40, [2] * 40)._replace(
        feature_index=np.arange(40, dtype=np.uint16) % 2,  # 0 becomes 2, and 1 stays 1
        feature_value=np.ones(40, np.float32),
        feature_end=np.arange(1, 41),
        action=np.tile(np.array([0, 1], np.uint16), 40),
        policy_target=np.tile(np.array([0.25, 0.75], np.float32), 40),
    )
    training_set = TrainingSet.from_trajectories([rows], [(1.0, 0.0)], td_lambda=0.9)
    turned = training_set.turned([((2, 1, 0), (1, 0))], np.random.default_rng(0))
    before, after = (one.batch(np.arange(40), 3, 2) for one in (training_set, turned))
    changed = (before.policy_target != after.policy_target).any(1)
    assert 10 < changed.sum() < 30
    assert np.array_equal(after.features.toarray()[changed], before.features.toarray()[changed][:, ::-1])
    assert np.array_equal(after.policy_target[changed], before.policy_target[changed][:, ::-1])
    assert np.array_equal(after.features.toarray()[~changed], before.features.toarray()[~changed])
    with pytest.raises(BadSpec, match="symmetries"):
        Training.begin(config(symmetric=True), bw.game(str(TAKE_THREE)))


@pytest.mark.parametrize("changes", [{"auxiliary": 0.5}, {"pruned": 0.2}, {"pool": ("random",)}])
def test_training_with_more_options_goes_on_from_a_checkpoint(
    take_three: bw.Game, tmp_path: Path, changes: dict[str, Any]
) -> None:
    whole = Training.begin(config(**changes), take_three)
    whole.kind = OpponentGame
    part = Training.begin(config(**changes), take_three)
    part.kind = OpponentGame
    part.advance(InProcess())
    part.save(tmp_path / "part.checkpoint")
    resumed = Training.resume(tmp_path / "part.checkpoint", config(**changes), take_three)
    resumed.kind = OpponentGame
    plain = weights_after(Training.begin(config(), take_three))
    trained = weights_after(whole)
    assert all(np.array_equal(a, b) for a, b in zip(trained, weights_after(resumed), strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(trained, plain, strict=True))


def test_actions_that_never_occur_cost_nothing_and_change_nothing(take_three: bw.Game) -> None:
    """Fitting leaves their columns out, where they are most of them."""
    rows = trajectory([0, 1], [0.5, 0.5], [2, 2])
    rows = rows._replace(action=np.array([0, 7, 0, 7], np.uint16), policy_target=np.full(4, 0.5, np.float32))
    training_set = TrainingSet.from_trajectories([rows], [(1.0, 0.0)], td_lambda=0.9)
    fitted = []
    for actions in (12, 20):  # 2 of 12 and of 20 are few; of 8 they would not be
        weights = initial_weights(3, actions, np.random.default_rng(1))
        weights.policy[7] = 0.1
        optimizer = Adam(weights)
        whole = loss_and_gradient(weights, training_set.batch(np.arange(2), 3, actions))[0]
        assert fit(optimizer, training_set, 1e-2, 1, np.random.default_rng(0)) == pytest.approx(whole, rel=1e-5)
        assert not optimizer.weights.policy[8:].any()
        fitted.append(optimizer.weights.policy[:8].copy())
    assert np.array_equal(*fitted)


def test_playing_and_learning_evaluate_the_same_network(take_three: bw.Game) -> None:
    weights = shaken(take_three)
    sparse = SparseFeatures.with_capacity(len(take_three.learning.feature_names))
    hidden, policy = np.zeros(len(weights.hidden_bias), np.float32), np.zeros(3)
    take_three.entries.features(take_three.new(seed=4).memory, 0, sparse)
    hidden_layer(weights, sparse, hidden)
    policy_head(weights, hidden, np.arange(3), 3, policy)
    dense = sparse.dense(len(take_three.learning.feature_names))
    layer = np.maximum(dense @ weights.hidden + weights.hidden_bias, 0)
    value_hidden = np.maximum(weights.value_hidden @ layer + weights.value_hidden_bias, 0)
    assert value_head(weights, hidden) == pytest.approx(
        1 / (1 + np.exp(-(value_hidden @ weights.value + weights.value_bias[0]))), rel=1e-5
    )
    exponentials = np.exp(weights.policy @ layer + weights.policy_bias)
    assert policy == pytest.approx(exponentials / exponentials.sum(), rel=1e-5)


@pytest.mark.parametrize("units", [16, ROWS_BLOCK, 2 * ROWS_BLOCK + 5])
def test_a_hidden_layer_that_is_kept_up_to_date_is_that_of_the_position(units: int) -> None:
    """Features come, go, change, are there twice or not at all; rollouts and searches begin in between."""
    random, features = np.random.default_rng(2), 40
    weights = initial_weights(features, 3, random, units)
    kept, sparse = FirstLayer.sized(features, units), SparseFeatures.with_capacity(features, KEPT_PARTS)
    anew, hidden = np.zeros(units, np.float32), np.zeros(units, np.float32)
    listed = [(int(random.integers(features)), 1.0) for _ in range(12)]
    for step in range(300):
        if step % 7 == 0:
            begin_rollout(kept)
        if step % 100 == 50:
            forget(kept, sparse, weights, weights)
        listed = [one for one in listed if random.random() > 0.1]
        listed += [(int(random.integers(features)), float(random.random())) for _ in range(random.integers(3))]
        sparse.count[0] = len(listed)
        for place, (index, value) in enumerate(listed):
            sparse.index[place], sparse.value[place] = index, value
        update_hidden_layer(weights, sparse, kept, step % 2, hidden)
        hidden_layer(weights, sparse, anew)
        assert np.allclose(hidden, anew, rtol=1e-6, atol=1e-4)
        assert not kept.change.any()


@pytest.mark.parametrize(("name", "seats"), [("race", 2), ("race", 4), ("wonders", 3), ("wonders", 5)])
def test_parts_that_are_kept_are_those_of_the_position(name: str, seats: int) -> None:
    """What a part's digest leaves out would show: the part of another position is taken for it."""
    game, random, units = bw.game(name), np.random.default_rng(3), 8
    weights = initial_weights(len(game.learning.feature_names), game.num_actions, random, units)
    workspace, rules = Workspace.for_game(game, seats=seats), game.entries.learning_rules
    sparse, anew = SparseFeatures.with_capacity(len(weights.hidden)), np.zeros(units, np.float32)
    for seed in range(5):
        state = game.new(seed=seed, seats=seats)
        while not state.is_terminal:
            for seat in range(seats):
                for memory in (state.memory, state.observation(seat).memory):
                    hidden_layer_of(rules, weights, memory, seat, workspace)
                    game.entries.features(memory, seat, sparse)
                    hidden_layer(weights, sparse, anew)
                    assert np.allclose(workspace.hidden[:units], anew, rtol=1e-6, atol=1e-4)
            state.apply(int(random.choice(state.legal_actions())))
    assert not game.entries.features(state.memory, 0, workspace.sparse)
    assert workspace.sparse.count[0] > 20  # asked for all features, it lists them, whatever is kept


def test_parts_of_a_network_do_not_lie_on_those_of_a_wider_one() -> None:
    """A seat's own network and that of its opponents may differ in width."""
    race, random = bw.game("race"), np.random.default_rng(6)
    narrow, wide = (
        initial_weights(len(race.learning.feature_names), race.num_actions, random, units) for units in (8, 24)
    )
    workspace, rules = Workspace.for_game(race), race.entries.learning_rules
    sparse, anew = SparseFeatures.with_capacity(len(wide.hidden)), np.zeros(24, np.float32)
    forget(workspace.first_layer, workspace.sparse, narrow, wide)
    state = race.new(seed=1)
    while not state.is_terminal:
        for seat, weights in itertools.product((0, 1), (narrow, wide)):
            units = weights.hidden_bias.size
            hidden_layer_of(rules, weights, state.memory, seat, workspace)
            race.entries.features(state.memory, seat, sparse)
            hidden_layer(weights, sparse, anew[:units])
            assert workspace.hidden[:units] == pytest.approx(anew[:units], abs=1e-4)
        state.apply(int(random.choice(state.legal_actions())))


def test_nothing_is_kept_of_weights_that_have_changed() -> None:
    """Training changes weights in place, and searches go on in the same workspace."""
    race, random = bw.game("race"), np.random.default_rng(5)
    weights = initial_weights(len(race.learning.feature_names), race.num_actions, random, 8)
    weights.policy[:] = random.normal(size=weights.policy.shape)
    rules, priors = race.entries.learning_rules, turn_search.kernel("policy_priors")
    used, states = Workspace.for_game(race), [race.new(seed=seed) for seed in range(3)]

    def found(workspace: Workspace) -> list[float]:
        numbers: list[float] = []
        for state in states:
            workspace.observation[:] = state.observation(0).memory
            n = priors(rules, turn_search.Models(weights, weights), 0, workspace)
            numbers += workspace.prior[:n].tolist()
        return numbers

    before = found(used)
    assert found(used) == before
    for array in (weights.hidden, weights.hidden_bias):
        array += random.normal(size=array.shape).astype(np.float32)
    assert found(used) == found(Workspace.for_game(race)) != before


def test_the_same_seed_gives_the_same_weights_wherever_games_are_played(take_three: bw.Game) -> None:
    alone = weights_after(Training.begin(config(), take_three))
    together = weights_after(Training.begin(config(), take_three), executor=Threads(3))
    apart = weights_after(Training.begin(config(), take_three), executor=Processes(2))
    other = weights_after(Training.begin(config(seed=4), take_three))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(alone, apart, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(alone, other, strict=True))


def test_training_goes_on_from_a_checkpoint_as_if_nothing_had_happened(take_three: bw.Game) -> None:
    through = weights_after(Training.begin(config(), take_three))
    stopped = Training.begin(config(), take_three)
    stopped.advance(InProcess())
    stopped.save(Path("half.checkpoint"))
    resumed = Training.resume(Path("half.checkpoint"), config(), take_three)
    assert resumed.games == 32
    assert all(np.array_equal(a, b) for a, b in zip(through, weights_after(resumed), strict=True))


def test_asynchronous_training_is_one_update_behind_wherever_games_are_played(take_three: bw.Game) -> None:
    settings = config(asynchronous=True, games=96)
    alone = Training.begin(settings, take_three)
    weights = weights_after(alone)
    assert [entry.staleness for entry in alone.curve] == [0, 1, 1]
    apart = weights_after(Training.begin(settings, take_three), executor=Processes(2))
    assert all(np.array_equal(a, b) for a, b in zip(weights, apart, strict=True))
    synchronous = weights_after(Training.begin(config(games=96), take_three))
    assert not all(np.array_equal(a, b) for a, b in zip(weights, synchronous, strict=True))
    two = (weights_after(Training.begin(config(games=32, asynchronous=one), take_three)) for one in (False, True))
    assert all(np.array_equal(a, b) for a, b in zip(*two, strict=True)), "the first generation is as any other"


def test_asynchronous_training_goes_on_from_a_checkpoint_as_if_nothing_had_happened(take_three: bw.Game) -> None:
    settings = config(asynchronous=True, games=128)
    through = weights_after(Training.begin(settings, take_three))
    stopped = Training.begin(settings, take_three)
    for _ in range(2):
        stopped.advance(InProcess())
    stopped.save(Path("half.checkpoint"))
    stopped.stop()
    resumed = Training.resume(Path("half.checkpoint"), settings, take_three)
    assert all(np.array_equal(a, b) for a, b in zip(through, weights_after(resumed), strict=True))


def test_games_that_are_played_ahead_fail_where_they_are_waited_for(take_three: bw.Game) -> None:
    class Broken(SelfPlayGame):
        def __call__(self, number: int) -> Any:
            if self.generation == 1:
                raise BadGame("broken")
            return super().__call__(number)

    training = Training.begin(config(asynchronous=True, games=96), take_three)
    training.kind = Broken
    training.advance(InProcess())
    with pytest.raises(BadGame, match="broken"):
        training.advance(InProcess())


def test_a_checkpoint_of_another_config_is_refused(take_three: bw.Game) -> None:
    training = Training.begin(config(), take_three)
    training.save(Path("one.checkpoint"))
    with pytest.raises(BadSpec, match=r"begun with learning_rate=0\.001, not 0\.01"):
        Training.resume(Path("one.checkpoint"), config(learning_rate=0.01), take_three)
    Path("bad.checkpoint").write_bytes(b"nonsense")
    with pytest.raises(BadRecord, match=r"bad\.checkpoint is not a checkpoint"):
        Training.resume(Path("bad.checkpoint"), config(), take_three)


def test_a_checkpoint_that_does_not_know_later_settings_is_gone_on_with(take_three: bw.Game) -> None:
    Training.begin(config(), take_three).save(Path("old.checkpoint"))
    with np.load("old.checkpoint") as stored:
        arrays = dict(stored)
    metadata = json.loads(str(arrays["metadata"]))
    del metadata["config"]["turns"], metadata["config"]["begin_with"]
    with Path("old.checkpoint").open("wb") as out:
        np.savez(out, **{**arrays, "metadata": np.array(json.dumps(metadata))})
    assert Training.resume(Path("old.checkpoint"), config(), take_three).games == 0
    with pytest.raises(BadSpec, match="begun with turns=1, not 2"):
        Training.resume(Path("old.checkpoint"), config(turns=2), take_three)


def test_a_network_is_trained_further(take_three: bw.Game) -> None:
    trained = Training.begin(config(), take_three)
    trained.advance(InProcess())
    trained.network().save(Path("first.npz"))
    further = Training.begin(config(begin_with="first.npz"), take_three)
    first = load(Path("first.npz"), take_three).weights
    assert all(np.array_equal(a, b) for a, b in zip(first, further.optimizer.weights, strict=True))
    further.advance(InProcess())
    assert not np.array_equal(first.hidden, further.optimizer.weights.hidden)
    with pytest.raises(BadSpec, match="comes without a network for 2 seats"):
        Training.begin(config(begin_with="default"), take_three)


def test_a_network_for_other_seats_can_be_trained_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has learned is kept; features of seats that it never met begin at 0."""
    monkeypatch.setattr("boardwright.learn.transfer.RANDOM_GAMES", 8)
    race = bw.game("race")
    before = load(race.learning.networks[2], race).weights
    after = Training.begin(
        TrainingConfig("race", 3, 64, begin_with=str(race.learning.networks[2])), race
    ).optimizer.weights
    names = race.learning.feature_names
    second = [i for i, name in enumerate(names) if name.startswith("second seat's points")]
    own = [i for i, name in enumerate(names) if name.startswith(("own points", "own chips", "next seat's chips"))]
    assert np.array_equal(after.hidden[own], before.hidden[own])
    assert np.any(before.hidden[second]), "chance made them what they are"
    assert not np.any(after.hidden[second])
    assert np.array_equal(after.policy, before.policy)


def test_named_networks_are_trained_further() -> None:
    race = bw.game("race")
    file = race.learning.networks[2]
    large = Training.begin(TrainingConfig("race", 2, 64, begin_with="large"), race)
    assert large.optimizer.weights.hidden.shape[1] == 256
    with pytest.raises(BadRecord, match="there is no network huge; race has keldon, large"):
        Training.begin(TrainingConfig("race", 2, 64, begin_with="huge"), race)
    shipped = Training.begin(TrainingConfig("race", 2, 64, begin_with="default"), race)
    assert np.array_equal(shipped.optimizer.weights.hidden, load(file, race).weights.hidden)


def answers(game: bw.Game, weights: Any) -> list[float]:
    """The value and the policy of a position."""
    sparse = SparseFeatures.with_capacity(len(game.learning.feature_names))
    hidden, policy = np.zeros(len(weights.hidden_bias), np.float32), np.zeros(3)
    game.entries.features(game.new(seed=4).memory, 0, sparse)
    hidden_layer(weights, sparse, hidden)
    policy_head(weights, hidden, np.arange(3), 3, policy)
    return [value_head(weights, hidden), *policy.tolist()]


def test_split_units_know_what_the_units_did(take_three: bw.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = shaken(take_three)
    split = split_units(weights, np.random.default_rng(1))
    units = len(weights.hidden_bias)
    assert len(split.hidden_bias) == 2 * units
    assert not np.array_equal(split.hidden[:, :units], split.hidden[:, units:])
    assert (split.hidden[:, :units] + split.hidden[:, units:]) / 2 == pytest.approx(weights.hidden, abs=1e-6)
    assert answers(take_three, split) == pytest.approx(answers(take_three, weights), abs=0.1)
    monkeypatch.setattr(networks, "SPLIT_NOISE", 0.0)
    exact = split_units(weights, np.random.default_rng(1))
    assert answers(take_three, exact) == pytest.approx(answers(take_three, weights), rel=1e-5)


def test_a_network_can_have_another_number_of_hidden_units(take_three: bw.Game) -> None:
    small = Training.begin(config(hidden_units=40), take_three)
    weights_after(small)
    small.network().save(Path("small.npz"))
    assert load(Path("small.npz"), take_three).weights.hidden.shape[1] == 40
    assert bw.agent("netsearch:weights=small.npz", take_three, 0).decide(take_three.new(seed=0).observation(0)).reasons
    wider = Training.begin(config(begin_with="small.npz", hidden_units=160), take_three)
    assert len(wider.optimizer.weights.hidden_bias) == 160
    as_it_is = Training.begin(config(begin_with="small.npz"), take_three)
    assert len(as_it_is.optimizer.weights.hidden_bias) == 40
    with pytest.raises(BadSpec, match="has 40 hidden units, of which splitting makes 80, 160 and so on, not 100"):
        Training.begin(config(begin_with="small.npz", hidden_units=100), take_three)
    with pytest.raises(BadSpec, match="1 to 1024 units, not 2000"):
        Training.begin(config(hidden_units=2000), take_three)
    weights = initial_weights(len(take_three.learning.feature_names), 3, np.random.default_rng(0), 1025)
    Network("take_three", 2, weights, {}).save(Path("huge.npz"))
    with pytest.raises(BadRecord, match="its hidden layer has 1025 units, not 1 to 1024"):
        load(Path("huge.npz"), take_three)


def test_a_moving_average_of_the_weights_is_kept(take_three: bw.Game) -> None:
    averaged = config(averaging=0.25)
    training = Training.begin(averaged, take_three)
    mean = training.optimizer.weights.policy.copy()
    while not training.finished:
        training.advance(InProcess())
        mean += np.float32(0.25) * (training.optimizer.weights.policy - mean)
    assert training.network().weights.policy == pytest.approx(mean)
    plain = weights_after(Training.begin(config(), take_three))
    assert all(np.array_equal(a, b) for a, b in zip(plain, training.optimizer.weights, strict=True)), "self-play"

    stopped = Training.begin(averaged, take_three)
    stopped.advance(InProcess())
    stopped.save(Path("averaged.checkpoint"))
    resumed = Training.resume(Path("averaged.checkpoint"), averaged, take_three)
    weights_after(resumed)
    pairs = zip(training.network().weights, resumed.network().weights, strict=True)
    assert all(np.array_equal(a, b) for a, b in pairs)


def test_netpolicy_plays_what_its_network_expects_most(take_three: bw.Game) -> None:
    network = Network("take_three", 2, shaken(take_three), {})
    agent = NetPolicy(take_three, 0)
    agent.networks[2] = network
    observation = take_three.new(seed=4).observation(0)
    priors = seated(take_three, network).policy(observation)
    decision = agent.decide(observation)
    assert decision.action == max(priors, key=priors.__getitem__)
    assert {reason.action: reason.weight for reason in decision.reasons} == priors
    assert all(reason.value is None for reason in decision.reasons)


@pytest.mark.parametrize("agent", ["netsearch", "netpolicy", "puct:iterations=10,weights=large"])
def test_networks_of_a_game_have_names(agent: str) -> None:
    race = bw.game("race")
    named = load(race.learning.named_networks["large"][2], race)
    assert named.weights.hidden.shape[1] == 256
    spec = agent if "large" in agent else f"{agent}:weights=large"
    chosen = bw.agent(spec, race, 0)
    assert isinstance(chosen, NetworkAgent | PUCT)
    assert np.array_equal(chosen.network(2).weights.hidden, named.weights.hidden)
    with pytest.raises(BadSpec, match=r"no network for race with 3 seats \(large is for 2\); train one"):
        chosen.check_seats(3)
    with pytest.raises(BadRecord, match="there is no network larger"):
        bw.agent(f"{agent.partition(':')[0]}:weights=larger", race, 0).check_seats(2)


def test_a_network_for_the_features_before_some_were_added_plays_on(take_three: bw.Game, tmp_path: Path) -> None:
    """What was added since says nothing to it. Networks with any other number of features are refused."""
    names = take_three.learning.feature_names
    file, network = tmp_path / "before.npz", Network("take_three", 2, shaken(take_three), {})
    network.save(file)
    more = replaced(
        take_three,
        **{"learning.feature_names": (*names, "one", "two"), "learning.earlier_feature_counts": (len(names),)},
    )
    loaded = load(file, more)
    assert np.array_equal(loaded.weights.hidden[: len(names)], load(file, take_three).weights.hidden)
    assert loaded.weights.hidden.shape[0] == len(names) + 2
    assert not loaded.weights.hidden[len(names) :].any()
    other = replaced(more, **{"learning.earlier_feature_counts": (len(names) - 1,)})
    with pytest.raises(BadRecord, match="hidden has the shape"):
        load(file, other)


def test_self_play_looks_as_many_turns_ahead_as_asked_for(take_three: bw.Game) -> None:
    """Searches of two turns find other values than those of one."""
    one, two = (Training.begin(config(turns=turns), take_three) for turns in (1, 2))
    first = weights_after(one)
    assert not all(np.array_equal(a, b) for a, b in zip(first, weights_after(two), strict=True))


def test_decisions_left_unsearched_give_no_rows_of_their_own(take_three: bw.Game) -> None:
    """And with all of them searched, games are what they were before there was a choice."""
    weights = initial_weights(len(take_three.learning.feature_names), take_three.num_actions, np.random.default_rng(1))
    decisions = []
    for searched in (1.0, 0.3):
        training = Training.begin(config(searched=searched), take_three)
        generation = play_generation(training.config, take_three, training.features, weights, 0, 64, InProcess())
        played = generation.trajectories
        decisions.append(sum(int(trajectory.is_decision.sum()) for trajectory in played))
        assert all(len(trajectory.seat) > trajectory.is_decision.sum() for trajectory in played), "turn starts stay"
    assert 0.15 < decisions[1] / decisions[0] < 0.45


@pytest.mark.parametrize("search", ["turns", "tree"])
def test_an_exploiter_learns_from_its_own_decisions_alone(take_three: bw.Game, search: Any) -> None:
    """It sits in each seat in turn, and what the other does gives no rows."""
    exploiting = config(exploit="random", search=search, games=4, generation_size=4)
    training = Training.begin(exploiting, take_three)
    training.kind = OpponentGame
    weights = training.optimizer.weights
    played = [OpponentGame(exploiting, take_three, training.features, weights, 0)(number) for number in range(4)]
    for number, game in enumerate(played):
        assert set(game.trajectory.seat.tolist()) == {number % 2}
        assert game.trajectory.is_decision.any()
        assert sum(game.returns) == 1
    again = OpponentGame(exploiting, take_three, training.features, weights, 0)(3)
    assert np.array_equal(again.trajectory.action, played[3].trajectory.action)
    training.advance(InProcess())
    assert training.finished


def test_an_exploiter_of_tree_search_begins_with_actions_at_random() -> None:
    """As in self-play, so that games against an agent that leaves nothing to chance differ."""
    game = bw.game("connect_four")
    exploiting = TrainingConfig(
        "connect_four", 2, games=24, search="tree", simulations=2, opening=6, exploit="uct:iterations=1"
    )
    training = Training.begin(exploiting, game)
    play = OpponentGame(exploiting, game, training.features, training.optimizer.weights, 0)
    openings = [play._opening(game.new(seed=0), number) for number in range(24)]
    assert {len(opening) for opening in openings} == set(range(7))
    discs = [i for i, name in enumerate(training.features.names) if name.startswith(("own disc", "other's disc"))]
    for number, opening in enumerate(openings[:6]):
        played = play(number).trajectory
        first = played.feature_index[: played.feature_end[0]]
        assert len(opening) <= np.isin(first, discs).sum() <= len(opening) + 1, "no row before the opening is over"


def test_a_part_of_the_games_is_played_against_a_pool(take_three: bw.Game, tmp_path: Path) -> None:
    """Half of eight games: each agent of the pool has two of them, one with the learner in each seat. The others are
    self-play, and come out as without a pool."""
    few = "ismcts:iterations=5"
    pooled = config(pool=("random", few), pool_part=0.5, games=8, generation_size=8)
    training = Training.begin(pooled, take_three)
    weights = training.optimizer.weights
    play = OpponentGame(pooled, take_three, training.features, weights, 0)
    alone = SelfPlayGame(config(games=8), take_three, training.features, weights, 0)
    opponents = [play.opponent(number) for number in range(8)]
    assert opponents == [None, ("random", 0), None, (few, 0), None, ("random", 1), None, (few, 1)]
    games = [play(number) for number in range(8)]
    seats = [sorted(set(game.trajectory.seat.tolist())) for game in games]
    assert seats == [[0, 1], [0], [0, 1], [0], [0, 1], [1], [0, 1], [1]]
    for number in (0, 2, 4, 6):
        assert np.array_equal(games[number].trajectory.action, alone(number).trajectory.action)
    training.save(tmp_path / "c.checkpoint")
    assert Training.resume(tmp_path / "c.checkpoint", pooled, take_three).config == pooled
    with pytest.raises(BadSpec, match="pool"):
        Training.resume(tmp_path / "c.checkpoint", config(games=8, generation_size=8, pool_part=0.5), take_three)


def test_one_network_can_serve_all_seat_counts(tmp_path: Path) -> None:
    """Games of self-play have each of them in turn, and the file says so."""
    race = bw.game("race")
    training = Training.begin(TrainingConfig("race", 3, games=3, generation_size=3, all_seats=True), race)
    weights = training.optimizer.weights
    generation = play_generation(training.config, race, training.features, weights, 0, 3, InProcess())
    assert [len(seats) for seats in generation.returns] == [2, 3, 4]
    file = tmp_path / "all.npz"
    training.network().save(file)
    assert sorted(load(file, race).seat_counts) == [2, 3, 4]
    for seats in race.seats:
        bw.agent(f"netpolicy:weights={file}", race, 0).check_seats(seats)
    with pytest.raises(BadSpec, match="automatic features"):
        Training.begin(TrainingConfig("race", 3, games=3, features="automatic", all_seats=True), race)


def test_a_shipped_file_may_be_for_several_seat_counts(tmp_path: Path) -> None:
    folder = tmp_path / "networks"
    folder.mkdir()
    for name in ("3-7", "2", "5", "2-large", "3-4-large"):
        (folder / f"{name}.npz").touch()
    found = shipped_networks(str(tmp_path / "declaration.py"))
    assert {seats: file.stem for seats, file in found.items()} == {
        2: "2", 3: "3-7", 4: "3-7", 5: "5", 6: "3-7", 7: "3-7",
    }  # fmt: skip
    named = shipped_named_networks(str(tmp_path / "declaration.py"))
    assert {name: {seats: file.stem for seats, file in files.items()} for name, files in named.items()} == {
        "large": {2: "2-large", 3: "3-4-large", 4: "3-4-large"}
    }


def seated(game: bw.Game, network: Network, **params: Any) -> NetSearch:
    agent = NetSearch(game, 0, seed=1, **params)
    agent.networks[network.seats] = network
    return agent


def test_it_learns_to_leave_a_multiple_of_four(take_three: bw.Game) -> None:
    """From nothing but results: the right move in every position that has one."""
    training = Training.begin(config(games=2560, generation_size=64, learning_rate=3e-3), take_three)
    weights_after(training)
    agent = seated(take_three, training.network(), determinizations=1)
    for heap in range(5, 13):
        if heap % 4:
            state = take_three.new(seed=heap - 5)
            assert state.record.heap == heap
            decision = agent.decide(state.observation(0))
            assert decision.action == heap % 4 - 1, f"of {heap} it takes {decision.action + 1}"


def test_where_the_game_ends_the_result_counts_and_not_the_network(take_three: bw.Game) -> None:
    network = Network("take_three", 2, shaken(take_three), {})
    state = take_three.new(seed=0)  # five are left
    state.apply(1)
    state.apply(0)
    decision = seated(take_three, network).decide(state.observation(0))
    best = decision.reasons[0]
    assert (best.action, best.value) == (1, 1.0)  # takes the last two: certain, in the game's own units
    assert all(-1 < (reason.value or 0) < 1 for reason in decision.reasons[1:])


def values_of(game: bw.Game, network: Network, heap: int, **params: Any) -> dict[int, float]:
    """What a search thinks of taking one, two and three (actions 0 to 2) from a heap."""
    reasons = seated(game, network, **params).decide(game.new(seed=heap - 5).observation(0)).reasons
    return {reason.action: reason.value for reason in reasons if reason.value is not None}


def test_one_turn_is_played_unless_more_are_asked_for(take_three: bw.Game) -> None:
    """In this game a turn is one action: the value head evaluates the heap that it leaves."""
    weights = shaken(take_three)
    sparse = SparseFeatures.with_capacity(len(take_three.learning.feature_names))
    hidden = np.zeros(len(weights.hidden_bias), np.float32)
    network = Network("take_three", 2, weights, {})
    found = values_of(take_three, network, 9, determinizations=3)
    assert found == values_of(take_three, network, 9, determinizations=3, turns=1)
    for action, value in found.items():
        state = take_three.new(seed=4)
        state.apply(action)
        take_three.entries.features(state.memory, 0, sparse)
        hidden_layer(weights, sparse, hidden)
        assert value == pytest.approx(2 * value_head(weights, hidden) - 1, rel=1e-5)


def test_a_search_looks_at_the_actions_it_is_given_and_no_other(take_three: bw.Game) -> None:
    agent = seated(take_three, Network("take_three", 2, shaken(take_three), {}), determinizations=4)
    observation = take_three.new(seed=4).observation(0)
    policy = agent.policy(observation)
    assert sum(policy.values()) == pytest.approx(1)
    whole = {reason.action: (reason.value, reason.prior) for reason in agent.decide(observation).reasons}
    assert {action: prior for action, (_, prior) in whole.items()} == policy
    among = agent.decide_among(observation, policy)
    assert {reason.action: (reason.value, reason.prior) for reason in among.reasons} == whole
    some = agent.decide_among(observation, {0: 0.5, 2: 0.5})
    assert {reason.action for reason in some.reasons} == {0, 2}
    assert agent.decide_among(observation, {0: 1e-4, 2: 1.0 - 1e-4}).action in {0, 2}
    with pytest.raises(IllegalAction, match="not legal"):
        agent.decide_among(observation, {0: 0.5, 9: 0.5})
    with pytest.raises(IllegalAction, match="nothing to search"):
        agent.decide_among(observation, {})


def test_rollouts_are_shared_so_that_fewer_candidates_meet_more_determinizations(take_three: bw.Game) -> None:
    agent = seated(take_three, Network("take_three", 2, shaken(take_three), {}), rollouts=60)
    observation = take_three.new(seed=4).observation(0)
    visits = [
        [reason.visits or 0 for reason in agent.decide_among(observation, dict.fromkeys(actions, 0.5)).reasons]
        for actions in ((0, 1, 2), (0, 1))
    ]
    assert visits[1] == [30, 30]
    assert max(visits[0]) < 30
    assert all(60 <= sum(found) < 63 for found in visits)
    with pytest.raises(BadSpec, match="determinizations or rollouts, not both"):
        bw.agent("netsearch:rollouts=10,determinizations=4", bw.game("race"), 0)


def takes_one(game: bw.Game) -> Network:
    """A network that finds every position even and expects everybody to take one."""
    weights = initial_weights(len(game.learning.feature_names), game.num_actions, np.random.default_rng(0))
    for array in weights:
        array[:] = 0
    weights.policy_bias[0] = 50
    return Network("take_three", 2, weights, {})


@pytest.mark.parametrize(
    ("turns", "values"),
    [(1, [0, 0, 0]), (2, [0, 0, 0]), (3, [0, 0, 1]), (4, [0, -1, 1]), (5, [1, -1, 1]), (1000, [1, -1, 1])],
)
def test_as_many_turns_are_played_as_asked_for(take_three: bw.Game, turns: int, values: list[int]) -> None:
    """Of five, with everybody taking one afterwards: after three the own third turn takes the last one, after two the
    other's second one does, after one the own fifth."""
    found = values_of(take_three, takes_one(take_three), 5, determinizations=2, turns=turns)
    assert [found[action] for action in range(3)] == pytest.approx(values)


def test_a_search_of_several_turns_finds_the_win_that_one_turn_does_not_show(take_three: bw.Game) -> None:
    observation = take_three.new(seed=0).observation(0)
    choices = {
        turns: seated(take_three, takes_one(take_three), turns=turns).decide(observation).action
        for turns in (1, 2, 3, 4)
    }
    assert choices == {1: 0, 2: 0, 3: 2, 4: 2}


def test_played_to_the_end_results_alone_count() -> None:
    """In race a turn is a round of many actions."""
    game = bw.game("race")
    state = game.new(seed=6)
    while state.record.round < 2 or len(state.legal_actions()) < 4:
        state.apply(state.legal_actions()[0])
    reasons = (
        bw.agent("netsearch:determinizations=5,turns=1000", game, state.player, seed=1)
        .decide(state.observation(state.player))
        .reasons
    )
    tried = [reason for reason in reasons if reason.value is not None and reason.visits is not None]
    assert len(tried) >= 4
    for reason in tried:
        points = 2 * reason.value * reason.visits  # type: ignore[operator]  # games won count two, drawn ones one
        assert points == pytest.approx(round(points))


def test_a_network_can_play_for_first_places_alone(tmp_path: Path) -> None:
    """Where a game ends a first place counts, and no other, in searches as in training."""
    game = bw.game("wonders")
    training = Training.begin(
        TrainingConfig("wonders", 3, games=4, generation_size=4, begin_with="default", first_places=True), game
    )
    generation = play_generation(
        training.config, game, training.features, training.optimizer.weights, 0, 4, InProcess()
    )
    assert [sorted(returns) for returns in generation.returns] == [[0.0, 0.0, 1.0]] * 4
    file = tmp_path / "first.npz"
    training.network().save(file)
    assert load(file, game).first_places
    state, random = game.new(seed=3, seats=3), np.random.default_rng(3)
    while state.record.age < 2 or state.record.turn < 5:  # the last turn, in which every rollout comes to the end
        state.apply(int(random.choice(state.legal_actions())))
    agent = bw.agent(f"netsearch:weights={file}", game, state.player)
    reasons = agent.decide(state.observation(state.player)).reasons
    tried = [reason for reason in reasons if reason.value is not None and reason.visits]
    assert tried
    places = [reason.value * reason.visits for reason in tried]  # type: ignore[operator]
    assert all(2 * place == pytest.approx(round(2 * place), abs=1e-3) for place in places), places


def test_recorded_games_are_learned_from_by_their_returns(take_three: bw.Game) -> None:
    with pytest.raises(BadSpec, match="leave --first-places out"):
        Training.begin(config(first_places=True), take_three, examples=Examples(take_three, own_features(take_three)))


def test_a_budget_of_time_is_spent_on_rollouts(take_three: bw.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen rollouts take a second by this clock, so sixty-five have time for four times as many after them."""
    ticks = iter(range(100))
    monkeypatch.setitem(agents.CLOCKS, "cpu", lambda: float(next(ticks)))
    observation = take_three.new(seed=0).observation(0)
    network = Network("take_three", 2, shaken(take_three), {})
    decision = seated(take_three, network, seconds=5.0, clock="cpu").decide(observation)
    assert sum(reason.visits or 0 for reason in decision.reasons) in range(64, 68), decision.summary
    decision = seated(take_three, network, seconds=1.5, clock="cpu").decide(observation)
    assert sum(reason.visits or 0 for reason in decision.reasons) in range(16, 20), "the first search is enough"
    with pytest.raises(BadSpec, match="give seconds, or a number of determinizations"):
        bw.agent("netsearch:seconds=1,rollouts=9", bw.game("race"), 0)


def test_turn_search_learns_how_much_faster_rollouts_of_a_long_search_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rollouts of the first search take 100 µs, those of a longer one 50: in the end nearly all of 10 ms is used."""
    now = 0.0
    monkeypatch.setitem(agents.CLOCKS, "wall", lambda: now)
    agent = bw.agent("netsearch:seconds=0.01", bw.game("race"), 0)
    assert isinstance(agent, agents.NetSearch)

    def search(settings: agents.Settings) -> int:
        nonlocal now
        now += settings.rollouts * (100e-6 if settings.rollouts == agents.FIRST_ROLLOUTS else 50e-6)
        return 3

    used = []
    for _ in range(40):
        began = now
        assert agent._search_for(0.01, search) == 3
        used.append(now - began)
    assert used[0] == pytest.approx(0.0016 + 84 * 50e-6, rel=0.02)
    assert used[-1] == pytest.approx(0.01, rel=0.02)
    assert max(used) <= 0.01


@pytest.mark.parametrize("turns", ["0", "-1", "2.5", "many", "1001"])
def test_turns_that_cannot_be_played_are_refused(take_three: bw.Game, turns: str) -> None:
    with pytest.raises(BadSpec, match="turns"):
        bw.agent(f"netsearch:turns={turns}", take_three, 0)


def test_noise_makes_a_weaker_player_and_reasons_follow_the_values_it_saw(take_three: bw.Game) -> None:
    network = Network("take_three", 2, shaken(take_three), {})
    state = take_three.new(seed=0)
    state.apply(1)
    state.apply(0)
    choices = {seed: NetSearch(take_three, 0, seed=seed, noise=2.0) for seed in range(40)}
    wrong = 0
    for agent in choices.values():
        agent.networks[2] = network
        decision = agent.decide(state.observation(0))
        values = [reason.value for reason in decision.reasons]
        assert values == sorted(values, reverse=True)  # type: ignore[type-var]
        wrong += decision.action != 1
    assert 0 < wrong < 40


def test_networks_survive_their_file_and_others_are_refused(take_three: bw.Game, kuhn: bw.Game) -> None:
    network = Network("take_three", 2, shaken(take_three), {"games": 7})
    network.save(Path("net.npz"))
    back = load(Path("net.npz"), take_three)
    assert back.history == {"games": 7}
    back.save(Path("again.npz"))
    for ours, theirs in zip(network.weights, back.weights, strict=True):
        assert theirs == pytest.approx(ours, rel=2.0 ** -(MANTISSA_BITS + 1), abs=1e-6)
    for once, twice in zip(back.weights, load(Path("again.npz"), take_three).weights, strict=True):
        assert np.array_equal(once, twice)
    with pytest.raises(BadRecord, match="its game is 'take_three', not 'colonizers'"):
        load(Path("net.npz"), bw.game("colonizers"))
    with pytest.raises(BadRecord, match=r"there is no network nowhere\.npz"):
        load(Path("nowhere.npz"), take_three)
    Path("text.npz").write_text("hello")
    with pytest.raises(BadRecord, match=r"text\.npz is not a network"):
        bw.agent("netsearch:weights=text.npz", take_three, 0)
    with pytest.raises(BadSpec, match="no network for kuhn_poker with 2 seats; train one"):
        bw.agent("netsearch", kuhn, 0).decide(kuhn.new(seed=0).observation(0))
    with pytest.raises(BadSpec, match="no network for take_three with 2 seats; train one"):
        bw.agent("netsearch", take_three, 0).decide(take_three.new(seed=0).observation(0))


@pytest.mark.parametrize(("name", "seats"), [("race", 2), ("colonizers", 4), ("wonders", 6)])
def test_shipped_networks_play_whole_games(name: str, seats: int) -> None:
    game = bw.game(name)
    state = game.new(seed=1, seats=seats)
    agents = [bw.agent("netsearch:determinizations=2", game, seat, seed=seat) for seat in range(seats)]
    while not state.is_terminal:
        observation = state.observation(state.player)
        decision = agents[state.player].decide(observation)
        for reason in decision.reasons:
            assert reason.value is None or 0 <= reason.value <= 1
        state.apply(decision.action)


def test_a_decision_depends_on_the_observation_and_the_seed_alone() -> None:
    """Whatever is hidden is shuffled; the choice and its reasons stay."""
    game, random = bw.game("race"), np.random.default_rng(5)
    state = game.new(seed=8)
    asked = 0
    while not state.is_terminal and asked < 40:
        seat, legal = state.player, state.legal_actions()
        if len(legal) > 1:
            asked += 1
            other = state.copy()
            assert game.information.scramble is not None
            game.information.scramble(other.record, seat, random)
            decisions = [
                bw.agent("netsearch:determinizations=3", game, seat, seed=9).decide(s.observation(seat))
                for s in (state, other)
            ]
            assert decisions[0].reasons == decisions[1].reasons
        state.apply(legal[int(random.integers(len(legal)))])
    assert asked == 40


def test_in_a_simultaneous_question_the_hidden_answer_does_not_matter() -> None:
    """The seat asked second does not get to know, and does not assume any choice at random: it asks the network."""
    game = bw.game("race")
    state = game.new(seed=3)
    while state.record.question != 1 or state.record.turn != 2:  # the second seat chooses its action
        state.apply(state.legal_actions()[0])
    agent = bw.agent("netsearch:determinizations=8", game, state.player, seed=2)
    first = agent.decide(state.observation(state.player))
    assert len({reason.value for reason in first.reasons}) > 1


def test_train_command_survives_being_killed(take_three: bw.Game) -> None:
    command = [
        sys.executable, "-m", "boardwright", "train", str(TAKE_THREE), "--games", "1024", "--generation-size", "64",
        "--reference-games", "10", "--reference-every", "16",
    ]  # fmt: skip
    straight = subprocess.run([*command, "--out", "straight.npz"], capture_output=True, text=True, check=True)
    assert "against random" in straight.stdout
    assert Path("straight.png").read_bytes().startswith(b"\x89PNG")
    killed = subprocess.Popen([*command, "--out", "killed.npz"], stdout=subprocess.PIPE, text=True)
    checkpoint = Path("killed.checkpoint")
    wait_until(checkpoint.exists)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert checkpoint.exists()
    assert not Path("killed.npz").exists()
    resumed = subprocess.run([*command, "--out", "killed.npz"], capture_output=True, text=True, check=True)
    assert "going on after" in resumed.stdout
    assert not checkpoint.exists()
    with np.load("straight.npz") as a, np.load("killed.npz") as b:
        assert json.loads(str(a["metadata"]))["history"]["games"] == 1024
        for name in a.files:
            if name != "metadata":
                assert np.array_equal(a[name], b[name]), name


def test_two_trainings_of_one_network_do_not_mix(capsys: pytest.CaptureFixture[str]) -> None:
    from boardwright.cli import main
    from boardwright.files import alone

    def train() -> object:
        with pytest.raises(SystemExit) as leaving:
            main(["train", str(TAKE_THREE), "--games", "32", "--generation-size", "32", "--reference-games", "0"])
        return leaving.value.code

    with alone(Path("network.lock"), "busy"):
        assert train() == 1
        assert "another process is training network.npz" in capsys.readouterr().err
        assert sorted(map(str, Path().iterdir())) == ["network.lock"]
    assert train() == 0
    assert sorted(map(str, Path().iterdir())) == ["network.npz", "network.png"]


def test_long_games_are_learned_from_to_their_end(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    source = TAKE_THREE.read_text().replace("HEAP = 12", "HEAP = 3000")
    file.write_text(source.replace("s.heap = 5 + seed % (HEAP - 4)", "s.heap = HEAP"))
    training = Training.begin(config(game="long", games=2, generation_size=2, determinizations=1), bw.game(str(file)))
    training.advance(InProcess())
    assert training.curve[0].decisions_per_game >= (3000 - 2) / 3, "no choice takes more than three from the heap"


def test_a_game_without_end_is_not_learned_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "endless.py"
    file.write_text(TAKE_THREE.read_text().replace("    s.heap -= action + 1\n", ""))
    monkeypatch.setattr("boardwright.learn.generation.MAX_ROWS", 2048)
    with pytest.raises(BadGame, match="more than 2,048 rows"):
        Training.begin(
            config(game="endless", games=1, generation_size=1, determinizations=1), bw.game(str(file))
        ).advance(InProcess())


def test_a_game_whose_returns_fill_the_whole_array_learns_too(tmp_path: Path) -> None:
    source = TAKE_THREE.read_text().replace(
        "    for seat in range(2):\n        out[seat] = -1.0 if s.turn % 2 == seat else 1.0\n",
        "    out[:] = -1.0\n    out[(s.turn + 1) % 2] = 1.0\n",
    )
    assert "out[:] = -1.0" in source
    file = tmp_path / "filling.py"
    file.write_text(source)
    training = Training.begin(config(game="filling"), bw.game(str(file)))
    weights_after(training)
    assert all(np.isfinite(entry.value_loss) for entry in training.curve)


def test_features_beyond_the_room_are_dropped_and_check_says_so(tmp_path: Path) -> None:
    from boardwright.conformance import Failure
    from boardwright.conformance.knowledge import features_are_the_seats_own

    file = tmp_path / "talkative.py"
    file.write_text(
        TAKE_THREE.read_text().replace(
            "    add_feature(sparse, LEFT + s.heap, 1.0)\n",
            "    for i in range(5000):\n        add_feature(sparse, LEFT, 1.0)\n",
        )
    )
    with pytest.raises(Failure, match="more features are added than the 14"):
        features_are_the_seats_own(bw.game(str(file)), 1, 0)


def test_damaged_files_are_named(take_three: bw.Game) -> None:
    Network("take_three", 2, shaken(take_three), {}).save(Path("net.npz"))
    whole = Path("net.npz").read_bytes()
    for number, length in enumerate((10, 200, len(whole) - 30)):
        Path(f"cut{number}.npz").write_bytes(whole[:length])
        with pytest.raises(BadRecord, match="is not a network"):
            load(Path(f"cut{number}.npz"), take_three)
    training = Training.begin(config(), take_three)
    training.save(Path("cut.checkpoint"))
    Path("cut.checkpoint").write_bytes(Path("cut.checkpoint").read_bytes()[:500])
    with pytest.raises(BadRecord, match="is not a checkpoint"):
        Training.resume(Path("cut.checkpoint"), config(), take_three)


def test_a_reference_cannot_change_on_the_way(take_three: bw.Game) -> None:
    Training.begin(config(), take_three, "random").save(Path("one.checkpoint"))
    with pytest.raises(BadSpec, match="begun with reference=random, not flat"):
        Training.resume(Path("one.checkpoint"), config(), take_three, "flat")


def test_a_match_says_before_it_begins_that_there_is_no_network(take_three: bw.Game) -> None:
    from boardwright.arena.match import Match

    with pytest.raises(BadSpec, match="no network for race with 3 seats"):
        Match("race", ("netsearch:weights=large", "random", "random")).check()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "net.png"], "a network's file ends in .npz"),
        (["--seed", "-1"], "a seed is a whole number"),
        (["--reference", "netsearch"], "no network for take_three with 2 seats"),
        (["--reference", "nobody"], "nobody"),
    ],
)
def test_train_refuses_what_cannot_work(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    from boardwright.cli import main

    with pytest.raises(SystemExit) as leaving:
        main(["train", str(TAKE_THREE), "--games", "64", *arguments])
    assert leaving.value.code == 1
    assert message in capsys.readouterr().err


def written_before(file: Path, arrays: dict[str, Any], about: dict[str, Any]) -> None:
    """A file of the first format: with the names that arrays had then."""
    then = {"policy": "choice", "policy_bias": "choice_bias", "value_hidden": "second"}
    then["value_hidden_bias"] = "second_bias"
    old = {}
    for name, array in arrays.items():
        kind, dot, field = name.rpartition(".")
        old[kind + dot + then.get(field, field)] = array
    with file.open("wb") as out:
        np.savez(out, about=np.array(json.dumps(about)), **old)


def test_networks_of_a_later_format_are_refused(take_three: bw.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr("boardwright.learn.network.FORMAT", 3)
        Network("take_three", 2, shaken(take_three), {}).save(Path("later.npz"))
    with pytest.raises(BadRecord, match=r"later\.npz: its format is 3, not 2"):
        load(Path("later.npz"), take_three)


def test_checkpoints_of_the_first_format_say_what_to_do(take_three: bw.Game) -> None:
    training = Training.begin(config(), take_three)
    arrays = {f"weights.{name}": array for name, array in training.optimizer.weights._asdict().items()}
    written_before(Path("old.checkpoint"), arrays, {"course": {}, "reference": "", "steps": 0, "curve": []})
    with pytest.raises(BadSpec, match=r"old\.checkpoint is a checkpoint of an earlier version.*--out to begin anew"):
        Training.resume(Path("old.checkpoint"), config(), take_three)
