"""Files of deck models, on a model of forty decks: what is written is read, and what cannot be is refused."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardwright.decks import BadDeckModel
from boardwright.decks.mixture import MixtureSettings
from boardwright.decks.model import DeckModel, ModelSettings
from boardwright.decks.nearest import NearestSettings
from boardwright.decks.netrunner import netrunner
from boardwright.decks.network import BETA2, EPSILON, NetworkSettings
from boardwright.decks.posterior import PosteriorSettings
from boardwright.decks.storage import load_model, save_model
from tests.made_up_decks import made_up_table

SETTINGS = ModelSettings(
    network=NetworkSettings(hidden=3, epochs=1, most_seen=5),
    posterior=PosteriorSettings(noise=0.25),
    nearest=NearestSettings(k=7),
    mixture=MixtureSettings(archetypes=2, rounds=2),
    calibration_decks=4,
)


@cache
def model() -> DeckModel:
    return DeckModel.learn(netrunner(), made_up_table().rows(np.arange(40)), SETTINGS)


@pytest.mark.parametrize("with_decks", [True, False])
def test_a_model_is_read_as_it_was_written(with_decks: bool, tmp_path: Path) -> None:
    """Weights in half precision, all else to the letter."""
    written = model() if with_decks else model().without_decks()
    save_model(written, tmp_path / "model.npz")
    read = load_model(tmp_path / "model.npz")
    assert (read.cards, read.identities, read.decks, read.settings) == (
        written.cards, written.identities, written.decks, written.settings,
    )  # fmt: skip
    assert read.game.name == "netrunner"
    np.testing.assert_array_equal(read.pairs, written.pairs)
    np.testing.assert_array_equal(read.pairs, read.pairs.T)
    np.testing.assert_array_equal(read.sizes.decks, written.sizes.decks)
    assert len(read.sides) == len(written.sides) == 2
    for ours, theirs in zip(read.sides, written.sides, strict=True):
        np.testing.assert_array_equal(ours.columns, theirs.columns)
        assert ours.calibration == theirs.calibration
        assert ours.calibration_without_decks == theirs.calibration_without_decks
        inputs, others = ours.network.inputs, theirs.network.inputs
        assert (inputs.first_day, inputs.periods, inputs.number) == (others.first_day, others.periods, others.number)
        np.testing.assert_array_equal(inputs.group, others.group)
        kinds, other_kinds = ours.archetypes, theirs.archetypes
        assert kinds.temper == other_kinds.temper
        for name in ("share", "identity", "cards", "copies"):
            np.testing.assert_allclose(getattr(kinds, name), getattr(other_kinds, name), rtol=2e-3, atol=1e-6)
        for name, weights in theirs.network.weights._asdict().items():
            np.testing.assert_allclose(getattr(ours.network.weights, name), weights, rtol=2e-3, atol=1e-6)
        np.testing.assert_allclose(ours.copies.distribution, theirs.copies.distribution, rtol=2e-3, atol=1e-6)
        assert (ours.posterior is None) == (ours.nearest is None) == (not with_decks)
        if ours.posterior is not None and ours.nearest is not None and theirs.posterior is not None:
            table, other = ours.posterior.table, theirs.posterior.table
            assert (table.names, table.dates, table.cards) == (other.names, other.dates, other.cards)
            np.testing.assert_array_equal(table.copies, other.copies)
            np.testing.assert_array_equal(table.identity, other.identity)
            assert ours.posterior.settings.noise == 0.25
            assert ours.nearest.settings.k == 7
            assert ours.posterior.last_day == theirs.posterior.last_day


def changed(file: Path, change: Any) -> Path:
    save_model(model(), file)
    with np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    facts = json.loads(str(arrays.pop("facts")))
    change(facts, arrays)
    np.savez(file, facts=np.array(json.dumps(facts)), **arrays)
    return file


def zeros(name: str, *shape: int, kind: type = np.float16) -> Any:
    return lambda facts, arrays: arrays.update({name: np.zeros(shape, kind)})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda facts, arrays: facts.update(format=3), "it has format 3; this version reads format 2"),
        (lambda facts, arrays: facts.update(identities=[]), "its identities are not different, or there are none"),
        (lambda facts, arrays: facts["sides"].pop(), "not a model for each side of its identities"),
        (lambda facts, arrays: facts["sides"][0].update(periods=-1), "-1 periods"),
        (lambda facts, arrays: facts["sides"][0].update(periods=4097), "4097 periods"),
        (lambda facts, arrays: facts["sides"][0].update(calibration=[1.0]), "not enough values"),
        (zeros("0_share", 4097), "0_share has the wrong size"),
        (zeros("0_share", 0), "0_share has the wrong size"),
        (zeros("0_share", 2, 1), "0_share has the wrong size"),
        (zeros("0_network_hidden_bias", 4097), "0_network_hidden_bias has the wrong size"),
        (zeros("0_columns", 10_000, kind=np.int64), "0_columns has the wrong size"),
        (zeros("pairs", 3, kind=np.int64), "pairs"),
        (zeros("sizes", 7, 2, kind=np.int64), "sizes"),
    ],
)
def test_what_does_not_fit_together_is_refused(change: Any, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(BadDeckModel, match=complaint):
        load_model(changed(tmp_path / "model.npz", change))


def test_a_file_that_is_missing_is_told_from_one_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(BadDeckModel, match="`boardwright decks learn` makes one"):
        load_model(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"bad")
    with pytest.raises(BadDeckModel) as refused:
        load_model(tmp_path / "bad.npz")
    assert "makes one" not in str(refused.value)


def test_the_shipped_model_was_learned_with_the_settings_of_today() -> None:
    """Its network, its nearest decks and its archetypes. A step of its optimizer remembers the last hundred."""
    settings = load_model().settings
    assert settings.network == NetworkSettings()
    assert settings.nearest == NearestSettings()
    assert settings.mixture == MixtureSettings()
    assert settings.network == NetworkSettings(
        hidden=128, epochs=40, batch=256, learning_rate=0.005, wide_rate=0.3, weight_decay=0.01, dropout=0.3,
        fewest_seen=1, most_seen=9, undated=0.3, nameless=0.1, seed=1,
    )  # fmt: skip
    assert pytest.approx(100) == 1 / (1 - BETA2)
    assert pytest.approx(1e-7) == EPSILON
