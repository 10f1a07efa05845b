"""The statistics under the tables."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from boardwright.arena.record import GameRecord, RecordedFailure
from boardwright.arena.standings import (
    Entrant,
    PointsShare,
    Standings,
    binomial_of_equal_chances,
    chi_square_of_equal_chances,
    ranks,
    wilson_interval,
)
from boardwright.reports.standings import equal_chances, failure_remarks, standings_as_json


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_interval_is_scipys(counts: tuple[int, int]) -> None:
    wins, games = counts
    expected = stats.binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson_interval(wins, games) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_interval_holds_the_share_itself(counts: tuple[int, int]) -> None:
    wins, games = counts
    low, high = wilson_interval(wins, games)
    assert 0 <= low <= wins / games <= high <= 1


@given(st.lists(st.integers(0, 500), min_size=2, max_size=7).filter(lambda wins: sum(wins) >= 5 * len(wins)))
def test_chi_square_is_scipys(wins: list[int]) -> None:
    ours, theirs = chi_square_of_equal_chances(wins), stats.chisquare(wins)
    assert ours is not None
    assert (ours.statistic, ours.p, ours.df) == pytest.approx((theirs.statistic, theirs.pvalue, len(wins) - 1))


def test_nothing_is_tested_where_nobody_won() -> None:
    assert chi_square_of_equal_chances([0, 0]) is None
    assert binomial_of_equal_chances([0, 0]) is None


@given(st.tuples(st.integers(0, 900), st.integers(0, 900)).filter(any))
def test_the_exact_test_is_scipys(wins: tuple[int, int]) -> None:
    """Up to so many games; of more, SciPy's p can be too small for a number."""
    exact = stats.binomtest(wins[0], sum(wins)).pvalue
    assert binomial_of_equal_chances(wins) == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize(
    ("wins", "line"),
    [
        ((4, 0), "Equal chances? exact binomial test, p = 0.125: the same."),
        ((7, 0), "Equal chances? exact binomial test, p = 0.0156: other."),
        ((9, 3, 2), "Equal chances? too few games for a test; χ² needs 15 that somebody won."),
        ((9, 3, 3), "Equal chances? χ² = 4.80, df = 2, p = 0.0907: the same."),
    ],
)
def test_few_games_are_not_tested_by_chi_square(wins: tuple[int, ...], line: str) -> None:
    assert equal_chances(wins, "other", "the same") == [line]


def test_nothing_is_said_where_nobody_won() -> None:
    assert equal_chances((0, 0, 0), "other", "the same") == []


@pytest.mark.parametrize(
    ("returns", "places"),
    [((1, -1), [1, 2]), ((0, 0), [1.5, 1.5]), ((0.2, 1, 0, 0.1), [2, 1, 4, 3]), ((1, 1, 0), [1.5, 1.5, 3])],
)
def test_equal_returns_share_their_places(returns: tuple[float, ...], places: list[float]) -> None:
    assert ranks(returns) == places


def game(order: list[int], returns: list[float], scores: list[float]) -> GameRecord:
    return GameRecord(
        game="g", seats=2, seed=0, agents=["a", "b"], actions=[], returns=returns, scores=scores, order=order
    )


def test_standings_follow_the_agents_not_the_seats() -> None:
    standings = Standings.of(
        ["a", "b"],
        [game([0, 1], [1, -1], [5, 3]), game([1, 0], [1, -1], [8, 1]), game([1, 0], [0, 0], [2, 2])],
    )
    a, b = standings.entrants
    assert (a.wins, b.wins, a.draws, b.draws, standings.draws) == (1, 1, 1, 1, 1)
    assert standings.seat_wins == [2, 0]
    assert a.mean_score == pytest.approx((5 + 1 + 2) / 3)
    assert a.mean_rank == pytest.approx((1 + 2 + 1.5) / 3)
    row = standings_as_json(standings)["agents"][0]
    columns = ["spec", "games", "wins", "draws", "win_rate", "interval", "mean_rank", "mean_score", "best_move_rate"]
    assert list(row) == columns


def test_nothing_is_known_of_who_has_not_played() -> None:
    entrant = Entrant("a")
    assert (entrant.win_rate, entrant.interval, entrant.best_move_rate) == (0.0, (0.0, 1.0), None)
    assert math.isnan(entrant.mean_rank)
    assert math.isnan(entrant.mean_score)
    assert chi_square_of_equal_chances([5]) is None, "nobody to compare with"
    assert Standings.of(["a", "b"]).chi_square() is None


def test_rates_are_shares_of_games_and_of_decisions() -> None:
    """Two games won and one lost; of five decisions with a preference three were for what was preferred."""
    won = game([0, 1], [1, -1], [6, 1]).model_copy(update={"best_moves": ["110", "0"]})
    lost = game([0, 1], [-1, 1], [3, 4]).model_copy(update={"best_moves": ["01", "1"]})
    standings = Standings.of(["a", "b"], [won, lost, game([0, 1], [1, -1], [6, 1])])
    a, b = standings.entrants
    assert (a.decisions, a.best_moves, a.best_move_rate) == (5, 3, 0.6)
    assert (b.decisions, b.best_moves, b.best_move_rate) == (2, 1, 0.5)
    assert (standings.games, a.games, a.wins, a.win_rate, a.interval) == (3, 3, 2, 2 / 3, wilson_interval(2, 3))
    assert (a.mean_rank, b.mean_rank, a.mean_score, b.mean_score) == (4 / 3, 5 / 3, 5, 2)
    assert standings.chi_square() == chi_square_of_equal_chances([2, 1])
    row = standings.to_frame().iloc[0]
    assert (row["spec"], row["games"], row["wins"], row["draws"]) == ("a", 3, 2, 0)
    assert (row["win_rate"], row["mean_rank"], row["mean_score"]) == (2 / 3, 4 / 3, 5)


def test_a_share_of_points_has_the_interval_of_a_share_of_games() -> None:
    class Counted(PointsShare):
        games, points = 8, 2.5

    assert (Counted().share, Counted().interval) == (2.5 / 8, wilson_interval(2.5, 8))


def test_an_interval_of_another_error_is_as_wide_as_that_says() -> None:
    """With z = 1 and 3 of 4: centre 0.75 + 1/8, spread the root of 0.75/16 + 1/64, over 1 + 1/4."""
    low, high = wilson_interval(3, 4, z=1.0)
    assert (low, high) == pytest.approx(((0.875 - 0.25) / 1.25, (0.875 + 0.25) / 1.25))


def test_failures_count_for_the_entrant_in_that_seat() -> None:
    failure = RecordedFailure(seat=0, moves=3, reason="too late")
    lost = game([1, 0], [-1, 1], [0, 0]).model_copy(update={"forfeit": failure})
    helped = game([1, 0], [1, -1], [0, 0]).model_copy(update={"substitutions": [failure, failure]})
    a, b = Standings.of(["a", "b"], [lost, helped]).entrants
    assert (a.forfeits, b.forfeits) == (0, 1)
    assert (a.substitutions, b.substitutions) == (0, 2)
    assert (a.first_failure, b.first_failure) == ("", "too late")


def test_a_match_says_why_somebody_forfeited() -> None:
    def lost(reason: str) -> GameRecord:
        failure = RecordedFailure(seat=0, moves=3, reason=reason)
        return game([1, 0], [-1, 1], [0, 0]).model_copy(update={"forfeit": failure})

    assert failure_remarks(Standings.of(["a", "b"], [lost("too late")])) == [
        "Forfeits: b failed in, and so lost, 1 game.",
        "Why: too late",
    ]
    assert failure_remarks(Standings.of(["a", "b"], [lost("not\x1b JSON"), lost("too late")])) == [
        "Forfeits: b failed in, and so lost, 2 games.",
        "The first time: not\N{REPLACEMENT CHARACTER} JSON",
    ]


def test_nothing_is_known_of_a_share_without_trials() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
