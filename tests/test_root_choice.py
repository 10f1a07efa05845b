"""Action selection at the root: which action each rule takes, and how often each is drawn."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import boardwright as bw
from boardwright.search.root_choice import Candidate, RootChoice

MOST_VISITED, BEST_MEAN, SECURE, POOR = (
    Candidate(0, 100, 0.50),
    Candidate(1, 4, 0.80),
    Candidate(2, 90, 0.55),
    Candidate(3, 10, 0.10),
)
ROOT = [POOR, BEST_MEAN, SECURE, MOST_VISITED]


@pytest.mark.parametrize(
    ("rule", "chosen"), [("robust", MOST_VISITED), ("max", BEST_MEAN), ("secure", SECURE), ("robust_max", MOST_VISITED)]
)
def test_plain_rules_take_one_action(rule: str, chosen: Candidate) -> None:
    assert RootChoice(rule).choose(ROOT, random.Random(1)) == chosen  # type: ignore[arg-type]


def test_robust_max_prefers_the_action_that_is_both() -> None:
    both = Candidate(5, 100, 0.9)
    assert RootChoice("robust_max").choose([*ROOT, both], random.Random(1)) == both


def test_robust_max_takes_the_better_of_two_most_visited() -> None:
    better, worse = Candidate(4, 100, 0.6), Candidate(0, 100, 0.05)
    assert RootChoice("robust_max").choose([POOR, BEST_MEAN, worse, better], random.Random(1)) == better


def drawn(choice: RootChoice, times: int = 20_000) -> Counter[int]:
    rng = random.Random(7)
    return Counter(choice.choose(ROOT, rng).action for _ in range(times))


def test_rand_draws_evenly_among_the_n_best() -> None:
    """20,000 draws: a share of one half has a standard error of 0.35 %; four of them are allowed."""
    counts = drawn(RootChoice("robust_rand", n=2))
    assert set(counts) == {0, 2}
    assert counts[0] / 20_000 == pytest.approx(0.5, abs=0.015)
    assert set(drawn(RootChoice("max_rand", n=2))) == {1, 2}
    assert set(drawn(RootChoice("robust_rand", n=9))) == {0, 1, 2, 3}, "if there are fewer than n, all are used"


@pytest.mark.parametrize(("power", "expected"), [(1, 100 / 190), (2, 100**2 / (100**2 + 90**2))])
def test_roulette_draws_in_proportion_to_a_power_of_visits(power: float, expected: float) -> None:
    counts = drawn(RootChoice("robust_roulette", n=2, power=power))
    assert counts[0] / 20_000 == pytest.approx(expected, abs=0.015)


def test_roulette_over_means() -> None:
    counts = drawn(RootChoice("max_roulette"))
    assert counts[1] / 20_000 == pytest.approx(0.80 / 1.95, abs=0.015)


def test_a_decision_says_whether_it_is_the_best(connect_four: bw.Game) -> None:
    observation = connect_four.new(seed=0).observation(0)
    assert bw.agent("uct:iterations=200", connect_four, 0).decide(observation).best
    varied = [
        bw.agent("uct:iterations=200,select=robust_rand,top=3", connect_four, 0, seed=i).decide(observation)
        for i in range(30)
    ]
    assert {decision.best for decision in varied} == {True, False}
    assert len({decision.reasons for decision in varied}) == 30, "the search itself is untouched by the choice"
    assert all(decision.reasons[0].visits == max(r.visits or 0 for r in decision.reasons) for decision in varied)


def test_robust_max_searches_on_while_no_action_has_both_most_visits_and_best_mean(connect_four: bw.Game) -> None:
    observation = connect_four.new(seed=0).observation(0)
    spent = set()
    for seed in range(30):
        agent = bw.agent("uct:iterations=60,select=robust_max", connect_four, 0, seed=seed)
        reasons = agent.decide(observation).reasons
        visits = [reason.visits or 0 for reason in reasons]
        means = [reason.value or 0 for reason in reasons]
        agree = visits[means.index(max(means))] == max(visits)
        spent.add((sum(visits) // 6 * 6, agree))
    assert (60, True) in spent, "it stops where it is sure"
    assert any(60 < iterations < 120 and agree for iterations, agree in spent), "or as soon as it is"
    assert {iterations for iterations, agree in spent if not agree} <= {120}, "at last it gives up"
