"""The experiments with SCOUT: what they count, and what the library learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from boardwright.arena.match import Match
from boardwright.cbr.memory import Memory
from boardwright.cbr.store import BadLibrary
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.scout_eras import regression
from boardwright.experiments.scout_figures import action_frequencies, score_ratios, victory_rates
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.scout.cases.building import cases_of, library_of
from boardwright.scout.cases.features import SEEN
from boardwright.scout.cases.files import Library, load_library
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_SETTLE
from boardwright.scout.reasoners import policy_training as fitting
from boardwright.scout.reasoners.policy_network import (
    FITTED,
    Head,
    Impressions,
    offers_of,
    softmax,
)
from boardwright.scout.reasoners.policy_training import Examples, Part, fit, slope_of

QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def library() -> Library:
    match = Match("race", ("heuristic", "heuristic"), 33)
    games = [cases_of(match.play(index)) for index in range(150)]
    return library_of([game for game in games if game is not None], {})


def test_all_figures_are_declared() -> None:
    assert {*(f"scout-7.{number}" for number in range(1, 6)), "scout-7.5-watch"} <= set(experiments())
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


def cases_in(library: Library, keep: bool = True) -> dict[int, Memory]:
    """The cases of games whose number is no multiple of 5, or, without `keep`, of the others."""
    memories = {kind: library.memory(kind) for kind in FITTED}
    return {kind: memory.kept((memory.groups % 5 != 0) == keep) for kind, memory in memories.items()}


@pytest.fixture(scope="module")
def learned(library: Library) -> Impressions:
    return fit(cases_in(library))


def test_impressions_tell_choices_of_games_they_were_not_learned_from(learned: Impressions, library: Library) -> None:
    new = cases_in(library, keep=False)
    likely = learned.likelihoods(TYPE_ACTION, new[TYPE_ACTION])
    assert np.allclose(likely.sum(1), 1, atol=1e-5)
    right = (np.array(ROUND_ACTIONS)[likely.argmax(1)] == new[TYPE_ACTION].classes).mean()
    assert right > 0.6, "the most frequent action alone is right in less than 0.4"
    settled = new[TYPE_SETTLE]
    likely = learned.likelihoods(TYPE_SETTLE, settled, offers_of(settled))
    assert (likely.argmax(1) == settled.classes).mean() > 0.6


def test_impressions_of_placements_are_of_what_is_offered(learned: Impressions, library: Library) -> None:
    memory = library.memory(TYPE_SETTLE)
    offered = offers_of(memory)
    assert learned.likelihoods(TYPE_SETTLE, memory, offered)[~offered].max() == 0


def test_one_case_gives_the_same_impression_as_among_others(learned: Impressions, library: Library) -> None:
    memory = library.memory(TYPE_ACTION)
    together = learned.likelihoods(TYPE_ACTION, memory)
    for case in range(0, len(memory), 100):
        alone = learned.likelihoods(TYPE_ACTION, memory.kept(np.array([case])))[0]
        assert np.allclose(alone, together[case], atol=1e-5)


def test_the_slope_of_a_fit_agrees_with_differences(
    learned: Impressions, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gradient is that of the mean loss: a small step changes the loss by so much."""
    monkeypatch.setattr(fitting, "FORGOTTEN", 0.0)
    memory = library.memory(TYPE_SETTLE).kept(np.arange(40))
    examples, rows = Examples.of(TYPE_SETTLE, memory, learned.ranges), np.arange(40)
    weights = Part(learned.hidden, learned.bias, *learned.heads[TYPE_SETTLE])

    def loss(part: Part) -> float:
        changed = Impressions(learned.ranges, part.hidden, part.bias, {TYPE_SETTLE: Head(part.head, part.head_bias)})
        likely = changed.likelihoods(TYPE_SETTLE, memory, offers_of(memory)).astype(np.float64)
        return float(-np.log(likely[rows, memory.classes]).mean())

    slope = slope_of(weights, examples, rows, np.random.default_rng(0))
    chance = np.random.default_rng(1)
    for name, array in weights._asdict().items():
        direction = getattr(slope, name) + chance.normal(0, 1e-4, array.shape).astype(np.float32)
        step = 1e-2 / np.sqrt(float((direction**2).sum()))
        ahead, behind = (loss(weights._replace(**{name: array + sign * step * direction})) for sign in (1, -1))
        expected = float((getattr(slope, name) * direction).sum())
        assert (ahead - behind) / (2 * step) == pytest.approx(expected, rel=0.05), name


def test_impressions_are_kept_with_the_library(learned: Impressions, library: Library) -> None:
    memory = library.memory(TYPE_ACTION)
    again = Impressions.from_data(learned.as_data())
    likely = learned.likelihoods(TYPE_ACTION, memory)
    assert np.allclose(again.likelihoods(TYPE_ACTION, memory), likely, atol=0.02)
    seen = again.seen(memory)
    assert seen.layout is SEEN
    assert np.abs(seen.number("seems_5") / 255 - likely[:, 3]).max() < 0.03


def test_impressions_of_another_version_are_refused(learned: Impressions) -> None:
    data = learned.as_data()
    for damaged in ({**data, "hidden": data["bias"]}, {name: data[name] for name in ("lowest", "width")}):
        with pytest.raises(BadLibrary, match="build the library again"):
            Impressions.from_data(damaged)


def test_an_empty_library_gives_no_impression(library: Library) -> None:
    nothing = {kind: library.memory(kind).kept(np.zeros(0, np.int64)) for kind in FITTED}
    assert np.allclose(fit(nothing).likelihoods(TYPE_ACTION, library.memory(TYPE_ACTION)), 1 / 7)


def test_softmax() -> None:
    assert softmax(np.log(np.array([[1.0, 3.0]], np.float32)))[0].tolist() == pytest.approx([0.25, 0.75])


def test_the_library_of_the_package() -> None:
    """It fits into the package, comes from netsearch, and has learned."""
    from importlib.resources import files

    file = files("boardwright.scout.cases").joinpath("default.cases")
    assert len(file.read_bytes()) < 3_000_000
    library = load_library("default")
    assert library.games > 700
    assert library.meta["from"] == "netsearch"
    assert library.meta["impressions"]["games"] > library.games
