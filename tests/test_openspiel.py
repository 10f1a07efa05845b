"""OpenSpiel's own tests and algorithms on our games, and its bots at our tables."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec, UnknownName
from boardwright.games.kuhn_poker.agents import VALUE_OF_FIRST_SEAT
from tests.conftest import DICE_RACE, PENNIES

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

from boardwright.adapters.openspiel import spiel_game

GAMES = [*bw.games(), str(DICE_RACE), str(PENNIES)]


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_openspiel_plays_every_game(name: str) -> None:
    """Its own simulation test: clones, saved states, histories, legal actions, observations and returns agree."""
    pyspiel.random_sim_test(spiel_game(name, deals=3), num_sims=1, serialize=True, verbose=False)


def test_a_game_that_pyspiel_has_loaded_by_name_can_be_saved() -> None:
    game = pyspiel.load_game("boardwright_kuhn_poker(deals=3)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game) == str(spiel_game("kuhn_poker", deals=3))


def test_pyspiel_loads_our_games_by_name() -> None:
    game = pyspiel.load_game("boardwright_wonders", {"seats": 4, "deals": 5, "options": "sides:B"})
    assert game.num_players() == 4
    state = game.new_initial_state()
    assert len(state.chance_outcomes()) == 5
    state.apply_action(2)
    assert state.position == bw.game("wonders").new(seed=2, seats=4, sides="B")
    assert state.clone().position == state.position


def test_every_deal_of_lords_of_war_differs() -> None:
    """Its chance is in the deal alone, and its record has no generator."""
    game = spiel_game("lords", deals=5)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    dealt = set()
    for outcome, _ in game.new_initial_state().chance_outcomes():
        state = game.new_initial_state()
        state.apply_action(outcome)
        dealt.add(bytes(state.position))
    assert len(dealt) == 5


@pytest.mark.parametrize(
    ("name", "seats", "utility", "total", "longest"),
    [
        ("connect_four", 2, "ZERO_SUM", 0.0, 42),
        ("kuhn_poker", 2, "ZERO_SUM", 0.0, 3),
        ("lords", 2, "CONSTANT_SUM", 1.0, 2 + 300 * 44),
        ("wonders", 3, "CONSTANT_SUM", 1.25, 75),
        ("race", 2, "CONSTANT_SUM", 1.0, None),
        (str(PENNIES), 2, "GENERAL_SUM", None, None),
    ],
    ids=lambda value: Path(str(value)).stem,
)
def test_what_openspiel_is_told_of_a_game(
    name: str, seats: int, utility: str, total: float | None, longest: int | None
) -> None:
    game = spiel_game(name, seats=seats, deals=2)
    assert game.get_type().utility == getattr(pyspiel.GameType.Utility, utility)
    assert game.utility_sum() == total
    if longest is not None:
        assert game.max_game_length() == longest


@pytest.mark.parametrize("name", ["kuhn_poker", "lords", "race"])
def test_a_resampled_state_looks_the_same_to_its_player(name: str) -> None:
    game = spiel_game(name, deals=3)
    state = game.new_initial_state()
    state.apply_action(2)
    for _ in range(6):
        if state.is_terminal():
            break
        player = state.current_player()
        samples = [state.resample_from_infostate(player, lambda number=number: number / 8) for number in range(8)]
        assert {sample.information_state_string(player) for sample in samples} == {state.information_state_string()}
        assert all(sample.legal_actions() == state.legal_actions() for sample in samples)
        assert len({bytes(sample.position) for sample in samples}) > 1
        state.apply_action(state.legal_actions()[-1])


@pytest.mark.parametrize("name", ["kuhn_poker", "lords", str(DICE_RACE)], ids=lambda name: Path(name).stem)
def test_openspiels_ismcts_plays_our_games(name: str) -> None:
    result = bw.match(name, "openspiel:bot=ismcts,iterations=4", "random", games=1, seed=3)
    assert result.games == 1


def test_ismcts_is_for_hidden_information(connect_four: bw.Game) -> None:
    with pytest.raises(BadSpec, match="has none"):
        bw.agent("openspiel:bot=ismcts", connect_four, 0)


def test_openspiels_own_ismcts_in_cpp_cannot_resample_games_in_python() -> None:
    """Its C++ asks the state itself, never our `resample_from_infostate`, and so it is with OpenSpiel's own games in
    Python. When this fails, OpenSpiel has learned it: then let the agent have that bot, and say so in the docs."""
    from open_spiel.python.games import kuhn_poker  # noqa: F401

    theirs = pyspiel.load_game("python_kuhn_poker").new_initial_state()
    theirs.apply_action(0)
    theirs.apply_action(1)
    ours = spiel_game("kuhn_poker", deals=1).new_initial_state()
    ours.apply_action(0)
    for state in (theirs, ours):
        bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 2), 1.4, 10)
        with pytest.raises(pyspiel.SpielError, match="not implemented"):
            bot.get_policy(state)


def test_cfr_finds_the_value_of_our_kuhn_poker() -> None:
    game = spiel_game("kuhn_poker", deals="each")
    assert len(game.seeds) == 6
    solver = cfr.CFRSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert values == pytest.approx([VALUE_OF_FIRST_SEAT, -VALUE_OF_FIRST_SEAT], abs=0.003)
    assert exploitability.exploitability(game, policy) < 0.02


def test_information_states_tell_what_was_seen_and_nothing_else() -> None:
    """Two deals with the same own card are one information state; the other's card is not in it."""
    game = spiel_game("kuhn_poker", deals="each")
    own: dict[int, set[str]] = {}
    for outcome in range(6):
        state = game.new_initial_state()
        state.apply_action(outcome)
        own.setdefault(state.position.record.card[0], set()).add(state.information_state_string(0))
    assert sorted(map(len, own.values())) == [1, 1, 1]
    assert len(set.union(*own.values())) == 3


def test_observations_are_the_features(connect_four: bw.Game) -> None:
    state = spiel_game(connect_four).new_initial_state()
    state.apply_action(3)
    planes = np.array(state.observation_tensor(1)).reshape(15, 6, 7)
    assert planes[1, 0, 3] == 1 == planes.sum()


@pytest.mark.parametrize(
    ("name", "deals", "message"),
    [
        ("kuhn_poker", "many", "deals are a number"),
        ("lords", "each", "too many deals"),
        (str(DICE_RACE), "each", "chance plays a part"),
    ],
)
def test_deals_that_cannot_be_listed_are_refused(name: str, deals: str, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        spiel_game(name, deals=deals)


def test_a_bot_of_openspiel_plays_our_games() -> None:
    result = bw.match("connect_four", "openspiel:iterations=20", "random", games=4, seed=1)
    assert result.agents[0].wins >= 3
    again = bw.match("connect_four", "openspiel:iterations=20", "random", games=2, seed=1)
    assert [record.actions for record in again.records] == [record.actions for record in result.records[:2]]


@pytest.mark.parametrize("name", ["kuhn_poker", str(DICE_RACE)], ids=lambda name: Path(name).stem)
def test_a_bot_plays_where_something_is_hidden(name: str) -> None:
    game = bw.game(name)
    agents = ["openspiel:bot=mcts,iterations=2", *["random"] * (game.seats[0] - 1)]
    assert bw.match(name, *agents, games=1).games == 1


def test_unknown_bots_are_refused(connect_four: bw.Game) -> None:
    with pytest.raises(UnknownName, match="alphazero"):
        bw.agent("openspiel:bot=alphazero", connect_four, 0)
