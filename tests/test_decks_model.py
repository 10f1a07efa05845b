"""Learned models of decks: probabilities, calibration, creation, files, evaluation."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardwright.decks import BadDeck, BadDeckModel, Deck, DeckTable
from boardwright.decks import model as model_module
from boardwright.decks.creation import create
from boardwright.decks.evaluation import (
    PREDICTORS,
    Protocol,
    Split,
    evaluate,
    evaluate_split,
    splits,
    without_similar,
)
from boardwright.decks.mixture import MixtureSettings
from boardwright.decks.model import DeckModel, ModelSettings, members, observe
from boardwright.decks.netrunner import netrunner
from boardwright.decks.network import NetworkSettings
from boardwright.decks.prediction import Observation
from boardwright.decks.reasons import reasons
from boardwright.decks.rule_base import RuleSettings
from boardwright.decks.storage import load_model, save_model
from boardwright.decks.table import day_number
from boardwright.errors import UnknownName
from tests.made_up_decks import made_up_decks, made_up_table

GAME = netrunner()
QUICK = ModelSettings(
    network=NetworkSettings(hidden=32, epochs=60, batch=32, dropout=0.2),
    mixture=MixtureSettings(archetypes=12, decks_per_archetype=6),
    calibration_decks=10,
)
TEST_ROWS = np.arange(140, 210)


@cache
def model() -> DeckModel:
    return DeckModel.learn(GAME, made_up_table().rows(np.arange(140)), QUICK)


def seen_of(row: int, cards: int = 5) -> Observation:
    return observe(made_up_table(), row, cards, np.random.default_rng(row))


def accuracy(of: DeckModel, cards: int = 5) -> float:
    table = made_up_table()
    shared = [np.minimum(of.predict(seen_of(row, cards)), table.copies[row]).sum() for row in TEST_ROWS]
    return float(np.sum(shared) / table.sizes[TEST_ROWS].sum())


def legal(of: DeckModel, seen: Observation, copies: np.ndarray) -> bool:
    return not GAME.construction.problems(of.deck(seen, copies))


def test_predictions_are_legal_whole_and_contain_what_was_seen() -> None:
    for row in TEST_ROWS:
        seen = seen_of(int(row))
        copies = model().predict(seen)
        assert copies.sum() == seen.size
        assert (copies >= seen.copies).all()
        assert legal(model(), seen, copies)


def test_probabilities_fall_with_copies_and_respect_the_rules() -> None:
    seen = seen_of(150)
    chances = model().probabilities(seen)
    limit = model().book.limits(seen.identity, seen.size).limit
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (np.diff(chances, axis=1) <= 1e-12).all()
    assert chances[limit == 0].sum() == 0
    assert (chances[np.arange(3) < seen.copies[:, None]] == 1).all()


def test_decks_that_are_later_than_all_known_ones_are_averaged_otherwise() -> None:
    side, seen = model().sides[0], seen_of(150)
    last = max(of.posterior.last_day for of in model().sides if of.posterior)
    assert last == int(made_up_table().days[:140].max())
    for day, later in ((None, False), (last, False), (last + 1, True)):
        said = members(side, model().here(replace(seen, identity=0, day=day)))
        assert said.later is later
    shares = {"network_share": 1.0, "nearest_share": 0.0, "network_share_later": 0.0, "nearest_share_later": 1.0}
    pure = replace(model(), settings=replace(QUICK, **shares))
    known, new = (pure.probabilities(replace(seen, day=day)) for day in (last, last + 1))
    assert not np.allclose(known, new)


def test_more_seen_cards_give_better_predictions() -> None:
    assert accuracy(model(), 1) < accuracy(model(), 5) < accuracy(model(), 10)


def test_the_best_predictor_beats_popularity_and_rules() -> None:
    protocol = Protocol(folds=3, per_fold=40)
    scores = {
        score.name: score.mean
        for score in evaluate(GAME, made_up_table(), ["a2", "popular", "best"], protocol, settings=QUICK)
    }
    assert scores["best"] > scores["popular"] > 0.3
    assert scores["best"] > scores["a2"]


def test_every_predictor_can_be_evaluated() -> None:
    scores = evaluate(GAME, made_up_table(), PREDICTORS, Protocol(folds=2, per_fold=3), settings=QUICK)
    assert [score.name for score in scores] == list(PREDICTORS)
    assert all(len(score.accuracies) == 6 for score in scores)
    assert all(score.counted.sum() > 0 for score in scores if score.expected)


def test_an_unknown_predictor_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'best'"):
        evaluate(GAME, made_up_table(), ["bets"], Protocol())


def test_chances_are_calibrated() -> None:
    (score,) = evaluate(GAME, made_up_table(), ["best"], Protocol(folds=3), settings=QUICK)
    assert abs(score.mean - float(np.mean(score.expected))) < 0.06
    assert score.calibration_error < 0.05


def test_folds_test_every_deck_once_and_never_learn_from_it() -> None:
    table = made_up_table()
    found = list(splits(table, Protocol(folds=7)))
    assert sorted(np.concatenate([split.test for split in found])) == list(range(len(table)))
    assert all(not set(split.training) & set(split.test) for split in found)
    assert {len(split.training) for split in found} == {180}
    assert {len(split.training) for split in splits(table, Protocol(folds=7, learn_from="fold"))} == {30}


def test_some_of_the_folds_can_be_predicted() -> None:
    every, some = (list(splits(made_up_table(), Protocol(folds=7, test_folds=number))) for number in (None, 2))
    assert (len(every), len(some)) == (7, 2)
    for one, other in zip(every, some, strict=False):
        np.testing.assert_array_equal(one.training, other.training)
        np.testing.assert_array_equal(one.test, other.test)


@pytest.mark.parametrize("protocol", [Protocol(folds=3, per_fold=20), Protocol(since="2014-01-02", per_fold=60)])
def test_decks_that_are_predicted_are_drawn_from_all_that_could_be(protocol: Protocol) -> None:
    """Decks come in the order of their dates: the first of a fold would be the oldest."""
    table = made_up_table()
    in_order = table.rows(np.argsort(table.days, kind="stable"))
    for drawn, whole in zip(
        splits(in_order, protocol), splits(in_order, replace(protocol, per_fold=None)), strict=True
    ):
        assert set(drawn.test) < set(whole.test)
        np.testing.assert_array_equal(drawn.training, whole.training)
        np.testing.assert_array_equal(drawn.test, np.sort(drawn.test))
        halves = np.searchsorted(whole.test, drawn.test) >= len(whole.test) / 2
        assert 0.3 < halves.mean() < 0.7, "old and new decks alike"


def test_later_decks_are_predicted_from_earlier_ones() -> None:
    table = made_up_table()
    (once,) = splits(table, Protocol(since="2014-07-01"))
    assert max(table.dates[row] for row in once.training) < "2014-07-01" <= min(table.dates[row] for row in once.test)
    again = list(splits(table, Protocol(since="2014-07-01", every=31)))
    assert sum(len(split.test) for split in again) == len(once.test)
    assert len(again[-1].training) > len(once.training)
    with pytest.raises(BadDeck, match="no decks both before and from 2020"):
        list(splits(table, Protocol(since="2020-01-01")))


def test_near_duplicates_are_left_out() -> None:
    deck = made_up_decks()[0]
    (first, second, *_) = deck.cards
    near = Deck(deck.identity, {**deck.cards, first: deck.cards[first] % 3 + 1})
    table = DeckTable.of([deck, near, *made_up_decks()[1:20]])
    split = next(iter(splits(table, Protocol(folds=21))))
    split = split._replace(training=np.arange(1, 21), test=np.array([0]))
    left = without_similar(table, split, 0.9).training
    assert 1 not in left
    assert len(left) >= 18
    assert second in deck.cards


def test_created_decks_are_legal_and_spend_all_influence() -> None:
    book = model().book
    for identity in model().identities:
        seen = book.observation(identity, {})
        copies = create(model(), seen)
        requirements = GAME.construction.requirements(identity, seen.size, book.cards)
        assert copies.sum() == seen.size
        assert legal(model(), seen, copies)
        assert requirements.spent(copies) == requirements.budget, GAME.pool[identity].title


def test_created_decks_contain_the_given_cards() -> None:
    noise = next(deck for deck in made_up_decks() if deck.identity == "01001")
    given = dict(list(noise.cards.items())[:3])
    copies = create(model(), model().book.observation("01001", given))
    assert all(copies[model().cards.index(code)] >= number for code, number in given.items())


def test_given_numbers_of_copies_are_kept_and_others_may_grow() -> None:
    seen = model().book.observation("01001", {"01050": 2, "01002": 1})
    loose, exact = create(model(), seen), create(model(), seen, exactly={"01050"})
    gamble = model().cards.index("01050")
    assert exact[gamble] == 2
    assert (loose >= seen.copies).all()
    assert legal(model(), seen, exact)


NEW_CARD, NEW_AGENDA = "06019", "06061"
"""Cards that no made-up deck has: one of Anarch's rivals that costs influence, and an agenda."""


@pytest.mark.parametrize(
    ("identity", "card"), [("01001", NEW_CARD), ("06052", "01050"), ("06052", NEW_CARD), ("01054", NEW_AGENDA)]
)
def test_cards_and_identities_that_no_known_deck_has_are_kept_and_predicted_around(identity: str, card: str) -> None:
    """Quetzal is a new identity of a known faction."""
    for of in (model(), model().without_decks()):
        seen = of.observation(identity, {card: 2, "01110" if GAME.pool[identity].side == "corp" else "01048": 1})
        prediction = of.prediction(seen)
        deck = of.deck(seen, prediction.copies)
        assert deck.identity == identity
        assert deck.cards[card] >= 2
        assert deck.size == seen.size
        assert not GAME.construction.problems(deck)
        assert 0.05 < prediction.expected_accuracy <= 1
        assert all(deck.cards.get(code, 0) == number for code, number in seen.others.items())
        created = of.deck(seen, create(of, seen))
        assert not GAME.construction.problems(created)
        assert created.cards[card] >= 2


def test_a_new_identity_of_a_new_faction_gets_chances() -> None:
    """Apex is of a faction of its own."""
    for of in (model(), model().without_decks()):
        seen = of.observation("09029", {"01050": 2})
        chances = of.probabilities(seen)
        assert ((chances >= 0) & (chances <= 1)).all()
        assert (chances[seen.copies == 0, 0] > 0.1).any()
        assert reasons(of, seen, [0]).archetypes


def test_the_evaluation_scores_what_the_command_would_answer() -> None:
    """A card and an identity that only the test deck has: the model is asked by codes, and has never met them."""
    decks = list(made_up_decks()[:150])
    strange = next(deck for deck in decks if deck.identity == "01001")
    first = next(code for code, number in strange.cards.items() if number == 3)
    cards = {NEW_CARD if code == first else code: number for code, number in strange.cards.items()}
    table = DeckTable.of([*decks, Deck("06052", cards)])
    split = Split(np.arange(150), np.array([150]))
    protocol = Protocol(observed=(12,), folds=2)
    (score,) = evaluate_split(GAME, table, split, 0, ["best"], protocol, RuleSettings(), QUICK)
    of = DeckModel.learn(GAME, table.rows(split.training).met(), QUICK)
    assert NEW_CARD not in of.cards
    assert "06052" not in of.identities
    drawn = observe(table, 150, 12, np.random.default_rng((protocol.seed, 0, 12)))
    codes = {table.cards[card]: int(drawn.copies[card]) for card in np.flatnonzero(drawn.copies)}
    assert NEW_CARD in codes, "another seed would not draw it"
    seen = of.observation("06052", codes, drawn.size)
    answer = of.deck(seen, of.predict(seen)).cards
    shared = sum(min(number, answer.get(code, 0)) for code, number in cards.items())
    assert score.accuracies == [shared / sum(cards.values())]
    assert score.unanswered == 0


def test_no_card_is_predicted_before_it_was_printed() -> None:
    late = {card.code for card in GAME.pool if card.released > "2013-02-01"}
    seen = model().observation("01001", {"01050": 1}, day=day_number("2013-02-01"))
    deck = model().deck(seen, model().predict(seen))
    assert not late & set(deck.cards)
    assert late & set(model().deck(seen, model().predict(replace(seen, day=None))).cards), "the test would say nothing"
    assert not late & set(model().deck(seen, create(model(), seen)).cards)
    leaked = next(code for code in model().cards if code in late and GAME.pool[code].faction == "anarch")
    early = model().observation("01001", {leaked: 1}, day=day_number("2013-02-01"))
    assert model().deck(early, model().predict(early)).cards[leaked] >= 1, "what was seen is there"


def test_several_sizes_are_reckoned_with_if_it_is_unknown() -> None:
    """Half of the made-up decks have the minimum, the others four more."""
    seen = model().observation("01001", {"01050": 1})
    assert set(seen.sizes) == {45, 49}
    assert sum(seen.sizes.values()) == pytest.approx(1)
    assert seen.size == max(seen.sizes, key=lambda size: seen.sizes[size])
    parts = [model().probabilities(replace(seen, size=size, sizes={})) for size in seen.sizes]
    np.testing.assert_allclose(
        model().probabilities(seen), np.average(parts, axis=0, weights=list(seen.sizes.values()))
    )
    large = next(deck for deck in made_up_decks() if deck.identity == "01001" and deck.size == 49)
    assert set(model().observation("01001", large.cards).sizes) == {49}
    (score,) = evaluate(GAME, made_up_table(), ["best"], Protocol(folds=2, per_fold=8, sized=False), settings=QUICK)
    assert score.unanswered == 0
    assert 0.3 < score.mean < 1


@pytest.mark.parametrize(
    ("identity", "seen", "size", "message"),
    [
        ("01001", {"01002": 4}, None, "4 copies of Déjà Vu; a deck may have 3"),
        ("01001", {"01017": 1}, None, "two identities: Noise.* and Gabriel"),
        ("01001", {"01018": 3, "01024": 3}, None, "influence"),
        ("01001", {"01110": 3}, None, "cannot have Hedge Fund"),
        ("01001", {}, 30, "a deck of 30 cards is impossible"),
        ("01001", {"01050": 3}, 1000, "at most"),
        ("01050", {}, None, "no identity"),
    ],
)
def test_impossible_observations_are_refused(
    identity: str, seen: dict[str, int], size: int | None, message: str
) -> None:
    with pytest.raises(BadDeck, match=message):
        model().observation(identity, seen, size)


def test_sampled_decks_follow_the_prediction() -> None:
    seen = seen_of(160)
    random = np.random.default_rng(1)
    decks = model().sample(seen, random, 60)
    assert all(legal(model(), seen, copies) and copies.sum() == seen.size for copies in decks)
    assert all((copies >= seen.copies).all() for copies in decks)
    frequency = np.mean([copies > 0 for copies in decks], axis=0)
    chance = model().probabilities(seen)[:, 0]
    allowed = (model().book.limits(seen.identity, seen.size).limit > 0) & (seen.copies == 0)
    assert np.corrcoef(frequency[allowed], chance[allowed])[0, 1] > 0.8
    assert len({copies.tobytes() for copies in decks}) > 50


def test_reasons_name_decks_and_archetypes() -> None:
    seen = seen_of(150)
    expected = np.argsort(-model().probabilities(seen)[:, 0] * (seen.copies == 0))[:3]
    found = reasons(model(), seen, [int(card) for card in expected])
    assert len(found.decks) == 5
    assert found.decks[0].weight >= found.decks[-1].weight
    assert found.archetypes
    assert reasons(model().without_decks(), seen, []).decks == []


@pytest.mark.parametrize("cards", [2, 5, 8])
def test_the_evidence_for_and_against_a_card_adds_up_to_its_chance(cards: int) -> None:
    for of in (model(), model().without_decks()):
        seen = seen_of(150, cards)
        chances = of.probabilities(seen)[:, 0]
        shown = [int(card) for card in np.flatnonzero((seen.copies == 0) & (chances > 0.02))]
        found = reasons(of, seen, shown).cards
        for card in shown:
            why = found[of.cards[card]]
            assert why.usual + sum(said.adds for said in why.evidence) == pytest.approx(chances[card], abs=1e-9)
            assert len(why.evidence) == 1 + np.count_nonzero(seen.copies)
        assert any(said.adds < -0.01 for why in found.values() for said in why.evidence), "some speak against a card"


def test_evidence_says_how_many_decks_are_behind_it() -> None:
    seen, table = seen_of(150), made_up_table().rows(np.arange(140))
    card, other = (int(place) for place in np.flatnonzero(seen.copies)[:2])
    why = reasons(model(), seen, [other]).cards[model().cards[other]]
    said = next(said for said in why.evidence if said.item == GAME.pool[model().cards[card]].title)
    assert said.decks == (table.copies[:, card] > 0).sum()
    assert said.support == ((table.copies[:, card] > 0) & (table.copies[:, other] > 0)).sum()


def has_decks(model: DeckModel) -> bool:
    return all(side.posterior is not None for side in model.sides)


def test_a_saved_model_predicts_the_same(tmp_path: Path) -> None:
    save_model(model(), tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert has_decks(again)
    for row in TEST_ROWS[:10]:
        seen = seen_of(int(row))
        np.testing.assert_allclose(again.probabilities(seen), model().probabilities(seen), atol=0.02)


def test_a_model_to_pass_on_contains_no_decks(tmp_path: Path) -> None:
    save_model(model().without_decks(), tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as stored:
        assert not [name for name in stored.files if "decks" in name]
        assert "made up" not in str(stored["facts"])
    again = load_model(tmp_path / "model.npz")
    assert not has_decks(again)
    seen = again.book.observation(again.identities[0], {})
    assert legal(again, seen, again.predict(seen))


@pytest.mark.parametrize("content", [b"", b"no model", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "model.npz"
    file.write_bytes(content)
    with pytest.raises(BadDeckModel, match="is not a model of decks"):
        load_model(file)
    with pytest.raises(BadDeckModel, match="there is no model"):
        load_model(tmp_path / "missing.npz")


def changed_model(file: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> Path:
    """A saved model with other facts or arrays."""
    save_model(model(), file)
    with np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    facts = json.loads(str(arrays.pop("facts")))
    change(facts, arrays)
    np.savez_compressed(file, facts=np.array(json.dumps(facts)), **arrays)
    return file


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda facts, arrays: facts.update(format=1), "it has format 1"),
        (lambda facts, arrays: facts.update(game="chess"), "chess"),
        (lambda facts, arrays: facts.update(cards=["99999", *facts["cards"][1:]]), "a card '99999'.*--cards"),
        (lambda facts, arrays: facts.update(cards=facts["cards"][:1] * 2), "not different"),
        (lambda facts, arrays: facts.update(sides=3), "TypeError"),
        (lambda facts, arrays: facts["sides"][0].update(names=["one"]), "not an array of 1"),
        (lambda facts, arrays: facts["sides"][0].update(periods=10**9), "periods"),
        (lambda facts, arrays: facts["settings"].update(luck=1), "luck"),
        (lambda facts, arrays: arrays.pop("0_network_wide"), "it has no 0_network_wide"),
        (lambda facts, arrays: arrays.update({"0_columns": np.full_like(arrays["0_columns"], 9999)}), "from 0 to"),
        (lambda facts, arrays: arrays.update({"0_decks": arrays["0_decks"].astype(np.int16) + 256}), "from 0 to 255"),
        (lambda facts, arrays: arrays.update(pairs=arrays["pairs"].astype(np.int64) + 2**16), "from 0 to 65535"),
        (lambda facts, arrays: arrays.update({"0_share": np.zeros(10**7, np.float16)}), "wrong size"),
        (lambda facts, arrays: arrays.update({"1_network_bias": np.full(3, np.nan)}), "1_network_bias"),
    ],
)
def test_a_crafted_model_is_refused(tmp_path: Path, change: Any, complaint: str) -> None:
    with pytest.raises(BadDeckModel, match=complaint):
        load_model(changed_model(tmp_path / "model.npz", change))


def test_an_unchanged_copy_of_a_model_is_read(tmp_path: Path) -> None:
    assert load_model(changed_model(tmp_path / "model.npz", lambda facts, arrays: None)).decks == model().decks


def test_learning_is_repeatable() -> None:
    again = DeckModel.learn(GAME, made_up_table().rows(np.arange(140)), QUICK)
    seen = seen_of(170)
    np.testing.assert_array_equal(again.probabilities(seen), model().probabilities(seen))


def test_too_few_decks_are_refused() -> None:
    with pytest.raises(BadDeck, match="too few"):
        DeckModel.learn(GAME, made_up_table().rows(np.arange(1)))


def test_ctrl_c_does_not_wait_for_what_is_being_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    enough, pressed = threading.Event(), threading.Lock()

    def learn_for_long(*arguments: Any) -> None:
        if pressed.acquire(blocking=False):
            time.sleep(0.5)  # until the main thread waits
            os.kill(os.getpid(), signal.SIGINT)
        enough.wait(20)

    monkeypatch.setattr(model_module, "_learn_side", learn_for_long)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        DeckModel.learn(GAME, made_up_table().rows(np.arange(140)), QUICK)
    enough.set()
    assert time.monotonic() - began < 10
