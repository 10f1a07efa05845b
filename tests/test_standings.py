"""The statistics under the tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from boardwright.arena.record import GameRecord, RecordedFailure
from boardwright.arena.standings import Standings, chi_square_of_equal_chances, ranks, wilson_interval
from boardwright.reports.standings import standings_as_json


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


@given(st.lists(st.integers(0, 500), min_size=2, max_size=7).filter(lambda wins: sum(wins) > 0))
def test_chi_square_is_scipys(wins: list[int]) -> None:
    ours, theirs = chi_square_of_equal_chances(wins), stats.chisquare(wins)
    assert ours is not None
    assert (ours.statistic, ours.p, ours.df) == pytest.approx((theirs.statistic, theirs.pvalue, len(wins) - 1))


def test_nothing_is_tested_where_nobody_won() -> None:
    assert chi_square_of_equal_chances([0, 0]) is None


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


def test_failures_count_for_the_entrant_in_that_seat() -> None:
    failure = RecordedFailure(seat=0, moves=3, reason="too late")
    lost = game([1, 0], [-1, 1], [0, 0]).model_copy(update={"forfeit": failure})
    helped = game([1, 0], [1, -1], [0, 0]).model_copy(update={"substitutions": [failure, failure]})
    a, b = Standings.of(["a", "b"], [lost, helped]).entrants
    assert (a.forfeits, b.forfeits) == (0, 1)
    assert (a.substitutions, b.substitutions) == (0, 2)


def test_nothing_is_known_of_a_share_without_trials() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
