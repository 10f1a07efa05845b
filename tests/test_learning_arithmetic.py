"""The arithmetic of learning beside plain NumPy: Adam, perceptrons, networks and their files, auxiliary targets."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.sparse import csr_array

import boardwright as bw
from boardwright.errors import BadRecord
from boardwright.kernel.automatic_features import Range
from boardwright.kernel.features import SparseFeatures
from boardwright.learn import adam, archive
from boardwright.learn import network as networks
from boardwright.learn.adam import Adam, SparseGradient
from boardwright.learn.archive import open_archive, write_archive
from boardwright.learn.auxiliary import Auxiliary, AuxiliaryHead, auxiliary_targets
from boardwright.learn.network import Network, Weights, initial_weights, load, split_units
from boardwright.learn.perceptron import Schedule, rectified, sigmoid, softmax, train
from boardwright.learn.trajectory import Trajectory
from tests.test_archives import game as game
from tests.test_archives import good
from tests.test_perceptron import trained
from tests.uncompiled import uncompiled

# Adam


class Line(NamedTuple):
    slope: Any
    offset: Any


def some_line() -> Line:
    return Line(np.array([[1.0, -2.0, 0.5]], np.float32), np.array([0.25], np.float32))


def by_the_paper(
    weight: float, gradients: list[float], rate: float, beta2: float, epsilon: float, decay: float
) -> float:
    """Kingma and Ba (2015), the end of section 2, with the decay of Loshchilov and Hutter (2019)."""
    m = v = 0.0
    for t, g in enumerate(gradients, 1):
        m = 0.9 * m + 0.1 * g
        v = beta2 * v + (1 - beta2) * g * g
        step = rate * math.sqrt(1 - beta2**t) / (1 - 0.9**t)
        weight -= step * m / (math.sqrt(v) + epsilon) + rate * decay * weight
    return weight


GRADIENTS = [0.5, -0.1, 1e-7]


@pytest.mark.parametrize(
    ("settings", "beta2", "epsilon"), [({}, 0.999, 1e-8), ({"beta2": 0.9, "epsilon": 0.1}, 0.9, 0.1)]
)
def test_adam_is_that_of_the_paper(settings: dict[str, float], beta2: float, epsilon: float) -> None:
    """Also for a gradient that is hardly more than what keeps the division finite."""
    optimizer, line = Adam(some_line(), **settings), some_line()
    for g in GRADIENTS:
        gradient = Line(np.array([[g, 2 * g, 3e-8]], np.float32), np.array([-g], np.float32))
        optimizer.step(gradient, 0.01)
    assert optimizer.steps == 3
    for place, gradients in enumerate((GRADIENTS, [2 * g for g in GRADIENTS], [3e-8] * 3)):
        expected = by_the_paper(float(line.slope[0, place]), gradients, 0.01, beta2, epsilon, 0.0)
        assert optimizer.weights.slope[0, place] == pytest.approx(expected, abs=2e-7)
    expected = by_the_paper(0.25, [-g for g in GRADIENTS], 0.01, beta2, epsilon, 0.0)
    assert optimizer.weights.offset[0] == pytest.approx(expected, abs=2e-7)


def test_arrays_have_learning_rates_and_decay_of_their_own() -> None:
    optimizer = Adam(some_line(), rates={"slope": 0.5}, decay={"offset": 0.2})
    for g in GRADIENTS:
        optimizer.step(Line(np.array([[g, g, g]], np.float32), np.array([g], np.float32)), 0.01)
    expected = by_the_paper(1.0, GRADIENTS, 0.005, 0.999, 1e-8, 0.0)
    assert optimizer.weights.slope[0, 0] == pytest.approx(expected, abs=2e-7)
    expected = by_the_paper(0.25, GRADIENTS, 0.01, 0.999, 1e-8, 0.2)
    assert optimizer.weights.offset[0] == pytest.approx(expected, abs=2e-7)


class Table(NamedTuple):
    rows: Any


def test_a_sparse_gradient_changes_the_rows_that_occur_as_a_dense_one_does() -> None:
    """Three examples over four inputs, the last of which nobody has; one has the same input twice."""
    first = np.arange(8, dtype=np.float32).reshape(4, 2)
    inputs = csr_array(
        (np.array([1.0, 2.0, 0.5, 0.25, 3.0], np.float32), np.array([0, 1, 1, 1, 2]), np.array([0, 2, 4, 5])), (3, 4)
    )
    errors = np.array([[1.0, -1.0], [0.5, 2.0], [0.0, 1.0]], np.float32)
    dense, sparse = Adam(Table(first.copy())), Adam(Table(first.copy()))
    for _ in range(2):
        dense.step(Table(np.asarray(inputs.T @ errors, np.float32)), 0.1)
        sparse.step(Table(SparseGradient(inputs, errors)), 0.1)
    assert sparse.weights.rows[:3] == pytest.approx(dense.weights.rows[:3], rel=1e-6)
    assert sparse.weights.rows[3].tolist() == [6.0, 7.0]
    only_last = csr_array((np.array([1.0], np.float32), np.array([3]), np.array([0, 1])), (1, 4))
    before = sparse.weights.rows[:3].copy()
    sparse.step(Table(SparseGradient(only_last, errors[:1])), 0.1)
    assert (sparse.weights.rows[:3] == before).all(), "momentum does not move a row that does not occur"
    step = 0.1 * math.sqrt(1 - 0.999**3) / (1 - 0.9**3) * 0.1 / math.sqrt(0.001)
    assert sparse.weights.rows[3] == pytest.approx([6 - step, 7 + step], rel=1e-5)


def test_what_adam_needs_is_compiled_before_the_first_step(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(adam, "make_ready", asked.append)
    Adam(some_line())
    assert asked == [[adam.code]]


# Perceptrons


def test_a_rectified_unit_passes_what_is_above_0() -> None:
    layer, slope = rectified(np.array([[-1.0, 0.0, 2.0]], np.float32))
    assert layer.tolist() == [[0, 0, 2]]
    assert slope.tolist() == [[False, False, True]]


def test_dropout_leaves_out_units_and_makes_the_others_count_more() -> None:
    """Chances of 0.2, 0.25 and 0.9 against a quarter."""
    random: Any = SimpleNamespace(random=lambda shape, kind: np.array([[0.2, 0.25, 0.9, 0.9]], kind))
    sums = np.array([[3.0, 3.0, 6.0, -1.0]], np.float32)
    layer, slope = rectified(sums, 0.25, random)
    assert layer.tolist() == [[0.0, 4.0, 8.0, 0.0]]
    assert slope == pytest.approx(np.array([[0.0, 4 / 3, 4 / 3, 0.0]]))
    for without in (rectified(sums, 0.0, random), rectified(sums, 0.25)):
        assert without[0].tolist() == [[3.0, 3.0, 6.0, 0.0]]


def test_softmax_of_each_row_over_what_is_legal() -> None:
    logits = np.log(np.array([[1.0, 2.0, 5.0], [3.0, 1.0, 4.0]], np.float32))
    assert softmax(logits) == pytest.approx(np.array([[1 / 8, 2 / 8, 5 / 8], [3 / 8, 1 / 8, 4 / 8]]))
    legal = np.array([[True, True, False], [True, False, True]])
    assert softmax(logits, legal) == pytest.approx(np.array([[1 / 3, 2 / 3, 0], [3 / 7, 0, 4 / 7]]))
    assert softmax(np.array([[500.0, 500.0]], np.float32)).tolist() == [[0.5, 0.5]]


def test_sigmoid_is_computed_in_place_and_does_not_overflow() -> None:
    logits = np.array([0.0, 2.0, -3.0, 1000.0, -1000.0], np.float32)
    found = sigmoid(logits)
    assert found is logits
    assert found == pytest.approx([0.5, 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(3)), 1.0, math.exp(-80)], rel=1e-5)


def test_training_falls_without_dropout_unless_said_otherwise() -> None:
    assert Schedule(1, 0.5, 3) == (1, 0.5, 3, 0.0, True)


def test_batches_are_the_examples_in_the_order_of_the_generator() -> None:
    """One permutation each epoch, and nothing else is drawn for a single task."""
    _, (book,) = trained(Schedule(2, 0.5, 3), 8)
    random = np.random.default_rng(1)
    first, second = random.permutation(8).tolist(), random.permutation(8).tolist()
    assert book.batches == [first[:3], first[3:6], first[6:], second[:3], second[3:6], second[6:]]


def test_each_epoch_is_announced_before_it_begins() -> None:
    _, (book,) = trained(Schedule(0, 0.5, 4), 6)
    assert book.batches == []
    coming = train([book.task], Schedule(2, 0.5, 6), np.random.default_rng(1))
    assert next(coming) == 0
    assert book.batches == []
    assert next(coming) == 1
    assert len(book.batches) == 1


# Auxiliary targets


def trajectory(seats: list[int]) -> Trajectory:
    rows = Trajectory.with_capacity(len(seats))
    return rows._replace(seat=np.array(seats, np.int8))


def test_the_gradient_of_the_auxiliary_head_is_that_of_half_the_mean_squared_error() -> None:
    auxiliary = Auxiliary(3, 0.5)
    head = auxiliary.optimizer.weights
    assert [array.shape for array in head] == [(2, 3), (2,)]
    assert not head.head.any()
    assert not head.bias.any()
    head.head[:], head.bias[:] = [[1, 2, 3], [0, -1, 1]], [0.5, -0.5]
    hidden = np.array([[1, 0, 2], [0, 1, 1], [2, 2, 0], [1, 1, 1]], np.float32)
    target = np.array([[1, 0], [0, 1], [2, -1], [0, 0]], np.float32)
    error = (hidden @ np.array([[1, 2, 3], [0, -1, 1]]).T + [0.5, -0.5] - target) * 0.5 / 4
    of_hidden, of_head = auxiliary.gradient(hidden, target)
    assert of_hidden == pytest.approx(error @ head.head)
    assert isinstance(of_head, AuxiliaryHead)
    assert of_head.head == pytest.approx(error.T @ hidden)
    assert of_head.bias == pytest.approx(error.sum(0))


def test_a_lone_seat_leads_by_its_points_and_a_game_may_be_one_row_long() -> None:
    targets = auxiliary_targets([trajectory([0]), trajectory([0])], [(3.0,), (5.0,)])
    assert targets.tolist() == [[3.0, 1.0], [5.0, 1.0]], "the standard deviation is 1, the length in the mean, too"
    assert targets.dtype == np.float32


def test_leads_are_scaled_by_how_much_they_vary_also_if_that_is_little() -> None:
    assert auxiliary_targets([trajectory([0])] * 2, [(0.25,), (-0.25,)])[:, 0].tolist() == [1.0, -1.0]


def test_every_game_has_its_scores() -> None:
    with pytest.raises(ValueError, match="shorter"):
        auxiliary_targets([trajectory([0]), trajectory([0])], [(3.0,)])


def test_leads_that_are_all_alike_are_not_scaled() -> None:
    assert auxiliary_targets([trajectory([0]), trajectory([0])], [(5.0,), (5.0,)])[:, 0].tolist() == [5.0, 5.0]
    assert auxiliary_targets([trajectory([0, 1])], [(5.0, 5.0)])[:, 0].tolist() == [0.0, 0.0]


# Networks


def test_a_network_has_128_hidden_units_and_32_behind_its_value_unless_said_otherwise() -> None:
    assert [array.shape for array in initial_weights(5, 7, np.random.default_rng(0))] == [
        (5, 128), (128,), (32, 128), (32,), (32,), (1,), (7, 128), (7,),
    ]  # fmt: skip
    assert networks.shapes(5, 7)["hidden"] == (5, 128)
    assert networks.shapes(5, 7, 3) == {
        name: array.shape for name, array in initial_weights(5, 7, np.random.default_rng(0), 3)._asdict().items()
    }


def test_hidden_layers_begin_as_he_and_others_draw_them_for_80_inputs_that_are_not_0() -> None:
    """And the heads with zeros."""
    weights, random = initial_weights(20, 3, np.random.default_rng(7), 4), np.random.default_rng(7)
    assert weights.hidden == pytest.approx(random.normal(0, math.sqrt(2 / 80), (20, 4)), rel=1e-5)
    assert weights.value_hidden == pytest.approx(random.normal(0, math.sqrt(2 / 4), (4, 32)).T, rel=1e-5)
    assert weights.value_hidden.flags.c_contiguous
    for name in ("hidden_bias", "value_hidden_bias", "value", "value_bias", "policy", "policy_bias"):
        assert not getattr(weights, name).any(), name
    assert {array.dtype.name for array in weights} == {"float32"}


def test_units_that_are_split_are_apart_by_a_quarter_of_what_weights_vary() -> None:
    weights = initial_weights(400, 3, np.random.default_rng(7), 16)
    weights = weights._replace(policy=np.ones((3, 16), np.float32), hidden_bias=np.arange(16, dtype=np.float32))
    split = split_units(weights, np.random.default_rng(8))
    apart = (split.hidden[:, :16] - split.hidden[:, 16:]) / 2
    assert apart.std() / weights.hidden.std() == pytest.approx(0.25, rel=0.05)
    assert (split.hidden[:, :16] + split.hidden[:, 16:]) / 2 == pytest.approx(weights.hidden, abs=1e-6)
    assert split.hidden_bias.tolist() == [*range(16), *range(16)]
    assert split.policy.tolist() == [[0.5] * 32] * 3
    assert split.value_hidden == pytest.approx(np.tile(weights.value_hidden / 2, 2))


def test_stored_weights_have_five_bits_behind_the_first() -> None:
    """64ths between a half and one, 32nds between one and two, and so on; halves go to the even one."""
    exact = [0.5, 0.515625, 1.0, 1.03125, -1.9375, 3.0, 0.0]
    assert networks._rounded(np.array(exact, np.float32)).tolist() == exact
    rounded = networks._rounded(np.array([1.01, 1.02, 1.015625, 1.046875, 0.51, -7.9], np.float32))
    assert rounded.tolist() == [1.0, 1.03125, 1.0, 1.0625, 0.515625, -7.875]
    assert rounded.dtype == np.float16


def network(**changes: Any) -> Network:
    return Network("take_three", 2, initial_weights(14, 3, np.random.default_rng(0), 4), {"games": 1}, **changes)


def test_a_network_says_what_it_is_for() -> None:
    plain = network()
    assert (plain.ranges, plain.more_seats, plain.first_places, plain.seat_counts) == (None, (), False, (2,))
    assert network(more_seats=(3, 4)).seat_counts == (2, 3, 4)
    metadata, arrays = plain.stored()
    assert metadata == {"format": 2, "game": "take_three", "seats": 2, "history": {"games": 1}}
    assert list(arrays) == list(Weights._fields)
    metadata, _ = network(more_seats=(3,), first_places=True, ranges={"heap": Range(0, 5, 7)}).stored()
    assert metadata["more_seats"] == [3]
    assert metadata["first_places"] is True
    assert metadata["ranges"] == {"heap": [0, 5, 7]}


def test_what_a_file_says_of_a_network_is_read(game: bw.Game) -> None:
    for about, first_places, more_seats in (
        ({}, False, ()),
        ({"first_places": True, "more_seats": [2]}, True, (2,)),
        ({"first_places": 1}, False, ()),
    ):
        found = load(stored(game, about), game)
        assert (found.game, found.seats, found.history) == ("take_three", 2, {})
        assert (found.first_places, found.more_seats, found.ranges) == (first_places, more_seats, None)
        assert len(found.features(game).names) == len(game.learning.feature_names)


def stored(game: bw.Game, about: dict[str, Any], **arrays: Any) -> Path:
    content = {**good(game), **arrays}
    content["metadata"] = np.array(json.dumps({**json.loads(str(content["metadata"])), **about}))
    np.savez("net.npz", **content)
    return Path("net.npz")


@pytest.mark.parametrize(
    ("about", "complaint"),
    [
        ({"format": 1}, r"net\.npz: its format is 1, not 2"),
        ({"game": "chess"}, "its game is 'chess', not 'take_three'"),
        ({"seats": 3}, "it is for 3 seats; take_three is played with 2$"),
        ({"more_seats": 2}, r"its other seat counts are 2; take_three has \(2,\)"),
        ({"more_seats": [2, 9]}, r"its other seat counts are \[2, 9\]"),
        ({"more_seats": [2.0]}, r"its other seat counts are \[2.0\]"),
        ({"ranges": []}, "its ranges of features are damaged"),
        ({"ranges": {"heap": [5, 0, 7]}}, "its ranges of features are damaged"),
        ({"ranges": {"heap": [0, 5]}}, "its ranges of features are damaged"),
        ({"ranges": {"heap": [0, 5, 7.0]}}, "its ranges of features are damaged"),
        ({"ranges": {"heap": [0, 5, 2**63]}}, "its ranges of features are damaged"),
        ({"ranges": {"heap": [-(2**63), 5, 7]}}, "its ranges of features are damaged"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(game: bw.Game, about: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        load(stored(game, about), game)


def test_a_network_for_features_that_a_game_does_not_declare_is_refused(game: bw.Game, dice_race: bw.Game) -> None:
    with pytest.raises(BadRecord, match="it is for features that dice_race no longer declares; train it again"):
        load(stored(game, {"game": "dice_race"}), dice_race)


def test_ranges_of_features_may_be_a_single_number_and_nearly_64_bits_wide() -> None:
    spans = {"heap": [3, 3, 0], "turn": [-(2**63) + 1, 2**63 - 1, 2**63 - 1]}
    assert networks._stored_ranges(Path("net.npz"), spans) == {name: Range(*span) for name, span in spans.items()}


def test_a_network_without_hidden_units_is_refused(game: bw.Game) -> None:
    with pytest.raises(BadRecord, match="its hidden layer has 0 units, not 1 to 1024"):
        load(stored(game, {}, hidden_bias=np.zeros(0, np.float32)), game)


@pytest.mark.parametrize("units", [1, 1024])
def test_a_network_of_one_unit_or_of_a_thousand_is_read(game: bw.Game, units: int) -> None:
    weights = initial_weights(len(game.learning.feature_names), 3, np.random.default_rng(0), units)
    assert load(stored(game, {}, **weights._asdict()), game).weights.hidden.shape[1] == units


def tiny() -> Weights:
    """Three units and four actions, of numbers that vary."""
    random = np.random.default_rng(3)
    return Weights(*(random.normal(0, 1, array.shape).astype(np.float32) for array in initial_weights(5, 4, random, 3)))


def test_the_value_and_the_policy_are_those_of_the_matrices() -> None:
    weights = tiny()._replace(hidden_bias=np.array([0.5, -9.0, 0.1], np.float32))
    sparse, hidden = SparseFeatures.with_capacity(5), np.full(3, 99, np.float32)
    sparse.index[:3], sparse.value[:3], sparse.count[0] = [4, 0, 4], [1.0, -0.5, 2.0], 2
    uncompiled(networks.hidden_layer)(weights, sparse, hidden)
    expected = np.maximum(weights.hidden[4] - 0.5 * weights.hidden[0] + weights.hidden_bias, 0)
    assert hidden == pytest.approx(expected, rel=1e-5)
    assert 0 < (hidden > 0).sum() < 3, "some units are rectified"
    behind = np.maximum(weights.value_hidden @ expected + weights.value_hidden_bias, 0)
    logit = float(behind @ weights.value + weights.value_bias[0])
    assert uncompiled(networks.value_head)(weights, hidden) == pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-5)
    out, actions = np.full(4, 9.0), np.array([3, 0, 2, 1])
    uncompiled(networks.policy_head)(weights, hidden, actions, 3, out)
    logits = weights.policy[[3, 0, 2]] @ expected + weights.policy_bias[[3, 0, 2]]
    assert out[:3] == pytest.approx(np.exp(logits) / np.exp(logits).sum(), rel=1e-5)
    assert out[3] == 9.0, "the fourth is not among the legal ones"


def test_logits_that_are_large_do_not_overflow() -> None:
    weights, hidden = tiny()._replace(policy_bias=np.array([1000, 1000, -1000, 0], np.float32)), np.zeros(3, np.float32)
    out = np.zeros(4)
    uncompiled(networks.policy_head)(weights, hidden, np.arange(4), 3, out)
    assert out[:3] == pytest.approx([0.5, 0.5, 0.0])


# Archives


def test_an_archive_gives_back_what_was_written() -> None:
    arrays = {
        "a": np.array([[1.5, -2.0]], np.float64),
        "n": np.array([0, 7], np.uint8),
        "empty": np.zeros((0, 2), np.int32),
    }
    write_archive(Path("a.npz"), {"x": [1, "é"]}, arrays, name="about")
    with open_archive(Path("a.npz"), "thing") as stored:
        assert stored.metadata("about") == {"x": [1, "é"]}
        assert ("a" in stored, "b" in stored) == (True, False)
        assert stored.shape("a") == (1, 2)
        found = stored.floats("a", (1, 2))
        assert (found.tolist(), found.dtype, found.flags.writeable) == ([[1.5, -2.0]], np.float32, True)
        whole = stored.integers("n", (2,), 8)
        assert (whole.tolist(), whole.flags.writeable) == ([0, 7], True)
        assert stored.integers("empty", (0, 2), 1).shape == (0, 2)
    write_archive(Path("b.npz"), {}, {"n": np.array([3, 3])})
    with open_archive(Path("b.npz"), "thing") as stored:
        assert stored.integers("n", (2,), 4).tolist() == [3, 3]


def test_byte_planes_give_back_every_number() -> None:
    numbers = np.arange(2**16, dtype=np.uint32).astype(np.uint16).view(np.float16).reshape(256, 256)
    planes = archive.byte_planes(numbers)
    assert (planes.shape, planes.dtype) == ((2, 256, 256), np.uint8)
    assert planes[:, 60, 17].tolist() == [60, 17]
    assert archive.from_byte_planes(planes).tobytes() == numbers.tobytes()


def test_an_archive_reads_byte_planes_as_the_numbers_they_are() -> None:
    numbers = np.array([[1.5, -2.0, 0.0]], np.float16)
    arrays = {"a": archive.byte_planes(numbers), "row": archive.byte_planes(numbers[0]), "bytes": np.ones(2, np.uint8)}
    write_archive(Path("a.npz"), {}, arrays)
    with open_archive(Path("a.npz"), "thing") as stored:
        assert (stored.shape("a"), stored.shape("row"), stored.shape("bytes")) == ((1, 3), (3,), (2,))
        found = stored.floats("a", (1, 3))
        assert (found.tolist(), found.dtype, found.flags.writeable) == ([[1.5, -2.0, 0.0]], np.float32, True)
        assert stored.floats("row", (3,)).tolist() == [1.5, -2.0, 0.0]
        assert stored.integers("bytes", (2,), 2).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("array", "complaint"),
    [
        (np.zeros((3, 4), np.uint8), "a is not an array of 2 x 4 byte planes"),
        (np.zeros((2, 5), np.uint8), "a is not an array of 2 x 4 byte planes"),
        (np.zeros((2, 4), np.uint16), "a is not an array of 4 floats"),
        (np.full((2, 4), 124, np.uint8), "numbers that are not finite"),
    ],
)
def test_byte_planes_of_something_else_are_refused(array: Any, complaint: str) -> None:
    assert complaint in refusal(lambda stored: stored.floats("a", (4,)), a=array)


def test_an_archive_is_compressed_unless_it_is_not_to_be() -> None:
    zeros = {"zeros": np.zeros(100_000, np.float32)}
    sizes = []
    for number, settings in enumerate(({}, {"compress": True}, {"compress": False})):
        write_archive(Path(f"{number}.npz"), {}, zeros, **settings)  # type: ignore[arg-type]
        sizes.append(Path(f"{number}.npz").stat().st_size)
        with open_archive(Path(f"{number}.npz"), "thing") as stored:
            assert stored.metadata("metadata") == {}
    assert sizes[0] == sizes[1] < 10_000 < 400_000 < sizes[2]


def refusal(call: Any, **arrays: Any) -> str:
    write_archive(Path("a.npz"), {}, arrays)
    with pytest.raises(BadRecord) as refused, open_archive(Path("a.npz"), "thing") as stored:
        call(stored)
    return str(refused.value)


def test_numbers_out_of_bounds_are_refused() -> None:
    for numbers in ([0, 8], [-1, 0]):
        found = refusal(lambda stored: stored.integers("n", (2,), 8), n=np.array(numbers))
        assert found == "a.npz is not a thing: n has numbers that are not from 0 to 7"


def test_numbers_of_other_kinds_are_refused() -> None:
    assert refusal(lambda stored: stored.integers("n", (2,), 8), n=np.zeros(2)).endswith(
        "n is not an array of 2 integers"
    )
    assert refusal(lambda stored: stored.integers("n", (2, 1), 8), n=np.zeros(2, np.int8)).endswith("of 2 x 1 integers")
    assert refusal(lambda stored: stored.floats("n", (2,)), n=np.zeros(2, np.int8)).endswith(
        "n is not an array of 2 floats"
    )
    assert refusal(lambda stored: stored.shape("m")).endswith("it has no m")


def test_metadata_are_16_megabytes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four bytes a sign."""
    assert archive.LARGEST_METADATA == 16 * 1024 * 1024
    write_archive(Path("a.npz"), {"a": 1}, {})
    monkeypatch.setattr(archive, "LARGEST_METADATA", 4 * len('{"a": 1}'))
    with open_archive(Path("a.npz"), "thing") as stored:
        assert stored.metadata("metadata") == {"a": 1}
    monkeypatch.setattr(archive, "LARGEST_METADATA", 4 * len('{"a": 1}') - 1)
    assert refusal(lambda stored: stored.metadata("about"), about=np.array('{"a": 1}')).endswith(
        "not a text, or too long"
    )


@pytest.mark.parametrize("array", [np.array(["{}"]), np.array(3), np.array(b"{}")])
def test_metadata_are_one_text(array: Any) -> None:
    assert refusal(lambda stored: stored.metadata("about"), about=array).endswith("about is not a text, or too long")


def members(compression: int = zipfile.ZIP_DEFLATED, **contents: bytes) -> None:
    with zipfile.ZipFile("a.npz", "w", compression) as out:
        for name, content in contents.items():
            out.writestr(f"{name}.npy", content)


def test_members_that_are_longer_or_shorter_than_they_say_are_refused() -> None:
    np.save("a.npy", np.zeros(3, np.float32))
    whole = Path("a.npy").read_bytes()
    for content, complaint in ((whole + b"x", "longer"), (whole[:-1], "shorter")):
        members(n=content)
        with (
            pytest.raises(BadRecord, match=f"a.npz is not a thing: n is {complaint} than it says"),
            open_archive(Path("a.npz"), "thing") as stored,
        ):
            stored.floats("n", (3,))


def test_members_that_are_packed_otherwise_are_refused() -> None:
    np.save("a.npy", np.zeros(3, np.float32))
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        members(compression, n=Path("a.npy").read_bytes())
        with open_archive(Path("a.npz"), "thing") as stored:
            assert stored.floats("n", (3,)).tolist() == [0, 0, 0]
    members(zipfile.ZIP_BZIP2, n=Path("a.npy").read_bytes())
    with (
        pytest.raises(BadRecord, match="n is packed in a way that is not read here"),
        open_archive(Path("a.npz"), "thing") as stored,
    ):
        stored.shape("n")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\x93NUMPY\x02\x00" + bytes(99), "not an array that is read here"),
        (b"\x93NUMPY\x01\x00\x02\x00{]", "no valid header"),
    ],
)
def test_members_with_another_header_are_refused(content: bytes, complaint: str) -> None:
    members(n=content)
    with pytest.raises(BadRecord, match=complaint), open_archive(Path("a.npz"), "thing") as stored:
        stored.shape("n")


def test_errors_without_a_text_are_named_by_kind() -> None:
    write_archive(Path("a.npz"), {}, {})
    with pytest.raises(BadRecord, match=r"a\.npz is not a thing: RecursionError"), open_archive(Path("a.npz"), "thing"):
        raise RecursionError
    with pytest.raises(BadRecord, match=r"there is no thing b\.npz"), open_archive(Path("b.npz"), "thing"):
        pass
