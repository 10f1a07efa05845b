"""The members of the best predictor, each for itself: the nearest decks, the posterior, the network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from boardwright.cbr.schema import elements_of
from boardwright.decks import DeckTable
from boardwright.decks.mixture import Archetypes, MixtureSettings
from boardwright.decks.nearest import NearestDecks, NearestSettings
from boardwright.decks.network import (
    BETA2,
    DAYS_PER_PERIOD,
    EPSILON,
    Inputs,
    NetworkSettings,
    Weights,
    _Masking,
    deck_optimizer,
    loss_gradient,
    train_network,
)
from boardwright.decks.posterior import DeckPosterior
from boardwright.decks.prediction import Observation
from boardwright.decks.table import COPIES
from boardwright.learn.adam import BETA1
from tests.made_up_decks import made_up_table

GROUP = np.array([0, 1, 0, 2, 2, 1, 0])
"""Of the made-up identities."""


def nearest_decks(settings: NearestSettings | None = None, table: DeckTable | None = None) -> NearestDecks:
    table = table or made_up_table()
    return NearestDecks(table, table.days, GROUP, settings)


def seen(row: int, copies: np.ndarray | None = None, day: int | None = None) -> Observation:
    table = made_up_table()
    own = table.copies[row].astype(np.int64) if copies is None else copies
    return Observation(int(table.identity[row]), own, int(table.sizes[row]), day)


def some_cards(row: int, number: int) -> np.ndarray:
    held = np.flatnonzero(made_up_table().copies[row])[:number]
    return np.bincount(held, minlength=len(made_up_table().cards))


# The nearest decks


def test_a_deck_that_was_seen_whole_is_nearest_to_itself() -> None:
    near = nearest_decks()
    for row in (0, 50, 209):
        found = near.retrieve(seen(row, day=int(made_up_table().days[row])))
        assert found.positions[0] == row
        assert found.distances[0] == 0
        assert found.distances[1] > 0
        assert len(found.positions) == near.settings.k


def test_a_deck_can_be_left_out() -> None:
    votes = nearest_decks().votes(seen(50), without=50)
    assert 50 not in votes.decks
    assert votes.shares.sum() == pytest.approx(1)


def test_distances_are_what_the_settings_say() -> None:
    """Against a sum over features, deck by deck."""
    table, s = made_up_table(), NearestSettings(k=210)
    near, cards, day = nearest_decks(s), some_cards(7, 4), int(made_up_table().days[7])
    information = -np.log(((table.copies > 0).sum(0) + 0.5) / (len(table) + 1))
    lacking = (table.copies == 0) @ (information * cards) / (information @ cards)
    months = (table.days - table.days.min()) // 30
    expected = s.cards * lacking + s.identity * (table.identity != table.identity[7])
    expected += s.group * (GROUP[table.identity] != GROUP[table.identity[7]])
    expected += s.size * np.abs(table.sizes - table.sizes[7]) / table.sizes.std()
    undated = expected.copy()
    expected += s.month * np.abs(months - months[7]) / months.std()
    for given, told in ((day, expected), (None, undated)):
        found = near.retrieve(seen(7, cards, given))
        np.testing.assert_allclose(found.distances, np.sort(told))
        np.testing.assert_allclose(told[found.positions], found.distances)


def test_numbers_beyond_the_largest_code_count_as_the_largest() -> None:
    """Not as the smallest, as a byte would have it."""
    near, first = nearest_decks(), int(made_up_table().days.min())
    codes = near._codes(np.array([10**6, -5]), np.array([first + 30 * 300, first - 30]))
    assert codes.tolist() == [[255, 0], [255, 0]]


def test_second_copies_are_compared_too() -> None:
    table = made_up_table()
    card = int(np.flatnonzero((table.copies == 1).any(0) & (table.copies > 1).any(0))[0])
    twice = 2 * np.bincount([card], minlength=len(table.cards))
    found = nearest_decks(NearestSettings(k=1, cards=100.0)).retrieve(seen(0, twice))
    assert table.copies[found.positions[0], card] >= 2


def test_the_nearest_decks_vote_the_nearer_the_more() -> None:
    near = nearest_decks(NearestSettings(k=5, softness=0.7))
    problem = seen(20, some_cards(20, 5))
    found, votes = near.retrieve(problem), near.votes(problem)
    np.testing.assert_allclose(np.log(votes.shares[0] / votes.shares), (found.distances - found.distances[0]) / 0.7)
    expected = sum(s * (made_up_table().copies[d] > 0) for d, s in zip(votes.decks, votes.shares, strict=True))
    np.testing.assert_allclose(near.presence(votes), expected)


def test_decks_without_a_date_are_cases_too() -> None:
    table = made_up_table()
    mixed = replace(table, dates=("",) * 100 + table.dates[100:])
    near = nearest_decks(table=mixed)
    assert near.retrieve(seen(3)).positions[0] == 3
    undated = nearest_decks(table=replace(table, dates=("",) * len(table)))
    assert undated.retrieve(seen(3, day=735_000)).positions[0] == 3


def test_cases_have_the_decks_cards() -> None:
    near, table = nearest_decks(), made_up_table()
    expected = [COPIES * card + k for card in np.flatnonzero(table.copies[5]) for k in range(table.copies[5, card])]
    assert near.case_base.members("cards", 5) == expected
    assert near.case_base.members("identity", 5) == [table.identity[5]]
    assert elements_of(near.case_base.sets[:1, 5].tolist()) == [table.identity[5]]


# The posterior


def test_likelihoods_are_those_of_drawing_cards_from_a_noisy_copy() -> None:
    """Against the formula for every card and deck; the model computes it only where a deck has the card."""
    table = made_up_table()
    model = DeckPosterior(table, table.days, GROUP)
    s, sizes, copies = model.settings, table.sizes[:, None], table.copies.astype(float)
    usual = copies.mean(0) / table.sizes.mean() + 1e-5
    for k in range(COPIES):
        drawn = [(1 - s.noise) * np.maximum(copies - j, 0) / (sizes - j) + s.noise * usual + 1e-7 for j in range(k + 1)]
        expected = s.temper * np.sum(np.log(drawn), axis=0)
        np.testing.assert_allclose(model._likelihood[:, k, :].T, expected, rtol=1e-5)


@pytest.mark.parametrize(("copies", "counted"), [(1, 1), (2, 2), (COPIES, COPIES), (COPIES + 2, COPIES)])
def test_decks_are_weighed_by_the_copies_that_were_seen(copies: int, counted: int) -> None:
    """More than a deck may have count as many as it may."""
    table = made_up_table()
    model = DeckPosterior(table, table.days, GROUP)
    card, nothing = int(np.flatnonzero(table.copies[0])[0]), np.zeros(len(table.cards), np.int64)
    before, one = model.weights(seen(0, nothing)), nothing.copy()
    one[card] = copies
    expected = before * np.exp(model._likelihood[card, counted - 1] - model._likelihood[card, counted - 1].max())
    np.testing.assert_allclose(model.weights(seen(0, one)), expected / expected.sum(), rtol=1e-3, atol=1e-7)


def test_copies_are_those_of_the_weighed_decks_the_more_decks_count_the_surer() -> None:
    """One deck counts once beside what is usual, four alike decks four times."""
    table = made_up_table()
    model, usual = DeckPosterior(table, table.days, GROUP), np.full((len(table.cards), COPIES), 1 / COPIES)
    smoothing, card = model.settings.copies_weight, int(np.flatnonzero(table.copies[0])[0])
    alone, exactly = np.zeros(len(table), np.float32), np.arange(1, COPIES + 1) == table.copies[0, card]
    alone[0] = 1.0
    found = model.expected(alone, usual).copies[card]
    np.testing.assert_allclose(found, (exactly + smoothing / COPIES) / (1 + smoothing), rtol=1e-5)
    same = np.flatnonzero(table.copies[:, card] == table.copies[0, card])[:4]
    four = np.zeros(len(table), np.float32)
    four[same] = 1 / len(same)
    found = model.expected(four, usual).copies[card]
    np.testing.assert_allclose(found, (len(same) * exactly + smoothing / COPIES) / (len(same) + smoothing), rtol=1e-5)


def test_decks_of_the_same_days_weigh_most_and_those_without_a_date_as_others_do() -> None:
    """A few days matter as much as months do later."""
    table, day = made_up_table(), 735_000
    days = np.full(len(table), day)
    days[:5] = [day, day - 2, day - 60, day - 62, -1]
    model = DeckPosterior(table, days, GROUP)
    cost = model._cost_of_date(day)
    assert cost[0] == 0
    assert cost[1] - cost[0] > 5 * (cost[3] - cost[2]) > 0
    assert cost[4] == pytest.approx(np.delete(cost, 4).mean())


# Archetypes


def test_archetypes_are_distributions() -> None:
    kinds = Archetypes.learn(made_up_table(), MixtureSettings(archetypes=6, rounds=8))
    assert kinds.share.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(kinds.identity.sum(1), 1, atol=1e-5)
    assert ((kinds.cards > 0) & (kinds.cards < 1)).all()
    assert kinds.cards.dtype == np.float64


# The network


def test_steps_of_training_are_adam_on_the_cross_entropy() -> None:
    """The compiled steps beside plain ones in double precision, without dropout. An input that does not occur keeps its
    weights."""
    random = np.random.default_rng(4)
    inputs, hidden, outputs, decks = 12, 5, 7, 4
    settings = NetworkSettings(hidden=hidden, dropout=0.0, weight_decay=0.02, wide_rate=0.5)
    shapes = Weights((inputs, hidden), (hidden,), (hidden, outputs), (inputs, outputs), (outputs,))  # type: ignore[arg-type]
    weights = Weights(*(random.standard_normal(shape).astype(np.float32) for shape in shapes))
    present = (random.random((decks, outputs)) < 0.4).astype(np.float32)
    x = random.integers(0, 3, (decks, inputs)) * (random.random((decks, inputs)) < 0.3)
    assert 0 < x.any(0).sum() < inputs
    expected = plain_adam(weights, x, present, 0.01, settings, steps=3)
    optimizer = deck_optimizer(weights, settings)
    for _ in range(3):
        optimizer.step(loss_gradient(weights, csr_array(x.astype(np.float32)), present, 0.0, random), 0.01)
    for name, ours in weights._asdict().items():
        np.testing.assert_allclose(ours, expected[name], rtol=2e-4, atol=2e-5, err_msg=name)


def plain_adam(
    weights: Weights, x: np.ndarray, present: np.ndarray, rate: float, settings: NetworkSettings, steps: int
) -> dict[str, np.ndarray]:
    w = {name: array.astype(np.float64) for name, array in weights._asdict().items()}
    mean, square = ({name: np.zeros_like(array) for name, array in w.items()} for _ in range(2))
    for step in range(1, steps + 1):
        hidden = np.maximum(x @ w["deep"] + w["hidden_bias"], 0)
        error = 1 / (1 + np.exp(-(hidden @ w["output"] + x @ w["wide"] + w["bias"]))) - present
        error /= len(present)
        back = error @ w["output"].T * (hidden > 0)
        gradient = {
            "deep": x.T @ back,
            "hidden_bias": back.sum(0),
            "output": hidden.T @ error,
            "wide": x.T @ error,
            "bias": error.sum(0),
        }
        for name, slope in gradient.items():
            occurs = x.any(0)[:, None] if name in ("deep", "wide") else True
            mean[name] = np.where(occurs, BETA1 * mean[name] + (1 - BETA1) * slope, mean[name])
            square[name] = np.where(occurs, BETA2 * square[name] + (1 - BETA2) * slope**2, square[name])
            size = rate * np.sqrt(1 - BETA2**step) / (1 - BETA1**step)
            decay = 0.0 if "bias" in name else settings.weight_decay
            share = settings.wide_rate if name == "wide" else 1.0
            change = size * mean[name] / (np.sqrt(square[name]) + EPSILON) + rate * decay * w[name]
            w[name] = np.where(occurs, w[name] - share * change, w[name])
    return w


def test_an_identity_that_no_deck_has_says_nothing() -> None:
    """What is expected of it is what its group tells, not the noise that weights begin with."""
    table = made_up_table()
    known = table.rows(table.identity != 2)
    network = train_network(known, known.days, GROUP, NetworkSettings(hidden=16, epochs=2, batch=32))
    inputs: Inputs = network.inputs
    assert not network.weights.deep[2].any()
    assert not network.weights.wide[2].any()
    assert network.weights.deep[0].any()
    never = np.flatnonzero(known.copies.max(0) < COPIES)[0]
    assert not network.weights.deep[inputs.first_card + COPIES * never + COPIES - 1].any()


def test_the_periods_that_have_begun_are_features() -> None:
    inputs = Inputs(group=np.array([0]), num_identities=1, num_cards=1, first_day=100, periods=3)
    first = inputs.first_period
    for day, begun in (
        (99, 0), (100, 0), (99 + DAYS_PER_PERIOD, 0), (100 + DAYS_PER_PERIOD, 1), (100 + 2 * DAYS_PER_PERIOD, 2),
        (10**6, 3),
    ):  # fmt: skip
        assert inputs.known(0, 45, day)[3:] == list(range(first, first + begun))
    assert len(inputs.known(0, 45, None)) == 3
    assert inputs.first_card == first + 3


def test_identities_are_masked_as_often_as_the_settings_say() -> None:
    """Always: then no identity is learned. Never: then all are."""
    table = made_up_table()
    for share, learned in ((1.0, False), (0.0, True)):
        settings = NetworkSettings(hidden=8, epochs=1, batch=32, nameless=share)
        network = train_network(table, table.days, GROUP, settings)
        assert network.weights.wide[: len(table.identities)].any() == learned
        assert network.weights.wide[network.inputs.first_group].any()


def test_seen_copies_are_features_one_after_the_other() -> None:
    """Who sees two copies has the features "one" and "two" of that card; no deck has a second copy without a first."""
    table = made_up_table()
    inputs = train_network(table, table.days, GROUP, NetworkSettings(hidden=2, epochs=1)).inputs
    masked = _Masking(table, table.days, inputs, NetworkSettings(fewest_seen=9, most_seen=9))
    masked.draw()
    cards = (
        masked.inputs_of(np.arange(len(table))).toarray()[:, masked.inputs.first_card :].reshape(len(table), -1, COPIES)
    )
    assert cards[:, :, 1].any(), "some card was seen twice"
    assert (cards[:, :, 1:] <= cards[:, :, :-1]).all()
    assert (cards.sum(2) <= np.minimum(table.copies, COPIES)).all()
