"""Ratings from results."""

from __future__ import annotations

import hashlib
import json
import math
import threading
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.ladder import ELO, Ladder, Results, bradley_terry, ratings
from boardwright.arena.record import GameRecord
from boardwright.cli import main
from boardwright.errors import BadSpec, UnknownName
from boardwright.executors import InProcess, together
from boardwright.kernel import rng


def record(order: list[int], returns: list[float]) -> GameRecord:
    return GameRecord(
        game="x", options={}, seats=len(order), seed=0, agents=["a"] * len(order), actions=[], scores=returns,
        returns=returns, entrants=["a"] * len(order), order=order, match_seed=0, index=0,
    )  # fmt: skip


def test_two_entrants_get_the_odds_of_their_results() -> None:
    """By symmetry the strengths are x and -x: 300 wins, 100 losses and the drawn game each has against an average
    player give 300 - 400 p(2x) + 1/2 - p(x) = 0."""
    strength, error = bradley_terry(np.array([[0.0, 300.0], [100.0, 0.0]]))
    x = strength[0]
    assert strength[1] == pytest.approx(-x)
    assert 300 - 400 / (1 + math.exp(-2 * x)) + 0.5 - 1 / (1 + math.exp(-x)) == pytest.approx(0, abs=1e-8)
    assert 2 * x == pytest.approx(math.log(3), abs=0.01)
    information = 400 * 0.75 * 0.25
    assert error[0] == pytest.approx(0.5 / math.sqrt(information), rel=0.02)


def test_who_never_lost_has_a_finite_rating() -> None:
    bradley_terry(np.array([[0.0, 1e6], [0.0, 0.0]]))  # ends, however many games
    strength, error = bradley_terry(np.array([[0.0, 50.0], [0.0, 0.0]]))
    assert np.isfinite(strength).all()
    assert np.isfinite(error).all()
    assert strength[0] > 1.5


def test_strengths_are_found_again_within_their_errors() -> None:
    random = np.random.default_rng(1)
    truth = np.array([1.2, 0.3, -0.2, -1.3])
    outside = 0
    for _ in range(100):
        before = np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                wins = random.binomial(200, 1 / (1 + math.exp(truth[j] - truth[i])))
                before[i, j], before[j, i] = wins, 200 - wins
        strength, error = bradley_terry(before)
        outside += int((np.abs(strength - truth) > 1.96 * error).sum())
    assert 6 <= outside <= 40  # of 400; 20 expected


def test_pairs_of_one_game_are_not_counted_as_games_of_their_own() -> None:
    """Five at a table, who finish after times drawn from exponential distributions: pairs among them follow the model,
    but their results hang together."""
    random = np.random.default_rng(2)
    truth = np.array([0.8, 0.4, 0.0, -0.4, -0.8])
    outside = 0
    for _ in range(100):
        results = Results("abcde")
        times = random.exponential(np.exp(-truth), (200, 5))
        results.add((0, 1, 2, 3, 4), [record([0, 1, 2, 3, 4], list(-row)) for row in times])
        for rating in ratings(results):
            outside += not rating.low <= ELO * truth["abcde".index(rating.spec)] <= rating.high
    assert 8 <= outside <= 42  # of 500; 25 expected


def test_a_game_for_three_counts_for_each_pair() -> None:
    results = Results(["a", "b", "c", "d"])
    results.add((0, 1, 3), [record([2, 0, 1], [0.5, 1.0, 0.5])])  # seats: d, a, b
    assert results.before.tolist() == [[0, 1, 0, 1], [0, 0, 0, 0.5], [0, 0, 0, 0], [0, 0.5, 0, 0]]
    assert results.games.tolist() == [1, 1, 0, 1]
    assert results.share(0, 1) == 1
    assert results.share(0, 2) is None
    assert ratings(results)[0].spec == "a"


def test_everybody_meets_everybody_once(kuhn: bw.Game) -> None:
    with pytest.raises(UnknownName, match="nobody"):
        Ladder(kuhn, ("random", "optimal", "nobody"), 2).check()
    ladder = Ladder(kuhn, ("a", "b", "c"), 2)
    assert ladder.tables() == [(0, 1), (0, 2), (1, 2)]
    assert len({ladder.match(table).seed for table in ladder.tables()}) == 3
    with pytest.raises(BadSpec, match="named twice"):
        Ladder(kuhn, ("a", "a"), 2).check()
    with pytest.raises(BadSpec, match="at least 2 agents; 1 given"):
        Ladder(kuhn, ("a",), 2).check()


def test_ladder_command_rates_and_goes_on_where_it_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    def climb(games: str) -> str:
        specs = ["random", "uct:iterations=50", "uct:iterations=400"]
        with pytest.raises(SystemExit) as leaving:
            main(["ladder", "connect_four", *specs, "--games", games, "--json", "l.json", "--plot", "l.png"])
        assert not leaving.value.code
        return capsys.readouterr().out

    climb("10")
    files = sorted(Path("ladders").iterdir())
    before = [file.read_text() for file in files]
    out = climb("40")
    assert len(files) == 3
    assert all(file.read_text().startswith(text) for file, text in zip(files, before, strict=True))
    found = json.loads(Path("l.json").read_text())
    order = [rating["spec"] for rating in found["ratings"]]
    assert order == ["uct:iterations=400", "uct:iterations=50", "random"]
    assert sum(map(sum, found["before"])) == 3 * 40
    best = found["ratings"][0]
    assert best["low"] < best["elo"] < best["high"]
    assert "Ahead of, in percent" in out
    assert Path("l.png").read_bytes().startswith(b"\x89PNG")
    assert pytest.approx(173.7, abs=0.1) == ELO


def test_seeds_of_tables_follow_from_places_or_from_who_sits_there(kuhn: bw.Game) -> None:
    """By who sits there, they stay when others come to the ladder. A salt of 0 is none."""
    few, many = (Ladder(kuhn, specs, 2, seed=5, seeds_by_spec=True) for specs in (("a", "c"), ("a", "b", "c")))
    assert few.match((0, 1)) == many.match((0, 2))
    digests = [int.from_bytes(hashlib.sha256(name).digest()[:8], "little") for name in (b"a", b"c")]
    assert few.match((0, 1)).seed == rng.derive(5, *digests) >> 1
    by_place = Ladder(kuhn, ("a", "b", "c"), 2, seed=5, salt=9, game_name="of another name")
    match = by_place.match((0, 2))
    assert (match.seed, match.salt) == (rng.derive(5, 0, 2) >> 1, rng.derive(9, 0, 2) >> 1)
    assert (match.entrants, match.game_name) == (("a", "c"), "of another name")
    assert (few.match((0, 1)).salt, few.match((0, 1)).game_name) == (0, "kuhn_poker")


def test_a_rating_is_the_strength_on_elo_s_scale_with_its_interval() -> None:
    results = Results("abc")
    results.add((0, 1), [record([0, 1], [1.0, 0.0]), record([1, 0], [0.5, 0.5]), record([0, 1], [0.0, 1.0])] * 9)
    results.add((0, 1), [record([0, 1], [1.0, 0.0])] * 9)
    assert results.before.tolist() == [[0, 22.5, 0], [13.5, 0, 0], [0, 0, 0]]
    assert not results.outcomes, "results of games for two hang together with nothing"
    assert results.share(0, 1) == 22.5 / 36
    strength, error = bradley_terry(results.before)
    best, nobody, worst = ratings(results)
    assert (best.spec, nobody.spec, worst.spec) == ("a", "c", "b")
    assert (best.games, nobody.games, best.share, worst.share, nobody.share) == (36, 0, 0.625, 0.375, 0)
    assert best.elo == 400 / math.log(10) * strength[0]
    assert best.high - best.elo == pytest.approx(best.elo - best.low)
    assert best.high - best.elo == pytest.approx(400 / math.log(10) * 1.96 * error[0], rel=1e-4)


def test_whole_games_say_how_far_their_results_scatter() -> None:
    """120 games of three, all equal: a is ahead of both others or of none. With v = (1, 0, -1) these scatter by
    120 v vᵀ; the drawn games add a quarter each, and every difference meets a curvature of 3 · 120 / 4 + 1/4. The
    middle one has the error of pairs."""
    results = Results("abc")
    for place in ([0, 1, 2], [2, 1, 0]):
        results.add((0, 1, 2), [record([0, 1, 2], [-float(p) for p in place])] * 60)
    assert results.outcomes == {((0, 2.0), (1, 1.0), (2, 0.0)): 60, ((0, 0.0), (1, 1.0), (2, 2.0)): 60}
    _, error = bradley_terry(results.before, results.outcomes)
    assert error == pytest.approx([math.sqrt(120 + 1 / 6) / 90.25, math.sqrt(2 / 3 / 90.25), error[0]])


def test_a_newcomer_is_rated_against_strengths_that_are_known() -> None:
    """One unknown: 30 wins, 10 losses and the drawn game against an average player. How sure the other's strength is
    counts as far as the result depends on it."""
    fixed = np.array([np.nan, 0.7])
    before = np.array([[0.0, 30.0], [10.0, 0.0]])
    strength, error = bradley_terry(before, fixed=fixed)
    x = strength[0]
    wins, average = 1 / (1 + math.exp(0.7 - x)), 1 / (1 + math.exp(-x))
    assert strength[1] == 0.7
    assert 30 - 40 * wins + 0.5 - average == pytest.approx(0, abs=1e-8)
    pairs = 40 * wins * (1 - wins)
    curvature = pairs + average * (1 - average)
    assert error == pytest.approx([math.sqrt(1 / curvature), 0])
    _, error = bradley_terry(before, fixed=fixed, fixed_errors=np.array([np.nan, 0.3]))
    assert error == pytest.approx([math.sqrt(1 / curvature + (0.3 * pairs / curvature) ** 2), 0.3])


def test_long_names_do_not_share_a_file(kuhn: bw.Game) -> None:
    from boardwright.arena.runner import default_record_file

    long = tuple(
        f"ismcts:iterations=100,exploration=0.70000000000000000000{i},nodes=1000000000,variant=so" for i in range(3)
    )
    ladder = Ladder(kuhn, long, 2)
    assert len({default_record_file(ladder.match(table)) for table in ladder.tables()}) == 3


def test_the_wider_interval_counts() -> None:
    """Of what pairs say, taken one by one, and what whole games say. Here a and c are ahead of both others or of none;
    b is always in the middle, of which whole games would say that it cannot vary."""
    results = Results("abc")
    for place in ([0, 1, 2], [2, 1, 0]):
        results.add((0, 1, 2), [record([0, 1, 2], [-float(p) for p in place])] * 60)
    _, by_pairs = bradley_terry(results.before)
    _, both = bradley_terry(results.before, results.outcomes)
    assert both[0] == pytest.approx(both[2])
    assert both[0] > 1.3 * by_pairs[0]
    assert both[1] == pytest.approx(by_pairs[1])


def test_runs_of_an_executor_that_can_do_several_are_under_way_together() -> None:
    """Each waits here until all have begun. If one fails, the others are stopped."""
    calls: list[str] = []

    class Several(InProcess):
        def begin(self) -> None:
            calls.append("begin")

        def stop(self) -> None:
            calls.append("stop")

    all_here = threading.Barrier(3)
    results = together(lambda item: (all_here.wait(60), item * 2)[1], [1, 2, 3], Several())
    assert sorted(results) == [(1, 2), (2, 4), (3, 6)]
    assert calls == ["begin"]
    with pytest.raises(ZeroDivisionError):
        list(together(lambda item: 1 // item, [1, 0], Several()))
    assert calls == ["begin", "begin", "stop"]
    assert list(together(lambda item: -item, [1, 2], InProcess())) == [(1, -1), (2, -2)]
