"""Decks, figure by figure: what fills a deck up, what is left of its limits, how near decks are; on small tables."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boardwright.decks import BadDeck, Deck, DeckTable
from boardwright.decks.collection import read_collection
from boardwright.decks.construction import NO_BUDGET, Requirements
from boardwright.decks.evaluation import BINS, Protocol, Score, _add_prediction, _match, splits, without_similar
from boardwright.decks.filling import Limits, fill, fill_by_probability
from boardwright.decks.mining import Transactions, minimum_count
from boardwright.decks.nearest import NearestDecks
from boardwright.decks.netrunner import netrunner
from boardwright.decks.network import DeckNetwork, Inputs, NetworkSettings, Weights, _first_weights, _Masking
from boardwright.decks.posterior import DeckPosterior
from boardwright.decks.prediction import Observation, Prediction, Rulebook, has_budget
from boardwright.decks.reading import deck_as_json
from boardwright.decks.table import COPIES
from boardwright.kernel import rng
from tests.made_up_decks import made_up_decks, made_up_table

GAME = netrunner()
RULES, POOL = GAME.construction, GAME.pool
FIRST_DAY = 735_000


def table_of(copies: list[list[int]], identity: list[int], days: list[int] | None = None) -> DeckTable:
    """Decks of cards a, b, … and of identities A, B, …; dates are not read."""
    array = np.array(copies, np.uint8)
    cards = tuple("abcdefghij"[: array.shape[1]])
    named = ("",) * len(array)
    return DeckTable(cards, tuple("ABCDEF"[: max(identity) + 1]), np.array(identity), array, named, named)


# Filling


def fill_plainly(copies: np.ndarray, size: int, cards: list[int], wanted: list[int], rules: Limits) -> int:
    """What `fill` is to do, card by card: a copy is added if free cards can still bring the points into the range."""

    def spent(held: np.ndarray) -> int:
        return int((np.maximum(held - rules.first_is_free, 0) * rules.cost).sum())

    free = [card for card in range(len(copies)) if rules.cost[card] == 0]
    added = 0
    for card, most in zip(cards, wanted, strict=True):
        while copies[card] < min(most, rules.limit[card]) and copies.sum() < size:
            more = copies.copy()
            more[card] += 1
            left = [range(max(int(rules.limit[other] - more[other]), 0) + 1) for other in free]
            completed = any(
                sum(further) <= size - more.sum()
                and rules.low
                <= more @ rules.points + sum(n * rules.points[c] for n, c in zip(further, free, strict=True))
                <= rules.high
                for further in itertools.product(*left)
            )
            if spent(more) > rules.budget or not completed:
                break
            copies[:] = more
            added += 1
    return added


def test_filling_adds_what_leaves_a_deck_that_can_still_become_legal() -> None:
    """Beside a plain search, on small decks with points, costs, first copies that are free and some cards held."""
    random = np.random.default_rng(5)
    different = set()
    for _ in range(150):
        rules = Limits(
            random.integers(0, 4, 4), random.integers(0, 3, 4) * random.integers(0, 2, 4), random.random(4) < 0.3,
            random.integers(0, 4, 4), int(random.integers(0, 6)), 0, 0,
        )  # fmt: skip
        low = int(random.integers(0, 8))
        rules = rules._replace(low=low, high=low + int(random.integers(0, 2)))
        held = np.minimum(random.integers(0, 2, 4), rules.limit)
        size = int(held.sum() + random.integers(0, 7))
        cards, wanted = random.permutation(4), random.integers(0, 4, 4)
        ours, plain = held.copy(), held.copy()
        added = fill(ours, size, cards, wanted, rules)
        assert added == fill_plainly(plain, size, cards.tolist(), wanted.tolist(), rules)
        np.testing.assert_array_equal(ours, plain)
        different.add(tuple(ours))
    assert len(different) > 20, "the test would say nothing"


def test_what_probabilities_leave_open_is_filled_as_far_as_limits_go() -> None:
    """The list knows of two copies; of the likeliest card the rules allow three."""
    rules = Limits(np.array([3, 3]), np.zeros(2, np.int64), np.zeros(2, np.bool_), np.zeros(2, np.int64), 0, 0, 0)
    chances = np.array([[0.9, 0.5], [0.8, 0.2]])
    filled = {size: fill_by_probability(np.zeros(2, np.int64), size, chances, rules).tolist() for size in (2, 3, 4, 5)}
    assert filled == {2: [1, 1], 3: [2, 1], 4: [2, 2], 5: [3, 2]}


def test_what_copies_spend_may_leave_out_the_first() -> None:
    none = np.zeros(3, np.int64)
    rules = Requirements(none, np.array([2, 3, 1]), np.array([True, False, True]), 9, none, 0, 0)
    assert rules.spent(np.array([0, 2, 3], np.uint8)) == 3 * 2 + 1 * 2
    assert rules.spent(np.array([1, 0, 0], np.uint8)) == 0


# Rules and observations


def test_an_identity_without_a_limit_has_no_budget() -> None:
    limits = {card.code: card.influence_limit for card in POOL if card.is_identity}
    unlimited = [code for code, limit in limits.items() if limit is None]
    for code, expected in ((unlimited[0], NO_BUDGET), ("01001", 15)):
        budget = Limits.of(RULES.requirements(code, 45, [])).budget
        assert budget == expected
        assert has_budget(Limits.of(RULES.requirements(code, 45, []))) == (code == "01001")


def test_what_other_seen_cards_spend_is_not_left() -> None:
    """Of Noise's 15 influence two copies of a card that costs 4 leave 7. Of a Corp's points its agenda's are gone."""
    siphon, requisition = POOL.find("Account Siphon"), POOL.find("Priority Requisition")
    assert (siphon.influence, requisition.points) == (4, 3)
    book = Rulebook.of(GAME, made_up_table().of_cards(np.arange(5)))
    assert siphon.code not in book.cards
    assert requisition.code not in book.cards
    runner = Observation(book.place("01001"), np.zeros(5, np.int64), 45, others={siphon.code: 2})
    assert (runner.nameless, runner.day, dict(runner.sizes)) == (False, None, {})
    assert (runner.num_others, runner.size_of_known, book.limits_left(runner).budget) == (2, 43, 7)
    corp = Observation(book.place("01067"), np.zeros(5, np.int64), 49, others={requisition.code: 2})
    left = book.limits_left(corp)
    assert (left.low, left.high) == (20 - 6, 21 - 6)


def test_cards_that_were_not_printed_are_left_out_unless_seen() -> None:
    """From the day of their printing they are there."""
    table = made_up_table()
    book = Rulebook.of(GAME, table)
    identity = book.place("01001")
    whole = book.limits(identity, 45).limit
    late = next(c for c in np.flatnonzero(whole) if POOL[book.cards[c]].released > "2013-01-01")
    day = int(book._released[late])
    nothing, one = np.zeros(len(book.cards), np.int64), np.zeros(len(book.cards), np.int64)
    one[late] = 1
    assert book.limits_left(Observation(identity, nothing, 45, day)).limit[late] == whole[late]
    assert book.limits_left(Observation(identity, nothing, 45, day - 1)).limit[late] == 0
    assert book.limits_left(Observation(identity, one, 45, day - 1)).limit[late] == whole[late]


def test_identities_and_their_groups_are_numbered_those_of_known_decks_first() -> None:
    book = Rulebook.of(GAME, made_up_table())
    assert book.num_known == 7
    assert book.identities[:7] == made_up_table().identities
    assert len(set(book.identities)) == len(book.identities) == sum(card.is_identity for card in POOL)
    groups = [RULES.group(code) for code in book.identities]
    known = sorted(set(groups[:7]))
    order = [*known, *sorted(set(groups) - set(known))]
    assert book.group.tolist() == [*(order.index(name) for name in groups), *range(len(order))]
    nameless = book.nameless(book.place("01001"))
    assert nameless == len(book.identities) + order.index("anarch")
    assert book.group[nameless] == order.index("anarch")


@pytest.mark.parametrize(
    ("identity", "seen", "size", "message"),
    [
        ("01001", {"01050": 4}, 45, "4 copies of Sure Gamble; a deck may have 3"),
        ("01001", {"01050": 0}, 45, "0 copies of Sure Gamble cannot have been seen"),
        ("01001", {}, 44, "a deck of 44 cards is impossible: .* needs at least 45"),
        ("01067", {"01106": 3, "02039": 3}, 40, "a deck of 40 cards is impossible"),
        ("01001", {"01018": 3, "01037": 1}, 45, "these cards cost 16 influence; .* allows 15"),
        ("01001", {"01110": 1}, 45, "cannot have Hedge Fund in its deck"),
    ],
)
def test_what_cannot_be_seen_is_refused(identity: str, seen: dict[str, int], size: int, message: str) -> None:
    with pytest.raises(BadDeck, match=message):
        Rulebook.of(GAME, made_up_table()).observation(identity, seen, size)


def test_more_agenda_points_than_a_deck_may_have_cannot_be_seen() -> None:
    """Three copies of each agenda that is worth three and that any Corp may have."""
    agendas = [card.code for card in POOL if card.points == 3 and card.faction in ("jinteki", "neutral-corp")][:4]
    book = Rulebook.of(GAME, made_up_table())
    assert book.observation("01067", dict.fromkeys(agendas[:2], 3) | {agendas[2]: 1}, 45).size == 45, "21 of 21"
    with pytest.raises(BadDeck, match="these cards have 24 agenda points; a deck of 45 has 21"):
        book.observation("01067", dict.fromkeys(agendas[:2], 3) | {agendas[2]: 2}, 45)


def test_what_can_just_be_seen_is_not_refused() -> None:
    """As many cards as the deck has, all the influence, all the copies."""
    book = Rulebook.of(GAME, made_up_table())
    for deck in made_up_decks()[:7]:
        seen = book.observation(deck.identity, deck.cards, deck.size)
        assert seen.copies.sum() == seen.size == deck.size
        assert seen.size_of_known == deck.size
        with pytest.raises(BadDeck, match=rf"{deck.size} cards seen of a deck of {deck.size - 1}"):
            book._check_possible(deck.identity, deck.cards, deck.size - 1)
    assert book.observation("01001", {}).size == 45
    twice = book.observation("01001", {"01050": 1, "06019": 1, "06020": 1})
    assert (twice.num_others, twice.size_of_known, int(twice.copies.sum())) == (2, 43, 1)


def test_a_prediction_expects_what_it_takes_of_its_chances() -> None:
    """Three of card a of which one was seen, one of b, one card that no known deck has: 1 + 0.5 + 0.25 + 0.75 + 1 of
    10."""
    seen = Observation(0, np.array([1, 0, 0]), 10, others={"x": 1})
    chances = np.array([[0.9, 0.5, 0.25], [0.75, 0.5, 0.1], [0.5, 0.4, 0.3]])
    assert Prediction(seen, chances, np.array([3, 1, 0])).expected_accuracy == pytest.approx(3.5 / 10)


# Collections


def test_a_collection_says_what_was_left_out(tmp_path: Path) -> None:
    first, second, third = made_up_decks()[:3]
    small = Deck(first.identity, {"01050": 3}, date="2014-01-01")
    file = tmp_path / "decks.jsonl"
    decks = [first, second, first, replace(third, date=""), small]
    file.write_text("".join(deck_as_json(deck) + "\n" for deck in decks) + '{"cards": {}}\n')
    found, dated = (read_collection([file], GAME, only_dated=only) for only in (False, True))
    assert found.left_out == {"unreadable": 1, "illegal": 1, "without a date": 0, "duplicate": 1}
    assert found.summary == "3 decks; left out: 1 unreadable, 1 illegal, 1 duplicate"
    assert dated.left_out == {"unreadable": 1, "illegal": 1, "without a date": 1, "duplicate": 1}
    assert [dated.table.deck(row).content for row in range(2)] == [first.content, second.content]
    assert len(found.digest) == 16
    assert found.digest != dated.digest
    again = read_collection([file, file], GAME)
    assert (again.digest, again.left_out["duplicate"]) == (found.digest, 5)
    file.write_text(deck_as_json(first) + "\n")
    assert read_collection([file], GAME).summary == ""
    file.write_text('{"cards": {}}\n' + deck_as_json(small) + "\n")
    with pytest.raises(
        BadDeck, match=r"no decks to use in .*decks\.jsonl: 1 unreadable, 1 illegal; the first: .*line 1"
    ):
        read_collection([file], GAME)


# The posterior and the nearest decks, with the settings that the shipped model was learned with


def test_a_posterior_weighs_decks_by_cards_identity_size_and_date() -> None:
    """Four decks of identities A (twice), B of the same group, C of another. Copies of card a were seen twice, of b
    once; five cards more than the decks have; 45 days after the first date."""
    copies = [[2, 1, 1], [1, 3, 0], [3, 0, 1], [0, 2, 2]]
    days = np.array([FIRST_DAY, FIRST_DAY + 45, FIRST_DAY + 400, -1])
    table, group = table_of(copies, [0, 0, 1, 2]), np.array([0, 0, 1])
    model = DeckPosterior(table, days, group)
    assert model.last_day == FIRST_DAY + 400
    seen = Observation(0, np.array([2, 1, 0]), 9, FIRST_DAY + 45)
    usual = [sum(column) / 4 / 4 + 1e-5 for column in zip(*copies, strict=True)]
    expected = []
    apart = [45, 0, 355]
    dates = [0.5 * min(days / 30, 8) + 0.4 * math.log1p(days / 0.25) for days in apart]
    for deck, cost in zip(range(4), [*dates, sum(dates) / 3], strict=True):
        log = -[0.0, 0.0, 3.0, 5.0][deck] - 0.15 * 5 - cost
        for card, drawn in ((0, 0), (0, 1), (1, 0)):
            left = max(copies[deck][card] - drawn, 0) / (4 - drawn)
            log += 0.45 * math.log(0.9 * left + 0.1 * usual[card] + 1e-7)
        expected.append(math.exp(log))
    np.testing.assert_allclose(model.weights(seen), np.array(expected) / sum(expected), rtol=1e-4)
    left_out = model.weights(seen, without=1)
    assert left_out[1] == 0
    assert left_out.sum() == pytest.approx(1)
    assert DeckPosterior(table, np.full(4, -1), group)._cost_of_date(FIRST_DAY).tolist() == [0.0] * 4


def test_what_a_posterior_expects_leaves_out_negligible_decks() -> None:
    """Below a ten thousandth of the heaviest. Six usual decks count beside those that were weighed."""
    table = table_of([[2, 0], [0, 1], [2, 1]], [0, 0, 0])
    model, usual = DeckPosterior(table, np.full(3, -1), np.array([0])), np.full((2, COPIES), 1 / COPIES)
    found = model.expected(np.array([1.0, 0.00009, 0.00011], np.float32), usual)
    np.testing.assert_allclose(found.presence, [1.0, 0.00011], rtol=1e-3)
    effective = 1 / (1.0 + 0.00009**2 + 0.00011**2)
    np.testing.assert_allclose(
        found.copies[0], (effective * np.array([0, 1.00011, 0]) + 2) / (effective * 1.00011 + 6), rtol=1e-5
    )


def test_the_nearest_decks_are_those_that_the_weights_say() -> None:
    """Cards cost 5 by what they tell, another identity 1.5, another group 1 more, a deviation of the size 0.3, of the
    month 1."""
    copies = [[2, 1, 1, 0], [1, 3, 0, 4], [3, 0, 1, 0], [0, 2, 2, 1]]
    days = np.array([FIRST_DAY, FIRST_DAY + 59, FIRST_DAY + 300, -1])
    table, group = table_of(copies, [0, 0, 1, 2]), np.array([0, 0, 1])
    near = NearestDecks(table, days, group)
    months = [0, 1, 10, (sum((0, 59, 300)) // 3) // 30]
    sizes = [4, 8, 4, 5]
    have = [[held > k for held in deck for k in range(3)] for deck in copies]
    tells = [-math.log((sum(column) + 0.5) / 5) for column in zip(*have, strict=True)]
    wanted = [0, 1, 3]  # two copies of a, one of b
    seen = Observation(0, np.array([2, 1, 0, 0]), 6, FIRST_DAY + 65)
    expected = {}
    for deck in range(4):
        lacking = sum(tells[item] for item in wanted if not have[deck][item]) / sum(tells[item] for item in wanted)
        other = [0.0, 0.0, 1.5, 2.5][deck]
        expected[deck] = 5 * lacking + other + 0.3 * abs(sizes[deck] - 6) / np.std(sizes)
        expected[deck] += abs(months[deck] - 2) / np.std(months)
    found = near.retrieve(seen)
    assert dict(zip(found.positions.tolist(), found.distances, strict=True)) == pytest.approx(expected)
    assert near.settings.k == 100
    assert len(near.retrieve(seen, k=2).positions) == 2
    votes = near.votes(seen)
    assert votes.shares[0] / votes.shares[1] == pytest.approx(math.exp(found.distances[1] - found.distances[0]))
    assert votes.shares.sum() == pytest.approx(1)
    stranger = near.retrieve(replace(seen, identity=2))
    assert stranger.distances[list(stranger.positions).index(3)] == pytest.approx(expected[3] - 2.5)


# The network


def test_inputs_are_numbered_one_after_the_other() -> None:
    """Two known identities of groups 0 and 1, one new of each; seven classes of sizes; three periods; three copies of
    each card."""
    inputs = Inputs(np.array([0, 1, 1, 2]), num_identities=2, num_cards=4, first_day=100, periods=3)
    places = (inputs.first_group, inputs.first_size, inputs.first_period, inputs.first_card, inputs.number)
    assert places == (2, 4, 11, 14, 26)
    assert inputs.known(1, 40, None) == [1, 3, 4]
    assert inputs.known(2, 41, None) == [3, 5], "a new identity of a known group"
    assert inputs.known(3, 44, None) == [5], "and of a new one"
    sizes = {size: inputs.known(0, size, None)[-1] - 4 for size in (1, 40, 41, 44, 45, 46, 48, 49, 50, 54, 55, 999)}
    assert sizes == {1: 0, 40: 0, 41: 1, 44: 1, 45: 2, 46: 3, 48: 3, 49: 4, 50: 5, 54: 5, 55: 6, 999: 6}
    assert inputs.known(0, 40, 100 + 30)[3:] == [11]
    assert inputs.known(0, 40, 100 + 10_000)[3:] == [11, 12, 13]
    seen = np.array([0, 1, 5, 2])
    assert inputs.features(1, 40, None, seen).tolist() == [1, 3, 4, 17, 20, 21, 22, 23, 24]


def test_a_network_adds_up_the_rows_of_what_is_known() -> None:
    """One card, a hidden layer of two, of which one unit is below zero and says nothing."""
    inputs = Inputs(np.array([0]), num_identities=1, num_cards=1, first_day=0, periods=0)
    shapes = ((inputs.number, 2), (2,), (2, 1), (inputs.number, 1), (1,))
    weights = Weights(*(np.zeros(shape, np.float32) for shape in shapes))
    weights.deep[[0, 1, inputs.first_card]] = [[1, -9], [2, 1], [0.5, 1]]
    weights.hidden_bias[:] = [0.25, 3]
    weights.output[:, 0] = [0.5, 7]
    weights.wide[[0, inputs.first_card], 0] = [0.125, 0.25]
    weights.bias[:] = -2
    chance = DeckNetwork(inputs, weights).presence(0, 45, None, np.array([1]))
    assert chance == pytest.approx([1 / (1 + math.exp(-(0.5 * 3.75 + 0.375 - 2)))])


def test_a_network_begins_with_how_often_cards_are_held() -> None:
    """Weights of standard deviation 0.2, those behind the hidden layer by the root of its width; a card that no deck
    has, or every deck, is not quite out of the question."""
    inputs = Inputs(np.array([0]), num_identities=1, num_cards=3, first_day=0, periods=0)
    present = np.array([[1, 0, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0]], np.float32)
    weights = _first_weights(inputs, present, NetworkSettings(hidden=6400), np.random.default_rng(1))
    chances = 1 / (1 + np.exp(-weights.bias.astype(float)))
    np.testing.assert_allclose(chances, [1 - 2e-4, 2e-4, 0.25], rtol=1e-3)
    assert weights.deep.std() == pytest.approx(0.2, rel=0.02)
    assert weights.output.std() == pytest.approx(0.2 / 80, rel=0.05)
    assert (weights.deep.shape, weights.output.shape) == ((inputs.number, 6400), (6400, 3))
    assert not weights.hidden_bias.any()
    assert not weights.wide.any()


def test_masked_decks_are_drawn_as_a_plain_loop_draws_them() -> None:
    """With the same random numbers: whether the identity is named, whether the date is known, how many cards and
    which."""
    table = table_of([[2, 1, 1, 0], [1, 3, 0, 4], [3, 0, 1, 0], [0, 2, 2, 1]] * 5, [0, 1, 0, 1] * 5)
    days = np.array([-1, 100, 165, 400] * 5)
    settings = NetworkSettings(fewest_seen=2, most_seen=6, undated=0.4, nameless=0.3, seed=7)
    inputs = Inputs(np.array([0, 1]), 2, 4, first_day=100, periods=10)
    masked = _Masking(table, days, inputs, settings)
    masked.draw()
    found = masked.inputs_of(np.arange(20))
    assert found.shape == (20, inputs.number)
    state, sizes = rng.generator(7), []
    for deck in range(20):
        identity, size = int(table.identity[deck]), int(table.sizes[deck])
        kept = [identity, 2 + identity, inputs.first_size][(1 if rng.uniform(state) < 0.3 else 0) :]
        if rng.uniform(state) >= 0.4:
            begun = [0, 0, 2, 10][deck % 4]
            kept += range(inputs.first_period, inputs.first_period + begun)
        pool = [card for card in range(4) for _ in range(table.copies[deck, card])]
        number = min(2 + rng.below(state, 5), size)
        sizes.append(number)
        drawn: list[int] = []
        for place in range(number):
            other = place + rng.below(state, size - place)
            pool[place], pool[other] = pool[other], pool[place]
            copy = drawn.count(pool[place])
            drawn.append(pool[place])
            kept += [inputs.first_card + 3 * pool[place] + copy] if copy < 3 else []
        row = found[[deck]].toarray()[0]
        assert np.flatnonzero(row).tolist() == sorted(kept)
        assert set(row) <= {0, 1}
    assert len(set(sizes)) > 2
    possible = masked.possible()
    assert possible[: inputs.first_card].nonzero()[0].tolist() == [0, 1, 2, 3, 4, *range(11, 21)]
    assert possible[inputs.first_card :].reshape(4, 3).tolist() == [
        [True] * 3,
        [True] * 3,
        [True, True, False],
        [True] * 3,
    ]


# Mining


@pytest.mark.parametrize(
    ("support", "decks", "count"),
    [(0.5, 3, 2), (0.5, 4, 2), (1e-9, 5, 1), (0.999, 1000, 999), (1.0, 50, 1), (1.5, 50, 2), (7, 3, 7)],
)
def test_the_least_number_of_decks_is_rounded_up_and_at_least_one(support: float, decks: int, count: int) -> None:
    assert minimum_count(support, decks) == count


@pytest.mark.parametrize("items", ["set", "multiset"])
def test_transactions_hold_identities_then_cards(items: str) -> None:
    table = table_of([[2, 0], [1, 4]], [1, 0])
    found = Transactions.of(table, items)
    per_card = 1 if items == "set" else COPIES
    assert (found.num_identities, found.copies_per_card, found.num_items, len(found)) == (
        2,
        per_card,
        2 + 2 * per_card,
        2,
    )
    rows = [found.items[found.starts[deck] : found.starts[deck + 1]].tolist() for deck in (0, 1)]
    assert rows == ([[1, 2], [0, 2, 3]] if items == "set" else [[1, 2, 3], [0, 2, 5, 6, 7]])
    assert found.copies.tolist() == ([1, 2, 1, 1, 4] if items == "set" else [1] * 8)
    assert found.items_of(1, table.copies[1]).tolist() == ([1, 2, 3] if items == "set" else [1, 2, 5, 6, 7])
    nameless = Transactions.of(table, items, identity=False)
    assert nameless.items_of(0, table.copies[0]).tolist()[1:] == rows[0][1:]
    assert not nameless.has[:2].any()
    part = Transactions.of(table, items, part=table.copies > 1)
    assert part.items[part.starts[1] :].tolist() == ([0, 3] if items == "set" else [0, 5, 6, 7])
    assert not part.has[2, 1]
    asked = Transactions.of(table, items, part=table.copies > 1, antecedents="deck")
    assert asked.has[2, 1] == 1, "antecedents may be of the rest of the deck"
    assert asked.items.tolist() == part.items.tolist()


def test_more_item_sets_than_there_was_room_for_are_found() -> None:
    """There is room for 1,024 at first: eleven items that are in every deck have 1,485 sets of up to six."""
    table = table_of([[1] * 10] * 3, [0, 0, 0])
    transactions = Transactions.of(table)
    found = transactions.mine(3, 6).as_dict()
    assert len(found) == sum(math.comb(11, size) for size in range(1, 7))
    assert set(found.values()) == {3}
    assert len(transactions.mine(3)) == sum(math.comb(11, size) for size in range(1, 5)), "of up to four by default"


def test_the_usual_number_of_copies_is_that_of_the_decks_behind_the_rules() -> None:
    """Two decks with a have b twice and three times; a third without a has it once. No rule leads to what too few decks
    have."""
    table = table_of([[1, 2, 0], [1, 3, 0], [0, 1, 1]], [0, 0, 0])
    transactions = Transactions.of(table)
    given = np.array([1])  # card a
    assert transactions.usual_copies(given, 2, 1).tolist() == [1, 0, 2.5, 0]
    assert transactions.usual_copies(np.array([0]), 2, 1).tolist() == [0, 1, 2, 0]
    assert transactions.usual_copies(np.array([0]), 1, 1)[3] == 1


# Evaluation


def test_a_score_adds_up_over_splits() -> None:
    first, second = Score("best", 5, [0.5, 0.7], [0.6, 0.6]), Score("best", 5, [0.9], [0.8])
    for score, number in ((first, 2), (second, 3)):
        score.counted[4], score.present[4], score.chances[4] = 10 * number, number, 2.5 * number
        score.unanswered = number
    first.merge(second)
    assert (first.accuracies, first.expected, first.unanswered) == ([0.5, 0.7, 0.9], [0.6, 0.6, 0.8], 5)
    assert (first.counted[4], first.present[4], first.chances[4]) == (50, 5, 12.5)
    assert first.mean == pytest.approx(0.7)
    margin = 1.96 * math.sqrt(0.08 / 3) / math.sqrt(3)
    assert first.interval == pytest.approx((0.7 - margin, 0.7 + margin))
    assert first.calibration_error == 7.5 / 50
    assert Score("best", 5).calibration_error == 0
    assert len(first.counted) == BINS == 20


def test_accuracy_is_the_share_of_the_true_deck() -> None:
    assert _match(np.array([3, 0, 2]), np.array([1, 2, 2], np.uint8)) == 3 / 5


def test_by_default_thirty_folds_learn_from_all_others() -> None:
    plain = Protocol()
    assert (plain.observed, plain.folds, plain.sized, plain.dated, plain.seed) == ((5,), 30, True, False, 1)
    table = table_of([[1]] * 60, [0] * 60)
    found = list(splits(table, plain))
    assert [(len(split.training), len(split.test)) for split in found] == [(58, 2)] * 30
    with pytest.raises(BadDeck, match="30 folds cannot be made of 29 decks; choose from 2 to 29"):
        next(splits(table, Protocol(decks=29)))
    with pytest.raises(BadDeck, match="1 folds cannot be made of 60 decks"):
        next(splits(table, Protocol(folds=1)))
    with pytest.raises(BadDeck, match="needs at least 2; there is 1"):
        next(splits(table, Protocol(decks=1)))
    with pytest.raises(BadDeck, match="61 decks are wanted; there are 60"):
        next(splits(table, Protocol(decks=61)))
    assert len(list(splits(table, Protocol(decks=60, folds=60)))) == 60
    ring = list(splits(table, Protocol(folds=3, learn_from="fold")))
    assert [split.training.tolist() for split in ring] == [ring[number].test.tolist() for number in (1, 2, 0)]


def test_later_decks_are_taken_period_by_period() -> None:
    """From day 10 on, every five days; those without a date are in no split."""
    dates = ["2014-01-05", "2014-01-10", "2014-01-14", "2014-01-15", "2014-01-21", ""]
    table = replace(table_of([[1]] * 6, [0] * 6), dates=tuple(dates))
    every = [
        (split.training.tolist(), split.test.tolist()) for split in splits(table, Protocol(since="2014-01-10", every=5))
    ]
    assert every == [([0], [1, 2]), ([0, 1, 2], [3]), ([0, 1, 2, 3], [4])]
    once = [(split.training.tolist(), split.test.tolist()) for split in splits(table, Protocol(since="2014-01-10"))]
    assert once == [([0], [1, 2, 3, 4])]
    assert len(list(splits(table, Protocol(since="2014-01-21")))) == 1, "the last day has decks"
    for since in ("2014-01-22", "2014-01-05"):
        with pytest.raises(BadDeck, match="no decks both before and from"):
            next(splits(table, Protocol(since=since)))


def test_a_deck_that_shares_just_the_allowed_part_is_kept() -> None:
    """The test deck has four cards; the others share three and two of them."""
    table = table_of([[2, 2, 0], [2, 1, 1], [2, 0, 2]], [0, 0, 0])
    split = next(splits(table, Protocol(folds=3)))._replace(training=np.array([1, 2]), test=np.array([0]))
    assert without_similar(table, split, 0.75).training.tolist() == [1, 2]
    assert without_similar(table, split, 0.74).training.tolist() == [2]
    assert without_similar(table, split, 0.4).training.tolist() == []


def test_unseen_cards_are_binned_by_their_chance() -> None:
    """A predictor of our own over three cards: a chance of 1 belongs to the last bin. What was seen and what may not be
    there is not counted."""
    table = made_up_table()
    row = 0
    deck = table.deck(row)
    book = Rulebook.of(GAME, table)
    chances = np.zeros((len(book.cards), COPIES))
    place = {code: book.cards.index(code) for code in deck.cards}
    held = list(deck.cards)
    chances[place[held[1]], 0] = 1.0
    chances[place[held[2]], 0] = 0.05

    class Predictor:
        def __init__(self) -> None:
            self.book = book
            self.sizes: list[int | None] = []

        def observation(
            self, identity: str, seen: dict[str, int], size: int | None = None, day: int | None = None
        ) -> Observation:
            self.sizes.append(size)
            return book.observation(identity, seen, deck.size, day)

        def prediction(self, seen: Observation) -> Prediction:
            return Prediction(seen, chances, table.copies[row].astype(np.int64))

    seen = book.observation(deck.identity, {held[0]: 1}, deck.size)
    predictor, score = Predictor(), Score("own", 1)
    for sized in (True, False):
        _add_prediction(score, predictor, table, seen, table.copies[row], sized=sized)
    assert predictor.sizes == [deck.size, None]
    assert score.accuracies == [1.0, 1.0]
    allowed = int((book.limits(seen.identity, seen.size).limit > 0).sum()) - 1
    assert score.counted.sum() == 2 * allowed
    assert (score.counted[19], score.present[19], score.chances[19]) == (2, 2, 2.0)
    assert (score.counted[1], score.present[1], score.chances[1]) == (2, 2, pytest.approx(0.1))
    assert score.present[0] == 2 * (len(held) - 3)
    refused = Score("own", 1)
    Predictor.observation = lambda *_: (_ for _ in ()).throw(BadDeck("no"))  # type: ignore[method-assign]
    _add_prediction(refused, predictor, table, seen, table.copies[row], sized=True)
    assert (refused.unanswered, refused.accuracies, refused.expected) == (1, [0.0], [0.0])
