"""Item sets, rules and the algorithms a0 to a7, on made-up decks."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from boardwright.decks import BadDeck, Deck, DeckTable
from boardwright.decks.apriori import ALGORITHMS, RulePredictor
from boardwright.decks.filling import Limits, fill, fill_by_probability
from boardwright.decks.mining import Transactions, _mine_kernel, _score_kernel, minimum_count
from boardwright.decks.netrunner import netrunner
from boardwright.decks.prediction import Observation, Rulebook
from boardwright.decks.rule_base import RuleBase, RuleSettings
from boardwright.decks.table import COPIES
from boardwright.kernel.compile import UNCOMPILED, compilations
from tests.made_up_decks import made_up_table

GAME = netrunner()


def small_table() -> DeckTable:
    """Four decks of five cards."""
    copies = np.array([[1, 2, 0, 3, 0], [1, 1, 0, 2, 0], [0, 2, 1, 3, 0], [1, 0, 0, 1, 3]], np.uint8)
    named = ("", "", "", "")
    return DeckTable(("a", "b", "c", "d", "e"), ("i", "j"), np.array([0, 0, 0, 1]), copies, named, named)


def counted_by_hand(transactions: Transactions, least: int, most: int) -> dict[tuple[int, ...], int]:
    found = {}
    for size in range(1, most + 1):
        for items in combinations(range(transactions.num_items), size):
            support = int(transactions.has[list(items)].all(0).sum())
            if support >= least:
                found[items] = support
    return found


@pytest.mark.parametrize("items", ["set", "multiset"])
@pytest.mark.parametrize("least", [1, 2, 3])
def test_mining_finds_exactly_the_frequent_sets(items: str, least: int) -> None:
    transactions = Transactions.of(small_table(), items)
    assert transactions.mine(least, 4).as_dict() == counted_by_hand(transactions, least, 4)


def test_copies_are_different_items_of_a_multiset() -> None:
    transactions = Transactions.of(small_table(), "multiset")
    second_b = 2 + COPIES * 1 + 1
    assert transactions.mine(1, 1).as_dict()[(second_b,)] == 2


@pytest.mark.parametrize(("support", "decks", "count"), [(0.1, 200, 20), (15, 200, 15), (0.011, 100, 2), (1, 100, 1)])
def test_support_is_a_share_below_one_and_a_count_from_one_on(support: float, decks: int, count: int) -> None:
    assert minimum_count(support, decks) == count


def test_a_support_of_nothing_is_refused() -> None:
    with pytest.raises(BadDeck, match="positive"):
        minimum_count(0, 100)


def test_confidence_is_the_share_of_decks_with_the_antecedent() -> None:
    transactions = Transactions.of(small_table())
    rules = {(rule.antecedent, rule.consequent): rule for rule in transactions.rules(transactions.mine(1, 3))}
    a, b, d = 2, 3, 5
    assert rules[(a, b), d][2:] == (2, 1.0)
    assert rules[(a,), b][2:] == (2, 2 / 3)
    assert not [rule for rule in rules.values() if rule.consequent < transactions.num_identities]


@pytest.mark.parametrize("items", ["set", "multiset"])
@pytest.mark.parametrize("weight", ["count", "support", "confidence"])
def test_scoring_equals_going_through_all_mined_rules(items: str, weight: str) -> None:
    table = made_up_table()
    transactions = Transactions.of(table, items)
    least, antecedents = 12, 2
    given = transactions.items_of(int(table.identity[3]), table.copies[3] * (np.arange(len(table.cards)) % 2))
    expected = np.zeros((antecedents + 1, transactions.num_items))
    for rule in transactions.rules(transactions.mine(least, antecedents + 1)):
        if set(rule.antecedent) <= set(given.tolist()):
            value = {"count": 1.0, "support": rule.support, "confidence": rule.confidence}[weight]
            expected[len(rule.antecedent), rule.consequent] += value
    scores = transactions.score(given, least, antecedents, weight)
    cards = slice(transactions.num_identities, None)
    assert expected.sum() > 0
    np.testing.assert_allclose(scores[:, cards], expected[:, cards])


def test_scores_can_be_brought_up_to_date_item_by_item() -> None:
    table = made_up_table()
    transactions = Transactions.of(table)
    given = transactions.items_of(int(table.identity[0]), table.copies[0])[:7]
    scores = transactions.score(given[:3], 5, 3)
    for known in range(4, 8):
        transactions.score(given[:known], 5, 3, scores=scores, new=1)
    np.testing.assert_allclose(scores, transactions.score(given, 5, 3))


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("kernel", [_mine_kernel, _score_kernel])
def test_what_was_compiled_for_mining_is_loaded_from_then_on(kernel: Any) -> None:
    """Numba had written machine code for scores that it could not load: five seconds in every process."""
    kernel()
    before = len(compilations)
    kernel.__wrapped__()
    assert len(compilations) == before


def seen_of(table: DeckTable, row: int, cards: int = 5) -> Observation:
    random = np.random.default_rng(row)
    drawn = random.choice(np.repeat(np.arange(len(table.cards)), table.copies[row]), cards, replace=False)
    copies = np.bincount(drawn, minlength=len(table.cards)).astype(np.int64)
    return Observation(int(table.identity[row]), copies, int(table.sizes[row]))


def deck_of(table: DeckTable, identity: int, copies: np.ndarray) -> Deck:
    cards = {table.cards[card]: int(copies[card]) for card in np.flatnonzero(copies)}
    return Deck(table.identities[identity], cards)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_predicted_decks_are_legal_whole_and_contain_what_was_seen(algorithm: str) -> None:
    table = made_up_table()
    predictor = RulePredictor(algorithm, RuleBase(GAME, table, RuleSettings(min_support=5)))
    for row in range(70):
        seen = seen_of(table, row)
        copies = predictor.predict(seen)
        assert copies.sum() == seen.size
        assert (copies >= seen.copies).all()
        assert GAME.construction.problems(deck_of(table, seen.identity, copies)) == []


def accuracy(algorithm: str, **settings: object) -> float:
    table = made_up_table()
    training, test = table.rows(np.arange(140)), range(140, 210)
    predictor = RulePredictor(algorithm, RuleBase(GAME, training, RuleSettings(min_support=4, **settings)))
    shared = [np.minimum(predictor.predict(seen_of(table, row)), table.copies[row]).sum() for row in test]
    return float(np.sum(shared) / table.sizes[list(test)].sum())


def test_rules_predict_far_better_than_chance() -> None:
    by_chance = accuracy("a0")
    assert by_chance < 0.4
    for algorithm in ALGORITHMS[1:]:
        assert accuracy(algorithm) > by_chance + 0.1, algorithm


def test_a1_plays_as_many_copies_as_allowed_and_a2_the_usual_number() -> None:
    table = made_up_table()
    seen = Observation(int(table.identity[0]), np.zeros(len(table.cards), np.int64), 45)
    triplets = {
        a: RulePredictor(a, RuleBase(GAME, table, RuleSettings(min_support=5))).predict(seen) for a in ("a1", "a2")
    }
    assert (triplets["a1"] == 3).sum() > (triplets["a2"] == 3).sum()


def test_a3_spends_influence_first() -> None:
    table = made_up_table()
    book = Rulebook.of(GAME, table)
    for row in range(6):
        seen = seen_of(table, row)
        requirements = GAME.construction.requirements(table.identities[seen.identity], seen.size, table.cards)
        copies = RulePredictor("a3", RuleBase(GAME, table, RuleSettings(min_support=5))).predict(seen)
        cheapest = requirements.cost[(requirements.cost > 0) & (copies < requirements.limit)].min()
        assert requirements.budget - requirements.spent(copies) < cheapest, book.identities[seen.identity]


def test_the_costly_part_of_a_deck_is_what_costs_influence() -> None:
    table = made_up_table()
    part = Rulebook.of(GAME, table).costly_part(table)
    costs = set()
    for row in range(0, len(table), 10):
        deck = table.deck(row)
        needed = GAME.construction.requirements(deck.identity, deck.size, table.cards)
        assert (part[row] == ((table.copies[row] > 0) & (needed.cost > 0))).all()
        costs |= set(needed.cost[part[row]].tolist())
    assert 1 in costs


def test_an_unknown_algorithm_is_refused() -> None:
    with pytest.raises(BadDeck, match="unknown algorithm 'a9'"):
        RulePredictor("a9", RuleBase(GAME, made_up_table()))


def limits(**changes: object) -> Limits:
    """Four cards: two free ones, one that costs 2, one worth 3 points."""
    base = Limits(
        np.array([3, 3, 3, 3]), np.array([0, 0, 2, 0]), np.zeros(4, np.bool_), np.array([0, 0, 0, 3]), 3, 0, 0
    )
    return base._replace(**changes)


def test_filling_stops_at_the_budget() -> None:
    copies = np.zeros(4, np.int64)
    fill(copies, 5, np.array([2, 0]), np.array([3, 3]), limits())
    assert copies.tolist() == [3, 0, 1, 0]


def test_the_first_copy_can_be_free() -> None:
    copies = np.zeros(4, np.int64)
    fill(copies, 5, np.array([2]), np.array([3]), limits(first_is_free=np.array([False, False, True, False])))
    assert copies[2] == 2


def test_room_is_kept_for_the_points_that_a_deck_must_have() -> None:
    copies = np.zeros(4, np.int64)
    fill(copies, 5, np.array([0, 1, 3]), np.array([3, 3, 3]), limits(low=6, high=7))
    assert copies.tolist() == [3, 0, 0, 2]


def test_points_beyond_the_range_are_left_out() -> None:
    copies = np.zeros(4, np.int64)
    fill(copies, 9, np.array([3, 0, 1]), np.array([3, 3, 3]), limits(low=6, high=7))
    assert copies.tolist() == [3, 3, 0, 2]


def test_the_likeliest_copies_are_taken_first() -> None:
    chance = np.array([[0.9, 0.2, 0.1], [0.8, 0.7, 0.6], [0.95, 0.9, 0.0], [0.0, 0.0, 0.0]])
    filled = fill_by_probability(np.zeros(4, np.int64), 5, chance, limits())
    assert filled.tolist() == [1, 3, 1, 0]


def test_a_deck_may_have_hundreds_of_points() -> None:
    copies = np.zeros(4, np.int64)
    large = limits(limit=np.array([300, 3, 3, 300]), low=600, high=602)
    fill(copies, 210, np.array([0, 3]), np.array([300, 300]), large)
    assert copies.tolist() == [10, 0, 0, 200]
