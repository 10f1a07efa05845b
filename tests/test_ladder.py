"""Ratings from results."""

from __future__ import annotations

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
