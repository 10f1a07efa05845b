"""Case-based reasoning, formula by formula: every constant and every border, on two or three cases each."""

from __future__ import annotations

import math
import random
from collections import Counter
from unittest.mock import Mock, call

import numpy as np
import pytest

from boardwright.cbr.blocks import CaseBlocks, sort_rows
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.case_class_weights import nearest_by_case_class
from boardwright.cbr.index import CaseIndex, IndexProfile
from boardwright.cbr.retain import GameTrace, Judgement, SolvedProblem
from boardwright.cbr.reuse import by_rank, combined, from_confusions, from_facts, most_similar, select, vote_shares
from boardwright.cbr.revise import Usage, below_class
from boardwright.cbr.schema import CaseSchema, NumberFeature, SetFeature
from boardwright.cbr.similarity import NumberDistance, SetDistance, WeightedDistance, make_query
from boardwright.cbr.weight_search import Comparison, _mutant, cbl4, coordinate_search, genetic_search
from boardwright.cbr.weights import FeatureRelevance, class_weights, feature_relevance
from tests.test_cbr import SCHEMA, case_base_of, tableaux


def aged(*ages: int) -> CaseBase:
    """Cases that differ in age alone."""
    return case_base_of([(age, 0, [], [], 0, 0) for age in ages])


# The index


def test_the_weight_of_a_number_is_its_importance_over_its_deviation() -> None:
    """Ages 0 and 20 deviate by 10. Balances that do not vary, and those of no cases at all, are taken to deviate by a
    quarter."""
    profile = IndexProfile(1, {"age": 30.0, "balance": 2.0, "shoe size": 1.0}, {}, exponents={"age": 2.0})
    weights = {number.row: number.weight for number in profile.distance(aged(0, 20)).numbers}
    assert weights == {0: 30.0 / 10**2, 1: 2.0 / 0.25}, "a number that the cases do not have is left out"
    assert {number.weight for number in profile.distance(CaseBase.empty(SCHEMA)).numbers} == {30.0 / 0.25**2, 8.0}


def test_derived_numbers_are_indexed_where_a_profile_says_so() -> None:
    profile = IndexProfile(3, {"age": 1.0}, {}, auxiliary={"balance": 2.0})
    with_, without = (profile.switched(generalise=False, auxiliary=used, windows=False) for used in (True, False))
    assert (with_.numbers, without.numbers) == ({"age": 1.0, "balance": 2.0}, {"age": 1.0})
    assert profile.with_k(7) == IndexProfile(7, {"age": 1.0}, {}, auxiliary={"balance": 2.0})


@pytest.mark.parametrize(("near", "alike", "found"), [(1, 2, 1), (2, 3, 2), (4, 5, 4), (5, 6, 6)])
def test_a_window_is_widened_twofold_then_fourfold_and_given_up_then(near: int, alike: int, found: int) -> None:
    """Two cases, so many years from the problem; the second has its balance, and is nearest as soon as the window lets
    it in. A window of 1 lets in what is 1, then 2, then 4 years away, then everything."""
    cases = case_base_of([(100 + near, 50, [], [], 0, 0), (100 - alike, 0, [], [], 0, 1)])
    index = CaseIndex(cases, IndexProfile(1, {"age": 0.001, "balance": 100.0}, {}, windows={"age": 1}))
    retrieved = index.retrieve(case_base_of([(100, 0, [], [], 0, 9)]), [0]).positions
    assert np.abs(index.case_base.number("age")[retrieved] - 100).tolist() == [found]


def test_as_many_cases_are_retrieved_as_the_profile_or_the_caller_says() -> None:
    index = CaseIndex(aged(*range(10)), IndexProfile(2, {"age": 1.0}, {}))
    problems = aged(0, 9)
    assert index.case_base.codes[0, index.retrieve(problems, [0]).positions].tolist() == [0, 1]
    assert index.case_base.codes[0, index.retrieve(problems, [0], k=3, case=1).positions].tolist() == [9, 8, 7]
    assert len(index.retrieve(aged(3), [0], k=20).positions) == 10


def test_of_equals_with_a_window_those_with_lower_ids_are_retrieved() -> None:
    """Whatever the order in which they came."""
    case_base = case_base_of([(age, 0, [], [], 0, 0) for age in (7, 3, 7, 3, 7)])
    case_base.ids = np.array([50, 40, 30, 20, 10])
    index = CaseIndex(case_base, IndexProfile(2, {"age": 1.0}, {}, windows={"age": 2}))
    assert index.case_base.ids.tolist() == [20, 40, 10, 30, 50], "by the number with the window, then by id"
    assert index.case_base.ids[index.retrieve(aged(7), [0]).positions].tolist() == [10, 30]
    assert len(index) == 5


def test_by_the_weights_of_their_own_class_cases_are_as_far_as_numbers_and_sets_say() -> None:
    """Ages are as important as they vary, so that a year costs 1. Class 0 sees nothing in tool 5, class 1 much: lacking
    it costs 0, or 3/4 of the 4 that the set counts."""
    case_base = case_base_of([(3, 0, [4], [], 0, 0), (7, 0, [4], [], 1, 1), (7, 0, [4, 5], [], 1, 2)])
    index = CaseIndex(case_base, IndexProfile(2, {"age": float(case_base.codes[0].std())}, {"tools": 4.0}))
    index.weights[0][:] = 1.0
    index.weights[0][0, 5], index.weights[0][1, 5] = 0.0, 3.0
    found = nearest_by_case_class(index, case_base_of([(5, 0, [4, 5], [], 0, 9)]))
    assert found.positions.tolist() == [0, 2], "k of them"
    assert found.distances.tolist() == [2.0, 2.0]
    index.profile = index.profile.with_k(3)
    found = nearest_by_case_class(index, case_base_of([(5, 0, [4, 5], [], 0, 9)]))
    assert found.distances.tolist() == [2.0, 2.0, 2.0 + 4 * 3 / 4]


# Reuse


def test_classes_without_any_fact_are_like_nothing_else() -> None:
    """The weights of facts may be small: it is their share that counts. Nothing is divided by nothing."""
    values = np.array([[0.0, 0.0], [0.0, 0.0], [0.5, 1.0], [0.5, 0.0]])
    with np.errstate(all="raise"):
        matrix = from_facts(values, np.array([0.25, 0.25]))
    assert matrix[0].tolist() == matrix[1, [1, 0, 2, 3]].tolist() == [1, 0, 0.25, 0.5]
    assert matrix[2].tolist() == [0.25, 0.25, 1, 0.5], "what only one has differs by its value"


def test_confusions_count_by_how_often_a_class_was_tested() -> None:
    """Class 0 was taken for 1 in 4 of 10 tests, 1 for 2 in 2 of 20, 2 for 0 in 1 of 5; class 3, tested 4 times, does
    not count. The shares are 0.4, 0.1 and 0.2, and matter by their roots."""
    confusions = np.array([[6, 4, 0, 0], [0, 18, 2, 0], [1, 0, 4, 0], [4, 0, 0, 0]])
    with np.errstate(all="raise"):
        matrix = from_confusions(confusions)
    assert matrix[0, 1] == pytest.approx(0.99)
    assert matrix[1, 2] == pytest.approx(0.99 * 0.5)
    assert matrix[2, 0] == matrix[0, 2] == pytest.approx(0.99 * 0.5**0.5)
    assert matrix[3].tolist() == [0, 0, 0, 1]


def test_without_confusions_every_class_is_like_itself_alone() -> None:
    with np.errstate(all="raise"):
        assert (from_confusions(np.diag([9, 9, 0])) == np.eye(3)).all()
        assert (from_confusions(np.zeros((2, 2), np.int64)) == np.eye(2)).all()


def test_ranks_of_two_classes_and_of_one() -> None:
    assert by_rank(np.array([[1.0, 0.3], [0.2, 1.0]])).tolist() == [[1, 0], [0, 1]]
    assert by_rank(np.array([[1.0]])).tolist() == [[0]]


def test_ranks_count_half_each_and_a_class_is_most_like_itself() -> None:
    """Classes 0 and 1 have the same facts: both share the highest rank, but for the diagonal."""
    facts = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.5, 1.0]])
    confused = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.0, 1.0]])
    both = combined(confused, facts, np.array([5, 4, 5]))
    assert both.tolist() == [[1, (0.75 + 0) / 2, (0 + 0.5) / 2], [0.75, 1, 0], [(0 + 0.5) / 2, (0.5 + 0) / 2, 1]]


def test_of_options_that_are_as_similar_the_first_is_taken() -> None:
    matrix = np.array([[1.0, 0.5, 0.5, 0.2], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    assert most_similar(matrix, 0, [3, 2, 1]) == 1
    assert select(Counter({9: 2, 4: 2, 5: 1}), "best", random.Random(1)) == 9


def test_shares_of_votes_the_largest_first() -> None:
    assert vote_shares(Counter({4: 1, 9: 3})) == [(9, 0.75), (4, 0.25)]
    assert vote_shares(Counter()) == []


def test_ordered_cases_can_be_counted() -> None:
    assert len(tableaux([0, 1], [2], [3])) == 3


# Retain and revise


def test_a_trace_keeps_each_problem_with_its_mean_similarity() -> None:
    """Distances 0 and 3 are similarities 1 and 1/4. A problem for which nothing was retrieved is like nothing, and of
    the greatest use."""
    trace = GameTrace()
    trace.add_solved(1, 2, b"own", [0.0, 3.0])
    trace.add_observed(1, 3, b"theirs", [])
    trace.add_confirmed(1, 4, b"confirmed", [1.0])
    trace.add_retrieval(7, 3.0)
    own, theirs = SolvedProblem(1, 2, b"own", 0.625), SolvedProblem(1, 3, b"theirs", 0.0)
    confirmed = SolvedProblem(1, 4, b"confirmed", 0.5)
    assert trace.candidates(True) == [own, confirmed]
    assert trace.candidates(False) == [theirs, confirmed]
    assert trace.candidates(None) == [confirmed]
    assert (own.usefulness, theirs.usefulness) == (0.375, 1.0)
    assert trace.credited(True) == [Judgement(7, 0.25, True)]
    assert trace.credited(False) == [Judgement(7, 0.25, False)]
    assert trace.credited(None) == []


def test_who_was_never_retrieved_has_won_at_no_rate_and_who_wins_as_often_is_not_below() -> None:
    assert Usage().rate == 0
    assert Usage(4, 1).rate == 0.25
    assert not below_class(Usage(4, 2), Usage(8, 4), margin=0.0, standard_errors=0.0)
    assert not below_class(Usage(8, 3), Usage(8, 4), margin=0.25, standard_errors=0.0)
    assert below_class(Usage(8, 2), Usage(8, 4), margin=0.25, standard_errors=0.0)


# Distances and blocks


def test_a_query_holds_the_problem_as_the_scan_wants_it() -> None:
    """Costs are shares of the set's weight, the dearest first, and of equals the first; whatever the elements weigh
    together. Windows end where codes do. What weighs nothing is left out, a set of which nothing weighs too."""
    schema = CaseSchema(
        (NumberFeature("age"), NumberFeature("size"), NumberFeature("depth")),
        (SetFeature("tools", 70), SetFeature("parts", 70), SetFeature("pets", 5)),
        classes=2,
    )
    numbers = [NumberDistance(2, 0.5), NumberDistance(1, 0.0), NumberDistance(0, 2.0, 2.0)]
    sets = [SetDistance(1, 8.0), SetDistance(2, 1.0), SetDistance(0, 0.0)]
    distance = WeightedDistance(schema, numbers, sets)
    assert (distance.numbers, distance.sets) == ((numbers[0], numbers[2]), (sets[0], sets[1]))
    assert distance.number_tables.rows.tolist() == [2, 0]
    assert distance.number_tables.slopes.tolist() == [0.5, -1.0], "only what grows evenly has a slope"
    assert distance.number_tables.tables[:, 253:258].tolist() == [[1, 0.5, 0, 0.5, 1], [8, 2, 0, 2, 8]]
    weights = np.zeros(70)
    weights[[3, 65, 66]] = 0.125, 0.25, 0.125
    codes = np.array([250, 9, 7], np.uint8)
    query = make_query(distance, codes, {1: [3, 65, 66], 2: [4]}, {1: weights, 2: np.zeros(5)}, {0: 10, 2: 10})
    assert (query.centre.tolist(), query.low.tolist(), query.high.tolist()) == ([7, 250], [0, 240], [17, 255])
    assert (query.column.tolist(), query.cost.tolist()) == ([3, 2, 3], [4.0, 2.0, 2.0])
    assert query.bit.tolist() == [1 << 5, 1 << 3, 1 << 6]
    whole = make_query(distance, codes, {1: [], 2: []}, {1: weights, 2: np.zeros(5)})
    assert (whole.low.tolist(), whole.high.tolist(), whole.cost.tolist()) == ([0, 0], [255, 255], [])


def test_cases_lie_in_blocks_of_64_with_the_codes_between_which_they_are() -> None:
    """Sorted by age, 65 cases are two blocks, of which the last is filled up with its last case."""
    case_base = case_base_of([((7 * i) % 65, 5, [i], [], 0, 0) for i in range(65)])
    blocks = CaseBlocks(case_base, WeightedDistance(SCHEMA, [NumberDistance(0, 1.0)], [SetDistance(1, 1.0)])).blocks
    assert [(7 * case) % 65 for case in blocks.positions] == list(range(65))
    assert blocks.codes.shape == (2, 1, 64)
    assert (blocks.lowest.tolist(), blocks.highest.tolist()) == ([[0, 64]], [[63, 64]])
    assert (blocks.codes[1] == 64).all()
    assert blocks.word_at.tolist() == [-1, -1, 0], "of the sets, only pets are indexed"
    assert blocks.present.tolist() == [[0], [0]]


def test_cases_are_sorted_by_the_five_numbers_that_tell_most() -> None:
    """By their weight times their spread to the exponent; numbers with windows come before all others."""
    schema = CaseSchema(tuple(NumberFeature(name) for name in "abcdefg"), (), classes=1)
    codes = np.array([[0, 2], [0, 4], [0, 6], [0, 8], [0, 10], [0, 12], [5, 5]], np.uint8)
    none = np.zeros(2, np.int64)
    case_base = CaseBase(schema, codes, np.zeros((0, 2), np.int64), none.astype(np.uint8), none, none)
    distance = WeightedDistance(schema, [NumberDistance(row, 1.0) for row in range(7)], [])
    assert sort_rows(case_base, distance) == [5, 4, 3, 2, 1]
    assert sort_rows(case_base, distance, [6, 0]) == [0, 6, 5, 4, 3]
    steep = WeightedDistance(schema, [NumberDistance(0, 9.0), NumberDistance(1, 1.0, 4.0), NumberDistance(5, 2.0)], [])
    assert sort_rows(case_base, steep) == [1, 5, 0], "16, 12 and 9"
    assert sort_rows(CaseBase.empty(schema), distance) == [0, 1, 2, 3, 4]


# Weights


def test_no_element_weighs_more_than_eight_times_the_usual() -> None:
    """Tool 1 is in every case of class 0, nearly everywhere else it is not: 19 times as often there as overall, and
    some hundred times as rarely elsewhere."""
    cases = [(0, 0, [1], [], 0, 0)] * 100 + [(0, 0, [], [], 1, 0)] * 2000
    assert class_weights(case_base_of(cases), "tools")[:2, 1].tolist() == [8.0, 8.0]


@pytest.mark.parametrize(("apart", "significant"), [(32, 0), (33, 2)])
def test_a_gap_is_significant_at_one_percent(apart: int, significant: int) -> None:
    """Two classes of 200: the critical gap is the root of (ln 200)/2, 1.6276, times that of 2/200: 0.1628."""
    cases = [(i < apart, 0, [], [], 0, 0) for i in range(200)] + [(0, 0, [], [], 1, 0)] * 200
    first, second = feature_relevance(case_base_of(cases))
    assert (first.name, first.significant, first.classes) == ("age", significant, 2), "the most telling first"
    assert first.distance == pytest.approx(apart / 200)
    assert first.deviation == pytest.approx(np.std([1] * apart + [0] * (400 - apart)))
    assert (second.name, second.distance, second.deviation, second.significant) == ("balance", 0, 0, 0)


def test_classes_with_fewer_than_ten_cases_are_not_judged() -> None:
    """Class 0 has ten cases and differs from the eleven others; class 2 has nine. The rest of a class counts them."""
    cases = [(0, 0, [], [], 0, 0)] * 10 + [(1, 0, [], [], 1, 0)] * 20 + [(9, 0, [], [], 2, 0)] * 9
    age, _ = feature_relevance(case_base_of(cases))
    assert (age.classes, age.significant, age.distance) == (2, 2, pytest.approx((1 + 10 / 19) / 2))
    only = feature_relevance(case_base_of(cases[:10]))
    assert [(r.classes, r.distance, r.deviation, r.relevant) for r in only] == [(0, 0, 0, False)] * 2
    nobody = feature_relevance(CaseBase.empty(SCHEMA))
    assert [(r.classes, r.distance, r.deviation) for r in nobody] == [(0, 0, 0)] * 2


def test_a_feature_is_relevant_if_it_tells_a_fourth_of_the_classes() -> None:
    def relevant(classes: int, significant: int) -> bool:
        return FeatureRelevance("age", 1.0, 0.5, classes, significant).relevant

    assert relevant(4, 1)
    assert relevant(8, 2)
    assert not any(relevant(*few) for few in ((5, 1), (8, 1), (0, 0)))


# Searching for weights


def test_a_coordinate_search_tries_each_weight_at_nothing_half_and_twice() -> None:
    """A weight of 0 is tried at 1/2, 2 and 8. All weights at nothing say nothing, and are not tried."""
    tried: list[dict[str, float]] = []
    told: list[tuple[str, float]] = []

    def score(weights: dict[str, float]) -> float:
        tried.append(weights)
        return 0.0

    found = coordinate_search({"a": 4.0, "b": 0.0}, score, progress=lambda *said: told.append(said))
    assert found == ({"a": 4.0, "b": 0.0}, 0.0)
    assert [(w["a"], w["b"]) for w in tried] == [(4, 0), (2, 0), (8, 0), (4, 0.5), (4, 2), (4, 8)]
    assert told == [("a", 0.0), ("b", 0.0)], "who has not become better is not asked again"
    told.clear()
    coordinate_search({"a": 4.0}, lambda _: float(len(tried.append({}) or tried)), progress=lambda *s: told.append(s))
    assert len(told) == 2, "at most two passes, unless more are asked for"


@pytest.mark.parametrize(("gain", "kept"), [(0.00009, False), (0.00011, True)])
def test_what_hardly_helps_is_not_kept(gain: float, kept: bool) -> None:
    best, _ = coordinate_search({"a": 4.0}, lambda weights: gain * (weights["a"] == 8), passes=1)
    assert best["a"] == (8 if kept else 4)


def test_a_genetic_search_keeps_four_of_twelve() -> None:
    """Eight children a generation; the best found so far is never lost."""
    scores: list[float] = []
    told: list[float] = []
    rng = random.Random(3)

    def score(weights: dict[str, float]) -> float:
        scores.append(rng.random())
        return scores[-1]

    def progress(name: str, best: float) -> None:
        told.append(best)
        assert len(scores) == 12 + 8 * len(told)
        assert best == max(scores)

    _, value = genetic_search({"a": 1.0, "b": 2.0}, score, generations=3, rng=random.Random(1), progress=progress)
    assert len(told) == 3
    assert value == max(scores)


def test_a_fifth_of_the_weights_changes_four_of_five_times_by_a_factor_and_else_to_nothing() -> None:
    rng = Mock()
    rng.random.side_effect = [0.19, 0.79, 0.2, 0.19, 0.8, 0.1, 0.1]
    rng.gauss.side_effect = [0.0, 1.0]
    changed = _mutant({"a": 3.0, "b": 5.0, "c": 7.0, "d": 0.0}, rng)
    assert changed == {"a": 3.0, "b": 5.0, "c": 0.0, "d": 0.5 * math.e}
    assert rng.gauss.call_args_list == [call(0.0, 0.8)] * 2
    rng.random.side_effect = [0.0, 0.9, 0.0, 0.9]
    assert _mutant({"a": 3.0, "b": 5.0}, rng) == {"a": 3.0, "b": 5.0}, "something has to count"
    rng.random.side_effect = [0.0, 0.9, 0.5]
    assert _mutant({"a": 3.0, "b": 5.0}, rng) == {"a": 0.0, "b": 5.0}


def test_cbl4_counts_a_comparison_by_how_rare_its_classes_are() -> None:
    """Of 0.8 and 0.4 that there are to gain, feature a gains 0.8 and half of 0.4: 1.0 of 1.2, so 1/1.2 - 1/2, times
    32."""
    asked: list[dict[str, float]] = []
    pairs = [Comparison({"a": 0.0, "b": 1.0}, True, 0.2), Comparison({"a": 0.5, "b": 0.0}, False, 0.6)]

    def compare(weights: dict[str, float]) -> list[Comparison]:
        asked.append(weights)
        return pairs

    found = cbl4({"a": 1.0, "b": 3.0}, compare)
    assert found == {"a": pytest.approx(32 * (1 / 1.2 - 0.5)), "b": 0.0}
    assert asked == [{"a": 1.0, "b": 3.0}, found], "two passes, the second with what the first has found"
    assert cbl4({"a": 1.0}, lambda _: []) == {"a": 1.0}
