"""Intervals that hold however often one looks: their error rates, simulated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from boardwright.arena.standings import wilson_interval
from boardwright.experiments.sequential import ALPHA, confidence_sequence, mean_sequence, sequential_z

RUNS = 2_000
LOOKS = range(20, 401, 10)
"""A verdict is tried after 20 games, and then after every ten, up to 400."""
MOST_BY_CHANCE = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / RUNS)


def wrong_at_some_look(interval, share: float, draws: float = 0.0) -> float:
    """In what part of the matches the true share lies outside the interval at some look."""
    random = np.random.default_rng(int(1000 * share) + 7)
    results = np.where(
        random.random((RUNS, max(LOOKS))) < draws,
        0.5,
        random.random((RUNS, max(LOOKS))) < (share - draws / 2) / (1 - draws),
    )
    points = results.cumsum(axis=1)
    wrong = np.zeros(RUNS, bool)
    for games in LOOKS:
        for value in np.unique(points[:, games - 1]):
            low, high = interval(float(value), games)
            if not low <= share <= high:
                wrong |= points[:, games - 1] == value
    return float(wrong.mean())


@pytest.mark.parametrize(("share", "draws"), [(0.5, 0.0), (0.9, 0.0), (0.5, 0.3)])
def test_looking_after_every_ten_games_is_wrong_no_oftener_than_said(share, draws):
    assert wrong_at_some_look(confidence_sequence, share, draws) <= MOST_BY_CHANCE


def test_looking_at_intervals_of_a_fixed_size_is_wrong_far_oftener():
    """So the simulation can tell."""
    assert wrong_at_some_look(wilson_interval, 0.5) > 2 * ALPHA


def test_of_games_won_and_lost_both_intervals_are_the_same():
    for points, games in ((0, 10), (3, 10), (24, 70), (10, 10)):
        results = [1.0] * points + [0.0] * (games - points)
        assert mean_sequence(results) == pytest.approx(confidence_sequence(points, games))
    assert mean_sequence([]) == (0.0, 1.0)


def test_games_on_the_same_deals_are_wrong_no_oftener_than_said():
    """Six matches on the same deals, which decide four of five games: the mean over a round goes up and down with the
    deal. Who counts the games of a round as six is wrong far oftener."""
    runs, cells, rounds = 300, 6, 60
    random = np.random.default_rng(23)
    lucky = random.random((runs, rounds, 1)) < 0.5
    won = np.where(random.random((runs, rounds, cells)) < 0.8, lucky, random.random((runs, rounds, cells)) < 0.5)
    missed, missed_by_counting = np.zeros(runs, bool), np.zeros(runs, bool)
    for number in range(10, rounds + 1, 10):
        for run in range(runs):
            low, high = mean_sequence(won[run, :number].mean(axis=1).tolist())
            missed[run] |= not low <= 0.5 <= high
            low, high = confidence_sequence(float(won[run, :number].sum()), number * cells)
            missed_by_counting[run] |= not low <= 0.5 <= high
    assert missed.mean() <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)
    assert missed_by_counting.mean() > 2 * ALPHA


def test_sums_of_shares_are_wrong_no_oftener_than_said():
    random = np.random.default_rng(11)
    cells, share = 8, 0.4
    means = (random.random((RUNS, cells, max(LOOKS))) < share).cumsum(axis=2)
    wrong = np.zeros(RUNS, bool)
    for games in LOOKS:
        shares = means[:, :, games - 1] / games
        error = sequential_z(games) * np.sqrt((shares * (1 - shares) / games).sum(axis=1))
        wrong |= abs(shares.sum(axis=1) - cells * share) > error
    assert wrong.mean() <= MOST_BY_CHANCE


def test_the_interval_holds_the_share_and_narrows():
    for points in (0.0, 3.5, 20.0, 39.5, 40.0):
        low, high = confidence_sequence(points, 40)
        assert 0 <= low <= points / 40 <= high <= 1
        wider = confidence_sequence(points / 2, 20)
        assert high - low < wider[1] - wider[0]
    assert confidence_sequence(0, 0) == (0.0, 1.0)
    assert confidence_sequence(20, 40)[0] < wilson_interval(20, 40)[0]
