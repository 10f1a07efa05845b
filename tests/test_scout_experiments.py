"""The experiments with SCOUT: what they count, and what the library learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from boardwright.arena.match import Match
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.scout_eras import regression
from boardwright.experiments.scout_figures import action_frequencies, score_ratios, victory_rates
from boardwright.games.race.scout.cases.from_games import cases_of, library_of
from boardwright.games.race.scout.cases.impressions import (
    SEEN,
    Impressions,
    learn_actions,
    learn_placements,
    offers_of,
    softmax,
    spread,
)
from boardwright.games.race.scout.cases.library import Library, load_library
from boardwright.games.race.scout.problems.model import TYPE_ACTION, TYPE_SETTLE
from boardwright.games.race.state import ROUND_ACTIONS

QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def library() -> Library:
    match = Match("race", ("heuristic", "heuristic"), 33)
    games = [cases_of(match.play(index)) for index in range(150)]
    return library_of([game for game in games if game is not None], {})


def test_all_figures_are_declared() -> None:
    assert {f"scout-7.{number}" for number in range(1, 6)} <= set(experiments())
    published = load_experiment("scout-7.2").published
    assert [row.wins for row in published.rows] == [1510, 2550, 2, 748]


def test_a_trend_is_found_where_there_is_one() -> None:
    """Two runs that rise by exactly 2 an era, each from a level of its own."""
    figures = regression([[10 + 2 * era for era in range(8)], [30 + 2 * era for era in range(8)]])
    assert figures["slope"] == pytest.approx(2.0)
    chance = np.random.default_rng(2)
    figures = regression([chance.integers(40, 60, 20).tolist() for _ in range(5)])
    low, high = figures["interval"]
    assert low < 0 < high, "level runs show none"
    assert regression([[5]])["slope"] is None


def test_figures_from_games(tmp_path: Path) -> None:
    match = Match("race", ("heuristic", "random"), 3)
    records = [match.play(index) for index in range(6)]
    rates = victory_rates({"mine": records, "random": records}, tmp_path, QUIET)["rates"]
    assert rates["mine"]["games"] == 6
    assert rates["mine"]["wins"] >= 5
    ratios = score_ratios({"mine": records}, tmp_path, QUIET)["ratios"]["mine"]
    expected = [record.scores[record.order.index(0)] / record.scores[record.order.index(1)] for record in records]
    assert ratios["median"] == pytest.approx(float(np.median(expected)))
    actions = action_frequencies({"mine": records}, tmp_path, QUIET)["actions"]["mine"]
    assert sum(actions.values()) == pytest.approx(1.0)
    assert (tmp_path / "ratios.png").exists()
    assert (tmp_path / "actions.png").exists()


def test_impressions_tell_actions_of_games_they_were_not_learned_from(library: Library) -> None:
    memory = library.memory(TYPE_ACTION)
    known, new = memory.kept(memory.groups % 5 != 0), memory.kept(memory.groups % 5 == 0)
    likely = learn_actions(known).likelihoods(new)
    assert np.allclose(likely.sum(1), 1, atol=1e-5)
    right = (np.array(ROUND_ACTIONS)[likely.argmax(1)] == new.classes).mean()
    assert right > 0.6, "the most frequent action alone is right in less than 0.4"


def test_impressions_of_placements_are_of_what_is_offered(library: Library) -> None:
    memory = library.memory(TYPE_SETTLE)
    offered = offers_of(memory)
    likely = learn_placements(memory).likelihoods(memory, offered)
    assert likely[~offered].max() == 0
    assert (likely.argmax(1) == memory.classes).mean() > 0.6


def test_scores_are_the_product_of_features_and_weights(library: Library) -> None:
    memory = library.memory(TYPE_ACTION)
    learned = learn_actions(memory)
    expected = spread(memory, learned.lowest, learned.width) @ learned.weights
    assert np.allclose(learned._scores(memory), expected, atol=1e-4)
    for case in range(0, len(memory), 100):
        assert np.allclose(learned._scores(memory.kept(np.array([case])))[0], expected[case], atol=1e-4)


def test_impressions_are_kept_with_the_library(library: Library) -> None:
    memory = library.memory(TYPE_ACTION)
    learned = learn_actions(memory)
    again = Impressions.from_data(learned.as_data())
    assert np.allclose(again.likelihoods(memory), learned.likelihoods(memory), atol=0.01)
    seen = again.seen(memory)
    assert seen.layout is SEEN
    assert np.abs(seen.number("seems_5") / 255 - learned.likelihoods(memory)[:, 3]).max() < 0.02


def test_an_empty_library_gives_no_impression(library: Library) -> None:
    nothing = library.memory(TYPE_ACTION).kept(np.zeros(0, np.int64))
    assert np.allclose(learn_actions(nothing).likelihoods(library.memory(TYPE_ACTION)), 1 / 7)


def test_softmax() -> None:
    assert softmax(np.log(np.array([[1.0, 3.0]], np.float32)))[0].tolist() == pytest.approx([0.25, 0.75])


def test_the_library_of_the_package() -> None:
    """It fits into the package, comes from netsearch, and has learned."""
    from importlib.resources import files

    file = files("boardwright.games.race.scout.cases").joinpath("default.cases")
    assert len(file.read_bytes()) < 2_000_000
    library = load_library("default")
    assert library.games > 700
    assert library.meta["from"] == "netsearch"
    assert set(library.meta["impressions"]) == {"0", "3", "5"}
