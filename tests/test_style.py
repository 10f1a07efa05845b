"""Play style: what is counted, how far agents are apart, and an agent that likes some actions better than others."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli import app
from boardwright.errors import BadSpec, UnknownName
from boardwright.playstyle import StyleGames, distances, profiles, recognition
from boardwright.playstyle.games import tables
from boardwright.playstyle.profile import GameRow, matrix
from boardwright.playstyle.tilted import counts_of, parse_tilts, vocabulary


def rows_of(agent: str, mean: float, games: int, seed: int) -> list[GameRow]:
    chance = np.random.default_rng(seed)
    return [
        GameRow(agent, game, {"boldness": float(chance.normal(mean)), "length": float(chance.normal(20))})
        for game in range(games)
    ]


def test_a_match_is_counted_for_every_seat_alike_in_one_process_and_in_two() -> None:
    alone, apart = StyleGames(), StyleGames()
    bw.match("colonizers", "heuristic", "random", "random", "random", games=4, listeners=[alone])
    bw.match("colonizers", "heuristic", "random", "random", "random", games=4, jobs=2, listeners=[apart])
    assert len(alone.rows) == 16
    assert alone.rows == apart.rows
    assert {"decisions", "length", "points", "variety", "complexity cx0", "red modules"} <= alone.rows[
        0
    ].features.keys()


def test_a_record_tells_the_same_style_as_the_game() -> None:
    live = StyleGames()
    result = bw.match("kuhn_poker", "optimal", "random", games=6, listeners=[live])
    assert StyleGames.over(result.records).rows == live.rows


def test_shares_that_are_not_mentioned_are_zero_and_means_are_unknown() -> None:
    rows = [GameRow("a", 0, {"card: Orc": 1.0, "shots": 0.5}), GameRow("a", 1, {"card: Elf": 1.0})]
    table = matrix(rows)
    assert table.values[1, table.features.index("card: Orc")] == 0.0
    assert table.values[1, table.features.index("shots")] == 0.5


def test_equal_styles_are_not_told_apart_and_different_ones_are() -> None:
    (same,) = distances([*rows_of("a", 0, 60, 1), *rows_of("b", 0, 60, 2)], permutations=400)
    (different,) = distances([*rows_of("a", 0, 60, 1), *rows_of("c", 1.5, 60, 3)], permutations=400)
    assert same.p_value > 0.05
    assert different.p_value < 0.01
    assert different.differing[0][0] == "boldness"
    assert different.distance > 3 * same.distance


def test_the_permutation_test_keeps_its_error_rate() -> None:
    """Of 200 comparisons of equal styles, 5 % at most 19 times with a probability of 99.8 %."""
    wrong = sum(
        distances([*rows_of("a", 0, 20, 2 * k), *rows_of("b", 0, 20, 2 * k + 1)], permutations=99)[0].p_value <= 0.05
        for k in range(200)
    )
    assert wrong <= 19


def test_agents_are_recognised_from_games_that_were_not_learned_from() -> None:
    known = recognition([*rows_of("a", 0, 80, 1), *rows_of("b", 3, 80, 2)])
    assert known.accuracy > 0.95
    guessed = recognition([*rows_of("a", 0, 80, 1), *rows_of("b", 0, 80, 2)])
    assert guessed.accuracy < 0.75


def test_profiles_have_intervals() -> None:
    (profile,) = profiles(rows_of("a", 2.0, 100, 4))
    figure = profile.figures["boldness"]
    assert figure.low < 2.0 < figure.high
    assert figure.games == 100


def test_everybody_plays_at_as_many_tables() -> None:
    assert tables(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert tables(["a"], 4) == [("a",) * 4]
    at_four = tables(["a", "b", "c", "d", "e"], 4)
    assert {name: sum(name in table for table in at_four) for name in "abcde"} == dict.fromkeys("abcde", 4)
    with pytest.raises(BadSpec, match="once"):
        tables(["a", "a"], 2)


def test_a_tilt_changes_the_style_and_gives_away_no_more_than_the_margin() -> None:
    game = bw.game("colonizers")
    fond = bw.agent("tilted:agent=(ismcts:iterations=60),likes=General+1,margin=0.3", game, 0, seed=1)
    state = game.new(seed=2)
    decision = fond.decide(state.observation(state.player)) if state.player == 0 else None
    while decision is None:
        state.apply(state.legal_actions()[0])
        decision = fond.decide(state.observation(0)) if state.player == 0 else None
    low, high = game.min_utility, game.max_utility
    values = {r.action: (r.value - low) / (high - low) for r in decision.reasons if r.value is not None}
    assert max(values.values()) - values[decision.action] <= 0.3 + 1e-9
    assert "gives away" in decision.summary
    notes = {game.describe(state.observation(0), reason.action): reason.note for reason in decision.reasons}
    assert all(("General +100.0%" in note) == ("General" in text) for text, note in notes.items())


def test_without_tilt_it_plays_the_action_of_the_highest_value() -> None:
    game = bw.game("connect_four")
    observation = game.new(seed=1).observation(0)
    plain = bw.agent("uct:iterations=400", game, 0, seed=5).decide(observation)
    tilted = bw.agent("tilted:agent=(uct:iterations=400)", game, 0, seed=5).decide(observation)
    assert tilted.action == max(plain.reasons, key=lambda reason: reason.value or -1).action


def test_an_unknown_tilt_is_answered_with_the_names_there_are() -> None:
    game = bw.game("wonders")
    assert {"military", "science", "discards"} <= vocabulary("wonders")
    with pytest.raises(UnknownName, match="military"):
        parse_tilts("milittary+0.1", game)
    with pytest.raises(BadSpec, match="no tilt"):
        parse_tilts("military", game)
    with pytest.raises(BadSpec, match="which agent"):
        bw.agent("tilted", game, 0)


@pytest.mark.parametrize("name", ["lords", "race", "wonders", "colonizers"])
def test_what_a_game_counts_are_numbers_of_the_action(name: str) -> None:
    game = bw.game(name)
    state, chance = game.new(seed=5), random.Random(5)
    seen: set[str] = set()
    while not state.is_terminal:
        observation = state.observation(state.player)
        for action in observation.legal_actions()[:5]:
            counted = counts_of(observation, action)
            assert all(isinstance(value, float) and value >= 0 for value in counted.values())
            seen |= counted.keys()
        state.apply(chance.choice(state.legal_actions()))
    assert len(seen) > 5


def test_the_command_prints_profiles_writes_json_and_a_plot_and_resumes(tmp_path: Path) -> None:
    arguments = ["style", "colonizers", "heuristic", "random", "--games", "24", "--json", "s.json", "--plot", "s.png"]
    first = CliRunner().invoke(app, arguments)
    assert first.exit_code == 0, first.output
    data = json.loads(Path("s.json").read_text())
    assert data["profiles"][0]["games"] >= 24
    assert data["recognition"]["accuracy"] > 0.8
    assert Path("s.png").stat().st_size > 10_000
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert json.loads(Path("s.json").read_text()) == data
    (file, *_) = sorted(Path("matches/style").glob("*.jsonl"))
    again = CliRunner().invoke(app, ["style", "colonizers", "--records", str(file)])
    assert again.exit_code == 0, again.output
    assert CliRunner().invoke(app, ["style", "colonizers"]).exit_code != 0
