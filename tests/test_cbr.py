"""Retrieval, relevance, similarity: each formula on examples worked out by hand."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import scipy.special

from boardwright.cbr.blocks import CaseBlocks
from boardwright.cbr.case_base import CaseBase, count_by_label
from boardwright.cbr.case_class_weights import nearest_by_case_class
from boardwright.cbr.evaluation import leave_one_group_out, spread_evenly
from boardwright.cbr.index import CaseIndex, IndexProfile
from boardwright.cbr.metric_learning import Columns, Sample, learn_metric
from boardwright.cbr.ordered_sets import OrderedSets
from boardwright.cbr.retrieval import ALL_CLASSES, class_mask, nearest
from boardwright.cbr.reuse import TRUSTED, by_rank, combined, from_confusions, from_facts, most_similar, select
from boardwright.cbr.schema import CaseSchema, NumberFeature, SetFeature, elements_of, words_of
from boardwright.cbr.similarity import NumberDistance, SetDistance, WeightedDistance, make_query, similarity
from boardwright.cbr.weight_search import Comparison, cbl4, coordinate_search, genetic_search
from boardwright.cbr.weights import SIGNIFICANT, class_weights, feature_relevance, max_over_classes

SCHEMA = CaseSchema(
    (NumberFeature("age"), NumberFeature("balance", low=-100)),
    (SetFeature("tools", 70), SetFeature("pets", 5)),
    classes=4,
)


def case_base_of(cases: list[tuple[int, int, list[int], list[int], int, int]]) -> CaseBase:
    """Cases as (age, balance, tools, pets, class, group)."""
    n = len(cases)
    codes = np.array([[age for age, *_ in cases], [balance + 100 for _, balance, *_ in cases]], np.uint8)
    words = [[*words_of(tools, 2), *words_of(pets, 1)] for _, _, tools, pets, _, _ in cases]
    return CaseBase(
        SCHEMA,
        codes.reshape(2, n),
        np.ascontiguousarray(np.array(words, np.int64).reshape(n, 3).T),
        np.array([cls for *_, cls, _ in cases], np.uint8),
        np.array([group for *_, group in cases], np.int64),
        np.arange(n),
    )


def ask(
    case_base: CaseBase,
    distance: WeightedDistance,
    age: int,
    balance: int,
    tools: list[int],
    pets: list[int],
    **given: object,
):
    weights = given.pop("weights", None) or {0: np.ones(70), 1: np.ones(5)}
    windows = given.pop("windows", None)
    codes = np.array([age, balance + 100], np.uint8)
    query = make_query(distance, codes, {0: tools, 1: pets}, weights, windows)
    return nearest(CaseBlocks(case_base, distance), query, given.pop("k", len(case_base)), **given)


def test_numbers_differ_by_weight_times_difference_to_the_exponent() -> None:
    """(6.4): 2 · |7 - 4| ** 2 = 18 and 0.5 · |-3 - 5| = 4."""
    distance = WeightedDistance(SCHEMA, [NumberDistance(0, 2.0, 2.0), NumberDistance(1, 0.5)], [])
    found = ask(case_base_of([(4, 5, [], [], 0, 0)]), distance, 7, -3, [], [])
    assert found.distances.tolist() == [22.0]


def test_sets_differ_by_the_weight_of_what_the_case_lacks() -> None:
    """(6.6): of weights 2, 1, 1 the case has 2 and 1, so 1 - 3/4, times the feature's weight 8."""
    weights = np.ones(70)
    weights[3] = 2.0
    distance = WeightedDistance(SCHEMA, [], [SetDistance(0, 8.0)])
    case_base = case_base_of([(0, 0, [3, 65, 20], [], 0, 0), (0, 0, [4, 65], [], 0, 0), (0, 0, [3, 4, 65], [], 0, 0)])
    found = ask(case_base, distance, 0, 0, [3, 4, 65], [], weights={0: weights})
    assert found.positions.tolist() == [2, 0, 1]
    assert found.distances.tolist() == [0.0, 2.0, 4.0]


def test_an_empty_set_differs_from_nothing() -> None:
    distance = WeightedDistance(SCHEMA, [], [SetDistance(0, 8.0)])
    assert ask(case_base_of([(0, 0, [1, 2], [], 0, 0)]), distance, 0, 0, [], []).distances.tolist() == [0.0]


def random_case_base(n: int, seed: int) -> tuple[CaseBase, random.Random]:
    rng = random.Random(seed)
    return case_base_of(
        [
            (
                rng.randrange(20),
                rng.randrange(-9, 9),
                rng.sample(range(70), rng.randrange(8)),
                rng.sample(range(5), rng.randrange(4)),
                rng.randrange(4),
                rng.randrange(6),
            )
            for _ in range(n)
        ]
    ), rng


def test_a_mask_allows_the_classes_that_are_named() -> None:
    mask = class_mask([1, 3])
    assert mask.shape == ALL_CLASSES.shape
    assert list(np.flatnonzero(mask)) == [1, 3]


@pytest.mark.parametrize("seed", range(20))
def test_retrieval_is_exact(seed: int) -> None:
    """Whatever the scan skips, it finds what sorting all distances finds: windows, classes and groups included."""
    case_base, rng = random_case_base(1300, seed)
    distance = WeightedDistance(
        SCHEMA, [NumberDistance(0, 1.5, 1.3), NumberDistance(1, 0.7)], [SetDistance(0, 9.0), SetDistance(1, 3.0)]
    )
    weights = {0: np.array([rng.uniform(0.5, 4) for _ in range(70)]), 1: np.ones(5)}
    tools, pets = rng.sample(range(70), 6), rng.sample(range(5), 2)
    allowed = ALL_CLASSES.copy()
    allowed[rng.randrange(4)] = False
    age, balance, k, width = rng.randrange(20), rng.randrange(-9, 9), rng.choice((1, 7, 50)), 4
    found = ask(
        case_base, distance, age, balance, tools, pets,
        weights=weights, windows={0: width}, k=k, allowed=allowed, exclude_group=2,
    )  # fmt: skip
    expected = []
    for case in range(len(case_base)):
        there, cls = int(case_base.codes[0, case]), int(case_base.classes[case])
        if abs(there - age) > width or case_base.groups[case] == 2 or not allowed[cls]:
            continue
        total = 1.5 * abs(there - age) ** 1.3 + 0.7 * abs(int(case_base.number("balance")[case]) - balance)
        for position, wanted, weight in ((0, tools, 9.0), (1, pets, 3.0)):
            have = case_base.members(SCHEMA.sets[position].name, case)
            shared = sum(weights[position][element] for element in wanted if element in have)
            total += weight * (1 - shared / sum(weights[position][element] for element in wanted))
        expected.append((total, case))
    expected.sort()
    assert np.allclose(found.distances, [distance for distance, _ in expected[:k]])
    tied = found.distances[-1]
    assert set(found.positions[found.distances < tied - 1e-9]) == {c for d, c in expected[:k] if d < tied - 1e-9}


@pytest.mark.parametrize(("age", "width"), [(100, 3), (100, 0), (2, 3), (253, 3), (0, 254), (255, 254), (100, 255)])
def test_a_window_has_two_ends_and_both_belong_to_it(age: int, width: int) -> None:
    """All cases are asked for, so that it is the window alone that leaves any out, whichever block they are in."""
    ages = [other for other in range(256) for _ in range(3)]
    case_base = case_base_of([(other, 0, [], [], 0, 0) for other in ages])
    distance = WeightedDistance(SCHEMA, [NumberDistance(0, 1.0)], [])
    found = ask(case_base, distance, age, 0, [], [], windows={0: width})
    assert sorted(found.positions) == [case for case, other in enumerate(ages) if abs(other - age) <= width]


def test_of_equal_cases_the_earlier_ones_are_kept() -> None:
    case_base = case_base_of([(3, 0, [], [], 0, 0)] * 700)
    distance = WeightedDistance(SCHEMA, [NumberDistance(0, 1.0)], [])
    assert ask(case_base, distance, 3, 0, [], [], k=5).positions.tolist() == [0, 1, 2, 3, 4]


def test_an_empty_case_base_has_no_neighbours() -> None:
    distance = WeightedDistance(SCHEMA, [NumberDistance(0, 1.0)], [SetDistance(0, 1.0)])
    assert len(ask(CaseBase.empty(SCHEMA), distance, 3, 0, [1], [], k=5).positions) == 0


def test_sets_as_words_and_back() -> None:
    assert elements_of(words_of([0, 59, 60, 69], 2)) == [0, 59, 60, 69]


def test_similarity_falls_with_distance() -> None:
    assert similarity(0) == 1
    assert similarity(3) == 0.25


def test_relevance_of_an_element_is_how_much_its_frequency_in_the_class_differs() -> None:
    """Tool 1 is in all 40 cases of class 0 and in none of class 1: it weighs more there than tool 2, which is in half
    of both. Scarcity counts like frequency."""
    cases = [(0, 0, [1, 2] if i % 2 else [1], [], 0, i) for i in range(40)]
    cases += [(0, 0, [2] if i % 2 else [], [], 1, i) for i in range(40)]
    weights = class_weights(case_base_of(cases), "tools")
    overall = 40.5 / 81
    assert weights[0, 1] == pytest.approx((40 + 8 * overall) / 48 / overall)
    assert weights[1, 1] == pytest.approx(overall / (8 * overall / 48))
    assert weights[0, 2] == pytest.approx(1.0, abs=0.02)
    assert (weights[3] == 1).all(), "a class without cases is neutral"


def test_sets_are_spread_out_and_counted_by_class() -> None:
    case_base, _ = random_case_base(200, 5)
    present, counts = case_base.membership("tools"), count_by_label(case_base.classes, case_base.membership("tools"), 6)
    expected = np.zeros((6, 70), np.int64)
    for case in range(200):
        members = case_base.members("tools", case)
        assert np.flatnonzero(present[case]).tolist() == members
        expected[case_base.classes[case], members] += 1
    assert (counts == expected).all()


def test_without_cases_every_element_is_neutral() -> None:
    weights = class_weights(CaseBase.empty(SCHEMA), "tools")
    assert weights.shape == (4, 70)
    assert (weights == 1).all()


def test_a_problem_takes_the_largest_weight_of_its_possible_classes() -> None:
    """(6.5)"""
    table = np.array([[1.0, 5.0, 2.0], [3.0, 1.0, 2.0], [9.0, 9.0, 9.0]])
    assert max_over_classes(table, [0, 1]).tolist() == [3.0, 5.0, 2.0]


def test_a_feature_is_relevant_if_its_distribution_varies_with_the_class() -> None:
    cases = [(i % 5 + 10 * (i % 2), i // 2 % 9, [], [], i % 2, i) for i in range(400)]
    age, balance = (next(r for r in feature_relevance(case_base_of(cases)) if r.name == n) for n in ("age", "balance"))
    assert age.relevant
    assert age.distance == 1.0
    assert not balance.relevant
    assert balance.distance < 0.01


@pytest.mark.parametrize("shift", range(10, 100, 6))
def test_a_difference_is_significant_as_kolmogorov_and_smirnov_say(shift: int) -> None:
    """Two classes of 200 cases, of which the second has a few larger numbers."""
    ages = [(i % 10 + (10 if i < shift else 0) * (label == 1), label) for label in (0, 1) for i in range(200)]
    cases = [(age, 0, [], [], label, number) for number, (age, label) in enumerate(ages)]
    (found,) = (r for r in feature_relevance(case_base_of(cases)) if r.name == "age")
    gap = shift / 200
    assert found.distance == pytest.approx(gap)
    expected = scipy.special.kolmogorov(gap * math.sqrt(200 * 200 / 400)) < SIGNIFICANT
    assert found.significant == (2 if expected else 0)


def test_similarity_from_facts() -> None:
    """Two facts of weights 3 and 1: apart by half in the first gives 1 - 1.5/4."""
    values = np.array([[0.5, 1.0], [1.0, 1.0], [1.0, 0.0]])
    matrix = from_facts(values, np.array([3.0, 1.0]))
    assert matrix[0, 1] == pytest.approx(0.625)
    assert matrix[0, 2] == pytest.approx(0.375)
    assert np.diag(matrix).tolist() == [1, 1, 1]


def test_what_both_lack_does_not_make_them_alike() -> None:
    """Of three facts neither has the last two: their difference in the first is all there is."""
    values = np.array([[0.5, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    matrix = from_facts(values, np.ones(3))
    assert matrix[0, 1] == 0.5
    assert matrix[2].tolist() == [0.5, 0, 1], "what one of them has counts"


def test_similarity_from_confusions() -> None:
    confusions = np.array([[6, 4, 0], [2, 8, 0], [1, 0, 2]])
    matrix = from_confusions(confusions)
    assert matrix[0, 1] == matrix[1, 0] == pytest.approx(0.99)
    assert matrix[0, 2] == 0, "class 2 was tested too seldom to say anything"
    assert np.diag(matrix).tolist() == [1, 1, 1]


def test_two_similarities_of_different_scales_are_combined_by_rank() -> None:
    """What confusions say is seldom above 0.2 and what facts say seldom below 0.5. Where they were compared as they
    are, facts a little out of line with confusions decided alone, and the most confused class lost."""
    confused = np.array([[1.0, 0.2, 0.1, 0.0], [0.2, 1.0, 0.0, 0.0], [0.1, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    facts = np.array([[1.0, 0.6, 0.55, 0.65], [0.6, 1.0, 0.5, 0.5], [0.55, 0.5, 1.0, 0.5], [0.65, 0.5, 0.5, 1.0]])
    both = combined(confused, facts, np.array([TRUSTED, 9, 9, TRUSTED - 1]))
    assert most_similar(both, 0, [1, 2, 3]) == 1, "first by confusions, second by facts"
    assert both[0, 2] < both[0, 3] < both[0, 1]
    assert most_similar(both, 3, [0, 1, 2]) == 0, "tested too seldom: the facts alone"
    assert np.diag(both).tolist() == [1, 1, 1, 1]


def test_a_solution_is_adapted_to_the_most_similar_option() -> None:
    matrix = np.array([[1.0, 0.2, 0.9], [0.2, 1.0, 0.9], [0.9, 0.9, 1.0]])
    assert most_similar(matrix, 0, [1, 2]) == 2
    assert most_similar(matrix, 0, [0, 2]) == 0, "itself, if it is there"


def tableaux(*orders: list[int]) -> OrderedSets:
    positions = np.zeros((len(orders), 8), np.uint8)
    for case, order in enumerate(orders):
        for place, element in enumerate(order, 1):
            positions[case, element] = place
    return OrderedSets(positions)


def test_the_first_retrieval_of_scout1_counts_what_only_one_has() -> None:
    """(6.1): {0, 1} and {0, 2, 3} differ by 1, 2 and 3. Cases without an option are left out, and a case with two
    options gives two solutions."""
    cases = tableaux([0, 2, 3], [0, 1, 5], [0, 1], [4, 5, 6, 2])
    assert cases.differences([0, 1]).tolist() == [3, 1, 0, 6]
    found = cases.nearest_by_set([0, 1], [2, 3, 5], 2, random.Random(1))
    assert [(entry.case, entry.element, entry.distance) for entry in found] == [(1, 5, 1.0), (0, 2, 3.0), (0, 3, 3.0)]


def test_the_second_retrieval_of_scout1_counts_the_position_too() -> None:
    """(6.3): with two cards placed the next is third. Card 5 is third in case 0, first in case 1, fourth in case 2."""
    cases = tableaux([0, 1, 5], [5, 0, 1], [0, 1, 6, 5])

    def ask(signed: bool) -> list[tuple[int, float]]:
        found = cases.nearest_by_position(
            [0, 1], [5], 3, random.Random(1), set_weight=2.0, position_weight=1.5, signed=signed
        )
        return [(entry.case, entry.distance) for entry in found]

    assert ask(True) == [(0, 2.0), (2, 2.5), (1, 5.0)], "as printed: later in the case is nearer"
    assert ask(False) == [(0, 2.0), (1, 5.0), (2, 5.5)]


def test_scout1_retrieves_cases_not_pairs_and_draws_between_equals() -> None:
    """k counts cases: one with two options is one of them, and gives the option that is nearer. Of cases at the same
    distance any may be retrieved."""
    cases = tableaux([0, 1, 5, 6], [0, 1, 5], [0, 1, 5])
    found = cases.nearest_by_position([0, 1], [5, 6], 3, random.Random(1), set_weight=1.0, position_weight=0.5)
    assert sorted((entry.case, entry.element) for entry in found) == [(0, 6), (1, 5), (2, 5)]
    first = Counter(
        cases.nearest_by_position([0, 1], [5], 1, random.Random(seed), set_weight=1.0, position_weight=0.5)[0].case
        for seed in range(60)
    )
    assert set(first) == {1, 2}, "each is left out of 60 draws less than once in 10**17 runs"
    assert {cases.nearest_by_set([0, 1], [5], 1, random.Random(seed))[0].case for seed in range(60)} == {1, 2}


def test_solutions_are_picked_in_proportion_to_their_number() -> None:
    """(6.2): 3 of 4; fewer than 2,850 or more than 3,150 of 4,000 happens less than once in a million runs."""
    rng = random.Random(5)
    drawn = Counter(select(Counter({7: 3, 9: 1}), "proportional", rng) for _ in range(4000))
    assert 2850 < drawn[7] < 3150
    assert select(Counter({7: 1, 9: 3}), "best", rng) == 9


def test_a_test_leaves_out_the_whole_group() -> None:
    """Every case's twin is in its own group and of its own class; everything else is of the other. Who left out the
    case alone would be right always."""
    cases = [(group, 0, [], [], group % 2, group) for group in range(10) for _ in range(2)]
    case_base = case_base_of(cases)
    distance = WeightedDistance(SCHEMA, [NumberDistance(0, 1.0)], [])
    asked = []

    def answer(case: int, group: int) -> list[tuple[int, float]]:
        asked.append(case)
        found = ask(case_base, distance, int(case_base.codes[0, case]), 0, [], [], k=1, exclude_group=group)
        assert case_base.groups[found.positions[0]] != group
        return [(int(case_base.classes[found.positions[0]]), 1.0)]

    options = np.full(len(case_base), 2, np.uint8)
    report = leave_one_group_out(answer, case_base.classes, case_base.groups, options, 4, range(len(case_base)))
    assert len(asked) == 20
    assert report.accuracy == 0
    assert report.guessing == 0.5
    assert report.confusions[0, 1] == report.confusions[1, 0] == 10


def test_samples_are_spread_evenly() -> None:
    assert spread_evenly(3, 10) == [0, 1, 2]
    assert spread_evenly(10, 3) == [0, 3, 6]


def test_coordinate_search_finds_the_weights_that_score() -> None:
    best, score = coordinate_search({"a": 1.0, "b": 1.0}, lambda w: -abs(w["a"] - 4) - abs(w["b"]), passes=4)
    assert (best, score) == ({"a": 4.0, "b": 0.0}, 0.0)


def test_a_genetic_search_finds_weights_that_score() -> None:
    found, score = genetic_search(
        {"a": 1.0, "b": 8.0}, lambda w: -abs(w["a"] - 4) - w["b"], generations=30, rng=random.Random(1)
    )
    assert score > -1.0, "it began with -11"
    assert abs(found["a"] - 4) + found["b"] == -score


@pytest.mark.parametrize("generations", [0, 1, 3])
def test_a_genetic_search_goes_on_for_as_many_generations_as_asked(generations: int) -> None:
    told: list[str] = []
    genetic_search(
        {"a": 1.0}, lambda w: w["a"], generations=generations, rng=random.Random(1),
        progress=lambda name, _: told.append(name),
    )  # fmt: skip
    assert told == [f"generation {number}" for number in range(1, generations + 1)]


def test_cbl4_weighs_what_tells_classes_apart() -> None:
    """Feature a agrees within classes and differs between them; b does the opposite; c tells nothing."""
    pairs = [
        Comparison({"a": 0.0, "b": 1.0, "c": 0.5}, True, 0.5),
        Comparison({"a": 1.0, "b": 0.0, "c": 0.5}, False, 0.5),
    ]
    found = cbl4(dict.fromkeys("abc", 1.0), lambda _: pairs)
    assert found["a"] > 0
    assert found["b"] == found["c"] == 0
    assert cbl4(dict.fromkeys("abc", 1.0), lambda _: 3 * pairs) == found, "by their share, however many there are"


def test_cases_can_be_compared_by_the_weights_of_their_own_class() -> None:
    """Class 0 cares about element 1, class 1 about element 2: a case is as near as its own class says."""
    cases = [(0, 0, [1], [], 0, 0), (0, 0, [2], [], 1, 1), (0, 0, [1, 2], [], 0, 2), (0, 0, [1, 2], [], 1, 3)]
    case_base = case_base_of(cases)
    profile = IndexProfile(4, {}, {SCHEMA.sets[0].name: 1.0})
    index = CaseIndex(case_base, profile)
    index.weights[0][:] = 0.0
    index.weights[0][0, 1] = index.weights[0][1, 2] = 1.0
    found = nearest_by_case_class(index, case_base_of([(0, 0, [1, 2], [], 0, 9)]))
    assert found.distances.tolist() == [0, 0, 0, 0]
    index.weights[0][0, 2] = 3.0
    found = nearest_by_case_class(index, case_base_of([(0, 0, [1, 2], [], 0, 9)]))
    assert dict(zip(found.positions.tolist(), found.distances.tolist(), strict=True)) == {0: 0.75, 1: 0, 2: 0, 3: 0}


def test_retrieval_by_each_case_s_class_leaves_out_classes_and_groups() -> None:
    case_base = case_base_of([(age, 0, [], [], age % 2, age // 4) for age in range(8)])
    index = CaseIndex(case_base, IndexProfile(8, {"age": 1.0}, {}))
    assert len(index) == 8
    only_odd = np.arange(256) % 2 == 1
    found = nearest_by_case_class(index, case_base_of([(0, 0, [], [], 0, 9)]), allowed=only_odd, exclude_group=1)
    assert index.case_base.codes[0, found.positions].tolist() == [1, 3], "odd classes, and not of group 1"


def test_windows_widen_and_coarser_sets_stand_in_where_a_profile_says_so() -> None:
    profile = IndexProfile(3, {"age": 1.0}, {"tools": 2.0}, windows={"age": 3}, generalised={"tools": "pets"})
    assert profile.switched(generalise=True, auxiliary=False, windows=True).sets == {"pets": 2.0}
    assert profile.switched(generalise=False, auxiliary=False, windows=False).sets == {"tools": 2.0}
    assert profile.switched(generalise=False, auxiliary=False, windows=True).windows == {"age": 3}
    assert profile.switched(generalise=False, auxiliary=False, windows=False).windows == {}
    case_base = case_base_of([(age, 0, [], [], 0, 0) for age in range(40)])
    index = CaseIndex(case_base, IndexProfile(40, {"age": 1.0}, {}, windows={"age": 3}))
    for widened, width in ((1, 3), (4, 12)):
        query = index.query(case_base_of([(20, 0, [], [], 0, 0)]), 0, [0], widened)
        found = nearest(index.blocks, query, 40)
        assert sorted(index.case_base.codes[0, found.positions].tolist()) == list(range(20 - width, 21 + width))


def test_a_set_whose_elements_weigh_nothing_says_nothing() -> None:
    distance = WeightedDistance(SCHEMA, [NumberDistance(0, 1.0)], [SetDistance(0, 8.0)])
    cases = case_base_of([(4, 0, [1], [], 0, 0), (4, 0, [], [], 0, 1)])
    found = ask(cases, distance, 5, 0, [1], [], weights={0: np.zeros(70), 1: np.ones(5)})
    assert found.distances.tolist() == [1.0, 1.0]


def test_ranks_go_from_0_to_1_and_equals_share_theirs() -> None:
    similar = np.array([[1.0, 0.5, 0.5], [0.2, 1.0, 0.1], [0.3, 0.4, 1.0]])
    assert by_rank(similar).tolist() == [[1.0, 0.25, 0.25], [0.5, 1.0, 0.0], [0.0, 0.5, 1.0]]


def test_retrieval_uncompiled_is_the_same(tmp_path: Path) -> None:
    """Distances and positions to the last bit."""
    program = (
        "from tests.test_cbr import *\n"
        "case_base, rng = random_case_base(300, 3)\n"
        "numbers = [NumberDistance(0, 1.5, 1.3), NumberDistance(1, 0.7)]\n"
        "distance = WeightedDistance(SCHEMA, numbers, [SetDistance(0, 9.0)])\n"
        "found = ask(case_base, distance, 9, 2, [1, 2, 33, 61], [], k=20, windows={0: 6})\n"
        "print(found.positions.tolist(), [d.hex() for d in found.distances.tolist()])\n"
    )
    root = Path(__file__).parent.parent
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]
    assert printed[0] == printed[1]


def _told_apart_by_age_and_pets(n: int) -> CaseBase:
    """The class is by age and by whether there is a dog; balance and tools are noise."""
    rng = random.Random(1)
    cases = []
    for number in range(n):
        old, dog = rng.random() < 0.5, rng.random() < 0.5
        age = rng.randint(40, 60) if old else rng.randint(10, 30)
        pets = [0, rng.randint(1, 4)] if dog else [rng.randint(1, 4)]
        cases.append((age, rng.randint(-90, 90), rng.sample(range(6), 3), pets, 2 * old + dog, number))
    return case_base_of(cases)


def test_a_gradient_weighs_what_tells_classes_apart() -> None:
    case_base = _told_apart_by_age_and_pets(300)
    start = {"age": 1.0, "balance": 4.0, "tools": 4.0, "pets": 1.0}
    found = learn_metric(case_base, start, lambda _: range(4), steps=150, rng=np.random.default_rng(0))
    assert max(found.values()) == pytest.approx(4.0)
    assert min(found["age"], found["pets"]) > 4 * max(found["balance"], found["tools"])


def test_the_gradient_of_a_metric_agrees_with_differences() -> None:
    columns = Columns(_told_apart_by_age_and_pets(60), ["age", "balance", "tools", "pets"])
    sample = Sample(columns, np.arange(20), np.arange(60), lambda case: (0, 1, 2, 3) if case % 2 else (0, 1, 2))
    at = np.log(np.array([0.5, 0.3, 1.0, 2.0], np.float32))
    gradient, _ = sample.gradient(at)
    for feature in range(4):
        step = np.zeros(4, np.float32)
        step[feature] = 0.01
        ahead, behind = (sample.gradient(at + sign * step)[1] for sign in (1, -1))
        assert (ahead - behind) / 0.02 == pytest.approx(float(gradient[feature]), rel=0.05, abs=1e-4)


def test_a_metric_is_the_distance_that_retrieval_computes() -> None:
    """Weighted differences of the sample, beside those of the index."""
    case_base = _told_apart_by_age_and_pets(30)
    weights = {"age": 2.0, "balance": 0.5, "tools": 1.0, "pets": 3.0}
    index = CaseIndex(case_base, IndexProfile(30, {"age": 2.0, "balance": 0.5}, {"tools": 1.0, "pets": 3.0}))
    columns = Columns(case_base, list(weights))
    apart = columns.differences(np.array([7]), np.arange(30), lambda _: (0, 1, 2))
    expected = np.array(list(weights.values())) @ apart
    near = index.retrieve(case_base, (0, 1, 2), case=7)
    assert near.distances == pytest.approx(expected[near.positions], abs=1e-4)


def test_there_are_as_many_codes_as_a_byte_has_values() -> None:
    assert len(NumberDistance(0, 1.0).table) == 2 * 255 + 1, "one for each difference of two codes"
