"""Action selection at the root: which action each rule takes, and how often each is drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

import boardwright as bw
from boardwright.search.root_choice import Candidate, RootChoice, Rule, has_robust_max
from boardwright.search.statistics import Statistics

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


def test_robust_max_wants_the_most_visits_of_all() -> None:
    second = Candidate(4, 90, 0.9)
    assert RootChoice("robust_max").choose([second, MOST_VISITED], random.Random(1)) == MOST_VISITED


def chosen(rule: Rule, *candidates: Candidate) -> int:
    return RootChoice(rule).choose(candidates, random.Random(1)).action


def test_of_equally_visited_actions_the_better_is_robust_and_of_equals_the_first() -> None:
    assert chosen("robust", Candidate(1, 5, 0.2), Candidate(2, 5, 0.3)) == 2
    assert chosen("robust", Candidate(2, 5, 0.3), Candidate(1, 5, 0.3)) == 1


def test_of_equally_good_actions_the_more_visited_is_the_best() -> None:
    assert chosen("max", Candidate(1, 5, 0.3), Candidate(2, 6, 0.3)) == 2
    assert chosen("secure", Candidate(1, 4, 0.75), Candidate(2, 16, 0.5)) == 2, "both have a lower bound of 0.25"


def test_an_action_without_visits_comes_after_one_that_always_lost() -> None:
    for rule in ("max", "secure"):
        assert chosen(rule, Candidate(1, 0, 0.0), Candidate(2, 1, 0.0)) == 2  # type: ignore[arg-type]


def test_the_lower_bound_is_the_mean_less_one_over_the_root_of_the_visits() -> None:
    """0.8 - 1/2 is more than 0.35 - 1/10, and less than 0.45 - 1/10."""
    assert chosen("secure", Candidate(1, 4, 0.8), Candidate(2, 100, 0.35)) == 1
    assert chosen("secure", Candidate(1, 4, 0.8), Candidate(2, 100, 0.45)) == 2


@pytest.mark.parametrize(
    ("candidates", "there_is"),
    [
        ([Candidate(1, 9, 0.9), Candidate(2, 5, 0.3)], True),
        ([Candidate(1, 9, 0.3), Candidate(2, 5, 0.9)], False),
        ([Candidate(1, 9, 0.3), Candidate(2, 9, 0.9)], True),
        ([Candidate(1, 9, 0.3), Candidate(2, 9, 0.3)], True),
    ],
)
def test_whether_one_action_has_both_most_visits_and_the_best_mean(candidates: list[Candidate], there_is: bool) -> None:
    assert has_robust_max(candidates) == there_is


def drawn(choice: RootChoice, times: int = 20_000, candidates: Sequence[Candidate] = ROOT) -> Counter[int]:
    rng = random.Random(7)
    return Counter(choice.choose(candidates, rng).action for _ in range(times))


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


def test_roulette_over_means_that_add_up_to_less_than_one() -> None:
    """2,000 draws: three of four are expected, with a standard error of 1 %."""
    counts = drawn(RootChoice("max_roulette"), 2000, [Candidate(1, 5, 0.3), Candidate(2, 5, 0.1)])
    assert counts[1] / 2000 == pytest.approx(0.75, abs=0.04)


def test_roulette_never_draws_what_lost_more_than_a_game_can() -> None:
    """As a mean with virtual losses may be; if all means are 0, each is as likely."""
    assert set(drawn(RootChoice("max_roulette"), 200, [Candidate(1, 5, 0.3), Candidate(2, 5, -0.1)])) == {1}
    nothing = drawn(RootChoice("max_roulette"), 200, [Candidate(1, 5, 0.0), Candidate(2, 5, 0.0)])
    assert 70 < nothing[1] < 130


def test_the_lead_is_that_of_the_most_visited_over_the_second() -> None:
    assert Statistics({1: 5, 2: 9, 3: 2}).lead == 4
    assert Statistics({1: 5}).lead == 5
    assert Statistics().lead == 0


def test_statistics_of_several_searches_add_up_with_what_is_proven() -> None:
    parts = [Statistics({1: 3}, {1: 1.5}), Statistics({1: 2, 2: 4}, {1: 0.25, 2: -1.0}, {2: -1.0})]
    merged = Statistics.merged(parts)
    assert (merged.visits, merged.total, merged.proven) == ({1: 5, 2: 4}, {1: 1.75, 2: -1.0}, {2: -1.0})


def test_the_mean_is_what_is_proven_or_else_that_of_the_returns() -> None:
    found = Statistics({1: 4, 2: 0, 3: 9}, {1: 1.0, 2: 0.0, 3: 1.0}, {3: -1.0})
    assert [found.mean(action) for action in (1, 2, 3, 4)] == [0.25, None, -1.0, None]


def test_candidates_have_means_from_0_to_1_whatever_the_returns() -> None:
    """Returns from -2 to 6; an action without visits counts as lost."""
    found = Statistics({1: 4, 2: 0, 3: 2}, {1: 8.0, 2: 0.0, 3: 12.0})
    assert found.candidates(-2.0, 6.0) == [Candidate(1, 4, 0.5), Candidate(2, 0, 0.0), Candidate(3, 2, 1.0)]


def test_reasons_have_the_share_of_visits() -> None:
    found = Statistics({1: 3, 2: 1}, {1: 1.5, 2: 0.0})
    reasons = found.reasons(found.candidates(0.0, 1.0))
    assert [(r.action, r.value, r.weight, r.visits) for r in reasons] == [(1, 0.5, 0.75, 3), (2, 0.0, 0.25, 1)]
    (alone,) = Statistics({7: 1}, {7: 1.0}).reasons([Candidate(7, 1, 1.0)])
    assert alone.weight == 1.0
    (unseen,) = Statistics({7: 0}, {7: 0.0}).reasons([Candidate(7, 0, 0.0)])
    assert unseen.weight == 0.0


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


def test_statistics_have_visits_and_returns_of_every_action() -> None:
    assert Statistics.of([4, 2], [3, 1], [1.5, 0.0]) == Statistics({4: 3, 2: 1}, {4: 1.5, 2: 0.0})
    for visits, total in (([3], [1.5, 0.0]), ([3, 1], [1.5])):
        with pytest.raises(ValueError, match="shorter"):
            Statistics.of([4, 2], visits, total)
